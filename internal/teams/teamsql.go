package teams

import (
	"cmp"
	"slices"
	"time"

	"parley"
	"parley/internal/store"
)

// The kinds of sources that lead to a team.
const (
	inboxSource   = "inbox"
	productSource = "product"
)

// InsertTeam inserts a team without members and sources.
func InsertTeam(tx store.Writer, ws parley.WorkspaceID, team *parley.Team) error {
	return store.Exec(tx, ws, "INSERT INTO teams (workspace_id, team_id, name, color, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6)",
		team.ID, team.Name, string(team.Color), team.CreatedAt, team.UpdatedAt)
}

// UpdateTeam stores the name and the colour of a team.
func UpdateTeam(tx store.Writer, ws parley.WorkspaceID, team *parley.Team) error {
	return store.Exec(tx, ws, "UPDATE teams SET name = $3, color = $4, updated_at = $5 WHERE workspace_id = $1 AND team_id = $2",
		team.ID, team.Name, string(team.Color), team.UpdatedAt)
}

// HideTeam marks a team as deleted. Its conversations still name it.
func HideTeam(tx store.Writer, ws parley.WorkspaceID, team parley.ID, at time.Time) error {
	return store.Exec(tx, ws, "UPDATE teams SET deleted_at = $3 WHERE workspace_id = $1 AND team_id = $2", team, at)
}

// DeleteTeam deletes the row of a team that nothing names any more.
func DeleteTeam(tx store.Writer, ws parley.WorkspaceID, team parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM teams WHERE workspace_id = $1 AND team_id = $2 AND deleted_at > 0", team)
}

// DeleteTeamViews deletes the saved views of a team, and returns their ids.
func DeleteTeamViews(tx store.Writer, ws parley.WorkspaceID, team parley.ID) ([]parley.ID, error) {
	return store.Many(tx, ws, store.Only[parley.ID], "DELETE FROM views WHERE workspace_id = $1 AND scope = 'team' AND team_id = $2 RETURNING view_id", team)
}

// SelectTeams returns all teams that are not deleted, with their members and sources,
// sorted by name and id.
func SelectTeams(v store.Reader, ws parley.WorkspaceID) ([]parley.Team, error) {
	teams, err := store.Many(v, ws, func(r store.Row, t *parley.Team) error {
		return r.Scan(&t.ID, &t.Name, (*string)(&t.Color), &t.CreatedAt, &t.UpdatedAt)
	}, "SELECT team_id, name, color, created_at, updated_at FROM teams WHERE workspace_id = $1 AND deleted_at = 0")
	if err != nil {
		return nil, err
	}
	slices.SortFunc(teams, func(a, b parley.Team) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID.String(), b.ID.String()))
	})
	at := make(map[parley.ID]*parley.Team, len(teams))
	for i := range teams {
		at[teams[i].ID] = &teams[i]
	}
	type member struct {
		team parley.ID
		id   string
	}
	members, err := store.Many(v, ws, func(r store.Row, m *member) error { return r.Scan(&m.team, &m.id) },
		`SELECT t.team_id, t.member_id FROM team_members t JOIN members m ON m.workspace_id = t.workspace_id AND m.member_id = t.member_id
		WHERE t.workspace_id = $1 AND m.removed_at = 0 ORDER BY t.team_id, t.member_id`)
	if err != nil {
		return nil, err
	}
	for _, m := range members {
		if team := at[m.team]; team != nil {
			team.MemberIDs = append(team.MemberIDs, parley.UserID(m.id))
		}
	}
	type source struct {
		team, id parley.ID
		kind     string
	}
	sources, err := store.Many(v, ws, func(r store.Row, s *source) error { return r.Scan(&s.team, &s.id, &s.kind) },
		"SELECT team_id, source_id, kind FROM team_routes WHERE workspace_id = $1 ORDER BY team_id, source_id")
	for _, s := range sources {
		switch team := at[s.team]; {
		case team == nil:
		case s.kind == inboxSource:
			team.InboxIDs = append(team.InboxIDs, s.id)
		default:
			team.ProductIDs = append(team.ProductIDs, s.id)
		}
	}
	return teams, err
}

// SelectPresentMembers returns those of some members who are in the workspace, in no
// order. There must be at least one id.
func SelectPresentMembers(v store.Reader, ws parley.WorkspaceID, ids []parley.UserID) ([]parley.UserID, error) {
	return store.Many(v, ws, func(r store.Row, id *parley.UserID) error { return r.Scan((*string)(id)) },
		"SELECT member_id FROM members WHERE workspace_id = $1 AND removed_at = 0 AND member_id IN ($2...)", store.ListOf(ids))
}

// SelectPresentProducts returns those of some products that the workspace has, archived
// ones too, in no order. There must be at least one id.
func SelectPresentProducts(v store.Reader, ws parley.WorkspaceID, ids []parley.ID) ([]parley.ID, error) {
	return store.Many(v, ws, store.Only[parley.ID], "SELECT product_id FROM products WHERE workspace_id = $1 AND product_id IN ($2...)", store.ListOf(ids))
}

// InsertTeamMember adds a member to a team.
func InsertTeamMember(tx store.Writer, ws parley.WorkspaceID, team parley.ID, member parley.UserID, at time.Time) error {
	return store.Exec(tx, ws, "INSERT INTO team_members (workspace_id, team_id, member_id, added_at) VALUES ($1, $2, $3, $4)", team, member, at)
}

// DeleteTeamMembers takes all members out of a team.
func DeleteTeamMembers(tx store.Writer, ws parley.WorkspaceID, team parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM team_members WHERE workspace_id = $1 AND team_id = $2", team)
}

// PutRoute leads an inbox or a product to a team, and to no other.
func PutRoute(tx store.Writer, ws parley.WorkspaceID, team, source parley.ID, kind string) error {
	return store.Exec(tx, ws, `INSERT INTO team_routes (workspace_id, source_id, kind, team_id) VALUES ($1, $2, $3, $4)
		ON CONFLICT (workspace_id, source_id) DO UPDATE SET team_id = $4`, source, kind, team)
}

// DeleteRoutes lets no inbox or product lead to a team.
func DeleteRoutes(tx store.Writer, ws parley.WorkspaceID, team parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM team_routes WHERE workspace_id = $1 AND team_id = $2", team)
}
