package knowledge_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/png"
	"io"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/blob"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/knowledge"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestHelpCenters gives products their pages: a slug belongs to one of them on the
// whole server.
func TestHelpCenters(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		shop, app := w.product("Shop"), w.product("App")
		_, err := w.svc.SaveHelpCenter(t.Context(), w.By(), shop, knowledge.HelpCenterChange{
			Slug: parley.Some("Shop!"), Languages: parley.Some([]parley.Language{"xx-"}), Color: parley.Some("red"),
		})
		w.Refused(err, parley.Invalid, "title: must be 1 to 100 characters; languages: must have only languages such as en or pt-BR; "+
			"slug: must be 1 to 40 of a-z, 0-9 and hyphens, and not a reserved word; color: must be a color such as #1d4ed8, in lower case")
		_, err = w.svc.SaveHelpCenter(t.Context(), w.By(), shop, knowledge.HelpCenterChange{
			Slug: parley.Some("pictures"), Title: parley.Some("x"), Languages: parley.Some([]parley.Language{}),
		})
		w.Refused(err, parley.Invalid, "languages: must be 1 to 20 languages; slug: must be 1 to 40 of a-z, 0-9 and hyphens, and not a reserved word")
		w.Tells(func() {
			saved, err := w.svc.SaveHelpCenter(t.Context(), w.By(), shop, knowledge.HelpCenterChange{Slug: parley.Some("shop"), Title: parley.Some(" Help ")})
			h := saved.Record
			if err != nil || !saved.Created || h.Title != "Help" || !h.Enabled || fmt.Sprint(h.Languages) != "[en]" || h.Color != "#1d4ed8" {
				t.Errorf("a new help center is %+v, %v", saved, err)
			}
		}, "help_center.created")
		change := knowledge.HelpCenterChange{Languages: parley.Some([]parley.Language{"DE", "en", "de"})}
		w.Tells(func() {
			for range 2 {
				saved, err := w.svc.SaveHelpCenter(t.Context(), w.By(), shop, change)
				if err != nil || saved.Created || fmt.Sprint(saved.Record.Languages) != "[de en]" {
					t.Errorf("the changed help center is %+v, %v", saved, err)
				}
			}
		}, "help_center.updated languages")
		other := w.Found("Other")
		theirs, err := w.Desk.CreateProduct(t.Context(), desktest.OwnerOf(other), "Theirs", "")
		w.Must(err)
		for _, x := range []struct {
			by      desk.Caller
			product parley.ID
		}{{w.By(), app}, {desktest.OwnerOf(other), theirs.ID}} {
			_, err := w.svc.SaveHelpCenter(t.Context(), x.by, x.product, knowledge.HelpCenterChange{Slug: parley.Some("shop"), Title: parley.Some("x")})
			w.Refused(err, parley.Conflict, "slug: must not be that of another help center on this server")
		}
		_, err = w.svc.SaveHelpCenter(t.Context(), w.By(), theirs.ID, knowledge.HelpCenterChange{Slug: parley.Some("x"), Title: parley.Some("x")})
		w.Refused(err, parley.NotFound, "no such product in this workspace")
		// Two took a slug at the same moment: the first has it.
		storetest.Write(t, w.Store, other.Workspace.ID, func(tx *store.Tx) error {
			return knowledge.PutHelpCenter(tx, other.Workspace.ID, &parley.HelpCenter{ProductID: theirs.ID, Slug: "shop", Enabled: true}, w.Now().Add(time.Millisecond))
		})
		h, err := w.svc.PublicHelpCenter(t.Context(), "shop")
		if err != nil || h.Workspace != w.Home.Workspace.ID || h.ProductID != shop {
			t.Errorf("the help center with the slug is %+v, %v", h, err)
		}
		_, err = w.svc.SaveHelpCenter(t.Context(), w.By(), shop, knowledge.HelpCenterChange{Enabled: parley.Some(false)})
		w.Must(err)
		for _, slug := range []string{"shop", "none"} {
			w.Refused(second(w.svc.PublicHelpCenter(t.Context(), slug)), parley.NotFound, "no such help center")
		}
		w.Tells(func() { w.Must(second(w.svc.DeleteHelpCenter(t.Context(), w.By(), shop))) }, "help_center.deleted")
		if h, err := w.svc.PublicHelpCenter(t.Context(), "shop"); err != nil || h.Workspace != other.Workspace.ID {
			t.Errorf("then it is %+v, %v", h, err)
		}
		w.Refused(second(w.svc.DeleteHelpCenter(t.Context(), w.By(), shop)), parley.NotFound, "no such help center in this workspace")
	})
}

// fullPlace stores files until it is full.
type fullPlace struct {
	blob.Place
	full bool
}

func (p *fullPlace) Put(ctx context.Context, ws parley.WorkspaceID, file parley.ID, content io.Reader) error {
	if p.full {
		return errors.New("no space left")
	}
	return p.Place.Put(ctx, ws, file, content)
}

// TestPictures stores pictures of an article, which go with it.
func TestPictures(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		place := &fullPlace{Place: blob.NewFolder(t.TempDir())}
		base := w.Desk.Base()
		svc := knowledge.New(desk.New(desk.Options{Store: w.Store, Vault: base.Vault, Clock: w.Now, IDs: base.IDs, Log: base.Log, Files: place}))
		a := w.new("Text")
		var drawn, animated bytes.Buffer
		w.Must(png.Encode(&drawn, image.NewGray(image.Rect(0, 0, 7, 5))))
		w.Must(gif.Encode(&animated, image.NewGray(image.Rect(0, 0, 1, 1)), nil))
		add := func(content io.Reader) (parley.ArticlePicture, error) {
			return svc.AddPicture(t.Context(), w.By(), a.ID, content)
		}
		p, err := add(bytes.NewReader(drawn.Bytes()))
		if err != nil || p.ContentType != "image/png" || p.Width != 7 || p.Height != 5 || p.Size != int64(drawn.Len()) || p.ArticleID != a.ID {
			t.Errorf("the picture is %+v, %v", p, err)
		}
		read := func() string {
			f, err := svc.OpenPicture(t.Context(), p.ID)
			if err != nil {
				return err.Error()
			}
			content, err := io.ReadAll(f.Content)
			w.Must(errors.Join(err, f.Content.Close()))
			return string(content)
		}
		if read() != drawn.String() {
			t.Error("the picture has other bytes")
		}
		for text, message := range map[string]string{
			"":                           "file: must not be empty",
			"<svg onload='alert(1)'/>":   "file: must be a picture in PNG, JPEG, GIF or WebP",
			"<html><script>alert(1)":     "file: must be a picture in PNG, JPEG, GIF or WebP",
			"%PDF-1.7 is not a picture ": "file: must be a picture in PNG, JPEG, GIF or WebP",
		} {
			w.Refused(second(add(strings.NewReader(text))), parley.Invalid, message)
		}
		large := io.MultiReader(bytes.NewReader(drawn.Bytes()), strings.NewReader(strings.Repeat("x", parley.MaxArticlePicture)))
		w.Refused(second(add(large)), parley.TooLarge, "file: must be at most 5242880 bytes")
		w.Refused(second(w.svc.AddPicture(t.Context(), w.By(), a.ID, &drawn)), parley.Unavailable, "this server keeps no files")
		w.Refused(second(svc.AddPicture(t.Context(), w.By(), p.ID, bytes.NewReader(animated.Bytes()))), parley.NotFound, "no such article in this workspace")
		place.full = true
		if _, err := add(bytes.NewReader(animated.Bytes())); parley.KindOf(err) != parley.Unavailable {
			t.Errorf("a full disk gives %v", err)
		}
		place.full = false
		if all, err := svc.Pictures(w.Home.Workspace.ID, a.ID).Now(t.Context()); err != nil || len(all) != 1 || all[0] != p {
			t.Errorf("the pictures are %+v, %v", all, err)
		}
		rows := func() (n int) {
			storetest.View(t, w.Store, func(v *store.View) error {
				ids, err := knowledge.SelectForsakenPictures(v, w.Home.Workspace.ID, w.Now().Add(time.Hour), 9)
				n = len(ids)
				return err
			})
			return n
		}
		w.Must(svc.PurgePictures(t.Context(), w.Home.Workspace.ID))
		if rows() != 1 {
			t.Errorf("%d pictures wait for their content, want 1", rows())
		}
		w.Must(second(svc.DeleteArticle(t.Context(), w.By(), a.ID)))
		if got := read(); got != "no such picture" {
			t.Errorf("the picture of a deleted article is %q", got)
		}
		w.Advance(knowledge.PictureRetention + time.Second)
		w.Must(svc.PurgePictures(t.Context(), w.Home.Workspace.ID))
		if _, err := place.Open(t.Context(), w.Home.Workspace.ID, p.ID); rows() != 0 || parley.KindOf(err) != parley.NotFound {
			t.Errorf("%d rows stay, and the content gives %v", rows(), err)
		}
	})
}

// TestFeedback counts readers, and tells which articles they read most.
func TestFeedback(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ws := w.Home.Workspace.ID
		a, b, draft := w.new("A"), w.new("B"), w.new("Draft")
		w.publish(a.ID)
		w.publish(b.ID)
		start := w.Now()
		w.Tells(func() {
			for range 2 {
				w.Must(w.svc.AddFeedback(t.Context(), ws, []parley.ArticleFeedback{
					{ArticleID: a.ID, Language: "en", Shown: 2, Helped: 1}, {ArticleID: b.ID, Language: "en", Shown: 3, NotHelped: 1},
					{ArticleID: draft.ID, Language: "en", Shown: 99}, {ArticleID: a.ID, Language: "xx", Shown: 99}, {ArticleID: parley.ID{1}, Language: "en", Shown: 99},
				}))
				w.Advance(24 * time.Hour)
			}
		})
		counts, err := w.svc.ArticleFeedback(ws, a.ID, start).Now(t.Context())
		if err != nil || fmt.Sprint(counts) != fmt.Sprint([]parley.ArticleFeedback{{ArticleID: a.ID, Language: "en", Shown: 4, Helped: 2}}) {
			t.Errorf("the counts are %+v, %v", counts, err)
		}
		popular := func() string {
			ids, err := w.svc.PopularArticles(ws, knowledge.PublishedFilter{Language: "en"}, 9).Now(t.Context())
			w.Must(err)
			return strings.NewReplacer(a.ID.String(), "a", b.ID.String(), "b").Replace(fmt.Sprint(ids))
		}
		if got := popular(); got != "[b a]" {
			t.Errorf("popular are %s", got)
		}
		w.Advance(30 * 24 * time.Hour)
		if got := popular(); got != "[]" {
			t.Errorf("after a month, popular are %s", got)
		}
		w.Advance(parley.FeedbackRetention)
		w.expire()
		if counts, err := w.svc.ArticleFeedback(ws, a.ID, start).Now(t.Context()); err != nil || len(counts) != 0 {
			t.Errorf("after two years, the counts are %+v, %v", counts, err)
		}
	})
}

func (w *world) expire() {
	w.T.Helper()
	_, err := desk.Write(w.T.Context(), w.Desk, w.By(), func(tx *desk.Tx) (struct{}, error) { return struct{}{}, knowledge.Expire(tx) })
	w.Must(err)
}

// TestGaps counts questions without an answer by week, and keeps nothing that
// identifies a person.
func TestGaps(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ws, shop := w.Home.Workspace.ID, w.product("Shop")
		miss := knowledge.Miss{ProductID: shop, Language: "en", Words: "gift wrap", Source: parley.GapWidget}
		ask := func(question string) {
			t.Helper()
			miss.Question = question
			w.Tells(func() { w.Must(w.svc.AddMisses(t.Context(), ws, []knowledge.Miss{miss})) })
		}
		ask("Do you wrap gifts?\nWrite to ann@acme.example or +49 (151) 234-567 89, order 20261123 of https://x.example/?t=1, 3 pieces for 49.90")
		w.Advance(24 * time.Hour) // Sunday
		ask("again")
		w.Advance(24 * time.Hour) // Monday
		ask(strings.Repeat("é", 300))
		miss.ProductID, miss.Source, miss.Words = parley.ID{}, parley.GapHelpCenter, strings.Repeat("ü", 300)
		ask("x\xff\x00y")
		miss.Words = " "
		ask("not counted")
		gaps, err := w.svc.Gaps(parley.WholeWorkspace(ws), knowledge.GapFilter{}, 9).Now(t.Context())
		var got []string
		for _, g := range gaps {
			got = append(got, fmt.Sprint(g.Week.Format("Mon 2 "), g.ProductID == shop, " ", g.Source, " ", g.Count, " ", len(g.Words), " ", g.Sample))
		}
		want := "Mon 16 true widget 2 9 Do you wrap gifts? Write to … or … order … of … 3 pieces for 49.90\n" +
			"Mon 23 true widget 1 9 " + strings.Repeat("é", 200) + "\nMon 23 false help_center 1 200 x\ufffdy"
		sorted := strings.Join(got, "\n")
		if err != nil || len(got) != 3 || got[0] != strings.Split(want, "\n")[0] || !strings.Contains(sorted, strings.Split(want, "\n")[1]) {
			t.Errorf("the gaps are\n%s\n%v, want\n%s", sorted, err, want)
		}
		for _, x := range []struct {
			filter knowledge.GapFilter
			count  int
		}{{knowledge.GapFilter{ProductID: parley.Some(shop)}, 2}, {knowledge.GapFilter{ProductID: parley.Null[parley.ID]()}, 1}, {knowledge.GapFilter{Since: w.Now()}, 2}} {
			if gaps, err := w.svc.Gaps(parley.WholeWorkspace(ws), x.filter, 9).Now(t.Context()); err != nil || len(gaps) != x.count {
				t.Errorf("%+v gives %d gaps, %v, want %d", x.filter, len(gaps), err, x.count)
			}
		}
		storetest.Fill(t, w.Store, ws, parley.MaxGaps, func(tx *store.Tx, i int) error {
			return knowledge.InsertKnowledgeGap(tx, ws, &parley.KnowledgeGap{Week: gaps[1].Week, Words: fmt.Sprint(i)})
		})
		miss.Words = "one too many"
		ask("dropped")
		miss.ProductID, miss.Source, miss.Words = shop, parley.GapWidget, "gift wrap"
		ask("counted")
		gaps, err = w.svc.Gaps(parley.WholeWorkspace(ws), knowledge.GapFilter{}, parley.MaxGaps+9).Now(t.Context())
		if err != nil || len(gaps) != parley.MaxGaps+3 || gaps[1].Count != 2 {
			t.Errorf("a full week has %d gaps, %v", len(gaps), err)
		}
		w.Advance(parley.GapRetention + 8*24*time.Hour)
		w.expire()
		if gaps, err := w.svc.Gaps(parley.WholeWorkspace(ws), knowledge.GapFilter{}, 9).Now(t.Context()); err != nil || len(gaps) != 0 {
			t.Errorf("after half a year there are %d gaps, %v", len(gaps), err)
		}
	})
}

// TestStrike keeps words and small numbers, and strikes what identifies a person.
func TestStrike(t *testing.T) {
	for text, want := range map[string]string{
		"size 42 for 49.90 in 2026":          "size 42 for 49.90 in 2026",
		"call 0151 23 45 67 today":           "call … today",
		"call +49-151-234567, please":        "call … please",
		"mail ann@acme.example now":          "mail … now",
		"mailto:ann@acme.example":            "…",
		"see www.acme.example/x or http://a": "see … or …",
		"order AB123456C":                    "order …",
		"٠١٢٣٤٥٦٧":                           "…",
		"":                                   "",
	} {
		if got := knowledge.Strike(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
