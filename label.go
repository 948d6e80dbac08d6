package parley

import "time"

// A LabelColor is a colour by its name; the dashboard knows how it looks.
type LabelColor string

// LabelColors lists the colours.
var LabelColors = []LabelColor{"gray", "red", "orange", "yellow", "green", "teal", "blue", "purple", "pink"}

// Addressable reports whether an address can name a label: clients and proxies
// clean an address of "." and "..", escaped or not.
func Addressable(label string) bool { return label != "." && label != ".." }

// UnaddressableRule is what a message says of a label that is not Addressable.
const UnaddressableRule = "not be . or .., which no address can name"

// A Label is an entry of the workspace's catalogue of labels, from which
// members choose. A conversation may carry labels that are not in it. Its name
// has at most MaxLabelLength characters.
type Label struct {
	Name      string
	Color     LabelColor
	CreatedAt time.Time
	UpdatedAt time.Time
}

// MaxShortcut is the most characters of a canned answer's shortcut.
const MaxShortcut = 32

// A CannedAnswer is a text that members put into their answers by its
// shortcut. The text has at most MaxContent bytes.
type CannedAnswer struct {
	ID        ID
	Shortcut  string // of a-z, 0-9, "_" and "-"
	Content   string
	CreatedAt time.Time
	UpdatedAt time.Time
}

// WellFormedShortcut reports whether s can be a shortcut: 1 to MaxShortcut of
// a-z, 0-9, "_" and "-".
func WellFormedShortcut(s string) bool {
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' && c != '-' {
			return false
		}
	}
	return len(s) >= 1 && len(s) <= MaxShortcut
}

// MaxCatalogue is the most labels, and the most canned answers, of a workspace:
// they are read as a whole.
const MaxCatalogue = 1000
