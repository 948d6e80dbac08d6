package publicapi_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
)

// TestSearchArticles finds what is published for a product, and for all.
func TestSearchArticles(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		other, err := w.Desk.CreateProduct(t.Context(), w.by(), "Other", "")
		if err != nil {
			t.Fatal(err)
		}
		shop := w.product.ID.String()
		create := func(title, more string) string {
			return w.Post("/v1/public/articles", `{"language":"en","title":"`+title+`"`+more+`}`).Want(201).Text("id")
		}
		publish := func(id string) string {
			w.Post("/v1/public/articles/"+id+"/publish", "").Want(200)
			return id
		}
		own := publish(create("Return a parcel", `,"productId":"`+shop+`","keywords":["send it back"]`))
		all := publish(create("Parcels and their labels", ""))
		publish(create("Return a parcel to the other shop", `,"productId":"`+other.ID.String()+`"`))
		create("A parcel in a draft", `,"productId":"`+shop+`"`)
		w.Patch("/v1/public/articles/"+publish(create("An archived parcel", `,"productId":"`+shop+`"`)), `{"state":"archived"}`).Want(200)
		find := func(question, more string) []string {
			return w.Get("/v1/public/articles/search?q=" + url.QueryEscape(question) + more).Want(200).IDs()
		}
		for _, test := range []struct {
			question, more string
			want           []string
		}{
			{"return my parcel", "&productId=" + shop, []string{own, all}},
			{"Hi, HOW can i send it back??", "&productId=" + shop + "&language=en", []string{own}},
			{"parcel", "&productId=" + shop + "&limit=1", []string{own}},
			{"parcel", "", []string{all}},
			{"parcel", "&language=fr", []string{all}},
			{"kayak", "&productId=" + shop, nil},
			{"", "&productId=" + shop, nil},
			{" ?", "&productId=" + shop, nil},
		} {
			if got := find(test.question, test.more); !slices.Equal(got, test.want) {
				t.Errorf("%q%s finds %v, want %v", test.question, test.more, got, test.want)
			}
		}
		for query, message := range map[string]string{
			"q=" + strings.Repeat("x", 1001): "q: must be 1 to 1000 characters",
			"q=x&limit=21":                   "limit: must be an integer from 1 to 20",
			"q=x&productId=none":             "productId: must be a UUID",
			"q=x&language=english":           "language: must be a language such as pt-BR or en",
		} {
			w.Get("/v1/public/articles/search?"+query).Refused(400, message)
		}
		w.Get("/v1/public/articles/search?q=x&productId=01a1fb68-2f6a-7000-87d8-89526ae1d0cd").Refused(404, "productId: no such product in this workspace")
	})
}
