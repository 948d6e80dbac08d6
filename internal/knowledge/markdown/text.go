package markdown

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// idPrefix begins the ids of headings, so that they differ from all others of a
// page.
const idPrefix = "h-"

// maxID is the most characters of an id without prefix and number.
const maxID = 60

// A Section is the plain text between two headings.
type Section struct {
	// Path are the headings above the text, the outermost first; none before the
	// first heading.
	Path []string
	ID   string // of the nearest heading in the HTML; "" before the first
	Text string // one line for each paragraph, heading excluded
}

// Sections returns the words of a text without marks and addresses, for search
// and quotation. Sections without text are included if they have a heading.
func Sections(source string) []Section {
	src, root := parse(source)
	number(root, src)
	var sections []Section
	type level struct {
		level int
		text  string
	}
	var path []level
	var body strings.Builder
	current := Section{}
	end := func() {
		current.Text = strings.TrimSpace(body.String())
		if current.Text != "" || current.ID != "" {
			sections = append(sections, current)
		}
		body.Reset()
	}
	for block := root.FirstChild(); block != nil; block = block.NextSibling() {
		heading, ok := block.(*ast.Heading)
		if !ok {
			writeText(&body, block, src)
			continue
		}
		end()
		for len(path) > 0 && path[len(path)-1].level >= heading.Level {
			path = path[:len(path)-1]
		}
		path = append(path, level{heading.Level, headingText(heading, src)})
		current = Section{ID: idOf(heading)}
		for _, above := range path {
			current.Path = append(current.Path, above.text)
		}
	}
	end()
	return sections
}

// A Link is a link of a text that a page shows as one.
type Link struct {
	Address string // of other articles: the slug, perhaps with a fragment
	Text    string
}

// Links returns the links of a text in their order, repeated ones too.
func Links(source string) []Link {
	src, root := parse(source)
	check(root, src, "")
	var links []Link
	walk(root, func(node ast.Node) {
		switch node := node.(type) {
		case *ast.Link:
			var label strings.Builder
			writeText(&label, node, src)
			links = append(links, Link{Address: string(node.Destination), Text: strings.TrimSpace(label.String())})
		case *ast.AutoLink:
			address := string(node.URL(src))
			if node.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(address, "mailto:") {
				address = "mailto:" + address
			}
			links = append(links, Link{Address: address, Text: string(node.Label(src))})
		}
	})
	return links
}

// number moves the headings below the page's title, gives them ids and lists
// them. Whatever levels an author uses, the first is h2, and none is left out
// between a heading and those below it.
func number(root ast.Node, source []byte) []Heading {
	var headings []Heading
	used, next := map[string]bool{}, map[string]int{}
	var above []int // the levels, as written, of the headings above one
	walk(root, func(node ast.Node) {
		heading, ok := node.(*ast.Heading)
		if !ok {
			return
		}
		for len(above) > 0 && above[len(above)-1] >= heading.Level {
			above = above[:len(above)-1]
		}
		above = append(above, heading.Level)
		heading.Level = min(len(above)+1, 4)
		words := headingText(heading, source)
		base := headingID(words)
		id := base
		for used[id] {
			next[base] = max(next[base], 1) + 1
			id = base + "-" + strconv.Itoa(next[base])
		}
		used[id] = true
		heading.SetAttributeString("id", []byte(id))
		headings = append(headings, Heading{Level: heading.Level, ID: id, Text: words})
	})
	return headings
}

func idOf(heading *ast.Heading) string {
	id, _ := heading.AttributeString("id")
	value, _ := id.([]byte)
	return string(value)
}

func headingText(heading *ast.Heading, source []byte) string {
	var b strings.Builder
	writeText(&b, heading, source)
	return strings.Join(strings.Fields(b.String()), " ")
}

// headingID makes an id from the text of a heading: its letters and digits in
// lower case, with hyphens between the words.
func headingID(words string) string {
	var b strings.Builder
	b.WriteString(idPrefix)
	length, gap := 0, false
	for _, r := range words {
		if length >= maxID {
			break
		}
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			gap = length > 0
			continue
		}
		if gap {
			b.WriteByte('-')
			length, gap = length+1, false
		}
		b.WriteRune(unicode.ToLower(r))
		length++
	}
	if length == 0 {
		return idPrefix + "section"
	}
	return b.String()
}

// resolved returns the words of a text node as they are shown.
func resolved(node *ast.Text, source []byte) []byte {
	value := node.Segment.Value(source)
	if node.IsRaw() || node.Parent().Kind() == ast.KindCodeSpan {
		return value
	}
	return util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(value)))
}

// writeText writes the words below a node, and ends blocks with a line feed.
func writeText(b *strings.Builder, node ast.Node, source []byte) {
	switch node := node.(type) {
	case *ast.Text:
		b.Write(resolved(node, source))
		if node.SoftLineBreak() || node.HardLineBreak() {
			b.WriteByte(' ')
		}
		return
	case *ast.String:
		b.Write(node.Value)
		return
	case *ast.AutoLink:
		b.Write(node.Label(source))
		return
	case *ast.CodeBlock, *ast.FencedCodeBlock, *plain:
		for i := range node.Lines().Len() {
			line := node.Lines().At(i)
			b.Write(line.Value(source))
		}
		b.WriteByte('\n')
		return
	case *ast.LinkReferenceDefinition:
		return
	}
	for child := node.FirstChild(); child != nil; child = child.NextSibling() {
		writeText(b, child, source)
	}
	switch {
	case node.Kind() == tables.KindTableCell:
		b.WriteByte(' ')
	case node.Type() == ast.TypeBlock:
		b.WriteByte('\n')
	}
}
