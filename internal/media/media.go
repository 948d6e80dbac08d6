// Package media detects the type of a file from its first bytes, and the size
// of a picture. The type that the uploader declares counts only if the content
// is inconclusive, and never makes the file a type that a browser would display
// or execute.
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

	// Decoders of the picture formats whose size is read.
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"

	// The standard library does not read this one.
	_ "golang.org/x/image/webp"
)

// HeadSize is how many of a file's first bytes Examine needs at most. Cameras
// rarely put more in front of the size of a picture.
const HeadSize = 256 << 10

// Unknown is the type of a file of unknown type.
const Unknown = "application/octet-stream"

// Info describes a file.
type Info struct {
	Type          string // media type, without parameters
	Width, Height int    // of a picture, in pixels; 0 if unknown
}

// Examine detects the type of a file from its first HeadSize bytes, or from all
// if it is shorter. declared is the uploader's type, with or without
// parameters.
func Examine(head []byte, declared string) Info {
	info := Info{Type: typeOf(head, bareType(declared))}
	if strings.HasPrefix(info.Type, "image/") {
		if config, _, err := image.DecodeConfig(bytes.NewReader(head)); err == nil {
			info.Width, info.Height = config.Width, config.Height
		}
	}
	return info
}

// Inline reports whether a browser may display a file of the type inline:
// pictures, sound and video in formats that cannot contain scripts.
func Inline(mediaType string) bool {
	return slices.Contains([]string{
		"image/png", "image/jpeg", "image/gif", "image/webp",
		"audio/mpeg", "audio/mp4", "audio/ogg", "video/mp4", "video/webm", "audio/webm",
	}, mediaType)
}

// bareType returns a declared type without parameters, or Unknown if it is
// invalid.
func bareType(declared string) string {
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
		// Too many file formats look like these to tell them apart by content.
		if declarable(declared) {
			return declared
		}
	}
	return sniffed
}

// container detects the container formats, which can hold sound, pictures or
// video.
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

// pick returns one if it was declared, else other.
func pick(declared, one, other string) string {
	if declared == one {
		return one
	}
	return other
}

// declarable reports whether a declared type is accepted without evidence in the
// content. Types that browsers display or execute are not; their content would
// have been recognized.
func declarable(declared string) bool {
	for _, part := range []string{"html", "xml", "script", "image/", "audio/", "video/", "multipart/", "message/", "font/", "wasm", "flash"} {
		if strings.Contains(declared, part) && !strings.Contains(declared, "officedocument") {
			return false
		}
	}
	return declared != Unknown && declared != "application/pdf"
}
