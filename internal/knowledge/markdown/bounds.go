package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The parser takes quadratic time for brackets and emphasis within a passage,
// and for nested quotes and lists. These limits make it linear in the length of
// the text; no text that people write for people reaches them.
const (
	// maxNesting is how deep quotes and lists may be nested. Deeper marks are text.
	maxNesting = 16
	// maxDelimiters is the most brackets and marks of emphasis or code in a passage
	// (a paragraph, heading or table cell), and maxEffort the most that their number
	// times the bytes of the passage may be.
	maxDelimiters = 1000
	maxEffort     = 2_000_000
	// maxColumns and maxCells are for one table and for all tables of a text,
	// because a short row is filled with cells.
	maxColumns = 64
	maxCells   = 20_000
	// maxDefinitions is the most "[" in a paragraph that may consist of definitions of
	// references.
	maxDefinitions = 2000
)

var delimiters = [256]bool{'[': true, ']': true, '*': true, '_': true, '~': true, '`': true, '<': true}

// costly reports whether a passage is to be shown as plain text.
func costly(lines *text.Segments, source []byte) bool {
	size, marks := 0, 0
	for i := range lines.Len() {
		line := lines.At(i)
		size += line.Len()
		for _, c := range line.Value(source) {
			if delimiters[c] {
				marks++
			}
		}
	}
	return marks > maxDelimiters || marks*size > maxEffort
}

// A plain is a passage that is not parsed further.
type plain struct{ ast.BaseBlock }

var kindPlain = ast.NewNodeKind("Plain")

func (*plain) Kind() ast.NodeKind           { return kindPlain }
func (*plain) IsRaw() bool                  { return true }
func (p *plain) Dump(source []byte, at int) { ast.DumpHelper(p, source, at, nil, nil) }

// makePlain replaces a block if it is costly.
func makePlain(node ast.Node, source []byte) {
	parent := node.Parent()
	if parent == nil || !costly(node.Lines(), source) {
		return
	}
	replacement := &plain{}
	replacement.SetLines(node.Lines())
	parent.ReplaceChild(parent, node, replacement)
}

type plainRenderer struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (plainRenderer) RegisterFuncs(register renderer.NodeRendererFuncRegisterer) {
	register.Register(kindPlain, func(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			_, err := w.WriteString("</p>\n")
			return ast.WalkContinue, err
		}
		_, err := w.WriteString("<p>")
		for i := range node.Lines().Len() {
			line := node.Lines().At(i)
			_, err = w.Write(util.EscapeHTML(line.Value(source)))
		}
		return ast.WalkContinue, err
	})
}

// A boundedContainer opens quotes or lists up to maxNesting.
type boundedContainer struct{ parser.BlockParser }

// Open implements parser.BlockParser.
func (b boundedContainer) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for node := parent; node != nil; node = node.Parent() {
		if node.Kind() == ast.KindBlockquote || node.Kind() == ast.KindList {
			depth++
		}
	}
	if depth >= maxNesting {
		return nil, parser.NoChildren
	}
	return b.BlockParser.Open(parent, reader, pc)
}

type boundedHeading struct{ parser.BlockParser }

// Close implements parser.BlockParser.
func (b boundedHeading) Close(node ast.Node, reader text.Reader, pc parser.Context) {
	b.BlockParser.Close(node, reader, pc)
	makePlain(node, reader.Source())
}

type boundedParagraph struct{}

// Transform implements parser.ParagraphTransformer.
func (boundedParagraph) Transform(node *ast.Paragraph, reader text.Reader, _ parser.Context) {
	makePlain(node, reader.Source())
}

// boundedDefinitions takes the definitions of references out of a paragraph.
type boundedDefinitions struct{}

// Transform implements parser.ParagraphTransformer.
func (boundedDefinitions) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	opened := 0
	for i := range node.Lines().Len() {
		line := node.Lines().At(i)
		opened += bytes.Count(line.Value(reader.Source()), []byte("["))
	}
	if opened <= maxDefinitions {
		parser.LinkReferenceParagraphTransformer.Transform(node, reader, pc)
	}
}

// A boundedTable makes tables of paragraphs while they have few cells.
type boundedTable struct{ parser.ParagraphTransformer }

var cellsKey = parser.NewContextKey()

// Transform implements parser.ParagraphTransformer.
func (b boundedTable) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	columns, rows := 0, node.Lines().Len()
	for i := range rows {
		line := node.Lines().At(i)
		columns = max(columns, bytes.Count(line.Value(reader.Source()), []byte("|"))+1)
	}
	cells, _ := pc.Get(cellsKey).(int)
	if columns == 1 || columns > maxColumns+1 || cells+columns*rows > maxCells {
		return
	}
	before := node.PreviousSibling()
	parent := node.Parent()
	b.ParagraphTransformer.Transform(node, reader, pc)
	table := tableAfter(node, parent, before)
	if table == nil {
		return
	}
	pc.Set(cellsKey, cells+columns*rows)
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			if costly(cell.Lines(), reader.Source()) {
				content := &plain{}
				content.SetLines(cell.Lines())
				cell.SetLines(text.NewSegments())
				cell.AppendChild(cell, content)
			}
		}
	}
}

// tableAfter returns the table that was made of a paragraph, which has
// vanished if the table began with its first line.
func tableAfter(node *ast.Paragraph, parent, before ast.Node) ast.Node {
	var next ast.Node
	switch {
	case node.Parent() != nil:
		next = node.NextSibling()
	case before != nil:
		next = before.NextSibling()
	default:
		next = parent.FirstChild()
	}
	if next == nil || next.Kind() != tables.KindTable {
		return nil
	}
	return next
}
