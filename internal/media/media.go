// Package media finds out what a file is from its first bytes: its media type,
// and the size of a picture. What an uploader says of a file counts only where
// the content does not tell, and never makes it a type that a browser would show
// or run.
//
// It imports nothing of this module.
package media

import (
	"bytes"
	"image"
	"mime"
	"net/http"
	"slices"
	"strings"

	// The kinds of pictures whose size is read.
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"

	_ "golang.org/x/image/webp"
)

// HeadSize is how many of a file's first bytes Examine wants at most: what
// cameras put before a picture's size is rarely more.
const HeadSize = 256 << 10

// Unknown is the type of a file that could be anything.
const Unknown = "application/octet-stream"

// Info is what a file is.
type Info struct {
	Type          string // media type, without parameters
	Width, Height int    // of a picture, in pixels; 0 where unknown
}

// Examine tells what a file is by its first bytes, HeadSize of them or all.
// declared is the type that the uploader gave, with or without parameters.
func Examine(head []byte, declared string) Info {
	info := Info{Type: typeOf(head, plain(declared))}
	if strings.HasPrefix(info.Type, "image/") {
		if config, _, err := image.DecodeConfig(bytes.NewReader(head)); err == nil {
			info.Width, info.Height = config.Width, config.Height
		}
	}
	return info
}

// Inline reports whether a browser may show a file of the type in its place. The
// types are pictures, sounds and films that cannot hold a script.
func Inline(mediaType string) bool {
	return slices.Contains([]string{
		"image/png", "image/jpeg", "image/gif", "image/webp",
		"audio/mpeg", "audio/mp4", "audio/ogg", "video/mp4", "video/webm", "audio/webm",
	}, mediaType)
}

// plain returns a declared type without parameters, or Unknown where it is none.
func plain(declared string) string {
	kind, _, err := mime.ParseMediaType(declared)
	if major, minor, ok := strings.Cut(kind, "/"); err != nil || !ok || major == "" || minor == "" || len(kind) > 100 {
		return Unknown
	}
	return kind
}

func typeOf(head []byte, declared string) string {
	if kind := container(head, declared); kind != "" {
		return kind
	}
	sniffed, _, _ := strings.Cut(http.DetectContentType(head), ";")
	switch sniffed {
	case "audio/mpeg", "audio/wave", "video/avi", "audio/midi", "audio/aiff":
		return sniffed
	case Unknown, "text/plain", "application/zip", "text/xml":
		// Of these there are too many kinds to tell them apart by their content.
		if claimable(declared) {
			return declared
		}
	}
	return sniffed
}

// container tells the formats that hold sound, pictures or films of several
// kinds.
func container(head []byte, declared string) string {
	switch {
	case len(head) >= 12 && string(head[4:8]) == "ftyp": // ISO/IEC 14496-12, section 4.3
		switch string(head[8:12]) {
		case "M4A ", "M4B ":
			return "audio/mp4"
		case "qt  ":
			return "video/quicktime"
		case "heic", "heix", "mif1":
			return "image/heic"
		case "avif":
			return "image/avif"
		}
		return pick(declared, "audio/mp4", "video/mp4")
	case bytes.HasPrefix(head, []byte("OggS\x00")):
		return pick(declared, "video/ogg", "audio/ogg")
	case bytes.HasPrefix(head, []byte("\x1a\x45\xdf\xa3")) && bytes.Contains(head[:min(len(head), 64)], []byte("webm")):
		return pick(declared, "audio/webm", "video/webm")
	case len(head) > 3 && head[0] == 0xff && head[1]&0xfe == 0xfa && head[2]&0xf0 != 0xf0: // MPEG-1, layer III, without ID3
		return "audio/mpeg"
	}
	return ""
}

// pick returns what was declared if that is one, else the other.
func pick(declared, one, other string) string {
	if declared == one {
		return one
	}
	return other
}

// claimable reports whether a file may have the type because its uploader says
// so: not one that a browser shows or runs, whose content would have told.
func claimable(declared string) bool {
	for _, part := range []string{"html", "xml", "script", "image/", "audio/", "video/", "multipart/", "message/", "font/", "wasm", "flash"} {
		if strings.Contains(declared, part) && !strings.Contains(declared, "officedocument") {
			return false
		}
	}
	return declared != Unknown && declared != "application/pdf"
}
