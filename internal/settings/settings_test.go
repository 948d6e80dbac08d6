package settings_test

import (
	"fmt"
	"testing"

	"parley"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/pgtest"
	"parley/internal/settings"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func each(t *testing.T, test func(t *testing.T, w *desktest.World, svc *settings.Service)) {
	t.Helper()
	desktest.Each(t, func(t *testing.T, w *desktest.World) { test(t, w, settings.New(w.Desk)) })
}

// TestLabels makes, colours and deletes a label: each change has its event, and
// what changes nothing has none.
func TestLabels(t *testing.T) {
	each(t, func(t *testing.T, w *desktest.World, svc *settings.Service) {
		w.Tells(func() {
			_, err := svc.CreateLabel(t.Context(), w.By(), "urgent", "red")
			w.Must(err)
		}, "label.created")
		w.Tells(func() {
			_, err := svc.CreateLabel(t.Context(), w.By(), "urgent", "blue")
			w.Refused(err, parley.Conflict, "name: must not be that of another label")
			_, err = svc.UpdateLabel(t.Context(), w.By(), "urgent", parley.Some(parley.LabelColor("red")))
			w.Must(err)
			_, err = svc.UpdateLabel(t.Context(), desktest.OwnerOf(w.Found("Other")), "urgent", parley.Some(parley.LabelColor("pink")))
			if parley.KindOf(err) != parley.NotFound {
				t.Errorf("another workspace's label gives %v", err)
			}
		})
		w.Tells(func() {
			l, err := svc.UpdateLabel(t.Context(), w.By(), " urgent ", parley.Some(parley.LabelColor("blue")))
			if err != nil || l.Name != "urgent" || l.Color != "blue" {
				t.Errorf("the label is %+v, %v", l, err)
			}
		}, "label.updated color")
		c := w.Conversation(w.By(), w.Contact(w.By(), "Ann").ID)
		_, err := w.Desk.LabelConversation(t.Context(), w.By(), c.ID, "urgent", true)
		w.Must(err)
		w.Tells(func() {
			_, err := svc.DeleteLabel(t.Context(), w.By(), "urgent")
			w.Must(err)
		}, "label.deleted")
		labels, err := svc.Labels(w.Home.Workspace.ID).Now(t.Context())
		if err != nil || len(labels) != 0 {
			t.Errorf("the labels are %v, %v", labels, err)
		}
		page, err := w.Desk.Conversations(w.By().Visibility(), desk.ConversationFilter{}, parley.Position{}, 9).Now(t.Context())
		if err != nil || fmt.Sprint(page.Items[0].Labels) != "[urgent]" {
			t.Errorf("the conversation carries %v, %v", page.Items[0].Labels, err)
		}
	})
}

// TestCannedAnswers changes answers whose shortcuts must differ.
func TestCannedAnswers(t *testing.T) {
	each(t, func(t *testing.T, w *desktest.World, svc *settings.Service) {
		hi, err := svc.CreateCannedAnswer(t.Context(), w.By(), "hi", "Hello!")
		w.Must(err)
		const taken = "shortcut: must not be that of another canned answer"
		w.Tells(func() {
			_, err := svc.CreateCannedAnswer(t.Context(), w.By(), "hi", "Hello again!")
			w.Refused(err, parley.Conflict, taken)
		})
		bye, err := svc.CreateCannedAnswer(t.Context(), w.By(), "bye", "Goodbye!")
		w.Must(err)
		w.Tells(func() {
			_, err := svc.UpdateCannedAnswer(t.Context(), w.By(), bye.ID, settings.CannedAnswerChange{Shortcut: parley.Some("hi")})
			w.Refused(err, parley.Conflict, taken)
			_, err = svc.UpdateCannedAnswer(t.Context(), w.By(), hi.ID, settings.CannedAnswerChange{Shortcut: parley.Some("hi"), Content: parley.Some("Hello!")})
			w.Must(err)
		})
		w.Tells(func() {
			_, err := svc.UpdateCannedAnswer(t.Context(), w.By(), hi.ID, settings.CannedAnswerChange{Shortcut: parley.Some("hi"), Content: parley.Some("Hey!")})
			w.Must(err)
			_, err = svc.DeleteCannedAnswer(t.Context(), w.By(), bye.ID)
			w.Must(err)
		}, "canned_answer.updated content", "canned_answer.deleted")
		_, err = svc.DeleteCannedAnswer(t.Context(), desktest.OwnerOf(w.Found("Other")), hi.ID)
		if parley.KindOf(err) != parley.NotFound {
			t.Errorf("another workspace's answer gives %v", err)
		}
		state, err := svc.State(w.Home.Workspace.ID).Now(t.Context())
		if err != nil || len(state.CannedAnswers) != 1 || state.CannedAnswers[0].Content != "Hey!" {
			t.Errorf("the state holds %+v, %v", state.CannedAnswers, err)
		}
	})
}

// TestCataloguesAreBounded fills both catalogues: one more is refused and leaves
// nothing behind.
func TestCataloguesAreBounded(t *testing.T) {
	each(t, func(t *testing.T, w *desktest.World, svc *settings.Service) {
		ws, ids := w.Home.Workspace.ID, parley.NewIDs(nil)
		storetest.Fill(t, w.Store, ws, parley.MaxCatalogue, func(tx *store.Tx, i int) error {
			name := fmt.Sprint("n", i)
			if _, err := settings.InsertLabel(tx, ws, &parley.Label{Name: name, Color: "red"}); err != nil {
				return err
			}
			_, err := settings.InsertCannedAnswer(tx, ws, &parley.CannedAnswer{ID: ids.New(w.Now()), Shortcut: name, Content: name})
			return err
		})
		w.Tells(func() {
			_, err := svc.CreateLabel(t.Context(), w.By(), "more", "red")
			w.Refused(err, parley.Conflict, "the workspace has 1000 labels already; delete one first")
			_, err = svc.CreateCannedAnswer(t.Context(), w.By(), "more", "x")
			w.Refused(err, parley.Conflict, "the workspace has 1000 canned answers already; delete one first")
		})
		state, err := svc.State(ws).Now(t.Context())
		if len(state.Labels) != parley.MaxCatalogue || len(state.CannedAnswers) != parley.MaxCatalogue {
			t.Errorf("there are %d labels and %d answers, %v", len(state.Labels), len(state.CannedAnswers), err)
		}
		_, err = svc.DeleteLabel(t.Context(), w.By(), "n7")
		w.Must(err)
		_, err = svc.CreateLabel(t.Context(), w.By(), "more", "red")
		w.Must(err)
	})
}
