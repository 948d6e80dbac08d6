package wire

import (
	"net/url"
	"time"

	"parley"
)

// FilesPath is the path of files, which is followed by the file's id and its
// name.
const FilesPath = "/v1/files/"

// A Signer makes addresses that open files for a limited time. Stored JSON has
// neither origin nor query; they are inserted when it is shown. The zero value
// adds nothing.
type Signer struct {
	Origin string // such as https://support.example; "": addresses are relative to the server
	Query  func(file parley.ID) string
}

// AppendAttachment appends a file. With a zero signer its address does not open
// it.
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

// integerOrNull writes null for 0.
func (o *object) integerOrNull(name string, value int64) {
	if value == 0 {
		o.null(name)
		return
	}
	o.integer(name, value)
}

// secondsOrNull writes a duration in seconds, null for 0.
func (o *object) secondsOrNull(name string, value time.Duration) {
	if value == 0 {
		o.null(name)
		return
	}
	o.name(name)
	o.b = appendSeconds(o.b, value)
}
