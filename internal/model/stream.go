package model

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// errDone ends a stream that said that it is complete.
var errDone = errors.New("done")

// stream reads an answer in pieces (server-sent events). A server that answers
// at once, although it was asked to stream, is understood too.
func (x *exchange) stream(r Request, say func(string) error) (Answer, error) {
	lines := bufio.NewReaderSize(x, 4096)
	start, err := lines.Peek(1)
	for err == nil && strings.ContainsRune(" \t\r\n", rune(start[0])) {
		_, _ = lines.Discard(1) // it was seen
		start, err = lines.Peek(1)
	}
	if err != nil {
		return Answer{}, x.ended(err)
	}
	if strings.ContainsRune("{[<", rune(start[0])) {
		return x.unstreamed(lines, say)
	}
	s := streaming{x: x, say: say}
	s.answer.Streamed = true
	for err == nil {
		var data []byte
		if data, err = nextEvent(lines); err == nil {
			err = s.event(data)
		}
	}
	s.finish()
	switch {
	case errors.Is(err, errDone):
		err = nil
	case errors.Is(err, io.EOF) && s.answer.Finish != "":
		err = nil // some servers do not say that they are done
	default:
		err = x.ended(err)
	}
	return s.answer, err
}

// ended returns the error with which a stream ended.
func (x *exchange) ended(err error) error {
	var known *Error
	var stopped *stoppedError
	switch {
	case errors.As(err, &known):
		return err
	case errors.As(err, &stopped):
		return stopped.by
	}
	return x.fault(err)
}

// A stoppedError is an error of the caller, who wants no more.
type stoppedError struct{ by error }

func (e *stoppedError) Error() string { return e.by.Error() }

// unstreamed reads an answer that came at once.
func (x *exchange) unstreamed(from io.Reader, say func(string) error) (Answer, error) {
	text, err := io.ReadAll(from)
	if err != nil {
		return Answer{}, x.fault(err)
	}
	var body chatAnswer
	if err := decode(text, &body); err != nil {
		return Answer{}, err
	}
	a, err := x.client.wholeAnswer(&body)
	if err == nil && a.Text != "" {
		err = say(a.Text)
	}
	return a, err
}

// streaming is an answer that is not complete.
type streaming struct {
	x      *exchange
	say    func(string) error
	answer Answer
	text   strings.Builder
	calls  [maxCalls]calling
	called int // how many of calls are used
	size   int // of the text and of all calls
}

// A calling is a call of a tool that is not complete.
type calling struct{ name, arguments strings.Builder }

// finish joins the pieces of the answer.
func (s *streaming) finish() {
	s.answer.Text = s.text.String()
	for i := range s.called {
		s.answer.ToolCalls = append(s.answer.ToolCalls, ToolCall{Name: s.calls[i].name.String(), Arguments: s.calls[i].arguments.String()})
	}
}

// event takes the data of one event.
func (s *streaming) event(data []byte) error {
	if string(data) == "[DONE]" {
		return errDone
	}
	var body chatAnswer
	if err := decode(data, &body); err != nil {
		return err
	}
	if err := body.failed(s.x.client); err != nil {
		return err
	}
	if body.Usage != nil {
		s.answer.Usage = Usage{In: body.Usage.In, Out: body.Usage.Out}
	}
	if len(body.Choices) == 0 {
		return nil // the usage comes alone
	}
	first := body.Choices[0]
	if first.Finish != "" {
		s.answer.Finish = first.Finish
	}
	piece := string(first.Delta.Content)
	s.size += len(piece)
	for _, call := range first.Delta.ToolCalls {
		if err := s.call(call); err != nil {
			return err
		}
	}
	if s.size > maxText {
		return &Error{Fault: TooLarge, Status: 200}
	}
	if piece == "" {
		return nil
	}
	s.text.WriteString(piece)
	if err := s.say(piece); err != nil {
		return &stoppedError{err}
	}
	return nil
}

// maxCalls is how many tools a model may call in one answer.
const maxCalls = 16

// call adds a piece of a call of a tool.
func (s *streaming) call(piece callBody) error {
	if piece.Index < 0 || piece.Index >= maxCalls {
		return &Error{Fault: TooLarge, Status: 200}
	}
	s.called = max(s.called, piece.Index+1)
	to := &s.calls[piece.Index]
	to.name.WriteString(piece.Function.Name)
	to.arguments.WriteString(piece.Function.Arguments)
	s.size += len(piece.Function.Name) + len(piece.Function.Arguments)
	return nil
}

// nextEvent returns the data of the next event that has some (HTML standard,
// section 9.2.6). Comments, which keep connections open, and other fields are
// skipped.
func nextEvent(from *bufio.Reader) ([]byte, error) {
	var data []byte
	found := false
	for {
		line, err := nextLine(from)
		if err != nil {
			if errors.Is(err, io.EOF) && found {
				return data, nil // the last event needs no empty line
			}
			return nil, err
		}
		if len(line) == 0 {
			if found {
				return data, nil
			}
			continue
		}
		value, ok := bytes.CutPrefix(line, []byte("data:"))
		if !ok {
			continue
		}
		if found {
			data = append(data, '\n')
		}
		data, found = append(data, bytes.TrimPrefix(value, []byte(" "))...), true
		if len(data) > maxLine {
			return nil, &Error{Fault: TooLarge, Status: 200}
		}
	}
}

// nextLine returns a line without its end.
func nextLine(from *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		piece, err := from.ReadSlice('\n')
		line = append(line, piece...)
		switch {
		case len(line) > maxLine:
			return nil, &Error{Fault: TooLarge, Status: 200}
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (len(line) == 0 || !errors.Is(err, io.EOF)):
			return nil, err
		}
		return bytes.TrimRight(line, "\r\n"), nil
	}
}
