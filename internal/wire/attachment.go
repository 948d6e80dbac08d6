package wire

import (
	"bytes"
	"net/url"
	"time"

	"parley"
)

// FilesPath is where files are, below which their addresses have the file's id
// and its name.
const FilesPath = "/v1/files/"

// A Signer makes the query that lets an address open a file for a while. What is
// kept has none: it is put in when it is shown.
type Signer func(file parley.ID) (query string)

// AppendAttachment appends a file. Without a signer its address opens nothing.
func AppendAttachment(b []byte, a *parley.Attachment, sign Signer) []byte {
	o := open(b)
	o.id("id", a.ID)
	o.text("fileName", a.FileName)
	o.text("contentType", a.ContentType)
	o.integer("size", a.Size)
	address := FilesPath + a.ID.String() + "/" + url.PathEscape(a.FileName)
	if sign != nil {
		address += "?" + sign(a.ID)
	}
	o.text("url", address)
	o.integerOrNull("width", int64(a.Width))
	o.integerOrNull("height", int64(a.Height))
	o.secondsOrNull("duration", a.Duration)
	return o.close()
}

// appendAttachments writes the files of a message.
func appendAttachments(o *object, attachments []parley.Attachment, sign Signer) {
	if len(attachments) == 0 {
		raw(o, "attachments", "[]")
		return
	}
	list(o, "attachments", attachments, func(b []byte, a *parley.Attachment) []byte { return AppendAttachment(b, a, sign) })
}

const (
	addressName = `"url":"` + FilesPath
	idSize      = len("00000000-0000-0000-0000-000000000000")
)

// SignFiles returns the JSON of a message or a file, as AppendMessage and
// AppendAttachment wrote it, with the signatures of the files. The given text is
// not changed; what has no files, or has signatures, comes back as it is.
//
// Nothing is decoded. Neither has a member whose name a caller chose, and quotes
// inside strings are escaped, so what looks like the name of a member here is
// one. That does not hold of records with custom attributes.
func SignFiles(message []byte, sign Signer) []byte {
	if !bytes.Contains(message, []byte(addressName)) {
		return message
	}
	b := make([]byte, 0, len(message)+256)
	rest := message
	for {
		at := bytes.Index(rest, []byte(addressName))
		if at < 0 {
			return append(b, rest...)
		}
		start := at + len(addressName)
		size := bytes.IndexByte(rest[start:], '"') // a name in an address has no quotes
		if size < idSize {
			return message
		}
		end := start + size
		b = append(b, rest[:end]...)
		id, ok := parley.ParseID(string(rest[start : start+idSize]))
		if ok && bytes.IndexByte(rest[start:end], '?') < 0 {
			query := appendText(nil, "?"+sign(id))
			b = append(b, query[1:len(query)-1]...)
		}
		rest = rest[end:]
	}
}

// integerOrNull writes null for 0.
func (o *object) integerOrNull(name string, value int64) {
	if value == 0 {
		o.null(name)
		return
	}
	o.integer(name, value)
}

// secondsOrNull writes a length of time in seconds, null for 0.
func (o *object) secondsOrNull(name string, value time.Duration) {
	if value == 0 {
		o.null(name)
		return
	}
	o.name(name)
	o.b = appendSeconds(o.b, value)
}
