package whatsapp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"go.mau.fi/whatsmeow"
	waBinary "go.mau.fi/whatsmeow/binary"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"google.golang.org/protobuf/proto"

	"parley"
	"parley/internal/chatapp"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func noFetch(whatsmeow.DownloadableMessage, int64) func(context.Context) (io.ReadCloser, error) {
	return nil
}

// A reading is the expected result for a message.
type reading struct {
	name string
	m    *waE2E.Message
	want string // text|content type|file name|unsupported; "" for no contribution
}

func TestContent(t *testing.T) {
	vcard := "BEGIN:VCARD\nFN:Ada\nEND:VCARD\n"
	for _, c := range []reading{
		{"text", &waE2E.Message{Conversation: proto.String("hello")}, "hello|||"},
		{"text with a preview", &waE2E.Message{ExtendedTextMessage: &waE2E.ExtendedTextMessage{Text: proto.String("see https://x.example")}}, "see https://x.example|||"},
		{"keys alone", &waE2E.Message{SenderKeyDistributionMessage: &waE2E.SenderKeyDistributionMessage{}}, ""},
		{"keys with text", &waE2E.Message{SenderKeyDistributionMessage: &waE2E.SenderKeyDistributionMessage{}, Conversation: proto.String("hi")}, "hi|||"},
		{"nothing", &waE2E.Message{}, ""},
		{"nil", nil, ""},
		{"reaction", &waE2E.Message{ReactionMessage: &waE2E.ReactionMessage{Text: proto.String("+")}}, ""},
		{"deletion", &waE2E.Message{ProtocolMessage: &waE2E.ProtocolMessage{Type: waE2E.ProtocolMessage_REVOKE.Enum()}}, ""},
		{"correction", &waE2E.Message{ProtocolMessage: &waE2E.ProtocolMessage{
			Type: waE2E.ProtocolMessage_MESSAGE_EDIT.Enum(), EditedMessage: &waE2E.Message{Conversation: proto.String("better")},
		}}, "better|||"},
		{"picture", &waE2E.Message{ImageMessage: &waE2E.ImageMessage{Mimetype: proto.String("image/jpeg"), Caption: proto.String("us")}}, "us|image/jpeg||"},
		{"voice", &waE2E.Message{AudioMessage: &waE2E.AudioMessage{Mimetype: proto.String("audio/ogg; codecs=opus")}}, "|audio/ogg; codecs=opus||"},
		{"video", &waE2E.Message{VideoMessage: &waE2E.VideoMessage{Mimetype: proto.String("video/mp4"), Caption: proto.String("look")}}, "look|video/mp4||"},
		{"round video", &waE2E.Message{PtvMessage: &waE2E.VideoMessage{Mimetype: proto.String("video/mp4")}}, "|video/mp4||"},
		{"sticker", &waE2E.Message{StickerMessage: &waE2E.StickerMessage{Mimetype: proto.String("image/webp")}}, "|image/webp||"},
		{"document", &waE2E.Message{DocumentMessage: &waE2E.DocumentMessage{FileName: proto.String("a.pdf"), Caption: proto.String("the bill")}}, "the bill|application/octet-stream|a.pdf|"},
		{"place", &waE2E.Message{LocationMessage: &waE2E.LocationMessage{
			DegreesLatitude: proto.Float64(52.5), DegreesLongitude: proto.Float64(-13.25), Name: proto.String("Shop"),
		}}, "Shop\ngeo:52.5,-13.25|||"},
		{"contact", &waE2E.Message{ContactMessage: &waE2E.ContactMessage{DisplayName: proto.String("Ada"), Vcard: &vcard}}, "|text/vcard|Ada.vcf|"},
		{"a button", &waE2E.Message{ButtonsResponseMessage: &waE2E.ButtonsResponseMessage{
			Response: &waE2E.ButtonsResponseMessage_SelectedDisplayText{SelectedDisplayText: "Yes"},
		}}, "Yes|||"},
		{"poll", &waE2E.Message{PollCreationMessageV3: &waE2E.PollCreationMessage{Name: proto.String("when?")}, MessageContextInfo: &waE2E.MessageContextInfo{}}, "|||poll"},
		{"invitation", &waE2E.Message{GroupInviteMessage: &waE2E.GroupInviteMessage{}}, "|||invitation to a group"},
		{"something new", &waE2E.Message{OrderMessage: &waE2E.OrderMessage{}}, "|||order"},
	} {
		c.check(t)
	}
}

func TestContentOfWrappers(t *testing.T) {
	for _, c := range []reading{
		{"two words", &waE2E.Message{SendPaymentMessage: &waE2E.SendPaymentMessage{}}, "|||send payment"},
		{"corrected caption", edited(&waE2E.Message{ImageMessage: &waE2E.ImageMessage{Caption: proto.String("us two")}}), "us two|||"},
		{"caption taken away", edited(&waE2E.Message{ImageMessage: &waE2E.ImageMessage{}}), ""},
		{"correction in its wrapper", &waE2E.Message{EditedMessage: wrap(edited(said("better")))}, "better|||"},
		{"album", &waE2E.Message{AlbumMessage: &waE2E.AlbumMessage{ExpectedImageCount: proto.Uint32(2)}}, ""},
		{"better picture", &waE2E.Message{AssociatedChildMessage: wrap(&waE2E.Message{ImageMessage: &waE2E.ImageMessage{Mimetype: proto.String("image/jpeg")}})}, "|image/jpeg||"},
		{"everybody mentioned", &waE2E.Message{GroupMentionedMessage: wrap(said("@all hello"))}, "@all hello|||"},
		{"disappearing", &waE2E.Message{EphemeralMessage: wrap(&waE2E.Message{SpoilerMessage: wrap(said("who did it"))})}, "who did it|||"},
		{"comment", &waE2E.Message{CommentMessage: &waE2E.CommentMessage{Message: said("nice")}}, "nice|||"},
		{"newer poll", &waE2E.Message{PollCreationMessageV4: wrap(&waE2E.Message{PollCreationMessageV3: &waE2E.PollCreationMessage{}})}, "|||poll"},
		{"mention in a status", &waE2E.Message{StatusMentionMessage: wrap(&waE2E.Message{ProtocolMessage: &waE2E.ProtocolMessage{}})}, ""},
		{"a list's answer", &waE2E.Message{InteractiveResponseMessage: &waE2E.InteractiveResponseMessage{Body: &waE2E.InteractiveResponseMessage_Body{Text: proto.String("Size M")}}}, "Size M|||"},
		{"text with buttons", &waE2E.Message{InteractiveMessage: &waE2E.InteractiveMessage{Body: &waE2E.InteractiveMessage_Body{Text: proto.String("Your parcel")}}}, "Your parcel|||"},
		{"template", &waE2E.Message{TemplateMessage: &waE2E.TemplateMessage{HydratedTemplate: &waE2E.TemplateMessage_HydratedFourRowTemplate{HydratedContentText: proto.String("Code 1234")}}}, "Code 1234|||"},
	} {
		c.check(t)
	}
}

func (c reading) check(t *testing.T) {
	t.Helper()
	in, ok := content(c.m, noFetch)
	media := chatapp.Media{}
	if in.Media != nil {
		media = *in.Media
	}
	got := fmt.Sprintf("%s|%s|%s|%s", in.Text, media.ContentType, media.FileName, in.Unsupported)
	if !ok {
		got = ""
	}
	if got != c.want {
		t.Errorf("%s: %q, want %q", c.name, got, c.want)
	}
}

func said(text string) *waE2E.Message { return &waE2E.Message{Conversation: &text} }

func wrap(m *waE2E.Message) *waE2E.FutureProofMessage { return &waE2E.FutureProofMessage{Message: m} }

func edited(m *waE2E.Message) *waE2E.Message {
	return &waE2E.Message{ProtocolMessage: &waE2E.ProtocolMessage{Type: waE2E.ProtocolMessage_MESSAGE_EDIT.Enum(), EditedMessage: m}}
}

// A sender may nest wrappers without limit, and claim any size.
func TestContentOfAnAttacker(t *testing.T) {
	loop := &waE2E.Message{}
	loop.EphemeralMessage = wrap(loop)
	if in, ok := content(loop, noFetch); ok && in.Unsupported == "" {
		t.Errorf("%+v", in)
	}
	in, _ := content(&waE2E.Message{ImageMessage: &waE2E.ImageMessage{FileLength: proto.Uint64(math.MaxUint64)}}, noFetch)
	if in.Media == nil || in.Media.Size != math.MaxInt64 {
		t.Errorf("%+v", in.Media)
	}
}

func TestContactsAreOneFile(t *testing.T) {
	one, two := "BEGIN:VCARD\nFN:Ada\nEND:VCARD", "BEGIN:VCARD\nFN:Bob\nEND:VCARD\r\n"
	in, ok := content(&waE2E.Message{ContactsArrayMessage: &waE2E.ContactsArrayMessage{
		Contacts: []*waE2E.ContactMessage{{Vcard: &one}, {Vcard: &two}},
	}}, noFetch)
	if !ok || in.Media == nil {
		t.Fatalf("%+v, %v", in, ok)
	}
	body, err := in.Media.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(body)
	if want := one + "\r\n" + two; err != nil || string(text) != want || in.Media.Size != int64(len(want)) {
		t.Errorf("%q (%d), %v", text, in.Media.Size, err)
	}
}

func TestFailure(t *testing.T) {
	iq := func(code int) error { return &whatsmeow.IQError{Code: code, Text: "whatever it says"} }
	server := func(code int) error { return fmt.Errorf("%w %d", whatsmeow.ErrServerReturnedError, code) }
	for _, c := range []struct {
		err  error
		want error
	}{
		{iq(401), chatapp.ErrNotAdmin}, {iq(403), chatapp.ErrNotAdmin}, {iq(404), chatapp.ErrNoGroup},
		{iq(406), chatapp.ErrName}, {iq(419), chatapp.ErrFull}, {iq(408), chatapp.ErrTimeout},
		{fmt.Errorf("members: %w", iq(404)), chatapp.ErrNoGroup},
		{whatsmeow.ErrIQTimedOut, chatapp.ErrTimeout}, {whatsmeow.ErrMessageTimedOut, chatapp.ErrTimeout},
		{whatsmeow.ErrIQDisconnected, chatapp.ErrTimeout}, {&whatsmeow.DisconnectedError{Action: "message send"}, chatapp.ErrTimeout},
		{whatsmeow.ErrNotConnected, chatapp.ErrNotConnected}, {whatsmeow.ErrNotLoggedIn, chatapp.ErrNotConnected},
		{server(403), chatapp.ErrNotMember}, {server(404), chatapp.ErrNoGroup}, {server(479), chatapp.ErrRefused},
		{context.Canceled, context.Canceled}, {context.DeadlineExceeded, context.DeadlineExceeded},
	} {
		if got := failure(c.err, noon); !errors.Is(got, c.want) {
			t.Errorf("%v became %v, not %v", c.err, got, c.want)
		}
	}
	for _, err := range []error{iq(500), server(500), server(408), errors.New("disk full")} {
		got := failure(err, noon)
		for _, final := range []error{chatapp.ErrRefused, chatapp.ErrNotMember, chatapp.ErrNoGroup, chatapp.ErrNotOnChatapp} {
			if errors.Is(got, final) {
				t.Errorf("%v is final: %v", err, got)
			}
		}
	}
	if failure(nil, noon) != nil {
		t.Error("no error became one")
	}
}

func TestLimits(t *testing.T) {
	hurry := &waBinary.Node{Tag: "error", Attrs: waBinary.Attrs{"code": "429", "backoff": "40"}}
	for _, c := range []struct {
		err    error
		reason chatapp.Limit
		wait   time.Duration
	}{
		{&whatsmeow.IQError{Code: 429, Text: "rate-overlimit"}, chatapp.RateLimited, rateLimit},
		{&whatsmeow.IQError{Code: 429, ErrorNode: hurry}, chatapp.RateLimited, 40 * time.Second},
		{fmt.Errorf("%w %d", whatsmeow.ErrServerReturnedError, 429), chatapp.RateLimited, rateLimit},
		{fmt.Errorf("%w %d", whatsmeow.ErrServerReturnedError, 463), chatapp.Restricted, strangerOff},
	} {
		var limit *chatapp.LimitError
		if err := failure(c.err, noon); !errors.As(err, &limit) || limit.Reason != c.reason || !limit.Until.Equal(noon.Add(c.wait)) {
			t.Errorf("%v became %v", c.err, err)
		}
	}
}

func TestIDs(t *testing.T) {
	id := parley.NewIDs(nil).New(noon).String()
	network := networkID(id)
	if len(network) != 32 || network != networkID(id) || callersID(network, noon.Add(time.Hour)) != id {
		t.Errorf("%s became %s, and that %s", id, network, callersID(network, noon))
	}
	other := networkID("invite-1-15550150")
	if other == networkID("invite-1-15550151") || !strings.HasPrefix(other, "3EB0") || len(other) != 22 {
		t.Errorf("%s", other)
	}
	// Ids from phones and other clients stay unchanged.
	for _, foreign := range []string{other, "3A0123456789ABCDEF01", "", "AC7F0E2B4D6C8E0A1B3C5D7E9F0A2B4C", strings.ToLower(network), strings.Repeat("X", 32)} {
		if got := callersID(foreign, noon); got != foreign {
			t.Errorf("%s became %s", foreign, got)
		}
	}
	if got := callersID(network, noon.AddDate(1, 0, 0)); got != network {
		t.Errorf("an id of a year ago became %s", got)
	}
}

func TestOutcome(t *testing.T) {
	expires := noon.Add(72 * time.Hour)
	ask := &types.GroupParticipantAddRequest{Code: "secret", Expiration: expires}
	for _, c := range []struct {
		p    types.GroupParticipant
		want chatapp.Outcome
		code int
	}{
		{types.GroupParticipant{}, chatapp.Added, 0},
		{types.GroupParticipant{Error: 200}, chatapp.Added, 0},
		{types.GroupParticipant{Error: 409}, chatapp.Already, 0},
		{types.GroupParticipant{Error: 404}, chatapp.NotFound, 0},
		{types.GroupParticipant{Error: 403, AddRequest: ask}, chatapp.NeedsInvite, 403},
		{types.GroupParticipant{Error: 408}, chatapp.NeedsInvite, 408},
		{types.GroupParticipant{Error: 499, AddRequest: ask}, chatapp.NeedsInvite, 499},
		{types.GroupParticipant{Error: 401}, chatapp.Refused, 401},
		{types.GroupParticipant{Error: 402}, chatapp.Refused, 402},
		{types.GroupParticipant{Error: 417}, chatapp.Refused, 417},
		{types.GroupParticipant{Error: 419}, chatapp.Refused, 419},
		{types.GroupParticipant{Error: 500}, chatapp.Refused, 500},
	} {
		got, code, invite := outcome(c.p, true)
		if got != c.want || code != c.code || (c.p.AddRequest != nil) != (invite.Code == "secret" && invite.ExpiresAt.Equal(expires)) {
			t.Errorf("%d: %v %d %+v", c.p.Error, got, code, invite)
		}
	}
	if got, _, _ := outcome(types.GroupParticipant{}, false); got != chatapp.Refused {
		t.Errorf("who is not spoken of: %v", got)
	}
}

func TestResults(t *testing.T) {
	lid := types.NewJID("9001", types.HiddenUserServer)
	host := types.NewJID("15550100", types.DefaultUserServer)
	short := person{jid: lid, phone: "553187654321"}
	j := joining{
		order: []parley.Phone{"5531987654321", "553187654321", "15550100", "15550199", "15550150"},
		people: map[parley.Phone]person{
			"5531987654321": short, "553187654321": short,
			"15550100": {jid: host, phone: "15550100"}, "15550199": {},
			"15550150": {jid: types.NewJID("15550150", types.DefaultUserServer), phone: "15550150"},
		},
		own: []types.JID{host, {}},
	}
	results := j.results([]types.GroupParticipant{
		{JID: lid, LID: lid, PhoneNumber: types.NewJID("553187654321", types.DefaultUserServer)},
		// The answer names the hidden id, with the number beside it.
		{JID: types.NewJID("9002", types.HiddenUserServer), PhoneNumber: types.NewJID("15550150", types.DefaultUserServer), Error: 403},
	})
	var got []string
	for _, r := range results {
		got = append(got, fmt.Sprintf("%s %s %s", r.Phone, r.Network, r.Outcome))
	}
	want := "5531987654321 553187654321 added, 553187654321  added, 15550100  already, 15550199  not found, 15550150  needs invite"
	if strings.Join(got, ", ") != want {
		t.Errorf("%s", strings.Join(got, ", "))
	}
}

func TestPeople(t *testing.T) {
	now := noon
	p := newPeople(func() time.Time { return now })
	phones := []parley.Phone{"15550150", "15550199", "15550150", "15550198"}
	found, ask := p.recall(phones)
	if len(found) != 0 || strings.Join(ask, " ") != "+15550150 +15550199 +15550198" {
		t.Fatalf("%v, %v", found, ask)
	}
	jid := types.NewJID("9001", types.HiddenUserServer)
	p.keep(found, ask, []types.IsOnWhatsAppResponse{
		{Query: "+15550150", JID: jid, IsIn: true, PhoneNumber: types.NewJID("15550151", types.DefaultUserServer)},
		{Query: "+15550199", JID: types.NewJID("15550199", types.DefaultUserServer)},
	})
	if one := found["15550150"]; one.jid != jid || one.phone != "15550151" {
		t.Errorf("%+v", one)
	}
	if !found["15550199"].absent() || !found["15550198"].absent() {
		t.Errorf("%+v", found)
	}
	now = noon.Add(absentTime)
	if _, ask := p.recall(phones); strings.Join(ask, " ") != "+15550199 +15550198" {
		t.Errorf("soon: %v", ask)
	}
	now = noon.Add(presentTime)
	if _, ask := p.recall(phones); len(ask) != 3 {
		t.Errorf("later: %v", ask)
	}
}

func TestReceiptStatus(t *testing.T) {
	for kind, want := range map[types.ReceiptType]parley.MessageStatus{
		types.ReceiptTypeDelivered: parley.Delivered, types.ReceiptTypeInactive: parley.Delivered,
		types.ReceiptTypeRead: parley.Read, types.ReceiptTypePlayed: parley.Read,
		types.ReceiptTypeRetry: "", types.ReceiptTypeSender: "", types.ReceiptTypeReadSelf: "", types.ReceiptTypeServerError: "",
	} {
		if got, ok := receiptStatus(kind); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v", kind, got, ok)
		}
	}
}

func TestMediaKind(t *testing.T) {
	for _, c := range []struct {
		contentType, text string
		want              whatsmeow.MediaType
	}{
		{"image/jpeg", "us", whatsmeow.MediaImage}, {"IMAGE/PNG", "", whatsmeow.MediaImage}, {"image/svg+xml", "", whatsmeow.MediaDocument},
		{"video/mp4", "", whatsmeow.MediaVideo}, {"video/webm", "", whatsmeow.MediaDocument},
		{"audio/ogg; codecs=opus", "", whatsmeow.MediaAudio}, {"audio/ogg", "listen", whatsmeow.MediaDocument},
		{"application/pdf", "", whatsmeow.MediaDocument}, {"", "", whatsmeow.MediaDocument},
	} {
		m := chatapp.Message{Text: c.text, Media: &chatapp.Media{ContentType: c.contentType, FileName: "f"}}
		got := mediaKind(m)
		if got != c.want {
			t.Errorf("%s with %q: %s", c.contentType, c.text, got)
		}
		// A message that is sent has the same content when it is received.
		in, ok := content(fileMessage(got, m, whatsmeow.UploadResponse{FileLength: 7}), noFetch)
		if !ok || in.Text != c.text || in.Media == nil || in.Media.Size != 7 || c.contentType != "" && in.Media.ContentType != c.contentType {
			t.Errorf("%s: %+v", c.contentType, in)
		}
	}
}

// Permanent failures are distinguished from temporary ones.
func TestMediaFailure(t *testing.T) {
	for _, c := range []struct{ err, want error }{
		{whatsmeow.ErrMediaDownloadFailedWith410, chatapp.ErrGone}, {whatsmeow.ErrNoURLPresent, chatapp.ErrGone},
		{whatsmeow.ErrInvalidMediaSHA256, chatapp.ErrBroken}, {whatsmeow.ErrInvalidMediaHMAC, chatapp.ErrBroken}, {errTooLarge, chatapp.ErrBroken},
		{whatsmeow.ErrIQTimedOut, chatapp.ErrTimeout}, {io.ErrUnexpectedEOF, nil},
	} {
		err := mediaFailure(fmt.Errorf("download: %w", c.err), noon)
		for _, known := range []error{chatapp.ErrGone, chatapp.ErrBroken, chatapp.ErrTimeout} {
			if errors.Is(err, known) != errors.Is(c.want, known) {
				t.Errorf("%v: %v", c.err, err)
			}
		}
	}
}

// A file uses at most the space that its sender declared, and none after it was
// read.
func TestLimitedFile(t *testing.T) {
	for _, copied := range []func(*limitedFile) error{
		func(f *limitedFile) error {
			_, err := io.Copy(f, struct{ io.Reader }{strings.NewReader("123456789")})
			return err
		},
		func(f *limitedFile) error { _, err := f.Write([]byte("123456789")); return err },
	} {
		f := &limitedFile{limit: 8}
		var err error
		if f.File, err = os.CreateTemp(t.TempDir(), ""); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte("12345678")); err != nil {
			t.Error(err)
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		if err := copied(f); !errors.Is(err, errTooLarge) {
			t.Errorf("too much: %v", err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(f.Name()); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the file is left: %v", err)
		}
	}
}
