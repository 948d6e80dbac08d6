package wire

import (
	"bytes"

	"parley"
)

// The functions in this file insert late parts into rendered JSON: parts that
// expire before the stored JSON does (signatures of files), or that depend on
// when it is read (storeId, the public address). The log and the stored answers
// of Idempotency-Keys contain the JSON without them, and many readers get the
// same event, so nothing is decoded: each function searches the bytes for the
// name of a member.
//
// A search finds that member and nothing that a caller wrote, for two reasons.
// In JSON written by this package, a quote inside a string is escaped, so
// `"name":` begins a member wherever it occurs. And up to the end of the
// search, all objects have members of ours only: messages and files have no
// others, and in a contact the custom attributes, whose names callers choose,
// come after companyId. Records with custom attributes must not be passed to
// SignFiles.
//
// The functions do not modify their input. JSON that needs no part, or already
// has it, is returned unchanged.

const (
	addressStart = `"url":"`
	addressName  = addressStart + FilesPath
	idSize       = len("00000000-0000-0000-0000-000000000000")

	companyIDName = `"companyId":`
	storeIDName   = `,"storeId":`
)

// SignFiles inserts the signatures of files and the origin of the server into
// the JSON of messages or files that [AppendMessage] and [AppendAttachment]
// wrote.
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

// inText returns a text in its form inside a JSON string.
func inText(text string) []byte {
	quoted := appendText(nil, text)
	return quoted[1 : len(quoted)-1]
}

// WithStoreID inserts storeId after companyId into the JSON of a contact that
// [AppendContact] wrote without storeId.
func WithStoreID(contact []byte) []byte {
	_, rest, found := bytes.Cut(contact, []byte(companyIDName))
	size := bytes.IndexByte(rest, ',')
	if !found || size < 0 || bytes.HasPrefix(rest[size:], []byte(storeIDName)) {
		return contact
	}
	end := len(contact) - len(rest) + size
	b := make([]byte, 0, len(contact)+len(storeIDName)+size)
	b = append(b, contact[:end]...)
	b = append(b, storeIDName...)
	b = append(b, rest[:size]...)
	return append(b, contact[end:]...)
}
