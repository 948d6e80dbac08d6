package parley_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parley"
)

// ofConversations matches a statement that reads conversations, records of
// conversations, or counts of them.
var ofConversations = regexp.MustCompile(
	`\b(?:FROM|JOIN) (?:conversations|messages|conversation_history|conversation_labels|read_marks|search_words|report_cells|attachments|SEEN)\b`)

// changes matches a statement that changes rows.
var changes = regexp.MustCompile(`^\s*(?:INSERT|UPDATE|DELETE)\b`)

// marksRule matches the mark of the rule in a statement.
var marksRule = regexp.MustCompile(`\b(?:OF_|SUMS_)?VISIBLE\(\w+\)`)

// buildsRule matches the names of the methods that build the rule.
var buildsRule = regexp.MustCompile(`^(?:visible(?:Of)?|ruleOf|start)$`)

// readsWithoutVisibility names the functions that may read conversations without a
// Visibility, and the reason.
var readsWithoutVisibility = map[string]string{
	"mail.selectUnneeded":                       "reads a state for the server itself, which decides whether a mail is sent",
	"backup.selectStored":                       "compares what a backup holds with the rows",
	"backup.selectPackedBytes":                  "adds up what all files of the store have at the least",
	"store.ruleOf":                              "is the rule",
	"store.ownIDs":                              "is the rule",
	"store.table":                               "names the table of a statement that has a visibility",
	"store.conditions":                          "narrows a list that has a visibility",
	"store.columnCondition":                     "narrows a list that has a visibility",
	"store.contactCondition":                    "narrows a list that has a visibility",
	"store.idsCondition":                        "narrows a list that has a visibility",
	"store.snoozedCondition":                    "narrows a list that has a visibility",
	"store.partialCondition":                    "narrows a list that has a visibility",
	"store.spamCondition":                       "narrows a list that has a visibility",
	"store.companyCondition":                    "narrows a list that has a visibility",
	"store.labelCondition":                      "narrows a list that has a visibility",
	"store.searchOccupants":                     "looks for free rows of the index",
	"reports.SelectReportCells":                 "reads counts to add to them",
	"desk.CountGroups":                          "checks whether contacts may be merged",
	"customers.SelectCustomerConversationsByID": "selects the recipients of an event",
	"customers.SelectConversationOwners":        "selects the recipients of an event",
	"desk.SelectInboxesReaching":                "lists the inboxes that reach a contact",
	"desk.SelectChatsWith":                      "lists the numbers that reach a contact",
	"desk.CountWaitingAttachments":              "counts files of no message",
	"desk.SelectTeamWaitingBytes":               "counts files of no message",
	"desk.SelectWaitingBytes":                   "counts files of no message",
	"desk.SelectOldestUpload":                   "finds files of no message that expire",
	"desk.SelectUntimedUploads":                 "finds files of no message that expire",
	"numbers.SelectNewestConversation":          "finds the conversation of an incoming message",
	"threads.copyMessages":                      "copies messages that were read before",
	"threads.DeleteLink":                        "ends links between conversations that were read before",
	"store.ofParts":                             "is a condition beside the rule",
	"numbers.HasIncoming":                       "checks what the network allows to send",
	"search.SelectSearchableMessages":           "reads what the index holds",
	"erasure.selectConversationOf":              "finds what is deleted",
	"erasure.selectMessages":                    "finds what is deleted",
	"erasure.selectNotes":                       "finds what is deleted",
	"erasure.selectWroteIn":                     "finds what is deleted",
	"erasure.selectMessagesOf":                  "finds what is deleted",
	"erasure.selectUploads":                     "finds what is deleted",
	"erasure.selectScheduledFiles":              "finds what is deleted",
	"later.selectFiles":                         "reads files of no message",
	"erasure.countForsaken":                     "counts files that are being deleted",
	"erasure.selectConversationsThere":          "checks what was deleted",
	"erasure.selectMessagesThere":               "checks what was deleted",
	"erasure.selectDue":                         "finds what a rule deletes",
	"erasure.selectStillDue":                    "finds what a rule deletes",
	"erasure.countDue":                          "counts for admins what a rule deletes",
	"erasure.countConversations":                "counts for admins what is deleted",
	"erasure.countMessages":                     "counts for admins what is deleted",
	"erasure.countFiles":                        "counts for admins what is deleted",
	"erasure.countMessagesOf":                   "counts for admins what is deleted",
	"erasure.selectMessagesWithFiles":           "counts for admins what is deleted",
	"erasure.selectConversationsOf":             "reads what is exported of a person",
	"erasure.selectWritten":                     "reads what is exported of a person",
	"search.selectMessagesThere":                "checks what was deleted",
}

// withoutVisibility returns the functions of a file that read conversations and do
// not use a Visibility.
func withoutVisibility(t *testing.T, file string, source any, known map[string]ast.Expr) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, decl := range parsed.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		reads, uses := false, false
		ast.Inspect(fn, func(n ast.Node) bool {
			text := ""
			switch n := n.(type) {
			case *ast.BasicLit:
				text, _ = strconv.Unquote(n.Value)
			case *ast.CallExpr:
				rule, ok := n.Fun.(*ast.SelectorExpr)
				uses = uses || ok && buildsRule.MatchString(rule.Sel.Name)
			case *ast.Ident:
				if _, ok := known[parsed.Name.Name+"."+n.Name]; ok {
					text, _ = textOf(n, parsed.Name.Name, known)
				}
			case *ast.SelectorExpr:
				text, _ = textOf(n, parsed.Name.Name, known)
			}
			reads = reads || ofConversations.MatchString(text) && !changes.MatchString(text)
			uses = uses || marksRule.MatchString(text)
			return true
		})
		if reads && !uses {
			found = append(found, parsed.Name.Name+"."+fn.Name.Name)
		}
	}
	return found
}

// TestReadsTakeVisibility checks the sources: a function that reads conversations
// uses a Visibility, or readsWithoutVisibility gives the reason why not.
func TestReadsTakeVisibility(t *testing.T) {
	known := constants(t, mayHoldStatements)
	without := map[string]bool{}
	for _, file := range sources(t) {
		if strings.HasSuffix(file, "_test.go") || !mayHoldStatements(file) || strings.HasPrefix(filepath.ToSlash(file), "internal/pgtest/") {
			continue
		}
		for _, function := range withoutVisibility(t, file, nil, known) {
			without[function] = true
			if readsWithoutVisibility[function] == "" {
				t.Errorf("%s: %s reads conversations without a parley.Visibility", file, function)
			}
		}
	}
	for function := range readsWithoutVisibility {
		if !without[function] {
			t.Errorf("%s needs no reason any more", function)
		}
	}
	const control = "package desk\n\nfunc SelectLast(v store.Reader, ws parley.WorkspaceID) {\n" +
		"\tstore.One(v, ws, \"\", scan, `SELECT 1 FROM messages g WHERE g.workspace_id = $1`)\n}\n"
	if found := withoutVisibility(t, "internal/desk/lastsql.go", control, known); len(found) != 1 {
		t.Errorf("a read without a Visibility is found %d times", len(found))
	}
	withRule := strings.ReplaceAll(control, "g.workspace_id = $1", "OF_VISIBLE(g)")
	if found := withoutVisibility(t, "internal/desk/lastsql.go", withRule, known); len(found) != 0 {
		t.Errorf("a read with a Visibility is refused: %v", found)
	}
}

// TestVisibilityOfEvents checks which readers get an event.
func TestVisibilityOfEvents(t *testing.T) {
	ws, other := parley.WorkspaceID{1}, parley.WorkspaceID{2}
	customer := parley.CustomerSession{Workspace: ws, ContactID: parley.ID{3}, InboxID: parley.ID{4}}
	e := parley.Event{Workspace: ws, Type: parley.MessageCreated, Data: []byte("{}")}
	for name, test := range map[string]struct {
		visibility parley.Visibility
		includes   bool
	}{
		"the team": {parley.WholeWorkspace(ws), true}, "another workspace's team": {parley.WholeWorkspace(other), false},
		"a customer": {customer.Visibility(), false}, "nobody": {parley.Visibility{}, false},
		"a customer without a contact": {parley.CustomerSession{Workspace: ws}.Visibility(), false},
	} {
		shown := parley.Credential{Kind: parley.CredentialMember}.Reader(test.visibility).Show(e)
		if test.visibility.Includes(&e) != test.includes || (shown.Type == e.Type) != test.includes || (shown.Data != nil) != test.includes {
			t.Errorf("%s is shown %+v", name, shown)
		}
	}
}

// TestScopesOfEvents requires that every type of event belongs to a scope, and withholds
// those of a later version from every key.
func TestScopesOfEvents(t *testing.T) {
	for _, kind := range parley.EventTypes {
		if scope := kind.Scope(); !slices.Contains(parley.ReadScopes, scope) {
			t.Errorf("%s needs %s, which opens no part of the log", kind, scope)
		}
	}
	if slices.Contains(parley.Scopes, parley.UnknownScope) {
		t.Error("a key can have the scope that nobody has")
	}
	team := parley.WholeWorkspace(parley.WorkspaceID{1})
	e := parley.Event{Workspace: parley.WorkspaceID{1}, Seq: 7, Type: "invoice.created", Data: []byte("{}")}
	key := parley.Credential{Kind: parley.CredentialKey, Scopes: parley.JoinScopes(parley.Scopes)}.Reader(team)
	if shown := key.Show(e); shown.Type != parley.EventWithheld || shown.Scope != parley.UnknownScope || shown.Data != nil || key.Everything() {
		t.Errorf("a key with all scopes is shown %+v", shown)
	}
	member := parley.Credential{Kind: parley.CredentialMember}.Reader(team)
	if shown := member.Show(e); shown.Type != e.Type || !member.Everything() {
		t.Errorf("a member is shown %+v", shown)
	}
}
