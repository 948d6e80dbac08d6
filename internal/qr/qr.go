// Package qr draws QR codes: as rows of modules for a page, and as text for a
// terminal. It imports nothing of this module.
package qr

import (
	"strings"

	"rsc.io/qr"
)

// quietZone is the width of the light margin in modules, without which phones
// do not find the code.
const quietZone = 2

// Matrix returns a code as rows of "0" (light) and "1" (dark), without a
// margin. It returns an error if the text is too long.
func Matrix(text string) ([]string, error) {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return nil, err
	}
	rows := make([]string, code.Size)
	for y := range rows {
		row := make([]byte, code.Size)
		for x := range row {
			row[x] = '0'
			if code.Black(x, y) {
				row[x] = '1'
			}
		}
		rows[y] = string(row)
	}
	return rows, nil
}

// Text returns a code in half-block characters. It draws the light modules,
// because most terminals are dark.
func Text(text string) (string, error) {
	rows, err := Matrix(text)
	if err != nil {
		return "", err
	}
	light := func(x, y int) bool {
		x, y = x-quietZone, y-quietZone
		return x < 0 || y < 0 || x >= len(rows) || y >= len(rows) || rows[y][x] == '0'
	}
	size := len(rows) + 2*quietZone
	var b strings.Builder
	for y := 0; y < size; y += 2 {
		for x := range size {
			upper, lower := light(x, y), y+1 < size && light(x, y+1)
			switch {
			case upper && lower:
				b.WriteRune('█')
			case upper:
				b.WriteRune('▀')
			case lower:
				b.WriteRune('▄')
			default:
				b.WriteByte(' ')
			}
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}
