package erasure

// workTables are about how members share and order their work.
func workTables() []Table {
	return []Table{
		{"teams", Unrelated, "settings", map[string]Contents{"name": OfWorkspace, "color": Fixed}},
		{"team_routes", Unrelated, "settings", map[string]Contents{"kind": Fixed}},
	}
}
