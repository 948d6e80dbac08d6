package parley

import "time"

// A LabelColor is the name of a colour; the dashboard defines how it looks.
type LabelColor string

// LabelColors lists the colours.
var LabelColors = []LabelColor{"gray", "red", "orange", "yellow", "green", "teal", "blue", "purple", "pink"}

// Addressable reports whether a URL path can contain a label: clients and
// proxies resolve "." and "..", even when escaped.
func Addressable(label string) bool { return label != "." && label != ".." }

// UnaddressableRule completes "must …" for a label that is not Addressable.
const UnaddressableRule = "not be . or .., which no address can name"

// A Label is an entry of the workspace's catalogue of labels, which members
// choose from. A conversation may have labels outside the catalogue. A name has
// at most MaxLabelLength characters.
type Label struct {
	Name      string
	Color     LabelColor
	CreatedAt time.Time
	UpdatedAt time.Time
}

// MaxShortcut is the most characters of a canned answer's shortcut.
const MaxShortcut = 32

// A CannedAnswer is a text that members insert into their answers by its
// shortcut. The text has at most MaxContent bytes.
type CannedAnswer struct {
	ID        ID
	Shortcut  string // of a-z, 0-9, "_" and "-"
	Content   string
	CreatedAt time.Time
	UpdatedAt time.Time
}

// WellFormedShortcut reports whether s is a valid shortcut: 1 to MaxShortcut
// characters of a-z, 0-9, "_" and "-".
func WellFormedShortcut(s string) bool {
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' && c != '-' {
			return false
		}
	}
	return len(s) >= 1 && len(s) <= MaxShortcut
}

// MaxCatalogue is the most labels, and the most canned answers, of a workspace.
// Each list is always read as a whole.
const MaxCatalogue = 1000
