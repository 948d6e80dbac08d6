package markdown

import (
	"bytes"
	"net/url"
	"regexp"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark/ast"
	tables "github.com/yuin/goldmark/extension/ast"
)

const (
	// maxAddress is the most bytes of a link's or picture's address. Longer ones are
	// dropped.
	maxAddress = 2048
	// addressBudget is the most bytes of all addresses and titles per byte of the
	// text, because a definition is written once and may be used often.
	addressBudget = 8
	// external is the rel of links to other sites: search engines do not count them,
	// and the page that opens cannot reach this one.
	external = "nofollow noopener"
)

// policy is the second wall: it permits what the parser produces for the
// dialect, and no more.
var policy = func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "strong", "em", "del", "code", "pre", "blockquote", "ul", "ol", "li", "h2", "h3", "h4",
		"table", "thead", "tbody", "tr", "th", "td")
	p.AllowAttrs("id").Matching(regexp.MustCompile(`^h-[\p{L}\p{N}-]+$`)).OnElements("h2", "h3", "h4")
	p.AllowAttrs("start").Matching(regexp.MustCompile(`^[0-9]{1,9}$`)).OnElements("ol")
	p.AllowAttrs("align").Matching(regexp.MustCompile(`^(left|center|right)$`)).OnElements("th", "td")
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("rel").Matching(regexp.MustCompile("^" + external + "$")).OnElements("a")
	p.AllowAttrs("title").OnElements("a")
	p.AllowAttrs("src").Matching(pictures).OnElements("img")
	p.AllowAttrs("alt").OnElements("img")
	p.AllowAttrs("loading").Matching(regexp.MustCompile("^lazy$")).OnElements("img")
	p.RequireParseableURLs(true)
	p.AllowRelativeURLs(true)
	p.AllowURLSchemes("http", "https", "mailto")
	return p
}()

var (
	pictures = regexp.MustCompile(`^/help/pictures/[A-Za-z0-9_-]{1,64}$`)
	// article is a link to another article: its slug, as the importer of a folder
	// leaves it or with the ending of a file.
	article = regexp.MustCompile(`^(?:\./)?([a-z0-9][a-z0-9-]{0,79})(?:\.md)?$`)
	page    = regexp.MustCompile(`^/help/[a-z0-9-]+(?:/[A-Za-z0-9-]+)*$`)
)

// AsText returns how many links and pictures of a text a page shows as text alone,
// because of their addresses: a page links only to articles, headings, the web and
// e-mail, and shows only pictures of this server.
func AsText(source string) (links, pictures int) {
	src, root := parse(source)
	return check(root, src, "")
}

// check replaces what may not be linked or shown by its text, completes the
// addresses of articles, and marks links to other sites. It returns how many links
// and pictures it replaced.
func check(root ast.Node, source []byte, base string) (links, images int) {
	budget := addressBudget * (len(source) + maxAddress)
	walk(root, func(node ast.Node) {
		switch node := node.(type) {
		case *ast.Link:
			budget -= len(node.Destination) + len(node.Title)
			address, rel := "", ""
			if budget >= 0 {
				address, rel = target(node.Destination, base)
			}
			if address == "" {
				links++
				unwrap(node)
				return
			}
			node.Destination = []byte(address)
			if rel != "" {
				node.SetAttributeString("rel", []byte(rel))
			}
		case *ast.AutoLink:
			checkAutoLink(node, source, base)
		case *ast.Image:
			budget -= len(node.Destination)
			if budget < 0 || !pictures.Match(node.Destination) {
				images++
				unwrap(node)
				return
			}
			node.Title = nil
			node.SetAttributeString("loading", []byte("lazy"))
		case *tables.TableCell:
			unescapePipes(node, source)
		}
	})
	return links, images
}

// walk visits a tree from the leaves up. The visitor may replace the node.
func walk(node ast.Node, visit func(ast.Node)) {
	for child := node.FirstChild(); child != nil; {
		next := child.NextSibling()
		walk(child, visit)
		child = next
	}
	visit(node)
}

// unwrap replaces a node by its children.
func unwrap(node ast.Node) {
	parent := node.Parent()
	for child := node.FirstChild(); child != nil; {
		next := child.NextSibling()
		parent.InsertBefore(parent, node, child)
		child = next
	}
	parent.RemoveChild(parent, node)
}

// target returns the address for a link as it was written, "" if it may not be
// a link, and its rel.
func target(written []byte, base string) (address, rel string) {
	if len(written) > maxAddress {
		return "", ""
	}
	path, fragment, hasFragment := strings.Cut(string(written), "#")
	if hasFragment {
		fragment = "#" + headingID(unescape(strings.TrimPrefix(fragment, idPrefix)))
	}
	switch slug := article.FindStringSubmatch(path); {
	case path == "" && hasFragment:
		return fragment, ""
	case slug != nil:
		return base + slug[1] + fragment, ""
	case page.MatchString(path):
		return path + fragment, ""
	}
	parsed, err := url.Parse(string(written))
	switch {
	case err != nil:
		return "", ""
	case (parsed.Scheme == "http" || parsed.Scheme == "https") && parsed.Host != "":
		return string(written), external
	case parsed.Scheme == "mailto" && strings.Contains(parsed.Opaque, "@"):
		return string(written), ""
	}
	return "", ""
}

// unescape decodes a fragment, which remains as it is if it is malformed.
func unescape(fragment string) string {
	if decoded, err := url.PathUnescape(fragment); err == nil {
		return decoded
	}
	return fragment
}

// checkAutoLink does for an address in the text what check does for links.
func checkAutoLink(node *ast.AutoLink, source []byte, base string) {
	address := string(node.URL(source))
	if node.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(address, "mailto:") {
		address = "mailto:" + address
	}
	checked, rel := target([]byte(address), base)
	switch {
	case checked == "":
		node.Parent().ReplaceChild(node.Parent(), node, ast.NewString(node.Label(source)))
	case rel != "":
		node.SetAttributeString("rel", []byte(rel))
	}
}

// unescapePipes removes the backslashes that keep a "|" in code from ending the
// cell.
func unescapePipes(cell *tables.TableCell, source []byte) {
	walk(cell, func(node ast.Node) {
		words, ok := node.(*ast.Text)
		if !ok || node.Parent().Kind() != ast.KindCodeSpan {
			return
		}
		for rest := words.Segment; ; {
			at := bytes.Index(rest.Value(source), []byte(`\|`))
			if at < 0 {
				words.Segment = rest
				return
			}
			before := ast.NewRawTextSegment(rest.WithStop(rest.Start + at))
			node.Parent().InsertBefore(node.Parent(), node, before)
			rest = rest.WithStart(rest.Start + at + 1)
		}
	})
}
