package demo

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"

	"parley"
	"parley/internal/desk"
)

// fileEvery is the number of conversations per conversation with a file.
const fileEvery = 5

// A file is attached to a line of an exchange.
type file struct {
	line    int
	name    string
	kind    string
	content func() ([]byte, error)
}

// fileOf returns the file for the exchanges with a label.
func fileOf(label string) (file, bool) {
	f, ok := map[string]file{
		"app":     {0, "Screenshot of the map.png", "image/png", screenshot},
		"returns": {1, "Return label.pdf", "application/pdf", returnLabel},
		"rental":  {2, "Sizes.csv", "text/csv", sizes},
	}[label]
	return f, ok
}

// attach uploads the file of a line, if it has one.
func (x *filler) attach(line *desk.NewMessage, f file) error {
	content, err := f.content()
	if err != nil {
		return err
	}
	made, err := x.desk.Attachments().Upload(x.ctx, x.by, desk.NewUpload{FileName: f.name, ContentType: f.kind, Content: bytes.NewReader(content)})
	line.AttachmentIDs = []parley.ID{made.ID}
	return err
}

// screenshot draws the screen of a customer: a map without its tiles.
func screenshot() ([]byte, error) {
	const width, height, tile = 480, 640, 80
	screen := image.NewRGBA(image.Rect(0, 0, width, height))
	fill := func(r image.Rectangle, c color.RGBA) {
		draw.Draw(screen, r, image.NewUniform(c), image.Point{}, draw.Src)
	}
	fill(screen.Bounds(), color.RGBA{0xd9, 0xdc, 0xde, 0xff})
	for x := 0; x < width; x += tile {
		fill(image.Rect(x, 0, x+1, height), color.RGBA{0xc6, 0xca, 0xcd, 0xff})
	}
	for y := 0; y < height; y += tile {
		fill(image.Rect(0, y, width, y+1), color.RGBA{0xc6, 0xca, 0xcd, 0xff})
	}
	fill(image.Rect(0, 0, width, 56), color.RGBA{0x1f, 0x5c, 0x4d, 0xff})
	fill(image.Rect(20, 24, 180, 34), color.RGBA{0xff, 0xff, 0xff, 0xff})
	fill(image.Rect(width/2-7, height/2-7, width/2+7, height/2+7), color.RGBA{0x1a, 0x73, 0xe8, 0xff})
	var b bytes.Buffer
	err := png.Encode(&b, screen)
	return b.Bytes(), err
}

func sizes() ([]byte, error) {
	return []byte("name,length in cm,boot\nLena,170,39\nJonas,185,44\nMira,165,38\nPaul,190,46\n"), nil
}

// returnLabel writes a PDF with one page (ISO 32000-1, annex H.3).
func returnLabel() ([]byte, error) {
	text := "BT /F1 20 Tf 40 250 Td (Return to: " + Company + ") Tj 0 -32 Td (Parcel RT-20418, size L swap) Tj ET"
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 298] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(text), text),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	}
	var b strings.Builder
	b.WriteString("%PDF-1.4\n")
	var table strings.Builder
	table.WriteString(fmt.Sprintf("xref\n0 %d\n0000000000 65535 f \n", len(objects)+1))
	for i, object := range objects {
		table.WriteString(fmt.Sprintf("%010d 00000 n \n", b.Len()))
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	at := b.Len()
	fmt.Fprintf(&b, "%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", table.String(), len(objects)+1, at)
	return []byte(b.String()), nil
}
