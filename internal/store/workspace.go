package store

import "parley"

// newestCheck selects the check of the latest event of a workspace w.
const newestCheck = `COALESCE((SELECT e.mark FROM events e WHERE e.workspace_id = w.workspace_id AND e.seq = w.seq), '')`

const (
	workspaceColumns = "w.workspace_id, w.name, w.epoch, w.seq, " + newestCheck + ", w.created_at"
	workspaceTables  = " FROM workspaces w"
)

func scanWorkspace(r row, w *parley.Workspace) error {
	return r.scan(&w.ID, &w.Name, &w.Epoch, &w.Seq, &w.Check, &w.CreatedAt)
}

// InsertWorkspace stores a new workspace with an empty log.
func (tx *Tx) InsertWorkspace(w *parley.Workspace) error {
	return tx.exec("INSERT INTO workspaces (workspace_id, name, epoch, seq, created_at) VALUES ($1, $2, $3, 0, $4)",
		w.ID, w.Name, w.Epoch, w.CreatedAt)
}

// UpdateWorkspace stores the fields of a workspace that can change.
func (tx *Tx) UpdateWorkspace(w *parley.Workspace) error {
	return tx.exec("UPDATE workspaces SET name = $2 WHERE workspace_id = $1", w.ID, w.Name)
}

// Workspace returns a workspace.
func (v *View) Workspace(ws parley.WorkspaceID) (parley.Workspace, error) {
	return one(v, "workspace", scanWorkspace, "SELECT "+workspaceColumns+workspaceTables+" WHERE w.workspace_id = $1", ws)
}

// The teams to which inboxes and products lead.
const (
	teamOfInbox = ` LEFT JOIN team_routes r ON r.workspace_id = i.workspace_id AND r.source_id = i.inbox_id` + teamOfRoute

	teamOfProduct = ` LEFT JOIN team_routes r ON r.workspace_id = p.workspace_id AND r.source_id = p.product_id` + teamOfRoute

	teamOfRoute = ` LEFT JOIN teams n ON n.workspace_id = r.workspace_id AND n.team_id = r.team_id AND n.deleted_at = 0`
)

const productColumns = "p.product_id, p.name, p.description, p.archived_at, p.agent_mode, n.team_id, n.name, p.created_at, p.updated_at"

const productTables = " FROM products p" + teamOfProduct

func scanProduct(r row, p *parley.Product) error {
	return r.scan(&p.ID, &p.Name, &p.Description, &p.ArchivedAt, (*string)(&p.Agent), &p.Team.ID, &p.Team.Name, &p.CreatedAt, &p.UpdatedAt)
}

// InsertProduct stores a new product, without the automated agent.
func (tx *Tx) InsertProduct(ws parley.WorkspaceID, p *parley.Product) error {
	return tx.exec("INSERT INTO products (workspace_id, product_id, name, description, archived_at, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
		ws, p.ID, p.Name, p.Description, p.ArchivedAt, p.CreatedAt, p.UpdatedAt)
}

// UpdateProduct stores the fields of a product that can change.
func (tx *Tx) UpdateProduct(ws parley.WorkspaceID, p *parley.Product) error {
	return tx.exec(`UPDATE products SET name = $3, description = $4, archived_at = $5, agent_mode = $6, updated_at = $7
		WHERE workspace_id = $1 AND product_id = $2`, ws, p.ID, p.Name, p.Description, p.ArchivedAt, string(p.Agent), p.UpdatedAt)
}

// Product returns a product.
func (v *View) Product(ws parley.WorkspaceID, id parley.ID) (parley.Product, error) {
	return one(v, "product", scanProduct,
		"SELECT "+productColumns+productTables+" WHERE p.workspace_id = $1 AND p.product_id = $2", ws, id)
}

// Products returns products, oldest first, with the archived ones only on
// request.
func (v *View) Products(ws parley.WorkspaceID, archived bool, after parley.Position, limit int) (parley.Page[parley.Product], error) {
	var c clause
	c.and("p.workspace_id = ?", ws)
	c.and("p.product_id > ?", afterID(after))
	if !archived {
		c.and("p.archived_at = ?", 0)
	}
	sql := "SELECT " + productColumns + productTables + c.where() + " ORDER BY p.product_id LIMIT " + c.arg(limit+1)
	return page(v, pageQuery{sql, c.args, limit}, scanProduct, afterLast(func(last *parley.Product) parley.Position {
		return parley.Position{ID: last.ID}
	}))
}

const inboxColumns = "i.inbox_id, i.name, i.channel, i.product_id, n.team_id, n.name, i.created_at, i.updated_at"

const inboxTables = " FROM inboxes i" + teamOfInbox

func scanInbox(r row, i *parley.Inbox) error {
	return r.scan(&i.ID, &i.Name, (*string)(&i.Channel), &i.ProductID, &i.Team.ID, &i.Team.Name, &i.CreatedAt, &i.UpdatedAt)
}

// InsertInbox stores a new inbox.
func (tx *Tx) InsertInbox(ws parley.WorkspaceID, i *parley.Inbox) error {
	return tx.exec("INSERT INTO inboxes (workspace_id, inbox_id, name, channel, product_id, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
		ws, i.ID, i.Name, string(i.Channel), i.ProductID, i.CreatedAt, i.UpdatedAt)
}

// UpdateInbox stores the fields of an inbox that can change.
func (tx *Tx) UpdateInbox(ws parley.WorkspaceID, i *parley.Inbox) error {
	return tx.exec("UPDATE inboxes SET name = $3, product_id = $4, updated_at = $5 WHERE workspace_id = $1 AND inbox_id = $2",
		ws, i.ID, i.Name, i.ProductID, i.UpdatedAt)
}

// Inbox returns an inbox.
func (v *View) Inbox(ws parley.WorkspaceID, id parley.ID) (parley.Inbox, error) {
	return one(v, "inbox", scanInbox,
		"SELECT "+inboxColumns+inboxTables+" WHERE i.workspace_id = $1 AND i.inbox_id = $2", ws, id)
}

// Inboxes returns inboxes, oldest first.
func (v *View) Inboxes(ws parley.WorkspaceID, after parley.Position, limit int) (parley.Page[parley.Inbox], error) {
	sql := "SELECT " + inboxColumns + inboxTables + `
		WHERE i.workspace_id = $1 AND i.inbox_id > $2 ORDER BY i.inbox_id LIMIT $3`
	return page(v, pageQuery{sql, []any{ws, afterID(after), limit + 1}, limit}, scanInbox, afterLast(func(last *parley.Inbox) parley.Position {
		return parley.Position{ID: last.ID}
	}))
}

// ExistingInboxes returns those of some inboxes that the workspace has, in no order. There
// must be at least one id.
func ExistingInboxes(v Reader, ws parley.WorkspaceID, ids []parley.ID) ([]parley.ID, error) {
	return Many(v, ws, Only[parley.ID], "SELECT inbox_id FROM inboxes WHERE workspace_id = $1 AND inbox_id IN ($2...)", ListOf(ids))
}

// Team returns a team that is not deleted.
func (v *View) Team(ws parley.WorkspaceID, id parley.ID) (parley.TeamRef, error) {
	return one(v, "team", func(r row, t *parley.TeamRef) error { return r.scan(&t.ID, &t.Name) },
		"SELECT team_id, name FROM teams WHERE workspace_id = $1 AND team_id = $2 AND deleted_at = 0", ws, id)
}

// afterID returns the id of a position as an argument that is never NULL: the
// id of the start sorts before all others.
func afterID(p parley.Position) any { return parley.WorkspaceID(p.ID) }
