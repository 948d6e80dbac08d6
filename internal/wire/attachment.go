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

// A Signer makes addresses that open files for a while. What is kept has neither
// origin nor query: they are put in when it is shown. The zero value adds nothing.
type Signer struct {
	Origin string // such as https://support.example; "" for addresses relative to the server
	Query  func(file parley.ID) string
}

// AppendAttachment appends a file. With a zero signer its address opens nothing.
func AppendAttachment(b []byte, a *parley.Attachment, sign Signer) []byte {
	o := open(b)
	o.id("id", a.ID)
	o.text("fileName", a.FileName)
	o.text("contentType", a.ContentType)
	o.integer("size", a.Size)
	address := sign.Origin + FilesPath + a.ID.String() + "/" + url.PathEscape(a.FileName)
	if sign.Query != nil {
		address += "?" + sign.Query(a.ID)
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
	addressStart = `"url":"`
	addressName  = addressStart + FilesPath
	idSize       = len("00000000-0000-0000-0000-000000000000")
)

// SignFiles returns the JSON of a message or a file, as AppendMessage and
// AppendAttachment wrote it, with the signatures of the files and the origin of
// the server. The given text is not changed; what has no files, or has
// signatures, comes back as it is.
//
// Nothing is decoded. Neither has a member whose name a caller chose, and quotes
// inside strings are escaped, so what looks like the name of a member here is
// one. That does not hold of records with custom attributes.
func SignFiles(message []byte, sign Signer) []byte {
	if !bytes.Contains(message, []byte(addressName)) {
		return message
	}
	b := make([]byte, 0, len(message)+256)
	origin := inText(sign.Origin)
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
		id, ok := parley.ParseID(string(rest[start : start+idSize]))
		if ok && bytes.IndexByte(rest[start:end], '?') < 0 {
			path := at + len(addressStart)
			b = append(append(b, rest[:path]...), origin...)
			b = append(append(b, rest[path:end]...), inText("?"+sign.Query(id))...)
		} else {
			b = append(b, rest[:end]...)
		}
		rest = rest[end:]
	}
}

// inText returns a text as it stands inside a text of JSON.
func inText(text string) []byte {
	quoted := appendText(nil, text)
	return quoted[1 : len(quoted)-1]
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
