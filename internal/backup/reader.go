package backup

import (
	"archive/tar"
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"

	"parley/internal/store/schema"
)

// errDamaged means that a backup differs from what was written.
var errDamaged = errors.New("the backup is damaged or incomplete")

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errDamaged, fmt.Sprintf(format, args...))
}

// ageHead begins an encrypted file (age-encryption.org/v1).
const ageHead = "age-encryption.org/"

// zstdMagic begins an unencrypted file (RFC 8878, section 3.1.1).
const zstdMagic = "\x28\xb5\x2f\xfd"

// Limits in bytes for members that are read as a whole or by lines, so that a small
// compressed file cannot exhaust the memory.
const (
	maxManifest = 16 << 20
	maxPart     = 64 << 20 // of rows or keys; one row may be longer than partSize
	maxKey      = 1 << 10
	// The sums have so much for each member, for each missing file, and for the rest.
	maxSum, maxMissing, maxCounts = 1 << 10, 1 << 7, 1 << 20
)

// A reader reads a backup from front to back.
type reader struct {
	manifest Manifest
	tables   []schema.Table // those of the manifest
	bytes    *counted       // of the backup itself
	tail     *tailReader
	packed   *zstd.Decoder
	tar      *tar.Reader
	members  []Sum
	current  *summed // of the member that is being read
	name     string  // of that member
	size     int64   // of that member, according to its header
	held     bool    // next returns that member again
}

// newReader reads the manifest. Without identities, it cannot read an encrypted
// backup.
func newReader(in io.Reader, identities []age.Identity) (*reader, error) {
	size := &counted{in: in}
	buffered := bufio.NewReaderSize(size, 1<<20)
	head, err := buffered.Peek(len(ageHead))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	content := io.Reader(buffered)
	switch {
	case string(head) == ageHead && len(identities) == 0:
		return nil, errors.New("the backup is encrypted: give an age identity that decrypts it by --identity")
	case string(head) == ageHead:
		if content, err = age.Decrypt(buffered, identities...); err != nil {
			return nil, fmt.Errorf("decrypt the backup: %w", err)
		}
	case !strings.HasPrefix(string(head), zstdMagic):
		return nil, errors.New("this is not a backup of Parley, or its beginning is damaged")
	}
	r := &reader{tail: newTailReader(content), bytes: size}
	if r.packed, err = zstd.NewReader(r.tail, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(64<<20)); err != nil {
		return nil, err
	}
	r.tar = tar.NewReader(r.packed)
	if err := r.readManifest(); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

func (r *reader) close() { r.packed.Close() }

func (r *reader) readManifest() error {
	name, err := r.next()
	if err != nil {
		return err
	}
	if name != manifestName {
		return damaged("it begins with %s", name)
	}
	if err := r.readJSON(&r.manifest, maxManifest); err != nil {
		return err
	}
	m := &r.manifest
	if m.Format != Format {
		if strings.HasPrefix(m.Format, "parley-backup/") {
			return fmt.Errorf("the backup has the format %s, made by Parley %s; this program reads %s: use a newer program", m.Format, m.Program, Format)
		}
		return damaged("its format is %q", m.Format)
	}
	latest, err := schema.Latest()
	if err != nil {
		return err
	}
	if m.Schema > latest {
		return fmt.Errorf("the backup has schema version %d, made by Parley %s; this program knows %d: use a newer program", m.Schema, m.Program, latest)
	}
	r.tables = m.Tables
	return nil
}

// checkTables compares the tables in the manifest with those of its schema version,
// before their names become SQL.
func (r *reader) checkTables() error {
	known, err := contents(r.manifest.Schema)
	if err != nil {
		return damaged("%v", err)
	}
	same := func(a, b schema.Table) bool { return a.Equal(&b) }
	if !slices.EqualFunc(known, r.tables, same) {
		return damaged("its tables are not those of schema version %d", r.manifest.Schema)
	}
	r.tables = known
	return nil
}

// next moves to the next member and returns its name, or io.EOF after the last.
func (r *reader) next() (string, error) {
	if r.held {
		r.held = false
		return r.name, nil
	}
	if err := r.finish(); err != nil {
		return "", err
	}
	header, err := r.tar.Next()
	if errors.Is(err, io.EOF) {
		return "", io.EOF
	}
	if err != nil {
		return "", damaged("%v", err)
	}
	if header.Typeflag != tar.TypeReg {
		return "", damaged("%s is not a regular file", header.Name)
	}
	r.name, r.size, r.current = header.Name, header.Size, newSummed()
	if (strings.HasPrefix(r.name, rowsFolder) || strings.HasPrefix(r.name, numberKeysFolder)) && (r.size < 1 || r.size > maxPart) {
		return "", damaged("%s has %d bytes", r.name, r.size)
	}
	return r.name, nil
}

// back makes next return the current member again. None of it may have been read.
func (r *reader) back() { r.held = true }

// finish reads the rest of the current member.
func (r *reader) finish() error {
	if r.current == nil {
		return nil
	}
	if _, err := io.Copy(io.Discard, r); err != nil {
		return err
	}
	r.members = append(r.members, Sum{Name: r.name, Bytes: r.current.bytes, SHA256: r.current.sum()})
	r.current = nil
	return nil
}

// Read reads the current member.
func (r *reader) Read(b []byte) (int, error) {
	n, err := r.tar.Read(b)
	_, _ = r.current.Write(b[:n]) // a hash takes everything
	if err != nil && !errors.Is(err, io.EOF) {
		err = damaged("%s: %v", r.name, err)
	}
	return n, err
}

// readJSON reads the current member, of at most limit bytes.
func (r *reader) readJSON(value any, limit int64) error {
	if r.size > limit {
		return damaged("%s has %d bytes", r.name, r.size)
	}
	content, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(content, value); err != nil {
		return damaged("%s: %v", r.name, err)
	}
	return nil
}

// end requires that no member follows, and compares the checksum of the whole.
func (r *reader) end() error {
	if name, err := r.next(); err == nil {
		return damaged("%s follows %s", name, sumsName)
	} else if !errors.Is(err, io.EOF) {
		return err
	}
	if _, err := io.Copy(io.Discard, r.packed); err != nil {
		return damaged("%v", err)
	}
	return r.tail.check()
}

// counted counts the bytes that are read.
type counted struct {
	in    io.Reader
	bytes int64
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.in.Read(b)
	c.bytes += int64(n)
	return n, err
}

// A tailReader holds back the last bytes, which are the trailer, and hashes the others.
type tailReader struct {
	in    io.Reader
	held  []byte
	sum   *summed
	ended bool
}

func newTailReader(in io.Reader) *tailReader { return &tailReader{in: in, sum: newSummed()} }

func (t *tailReader) Read(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	buffer := make([]byte, max(len(b), trailerSize))
	for {
		if free := len(t.held) - trailerSize; free > 0 {
			n := copy(b, t.held[:free])
			t.held = append(t.held[:0], t.held[n:]...)
			_, _ = t.sum.Write(b[:n]) // a hash takes everything
			return n, nil
		}
		if t.ended {
			return 0, io.EOF
		}
		n, err := t.in.Read(buffer)
		t.held = append(t.held, buffer[:n]...)
		if errors.Is(err, io.EOF) {
			t.ended = true
		} else if err != nil {
			return 0, err
		}
	}
}

// check compares the trailer with the checksum of everything before it.
func (t *tailReader) check() error {
	if !t.ended || len(t.held) != trailerSize || !bytes.Equal(t.held[:len(trailerHead)], trailerHead) {
		return damaged("its end is missing")
	}
	if !bytes.Equal(t.held[trailerSize-sha256.Size:], t.sum.hash.Sum(nil)) {
		return damaged("its checksum differs")
	}
	return nil
}
