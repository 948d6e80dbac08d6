package workload

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
)

// settleTime is how long a change may take to be acknowledged by a server that is
// ready again. It is far more than it needs, because machines that run tests are
// busy.
const settleTime = 30 * time.Second

// Check returns what is wrong with the changes of a load, which has ended, and with
// the log. A change whose outcome is unknown may be there or not, but not twice nor
// half.
func (l *Load) Check(ctx context.Context, log *Log) (wrong []string) {
	wrong = append(l.faults(), log.read(ctx)...)
	for _, w := range l.writers {
		wrong = append(wrong, w.check(ctx, log)...)
	}
	return wrong
}

// Settle repeats the changes whose outcome is unknown, until they are acknowledged,
// and some that were acknowledged before, which must get the same answer. It returns
// what is wrong, and how long the first of the former took.
func (l *Load) Settle(ctx context.Context) (wrong []string, first time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	begun := time.Now()
	for _, w := range l.writers {
		if c := w.pending; c != nil {
			w.load.options.Patient = true
			if !w.do(ctx, c) {
				l.faultf("%s is not acknowledged when the server is back: %v", c.path, ctx.Err())
			}
			if first == 0 {
				first = time.Since(begun)
			}
			w.remember(c)
		}
		w.repeat(ctx)
	}
	return l.faults(), first
}

// remember takes the ids of a writer's own records.
func (w *writer) remember(c *change) {
	switch {
	case c.what == newContact && w.contact == "":
		w.contact = c.id
	case c.what == newConversation:
		w.conversation = c.id
	}
}

// address is the address of a file, which is another one each time.
var address = regexp.MustCompile(`"url":"[^"]*"`)

// repeat repeats the newest acknowledged changes that have a key, and the first.
func (w *writer) repeat(ctx context.Context) {
	repeated := 0
	for n, c := range slices.Backward(w.done) {
		if c.key == "" || repeated >= 3 && n > 0 {
			continue
		}
		repeated++
		a, err := w.try(ctx, c.request)
		if err != nil || a.Status != c.status || a.Header.Get("Idempotent-Replayed") != "true" ||
			!slices.Equal(address.ReplaceAll(a.Body, nil), address.ReplaceAll(c.answer, nil)) {
			w.load.faultf("%s again is answered %d %s, %v, want %d %s", c.path, a.Status, a.Body, err, c.status, c.answer)
		}
	}
}

// A message is a message as far as it is checked.
type message struct {
	ID, Content string
	Attachments []struct{ ID string }
}

// check returns what is wrong with the records of a writer.
func (w *writer) check(ctx context.Context, log *Log) (wrong []string) {
	fault := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	w.checkContacts(ctx, log, fault)
	w.checkFiles(ctx, fault)
	if w.conversation == "" {
		return wrong
	}
	messages, err := list[message](ctx, w.load.client, "/conversations/"+w.conversation+"/messages?limit=200")
	if err != nil {
		fault("%v", err)
	}
	w.checkMessages(messages, log, fault)
	w.checkOrder(messages, fault)
	w.checkConversation(ctx, len(messages), log, fault)
	return wrong
}

// checkMessages compares the messages of the conversation with those that were
// posted, and with the log.
func (w *writer) checkMessages(messages []message, log *Log, fault func(string, ...any)) {
	there := map[string]message{}
	for _, m := range messages {
		if _, twice := there[m.Content]; twice {
			fault("%q is there twice", m.Content)
		}
		there[m.Content] = m
		if told := log.told["message.created "+m.ID]; told != 1 {
			fault("the log tells %d times of %q", told, m.Content)
		}
	}
	for _, c := range w.done {
		if c.what != newMessage {
			continue
		}
		if m, ok := there[c.value]; !ok || m.ID != c.id {
			fault("%q was acknowledged as %s and is lost: %+v", c.value, c.id, m)
		}
		delete(there, c.value)
	}
	for content := range there {
		if w.pending == nil || w.pending.what != newMessage || w.pending.value != content {
			fault("%q was never posted", content)
		}
	}
}

// checkOrder requires that the messages of the conversation, whose list begins with the
// oldest, have the order in which they were acknowledged: the writer posts one after another.
func (w *writer) checkOrder(messages []message, fault func(string, ...any)) {
	place := map[string]int{}
	for n, m := range messages {
		place[m.ID] = n
	}
	last := -1
	for _, c := range w.done {
		at, ok := place[c.id]
		if c.what != newMessage || !ok {
			continue
		}
		if at <= last {
			fault("%q is shown before one that was acknowledged earlier", c.value)
		}
		last = at
	}
}

// checkConversation compares the conversation with its messages, which nobody has
// read, and with its last change.
func (w *writer) checkConversation(ctx context.Context, messages int, log *Log, fault func(string, ...any)) {
	var thread struct {
		UnreadCount      int
		CustomAttributes map[string]any
	}
	if err := w.load.client.get(ctx, "/conversations/"+w.conversation, &thread); err != nil {
		fault("%v", err)
		return
	}
	if thread.UnreadCount != messages {
		fault("the conversation counts %d unread messages of %d", thread.UnreadCount, messages)
	}
	if told := log.told["conversation.created "+w.conversation]; told != 1 {
		fault("the log tells %d times of the conversation", told)
	}
	got, _ := thread.CustomAttributes["n"].(string)
	w.checkLast(patchAttribute, got, fault)
	if got != "" && log.updates[w.conversation+" "+got] != 1 {
		fault("the log tells %d times that the attribute became %s", log.updates[w.conversation+" "+got], got)
	}
}

// checkLast requires that a value is that of the last change of a kind, or of the one
// that is pending.
func (w *writer) checkLast(what, got string, fault func(string, ...any)) {
	last := ""
	for _, c := range w.done {
		if c.what == what {
			last = c.value
		}
	}
	if got == last || w.pending != nil && w.pending.what == what && w.pending.value == got {
		return
	}
	fault("the %s is %q, want %q", what, got, last)
}

// checkContacts looks for each contact by its address.
func (w *writer) checkContacts(ctx context.Context, log *Log, fault func(string, ...any)) {
	for _, c := range append(slices.Clone(w.done), w.pending) {
		if c == nil || c.what != newContact {
			continue
		}
		found, err := list[struct{ ID, Name string }](ctx, w.load.client, "/contacts?email="+c.value)
		if err != nil {
			fault("%v", err)
			continue
		}
		if len(found) > 1 || c.id != "" && (len(found) == 0 || found[0].ID != c.id) {
			fault("the contact %s was acknowledged as %q, and is there as %v", c.value, c.id, found)
			continue
		}
		for _, contact := range found {
			if told := log.told["contact.created "+contact.ID]; told != 1 {
				fault("the log tells %d times of the contact %s", told, c.value)
			}
			if contact.ID == w.contact {
				w.checkLast(patchContact, strings.TrimPrefix(contact.Name, firstName), fault)
			}
		}
	}
}

// checkFiles downloads the files.
func (w *writer) checkFiles(ctx context.Context, fault func(string, ...any)) {
	for _, c := range w.done {
		if c.what != newFile {
			continue
		}
		var file struct{ URL string }
		if err := w.load.client.get(ctx, "/attachments/"+c.id, &file); err != nil {
			fault("%v", err)
			continue
		}
		a, err := w.load.client.check(ctx, request{method: http.MethodGet, path: file.URL, open: true})
		if err != nil || a.Status != http.StatusOK || string(a.Body) != c.value {
			fault("the file %q is answered %d %q, %v", c.value, a.Status, a.Body, err)
		}
	}
}

// CheckWhole returns what is wrong with a workspace in which only these loads have
// written: every contact and conversation is one of theirs, and the log tells of each
// once and of no other.
func CheckWhole(ctx context.Context, c *Client, log *Log, loads []*Load) (wrong []string) {
	wrong = log.read(ctx)
	want := map[string]int{}
	for _, l := range loads {
		for _, w := range l.writers {
			for _, done := range w.done {
				want[done.what]++
			}
		}
	}
	for kind, path := range map[string]string{newContact: "/contacts?limit=200", newConversation: "/conversations?limit=200"} {
		all, err := list[struct{ ID string }](ctx, c, path)
		if err != nil {
			wrong = append(wrong, err.Error())
			continue
		}
		if len(all) != want[kind] {
			wrong = append(wrong, fmt.Sprintf("there are %d records of the kind %s, and %d were made", len(all), kind, want[kind]))
		}
		for _, r := range all {
			if told := log.told[kind+".created "+r.ID]; told != 1 {
				wrong = append(wrong, fmt.Sprintf("the log tells %d times of the %s %s", told, kind, r.ID))
			}
		}
	}
	told := map[string]int{}
	for name := range log.told {
		var kind, id string
		if _, err := fmt.Sscan(name, &kind, &id); err == nil {
			told[kind]++
		}
	}
	for _, kind := range []string{newContact, newConversation, newMessage} {
		if got := told[kind+".created"]; got != want[kind] {
			wrong = append(wrong, fmt.Sprintf("the log tells of %d records of the kind %s, and %d were made", got, kind, want[kind]))
		}
	}
	return wrong
}
