package qr_test

import (
	"strings"
	"testing"

	"parley/internal/qr"
)

func TestMatrix(t *testing.T) {
	rows, err := qr.Matrix("https://wa.me/settings/linked_devices#2@abc,def,ghi,jkl,1")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if len(row) != len(rows) || strings.Trim(row, "01") != "" {
			t.Fatalf("the row %q is not one of %d modules", row, len(rows))
		}
	}
	// The corner by which a phone finds a code (ISO/IEC 18004, section 6.3.3).
	for i, want := range []string{"1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"} {
		if got := rows[i][:7]; got != want {
			t.Errorf("row %d begins with %s, want %s", i, got, want)
		}
	}
	if _, err := qr.Matrix(strings.Repeat("a", 5000)); err == nil {
		t.Error("5000 characters fit into a code")
	}
}

func TestText(t *testing.T) {
	rows, err := qr.Matrix("x")
	if err != nil {
		t.Fatal(err)
	}
	text, err := qr.Text("x")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	size := len(rows) + 4
	if len(lines) != (size+1)/2 || len([]rune(lines[0])) != size || strings.Trim(lines[0], "█") != "" {
		t.Errorf("the picture has %d lines of %d, and begins with %q", len(lines), len([]rune(lines[0])), lines[0])
	}
	// The upper left corner of the code is dark, its upper half and its lower.
	if got := []rune(lines[1])[2]; got != ' ' {
		t.Errorf("the corner is %q, want dark", got)
	}
}
