package push

import (
	"time"

	"parley"
	"parley/internal/store"
)

// InsertKey stores the sealed key pair of a workspace.
func InsertKey(tx store.Writer, ws parley.WorkspaceID, sealed []byte) error {
	return store.Exec(tx, ws, "INSERT INTO push_keys (workspace_id, sealed) VALUES ($1, $2)", sealed)
}

// SelectKey returns the sealed key pair of a workspace; nil if it has none.
func SelectKey(v store.Reader, ws parley.WorkspaceID) ([]byte, error) {
	found, err := store.Many(v, ws, store.Only[[]byte], "SELECT sealed FROM push_keys WHERE workspace_id = $1")
	if len(found) == 0 {
		return nil, err
	}
	return found[0], err
}

const deviceColumns = "d.device_id, d.member_id, d.session_id, d.user_agent, d.created_at, d.used_at"

func scanDevice(r store.Row, d *parley.PushDevice) error {
	return r.Scan(&d.ID, (*string)(&d.MemberID), &d.SessionID, &d.UserAgent, &d.CreatedAt, &d.UsedAt)
}

// A Device is a device with what sending to it needs.
type Device struct {
	parley.PushDevice
	EndpointHash []byte
	Sealed       []byte
	Owner        string // the run that holds the device; "" for none
	PausedUntil  time.Time
	Failures     int // exchanges in a row after which the service may take the next one
	Refusals     int // exchanges in a row that the service refused
}

const rowColumns = deviceColumns + ", d.endpoint_hash, d.sealed, d.owner, d.paused_until, d.failures, d.refusals"

func scanRow(r store.Row, d *Device) error {
	return r.Scan(&d.ID, (*string)(&d.MemberID), &d.SessionID, &d.UserAgent, &d.CreatedAt, &d.UsedAt, &d.EndpointHash, &d.Sealed, &d.Owner,
		&d.PausedUntil, &d.Failures, &d.Refusals)
}

// InsertDevice stores a new device.
func InsertDevice(tx store.Writer, ws parley.WorkspaceID, d *Device) error {
	return store.Exec(tx, ws, `INSERT INTO push_devices (workspace_id, device_id, member_id, session_id, user_agent, created_at, used_at,
		endpoint_hash, sealed, owner, paused_until, failures, refusals) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
		d.ID, d.MemberID, d.SessionID, d.UserAgent, d.CreatedAt, d.UsedAt, d.EndpointHash, d.Sealed, d.Owner, d.PausedUntil, d.Failures, d.Refusals)
}

// UpdateDevice stores the state of a device, if a run still holds it, and reports whether
// it does.
func UpdateDevice(tx store.Writer, ws parley.WorkspaceID, d *Device, owner string) (bool, error) {
	return store.Affected(tx, ws, `UPDATE push_devices SET used_at = $4, owner = $5, paused_until = $6, failures = $7, refusals = $8
		WHERE workspace_id = $1 AND device_id = $2 AND owner = $3 RETURNING 1`, d.ID, owner, d.UsedAt, d.Owner, d.PausedUntil, d.Failures, d.Refusals)
}

// SelectDevices returns the devices of a member, those added last first.
func SelectDevices(v store.Reader, ws parley.WorkspaceID, member parley.UserID) ([]parley.PushDevice, error) {
	return store.Many(v, ws, scanDevice, "SELECT "+deviceColumns+` FROM push_devices d WHERE d.workspace_id = $1 AND d.member_id = $2
		ORDER BY d.created_at DESC, d.device_id DESC`, member)
}

// SelectDevice returns a device of a member.
func SelectDevice(v store.Reader, ws parley.WorkspaceID, member parley.UserID, id parley.ID) (Device, error) {
	return store.One(v, ws, "device", scanRow, "SELECT "+rowColumns+` FROM push_devices d WHERE d.workspace_id = $1 AND d.member_id = $2
		AND d.device_id = $3`, member, id)
}

// DeleteDevice deletes a device.
func DeleteDevice(tx store.Writer, ws parley.WorkspaceID, id parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM push_devices WHERE workspace_id = $1 AND device_id = $2", id)
}

// DeleteDeviceOf deletes a device of a member.
func DeleteDeviceOf(tx store.Writer, ws parley.WorkspaceID, member parley.UserID, id parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM push_devices WHERE workspace_id = $1 AND member_id = $2 AND device_id = $3", member, id)
}

// DeleteReplacedDevices deletes the device of a session, and the one with an address.
func DeleteReplacedDevices(tx store.Writer, ws parley.WorkspaceID, session parley.ID, endpointHash []byte) error {
	return store.Exec(tx, ws, "DELETE FROM push_devices WHERE workspace_id = $1 AND (session_id = $2 OR endpoint_hash = $3)", session, endpointHash)
}

// PutPushes queues a notice for the devices of its member. A notice that is queued keeps
// its time, and gets another version.
func PutPushes(tx store.Writer, ws parley.WorkspaceID, n *parley.MemberNotice, due time.Time) error {
	return store.Exec(tx, ws, `INSERT INTO pushes (workspace_id, device_id, notice_id, due_at, version)
		SELECT d.workspace_id, d.device_id, $3, $4, 1 FROM push_devices d WHERE d.workspace_id = $1 AND d.member_id = $2
		ON CONFLICT (workspace_id, device_id, notice_id) DO UPDATE SET version = pushes.version + 1`, n.MemberID, n.ID, due)
}

// A Push is a notice that is queued for a device.
type Push struct {
	Notice  parley.ID
	DueAt   time.Time
	Version int64
}

func scanPush(r store.Row, p *Push) error { return r.Scan(&p.Notice, &p.DueAt, &p.Version) }

// SelectDuePushes returns what is due for a device, at most limit, the oldest first.
func SelectDuePushes(v store.Reader, ws parley.WorkspaceID, device parley.ID, now time.Time, limit int) ([]Push, error) {
	return store.Many(v, ws, scanPush, `SELECT p.notice_id, p.due_at, p.version FROM pushes p WHERE p.workspace_id = $1 AND p.device_id = $2
		AND p.due_at <= $3 ORDER BY p.due_at, p.notice_id LIMIT $4`, device, now, limit)
}

// UpdatePush gives what is queued another time, unless something has happened to the
// notice since it was read.
func UpdatePush(tx store.Writer, ws parley.WorkspaceID, device parley.ID, read Push, due time.Time) error {
	return store.Exec(tx, ws, `UPDATE pushes SET due_at = $5 WHERE workspace_id = $1 AND device_id = $2 AND notice_id = $3 AND version = $4`,
		device, read.Notice, read.Version, due)
}

// DeletePush ends what is queued, unless something has happened to the notice since it was
// read.
func DeletePush(tx store.Writer, ws parley.WorkspaceID, device parley.ID, read Push) error {
	return store.Exec(tx, ws, "DELETE FROM pushes WHERE workspace_id = $1 AND device_id = $2 AND notice_id = $3 AND version = $4",
		device, read.Notice, read.Version)
}

// SelectDueDevices returns the devices for which something is due and that are not paused,
// the one that has waited longest first.
func SelectDueDevices(v store.Reader, ws parley.WorkspaceID, now time.Time, limit int) ([]Device, error) {
	return store.Many(v, ws, scanRow, "SELECT "+rowColumns+` FROM push_devices d JOIN (
			SELECT p.workspace_id, p.device_id, min(p.due_at) AS due_at FROM pushes p WHERE p.workspace_id = $1 AND p.due_at <= $2 GROUP BY p.workspace_id, p.device_id
		) q ON q.workspace_id = d.workspace_id AND q.device_id = d.device_id
		WHERE d.workspace_id = $1 AND d.paused_until <= $2 ORDER BY q.due_at, d.device_id LIMIT $3`, now, limit)
}

// SelectLive reports whether the session of a device has not expired.
func SelectLive(v store.Reader, ws parley.WorkspaceID, session parley.ID, now time.Time) (bool, error) {
	live, err := store.Many(v, ws, store.Only[parley.ID], "SELECT session_id FROM sessions WHERE workspace_id = $1 AND session_id = $2 AND expires_at > $3", session, now)
	return len(live) > 0, err
}

// SelectUnread returns those of a member's notices that are unread, in conversations that
// the member may see and that are no spam.
func SelectUnread(v store.Reader, vis parley.Visibility, member parley.UserID, ids []parley.ID) ([]parley.ShownNotice, error) {
	return store.Many(v, vis, func(r store.Row, n *parley.ShownNotice) error {
		return r.Scan(&n.ContactID, &n.ContactName, &n.Text, &n.ID, (*string)(&n.MemberID), &n.ConversationID, (*string)(&n.Kind), (*string)(&n.Actor.Type),
			&n.Actor.ID, &n.Actor.Name, &n.MessageID, &n.Count, &n.CreatedAt, &n.UpdatedAt)
	}, `SELECT c.contact_id, COALESCE(k.name, ''), COALESCE(substr(g.content, 1, $3), ''), n.notice_id, n.member_id, n.conversation_id, n.kind,
		n.actor_type, n.actor_id, n.actor_name, n.message_id, n.count, n.created_at, n.updated_at FROM notices n
		JOIN conversations c ON c.workspace_id = n.workspace_id AND c.conversation_id = n.conversation_id
		LEFT JOIN contacts k ON k.workspace_id = n.workspace_id AND k.contact_id = c.contact_id
		LEFT JOIN messages g ON g.workspace_id = n.workspace_id AND g.conversation_id = n.conversation_id AND g.message_id = n.message_id
		WHERE n.workspace_id = $1 AND VISIBLE(c) AND NOT c.spam AND n.member_id = $2 AND n.read_at = 0 AND n.notice_id IN ($4...)`,
		member, parley.MaxPreview, store.ListOf(ids))
}

// SelectWorkspacesDueAcross returns the workspaces with pushes that are due for a device
// that is not paused, the one that has waited longest first.
func SelectWorkspacesDueAcross(v store.Reader, now time.Time) ([]parley.WorkspaceID, error) {
	return store.ManyAcross(v, store.Only[parley.WorkspaceID], `SELECT q.workspace_id FROM (SELECT w.workspace_id, (SELECT p.due_at FROM pushes p
			JOIN push_devices d ON d.workspace_id = p.workspace_id AND d.device_id = p.device_id AND d.paused_until <= $1
			WHERE p.workspace_id = w.workspace_id AND p.due_at <= $1 ORDER BY p.due_at LIMIT 1
		) AS due_at FROM workspaces w) q WHERE q.due_at IS NOT NULL ORDER BY q.due_at`, now)
}

// SelectWaitingAcross returns how many pushes are due, of all workspaces.
func SelectWaitingAcross(v store.Reader, now time.Time) (int, error) {
	return store.OneAcross(v, "pushes", store.Only[int], "SELECT count(*) FROM pushes WHERE due_at <= $1", now)
}
