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

// Files of messages of the messaging application.

const (
	// mediaTime is how long one file may take from or to the network.
	mediaTime = 2 * time.Minute
	// mediaTries is how often a download is tried that fails without being
	// gone. Then the message is stored without its file, so that other messages
	// need not wait forever.
	mediaTries = 4
	// mediaTried is for how many messages of a number failed downloads are
	// counted.
	mediaTried = 1000
)

// errNoFile is the error of a message whose file was deleted.
const errNoFile failedFor = "its file is not kept any more"

// keptMedia is the result of downloading a file: the stored file, or why there
// is none.
type keptMedia struct {
	file   parley.ID // zero: none
	reason string    // for people; "" if nothing is missing
}

// fetchMedia downloads the file of a message and stores it before the message:
// not in its transaction, which must be short. An error means that the network
// should repeat the message. A file that is too large, gone or broken is not an
// error, since it would stay so.
func (l *inboundHandler) fetchMedia(ctx context.Context, m chatapp.Incoming) (keptMedia, error) {
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
	l.service.log.Warn("inbound: message stored without its file", "number", l.held.host.NumberID, "error", err)
	return keptMedia{reason: "it could not be fetched"}, nil
}

func (s *Service) keepMedia(ctx context.Context, ws parley.WorkspaceID, m chatapp.Media) (keptMedia, error) {
	if s.files == nil {
		return keptMedia{reason: "this server keeps no files"}, nil
	}
	tooLarge := keptMedia{reason: fmt.Sprintf("it is larger than %.4g MiB", float64(s.desk.Attachments().MaxUpload())/(1<<20))}
	if m.Size > s.desk.Attachments().MaxUpload() {
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
	a, err := s.desk.Attachments().KeepFile(ctx, desk.Caller{Workspace: ws}, desk.NewUpload{
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

// fromNetwork is content whose errors come from the network, not from an
// uploader.
type fromNetwork struct{ io.Reader }

// Read reads the content.
func (r fromNetwork) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	if err != nil && err != io.EOF {
		err = &parley.Error{Kind: parley.Unavailable, Message: "the file did not come as a whole", Cause: err}
	}
	return n, err
}

// nameOfMedia names a file that has no name.
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

// attachMedia gives a message of the network its file, or adds a line to its
// text that says why the file is missing.
func (t *tx) attachMedia(m *parley.Message, media *chatapp.Media, kept keptMedia) error {
	switch {
	case media == nil:
		return nil
	case kept.reason == "":
		m.ContentType = "" // the file determines it
		return t.Attach(m, desk.NewMessage{AttachmentIDs: []parley.ID{kept.file}})
	}
	missing := fmt.Sprintf("[A file is missing here, %s: %s]", desk.FileName(cmp.Or(media.FileName, nameOfMedia(media.ContentType))), kept.reason)
	if m.Content != "" {
		missing = "\n" + missing
	}
	m.Content = truncateTo(m.Content, parley.MaxContent-len(missing)) + missing
	return nil
}

// parts returns the parts of a message in order: the text with the first file,
// then the other files, each as a message of the network. The last part has the
// message's id, so that its receipt holds for all. The ids of the others are
// the same for each try.
func (s *Service) parts(ws parley.WorkspaceID, m *parley.Message) []chatapp.Message {
	text := m.Content
	if m.ContentType == parley.Markdown {
		text = chatapp.Marked(text)
	}
	first := chatapp.Message{ID: m.ID.String(), Text: text}
	if len(m.Attachments) == 0 {
		return []chatapp.Message{first}
	}
	var all []chatapp.Message
	for i, a := range m.Attachments {
		part := chatapp.Message{ID: fmt.Sprintf("%s/%d", m.ID, i), Media: s.outgoingFile(ws, a)}
		if i == 0 {
			part.Text = text
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
				return nil, err // not content, whose nil would not be a nil interface
			}
			return content, nil
		},
	}
}
