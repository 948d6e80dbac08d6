package backup

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"filippo.io/age"

	"parley"
	"parley/internal/store/schema"
)

// A sink receives the content of a backup. Each method reads its argument to the end.
type sink interface {
	table(t *schema.Table, rows iter.Seq2[[]any, error]) error
	file(ctx context.Context, ws parley.WorkspaceID, id parley.ID, content io.Reader) error
	masterKey(name string, content []byte) error
	numberKeys(ctx context.Context, content io.Reader) error
}

// Verify reads a whole backup and returns what it contains, or an error if a single
// byte differs from what was written. It changes nothing.
func Verify(ctx context.Context, in io.Reader, identities []age.Identity) (Report, error) {
	r, err := newReader(in, identities)
	if err != nil {
		return Report{}, err
	}
	defer r.close()
	return r.readAll(ctx, nothing{})
}

// nothing is a sink that discards everything.
type nothing struct{}

func (nothing) table(_ *schema.Table, rows iter.Seq2[[]any, error]) error {
	for _, err := range rows {
		if err != nil {
			return err
		}
	}
	return nil
}

func (nothing) file(_ context.Context, _ parley.WorkspaceID, _ parley.ID, content io.Reader) error {
	_, err := io.Copy(io.Discard, content)
	return err
}

func (nothing) masterKey(string, []byte) error { return nil }

func (nothing) numberKeys(_ context.Context, content io.Reader) error {
	_, err := io.Copy(io.Discard, content)
	return err
}

// readAll passes everything after the manifest to a sink, and compares it with the
// checksums.
func (r *reader) readAll(ctx context.Context, to sink) (Report, error) {
	counts, named := map[string]int64{}, map[parley.ID]int64{}
	for i := range r.tables {
		t := &r.tables[i]
		n := int64(0)
		if err := to.table(t, r.rows(ctx, t, &n, named)); err != nil {
			return Report{}, fmt.Errorf("table %s: %w", t.Name, err)
		}
		counts[t.Name] = n
	}
	var sums Sums
	for {
		name, err := r.next()
		if errors.Is(err, io.EOF) {
			err = damaged("%s is missing", sumsName)
		}
		if err != nil {
			return Report{}, err
		}
		if err := ctx.Err(); err != nil {
			return Report{}, err
		}
		if name == sumsName {
			break
		}
		if err := r.readMember(ctx, name, to, named); err != nil {
			return Report{}, err
		}
	}
	members := slices.Clone(r.members)
	if err := r.readJSON(&sums, int64(maxCounts+maxSum*len(members)+maxMissing*len(named))); err != nil {
		return Report{}, err
	}
	if err := sums.compare(members, counts, named); err != nil {
		return Report{}, err
	}
	if err := r.end(); err != nil {
		return Report{}, err
	}
	report := Report{Manifest: r.manifest, Bytes: r.bytes.bytes}
	report.count(&sums)
	if report.MasterKey != r.manifest.HasMasterKey {
		return Report{}, damaged("%s is wrong about whether it contains the master key", manifestName)
	}
	return report, nil
}

// readMember passes a member without rows to a sink.
func (r *reader) readMember(ctx context.Context, name string, to sink, named map[parley.ID]int64) error {
	if name == masterKeyName || name == nextKeyName {
		content, err := io.ReadAll(io.LimitReader(r, maxKey))
		if err != nil {
			return err
		}
		return to.masterKey(strings.TrimPrefix(name, keysFolder), content)
	}
	if strings.HasPrefix(name, numberKeysFolder) {
		r.back()
		all := &folderReader{reader: r, folder: numberKeysFolder}
		if err := to.numberKeys(ctx, all); err != nil {
			return fmt.Errorf("keys of numbers: %w", err)
		}
		_, err := io.Copy(io.Discard, all) // the sink may leave a rest
		return err
	}
	ws, id, ok := fileOf(name)
	if !ok {
		return damaged("it contains %q", name)
	}
	size, ok := named[id]
	if !ok {
		return damaged("no row names the file %s", id)
	}
	delete(named, id)
	if r.size != size {
		return damaged("the file %s has %d bytes, and its row says %d", id, r.size, size)
	}
	if err := to.file(ctx, ws, id, r); err != nil {
		return fmt.Errorf("file %s: %w", id, err)
	}
	return nil
}

// A folderReader reads the consecutive members of one folder as one stream.
type folderReader struct {
	reader *reader
	folder string
	inside bool
	ended  bool
}

func (f *folderReader) Read(b []byte) (int, error) {
	for !f.ended {
		if f.inside {
			n, err := f.reader.Read(b)
			if n > 0 || !errors.Is(err, io.EOF) {
				return n, err
			}
		}
		name, err := f.reader.next()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = damaged("%s is missing", sumsName)
			}
			return 0, err
		}
		f.inside = strings.HasPrefix(name, f.folder)
		if !f.inside {
			f.reader.back()
			f.ended = true
		}
	}
	return 0, io.EOF
}

// compare compares the sums with what was read. named are the files that rows name
// and that were not read.
func (s *Sums) compare(members []Sum, rows map[string]int64, named map[parley.ID]int64) error {
	if len(s.Members) != len(members) {
		return damaged("it has %d members, and %s lists %d", len(members), sumsName, len(s.Members))
	}
	for i, m := range members {
		if s.Members[i] != m {
			return damaged("%s does not match its checksum", m.Name)
		}
	}
	for table, n := range rows {
		if s.Rows[table] != n {
			return damaged("table %s has %d rows, and %s says %d", table, n, sumsName, s.Rows[table])
		}
	}
	for _, id := range slices.Concat(s.Gone, s.Lost) {
		delete(named, id)
	}
	for id := range named {
		return damaged("the file %s is missing", id)
	}
	return nil
}

// rows reads the rows of a table, counts them, and adds the files that they name to
// named. The next row reuses the slice of values.
func (r *reader) rows(ctx context.Context, t *schema.Table, count *int64, named map[parley.ID]int64) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		fileIn, err := filesOf(t)
		values := make([]any, len(t.Columns))
		for err == nil {
			var found bool
			if found, err = r.nextRows(t); err != nil || !found {
				break
			}
			lines := bufio.NewReaderSize(r, 64<<10)
			for {
				if err = readRow(ctx, lines, t, values, *count+1); err != nil {
					break
				}
				*count++
				if f, ok := fileIn(values); ok {
					named[f.id] = f.size
				}
				if !yield(values, nil) {
					return
				}
			}
			if errors.Is(err, io.EOF) {
				err = nil
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// nextRows begins the next member with rows of a table, and reports whether there is one.
func (r *reader) nextRows(t *schema.Table) (bool, error) {
	name, err := r.next()
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if !strings.HasPrefix(name, rowsFolder+t.Name+"/") {
		r.back()
		return false, nil
	}
	return true, nil
}

// readRow reads the row of a number into values. It returns io.EOF behind the last one.
func readRow(ctx context.Context, lines *bufio.Reader, t *schema.Table, values []any, number int64) error {
	line, err := lines.ReadBytes('\n')
	if errors.Is(err, io.EOF) && len(line) > 0 {
		err = nil // parsing tells that the row is cut
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return err
	}
	if err := parseRow(t, line, values); err != nil {
		return damaged("row %d: %v", number, err)
	}
	return nil
}
