package dashboard_test

import (
	"net/url"
	"slices"
	"strconv"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/knowledge"
)

// gapSamples have a row for each operation in gapRoutes.
func gapSamples(w *world) map[string]func() apitest.Sample {
	const base = "/v1/dashboard/knowledge-gaps"
	return map[string]func() apitest.Sample{
		"listKnowledgeGaps": func() apitest.Sample { return apitest.NewSample(base, "", 200) },
		"draftArticleFromConversation": func() apitest.Sample {
			return apitest.NewSample("/v1/dashboard/conversations/"+w.Conversation()+"/article-draft", "", 200)
		},
		"dismissKnowledgeGap": func() apitest.Sample { return apitest.NewSample(base+"/dismiss", `{"words":"gift wrap"}`, 200) },
	}
}

// TestKnowledgeGaps lists what was asked in two weeks about two products, and
// dismisses one question.
func TestKnowledgeGaps(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		shop, err := w.Desk.CreateProduct(t.Context(), w.By(), "Shop", "")
		if err != nil {
			t.Fatal(err)
		}
		other := w.Found("Other")
		ask := func(ws parley.WorkspaceID, m knowledge.Miss) {
			t.Helper()
			if err := w.Knowledge.AddMisses(t.Context(), ws, []knowledge.Miss{m}); err != nil {
				t.Fatal(err)
			}
		}
		gifts := knowledge.Miss{ProductID: shop.ID, Language: "en", Words: "gift wrap", Question: "Do you wrap gifts, ann@acme.example?", Source: parley.GapWidget, Count: 3}
		ask(w.Home.Workspace.ID, gifts)
		ask(other.Workspace.ID, knowledge.Miss{Words: "secret", Question: "secret", Source: parley.GapWidget})
		w.Advance(7 * 24 * time.Hour)
		gifts.Source, gifts.Count = parley.GapHelpCenter, 2
		ask(w.Home.Workspace.ID, gifts)
		ask(w.Home.Workspace.ID, knowledge.Miss{Words: "kayak", Question: "kayak", Source: parley.GapAgent})
		list := func(query string, samples ...string) apitest.Answer {
			t.Helper()
			page := w.Get("/v1/dashboard/knowledge-gaps" + query).Want(200)
			if n := page.Count("data"); n != len(samples) {
				t.Errorf("%s gives %d gaps: %s", query, n, page.Body)
			}
			for i, sample := range samples {
				page.Is("data."+string(rune('0'+i))+".sample", `"`+sample+`"`)
			}
			return page
		}
		const gift = "Do you wrap gifts, …"
		list("", gift, gift, "kayak").Is("data.0.questions", "3", "data.0.week", `"2026-11-16T00:00:00.000Z"`, "data.0.source", `"widget"`,
			"data.0.productId", `"`+shop.ID.String()+`"`, "data.0.words", `"gift wrap"`, "data.2.productId", "null", "data.2.language", `""`)
		list("?since=2026-11-23T00:00:00Z", gift, "kayak")
		list("?until=2026-11-16T00:00:00Z", gift)
		list("?productId="+shop.ID.String(), gift, gift)
		list("?productId=none", "kayak")
		dismiss := func(body, dismissed string) {
			t.Helper()
			w.Post("/v1/dashboard/knowledge-gaps/dismiss", body).Want(200).Is("dismissed", dismissed)
		}
		dismiss(`{"words":"gift wrap","language":"en"}`, "0") // of no product
		dismiss(`{"words":"secret"}`, "0")                    // another workspace's
		dismiss(`{"words":"gift wrap","language":"en","productId":"`+shop.ID.String()+`"}`, "2")
		list("", "kayak")
		w.Post("/v1/dashboard/knowledge-gaps/dismiss", `{"productId":"x"}`).Refused(400, "productId: must be a UUID, or null; words: must be given")
		w.Get("/v1/dashboard/knowledge-gaps?since=x&productId=y").Want(400)
	})
}

// TestArticleDraft proposes an article without notes, names and addresses, and
// only to members who may see the conversation.
func TestArticleDraft(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		contact := w.Post("/v1/public/contacts", `{"name":"Ann Lindqvist","email":"ann@acme.example"}`).Want(201).Text("id")
		id := w.Post("/v1/public/conversations", `{"contactId":"`+contact+`"}`).Want(201).Text("id")
		say := func(body string) { w.Post("/v1/public/conversations/"+id+"/messages", body).Want(201) }
		path := "/v1/dashboard/conversations/" + id + "/article-draft"
		w.Get(path).Want(200).Is("title", `""`, "body", `""`, "productId", "null")
		say(`{"role":"incoming","content":"Hello, how long may I send it back? Ann Lindqvist, ann@acme.example"}`)
		say(`{"content":"secret note","isPrivate":true}`)
		say(`{"content":"Hi Ann,\nyou have **30 days**, Ann, see order 104277.\nBest regards\nThe team"}`)
		w.Get(path).Want(200).Is("title", `"how long may I send it back?"`, "body", `"you have **30 days**, …, see order …"`)
		for _, none := range []string{unknownID, contact} {
			w.Get("/v1/dashboard/conversations/"+none+"/article-draft").Refused(404, "no such conversation in this workspace")
		}
		w.Get("/v1/dashboard/conversations/x/article-draft").Refused(400, "id: must be a UUID")
	})
}

// TestMembersSearchesCount lets members look for articles. What they did not find
// is a gap, once, as soon as somebody reads the gaps.
func TestMembersSearchesCount(t *testing.T) {
	w := onSQLite(t)
	w.published(w.By(), "en", "Refund of a parcel")
	id := w.Conversation()
	w.Post("/v1/public/conversations/"+id+"/messages", `{"role":"incoming","content":"Do you rent out canoes?"}`).Want(201)
	look := func(words string) {
		t.Helper()
		w.Get("/v1/dashboard/conversations/" + id + "/articles?language=en&q=" + url.QueryEscape(words)).Want(200)
	}
	gaps := func(want ...string) {
		t.Helper()
		page, got := w.Get("/v1/dashboard/knowledge-gaps").Want(200), []string{}
		for i := range page.Count("data") {
			at := "data." + strconv.Itoa(i)
			page.Is(at+".source", `"agent"`, at+".questions", "1", at+".language", `"en"`)
			got = append(got, page.Text(at+".sample"))
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("the gaps are %q, want %q", got, want)
		}
	}
	look("") // the customer's question is not a member's
	for _, words := range []string{"sub", "submar", "submarine"} {
		look(words)
	}
	gaps() // it may still be typed
	look("refund")
	gaps("submarine")
	for _, words := range []string{"helicopter", "helicopter of ann@acme.example", "helicopter"} {
		look(words)
	}
	w.Advance(time.Minute)
	foreign := w.Found("Foreign").Workspace.ID
	w.Recorder.Asked(foreign, "somebody", knowledge.Miss{Words: "secret", Question: "secret", Source: parley.GapWidget}, false)
	w.Advance(time.Minute)
	gaps("helicopter of …", "submarine")
	writes := w.Desk.Writes()
	gaps("helicopter of …", "submarine")
	w.Get("/v1/dashboard/knowledge-gaps?since=x").Want(400)
	if w.Desk.Writes() != writes {
		t.Error("gaps that are read write, though nothing was counted")
	}
	for want := range 2 { // a workspace's counts wait until somebody reads them there
		if all, err := w.Knowledge.Gaps(parley.WholeWorkspace(foreign), knowledge.GapFilter{}, 9).Now(t.Context()); err != nil || len(all) != want {
			t.Errorf("the other workspace has %v, %v, want %d", all, err, want)
		}
		w.Recorder.FlushWorkspace(t.Context(), foreign)
	}
}
