package modelsim

import (
	"io"
	"net/http"
	"sync"
)

// RoundTrip implements http.RoundTripper: the server answers in the process of
// its client, without a connection or a port that others could reach. The answer
// begins with its first byte, and its body arrives as it is written. Ending the
// request's context, or closing the body, ends the answer.
func (s *Server) RoundTrip(r *http.Request) (*http.Response, error) {
	reader, writer := io.Pipe()
	a := &insideAnswer{header: http.Header{}, body: writer, begun: make(chan struct{})}
	request := r.Clone(r.Context())
	if request.Body == nil {
		request.Body = http.NoBody
	}
	go func() {
		defer func() {
			_ = request.Body.Close() // as of every transport, whatever is left of it
			if recover() != nil {    // as a server breaks the connection
				a.fail(io.ErrUnexpectedEOF)
				return
			}
			if err := r.Context().Err(); err != nil { // it may have stopped in the middle
				a.fail(err)
				return
			}
			a.WriteHeader(http.StatusOK)
			_ = writer.Close() // never fails
		}()
		s.ServeHTTP(a, request)
	}()
	ended := func() { _ = writer.CloseWithError(r.Context().Err()) } // never fails
	select {
	case <-r.Context().Done():
		ended()
		return nil, r.Context().Err()
	case <-a.begun:
	}
	if a.failed != nil {
		return nil, a.failed
	}
	stop := make(chan struct{})
	body := &insideBody{PipeReader: reader, close: sync.OnceFunc(func() { close(stop) })}
	go func() { // a read that waits ends with the request
		select {
		case <-r.Context().Done():
			ended()
		case <-stop:
		}
	}()
	return &http.Response{
		Status: http.StatusText(a.status), StatusCode: a.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: a.sent, Body: body, ContentLength: -1, Request: r,
	}, nil
}

// An insideBody is the body of an answer.
type insideBody struct {
	*io.PipeReader

	close func()
}

func (b *insideBody) Close() error {
	b.close()
	return b.PipeReader.Close()
}

// An insideAnswer is an http.ResponseWriter of RoundTrip. Only the handler's
// goroutine uses it until begun is closed.
type insideAnswer struct {
	header, sent http.Header
	body         *io.PipeWriter
	status       int
	failed       error         // before the answer began
	begun        chan struct{} // closed with the status, or with the failure
}

func (a *insideAnswer) Header() http.Header { return a.header }

func (a *insideAnswer) WriteHeader(status int) {
	if a.status != 0 {
		return
	}
	a.status, a.sent = status, a.header.Clone()
	close(a.begun)
}

func (a *insideAnswer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(p)
}

// Flush implements http.Flusher. A written byte is at its reader already.
func (a *insideAnswer) Flush() { a.WriteHeader(http.StatusOK) }

// fail breaks the answer off.
func (a *insideAnswer) fail(err error) {
	if a.status == 0 {
		a.status, a.failed = -1, err
		close(a.begun)
	}
	_ = a.body.CloseWithError(err) // never fails
}
