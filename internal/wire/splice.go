package wire

import (
	"bytes"

	"parley"
)

// The functions of this file put late parts into JSON that was rendered before:
// parts that end before what is kept does (signatures of files), or that depend
// on when it is read (storeId, the public address). The log and the answers of
// Idempotency-Keys keep the JSON without them, and many readers get one event, so
// nothing is decoded: each function looks for the name of a member in the bytes.
//
// What it finds is that member and nothing that a caller wrote, for two reasons.
// In a text of this package a quote inside a string is escaped, so `"name":`
// begins a member wherever it stands. And up to where the search ends, every
// object has members of ours alone: a message and a file have no others, and in
// a contact the custom attributes, whose names a caller chooses, stand behind
// companyId. Records with custom attributes must not be given to SignFiles.
//
// The functions do not change the text that they are given. What needs no part,
// or has it, comes back as it is.

const (
	addressStart = `"url":"`
	addressName  = addressStart + FilesPath
	idSize       = len("00000000-0000-0000-0000-000000000000")

	companyIDName = `"companyId":`
	storeIDName   = `,"storeId":`
)

// SignFiles returns the JSON of messages or files, as AppendMessage and
// AppendAttachment wrote it, with the signatures of the files and the origin of
// the server.
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

// WithStoreID returns the JSON of a contact, as AppendContact wrote it without
// storeId, with storeId behind companyId.
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
