// Package markdown turns the Markdown of articles into HTML that is safe on a
// public page, and into plain text for search.
//
// It imports nothing of this module. The dialect is CommonMark with tables,
// strikethrough and bare addresses as links. HTML in a text is shown as it was
// written. What the parser produces passes through a policy of permitted
// elements and attributes, so that a fault of one is stopped by the other.
//
// Authors are members, and imported texts are anyone's, so the cost is bounded:
// time and output are proportional to the length of a text, whatever it
// contains (bounds.go). A passage that would cost more is shown as plain text.
package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// MaxSource is the most bytes of a text that are read. The rest is ignored.
const MaxSource = 256 << 10

// MaxHeadings is the most headings of [Page.Headings]. Further ones are in the
// HTML and have ids.
const MaxHeadings = 200

// A Page is a rendered text.
type Page struct {
	// HTML needs no escaping. Its headings are h2 to h4, below the title of the page,
	// its pictures have addresses below /help/pictures/, and it contains no classes,
	// styles or scripts.
	HTML string
	// Headings is the table of contents, at most MaxHeadings entries.
	Headings []Heading
}

// A Heading is an entry of a table of contents.
type Heading struct {
	Level int    // 2 to 4, as in the HTML
	ID    string // the element's id, unique in the page
	Text  string // plain text
}

// Render renders a text. The addresses of links to other articles, which are
// written as a slug, begin with base, such as "/help/shop/en/".
func Render(source, base string) Page {
	src, root := parse(source)
	check(root, src, base)
	headings := number(root, src)
	var out bytes.Buffer
	if err := dialect.Renderer().Render(&out, src, root); err != nil {
		panic(err) // a buffer takes everything
	}
	return Page{HTML: policy.SanitizeReader(&out).String(), Headings: headings[:min(len(headings), MaxHeadings)]}
}

// dialect parses and renders. It has no parsers for HTML.
var dialect = goldmark.New(
	goldmark.WithParser(parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(boundedHeading{parser.NewSetextHeadingParser()}, 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(boundedContainer{parser.NewListParser()}, 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(boundedHeading{parser.NewATXHeadingParser()}, 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(boundedContainer{parser.NewBlockquoteParser()}, 800),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewEmphasisParser(), 500),
			util.Prioritized(extension.NewStrikethroughParser(), 500),
			util.Prioritized(extension.NewLinkifyParser(extension.WithLinkifyAllowedProtocols([]string{"http:", "https:"})), 999),
		),
		parser.WithParagraphTransformers(
			util.Prioritized(boundedDefinitions{}, 100),
			util.Prioritized(boundedTable{extension.NewTableParagraphTransformer()}, 200),
			util.Prioritized(boundedParagraph{}, 300),
		),
	)),
	goldmark.WithRenderer(renderer.NewRenderer(renderer.WithNodeRenderers(
		util.Prioritized(plainRenderer{}, 100),
		util.Prioritized(extension.NewTableHTMLRenderer(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), 500),
		util.Prioritized(extension.NewStrikethroughHTMLRenderer(), 500),
		util.Prioritized(html.NewRenderer(), 1000),
	))),
)

// parse returns the bytes to which the nodes refer, and the tree.
func parse(source string) ([]byte, ast.Node) {
	if len(source) > MaxSource {
		source = source[:MaxSource]
	}
	src := []byte(strings.ToValidUTF8(source, "\uFFFD"))
	return src, dialect.Parser().Parse(text.NewReader(src))
}
