package importing

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"parley"
)

// folder makes a folder of files, by path.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func read(t *testing.T, dir string, o Options) []File {
	t.Helper()
	f, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}()
	return slices.Collect(f.Files(o))
}

// one reads a folder with a single file.
func one(t *testing.T, name, content string, o Options) File {
	t.Helper()
	files := read(t, folder(t, map[string]string{name: content}), o)
	if len(files) != 1 || files[0].Path != name {
		t.Fatalf("read %v, want %s", files, name)
	}
	return files[0]
}

// TestFolder reads the files in the order of their paths, skips what is no article, and
// refuses what leads out of the folder, alone and with its reason.
func TestFolder(t *testing.T) {
	const text = "---\nlanguage: en\n---\n# T\n"
	secret := filepath.Join(folder(t, map[string]string{"secret.md": text}), "secret.md")
	dir := folder(t, map[string]string{
		"b/return.de.md": "# Rückgabe\nText", "b/return.en.md": "# Return\nText", "a.markdown": text, "z.HTM": `<html lang=fr><h1>Z</h1>z`,
		"picture.png": "x", ".git/x.md": text, ".hidden.md": text, "none.md": "# T", "same.md": "---\nkey: a\nlanguage: en\n---\n# T",
	})
	link := func(to, name string) {
		t.Helper()
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	link(secret, "out.md")
	link("../../..", "up")
	link("b", "folder")
	link("b/return.en.md", "inside.fr.md")
	link("nowhere.md", "dangling.md")
	link("picture.png", "other.png")
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range read(t, dir, Options{}) {
		line := f.Path + " " + f.Key + " " + string(f.Language) + " " + f.Title
		if f.Err != nil {
			line = f.Path + ": " + f.Err.Error()
		}
		got = append(got, line)
	}
	want := []string{
		"a.markdown a en T",
		"b/return.de.md return de Rückgabe",
		"b/return.en.md return en Return",
		"dangling.md: is a link that leads out of the folder, or nowhere",
		"folder: is a link to a folder; links to folders are not followed",
		"inside.fr.md inside fr Return",
		"none.md: language: must be given in the file, in its name as in key.en.md, or by --language",
		"out.md: is a link that leads out of the folder, or nowhere",
		"pipe.md: is not a regular file",
		"same.md a en T",
		"up: is a link that leads out of the folder, or nowhere",
		"z.HTM z fr Z",
	}
	if !slices.Equal(got, want) {
		t.Errorf("read\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if f := read(t, dir, Options{Language: "nl", Publish: true}); f[6].Language != "nl" || !f[6].Published {
		t.Errorf("with options: %+v", f[6])
	}
}

// A lockedFolder has a folder that cannot be read, however much it may.
type lockedFolder struct{ fstest.MapFS }

func (l lockedFolder) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == "locked" {
		return nil, fs.ErrPermission
	}
	return l.MapFS.ReadDir(name)
}

// TestLockedFolder reads the files beside a folder that cannot be read.
func TestLockedFolder(t *testing.T) {
	text := &fstest.MapFile{Data: []byte("# T")}
	f, err := OpenFS(lockedFolder{fstest.MapFS{"a.en.md": text, "locked/b.en.md": text, "z.en.md": text}})
	if err != nil {
		t.Fatal(err)
	}
	files := slices.Collect(f.Files(Options{}))
	if len(files) != 3 || files[0].Err != nil || files[1].Path != "locked" || files[1].Err == nil || files[1].Err.Error() != "cannot be read" || files[2].Err != nil {
		t.Errorf("read %+v", files)
	}
}

func TestFolderLimits(t *testing.T) {
	if _, err := Open(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a folder that does not exist is opened")
	}
	deep := strings.Repeat("d/", MaxFolders)
	if files := read(t, folder(t, map[string]string{deep + "a.en.md": "# T"}), Options{}); len(files) != 1 || files[0].Err != nil {
		t.Errorf("at the limit: %v", files)
	}
	if _, err := Open(folder(t, map[string]string{deep + "d/a.en.md": "# T"})); err == nil || !strings.Contains(err.Error(), "at most 16 levels deep") {
		t.Errorf("too deep: %v", err)
	}
	dir := t.TempDir()
	for i := range MaxFiles + 1 {
		if err := os.Link(os.DevNull, filepath.Join(dir, "x")); i == 0 && err == nil {
			t.Fatal("a device was linked")
		}
		if err := os.Symlink("none", filepath.Join(dir, strconv.Itoa(i)+".md")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "more than 20000 files") {
		t.Errorf("too many files: %v", err)
	}
}

// TestBadFiles refuses files that are too large or broken, with the reason.
func TestBadFiles(t *testing.T) {
	matter := func(line string) string { return "---\nlanguage: en\ntitle: T\n" + line + "\n---\nx" }
	for name, row := range map[string]struct{ file, content, want string }{
		"5 MB":             {"a.en.md", strings.Repeat("text ", 1<<20), "must have at most 393216 bytes"},
		"5 MB of HTML":     {"a.en.html", strings.Repeat("text ", 1<<20), "must have at most 1048576 bytes"},
		"long HTML":        {"a.en.html", strings.Repeat("text ", 60_000), "body: must have at most 262144 bytes"},
		"broken UTF-8":     {"a.en.md", "# T\xff", "must be UTF-8; byte 4 is not"},
		"broken HTML":      {"a.en.html", "<h1>ol\xe9</h1>", "must be UTF-8; byte 7 is not"},
		"10,000 headings":  {"a.en.md", "# T\n" + strings.Repeat("# a\n", 10_000), "body: must have at most 1000 headings"},
		"underlined":       {"a.en.md", "# T\n" + strings.Repeat("a\n=\n\n", 1001), "body: must have at most 1000 headings"},
		"frames":           {"a.en.html", "<frameset><frame src=x></frameset>", "title: must be 1 to 200 characters"},
		"nothing":          {"a.en.html", "", "title: must be 1 to 200 characters"},
		"headings in HTML": {"a.en.html", "<h1>T</h1>" + strings.Repeat("<h2>a</h2>", 2000), "body: must have at most 1000 headings"},
		"elements":         {"a.en.html", strings.Repeat("<br>", 31_000), "has too many elements for an article"},
		"implied elements": {"a.en.html", strings.Repeat("<a><b><p>", 5_000), "has too many elements for an article"},
		"nesting":          {"a.en.html", strings.Repeat("<div>", 600), "must be HTML with elements at most 512 levels deep"},
		"no end":           {"a.en.md", "---\ntitle: T\n", "front matter: must end with a line --- within 65536 bytes"},
		"far end":          {"a.en.md", "---\n" + strings.Repeat("a: b\n", 20_000) + "---\n", "front matter: must end with a line --- within 65536 bytes"},
		"no name":          {"a.en.md", matter("Return a parcel"), "front matter: line 4 must be a name and a value, such as title: Return a parcel"},
		"first line":       {"a.en.md", "---\n  x\n---\n", "front matter: line 2 must be a name and a value, such as title: Return a parcel"},
		"twice":            {"a.en.md", matter("title: U"), `front matter: line 4 repeats "title"`},
		"anchor":           {"a.en.md", matter("category: &a x"), "category: must be a text; put it in quotes if it begins or ends with a sign (line 4)"},
		"alias":            {"a.en.md", matter("category: *a"), "category: must be a text; put it in quotes if it begins or ends with a sign (line 4)"},
		"tag":              {"a.en.md", matter("category: !!str x"), "category: must be a text; put it in quotes if it begins or ends with a sign (line 4)"},
		"open quote":       {"a.en.md", matter("category: 'x"), "category: must be a text; put it in quotes if it begins or ends with a sign (line 4)"},
		"behind a quote":   {"a.en.md", matter(`category: "x" y`), "category: must be a text; put it in quotes if it begins or ends with a sign (line 4)"},
		"escape":           {"a.en.md", matter(`category: "\q"`), "category: must be a text; put it in quotes if it begins or ends with a sign (line 4)"},
		"list for text":    {"a.en.md", matter("category: [x]"), "category: must be a text; put it in quotes if it begins or ends with a sign (line 4)"},
		"items for text":   {"a.en.md", matter("category:\n- x"), "category: must be a text; put it in quotes if it begins or ends with a sign (line 4)"},
		"open list":        {"a.en.md", matter("keywords: [a, b"), `keywords: must be a list such as [wrong size, "too small, too big"] (line 4)`},
		"behind a list":    {"a.en.md", matter("keywords: [a] b"), `keywords: must be a list such as [wrong size, "too small, too big"] (line 4)`},
		"nested list":      {"a.en.md", matter("keywords: [a, [b]]"), `keywords: must be a list such as [wrong size, "too small, too big"] (line 4)`},
		"nested map":       {"a.en.md", matter("keywords:\n- {a: b}"), "keywords: must be a text; put it in quotes if it begins or ends with a sign (line 4)"},
		"state":            {"a.en.md", matter("state: archived"), "state: must be draft or published (line 4)"},
		"language":         {"a.md", "---\nlanguage: english\n---\n", "language: must be a language such as pt-BR or en (line 2)"},
		"other language":   {"a.de.md", "---\nlanguage: en\n---\n", "language: must be de, as in the file's name (line 2)"},
	} {
		t.Run(name, func(t *testing.T) {
			f := one(t, row.file, row.content, Options{})
			if f.Err == nil || f.Err.Error() != row.want {
				t.Errorf("the error is %v, want %q", f.Err, row.want)
			}
			if f.Title != "" || f.Body != "" {
				t.Errorf("a refused file has a text: %+v", f)
			}
		})
	}
}

func TestMarkdown(t *testing.T) {
	f := one(t, "x.md", "\ufeff---\r\n# a comment\r\nkey: return-a-parcel # and another\r\n'product': Northwind Shop\r\ncategory: \"R\\u00fcckgabe \\\"now\\\"\"\r\n"+
		"language: pt-br\r\ntitle: Returns: how, it's\r\n  done?\r\ndescription: >-\r\n  One sentence\r\n  of it.\r\n"+
		"keywords: [send it back, 'don''t, want', \"a]b\",\r\n  , null] # c\r\nstate: published\r\ndate: 2024-01-01\r\nauthor:\r\n  name: Ann\r\n---\r\n\r\n# Step\r\n\r\nBody.\r\n", Options{})
	want := File{
		Path: "x.md", Key: "return-a-parcel", Product: "Northwind Shop", Category: `Rückgabe "now"`, Language: "pt-BR", Title: "Returns: how, it's done?",
		Description: "One sentence of it.", Keywords: []string{"send it back", "don't, want", "a]b"}, Body: "# Step\n\nBody.", Published: true,
		Ignored: []string{"date", "author"},
	}
	if fmt.Sprintf("%+v", f) != fmt.Sprintf("%+v", want) {
		t.Errorf("read\n%+v\nwant\n%+v", f, want)
	}
	for matter, words := range map[string][]string{
		"keywords:\n- a b\n- 'c'\n-  d\n  e # f": {"a b", "c", "d e"}, "keywords: a, b,": {"a", "b"}, "keywords: []": nil, "keywords:": nil, "keywords: ~": nil,
	} {
		if f := one(t, "guide-1.2.en.md", "---\n"+matter+"\n---\n# 2027 #\nx", Options{}); f.Err != nil || !slices.Equal(f.Keywords, words) || f.Title != "2027" || f.Body != "x" || f.Key != "guide-1.2" {
			t.Errorf("%q: %+v", matter, f)
		}
	}
}

// TestHTML takes the article out of a page, without what a browser would execute.
func TestHTML(t *testing.T) {
	f := one(t, "a.html", `<!doctype html><html lang="de-AT"><head><title>Help – Acme</title><meta name="Description" content="What it answers.">
<meta name="keywords" content="one, two words"><script>alert(1)</script></head><body onload="alert(1)"><nav>Menu</nav><h1>Site</h1>
<main><header>By Ann</header><h1>Return a
<em>parcel</em></h1><p onclick="alert(1)">Costs *5* &lt;script&gt;x&lt;/script&gt; <a href="JaVa&#9;script:alert(1)">bad</a> <a href="https://x.example/a_(b)">good [x]</a>
<a href="/other">other</a></p><p># 1</p><p>1. one | two &amp;amp;</p><ul><li>a<ul><li>b</ul></ul><ol start=3><li>c</ol>
<pre><code class="language-sh">a * b | c
</code></pre><table><tr><th>A<th>B|C</tr><tr><td>1<td><b>2</b><script>evil()</script></tr></table>
<img src="data:image/png;base64,AAAA" alt="gone"><img src="https://x.example/p.png" alt="shown" onerror="alert(1)">
<form action="https://x.example"><input name=q><p>In a form.</p></form><iframe src="https://x.example"></iframe><svg><script>alert(1)</script></svg>
<details><summary>More</summary>Detail</details><style>p{}</style><!-- gone --></main><footer>Foot</footer></body></html>`, Options{})
	const body = "Costs \\*5\\* &lt;script&gt;x&lt;/script&gt; bad [good \\[x\\]](https://x.example/a_%28b%29) [other](/other)\n\n\\# 1\n\n1\\. one \\| two \\&amp;\n\n- a\n  \n  - b\n\n3. c\n\n" +
		"```sh\na * b | c\n```\n\n| A | B\\|C  |\n|---|-------|\n| 1 | **2** |\n\n![shown](https://x.example/p.png)\n\nIn a form.\n\nMore\n\nDetail"
	if f.Err != nil || f.Title != "Return a parcel" || f.Language != "de-AT" || f.Description != "What it answers." || !slices.Equal(f.Keywords, []string{"one", "two words"}) || f.Key != "a" {
		t.Errorf("read %+v", f)
	}
	if f.Body != body {
		t.Errorf("the body is\n%s\nwant\n%s", f.Body, body)
	}
	for content, want := range map[string][2]string{
		"<title>A  b</title><body>x":                                        {"A b", "x"},
		"<h1>T</h1><article>x</article><article>y</article>":                {"T", "x"},
		"<div role=main><h1>T</h1>x</div>y":                                 {"T", "x"},
		"<h1>T</h1><p>&#160; - x":                                           {"T", "- x"},
		"<h1>T</h1><a href='//x.example'>l</a>":                             {"T", "[l](//x.example)"},
		"<h1>T</h1><a href='vbscript:x'>l</a>":                              {"T", "l"},
		"<h1>T</h1><svg><title>S</title><a href='javascript:x'>l</a></svg>": {"T", ""},
	} {
		if f := one(t, "a.en.html", content, Options{}); f.Err != nil || f.Title != want[0] || strings.ReplaceAll(f.Body, "\\", "") != want[1] {
			t.Errorf("%s: %+v", content, f)
		}
	}
}

// FuzzFiles reads any file: without a panic, and with a text that is UTF-8 and no longer
// than its limit allows.
func FuzzFiles(f *testing.F) {
	f.Add("---\ntitle: 'a'\nkeywords: [a, \"b\\n\"]\n---\nx")
	f.Add("<main><h1>T</h1><table><tr><td>x</table><a href='java\nscript:x'>y</a>")
	f.Fuzz(func(t *testing.T, content string) {
		var markdown, page File
		if err := markdown.readMarkdown(content); err == nil && len(markdown.Body) > len(content) {
			t.Errorf("the body is longer than the file: %q", markdown.Body)
		}
		if len(content) > MaxHTML {
			return
		}
		if err := page.readHTML(content); err == nil && strings.Contains(strings.ToLower(page.Body), "](javascript:") {
			t.Errorf("the body has a link to a script: %q", page.Body)
		}
		_ = markdown.complete(Options{Language: parley.Language("en")}) // only a panic counts
	})
}
