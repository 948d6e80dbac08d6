package digest

import (
	"time"

	"parley"
	"parley/internal/store"
)

// A Pending is an unread notice of which its member was not mailed.
type Pending struct {
	ID, ConversationID parley.ID
	Kind               parley.NoticeKind
	Actor              parley.Actor
	Count              int
	CreatedAt          time.Time
	ContactName        string // "" for none
	Text               string // the beginning of the message, at most parley.MaxPreview characters
}

// Wanted says which notices are pending.
type Wanted struct {
	Member parley.UserID
	Epoch  string    // of the store; those from before a restore are left out
	Since  time.Time // those that did not change since are left out
}

// SelectPending returns the pending notices of a member in conversations that the member may
// see, the latest first, at most parley.MaxCount. Those in conversations that are spam or of
// which the member was mailed and has not read them since are left out.
func SelectPending(v store.Reader, vis parley.Visibility, w Wanted) ([]Pending, error) {
	return store.Many(v, vis, func(r store.Row, p *Pending) error {
		return r.Scan(&p.ID, &p.ConversationID, (*string)(&p.Kind), (*string)(&p.Actor.Type), &p.Actor.ID, &p.Actor.Name, &p.Count, &p.CreatedAt,
			&p.ContactName, &p.Text)
	}, `SELECT n.notice_id, n.conversation_id, n.kind, n.actor_type, n.actor_id, n.actor_name, n.count, n.created_at, COALESCE(k.name, ''),
			COALESCE(substr(g.content, 1, $5), '')
		FROM notices n
		JOIN conversations c ON c.workspace_id = n.workspace_id AND c.conversation_id = n.conversation_id
		LEFT JOIN contacts k ON k.workspace_id = n.workspace_id AND k.contact_id = c.contact_id
		LEFT JOIN messages g ON g.workspace_id = n.workspace_id AND g.conversation_id = n.conversation_id AND g.message_id = n.message_id
		WHERE n.workspace_id = $1 AND VISIBLE(c) AND NOT c.spam AND n.member_id = $2 AND n.read_at = 0 AND n.mailed_at = 0 AND n.epoch = $3
			AND n.updated_at >= $4 AND NOT EXISTS (SELECT 1 FROM notices o WHERE o.workspace_id = $1 AND o.member_id = n.member_id
				AND o.conversation_id = n.conversation_id AND o.read_at = 0 AND o.mailed_at > 0)
		ORDER BY n.updated_at DESC, n.notice_id DESC LIMIT $6`, w.Member, w.Epoch, w.Since, parley.MaxPreview, parley.MaxCount)
}

// MarkMailed stores that a member was mailed of notices.
func MarkMailed(tx store.Writer, ws parley.WorkspaceID, member parley.UserID, mailed []Pending, at time.Time) error {
	ids := make([]parley.ID, 0, len(mailed))
	for i := range mailed {
		ids = append(ids, mailed[i].ID)
	}
	return store.Exec(tx, ws, "UPDATE notices SET mailed_at = $3 WHERE workspace_id = $1 AND member_id = $2 AND notice_id IN ($4...)",
		member, at, store.ListOf(ids))
}

// SelectSeen returns when the server last saw a member at a page; zero for never.
func SelectSeen(v store.Reader, ws parley.WorkspaceID, member parley.UserID) (time.Time, error) {
	return store.One(v, ws, "session", store.Only[time.Time], "SELECT COALESCE(max(seen_at), 0) FROM sessions WHERE workspace_id = $1 AND member_id = $2", member)
}
