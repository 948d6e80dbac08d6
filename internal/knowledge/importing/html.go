package importing

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"parley"
)

// maxTokens bounds the tags and texts of a page, and maxNodes what the parser makes of
// them. The time that they take can grow with their square.
const (
	maxTokens = 30_000
	maxNodes  = 20_000
)

// readHTML reads a page of another help center: the text of its <main>, else of its first
// <article>, else of its <body>; the title from <h1>, else from <title>; the language from
// <html lang>, else from the file's name.
func (f *File) readHTML(content string) error {
	if tokens(content) > maxTokens {
		return errors.New("has too many elements for an article")
	}
	doc, err := html.Parse(strings.NewReader(content))
	if err != nil {
		return errors.New("must be HTML with elements at most 512 levels deep")
	}
	p := findIn(doc)
	if p.nodes > maxNodes {
		return errors.New("has too many elements for an article")
	}
	if language, ok := parley.ParseLanguage(attribute(p.root, "lang")); ok {
		f.Language = language
	}
	f.Description = p.description
	f.addKeywords(strings.Split(p.keywords, ","))
	main := p.content()
	heading := first(main, atom.H1)
	if heading == nil {
		heading = p.heading
	}
	f.Title = textIn(heading)
	if f.Title == "" {
		f.Title = textIn(p.title)
	}
	if heading != nil {
		heading.Parent.RemoveChild(heading)
	}
	if size := clean(main, false); size > parley.MaxArticleBody {
		return fmt.Errorf("body: must have at most %d bytes", parley.MaxArticleBody)
	}
	body, err := newConverter().ConvertNode(main)
	if err != nil {
		return errors.New("cannot be converted to Markdown")
	}
	f.Body = strings.TrimSpace(string(body))
	return nil
}

// tokens counts the tags, texts and comments of a page, up to one more than maxTokens.
func tokens(content string) int {
	t := html.NewTokenizer(strings.NewReader(content))
	n := 0
	for n <= maxTokens && t.Next() != html.ErrorToken {
		n++
	}
	return n
}

// newConverter makes a converter that takes texts as they are. Its own escaping of text
// takes quadratic time; see [escape].
func newConverter() *converter.Converter {
	return converter.NewConverter(
		converter.WithPlugins(base.NewBasePlugin(), table.NewTablePlugin(), commonmark.NewCommonmarkPlugin(
			commonmark.WithListEndComment(false), commonmark.WithLinkEmptyHrefBehavior(commonmark.LinkBehaviorSkip),
			commonmark.WithLinkEmptyContentBehavior(commonmark.LinkBehaviorSkip))),
		converter.WithEscapeMode(converter.EscapeModeDisabled))
}

// A page is what readHTML needs of a document.
type page struct {
	root, title, heading, main, article, body *html.Node
	description, keywords                     string
	nodes                                     int
}

func findIn(doc *html.Node) *page {
	p := &page{}
	keep := func(to **html.Node, n *html.Node) {
		if *to == nil {
			*to = n
		}
	}
	for n := range doc.Descendants() {
		p.nodes++
		switch {
		case n.Type != html.ElementNode || n.Namespace != "":
		case n.DataAtom == atom.Html:
			keep(&p.root, n)
		case n.DataAtom == atom.Title:
			keep(&p.title, n)
		case n.DataAtom == atom.H1:
			keep(&p.heading, n)
		case n.DataAtom == atom.Main, attribute(n, "role") == "main":
			keep(&p.main, n)
		case n.DataAtom == atom.Article:
			keep(&p.article, n)
		case n.DataAtom == atom.Body:
			keep(&p.body, n)
		case n.DataAtom == atom.Meta && strings.EqualFold(attribute(n, "name"), "description"):
			p.description = attribute(n, "content")
		case n.DataAtom == atom.Meta && strings.EqualFold(attribute(n, "name"), "keywords"):
			p.keywords = attribute(n, "content")
		}
	}
	return p
}

// content returns the element with the article's text.
func (p *page) content() *html.Node {
	for _, n := range []*html.Node{p.main, p.article, p.body} {
		if n != nil {
			return n
		}
	}
	return p.root // a page of frames has no body
}

func first(in *html.Node, a atom.Atom) *html.Node {
	for n := range in.Descendants() {
		if n.DataAtom == a && n.Namespace == "" {
			return n
		}
	}
	return nil
}

func attribute(n *html.Node, name string) string {
	if n == nil {
		return ""
	}
	for _, a := range n.Attr {
		if a.Namespace == "" && a.Key == name {
			return strings.TrimSpace(a.Val)
		}
	}
	return ""
}

// textIn returns the text of an element on one line.
func textIn(in *html.Node) string {
	if in == nil {
		return ""
	}
	var b strings.Builder
	for n := range in.Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// gone are the elements that go with their content: they are no text, or belong to the page
// around the article.
var gone = []atom.Atom{
	atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Iframe, atom.Frame, atom.Frameset, atom.Object, atom.Embed, atom.Applet,
	atom.Svg, atom.Math, atom.Canvas, atom.Audio, atom.Video, atom.Input, atom.Button, atom.Select, atom.Textarea,
	atom.Nav, atom.Header, atom.Footer, atom.Aside, atom.Link, atom.Meta, atom.Base, atom.Title, atom.Dialog,
}

// attributes are what the Markdown of an element is made from.
var attributes = []string{"href", "src", "alt", "title", "start", "class", "align"}

// clean removes from a tree what is no text of the article: scripts, comments, the page
// around it, attributes such as handlers, and links that a browser would execute. It escapes
// the texts that are no code, and returns how many bytes there are.
func clean(in *html.Node, code bool) int {
	size := 0
	code = code || in.DataAtom == atom.Pre || in.DataAtom == atom.Code
	for n := in.FirstChild; n != nil; {
		next := n.NextSibling
		switch {
		case n.Type == html.CommentNode, n.Type == html.ElementNode && (n.Namespace != "" || slices.Contains(gone, n.DataAtom)):
			in.RemoveChild(n)
		case n.Type == html.TextNode:
			size += len(n.Data)
			if !code {
				n.Data = escape(n.Data)
			}
		default:
			if n.DataAtom == atom.Summary {
				n.DataAtom, n.Data = atom.P, "p"
			}
			n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool {
				return !slices.Contains(attributes, a.Key) || (a.Key == "href" || a.Key == "src") && !harmless(a.Val)
			})
			for _, a := range n.Attr {
				size += len(a.Val)
			}
			size += clean(n, code)
		}
		n = next
	}
	return size
}

// escape puts a backslash before each sign of a text that would mean something in Markdown.
// The converter joins the lines of a text, so that only its beginning can begin a line, and
// writes < and > as entities.
func escape(text string) string {
	var b strings.Builder
	start := true
	for i, c := range []byte(text) {
		switch {
		case strings.IndexByte("\\`*_[]~|", c) >= 0,
			start && strings.IndexByte("#-+=", c) >= 0,
			c == '&' && i+1 < len(text) && text[i+1] > ' ',
			(c == '.' || c == ')') && numbered(text[:i]):
			b.WriteByte('\\')
		}
		b.WriteByte(c)
		start = start && c <= ' '
	}
	return b.String()
}

// numbered reports whether a text is the number of an item in a list, which has at most
// nine digits.
func numbered(text string) bool {
	if len(text) > 64 {
		return false
	}
	text = strings.TrimLeft(text, " \t\n")
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// harmless reports whether an address may stand in an article: relative, or of the web, an
// e-mail or a phone. Browsers ignore tabs and line breaks within a scheme.
func harmless(address string) bool {
	address = strings.TrimFunc(strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(address), func(r rune) bool { return r <= ' ' })
	u, err := url.Parse(address)
	return err == nil && slices.Contains([]string{"", "http", "https", "mailto", "tel"}, strings.ToLower(u.Scheme))
}
