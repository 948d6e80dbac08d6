package markdown

import (
	"reflect"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// TestRender states what becomes of each construct.
func TestRender(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"paragraph", "One *two* **three** ~~four~~ `five`", "<p>One <em>two</em> <strong>three</strong> <del>four</del> <code>five</code></p>"},
		{"headings", "# A\n## A\n###### Über uns!", "<h2 id=\"h-a\">A</h2>\n<h3 id=\"h-a-2\">A</h3>\n<h4 id=\"h-über-uns\">Über uns!</h4>"},
		{"headings with gaps", "### A\n##### B\n## C\n#### D\n# E", "<h2 id=\"h-a\">A</h2>\n<h3 id=\"h-b\">B</h3>\n<h2 id=\"h-c\">C</h2>\n<h3 id=\"h-d\">D</h3>\n<h2 id=\"h-e\">E</h2>"},
		{"heading without words", "# ???", `<h2 id="h-section">???</h2>`},
		{"list", "3. a\n4. b\n\n- c", "<ol start=\"3\">\n<li>a</li>\n<li>b</li>\n</ol>\n<ul>\n<li>c</li>\n</ul>"},
		{"code", "```js\nlet a = \"<b>\"\n```", "<pre><code>let a = &#34;&lt;b&gt;&#34;\n</code></pre>"},
		{"table", "|a|b|\n|:-|-|\n|`x\\|y`|2|", "<table>\n<thead>\n<tr>\n<th align=\"left\">a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n" +
			"<td align=\"left\"><code>x|y</code></td>\n<td>2</td>\n</tr>\n</tbody>\n</table>"},
		{"outside", "[a](https://a.example/x?y=1&z \"Title\")", `<p><a href="https://a.example/x?y=1&amp;z" title="Title" rel="nofollow noopener">a</a></p>`},
		{"bare address", "See www.example.org/a.", `<p>See <a href="http://www.example.org/a" rel="nofollow noopener">www.example.org/a</a>.</p>`},
		{"mail", "<help@example.org> or [x](mailto:a@b.example)", `<p><a href="mailto:help@example.org">help@example.org</a> or <a href="mailto:a@b.example">x</a></p>`},
		{"articles", "[a](return-a-parcel) [b](./sizes.md#Big%20ones) [c](#sizes) [d](/help/shop/en/sizes#h-x)",
			`<p><a href="/help/shop/en/return-a-parcel">a</a> <a href="/help/shop/en/sizes#h-big-ones">b</a> <a href="#h-sizes">c</a> <a href="/help/shop/en/sizes#h-x">d</a></p>`},
		{"picture", "![Box](/help/pictures/pic_1a)", `<p><img src="/help/pictures/pic_1a" alt="Box" loading="lazy"></p>`},
		{"foreign picture", "![Box](https://evil.example/x.png) ![b](/help/pictures/../../x) ![c](data:image/png;base64,AA)", "<p>Box b c</p>"},
		{"script", "<script>alert(1)</script>\n\n<img src=x onerror=alert(1)> a <b onclick=x>b</b>",
			"<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n<p>&lt;img src=x onerror=alert(1)&gt; a &lt;b onclick=x&gt;b&lt;/b&gt;</p>"},
		{"dangerous links", "[a](javascript:alert(1)) [b](JaVaScRiPt:x) [c](data:text/html,x) [d](vbscript:x) [e](//evil.example) [f](/v1/x) [g](../x) [h](ftp://a.example) <javascript:alert(1)>",
			"<p>a b c d e f g h javascript:alert(1)</p>"},
		{"entities in links", "[a](java&#115;cript:x) [b](&#x6A;avascript:x) [c](java\tscript:x)", "<p>a b [c](java\tscript:x)</p>"},
		{"attributes", "# A {onclick=x}\n\n[a](https://a.example/\"onclick=x)", "<h2 id=\"h-a-onclick-x\">A {onclick=x}</h2>\n<p><a href=\"https://a.example/%22onclick=x\" rel=\"nofollow noopener\">a</a></p>"},
		{"broken UTF-8", "a\xffb\x00c", "<p>a\uFFFDb\uFFFDc</p>"},
		{"deep quotes", strings.Repeat(">", 20) + " a", strings.Repeat("<blockquote>\n", 16) + "<p>&gt;&gt;&gt;&gt; a</p>\n" + strings.Repeat("</blockquote>\n", 16)},
		{"too many brackets", strings.Repeat("[a](b)", 600), "<p>" + strings.Repeat("[a](b)", 600) + "</p>"},
		{"too many brackets in a heading", "# " + strings.Repeat("*a* ", 600), "<p>" + strings.Repeat("*a* ", 599) + "*a*</p>"},
		{"too wide a table", strings.Repeat("a|", 70) + "\n" + strings.Repeat("-|", 70), "<p>" + strings.Repeat("a|", 70) + "\n" + strings.Repeat("-|", 70) + "</p>"},
	} {
		if got := strings.TrimSpace(Render(c.source, "/help/shop/en/").HTML); got != strings.TrimSpace(c.want) {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestHeadings renders more headings than a table of contents lists.
func TestHeadings(t *testing.T) {
	page := Render("# One *two*\n\ntext\n\nThree\n---\n", "")
	want := []Heading{{2, "h-one-two", "One two"}, {3, "h-three", "Three"}}
	if !reflect.DeepEqual(page.Headings, want) {
		t.Errorf("headings are %v, not %v", page.Headings, want)
	}
	page = Render(strings.Repeat("# Same\n\n", 10_000), "")
	if len(page.Headings) != MaxHeadings || !strings.Contains(page.HTML, `id="h-same-10000"`) {
		t.Errorf("10,000 headings give %d entries, and the last has another id", len(page.Headings))
	}
}

// TestSections reads a text as search does.
func TestSections(t *testing.T) {
	source := "Intro &amp; [link](https://a.example)\nsecond line\n\n# Returns\n\nSend *it* back.\n\n- one\n- two\n\n## In store\n\n" +
		"|a|b|\n|-|-|\n|c|`d`|\n\n```\ncode\n```\n\n# Costs\n\n![Box](/help/pictures/x) \\*free\\*"
	want := []Section{
		{nil, "", "Intro & link second line"},
		{[]string{"Returns"}, "h-returns", "Send it back.\none\n\ntwo"},
		{[]string{"Returns", "In store"}, "h-in-store", "a b \nc d \n\ncode"},
		{[]string{"Costs"}, "h-costs", "Box *free*"},
	}
	if got := Sections(source); !reflect.DeepEqual(got, want) {
		t.Errorf("sections are\n%q, not\n%q", got, want)
	}
}

// TestLinks lists what a page links.
func TestLinks(t *testing.T) {
	got := Links("[a *b*](sizes.md#x) [c](javascript:x) www.example.org <a@b.example>\n\n[d][r]\n\n[r]: https://r.example/")
	want := []Link{{"sizes#h-x", "a b"}, {"http://www.example.org", "www.example.org"}, {"mailto:a@b.example", "a@b.example"}, {"https://r.example/", "d"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("links are %v, not %v", got, want)
	}
}

// FuzzRender requires that whatever is written, the page has only permitted
// elements, attributes and addresses, and no id twice.
func FuzzRender(f *testing.F) {
	for _, unit := range hostile {
		f.Add(strings.Repeat(unit, 40))
	}
	f.Add("<script>x</script> [a](javascript:x) ![a](x \"y\") # A\n## A\n<a href='x'>")
	f.Fuzz(func(t *testing.T, source string) {
		page := Render(source, "/help/shop/en/")
		inspect(t, page.HTML)
		Sections(source)
		Links(source)
	})
}

// permitted are the elements and their attributes.
var permitted = map[string]string{
	"p": "", "br": "", "hr": "", "strong": "", "em": "", "del": "", "code": "", "pre": "", "blockquote": "", "ul": "", "ol": "start", "li": "",
	"h2": "id", "h3": "id", "h4": "id", "table": "", "thead": "", "tbody": "", "tr": "", "th": "align", "td": "align",
	"a": "href rel title", "img": "src alt loading",
}

func inspect(t *testing.T, page string) {
	t.Helper()
	ids := map[string]bool{}
	for tokens := html.NewTokenizer(strings.NewReader(page)); ; {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			return
		}
		token := tokens.Token()
		if kind == html.CommentToken || kind == html.DoctypeToken {
			t.Errorf("a comment in %.200q", page)
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		attributes, ok := permitted[token.Data]
		if !ok {
			t.Errorf("the element %q in %.200q", token.Data, page)
		}
		for _, a := range token.Attr {
			if !strings.Contains(" "+attributes+" ", " "+a.Key+" ") {
				t.Errorf("%s has the attribute %q in %.200q", token.Data, a.Key, page)
			}
			fine := true
			switch a.Key {
			case "id":
				fine = !ids[a.Val]
				ids[a.Val] = true
			case "src":
				fine = strings.HasPrefix(a.Val, "/help/pictures/")
			case "href":
				fine = strings.HasPrefix(a.Val, "http://") || strings.HasPrefix(a.Val, "https://") || strings.HasPrefix(a.Val, "mailto:") ||
					strings.HasPrefix(a.Val, "/help/") || strings.HasPrefix(a.Val, "#")
			}
			if !fine {
				t.Errorf("%s has %s=%q", token.Data, a.Key, a.Val)
			}
		}
	}
}
