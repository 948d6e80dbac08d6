package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// read opens a file. The reader fails when ctx ends, even while a disk or a bucket
// does not answer.
func (w *writer) read(ctx context.Context, f file) (io.Reader, error) {
	out, in := io.Pipe()
	opened := make(chan error, 1)
	go func() {
		content, err := w.from.Files.Open(ctx, f.ws, f.id)
		opened <- err
		if err != nil {
			return
		}
		_, err = io.Copy(in, content)
		_ = in.CloseWithError(errors.Join(err, content.Close())) // never fails
	}()
	context.AfterFunc(ctx, func() { _ = in.CloseWithError(ctx.Err()) }) // never fails
	select {
	case err := <-opened:
		return out, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// isUnreadable reports whether an error concerns one file in a folder; another attempt
// would fail in the same way. If a bucket does not answer, the backup fails and is
// repeated.
func isUnreadable(err error) bool {
	var of *fs.PathError
	return errors.As(err, &of)
}

// padded reads as many bytes of a file as its row says. An archive states the size of
// a member before its content, so zeros replace missing bytes.
type padded struct {
	content io.Reader
	left    int64
	short   string // why zeros replace the rest
}

func (p *padded) Read(b []byte) (int, error) {
	if p.left == 0 {
		return 0, io.EOF
	}
	b = b[:min(int64(len(b)), p.left)]
	n := len(b)
	if p.short == "" {
		var err error
		n, err = p.content.Read(b)
		switch {
		case errors.Is(err, io.EOF) && int64(n) < p.left:
			p.short = fmt.Sprintf("it ends %d bytes early", p.left-int64(n))
		case isUnreadable(err):
			p.short = err.Error()
		case err != nil && !errors.Is(err, io.EOF):
			return n, err
		}
	} else {
		clear(b)
	}
	p.left -= int64(n)
	return n, nil
}

// wrong says what is wrong with a file that was read to its end, or "".
func (p *padded) wrong() (string, error) {
	if p.short != "" {
		return p.short, nil
	}
	n, err := io.ReadFull(p.content, make([]byte, 1))
	if n > 0 {
		return "it is longer than its row says", nil
	}
	if isUnreadable(err) {
		return err.Error(), nil
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return "", err
}
