package store

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"parley"
)

func postgresBind(args []any) ([]any, error) {
	bound := make([]any, len(args))
	for i, arg := range args {
		switch v := arg.(type) {
		case nil, string, int, int64, bool, *string:
			bound[i] = v
		case []byte:
			bound[i] = append([]byte{}, v...) // empty bytes must not become NULL
		case parley.WorkspaceID:
			bound[i] = [16]byte(v)
		case parley.ID:
			if !v.IsZero() {
				bound[i] = [16]byte(v)
			}
		case parley.UserID:
			if v != "" {
				bound[i] = string(v)
			}
		case time.Time:
			bound[i] = millis(v)
		default:
			return nil, badType("bind", arg)
		}
	}
	return bound, nil
}

// postgresRow decodes the binary format of the server: integers are big-endian,
// texts and bytes are verbatim, NULL is nil.
type postgresRow struct{ rows pgx.Rows }

func (r postgresRow) scan(dest ...any) error {
	values := r.rows.RawValues()
	for i, d := range dest {
		value := values[i]
		switch d := d.(type) {
		case *string:
			*d = string(value)
		case *int:
			n, err := postgresInt(value)
			if err != nil {
				return err
			}
			*d = int(n)
		case *int64:
			n, err := postgresInt(value)
			if err != nil {
				return err
			}
			*d = n
		case *bool:
			*d = len(value) == 1 && value[0] == 1
		case *[]byte:
			*d = append([]byte{}, value...)
		case *parley.ID:
			*d = parley.ID{}
			copy(d[:], value)
		case *parley.WorkspaceID:
			*d = parley.WorkspaceID{}
			copy(d[:], value)
		case *time.Time:
			n, err := postgresInt(value)
			if err != nil {
				return err
			}
			*d = timeOf(n)
		case **string:
			*d = nil
			if value != nil {
				text := string(value)
				*d = &text
			}
		default:
			return badType("scan into", d)
		}
	}
	return nil
}

// postgresInt decodes an integer; NULL is 0.
func postgresInt(value []byte) (int64, error) {
	switch len(value) {
	case 0:
		return 0, nil
	case 4:
		return int64(int32(binary.BigEndian.Uint32(value))), nil
	case 8:
		return int64(binary.BigEndian.Uint64(value)), nil
	}
	return 0, fmt.Errorf("store: an integer of %d bytes", len(value))
}
