package store_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/knowledge"
	"parley/internal/later"
	"parley/internal/reports"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// A visibilityRead calls a read that takes a Visibility. want is the result for the
// whole workspace.
type visibilityRead struct {
	call func(*store.View, parley.Visibility) (any, error)
	want any
}

// visibilityReads has a row for each read that takes a Visibility. reads includes
// its rows.
func visibilityReads(w *world) map[string]visibilityRead {
	start, c := parley.Position{}, w.conversation.ID
	seen, public := w.customerView()
	all := map[string]visibilityRead{
		"Conversation": {func(v *store.View, vis parley.Visibility) (any, error) { return v.Conversation(vis, c) }, w.conversation},
		"ConversationsOf": {func(v *store.View, vis parley.Visibility) (any, error) {
			return v.ConversationsOf(vis, []parley.ID{c, w.contact.ID})
		}, []parley.Conversation{w.conversation}},
		"Scheduled": {func(v *store.View, vis parley.Visibility) (any, error) {
			return later.SelectScheduled(v, vis, w.scheduled.ID)
		}, w.scheduled},
		"ScheduledOf": {func(v *store.View, vis parley.Visibility) (any, error) {
			return later.SelectScheduledOf(v, vis, c)
		}, []later.Scheduled{w.scheduled}},
		"Conversations": {func(v *store.View, vis parley.Visibility) (any, error) {
			return items(v.Conversations(vis, store.ConversationFilter{}, start, 9))
		}, []parley.Conversation{w.conversation}},
		"ConversationsToPreview": {func(v *store.View, vis parley.Visibility) (any, error) {
			return items(v.ConversationsToPreview(vis, store.ConversationFilter{}, start, 9))
		}, []parley.Conversation{w.conversation}},
		"ConversationIDs": {func(v *store.View, vis parley.Visibility) (any, error) {
			return items(v.ConversationIDs(vis, store.ConversationFilter{IDs: []parley.ID{c, w.message.ID}}, start, 9))
		}, []parley.ID{c}},
		"Message":     {func(v *store.View, vis parley.Visibility) (any, error) { return v.Message(vis, c, w.message.ID) }, w.message},
		"Messages":    {func(v *store.View, vis parley.Visibility) (any, error) { return items(v.Messages(vis, c, start, 9)) }, []parley.Message{w.message}},
		"MessageByID": {func(v *store.View, vis parley.Visibility) (any, error) { return v.MessageByID(vis, w.message.ID) }, w.message},
		"MessagePreviews": {func(v *store.View, vis parley.Visibility) (any, error) {
			return v.MessagePreviews(vis, []parley.ID{c})
		}, []parley.MessagePreview{w.preview()}},
		"LastMessage": {func(v *store.View, vis parley.Visibility) (any, error) { return v.LastMessage(vis, c) }, w.message.ID},
		"MessagesInOrder": {func(v *store.View, vis parley.Visibility) (any, error) {
			return items(v.MessagesInOrder(vis, store.MessageQuery{ConversationID: c, Order: parley.Ascending, Limit: 9}))
		}, []parley.Message{w.message}},
		"Attachment": {func(v *store.View, vis parley.Visibility) (any, error) {
			return desk.SelectAttachment(v, vis, w.attachment.ID)
		}, w.attachment},
		"ConversationHistory": {func(v *store.View, vis parley.Visibility) (any, error) {
			return items(v.ConversationHistory(vis, c, start, 9))
		}, []parley.HistoryEntry{w.history}},
		"Counts": {func(v *store.View, vis parley.Visibility) (any, error) { return desk.SelectCounts(v, vis, w.member.ID) }, w.counts()},
		"Unread": {func(v *store.View, vis parley.Visibility) (any, error) {
			u, err := desk.SelectUnread(v, vis, w.member.ID)
			return u.Marked, err
		}, []parley.ID{c}},
		"ReportDays": {func(v *store.View, vis parley.Visibility) (any, error) {
			return reports.SelectReportDays(v, vis, parley.ByMember, 1, reportDay)
		}, w.reportCells()[3:4]},
		"ReportItemDays": {func(v *store.View, vis parley.Visibility) (any, error) {
			return reports.SelectReportItemDays(v, vis, reports.Filter{By: parley.ByCompany, Item: w.company.ID.String()}, reportDay, reportDay+9)
		}, w.reportCells()[4:]},
		"Search": {func(v *store.View, vis parley.Visibility) (any, error) {
			return v.Search(vis, parley.SearchMessage, [][]parley.SearchTerm{{{Word: "word"}}}, 9)
		}, []store.SearchRef{w.found(parley.SearchMessage, w.message.ID)}},
		"SearchMessages": {func(v *store.View, vis parley.Visibility) (any, error) {
			return v.SearchMessages(vis, store.MessageSearch{ConversationID: c, Conditions: []store.MessageCondition{store.InStatus(w.conversation.Status)}}, 9)
		}, []store.SearchRef{w.found(parley.SearchMessage, w.message.ID)}},
		"FoundMessages": {func(v *store.View, vis parley.Visibility) (any, error) {
			return v.FoundMessages(vis, []store.SearchRef{w.found(parley.SearchMessage, w.message.ID)})
		}, []store.FoundMessage{w.foundMessage()}},
		"CustomerConversation": {func(v *store.View, vis parley.Visibility) (any, error) {
			return customers.SelectCustomerConversation(v, vis, c)
		}, seen},
		"CustomerConversations": {func(v *store.View, vis parley.Visibility) (any, error) {
			return items(customers.SelectCustomerConversations(v, vis, parley.Position{}, 9))
		}, []parley.CustomerConversation{seen}},
		"ArticleOrigin": {func(v *store.View, vis parley.Visibility) (any, error) {
			return knowledge.SelectArticleOrigin(v, vis, w.learned.article.ID)
		}, c},
		"ArticlesDrafted": {func(v *store.View, vis parley.Visibility) (any, error) {
			return knowledge.SelectArticlesDrafted(v, vis, c, 9)
		}, []parley.ID{w.learned.article.ID}},
		"PublicMessages": {func(v *store.View, vis parley.Visibility) (any, error) {
			return items(v.PublicMessages(vis, c, parley.Position{}, 9))
		}, public},
		"UnseenMessages": {func(v *store.View, vis parley.Visibility) (any, error) {
			return customers.SelectUnseenMessages(v, vis, c, 9)
		}, []parley.Message(nil)},
	}
	maps.Copy(all, labourReads(w))
	return all
}

// customerView returns the conversation and its messages as the customer of the
// world sees them.
func (w *world) customerView() (parley.CustomerConversation, []parley.Message) {
	seen := parley.CustomerConversation{
		Agent: w.conversation.Agent.State,
		ID:    w.conversation.ID, ContactID: w.contact.ID, InboxID: w.inbox.ID, Status: w.conversation.Status, LastMessage: w.message,
		LastActivityAt: w.message.CreatedAt, CreatedAt: w.conversation.CreatedAt,
	}
	public := []parley.Message{w.message}
	if w.message.Private {
		seen.LastMessage, seen.LastActivityAt, public = parley.Message{}, seen.CreatedAt, nil
	}
	return seen, public
}

// sums are the reads of counts over the whole workspace. They return nothing to a
// customer.
var sums = []string{"ReportDays", "ReportItemDays"}

// TestVisibility calls every read that takes a Visibility: with that of the
// conversation's customer, who gets the records, and with those of other customers,
// who get nothing.
func TestVisibility(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld("x", true)
		w.message.Private = false
		w.insert(t, s)
		write(t, s, w.ws, func(tx *store.Tx) error {
			return desk.UpdateAttachmentMessage(tx, w.ws, w.attachment.ID, &w.message)
		})
		customer := parley.CustomerSession{Workspace: w.ws, ContactID: w.contact.ID, InboxID: w.inbox.ID}
		stranger, elsewhere := customer, customer
		stranger.ContactID, elsewhere.InboxID = w.company.ID, w.product.ID
		view(t, s, func(v *store.View) error {
			for method, read := range visibilityReads(w) {
				if !slices.Contains(sums, method) {
					got, err := read.call(v, customer.Visibility())
					if err != nil || !reflect.DeepEqual(got, read.want) {
						t.Errorf("%s of the customer gave\n%.2000v, %v, want\n%.2000v", method, got, err, read.want)
					}
				}
				for who, reader := range map[string]parley.Visibility{"a stranger": stranger.Visibility(), "another inbox": elsewhere.Visibility(), "nobody": {},
					"a customer without a contact": parley.CustomerSession{Workspace: w.ws}.Visibility()} {
					checkForeign(t, v, w.ws, method+" of "+who, func(v *store.View, _ parley.WorkspaceID) (any, error) {
						return read.call(v, reader)
					})
				}
				for _, own := range []parley.Own{{Inboxes: []parley.ID{w.inbox.ID}}, {Teams: []parley.ID{w.conversation.Team.ID}}, {Member: w.conversation.Assignee.ID}} {
					if own.Member == "" {
						own.Member = "usr_else"
					}
					reader := parley.Sight{Own: &own}.Visibility(w.ws)
					got, err := read.call(v, reader)
					if !slices.Contains(sums, method) && (err != nil || !reflect.DeepEqual(got, read.want)) {
						t.Errorf("%s of a member with %+v gave\n%.2000v, %v, want\n%.2000v", method, own, got, err, read.want)
					}
				}
				for who, own := range map[string]parley.Own{
					"another inbox": {Member: "usr_else", Inboxes: []parley.ID{w.product.ID}, Teams: []parley.ID{w.product.ID}}, "none": {Member: "usr_else"},
				} {
					reader := parley.Sight{Own: &own}.Visibility(w.ws)
					checkForeign(t, v, w.ws, method+" of a member with "+who, func(v *store.View, _ parley.WorkspaceID) (any, error) {
						return read.call(v, reader)
					})
				}
				if slices.Contains(sums, method) {
					checkForeign(t, v, w.ws, method+" of the customer", func(v *store.View, _ parley.WorkspaceID) (any, error) {
						return read.call(v, customer.Visibility())
					})
				}
			}
			return nil
		})
	})
}

// TestVisibilityReadsAreComplete fails if TestVisibility does not call a read that
// takes a Visibility.
func TestVisibilityReadsAreComplete(t *testing.T) {
	files, err := filepath.Glob("../*/*sql.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files *sql.go: %v", err)
	}
	own, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	known := visibilityReads(newWorld("", false))
	for _, file := range append(files, own...) {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() || strings.HasSuffix(file, "_test.go") || !takesVisibility(fn) {
				continue
			}
			if _, ok := known[strings.TrimPrefix(fn.Name.Name, "Select")]; !ok && fn.Name.Name != "SeenBy" { // which reads no record
				t.Errorf("nothing calls %s with another Visibility", fn.Name.Name)
			}
		}
	}
}

func takesVisibility(fn *ast.FuncDecl) bool {
	return slices.ContainsFunc(fn.Type.Params.List, func(field *ast.Field) bool {
		of, ok := field.Type.(*ast.SelectorExpr)
		return ok && of.Sel.Name == "Visibility"
	})
}
