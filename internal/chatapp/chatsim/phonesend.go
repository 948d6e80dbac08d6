package chatsim

import (
	"context"
	"fmt"
	"strings"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"google.golang.org/protobuf/proto"
)

// Send sends a text to a phone number or to the JID of a group, and returns the
// id of the message.
func (p *Phone) Send(ctx context.Context, to, said string) (string, error) {
	return p.send(ctx, to, said, nil, &waE2E.Message{Conversation: proto.String(said)})
}

// SendMedia sends a file as an image, video, audio or document, and returns the
// id of the message.
func (p *Phone) SendMedia(ctx context.Context, to string, m Media) (string, error) {
	kind := mediaKind(m.ContentType)
	up, err := p.client.Upload(ctx, m.Data, kind)
	if err != nil {
		return "", fmt.Errorf("upload: %w", err)
	}
	return p.send(ctx, to, m.Caption, &m, wrapMedia(kind, m, up))
}

func mediaKind(contentType string) whatsmeow.MediaType {
	switch first, _, _ := strings.Cut(contentType, "/"); first {
	case "image":
		return whatsmeow.MediaImage
	case "video":
		return whatsmeow.MediaVideo
	case "audio":
		return whatsmeow.MediaAudio
	}
	return whatsmeow.MediaDocument
}

func wrapMedia(kind whatsmeow.MediaType, m Media, up whatsmeow.UploadResponse) *waE2E.Message {
	caption := &m.Caption
	if m.Caption == "" {
		caption = nil
	}
	switch kind {
	case whatsmeow.MediaImage:
		return &waE2E.Message{ImageMessage: &waE2E.ImageMessage{
			Mimetype: &m.ContentType, Caption: caption, URL: &up.URL, DirectPath: &up.DirectPath, MediaKey: up.MediaKey,
			FileEncSHA256: up.FileEncSHA256, FileSHA256: up.FileSHA256, FileLength: &up.FileLength,
		}}
	case whatsmeow.MediaVideo:
		return &waE2E.Message{VideoMessage: &waE2E.VideoMessage{
			Mimetype: &m.ContentType, Caption: caption, URL: &up.URL, DirectPath: &up.DirectPath, MediaKey: up.MediaKey,
			FileEncSHA256: up.FileEncSHA256, FileSHA256: up.FileSHA256, FileLength: &up.FileLength,
		}}
	case whatsmeow.MediaAudio:
		return &waE2E.Message{AudioMessage: &waE2E.AudioMessage{
			Mimetype: &m.ContentType, URL: &up.URL, DirectPath: &up.DirectPath, MediaKey: up.MediaKey,
			FileEncSHA256: up.FileEncSHA256, FileSHA256: up.FileSHA256, FileLength: &up.FileLength,
		}}
	}
	return &waE2E.Message{DocumentMessage: &waE2E.DocumentMessage{
		Mimetype: &m.ContentType, Caption: caption, FileName: proto.String(m.FileName), URL: &up.URL,
		DirectPath: &up.DirectPath, MediaKey: up.MediaKey,
		FileEncSHA256: up.FileEncSHA256, FileSHA256: up.FileSHA256, FileLength: &up.FileLength,
	}}
}

// send sends a message and adds it to the inbox.
func (p *Phone) send(ctx context.Context, to, said string, media *Media, m *waE2E.Message) (string, error) {
	jid, err := destination(to)
	if err != nil {
		return "", err
	}
	sent, err := p.client.SendMessage(ctx, jid, m)
	if err != nil {
		return "", err
	}
	p.inbox.keep(Message{
		ID: sent.ID, Chat: to, From: p.phone, FromMe: true, Text: said, Media: media, At: sent.Timestamp.UTC(),
		chat: jid, sender: p.lid,
	})
	return sent.ID, nil
}

// destination parses a phone number or a JID.
func destination(to string) (types.JID, error) {
	if strings.Contains(to, "@") {
		return types.ParseJID(to)
	}
	return types.NewJID(to, types.DefaultUserServer), nil
}
