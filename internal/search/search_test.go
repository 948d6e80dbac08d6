package search_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/pgtest"
	"parley/internal/search"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// A world has an index that a test brings up to date.
type world struct {
	*desktest.World
	svc *search.Service
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	desktest.Each(t, func(t *testing.T, w *desktest.World) { test(t, &world{w, search.New(search.Options{Desk: w.Desk})}) })
}

func (w *world) indexed() {
	w.T.Helper()
	w.Must(w.svc.IndexSearch(w.T.Context()))
}

// finds requires the hits of a search, as "kind title: snippet" with brackets
// around what matches.
func (w *world) finds(vis parley.Visibility, in search.Search, want ...string) parley.Page[parley.SearchHit] {
	w.T.Helper()
	if in.Limit == 0 {
		in.Limit = 50
	}
	page, err := w.svc.Search(vis, in).Now(w.T.Context())
	w.Must(err)
	var got []string
	for _, hit := range page.Items {
		text := string(hit.Kind) + " " + hit.Title + ": "
		for _, s := range hit.Snippet {
			if s.Match {
				s.Text = "[" + s.Text + "]"
			}
			text += s.Text
		}
		got = append(got, text)
	}
	if !slices.Equal(got, want) {
		w.T.Errorf("the search for %q gives\n%s\nwant\n%s", in.Text, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	return page
}

// garden fills a workspace with records of every kind that have one word.
func (w *world) garden(by desk.Caller) (rose parley.Contact, c parley.Conversation) {
	w.T.Helper()
	rose = w.Contact(by, "Rose Garden")
	notes := "sells a garden"
	_, err := w.Desk.SaveCompany(w.T.Context(), by, desk.CompanyFields{Name: parley.Some("Acme"), Notes: parley.Some(notes)})
	w.Must(err)
	c = w.Conversation(by, rose.ID)
	w.Advance(time.Second)
	w.Post(by, c.ID, "the garden is closed", false)
	w.Advance(time.Second)
	w.Post(by, c.ID, "a garden for us alone", true)
	w.indexed()
	return rose, c
}

// TestSearchAcrossKinds looks for a word of a contact, a company, a message and
// a note: people first, then the newest messages, each kind alone, and in pages.
func TestSearchAcrossKinds(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		rose, c := w.garden(w.By())
		vis := w.By().Visibility()
		const (
			contact = "contact Rose Garden: "
			company = "company Acme: sells a [garden]"
			note    = "message Rose Garden: a [garden] for us alone"
			message = "message Rose Garden: the [garden] is closed"
		)
		all := w.finds(vis, search.Search{Text: "GARDEN"}, contact, company, note, message)
		if hit := all.Items[3]; hit.ConversationID != c.ID || hit.Contact.ID != rose.ID {
			t.Errorf("the hit of a message is %+v", hit)
		}
		w.finds(vis, search.Search{Text: "gard", Kind: parley.SearchCompany}, "company Acme: sells a [garden]")
		w.finds(vis, search.Search{Text: "garden closed"}, "message Rose Garden: the [garden] is [closed]")
		first := w.finds(vis, search.Search{Text: "garden", Limit: 3}, contact, company, note)
		if !first.HasMore {
			t.Error("the first page is the last")
		}
		w.finds(vis, search.Search{Text: "garden", Limit: 3, After: first.Next}, message)
		_, err := w.svc.Search(vis, search.Search{Text: "?!", Limit: 9}).Now(t.Context())
		w.Refused(err, parley.Invalid, "q: must contain a letter or a digit")
	})
}

// TestSearchSeesNoMore searches as another workspace, and with the visibility of
// a customer: neither finds what it must not read.
func TestSearchSeesNoMore(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		rose, c := w.garden(w.By())
		other := desktest.OwnerOf(w.Found("Other"))
		w.finds(other.Visibility(), search.Search{Text: "garden"})
		w.Contact(other, "Another Garden")
		w.indexed()
		w.finds(other.Visibility(), search.Search{Text: "garden"}, "contact Another Garden: ")

		stranger := w.Contact(w.By(), "Stranger")
		messages := search.Search{Text: "closed", Kind: parley.SearchMessage}
		for contact, want := range map[parley.ID][]string{
			rose.ID: {"message Rose Garden: the garden is [closed]"}, stranger.ID: nil,
		} {
			customer := parley.CustomerSession{Workspace: w.Home.Workspace.ID, InboxID: c.Inbox.ID, ContactID: contact}
			w.finds(customer.Visibility(), messages, want...)
		}
	})
}

// TestSearchFollowsChanges renames a record, and searches before and after the
// index has heard of it.
func TestSearchFollowsChanges(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		rose, _ := w.garden(w.By())
		vis := w.By().Visibility()
		_, err := w.Desk.UpdateContact(t.Context(), w.By(), rose.ID, desk.ContactFields{Name: parley.Some("Rose Meadow")})
		w.Must(err)
		people := func(text string, want ...string) {
			t.Helper()
			w.finds(vis, search.Search{Text: text, Kind: parley.SearchContact}, want...)
			found, err := w.svc.SearchContacts(vis, text, parley.Position{}, 9).Now(t.Context())
			if err != nil || len(found.Items) != len(want) {
				t.Errorf("the contacts with %q are %v, %v", text, found.Items, err)
			}
		}
		people("meadow")
		w.indexed()
		people("meadow", "contact Rose Meadow: ")
		people("garden")
	})
}
