package threads_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"parley"
	"parley/internal/desk"
	"parley/internal/drafts"
	"parley/internal/later"
	"parley/internal/notices"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/threads"
)

// namers says, for each column that holds the id of a message, and for each table with that of
// a conversation, what a split does with it.
var namers = map[string]string{
	"messages.message_id":                  "moves",
	"chatapp_messages.message_id":          "moves",
	"attachments.message_id":               "moves: the file knows its conversation",
	"notices.message_id":                   "moves",
	"deliveries.message_id":                "a split is refused",
	"agent_jobs.message_id":                "the agent leaves the conversation, and its job ends",
	"read_marks.message_id":                "is copied",
	"continuations.message_id":             "is copied",
	"conversations.customer_seen_id":       "is copied as far as it is true of what moves",
	"scheduled_messages.last_id":           "stays: its author knew the messages up to there",
	"drafts.begun_id":                      "stays: the draft was begun there",
	"agent_results.conversation_id":        "stays: what the agent did is counted once",
	"article_origins.conversation_id":      "stays: the article was drafted from it as it was",
	"bulk_items.conversation_id":           "stays: it was changed",
	"chatapp_chats.conversation_id":        "moves: who writes next continues what moved",
	"chatapp_groups.conversation_id":       "a split is refused",
	"group_members.conversation_id":        "a split is refused",
	"conversation_history.conversation_id": "stays, and both get a line",
	"conversation_labels.conversation_id":  "stays: they say what it is about",
	"conversation_links.conversation_id":   "stays, and the two are linked",
	"conversation_merges.conversation_id":  "stays, without what moves",
	"customer_sessions.conversation_id":    "stays: a mail led to that conversation",
	"return_links.conversation_id":         "stays: a mail led to that conversation",
	"events.conversation_id":               "stays: the log says what happened where",
	"follows.conversation_id":              "is copied",
	"mails.conversation_id":                "stays: the mail is about that conversation",
	"search_words.conversation_id":         "moves when the index has come to the event",
}

// TestSplitKnowsEveryNamer walks the schema: each column that names messages, and each table
// about conversations, has its place in a split.
func TestSplitKnowsEveryNamer(t *testing.T) {
	conn, err := sqlite.OpenConn(storetest.MigratedSQLite(t).Dir+"/"+store.FileName, sqlite.OpenReadOnly)
	must(t, err)
	defer func() { _ = conn.Close() }()
	columns := map[string][]string{}
	const sql = `SELECT t.name, c.name FROM pragma_table_list t, pragma_table_info(t.name) c
		WHERE t.schema = 'main' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE 'search\_words\_%' ESCAPE '\'`
	must(t, sqlitex.ExecuteTransient(conn, sql, &sqlitex.ExecOptions{ResultFunc: func(r *sqlite.Stmt) error {
		columns[r.ColumnText(0)] = append(columns[r.ColumnText(0)], r.ColumnText(1))
		return nil
	}}))
	left := map[string]bool{}
	for name := range namers {
		left[name] = true
	}
	for table, names := range columns {
		ofMessage := false
		for _, column := range names {
			if slices.Contains([]string{"message_id", "customer_seen_id", "last_id", "begun_id"}, column) {
				ofMessage = true
				if namers[table+"."+column] == "" {
					t.Errorf("a split does not know that %s.%s names messages", table, column)
				}
				delete(left, table+"."+column)
			}
		}
		if slices.Contains(names, "conversation_id") && !ofMessage && namers[table+".conversation_id"] == "" {
			t.Errorf("a split does not know that %s is about conversations", table)
		}
		if slices.Contains(names, "conversation_id") {
			delete(left, table+".conversation_id")
		}
	}
	for name := range left {
		t.Errorf("there is no %s", name)
	}
	want := slices.Sorted(slices.Values(slices.DeleteFunc(slices.Clone(columns["messages"]), func(name string) bool {
		return name == "workspace_id" || name == "conversation_id"
	})))
	if got := slices.Sorted(slices.Values(strings.Fields(strings.ReplaceAll(threads.MovedColumns, ",", " ")))); !slices.Equal(got, want) {
		t.Errorf("a split moves the columns %v of a message, which has %v", got, want)
	}
}

// TestSplitMoves splits a conversation about whose messages other rows say something: nothing
// names them in their former conversation afterwards, and nothing of them is lost.
func TestSplitMoves(t *testing.T) {
	eachPair(t, func(t *testing.T, p *pair) {
		ws, ids := p.Home.Workspace.ID, parley.NewIDs(nil)
		p.say(p.from, "1", parley.Incoming)
		first := p.say(p.from, "2", parley.Incoming)
		file := desk.Attachment{Attachment: parley.Attachment{ID: ids.New(p.Now()), FileName: "a.txt", ContentType: "text/plain", CreatedAt: p.Now()}, Stored: true}
		rich := parley.Message{
			ID: ids.New(p.Now().Add(time.Second)), ConversationID: p.from, Content: "see", ContentType: parley.Text, Direction: parley.Outgoing, Status: parley.Failed, Private: true,
			Sender: parley.Sender{Type: parley.SenderAgent, MemberID: p.Home.Owner.ID}, Error: "no way", Attachments: []parley.Attachment{file.Attachment},
			Mentions: []string{string(p.Home.Owner.ID)}, CreatedAt: p.Now().Add(time.Second),
		}
		number := parley.Number{ID: ids.New(p.Now()), Phone: "4930555001", Driver: parley.DriverSandbox, Status: parley.NumberConnected, InboxID: p.read(p.from).Inbox.ID, CreatedAt: p.Now(), UpdatedAt: p.Now()}
		network := store.NetworkMessage{NumberID: number.ID, Chat: "ann", Sender: "ann", ID: "N1", ConversationID: p.from, MessageID: first.ID}
		seen := first.ID
		storetest.Write(t, p.Store, ws, func(tx *store.Tx) error {
			_, err := tx.InsertNumber(ws, &number)
			_, noticeErr := notices.PutNotice(tx, ws, &parley.MemberNotice{
				ID: ids.New(p.Now()), MemberID: p.Home.Owner.ID, ConversationID: p.from, Kind: parley.NoticeMentioned, MessageID: rich.ID, CreatedAt: p.Now(), UpdatedAt: p.Now(),
			}, "e")
			return errors.Join(err, tx.InsertMessage(ws, &rich), desk.InsertAttachment(tx, ws, &file), desk.UpdateAttachmentMessage(tx, ws, file.ID, &rich),
				tx.InsertNetworkMessage(ws, &network), noticeErr, desk.UpsertChat(tx, ws, &desk.Chat{NumberID: number.ID, JID: "ann", ConversationID: p.from}),
				desk.MarkRead(tx, ws, p.Home.Owner.ID, p.from, first.ID), tx.UpdateConversationSeen(ws, p.from, seen, p.Now()))
		})
		before, err := p.Desk.Message(p.By().Visibility(), rich.ID).Now(t.Context())
		p.Must(err)
		made := p.split(p.from, first.ID)
		after, err := p.Desk.Message(p.By().Visibility(), rich.ID).Now(t.Context())
		p.Must(err)
		if before.ConversationID = made.ID; !equalJSON(t, before, after) {
			t.Errorf("the message became\n%+v, was\n%+v", after, before)
		}
		has := func(id parley.ID, want ...int) {
			t.Helper()
			var got []int
			storetest.View(t, p.Store, func(v *store.View) (err error) {
				got, err = store.Many(v, ws, store.Only[int], `SELECT count(*) FROM messages WHERE workspace_id = $1 AND conversation_id = $2 AND message_id >= $3
					UNION ALL SELECT count(*) FROM chatapp_messages WHERE workspace_id = $1 AND conversation_id = $2
					UNION ALL SELECT count(*) FROM attachments WHERE workspace_id = $1 AND conversation_id = $2
					UNION ALL SELECT count(*) FROM notices WHERE workspace_id = $1 AND conversation_id = $2
					UNION ALL SELECT count(*) FROM chatapp_chats WHERE workspace_id = $1 AND conversation_id = $2
					UNION ALL SELECT count(*) FROM read_marks WHERE workspace_id = $1 AND conversation_id = $2 AND message_id = $3
					UNION ALL SELECT count(*) FROM conversations WHERE workspace_id = $1 AND conversation_id = $2 AND customer_seen_id >= $3`, id, first.ID)
				return err
			})
			if !slices.Equal(got, want) {
				t.Errorf("messages, their names, files, notices, chats, marks and what the customer has seen are %v, want %v", got, want)
			}
		}
		has(p.from, 0, 0, 0, 0, 0, 1, 1)
		has(made.ID, 2, 1, 1, 1, 1, 1, 1)
	})
}

// TestSplitWhatIsOnItsWay refuses to move a message that waits for a channel.
func TestSplitWhatIsOnItsWay(t *testing.T) {
	eachPair(t, func(t *testing.T, p *pair) {
		ws := p.Home.Workspace.ID
		p.say(p.from, "1", parley.Incoming)
		second, third := p.say(p.from, "2", parley.Outgoing), p.say(p.from, "3", parley.Outgoing)
		storetest.Write(t, p.Store, ws, func(tx *store.Tx) error {
			return tx.InsertDelivery(ws, &store.Delivery{ConversationID: p.from, MessageID: second.ID, NumberID: parley.NewIDs(nil).New(p.Now()), DueAt: p.Now()})
		})
		_, err := p.svc.Split(t.Context(), p.By(), p.from, second.ID)
		p.Refused(err, parley.Conflict, "a message is still on its way to the customer; split when it has been sent")
		p.shows(p.split(p.from, third.ID).ID, "3") // what waits stays
	})
}

// TestSplitDrafts splits a conversation with a draft and a scheduled message: they stay. Who
// follows it follows both.
func TestSplitDrafts(t *testing.T) {
	eachPair(t, func(t *testing.T, p *pair) {
		p.say(p.from, "1", parley.Incoming)
		at := p.say(p.from, "2", parley.Incoming)
		writing, scheduling, noticing := drafts.New(p.Desk), later.New(p.Desk), p.colleague()
		_, err := writing.PutDraft(t.Context(), p.By(), parley.Draft{ConversationID: p.from, MemberID: p.By().Member, Content: "hm"})
		p.Must(err)
		_, err = scheduling.Schedule(t.Context(), p.By(), p.from, later.NewScheduled{Content: "tomorrow", ContentType: parley.Text, SendAt: p.Now().Add(24 * time.Hour)})
		p.Must(err)
		storetest.Write(t, p.Store, p.Home.Workspace.ID, func(tx *store.Tx) error {
			return notices.InsertFollow(tx, p.Home.Workspace.ID, notices.Follow{Conversation: p.from, Member: noticing.Member, On: true, Since: p.Now()})
		})
		made := p.split(p.from, at.ID)
		for id, want := range map[parley.ID]int{p.from: 1, made.ID: 0} {
			draft, err := writing.Draft(p.By().Visibility(), p.By().Member, id).Now(t.Context())
			p.Must(err)
			waiting, err := scheduling.List(p.By().Visibility(), id).Now(t.Context())
			p.Must(err)
			if (draft.Content != "") != (want == 1) || len(waiting) != want {
				t.Errorf("the draft is %q, and %d messages wait; want %d", draft.Content, len(waiting), want)
			}
			var follows []notices.Follow
			storetest.View(t, p.Store, func(v *store.View) (err error) {
				follows, err = notices.SelectFollows(v, p.By().Visibility(), []parley.ID{id})
				return err
			})
			if len(follows) != 1 || follows[0].Member != noticing.Member {
				t.Errorf("%v follow", follows)
			}
		}
	})
}

// TestSplitTakesFromAgent splits a conversation in which the automated agent is to answer: a
// member has both now.
func TestSplitTakesFromAgent(t *testing.T) {
	eachPair(t, func(t *testing.T, p *pair) {
		ws := p.Home.Workspace.ID
		p.say(p.from, "1", parley.Incoming)
		at := p.say(p.from, "2", parley.Incoming)
		c := p.read(p.from)
		c.Agent = parley.AgentPart{State: parley.AgentAnswering}
		storetest.Write(t, p.Store, ws, func(tx *store.Tx) error {
			return errors.Join(tx.UpdateConversation(ws, &c, p.Now()), desk.InsertAgentJob(tx, ws, desk.NewAgentJob(p.from, at.ID, p.Now())))
		})
		made := p.split(p.from, at.ID)
		for _, id := range []parley.ID{p.from, made.ID} {
			if c := p.read(id); c.Agent.State != parley.AgentTaken {
				t.Errorf("the agent's part is %+v", c.Agent)
			}
		}
		storetest.View(t, p.Store, func(v *store.View) error {
			if _, err := desk.SelectAgentJob(v, ws, p.from); parley.KindOf(err) != parley.NotFound {
				t.Errorf("the job gives %v", err)
			}
			return nil
		})
	})
}

func equalJSON(t *testing.T, a, b any) bool {
	t.Helper()
	x, err := json.Marshal(a)
	must(t, err)
	y, err := json.Marshal(b)
	must(t, err)
	return string(x) == string(y)
}
