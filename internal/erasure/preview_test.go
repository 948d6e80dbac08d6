package erasure_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestPreviewCountsWhatGoes compares a preview with the counts of the erasure that
// follows it: also notes of groups, files in groups, and unattached ones.
func TestPreviewCountsWhatGoes(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, o)
		w.plant()
		w.hear(chatapp.Incoming{ID: w.text(), Chat: chatapp.Chat{JID: "1@g", Group: true}, From: anna, Media: &chatapp.Media{
			ContentType: "text/plain", FileName: w.text() + ".txt",
			Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(w.text())), nil },
		}})
		id, _ := parley.ParseID(w.anna)
		p, err := w.Erasure.Preview(w.Home.Workspace.ID, id).Now(t.Context())
		w.must(err)
		if p.GroupMessages < 5 || p.Groups < 3 || p.Files < 13 {
			t.Fatalf("the preview is %+v: this proves little", p)
		}
		if views, err := w.Erasure.ViewsOfPreview(t.Context(), w.Home.Workspace.ID, id); err != nil || views < 3*p.Groups {
			t.Errorf("it reads %d groups in %d views, %v", p.Groups, views, err)
		}
		e := w.erase(w.Erasure)
		c := &e.Counts
		if p.Conversations != c.Conversations || p.Messages+p.GroupMessages != c.Messages || p.GroupMessages != c.GroupMessages || p.Files != c.Files {
			t.Errorf("the preview is %+v, and erased is %+v", p, *c)
		}
	})
}
