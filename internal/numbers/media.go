package numbers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/desk"
)

// Files that travel with messages of the messaging application.

const (
	// mediaTime is how long one file may take on its way from or to the network.
	mediaTime = 2 * time.Minute
	// mediaTries is how often a file from the network is tried that does not come
	// and is not said to be gone. Then its message is kept without it, for other
	// messages should not wait for ever.
	mediaTries = 4
	// mediaTried is how many messages of a number are remembered whose files did
	// not come.
	mediaTried = 1000
)

// errNoFile is why a message fails whose file was deleted.
const errNoFile failedFor = "its file is not kept any more"

// keptMedia is what became of the file of a message from the network: it was
// kept, or why it was not.
type keptMedia struct {
	file   parley.ID // zero for none
	reason string    // for people; "" where nothing is missing
}

// fetchMedia fetches the file of a message from the network and keeps it, before
// the message is stored: not in its transaction, which must be short. An error
// means that the message should come again. What is too large, gone or broken is
// no error: it would be so the next time too.
func (l *listener) fetchMedia(ctx context.Context, m chatapp.Incoming) (keptMedia, error) {
	if m.Media == nil {
		return keptMedia{}, nil
	}
	name := networkName(l.held.host.NumberID, m)
	kept, err := l.service.keepMedia(ctx, l.held.ws, *m.Media)
	if err == nil || ctx.Err() != nil {
		delete(l.tries, name)
		return kept, err
	}
	if len(l.tries) >= mediaTried {
		clear(l.tries)
	}
	if l.tries[name]++; l.tries[name] < mediaTries {
		return kept, err
	}
	delete(l.tries, name)
	l.service.log.Warn("a message was kept without its file", "number", l.held.host.NumberID, "error", err)
	return keptMedia{reason: "it could not be fetched"}, nil
}

func (s *Service) keepMedia(ctx context.Context, ws parley.WorkspaceID, m chatapp.Media) (keptMedia, error) {
	if s.files == nil {
		return keptMedia{reason: "this server keeps no files"}, nil
	}
	tooLarge := keptMedia{reason: fmt.Sprintf("it is larger than %.4g MiB", float64(s.desk.MaxUpload())/(1<<20))}
	if m.Size > s.desk.MaxUpload() {
		return tooLarge, nil
	}
	ctx, cancel := context.WithTimeout(ctx, mediaTime)
	defer cancel()
	content, err := m.Open(ctx)
	switch {
	case errors.Is(err, chatapp.ErrGone):
		return keptMedia{reason: "the application has it no more"}, nil
	case errors.Is(err, chatapp.ErrBroken):
		return keptMedia{reason: "it arrived broken"}, nil
	case err != nil:
		return keptMedia{}, err
	}
	defer func() { _ = content.Close() }() // it was only read
	a, err := s.desk.KeepFile(ctx, desk.Caller{Workspace: ws}, desk.NewUpload{
		FileName: cmp.Or(m.FileName, nameOfMedia(m.ContentType)), ContentType: m.ContentType, Content: fromNetwork{content},
	})
	switch parley.KindOf(err) {
	case parley.TooLarge:
		return tooLarge, nil
	case parley.Invalid:
		return keptMedia{reason: "it is empty"}, nil
	}
	return keptMedia{file: a.ID}, err
}

// fromNetwork is content whose failures are those of the network, and not of
// somebody who uploads.
type fromNetwork struct{ io.Reader }

// Read reads the content.
func (r fromNetwork) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	if err != nil && err != io.EOF {
		err = &parley.Error{Kind: parley.Unavailable, Message: "the file did not come as a whole", Cause: err}
	}
	return n, err
}

// nameOfMedia names a file that its sender gave no name.
func nameOfMedia(contentType string) string {
	plain, _, _ := strings.Cut(contentType, ";")
	switch strings.ToLower(strings.TrimSpace(plain)) {
	case "image/jpeg":
		return "picture.jpg"
	case "image/png":
		return "picture.png"
	case "image/webp":
		return "picture.webp"
	case "image/gif":
		return "picture.gif"
	case "video/mp4":
		return "video.mp4"
	case "audio/ogg":
		return "audio.ogg"
	case "audio/mpeg":
		return "audio.mp3"
	case "audio/mp4":
		return "audio.m4a"
	}
	return "file"
}

// attachMedia gives a message from the network its file, or says in its text
// that the file is missing, and why.
func (t *tx) attachMedia(m *parley.Message, media *chatapp.Media, kept keptMedia) error {
	switch {
	case media == nil:
		return nil
	case kept.reason == "":
		m.ContentType = "" // the file decides
		return t.Attach(m, desk.NewMessage{AttachmentIDs: []parley.ID{kept.file}})
	}
	missing := fmt.Sprintf("[A file is missing here, %s: %s]", desk.FileName(cmp.Or(media.FileName, nameOfMedia(media.ContentType))), kept.reason)
	if m.Content != "" {
		missing = "\n" + missing
	}
	m.Content = fittingIn(m.Content, parley.MaxContent-len(missing)) + missing
	return nil
}

// parts returns what goes out for a message, in its order: the text with the
// first file, then the other files, which the network carries by themselves. The
// message's id is that of the last part, so that what a receipt says of it holds
// for all. The others have ids that are the same each time they are tried.
func (s *Service) parts(ws parley.WorkspaceID, m *parley.Message) []chatapp.Message {
	first := chatapp.Message{ID: m.ID.String(), Text: m.Content}
	if len(m.Attachments) == 0 {
		return []chatapp.Message{first}
	}
	var all []chatapp.Message
	for i, a := range m.Attachments {
		part := chatapp.Message{ID: fmt.Sprintf("%s/%d", m.ID, i), Media: s.outgoingFile(ws, a)}
		if i == 0 {
			part.Text = m.Content
		}
		all = append(all, part)
	}
	all[len(all)-1].ID = m.ID.String()
	return all
}

func (s *Service) outgoingFile(ws parley.WorkspaceID, a parley.Attachment) *chatapp.Media {
	return &chatapp.Media{
		ContentType: a.ContentType, FileName: a.FileName, Size: a.Size,
		Open: func(ctx context.Context) (io.ReadCloser, error) {
			if s.files == nil {
				return nil, errNoFile
			}
			content, err := s.files.Open(ctx, ws, a.ID)
			if parley.KindOf(err) == parley.NotFound {
				err = errNoFile
			}
			if err != nil {
				return nil, err // not content, which would be no nil
			}
			return content, nil
		},
	}
}
