package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// read opens a file. What it returns ends when ctx does, also while a disk or a
// bucket does not answer.
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

// isUnreadable reports whether an error is that of one file in a folder, which the
// next attempt meets again. A bucket that does not answer is another matter: it
// fails the backup, which is then repeated.
func isUnreadable(err error) bool {
	var of *fs.PathError
	return errors.As(err, &of)
}

// padded reads a file as the bytes that its row says. The size of a member stands
// before its content, so what is missing is zeros.
type padded struct {
	content io.Reader
	left    int64
	short   string // why zeros took the place of the rest
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

// wrong says what is wrong with a file that was read to its end, or nothing.
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
