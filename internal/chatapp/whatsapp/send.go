package whatsapp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"os"
	"time"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"google.golang.org/protobuf/proto"

	"parley"
	"parley/internal/chatapp"
)

// Send sends a message to a group or a person. The library sends one message
// per number at a time.
func (d *Driver) Send(ctx context.Context, host chatapp.Host, m chatapp.Message) error {
	if m.ID == "" {
		return errors.New("a message without an id cannot be known again")
	}
	if m.Text == "" && m.Media == nil {
		return fmt.Errorf("%w: it is empty", chatapp.ErrRefused)
	}
	s, err := d.session(ctx, host)
	if err != nil {
		return err
	}
	to, err := s.receiver(ctx, m)
	if err != nil {
		return err
	}
	content := textMessage(m)
	if m.Media != nil {
		if content, err = s.upload(ctx, m); err != nil {
			return err
		}
	}
	_, err = request(ctx, s, func(ctx context.Context) (whatsmeow.SendResponse, error) {
		return s.cli.SendMessage(ctx, to, content, whatsmeow.SendRequestExtra{ID: networkID(m.ID)})
	})
	return s.sendFailure(err)
}

// textMessage returns a message without a file. An invitation is a card with
// which the recipient's phone can join; its caption says the same in words.
func textMessage(m chatapp.Message) *waE2E.Message {
	if m.Invite.Code == "" || m.Phone == "" {
		return &waE2E.Message{Conversation: proto.String(m.Text)}
	}
	return &waE2E.Message{GroupInviteMessage: &waE2E.GroupInviteMessage{
		GroupJID: proto.String(m.JID), InviteCode: proto.String(m.Invite.Code), InviteExpiration: proto.Int64(m.Invite.ExpiresAt.Unix()),
		GroupName: proto.String(m.GroupName), Caption: proto.String(m.Text),
		GroupType: waE2E.GroupInviteMessage_DEFAULT.Enum(),
	}}
}

// receiver returns the recipient of a message.
func (s *session) receiver(ctx context.Context, m chatapp.Message) (types.JID, error) {
	if m.Phone == "" {
		jid, err := types.ParseJID(m.JID)
		if err != nil || jid.Server != types.GroupServer || jid.User == "" {
			return types.JID{}, chatapp.ErrNoGroup
		}
		return jid, nil
	}
	people, err := s.resolve(ctx, []parley.Phone{m.Phone})
	if err != nil {
		return types.JID{}, err
	}
	if people[m.Phone].absent() {
		return types.JID{}, chatapp.ErrNotOnChatapp
	}
	return people[m.Phone].jid, nil
}

// sendFailure converts the reason why a message was not sent. Here the code for
// "not an admin" means "not a member". If the network said until when the
// number may not write to strangers, the limit includes that time.
func (s *session) sendFailure(err error) error {
	if errors.Is(err, whatsmeow.ErrNotInGroup) {
		return fmt.Errorf("%w: %w", chatapp.ErrNotMember, err)
	}
	now := s.driver.clock.Now()
	err = failure(err, now)
	var limit *chatapp.LimitError
	if errors.As(err, &limit) && limit.Reason == chatapp.Restricted {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.restricted.After(now) {
			limit.Until = s.restricted
		}
	}
	return err
}

// upload encrypts and uploads the file of a message and returns the message
// that refers to it.
func (s *session) upload(ctx context.Context, m chatapp.Message) (*waE2E.Message, error) {
	body, err := m.Media.Open(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the file of a message: %w", err)
	}
	defer func() { _ = body.Close() }()
	kind := mediaKind(m)
	up, err := s.cli.UploadReader(ctx, body, nil, kind)
	if err != nil {
		return nil, fmt.Errorf("give the file of a message to the network: %w", failure(err, s.driver.clock.Now()))
	}
	return fileMessage(kind, m, up), nil
}

// mediaKind returns how a file is displayed. Files that phones cannot play, and
// files whose caption would be lost, are documents.
func mediaKind(m chatapp.Message) whatsmeow.MediaType {
	plain, _, err := mime.ParseMediaType(m.Media.ContentType)
	if err != nil {
		return whatsmeow.MediaDocument
	}
	switch plain {
	case "image/jpeg", "image/png":
		return whatsmeow.MediaImage
	case "video/mp4", "video/3gpp":
		return whatsmeow.MediaVideo
	case "audio/ogg", "audio/mpeg", "audio/mp4", "audio/aac", "audio/amr":
		if m.Text == "" {
			return whatsmeow.MediaAudio
		}
	}
	return whatsmeow.MediaDocument
}

// fileMessage returns a message that refers to an uploaded file.
func fileMessage(kind whatsmeow.MediaType, m chatapp.Message, up whatsmeow.UploadResponse) *waE2E.Message {
	var caption *string
	if m.Text != "" {
		caption = proto.String(m.Text)
	}
	contentType := proto.String(m.Media.ContentType)
	switch kind {
	case whatsmeow.MediaImage:
		return &waE2E.Message{ImageMessage: &waE2E.ImageMessage{
			URL: &up.URL, DirectPath: &up.DirectPath, MediaKey: up.MediaKey, FileEncSHA256: up.FileEncSHA256,
			FileSHA256: up.FileSHA256, FileLength: &up.FileLength, Mimetype: contentType, Caption: caption,
		}}
	case whatsmeow.MediaVideo:
		return &waE2E.Message{VideoMessage: &waE2E.VideoMessage{
			URL: &up.URL, DirectPath: &up.DirectPath, MediaKey: up.MediaKey, FileEncSHA256: up.FileEncSHA256,
			FileSHA256: up.FileSHA256, FileLength: &up.FileLength, Mimetype: contentType, Caption: caption,
		}}
	case whatsmeow.MediaAudio:
		return &waE2E.Message{AudioMessage: &waE2E.AudioMessage{
			URL: &up.URL, DirectPath: &up.DirectPath, MediaKey: up.MediaKey, FileEncSHA256: up.FileEncSHA256,
			FileSHA256: up.FileSHA256, FileLength: &up.FileLength, Mimetype: contentType,
		}}
	}
	name := proto.String(m.Media.FileName)
	return &waE2E.Message{DocumentMessage: &waE2E.DocumentMessage{
		URL: &up.URL, DirectPath: &up.DirectPath, MediaKey: up.MediaKey, FileEncSHA256: up.FileEncSHA256,
		FileSHA256: up.FileSHA256, FileLength: &up.FileLength, Mimetype: contentType, Caption: caption,
		FileName: name, Title: name,
	}}
}

const (
	// unknownSize is the download limit for a file of unknown size.
	unknownSize = 64 << 20
	// sizeSlack is how much encryption may add to a file.
	sizeSlack = 1 << 10
)

// media returns the fetcher for a number's files. It uses the session that
// exists at the time of the download.
func (d *Driver) media(host chatapp.Host) fetcher {
	return func(file whatsmeow.DownloadableMessage, size int64) func(context.Context) (io.ReadCloser, error) {
		if size <= 0 {
			size = unknownSize
		}
		return func(ctx context.Context) (io.ReadCloser, error) {
			s, err := d.session(ctx, host)
			if err != nil {
				return nil, err
			}
			return s.download(ctx, file, size+sizeSlack)
		}
	}
}

// download downloads a file to a temporary file, because its checksum covers
// the whole content.
func (s *session) download(ctx context.Context, file whatsmeow.DownloadableMessage, limit int64) (io.ReadCloser, error) {
	temporary, err := os.CreateTemp("", "parley-media-*")
	if err != nil {
		return nil, fmt.Errorf("fetch a file: %w", err)
	}
	copied := &limitedFile{File: temporary, limit: limit}
	err = s.cli.DownloadToFile(ctx, file, copied)
	if err == nil {
		_, err = temporary.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(mediaFailure(err, s.driver.clock.Now()), copied.Close())
	}
	return copied, nil
}

// mediaFailure converts the error of a download and separates permanent from
// temporary ones.
func mediaFailure(err error, now time.Time) error {
	for _, gone := range []error{
		whatsmeow.ErrMediaDownloadFailedWith403, whatsmeow.ErrMediaDownloadFailedWith404, whatsmeow.ErrMediaDownloadFailedWith410,
		whatsmeow.ErrNoURLPresent,
	} {
		if errors.Is(err, gone) {
			return fmt.Errorf("%w: %w", chatapp.ErrGone, err)
		}
	}
	for _, broken := range []error{
		whatsmeow.ErrTooShortFile, whatsmeow.ErrInvalidMediaHMAC, whatsmeow.ErrInvalidMediaEncSHA256, whatsmeow.ErrInvalidMediaSHA256,
		errTooLarge,
	} {
		if errors.Is(err, broken) {
			return fmt.Errorf("%w: %w", chatapp.ErrBroken, err)
		}
	}
	return fmt.Errorf("fetch a file: %w", failure(err, now))
}

// A limitedFile is a temporary file that accepts no more bytes than the sender
// announced. Close removes it.
type limitedFile struct {
	*os.File
	limit int64
}

var errTooLarge = errors.New("the file is larger than its sender said")

// Write writes at the current offset, up to the limit.
func (f *limitedFile) Write(p []byte) (int, error) {
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, err
	}
	if at+int64(len(p)) > f.limit {
		return 0, errTooLarge
	}
	return f.File.Write(p)
}

// ReadFrom copies through Write; that of os.File would bypass the limit.
func (f *limitedFile) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{f}, r)
}

// Close closes the file and removes it.
func (f *limitedFile) Close() error {
	err := f.File.Close()
	if removeErr := os.Remove(f.Name()); removeErr != nil && !errors.Is(removeErr, os.ErrNotExist) {
		err = errors.Join(err, removeErr)
	}
	return err
}
