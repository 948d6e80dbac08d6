package erasure

// workTables are about how members share and order their work.
func workTables() []Table {
	return []Table{
		{"mails", Deleted, "contact; those to members go a month after their end", map[string]Contents{
			"kind": Fixed, "subject_key": Fixed, "to_key": Fixed, "member_id": Fixed, "state": Fixed, "problem": OfPerson, "sealed": OfPerson, "epoch": Fixed,
		}},
		{"mail_stops", Unrelated, "keyed hashes of addresses, so that nobody gets a mail who wants none", map[string]Contents{"to_key": Fixed, "reason": Fixed}},
		{"continuations", Deleted, "conversations", nil},
		{"return_links", Deleted, "conversations", map[string]Contents{"token_hash": Fixed, "to_key": Fixed}},
		{"typed_mails", Unrelated, "keyed hashes of addresses, so that none gets a second mail", map[string]Contents{"to_key": Fixed}},
		{"mail_keys", Unrelated, "secrets of the workspace", map[string]Contents{"sealed": Fixed}},
		{"drafts", Deleted, "conversations", map[string]Contents{"member_id": Fixed, "content": OfPerson, "attachment_ids": Fixed}},
		{"views", Unrelated, "settings", map[string]Contents{
			"name": OfWorkspace, "scope": Fixed, "owner_id": Fixed, "query": OfWorkspace,
		}},
		{"macros", Unrelated, "settings", map[string]Contents{
			"name": OfWorkspace, "scope": Fixed, "owner_id": Fixed, "shortcut": OfWorkspace, "actions": OfWorkspace,
		}},
		{"bulk_jobs", Unrelated, "work of members, for a week; queries name records by their ids", map[string]Contents{
			"member_id": Fixed, "query": OfWorkspace, "action": OfWorkspace, "state": Fixed, "reasons": Fixed,
		}},
		{"bulk_batches", Unrelated, "ids of conversations that a job has not reached", map[string]Contents{"ids": Fixed}},
		{"bulk_items", Deleted, "conversations", map[string]Contents{"reason": Fixed, "inverse": OfWorkspace}},
		{"scheduled_messages", Deleted, "conversations, with their files", map[string]Contents{
			"member_id": Fixed, "content": OfPerson, "content_type": Fixed, "mentions": Fixed, "state": Fixed, "held_reason": Fixed, "epoch": Fixed,
		}},
		{"conversation_merges", Deleted, "conversations, from either end", map[string]Contents{"member_id": Fixed, "undo": OfPerson}},
		{"conversation_links", Deleted, "conversations", map[string]Contents{"member_id": Fixed}},
		{"notices", Deleted, "conversations", map[string]Contents{
			"member_id": Fixed, "kind": Fixed, "actor_type": Fixed, "actor_id": Fixed, "actor_name": OfWorkspace, "epoch": Fixed,
		}},
		{"push_keys", Unrelated, "secrets of the workspace", map[string]Contents{"sealed": Fixed}},
		{"push_devices", Unrelated, "browsers of members", map[string]Contents{
			"member_id": Fixed, "endpoint_hash": Fixed, "sealed": Fixed, "user_agent": OfWorkspace, "owner": Fixed,
		}},
		{"pushes", Unrelated, "ids of notices, which are deleted with their conversations", nil},
		{"follows", Deleted, "conversations", map[string]Contents{"member_id": Fixed}},
		{"notice_preferences", Unrelated, "settings", map[string]Contents{
			"member_id": Fixed, "channels": Fixed, "zone": Fixed, "quiet": Fixed, "mail_delay": Fixed, "language": Fixed,
		}},
		{"teams", Unrelated, "settings", map[string]Contents{"name": OfWorkspace, "color": Fixed}},
		{"team_members", Unrelated, "settings", map[string]Contents{"member_id": Fixed}},
		{"team_routes", Unrelated, "settings", map[string]Contents{"kind": Fixed}},
	}
}
