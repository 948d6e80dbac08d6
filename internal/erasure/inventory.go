package erasure

// A Fate is what an erasure does with the rows of a table that are about a person.
type Fate string

// The fates.
const (
	Deleted   Fate = "deleted"
	Rewritten Fate = "rewritten" // the row stays, without the person
	Expires   Fate = "expires"   // deleted soon anyway
	Unrelated Fate = "unrelated" // no row is about a person outside of the workspace
)

// Contents is what a text column holds.
type Contents string

// The contents.
const (
	// OfPerson identifies a person, or was written by, to or about one.
	OfPerson Contents = "person"
	// OfWorkspace is about the workspace, its members, its companies and its settings.
	OfWorkspace Contents = "workspace"
	// Fixed is one of the program's own words, an id, a count, or a secret of the
	// program.
	Fixed Contents = "fixed"
)

// A Table says which data about persons a table holds. Other columns than texts hold
// ids, times, counts and flags, which mean nothing without the texts.
type Table struct {
	Name  string
	Fate  Fate
	How   string // the step that does it, or why nothing needs to be done
	Texts map[string]Contents
}

// Inventory returns the tables of the store. A test compares it with the schema.
func Inventory() []Table {
	tables := append(personTables(), conversationTables()...)
	tables = append(append(tables, numberTables()...), knowledgeTables()...)
	return append(append(append(tables, workTables()...), accessTables()...), otherTables()...)
}

// personTables are about persons.
func personTables() []Table {
	return []Table{
		{"contacts", Deleted, "contact", map[string]Contents{
			"name": OfPerson, "email": OfPerson, "email_key": OfPerson, "phone_number": OfPerson, "phone_key": OfPerson, "shop_name": OfPerson,
			"avatar_url": OfPerson, "identifier": OfPerson, "custom_attributes": OfPerson,
		}},
		{"merged_contacts", Deleted, "contact", map[string]Contents{"identifier": OfPerson, "phone_key": OfPerson}},
		{"contact_duplicates", Deleted, "contact", map[string]Contents{"email": OfPerson, "phone_number": OfPerson}},
		{"company_moves", Deleted, "contact", nil},
		{"visits", Deleted, "contact", map[string]Contents{
			"page": OfPerson, "title": OfPerson, "referrer": OfPerson, "language": OfPerson, "zone": OfPerson, "device": Fixed, "facts": OfPerson,
		}},
		{"contact_addresses", Deleted, "contact", map[string]Contents{"name": OfPerson, "email": OfPerson}},
		{"customer_sessions", Deleted, "sessions", map[string]Contents{"kid": Fixed, "token_hash": Fixed}},
		{"identity_sources", Deleted, "contact", map[string]Contents{"subject": OfPerson, "source": OfWorkspace, "previous": OfWorkspace}},
		{"identity_rejections", Deleted, "contact: those of the person's subject; the others go as newer ones come", map[string]Contents{
			"kid": Fixed, "reason": Fixed, "subject": OfPerson, "origin": OfWorkspace,
		}},
		{"search_words", Deleted, "with each record, by its id", map[string]Contents{"kind": Fixed, "words": OfPerson}},
		{"events", Rewritten, "traces: number, time and check stay", map[string]Contents{
			"type": Fixed, "changed": Fixed, "data": OfPerson, "moved": Fixed, "actor_type": Fixed, "actor_id": Fixed, "actor_name": OfWorkspace,
			"cause_type": Fixed, "mark": Fixed, "assignee_id": Fixed, "before": Fixed,
		}},
		{"idempotency_keys", Deleted, "contact and traces; all of them after a day", map[string]Contents{
			"route": OfPerson, "idempotency_key": OfPerson, "body_hash": OfPerson, "body": OfPerson,
		}},
		{"erasures", Rewritten, "the phones go at the end; ids stay, for restored backups", map[string]Contents{
			"kind": Fixed, "subjects": Fixed, "asked_by": Fixed, "step": Fixed, "working": OfPerson, "counts": Fixed,
		}},
	}
}

// conversationTables are about conversations. In groups, only what the person wrote is
// deleted, and the notes about who joined and left.
func conversationTables() []Table {
	return []Table{
		{"conversations", Deleted, "conversations", map[string]Contents{
			"assignee_id": Fixed, "status": Fixed, "priority": Fixed, "labels": OfPerson, "custom_attributes": OfPerson,
			"agent_state": Fixed, "agent_reason": Fixed,
		}},
		{"conversation_labels", Deleted, "conversations", map[string]Contents{"label": OfPerson}},
		{"conversation_history", Deleted, "conversations; groups: the actor", map[string]Contents{
			"type": Fixed, "changes": OfPerson, "actor_type": Fixed, "actor_id": Fixed, "actor_name": OfWorkspace, "cause_type": Fixed,
		}},
		{"messages", Deleted, "conversations and groups", map[string]Contents{
			"content": OfPerson, "content_type": Fixed, "direction": Fixed, "status": Fixed, "sender_type": Fixed, "sender_member_id": Fixed,
			"error": OfPerson, "attachments": OfPerson, "agent": OfWorkspace, "mentions": Fixed,
		}},
		{"attachments", Deleted, "with each message, and files: the content first, then the row", map[string]Contents{
			"file_name": OfPerson, "content_type": OfPerson,
		}},
		{"read_marks", Deleted, "conversations", map[string]Contents{"member_id": Fixed}},
		{"deliveries", Deleted, "with each message", nil},
		{"agent_jobs", Deleted, "conversations", map[string]Contents{"owner": Fixed}},
		{"agent_results", Deleted, "conversations; the counts stay", map[string]Contents{"result": Fixed, "reason": Fixed}},
	}
}

// numberTables are about numbers of the messaging application.
func numberTables() []Table {
	return []Table{
		{"chatapp_chats", Deleted, "conversations", map[string]Contents{"jid": OfPerson, "phone": OfPerson}},
		{"chatapp_messages", Deleted, "with each message", map[string]Contents{"chat": OfPerson, "sender": OfPerson, "network_id": OfPerson}},
		{"chatapp_groups", Unrelated, "a group of several persons; it goes with its conversation", map[string]Contents{"jid": OfWorkspace, "invite_link": OfWorkspace}},
		{"group_members", Deleted, "contact, by the phones", map[string]Contents{"phone": OfPerson, "network_phone": OfPerson}},
		{"group_requests", Rewritten, "traces: the phones leave the answer, the key stays", map[string]Contents{
			"idempotency_key": OfWorkspace, "name": OfWorkspace, "owner": Fixed, "answer": OfPerson, "asked": OfPerson,
		}},
		{"sandbox_groups", Rewritten, "networks", map[string]Contents{"jid": OfWorkspace, "host": OfWorkspace, "state": OfPerson}},
		{"number_calls", Expires, "after a minute", map[string]Contents{"request": OfPerson, "begun_by": Fixed, "answer": OfPerson}},
		{"number_pairings", Unrelated, "of a number of the workspace", map[string]Contents{"paired_by": Fixed, "kind": Fixed, "sealed": Fixed, "reason": Fixed}},
		{"number_budgets", Unrelated, "settings of a number", map[string]Contents{"budget": Fixed}},
		{"number_spend", Unrelated, "counts of a number", map[string]Contents{"kind": Fixed}},
		{"numbers", Unrelated, "numbers of the workspace", map[string]Contents{
			"phone": OfWorkspace, "driver": Fixed, "status": Fixed, "reason": Fixed, "device": OfWorkspace, "network_phone": OfWorkspace, "lease_owner": Fixed,
		}},
	}
}

// knowledgeTables are about articles, which members and programs write for everybody,
// and about their readers, of whom they hold counts.
func knowledgeTables() []Table {
	return []Table{
		{"articles", Unrelated, "written for everybody", map[string]Contents{"slug": OfWorkspace, "state": Fixed, "import_key": OfWorkspace}},
		{"article_texts", Unrelated, "written for everybody", map[string]Contents{"language": Fixed, "title": OfWorkspace, "description": OfWorkspace}},
		{"article_versions", Unrelated, "written for everybody; authors are members and programs", map[string]Contents{
			"language": Fixed, "title": OfWorkspace, "description": OfWorkspace, "body": OfWorkspace, "keywords": OfWorkspace,
			"author_type": Fixed, "author_id": Fixed, "author_name": OfWorkspace,
		}},
		{"article_origins", Deleted, "conversations; the article stays, without the conversation's id", nil},
		{"article_slugs", Unrelated, "addresses of articles", map[string]Contents{"slug": OfWorkspace}},
		{"article_categories", Unrelated, "settings", map[string]Contents{"names": OfWorkspace}},
		{"article_pictures", Unrelated, "in articles", map[string]Contents{"content_type": Fixed}},
		{"article_feedback", Unrelated, "counts of readers", map[string]Contents{"language": Fixed}},
		{"help_centers", Unrelated, "settings", map[string]Contents{"slug": OfWorkspace, "title": OfWorkspace, "languages": Fixed, "color": Fixed}},
		{"knowledge_gaps", Expires, "after 180 days; addresses and numbers are struck out before a question is stored", map[string]Contents{
			"product": Fixed, "language": Fixed, "source": Fixed, "words": OfPerson, "sample": OfPerson,
		}},
	}
}

// accessTables are about who gets in.
func accessTables() []Table {
	return []Table{
		{"sessions", Unrelated, "of members", map[string]Contents{"member_id": Fixed, "token_hash": Fixed, "user_agent": OfWorkspace, "address": OfWorkspace, "provider_session": Fixed}},
		{"second_factors", Unrelated, "of members", map[string]Contents{"member_id": Fixed, "sealed": Fixed}},
		{"recovery_codes", Unrelated, "of members", map[string]Contents{"member_id": Fixed, "code_hash": Fixed}},
		{"sign_in_providers", Unrelated, "settings, with a sealed secret", map[string]Contents{
			"issuer": OfWorkspace, "client_id": OfWorkspace, "sealed": Fixed, "groups_claim": OfWorkspace, "group_roles": OfWorkspace, "join_role": Fixed,
			"join_domains": OfWorkspace, "exempt": Fixed,
		}},
		{"provider_identities", Unrelated, "of members", map[string]Contents{"issuer": OfWorkspace, "subject": OfWorkspace, "member_id": Fixed}},
		{"provider_uses", Expires, "after 12 minutes, by hashes", map[string]Contents{"use_hash": Fixed}},
		{"invitations", Unrelated, "of members", map[string]Contents{
			"email": OfWorkspace, "role": Fixed, "access": Fixed, "inbox_ids": Fixed, "member_id": Fixed, "invited_by": Fixed, "token_hash": Fixed,
		}},
		{"api_keys", Unrelated, "of programs", map[string]Contents{
			"name": OfWorkspace, "secret_hash": Fixed, "scopes": Fixed, "prefix": Fixed, "last_four": Fixed, "created_by": Fixed,
		}},
		{"key_stores_calls", Unrelated, "counts of a key", nil},
		{"identity_keys", Unrelated, "secrets of the workspace", map[string]Contents{
			"kid": Fixed, "algorithm": Fixed, "sealed": Fixed, "kind": Fixed, "public_key": OfWorkspace, "jwks_url": OfWorkspace, "issuer": OfWorkspace, "audience": OfWorkspace,
		}},
	}
}

// otherTables are about the workspace, its members and its companies, and about the
// program.
func otherTables() []Table {
	return []Table{
		{"workspaces", Unrelated, "the workspace", map[string]Contents{"name": OfWorkspace, "epoch": Fixed}},
		{"members", Unrelated, "who works here", map[string]Contents{
			"member_id": Fixed, "email": OfWorkspace, "email_key": OfWorkspace, "name": OfWorkspace, "image": OfWorkspace, "role": Fixed,
			"access": Fixed, "inbox_ids": Fixed, "password_hash": Fixed, "reset_by": Fixed,
		}},
		{"audit", Unrelated, "what members, programs and operators did to settings, by ids; of a person it has the id alone", map[string]Contents{
			"actor_type": Fixed, "actor_id": Fixed, "address": OfWorkspace, "user_agent": OfWorkspace, "action": Fixed, "subject_type": Fixed,
			"subject_id": Fixed, "changes": OfWorkspace,
		}},
		{"companies", Unrelated, "organizations, which stay when a person leaves", map[string]Contents{
			"name": OfWorkspace, "website": OfWorkspace, "industry": OfWorkspace, "notes": OfWorkspace, "external_id": OfWorkspace, "search_key": OfWorkspace,
		}},
		{"products", Unrelated, "what is supported", map[string]Contents{"name": OfWorkspace, "description": OfWorkspace, "agent_mode": Fixed}},
		{"model_providers", Unrelated, "settings, with sealed keys", map[string]Contents{
			"name": OfWorkspace, "base_url": OfWorkspace, "sealed": Fixed, "model": OfWorkspace, "embedding_model": OfWorkspace, "capabilities": Fixed,
			"problem": OfWorkspace, "currency": Fixed,
		}},
		{"product_agents", Unrelated, "settings", map[string]Contents{
			"instructions": OfWorkspace, "tone": OfWorkspace, "languages": Fixed, "hosts": OfWorkspace,
		}},
		{"model_spend", Unrelated, "counts of days and products", map[string]Contents{"currency": Fixed, "feature": Fixed}},
		{"agent_counts", Unrelated, "counts of days and products; they stay", map[string]Contents{"result": Fixed, "reason": Fixed}},
		{"inboxes", Unrelated, "settings", map[string]Contents{"name": OfWorkspace, "channel": Fixed}},
		{"widget_settings", Unrelated, "settings", map[string]Contents{
			"origins": OfWorkspace, "identity": Fixed, "title": OfWorkspace, "greeting": OfWorkspace, "reply_time": OfWorkspace, "color": Fixed, "position": Fixed,
			"ask": Fixed, "ask_fields": Fixed,
		}},
		{"widget_views", Unrelated, "websites that show a widget", map[string]Contents{"origin": OfWorkspace}},
		{"office_hours", Unrelated, "settings", map[string]Contents{"zone": OfWorkspace, "hours": OfWorkspace, "holidays": OfWorkspace}},
		{"widget_texts", Unrelated, "settings", map[string]Contents{"language": OfWorkspace, "texts": OfWorkspace}},
		{"retention_rules", Unrelated, "settings", nil},
		{"canned_answers", Unrelated, "settings", map[string]Contents{"shortcut": OfWorkspace, "content": OfWorkspace}},
		{"labels", Unrelated, "settings", map[string]Contents{"label": OfWorkspace, "color": Fixed}},
		{"report_cells", Unrelated, "counts of days, products, inboxes, members and companies; they stay", map[string]Contents{
			"dimension": Fixed, "item": Fixed, "first_responses": Fixed, "resolutions": Fixed, "hours": Fixed,
		}},
		{"followers", Unrelated, "places in the log", map[string]Contents{"name": Fixed, "epoch": Fixed, "mark": Fixed, "place": Fixed}},
		{"search_positions", Unrelated, "places in the log", map[string]Contents{"epoch": Fixed, "stage": Fixed}},
		{"timers", Unrelated, "what is to happen later", map[string]Contents{"kind": Fixed, "name": Fixed, "owner": Fixed}},
		{"backup_schedules", Unrelated, "the program", map[string]Contents{"name": Fixed}},
		{"installation", Unrelated, "the program", map[string]Contents{"name": Fixed, "value": Fixed}},
		{"writers", Unrelated, "the program", nil},
		{"schema_versions", Unrelated, "the program", map[string]Contents{"hash": Fixed}},
	}
}
