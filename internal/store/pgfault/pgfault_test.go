package pgfault_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"parley/internal/store/pgfault"
)

// TestErrors tells errors of a server by their codes, and those of the line.
func TestErrors(t *testing.T) {
	type kinds struct{ repeatable, lockTimeout, failing bool }
	code := func(code string) error { return fmt.Errorf("commit: %w", &pgconn.PgError{Code: code}) }
	for name, c := range map[string]struct {
		err  error
		want kinds
	}{
		"serialization failure": {code("40001"), kinds{repeatable: true}},
		"deadlock":              {code("40P01"), kinds{repeatable: true}},
		"shutdown":              {code("57P01"), kinds{repeatable: true}},
		"idle for too long":     {code("25P03"), kinds{repeatable: true}},
		"wait for a lock":       {code("55P03"), kinds{repeatable: true, lockTimeout: true}},
		"statement timeout":     {code("57014"), kinds{failing: true}},
		"read-only":             {code("25006"), kinds{failing: true}},
		"I/O error":             {code("58030"), kinds{failing: true}},
		"unique violation":      {code("23505"), kinds{}},
		"cut line":              {io.ErrUnexpectedEOF, kinds{repeatable: true}},
		"end of a wait":         {context.Canceled, kinds{repeatable: true}},
		"end of a time":         {context.DeadlineExceeded, kinds{repeatable: true}},
		"of our own":            {errors.New("no"), kinds{}},
	} {
		if got := (kinds{pgfault.Repeatable(c.err), pgfault.LockTimeout(c.err), pgfault.Failing(c.err)}); got != c.want {
			t.Errorf("%s is %+v, want %+v", name, got, c.want)
		}
	}
}
