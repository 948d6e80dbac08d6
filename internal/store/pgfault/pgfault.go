// Package pgfault tells what an error of PostgreSQL means for the transaction that got it.
package pgfault

import (
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// Repeatable reports whether the same transaction may succeed if it runs again:
// after a serialization failure, a deadlock, a timeout, a broken connection, or
// a server that shuts down or is out of resources.
func Repeatable(err error) bool {
	var refused *pgconn.PgError
	if !errors.As(err, &refused) {
		var connect *pgconn.ConnectError
		return errors.As(err, &connect) || pgconn.SafeToRetry(err) || brokenConnection(err)
	}
	for _, class := range []string{"08", "25P03", "40", "53", "55P03", "57P"} {
		if strings.HasPrefix(refused.Code, class) {
			return true
		}
	}
	return false
}

// LockTimeout reports whether a statement gave up waiting for a lock.
func LockTimeout(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.Code == "55P03"
}

func brokenConnection(err error) bool {
	var network net.Error
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, context.Canceled) ||
		errors.Is(err, net.ErrClosed) || errors.As(err, &network)
}

// Failing reports whether the database failed for reasons of its own
// that pass, but not at once: a statement timed out, the disk fails, the server
// became read-only, or a failover led to a server without our tables.
func Failing(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) &&
		(slices.Contains([]string{"57014", "25006", "42P01", "3F000"}, refused.Code) || strings.HasPrefix(refused.Code, "58"))
}
