package desk

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"parley"
	"parley/internal/media"
	"parley/internal/store"
	"parley/internal/wire"
)

// Files stores the content of files: in a folder, or in an S3-compatible
// bucket.
type Files interface {
	// Put stores the content and returns when it is durable. After an error
	// nothing is stored.
	Put(ctx context.Context, ws parley.WorkspaceID, file parley.ID, content io.Reader) error
	// Open returns the content of a file, or a NotFound error.
	Open(ctx context.Context, ws parley.WorkspaceID, file parley.ID) (io.ReadSeekCloser, error)
	// Delete deletes a file. Deleting a missing file has no effect.
	Delete(ctx context.Context, ws parley.WorkspaceID, file parley.ID) error
}

const (
	// uploadTime is how long an upload may take.
	uploadTime = 10 * time.Minute
	// filePurpose is the purpose of the signatures of file addresses.
	filePurpose = "file"
	// fileSlot is how long a file keeps its address, so that reading a message
	// again does not download the file again.
	fileSlot = 15 * time.Minute
	// fileSlots is the most slots for which an address is valid.
	fileSlots = 4
	// UploadsTimer is the kind of the timer that a workspace has while it has
	// unattached files.
	UploadsTimer = "expire files"
	// purgeUploadsBatch is how many files one transaction deletes.
	purgeUploadsBatch = 200
)

// Attachments are the files of messages. They are reached by [Desk.Attachments].
type Attachments struct {
	desk      *Desk
	place     Files  // nil: nothing can be uploaded
	max       int64  // Options.MaxUpload
	quota     int64  // Options.UploadQuota
	publicURL string // Options.PublicURL
}

// Attachments returns the desk's files.
func (d *Desk) Attachments() *Attachments { return d.attachments }

// NewUpload is an incoming file.
type NewUpload struct {
	FileName    string
	ContentType string    // as declared by the uploader; the content decides
	Contact     parley.ID // the customer who uploads it; zero for members and keys
	Visitor     bool      // the customer is a visitor, without an identity
	Content     io.Reader
}

// Upload stores a file. It is deleted after parley.UploadRetention unless a
// message takes it. A file beyond the limit is TooLarge; an empty or incomplete
// upload is Invalid.
//
// The row is inserted before the content is stored, so that a crash leaves no
// content without a row.
func (s *Attachments) Upload(ctx context.Context, by Caller, in NewUpload) (parley.Attachment, error) {
	if s.place == nil {
		return parley.Attachment{}, parley.Errorf(parley.Unavailable, "this server keeps no files")
	}
	leave, err := s.desk.enter(by)
	if err != nil {
		return parley.Attachment{}, err
	}
	defer leave()
	// A large file may take longer than other requests.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), uploadTime)
	defer cancel()
	return s.KeepFile(ctx, by, in)
}

// KeepFile is [Desk.Upload] limited only by the context.
func (s *Attachments) KeepFile(ctx context.Context, by Caller, in NewUpload) (parley.Attachment, error) {
	a, err := Commit(ctx, s.desk, Caller{Workspace: by.Workspace}, func(t *Tx) (Attachment, error) {
		if err := t.checkWaiting(&in, s.max, s.quota); err != nil {
			return Attachment{}, err
		}
		a := Attachment{ContactID: in.Contact, Attachment: parley.Attachment{
			ID: t.IDs.New(t.Now), FileName: FileName(in.FileName), CreatedAt: t.Now,
		}}
		if err := InsertTimer(t, t.WS, UploadsTimer, "", uploadExpiry(t.Now)); err != nil {
			return a, err
		}
		return a, InsertAttachment(t, t.WS, &a)
	})
	if err != nil {
		return a.Attachment, err
	}
	arriving := &arrival{content: in.Content, most: s.max, hash: sha256.New()}
	if err := arriving.outcome(s.place.Put(ctx, by.Workspace, a.ID, arriving)); err != nil {
		s.dropUpload(ctx, by.Workspace, a.ID)
		return a.Attachment, err
	}
	err = s.arrived(ctx, by, &a, arriving, in)
	if err != nil && parley.KindOf(err) != parley.Unavailable { // it is unknown whether the row was committed
		s.dropUpload(ctx, by.Workspace, a.ID)
	}
	return a.Attachment, err
}

// MaxUpload is the most bytes of a file.
func (s *Attachments) MaxUpload() int64 { return s.max }

// checkWaiting limits unattached files. Customers may be known only by a
// session, which is free to create, so they share a limit. Members and keys are
// trusted with quota bytes, a limit for programs that malfunction.
func (t *Tx) checkWaiting(in *NewUpload, maxUpload, quota int64) error {
	if in.Contact.IsZero() {
		waiting, err := SelectTeamWaitingBytes(t, t.WS, maxUpload)
		if err == nil && waiting >= quota {
			err = &parley.Error{Kind: parley.Limited, RetryAfter: time.Hour, Message: "too many files were uploaded that no message took; send or leave them"}
		}
		return err
	}
	n, err := CountWaitingAttachments(t, t.WS, in.Contact)
	if err != nil {
		return err
	}
	if n >= parley.MaxWaiting {
		return &parley.Error{
			Kind: parley.Limited, RetryAfter: time.Minute,
			Message: fmt.Sprintf("%d files wait for a message; send it first", n),
		}
	}
	most := int64(parley.MaxWaitingBytes)
	if in.Visitor {
		most /= 2
	}
	waiting, err := SelectWaitingBytes(t, t.WS, maxUpload)
	if err == nil && waiting >= most {
		err = &parley.Error{Kind: parley.Limited, RetryAfter: time.Hour, Message: "too many files wait for messages; try again later"}
	}
	return err
}

// arrived stores the properties of a file whose content is complete.
func (s *Attachments) arrived(ctx context.Context, by Caller, a *Attachment, arriving *arrival, in NewUpload) error {
	info := media.Examine(arriving.head, in.ContentType)
	a.Size, a.ContentType, a.Width, a.Height, a.Stored = arriving.size, info.Type, info.Width, info.Height, true
	if by.Once != nil {
		// Uploading the same content again gives the same file.
		once := *by.Once
		fmt.Fprintf(arriving.hash, "%q %q", in.FileName, in.ContentType)
		once.BodyHash = [32]byte(arriving.hash.Sum(nil))
		by.Once = &once
	}
	_, err := Commit(ctx, s.desk, by, func(t *Tx) (parley.Attachment, error) { return a.Attachment, UpdateAttachment(t, t.WS, a) })
	return err
}

// dropUpload deletes a file that did not arrive, or that had arrived before. If
// that fails, the purge does it later.
func (s *Attachments) dropUpload(ctx context.Context, ws parley.WorkspaceID, file parley.ID) {
	err := s.place.Delete(ctx, ws, file)
	if err == nil {
		_, err = Commit(ctx, s.desk, Caller{Workspace: ws}, func(t *Tx) (struct{}, error) { return struct{}{}, DeleteAttachment(t, t.WS, file) })
	}
	if err != nil {
		s.desk.log.Warn("files: incomplete upload not deleted, the purge will retry", "file", file.String(), "error", err)
	}
}

// An arrival is the content of an incoming file. It knows whether the uploader
// or the storage caused a failure.
type arrival struct {
	content io.Reader
	most    int64
	size    int64
	hash    hash.Hash
	head    []byte
	err     error // of the content
}

// Read is called by the storage.
func (r *arrival) Read(b []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	n, err := r.content.Read(b)
	r.size += int64(n)
	if r.size > r.most {
		r.err = parley.FieldErrorf(parley.TooLarge, "file", "must be at most %d bytes", r.most)
		return 0, r.err
	}
	r.hash.Write(b[:n])
	r.head = append(r.head, b[:min(n, media.HeadSize-len(r.head))]...)
	var known *parley.Error
	switch {
	case err == nil || err == io.EOF:
	case errors.As(err, &known):
		r.err = err
	default:
		r.err = parley.InvalidField("body", "arrive as a whole")
	}
	if r.err != nil {
		return n, r.err
	}
	return n, err
}

// outcome returns the error of an upload; kept is the storage's error.
func (r *arrival) outcome(kept error) error {
	switch {
	case r.err != nil:
		return r.err
	case kept != nil:
		return &parley.Error{Kind: parley.Unavailable, Message: "the file cannot be kept now; try again", RetryAfter: time.Second, Cause: kept}
	case r.size == 0:
		return parley.InvalidField("file", "not be empty")
	}
	return nil
}

// FileName turns an uploader's file name into one that is safe to show and to
// save: without folders, invisible characters, and characters that reverse the
// direction of text, and no longer than parley.MaxFileName.
func FileName(given string) string {
	name := strings.ToValidUTF8(given, "")
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029':
			return -1
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, name)
	name = strings.Trim(name, " .")
	if over := utf8.RuneCountInString(name) - parley.MaxFileName; over > 0 {
		stem, extension := name, ""
		if dot := strings.LastIndexByte(name, '.'); dot > 0 && len(name)-dot <= 20 {
			stem, extension = name[:dot], name[dot:]
		}
		letters := []rune(stem)
		name = string(letters[:len(letters)-over]) + extension
	}
	if name == "" {
		return "file"
	}
	return name
}

// Unattached returns the files that a message is to have. They must be in no other one.
func Unattached(t *Tx, in NewMessage) ([]parley.Attachment, error) {
	var files []parley.Attachment
	for _, id := range in.AttachmentIDs {
		a, err := SelectAttachment(t, parley.WholeWorkspace(t.WS), id)
		switch {
		case err != nil:
			return nil, Reference("attachmentIds", err)
		case !a.Stored || a.ContactID != in.Uploader:
			return nil, parley.FieldErrorf(parley.NotFound, "attachmentIds", "no such attachment in this workspace")
		case !a.MessageID.IsZero() || a.ScheduledID != in.ScheduledID:
			return nil, parley.FieldErrorf(parley.Conflict, "attachmentIds", "must not be those of another message; %s is", id).About(id)
		}
		files = append(files, a.Attachment)
	}
	return files, nil
}

// Attach gives a message its files, and a content type if it has none.
func (t *Tx) Attach(m *parley.Message, in NewMessage) error {
	files, err := Unattached(t, in)
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := UpdateAttachmentMessage(t, t.WS, file.ID, m); err != nil {
			return err
		}
	}
	m.Attachments = append(m.Attachments, files...)
	if m.ContentType == "" && len(m.Attachments) > 0 {
		m.ContentType = ContentTypeOf(m.Attachments[0].ContentType)
	}
	return nil
}

// ContentTypeOf returns the content type of a message with a file of a media
// type.
func ContentTypeOf(mediaType string) parley.ContentType {
	kind, _, _ := strings.Cut(mediaType, "/")
	switch kind {
	case "image":
		return parley.Image
	case "audio":
		return parley.Audio
	case "video":
		return parley.Video
	}
	return parley.File
}

// Attachment returns an uploaded file. A customer's unsent file does not exist
// for others.
func (s *Attachments) Attachment(vis parley.Visibility, id parley.ID) Read[parley.Attachment] {
	return View(s.desk, func(v *store.View) (parley.Attachment, error) {
		a, err := SelectAttachment(v, vis, id)
		if err == nil && (!a.Stored || a.MessageID.IsZero() && !a.ContactID.IsZero()) {
			err = parley.NotFoundf("no such attachment in this workspace")
		}
		return a.Attachment, err
	})
}

// FileSigner returns a signer for the addresses of a workspace's files, which
// are then valid for 45 to 60 minutes. They begin with Options.PublicURL.
func (s *Attachments) FileSigner(ws parley.WorkspaceID) wire.Signer {
	return wire.Signer{Origin: s.publicURL, Query: func(file parley.ID) string {
		until := s.desk.clock.Now().Truncate(fileSlot).Add(fileSlots * fileSlot).Unix()
		signature := slices.Concat(ws[:], s.desk.vault.Sign(filePurpose, fileStatement(ws, file, until)))
		return "e=" + strconv.FormatInt(until, 10) + "&s=" + base64.RawURLEncoding.EncodeToString(signature)
	}}
}

// fileStatement is what the signature of an address states: whoever has it may
// read the file until then.
func fileStatement(ws parley.WorkspaceID, file parley.ID, until int64) []byte {
	return strconv.AppendInt(slices.Concat(ws[:], file[:]), until, 10)
}

// A File is the content of an attachment.
type File struct {
	parley.Attachment
	Until   time.Time // the expiry of the address
	Content io.ReadSeekCloser
}

// OpenFile returns the file of a signed address; the caller must close its
// content. expires and signature are the parameters e and s of the address. If
// they are wrong, the error is Forbidden; if the file was deleted, NotFound.
func (s *Attachments) OpenFile(ctx context.Context, id parley.ID, expires, signature string) (File, error) {
	refused := parley.Errorf(parley.Forbidden, "the address of the file does not hold (any more); load its message again")
	until, err := strconv.ParseInt(expires, 10, 64)
	signed, decodeErr := base64.RawURLEncoding.Strict().DecodeString(signature)
	var ws parley.WorkspaceID
	if err != nil || decodeErr != nil || len(signed) <= len(ws) || s.place == nil {
		return File{}, refused
	}
	copy(ws[:], signed)
	f := File{Until: time.Unix(until, 0)}
	if !s.desk.vault.Signed(filePurpose, fileStatement(ws, id, until), signed[len(ws):]) || !s.desk.clock.Now().Before(f.Until) {
		return File{}, refused
	}
	a, err := View(s.desk, func(v *store.View) (Attachment, error) { return SelectAttachment(v, parley.WholeWorkspace(ws), id) }).Now(ctx)
	if err == nil && !a.Stored {
		err = parley.NotFoundf("no such attachment in this workspace")
	}
	if err != nil {
		return File{}, err
	}
	f.Attachment = a.Attachment
	f.Content, err = s.place.Open(ctx, ws, id)
	if err != nil && parley.KindOf(err) == parley.Internal {
		err = &parley.Error{Kind: parley.Unavailable, Message: "the file cannot be read now; try again", RetryAfter: time.Second, Cause: err}
	}
	return f, err
}

// UploadsExpire returns when the next unattached file of the transaction's
// workspace expires; zero if there is none.
func (t *Tx) UploadsExpire() (time.Time, error) {
	oldest, err := SelectOldestUpload(t, t.WS)
	if err != nil || oldest.IsZero() {
		return oldest, err
	}
	return uploadExpiry(oldest), nil
}

// uploadExpiry returns the first millisecond at which a file is older than
// parley.UploadRetention.
func uploadExpiry(created time.Time) time.Time {
	return created.Add(parley.UploadRetention + time.Millisecond)
}

// PurgeUploads deletes unattached files. First they become unavailable for
// messages, then their content is deleted, then their rows, so that an
// interruption leaves nothing behind. A file that cannot be deleted keeps its
// row for the next time and does not delay the others.
func (s *Attachments) PurgeUploads(ctx context.Context, ws parley.WorkspaceID) error {
	if s.place == nil {
		return nil
	}
	var after parley.Position
	var failed error // the first failure
	for left := 0; ; {
		forsaken, err := Write(ctx, s.desk, Caller{Workspace: ws}, func(t *Tx) ([]parley.Position, error) {
			return UpdateExpiredAttachments(t, t.WS, t.Now.Add(-parley.UploadRetention), after, purgeUploadsBatch)
		})
		if err != nil {
			return err
		}
		var gone []parley.ID
		for _, file := range forsaken {
			if err := s.place.Delete(ctx, ws, file.ID); err == nil {
				gone = append(gone, file.ID)
			} else if left++; failed == nil {
				failed = err
			}
		}
		if err := s.forgetUploads(ctx, ws, gone); err != nil {
			return err
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case len(forsaken) == purgeUploadsBatch:
			after = forsaken[len(forsaken)-1]
		case failed != nil:
			return fmt.Errorf("%d files of the workspace %s cannot be deleted now: %w", left, ws, failed)
		default:
			return nil
		}
	}
}

// forgetUploads deletes the rows of files whose content is deleted.
func (s *Attachments) forgetUploads(ctx context.Context, ws parley.WorkspaceID, gone []parley.ID) error {
	if len(gone) == 0 {
		return nil
	}
	_, err := Write(ctx, s.desk, Caller{Workspace: ws}, func(t *Tx) (struct{}, error) {
		for _, file := range gone {
			if err := DeleteAttachment(t, t.WS, file); err != nil {
				return struct{}{}, err
			}
		}
		return struct{}{}, nil
	})
	return err
}
