package publicapi_test

import (
	"slices"
	"testing"

	"parley"
	"parley/internal/search"
	"parley/internal/store"
)

// TestComposedForms writes a text in both of Unicode's forms: what is stored in
// one is found by the other.
func TestComposedForms(t *testing.T) {
	const composed, apart = "\u00c9mile", "E\u0301mile"
	const composedQuery, apartQuery = "%C3%89mile", "E%CC%81mile"
	each(t, func(t *testing.T, w *world) {
		var ids []string
		for _, name := range []string{composed, apart} {
			ids = append([]string{w.Post("/v1/public/companies", `{"name":"`+name+`"}`).Want(201).Text("id")}, ids...)
		}
		for _, query := range []string{composedQuery, apartQuery, "emile", "%C3%89MILE"} {
			if got := w.Get("/v1/public/companies?search=" + query).Want(200).IDs(); !slices.Equal(got, ids) {
				t.Errorf("%s finds %v, want %v", query, got, ids)
			}
		}
		conversation := w.Post("/v1/public/conversations", `{"contactId":"`+w.Contact(`{}`)+`"}`).Want(201).Text("id")
		w.Patch("/v1/public/conversations/"+conversation, `{"labels":["`+composed+`"," `+apart+` ","VIP","vip","a\tb"]}`).Want(200).
			Is("labels", `["`+composed+`","VIP","vip","a b"]`)
		w.Patch("/v1/public/conversations/"+conversation, `{"labels":["\u0001"]}`).Want(400)
		for _, query := range []string{composedQuery, apartQuery, "%20" + apartQuery, "VIP"} {
			if got := w.Get("/v1/public/conversations?label=" + query).Want(200).IDs(); !slices.Equal(got, []string{conversation}) {
				t.Errorf("the label %s finds %v", query, got)
			}
		}
	})
}

// TestKeysOfBefore has companies whose names an older server folded
// differently: they are found after the index was rebuilt.
func TestKeysOfBefore(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := w.Post("/v1/public/companies", `{"name":"Stra\u00dfe"}`).Want(201).Text("id")
		ws, index := w.Home.Workspace.ID, search.New(search.Options{Desk: w.Desk})
		if err := index.IndexSearch(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := w.Store.Write(t.Context(), ws, func(tx *store.Tx) error {
			p, err := tx.FollowerPosition(ws, "search")
			if err != nil {
				return err
			}
			p.Step, p.Version = p.Step+1, p.Version-1
			if _, err := tx.MoveFollower(ws, "search", p); err != nil {
				return err
			}
			company, _ := parley.ParseID(id)
			return tx.UpdateCompanySearchKey(ws, &parley.Company{ID: company, Name: "as it was folded before"})
		}); err != nil {
			t.Fatal(err)
		}
		if got := w.Get("/v1/public/companies?search=STRASSE").Want(200).IDs(); len(got) != 0 {
			t.Fatalf("the key is not that of before: %v", got)
		}
		if err := index.IndexSearch(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := w.Get("/v1/public/companies?search=STRASSE").Want(200).IDs(); !slices.Equal(got, []string{id}) {
			t.Errorf("the search finds %v", got)
		}
	})
}
