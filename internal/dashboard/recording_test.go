package dashboard_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"parley"
	"parley/internal/apitest"
	"parley/internal/knowledge"
	"parley/internal/store/storetest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// A source is what a mirror reads of a workspace.
type source interface {
	read(path string) exchange
}

// An exchange is a read and its answer.
type exchange struct {
	Path     string          `json:"path"`
	Position string          `json:"position"` // the header Parley-Position, "" for none
	Body     json.RawMessage `json:"body"`
}

func (e exchange) into(t testing.TB, v any) {
	t.Helper()
	if err := json.Unmarshal(e.Body, v); err != nil {
		t.Fatalf("%s: %v", e.Path, err)
	}
}

func (e exchange) object(t testing.TB) map[string]any {
	t.Helper()
	var o map[string]any
	e.into(t, &o)
	return o
}

// present reads a world as it is.
type present struct{ w *world }

func (p present) read(path string) exchange {
	got := p.w.Get(path)
	if got.Status == http.StatusNotFound { // deleted meanwhile
		return exchange{path, got.Header.Get("Parley-Position"), json.RawMessage("null")}
	}
	got.Want(200)
	return exchange{path, got.Header.Get("Parley-Position"), got.Body}
}

// A recording is what a dashboard reads while others write: what it loads
// first, then the log, and what a fresh one loads at the end. The dashboard's
// own tests replay it (web/dashboard/src/sync/replay.test.ts): the first part
// and the log must yield the last.
type recording struct {
	First []exchange `json:"first"`
	Log   []exchange `json:"log"`
	Last  []exchange `json:"last"`
}

// A recorder records reads, and calls a function before each.
type recorder struct {
	from   source
	kept   *[]exchange
	before func()
}

func (r recorder) read(path string) exchange {
	r.before()
	e := r.from.read(path)
	*r.kept = append(*r.kept, e)
	return e
}

// A player answers reads from a recording.
type player struct {
	t    testing.TB
	kept []exchange
}

func (p player) read(path string) exchange {
	at := slices.IndexFunc(p.kept, func(e exchange) bool { return e.Path == path })
	if at < 0 {
		p.t.Fatalf("the recording has no %s; write it anew with -update", path)
	}
	return p.kept[at]
}

const recordingFile = "testdata/recording.json"

// A seeded reads the same bytes in each run.
type seeded struct {
	mu     sync.Mutex
	source *rand.ChaCha8
}

func (s *seeded) Read(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.source.Read(b)
}

// newRecording writes at random until the log has every type of event. Each round has
// every operation, because an erasure may take back what an earlier round told, and a
// type that follows only from some values of an operation may never come by chance alone.
// All that is chosen and all ids come from a fixed seed, so that two recordings of a
// program are the same.
func newRecording(t *testing.T) recording {
	random := rand.New(rand.NewPCG(1, 2))
	w := newWorldOf(t, apitest.Options{Store: storetest.MigratedSQLite(t), IDs: &seeded{source: rand.NewChaCha8([32]byte{})}})
	x := newWriting(w, rand.New(rand.NewPCG(1, 3)))
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(x.operations())), func(name string) bool {
		return slices.Contains([]string{"mergeConversations", "unmergeConversation", "splitConversation"}, name) // a page reads the messages anew, which no recording does
	})
	write := func() { x.run(names[random.IntN(len(names))]) }
	for _, name := range names {
		x.run(name)
	}
	w.settle()
	var r recording
	m := load(t, recorder{present{w}, &r.First, write})
	for rounds := 0; ; rounds++ {
		missing := untold(t, logAfter(t, present{w}, m.place))
		if len(missing) == 0 {
			break
		}
		if rounds == 40 {
			t.Fatalf("nothing that was written told of %v", missing)
		}
		hire(x)
		learn(x)
		converse(x)
		for _, i := range random.Perm(len(names)) {
			x.run(names[i])
		}
		w.settle()
	}
	m.catchUp(recorder{present{w}, &r.Log, func() {}})
	load(t, recorder{present{w}, &r.Last, func() {}})
	return r
}

// hire adds a member, because random operations remove members.
func hire(x *writing) {
	member, _ := x.w.member(parley.Agent)
	x.ids["member"] = append(x.ids["member"], string(member.ID))
}

// learn creates, changes and deletes what the knowledge base has.
func learn(x *writing) {
	w, ctx, product := x.w, x.w.T.Context(), parley.ID{}
	if err := product.UnmarshalText([]byte(x.one("product"))); err != nil {
		w.T.Fatal(err)
	}
	names := map[parley.Language]string{"en": "Returns"}
	category, err := w.Knowledge.CreateCategory(ctx, w.By(), knowledge.NewCategory{ProductID: product, Names: names})
	w.must(err)
	article, err := w.Knowledge.CreateArticle(ctx, w.By(), knowledge.NewArticle{
		ProductID: product, CategoryID: category.ID, Language: "en", ArticleContent: parley.ArticleContent{Title: "Return a parcel", Body: "Send it."},
	})
	w.must(err)
	_, err = w.Knowledge.PublishArticle(ctx, w.By(), article.ID, nil)
	w.must(err)
	_, err = w.Knowledge.UpdateCategory(ctx, w.By(), category.ID, knowledge.CategoryChange{Position: parley.Some(7)})
	w.must(err)
	slug, title := x.unique(), "Help"
	for _, enabled := range []bool{true, false} {
		_, err = w.Knowledge.SaveHelpCenter(ctx, w.By(), product, knowledge.HelpCenterChange{
			Slug: parley.Some(slug), Title: parley.Some(title), Enabled: parley.Some(enabled),
		})
		w.must(err)
	}
	_, err = w.Knowledge.DeleteHelpCenter(ctx, w.By(), product)
	w.must(err)
	_, err = w.Knowledge.DeleteCategory(ctx, w.By(), category.ID)
	w.must(err)
	_, err = w.Knowledge.DeleteArticle(ctx, w.By(), article.ID)
	w.must(err)
}

// converse starts a conversation as a customer and reads the team's answer,
// which random operations hardly ever do.
func converse(x *writing) {
	all := maps.Clone(x.ids)
	defer func() { x.ids = all }()
	for _, step := range []struct{ name, makes string }{{"startCustomerSession", "session"}, {"startCustomerConversation", "conversation"}} {
		x.run(step.name)
		if made := x.ids[step.makes]; len(made) > 0 {
			x.ids[step.makes] = made[len(made)-1:]
		}
	}
	for range 4 {
		x.run("createMessage")
	}
	x.run("readCustomerConversation")
}

// logAfter reads the log after a position.
func logAfter(t *testing.T, from source, place string) []exchange {
	var log []exchange
	for {
		page := from.read("/v1/public/events?limit=200&after=" + place)
		log = append(log, page)
		if place = text(page.object(t)["next_cursor"]); page.object(t)["has_more"] != true {
			return log
		}
	}
}

// untold returns the types of events that a log lacks.
func untold(t *testing.T, log []exchange) []parley.EventType {
	told := map[parley.EventType]bool{}
	for _, page := range log {
		if events, ok := page.object(t)["data"].([]any); ok {
			for _, e := range events {
				told[parley.EventType(text(object(e)["type"]))] = true
			}
		}
	}
	for kind := range dataOfWork() { // no operation tells of them yet
		told[kind] = true
	}
	// Messages alone are deleted in groups, where no random write is one person's.
	told[parley.MessageDeleted] = true
	return slices.DeleteFunc(slices.Clone(parley.EventTypes), func(e parley.EventType) bool { return told[e] })
}

// TestGoldenRecording requires that the documents still allow each answer of
// the recording, that it has every type of event, and that the first load and
// the log yield the last load.
func TestGoldenRecording(t *testing.T) {
	if *update {
		writeRecording(t, newRecording(t))
	}
	written, err := os.ReadFile(recordingFile)
	if err != nil {
		t.Fatal(err)
	}
	var r recording
	if err := json.Unmarshal(written, &r); err != nil {
		t.Fatal(err)
	}
	for _, e := range slices.Concat(r.First, r.Log, r.Last) {
		header := http.Header{"Content-Type": {"application/json"}, "X-Request-Id": {"0193480f-2c4a-7d1e-8f00-3a5b9c2d1e01"}}
		if e.Position != "" {
			header.Set("Parley-Position", e.Position)
		}
		if err := apitest.Gate().Check(httptest.NewRequest(http.MethodGet, e.Path, nil), http.StatusOK, header, e.Body); err != nil {
			t.Errorf("write the recording anew with -update: %s: %v", e.Path, err)
		}
	}
	if missing := untold(t, r.Log); len(missing) > 0 {
		t.Errorf("the recording tells nothing of %v", missing)
	}
	m, fresh := load(t, player{t, r.First}), load(t, player{t, r.Last})
	m.catchUp(player{t, r.Log})
	for _, difference := range m.differences(fresh) {
		t.Error(difference)
	}
}

// writeRecording writes one answer per line, so that differences are readable.
func writeRecording(t *testing.T, r recording) {
	var text bytes.Buffer
	part := func(name string, exchanges []exchange, end string) {
		fmt.Fprintf(&text, "%q: [\n", name)
		for i, e := range exchanges {
			line, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			text.Write(line)
			text.WriteString(map[bool]string{true: "\n", false: ",\n"}[i == len(exchanges)-1])
		}
		text.WriteString("]" + end + "\n")
	}
	text.WriteString("{\n")
	part("first", r.First, ",")
	part("log", r.Log, ",")
	part("last", r.Last, "")
	text.WriteString("}\n")
	if err := os.MkdirAll(filepath.Dir(recordingFile), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(recordingFile, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
