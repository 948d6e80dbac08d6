package backup

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"time"

	"github.com/klauspost/compress/zstd"
)

// trailerHead begins the last frame of a backup, a zstd frame that decoders skip (RFC
// 8878, section 3.1.2). It contains the 32 bytes of the checksum of everything before.
var trailerHead = []byte{0x50, 0x2a, 0x4d, 0x18, sha256.Size, 0, 0, 0}

const trailerSize = 8 + sha256.Size

// A summed counts and hashes the bytes that are written to it.
type summed struct {
	hash  hash.Hash
	bytes int64
}

func newSummed() *summed { return &summed{hash: sha256.New()} }

func (s *summed) Write(b []byte) (int, error) {
	s.bytes += int64(len(b))
	return s.hash.Write(b)
}

func (s *summed) sum() string { return hex.EncodeToString(s.hash.Sum(nil)) }

// An archive is a backup that is being written.
type archive struct {
	out     io.Writer
	whole   *summed // of everything written to out
	packed  *zstd.Encoder
	tar     *tar.Writer
	made    time.Time
	members []Sum
}

// newArchive begins an archive. It compresses on one processor, so that a server on
// the same machine keeps the others.
func newArchive(out io.Writer, made time.Time) (*archive, error) {
	whole := newSummed()
	packed, err := zstd.NewWriter(io.MultiWriter(out, whole), zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		return nil, err
	}
	return &archive{out: out, whole: whole, packed: packed, tar: tar.NewWriter(packed), made: made}, nil
}

// add writes a member of a known size.
func (a *archive) add(name string, size int64, content io.Reader) error {
	header := &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o600, ModTime: a.made, Format: tar.FormatPAX}
	if err := a.tar.WriteHeader(header); err != nil {
		return err
	}
	sum := newSummed()
	n, err := io.CopyN(io.MultiWriter(a.tar, sum), content, size)
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("it has %d bytes instead of %d", n, size)
	}
	if err != nil {
		return err
	}
	a.members = append(a.members, Sum{Name: name, Bytes: sum.bytes, SHA256: sum.sum()})
	return nil
}

func (a *archive) addBytes(name string, content []byte) error {
	return a.add(name, int64(len(content)), bytes.NewReader(content))
}

func (a *archive) addJSON(name string, value any) error {
	content, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	return a.addBytes(name, append(content, '\n'))
}

// end writes the checksums and the trailer.
func (a *archive) end(sums *Sums) error {
	sums.Members = a.members
	if err := a.addJSON(sumsName, sums); err != nil {
		return err
	}
	if err := a.tar.Close(); err != nil {
		return err
	}
	if err := a.packed.Close(); err != nil {
		return err
	}
	_, err := a.out.Write(append(bytes.Clone(trailerHead), a.whole.hash.Sum(nil)...))
	return err
}
