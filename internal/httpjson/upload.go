package httpjson

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"time"

	"parley"
)

// An Upload is an incoming file. Content is read while it arrives; its errors
// are meant for the caller.
type Upload struct {
	FileName    string
	ContentType string
	Content     io.Reader
}

// uploadTime is how long a file may take to arrive. It is longer than for other
// bodies, whose connections the server closes earlier.
const uploadTime = 10 * time.Minute

// answerTime is how long the answer to an upload may take after the file has
// arrived.
const answerTime = time.Minute

// maxBeside is the most bytes that a form may have besides its file.
const maxBeside = 64 << 10

// ReadUpload returns the file of the body: the part "file" of a form
// (multipart/form-data, RFC 7578), or the body itself, whose name is then the
// query parameter fileName. The caller limits its size. It gives the body more
// time to arrive than other bodies have.
func (in *Reader) ReadUpload(w http.ResponseWriter) Upload {
	// A connection without deadlines, as in a test, needs no other one.
	conn, until := http.NewResponseController(w), time.Now().Add(uploadTime)
	_ = conn.SetReadDeadline(until)
	_ = conn.SetWriteDeadline(until.Add(answerTime))
	name := in.QueryText("fileName", maxGivenName, true)
	if encoding := in.request.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		in.fatal = parley.FieldErrorf(parley.Unsupported, "Content-Encoding", "must be absent")
		return Upload{}
	}
	declared := in.request.Header.Get("Content-Type")
	kind, params, err := mime.ParseMediaType(declared)
	switch {
	case declared == "" || err == nil && kind != "multipart/form-data":
		return Upload{FileName: name, ContentType: declared, Content: in.request.Body}
	case err != nil || params["boundary"] == "":
		in.fatal = parley.FieldErrorf(parley.Unsupported, "Content-Type", "must be the media type of the file, or multipart/form-data with a boundary")
		return Upload{}
	}
	form := &form{parts: multipart.NewReader(in.request.Body, params["boundary"])}
	part, err := form.next()
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = parley.InvalidField("file", "be a part of the form")
		}
		in.fatal = err
		return Upload{}
	}
	form.file = part
	if given := part.FileName(); given != "" {
		name = given
	}
	return Upload{FileName: name, ContentType: part.Header.Get("Content-Type"), Content: form}
}

// maxGivenName is how many characters of a file's name are read.
const maxGivenName = 1000

// A form is read up to its file, and after the file only to check that the form
// is complete and the connection did not break.
type form struct {
	parts  *multipart.Reader
	file   *multipart.Part
	beside int64
}

// next moves to the part with the file. It returns io.EOF at the end of the
// form.
func (f *form) next() (*multipart.Part, error) {
	for {
		part, err := f.parts.NextPart()
		switch {
		case errors.Is(err, io.EOF):
			return nil, io.EOF
		case err != nil:
			return nil, parley.InvalidField("body", "arrive as a whole form")
		case part.FormName() == "file":
			return part, nil
		}
		n, err := io.Copy(io.Discard, io.LimitReader(part, maxBeside+1-f.beside))
		if f.beside += n; err != nil {
			return nil, parley.InvalidField("body", "arrive as a whole form")
		}
		if f.beside > maxBeside {
			return nil, parley.FieldErrorf(parley.TooLarge, "body", "must have at most %d bytes beside the file", maxBeside)
		}
	}
}

// Read reads the file. It ends only when the form has ended.
func (f *form) Read(b []byte) (int, error) {
	n, err := f.file.Read(b)
	switch {
	case err == nil:
		return n, nil
	case !errors.Is(err, io.EOF):
		return n, parley.InvalidField("body", "arrive as a whole form")
	}
	if _, err = f.next(); err != nil {
		return n, err // io.EOF is the end
	}
	return n, parley.InvalidField("file", "be there once")
}

// ContentOrNothing is "" or a text that [Content] accepts: for a message that
// may consist of files only.
func ContentOrNothing(limit int) Rule[string] {
	content := Content(limit)
	return func(raw json.RawMessage) (string, error) {
		if s, ok := stringOf(raw); ok && strings.TrimSpace(s) == "" {
			return "", nil
		}
		return content(raw)
	}
}
