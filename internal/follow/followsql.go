package follow

import "parley/internal/store"

// SelectLagsAcross returns the followers of all workspaces by name, with the events that
// they have not come to yet. A workspace in which a follower has never been, or that was
// restored since, does not count.
func SelectLagsAcross(v store.Reader) ([]Lag, error) {
	return store.ManyAcross(v, func(r store.Row, l *Lag) error { return r.Scan(&l.Follower, &l.Events, &l.Furthest) },
		`SELECT f.name, CAST(sum(w.seq - f.seq) AS bigint), max(w.seq - f.seq) FROM followers f
		JOIN workspaces w ON w.workspace_id = f.workspace_id AND w.epoch = f.epoch GROUP BY f.name ORDER BY f.name`)
}

// SelectLogLengthAcross returns how many events the logs of all workspaces have had.
func SelectLogLengthAcross(v store.Reader) (int64, error) {
	return store.OneAcross(v, "workspaces", func(r store.Row, n *int64) error { return r.Scan(n) },
		"SELECT CAST(COALESCE(sum(seq), 0) AS bigint) FROM workspaces")
}
