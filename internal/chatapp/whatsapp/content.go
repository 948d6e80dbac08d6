package whatsapp

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"google.golang.org/protobuf/reflect/protoreflect"

	"parley/internal/chatapp"
)

// A fetcher returns a function that downloads a file from the network.
type fetcher func(file whatsmeow.DownloadableMessage, size int64) func(context.Context) (io.ReadCloser, error)

// A file is the common interface of message kinds with a file.
type file interface {
	whatsmeow.DownloadableMessage
	GetMimetype() string
	GetFileLength() uint64
}

// content converts a message. ok is false for messages that are not part of a
// conversation: keys, reactions, deletions, settings. An edit becomes a
// separate message; an edited caption becomes text only, because the file was
// delivered before.
func content(m *waE2E.Message, fetch fetcher) (in chatapp.Incoming, ok bool) {
	m, corrects := unwrapped(m)
	if in.Text = textOf(m); in.Text != "" {
		return in, true
	}
	if f, caption := attached(m); f != nil {
		in.Text = caption
		if corrects {
			return in, caption != ""
		}
		size := int64(min(f.GetFileLength(), math.MaxInt64))
		in.Media = &chatapp.Media{
			ContentType: cmp.Or(f.GetMimetype(), "application/octet-stream"), FileName: m.GetDocumentMessage().GetFileName(),
			Size: size, Open: fetch(f, size),
		}
		return in, true
	}
	if in.Media = card(m); in.Media != nil {
		return in, true
	}
	in.Unsupported = unsupported(m)
	return in, in.Unsupported != ""
}

// maxWrappers limits the nesting of wrapped messages.
const maxWrappers = 8

// unwrapped returns the message inside its wrappers, and whether it edits an
// earlier one.
func unwrapped(m *waE2E.Message) (inner *waE2E.Message, corrects bool) {
	for range maxWrappers {
		edit := m.GetProtocolMessage()
		if edit.GetType() == waE2E.ProtocolMessage_MESSAGE_EDIT && edit.GetEditedMessage() != nil {
			m, corrects = edit.GetEditedMessage(), true
			continue
		}
		next := cmp.Or(
			m.GetEphemeralMessage().GetMessage(), m.GetDocumentWithCaptionMessage().GetMessage(), m.GetEditedMessage().GetMessage(),
			m.GetGroupMentionedMessage().GetMessage(), m.GetAssociatedChildMessage().GetMessage(), m.GetSpoilerMessage().GetMessage(),
			m.GetBotForwardedMessage().GetMessage(), m.GetQuestionMessage().GetMessage(), m.GetQuestionReplyMessage().GetMessage(),
			m.GetPollCreationMessageV4().GetMessage(), m.GetCommentMessage().GetMessage(),
		)
		if next == nil {
			break
		}
		m = next
	}
	return m, corrects
}

// textOf returns the text of a message that consists of text, with or without
// buttons.
func textOf(m *waE2E.Message) string {
	if place := m.GetLocationMessage(); place != nil {
		return location(place.GetDegreesLatitude(), place.GetDegreesLongitude(), place.GetName(), place.GetAddress())
	}
	if place := m.GetLiveLocationMessage(); place != nil {
		return location(place.GetDegreesLatitude(), place.GetDegreesLongitude(), place.GetCaption())
	}
	return cmp.Or(
		m.GetConversation(),
		m.GetExtendedTextMessage().GetText(),
		m.GetButtonsResponseMessage().GetSelectedDisplayText(),
		m.GetTemplateButtonReplyMessage().GetSelectedDisplayText(),
		m.GetListResponseMessage().GetTitle(),
		m.GetInteractiveResponseMessage().GetBody().GetText(),
		m.GetButtonsMessage().GetContentText(),
		m.GetListMessage().GetDescription(),
		m.GetInteractiveMessage().GetBody().GetText(),
		m.GetTemplateMessage().GetHydratedTemplate().GetHydratedContentText(),
		m.GetHighlyStructuredMessage().GetHydratedHsm().GetHydratedTemplate().GetHydratedContentText(),
	)
}

// location formats a place as a geo URI (RFC 5870) below its names.
func location(latitude, longitude float64, names ...string) string {
	var lines []string
	for _, name := range names {
		if name != "" {
			lines = append(lines, name)
		}
	}
	return strings.Join(append(lines, fmt.Sprintf("geo:%g,%g", latitude, longitude)), "\n")
}

// attached returns the file of a message and its caption.
func attached(m *waE2E.Message) (file, string) {
	switch {
	case m.GetImageMessage() != nil:
		return m.GetImageMessage(), m.GetImageMessage().GetCaption()
	case m.GetVideoMessage() != nil:
		return m.GetVideoMessage(), m.GetVideoMessage().GetCaption()
	case m.GetPtvMessage() != nil:
		return m.GetPtvMessage(), m.GetPtvMessage().GetCaption()
	case m.GetAudioMessage() != nil:
		return m.GetAudioMessage(), ""
	case m.GetDocumentMessage() != nil:
		return m.GetDocumentMessage(), m.GetDocumentMessage().GetCaption()
	case m.GetStickerMessage() != nil:
		return m.GetStickerMessage(), ""
	}
	return nil, ""
}

// card returns shared contacts as a file of vCards (RFC 6350), or nil.
func card(m *waE2E.Message) *chatapp.Media {
	contacts := m.GetContactsArrayMessage().GetContacts()
	if one := m.GetContactMessage(); one != nil {
		contacts = []*waE2E.ContactMessage{one}
	}
	var text strings.Builder
	for _, c := range contacts {
		text.WriteString(strings.TrimRight(c.GetVcard(), "\r\n") + "\r\n")
	}
	if len(contacts) == 0 {
		return nil
	}
	body := []byte(text.String())
	return &chatapp.Media{
		ContentType: "text/vcard", FileName: cmp.Or(contacts[0].GetDisplayName(), "contact") + ".vcf", Size: int64(len(body)),
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil },
	}
}

// unsupported returns the kind of a message that has neither text nor file, or
// "" if it is not part of a conversation.
func unsupported(m *waE2E.Message) string {
	var kind string
	m.ProtoReflect().Range(func(field protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		switch field.Name() {
		case "conversation", "extendedTextMessage", // empty
			"senderKeyDistributionMessage", "fastRatchetKeySenderKeyDistributionMessage", "messageContextInfo",
			"groupRootKeyShare", "rootSecretDistributeMessage", "secretEncryptedMessage",
			"protocolMessage", "reactionMessage", "encReactionMessage", "pinInChatMessage", "keepInChatMessage",
			"pollUpdateMessage", "pollAddOptionMessage", "pollResultSnapshotMessage", "pollResultSnapshotMessageV3",
			"pollCreationOptionImageMessage", "encEventResponseMessage", "eventCoverImage", "scheduledCallEditMessage",
			"albumMessage", // announces pictures
			"stickerSyncRmrMessage", "deviceSentMessage", "placeholderMessage", "messageHistoryBundle", "messageHistoryNotice",
			"limitSharingMessage", "statusMentionMessage", "groupStatusMentionMessage", "groupStatusMessage", "groupStatusMessageV2",
			"statusAddYours", "statusNotificationMessage", "statusLinkPreviewMetadata":
			return true
		case "pollCreationMessage", "pollCreationMessageV2", "pollCreationMessageV3", "pollCreationMessageV5", "pollCreationMessageV6":
			kind = "poll"
		case "groupInviteMessage":
			kind = "invitation to a group"
		case "call", "bcallMessage", "callLogMesssage", "scheduledCallCreationMessage":
			kind = "call"
		default:
			kind = inWords(strings.TrimSuffix(string(field.Name()), "Message"))
		}
		return false
	})
	return kind
}

// inWords splits a name like sendPayment into words.
func inWords(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
