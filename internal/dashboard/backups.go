package dashboard

import (
	"parley"
	"parley/internal/backup/schedule"
	"parley/internal/httpjson"
	"parley/internal/wire"
)

func backupRoutes() []Route {
	return []Route{{"getBackups", methodGet, base + "backups", parley.Admin, false, getBackups}}
}

// getBackups shows every workspace the same, because a backup holds the whole store.
func getBackups(d *Dashboard, c *call) (httpjson.Reply, error) {
	return get(c, func(s schedule.State) []byte {
		return wire.AppendBackups(nil, s.Every, s.DoneAt, s.Late(d.clock.Now()))
	}, schedule.Read(d.desk))
}
