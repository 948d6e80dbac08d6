package numbers_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/chatapp/chatapptest"
	"parley/internal/desk"
	"parley/internal/numbers"
)

// dot is a picture of one pixel.
func dot() []byte {
	b, err := base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")
	if err != nil {
		panic(err)
	}
	return b
}

// mediaOf is a file of a message from the network.
func mediaOf(contentType, name string, content []byte) *chatapp.Media {
	return &chatapp.Media{
		ContentType: contentType, FileName: name, Size: int64(len(content)),
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil },
	}
}

// last returns the newest message of a conversation.
func (w *world) last(n *node, conversation parley.ID) parley.Message {
	w.t.Helper()
	thread, err := n.Thread(parley.WholeWorkspace(w.ws), conversation, parley.Position{}, 50).Now(w.t.Context())
	w.must(err)
	return thread.Messages.Items[len(thread.Messages.Items)-1]
}

// content returns what is kept of an attachment.
func (w *world) content(a parley.Attachment) string {
	w.t.Helper()
	file, err := w.files.Open(w.t.Context(), w.ws, a.ID)
	w.must(err)
	b, readErr := io.ReadAll(file)
	w.must(errors.Join(readErr, file.Close()))
	return string(b)
}

func TestFilesFromTheNetwork(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		for i, c := range []struct {
			media        *chatapp.Media
			text         string
			contentType  parley.ContentType
			name, ofType string
		}{
			{mediaOf("image/jpeg", "", dot()), "look", parley.Image, "picture.jpg", "image/png"}, // the content decides on the type
			{mediaOf("audio/ogg; codecs=opus", "", []byte("OggS\x00sound")), "", parley.Audio, "audio.ogg", "audio/ogg"},
			{mediaOf("video/mp4", "", []byte("\x00\x00\x00\x18ftypmp42film")), "", parley.Video, "video.mp4", "video/mp4"},
			{mediaOf("text/csv", `C:\a/list.csv`, []byte("a,b\n")), "", parley.File, "list.csv", "text/csv"},
			{mediaOf("application/octet-stream", "", []byte("\x01\x02")), "", parley.File, "file", "application/octet-stream"},
		} {
			message := chatapp.Incoming{ID: fmt.Sprint(i), Chat: chat(ann), From: ann, Text: c.text, Media: c.media}
			want := w.read(c.media)
			for range 2 { // a repeated message is stored once
				w.must(w.say(message))
			}
			m := w.last(a, w.conversations(a)[0].ID)
			if m.Content != c.text || m.ContentType != c.contentType || len(m.Attachments) != 1 || m.Direction != parley.Incoming {
				t.Fatalf("%s: the message is %+v", c.name, m)
			}
			if got := m.Attachments[0]; got.FileName != c.name || got.ContentType != c.ofType || got.Size != int64(len(want)) || w.content(got) != want {
				t.Errorf("the file is %+v, want %s, %s", got, c.name, c.ofType)
			}
			w.advance(time.Second)
		}
		if got := len(w.talk(a, w.conversations(a)[0].ID)); got != 5 {
			t.Errorf("there are %d messages, want 5", got)
		}
		w.must(w.say(chatapp.Incoming{ID: "P", Chat: chat(ann), From: host, FromMe: true, Media: mediaOf("image/png", "", dot())}))
		if m := w.last(a, w.conversations(a)[0].ID); m.Direction != parley.Outgoing || m.Status != parley.Sent || len(m.Attachments) != 1 {
			t.Errorf("from the phone came %+v", m)
		}
	})
}

// read returns the content of a file as its sender would.
func (w *world) read(m *chatapp.Media) string {
	w.t.Helper()
	file, err := m.Open(w.t.Context())
	w.must(err)
	b, err := io.ReadAll(file)
	w.must(err)
	return string(b)
}

// TestFilesThatDoNotCome stores the message of each, and says what is missing.
func TestFilesThatDoNotCome(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		failing := func(err error) *chatapp.Media {
			return &chatapp.Media{ContentType: "image/jpeg", Open: func(context.Context) (io.ReadCloser, error) { return nil, err }}
		}
		large := mediaOf("application/pdf", "big.pdf", make([]byte, maxUpload+1))
		lying := mediaOf("application/pdf", "big.pdf", make([]byte, maxUpload+1))
		lying.Size = 1
		long := strings.Repeat("é", parley.MaxContent/2)
		for i, c := range []struct {
			media *chatapp.Media
			text  string
			want  string
		}{
			{large, "", "[A file is missing here, big.pdf: it is larger than 0.5 MiB]"},
			{lying, "my order", "my order\n[A file is missing here, big.pdf: it is larger than 0.5 MiB]"},
			{failing(fmt.Errorf("%w: 410", chatapp.ErrGone)), "", "[A file is missing here, picture.jpg: the application has it no more]"},
			{failing(chatapp.ErrBroken), "", "[A file is missing here, picture.jpg: it arrived broken]"},
			{mediaOf("image/jpeg", "", nil), "", "[A file is missing here, picture.jpg: it is empty]"},
			{failing(chatapp.ErrGone), long, "\n[A file is missing here, picture.jpg: the application has it no more]"},
		} {
			w.must(w.say(chatapp.Incoming{ID: fmt.Sprint(i), Chat: chat(ann), From: ann, Text: c.text, Media: c.media}))
			m := w.last(a, w.conversations(a)[0].ID)
			fits := m.Content == c.want
			if c.text == long {
				fits = strings.HasPrefix(m.Content, "éé") && strings.HasSuffix(m.Content, c.want) && len(m.Content) <= parley.MaxContent
			}
			if !fits || m.ContentType != parley.Text || len(m.Attachments) != 0 {
				t.Errorf("the message is %.100q, a %s with %d files, want %q", m.Content, m.ContentType, len(m.Attachments), c.want)
			}
			w.advance(time.Second)
		}
	})
}

// TestFileComesLater fails a download, which then succeeds.
func TestFileComesLater(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		down := errors.New("connection refused")
		left, opened := 3, 0
		media := mediaOf("image/png", "dot.png", dot())
		give := media.Open
		media.Open = func(ctx context.Context) (io.ReadCloser, error) {
			opened++
			if left--; left == 0 { // breaks off in the middle
				return io.NopCloser(io.MultiReader(bytes.NewReader(dot()[:9]), failingReader{down})), nil
			}
			if left > 0 {
				return nil, down
			}
			return give(ctx)
		}
		say := func(id string) error {
			return w.say(chatapp.Incoming{ID: id, Chat: chat(ann), From: ann, Media: media})
		}
		for range 3 {
			if err := say("1"); !errors.Is(err, down) {
				t.Errorf("a file that did not come gives %v", err)
			}
		}
		if n := len(w.conversations(a)); n != 0 {
			t.Errorf("%d conversations began before the file was there", n)
		}
		w.must(say("1"))
		c := w.conversations(a)[0].ID
		if m := w.last(a, c); len(m.Attachments) != 1 || w.content(m.Attachments[0]) != string(dot()) {
			t.Errorf("the message is %+v", m)
		}
		// A download that never succeeds is given up, because later messages
		// wait.
		left, opened = 1000, 0
		for range 3 {
			if say("2") == nil {
				t.Fatal("it was given up early")
			}
		}
		w.must(say("2"))
		if m := w.last(a, c); m.Content != "[A file is missing here, dot.png: it could not be fetched]" || opened != 4 {
			t.Errorf("after %d tries the message is %+v", opened, m)
		}
	})
}

type failingReader struct{ err error }

func (r failingReader) Read([]byte) (int, error) { return 0, r.err }

// upload keeps a file for a message.
func (w *world) upload(n *node, name string, content []byte) parley.ID {
	w.t.Helper()
	file, err := n.Attachments().Upload(w.t.Context(), w.by(), desk.NewUpload{FileName: name, Content: bytes.NewReader(content)})
	w.must(err)
	return file.ID
}

// sent returns what arrived at the network: text, name and content of the file.
func (w *world) sent() []string {
	var all []string
	for _, a := range w.network.Arrivals() {
		line := a.Text
		if a.Media != nil {
			line += "|" + a.Media.FileName + "|" + a.Media.ContentType + "|" + string(a.File)
		}
		all = append(all, line)
	}
	return all
}

func TestFilesGoOut(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		made, err := a.CreateGroup(t.Context(), w.by(), numbers.NewGroup{Name: "G", Participants: []parley.Phone{ann}})
		w.must(err)
		for _, c := range []parley.ID{w.conversation(a, "+"+string(ann)).ID, made.Record.Group.ConversationID} {
			m, err := a.PostMessage(t.Context(), w.by(), c, desk.NewMessage{
				Content: "three files", Direction: parley.Outgoing,
				AttachmentIDs: []parley.ID{w.upload(a, "1.txt", []byte("one")), w.upload(a, "2.png", dot()), w.upload(a, "3.txt", []byte("three"))},
			})
			w.must(err)
			// The second file is cut off; everything is retried, with the same
			// ids.
			steps := 0
			lose := func(context.Context) error {
				if steps++; steps == 2 {
					return chatapp.ErrTimeout
				}
				return nil
			}
			a.driver.After(chatapptest.Send, lose)
			a.driver.After(chatapptest.Send, lose)
			w.deliver(a)
			if got := w.last(a, c).Status; got != parley.Queued {
				t.Errorf("after a lost answer the message is %s", got)
			}
			w.pass(a, 5*time.Second)
			w.deliver(a)
			one, two, three := "three files|1.txt|text/plain|one", "|2.png|image/png|"+string(dot()), "|3.txt|text/plain|three"
			if got := w.sent(); !slices.Equal(got, []string{one, two, one, two, three}) {
				t.Errorf("the network got %q", got)
			}
			arrived := w.network.Arrivals()
			for i, id := range []string{m.ID.String() + "/0", m.ID.String() + "/1", m.ID.String() + "/0", m.ID.String() + "/1", m.ID.String()} {
				if arrived[i].ID != id {
					t.Errorf("part %d has the id %s, want %s", i, arrived[i].ID, id)
				}
			}
			if got := w.last(a, c).Status; got != parley.Sent {
				t.Errorf("the message is %s", got)
			}
			w.network.Forget()
		}
		w.wantUsed(a, "groupsPerHour 1/5", "groupsPerDay 1/20", "addsPerHour 0/20", "invitesPerHour 0/5", "sendsPerMinute 10/20")
	})
}

// TestDeletedFile fails a message whose file was deleted, at once.
func TestDeletedFile(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		c := w.conversation(a, "+"+string(ann)).ID
		file := w.upload(a, "1.txt", []byte("one"))
		_, err := a.PostMessage(t.Context(), w.by(), c, desk.NewMessage{Direction: parley.Outgoing, AttachmentIDs: []parley.ID{file}})
		w.must(err)
		w.must(os.RemoveAll(w.place))
		w.deliver(a)
		w.wantTalk(a, c, "failed bot/Automated agent:  its file is not kept any more")
		w.wantTexts()
	})
}

// textOnly is a driver whose network takes no files.
type textOnly struct{ *chatapptest.Driver }

func (textOnly) Capabilities() chatapp.Capabilities { return chatapp.Capabilities{} }

// TestNetworkOfTextAlone refuses files that cannot be sent, and accepts them in
// notes.
func TestNetworkOfTextAlone(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		c := w.conversation(a, "+"+string(ann)).ID
		file := w.upload(a, "1.txt", []byte("one"))
		plain := w.nodeOf("b", w.now, func(d *chatapptest.Driver) chatapp.Connector { return textOnly{d} })
		post := func(private bool) error {
			_, err := plain.PostMessage(t.Context(), w.by(), c, desk.NewMessage{
				Content: "here", Direction: parley.Outgoing, Private: private, AttachmentIDs: []parley.ID{file},
			})
			return err
		}
		if err := post(false); parley.KindOf(err) != parley.Invalid || err.Error() != "attachmentIds: must be absent here: the network of the number takes text alone" {
			t.Errorf("a file for a network of text alone gives %v", err)
		}
		w.must(post(true)) // the file was not taken
	})
}
