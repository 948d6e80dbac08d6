package model

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"parley/internal/outward"
)

// A Fault is a way in which an exchange with a server fails.
type Fault string

// The faults.
const (
	Unreachable  Fault = "unreachable"  // no connection, or none that is allowed
	TimedOut     Fault = "timed_out"    // too slow to begin, to go on, or to end
	Unauthorized Fault = "unauthorized" // 401 or 403
	NotFound     Fault = "not_found"    // 404: no such interface, or no such model
	Limited      Fault = "limited"      // 429
	Refused      Fault = "refused"      // another 4xx
	Failed       Fault = "failed"       // 5xx, or a failure reported inside a stream
	Redirected   Fault = "redirected"   // 3xx, which is not followed
	NotAModel    Fault = "not_a_model"  // an answer that is a web page
	Broken       Fault = "broken"       // JSON that is none, or not what was asked for
	Cut          Fault = "cut"          // an answer that ends too early
	TooLarge     Fault = "too_large"    // an answer, a line or a text beyond its limit
	Empty        Fault = "empty"        // an answer that says nothing
	UnknownTool  Fault = "unknown_tool" // a call of a tool that was not offered, and nothing else
)

// An Error is a failed exchange. Its text is for the log and contains neither
// the key nor a prompt; [Error.Text] is for people.
type Error struct {
	Fault      Fault
	Status     int           // of the answer, 0 if there was none
	RetryAfter time.Duration // if the server named one; at most an hour
	Code       string        // of the failure, as the server names it: a word, or ""
	// Detail is what the server said, on one line of at most 300 characters and
	// without the key. A server may repeat a prompt in it, so it is only for
	// whoever wrote the prompt, such as an admin who tests a server.
	Detail string
	Cause  error // of the connection; nil if the server answered
}

// Error returns a text for the log.
func (e *Error) Error() string {
	text := "model: " + string(e.Fault)
	if e.Status != 0 {
		text += ", status " + strconv.Itoa(e.Status)
	}
	if e.Code != "" {
		text += ", code " + e.Code
	}
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Text returns a sentence for people. It does not tell why a server could not
// be reached: that would reveal what names resolve to in the server's network.
func (e *Error) Text() string {
	switch e.Fault {
	case Unreachable:
		return "The server could not be reached at a public address or at one that the operator allows; the operator's log says more."
	case TimedOut:
		return "The server did not answer in time."
	case Unauthorized:
		return "The server does not accept the key."
	case NotFound:
		return "The server does not know the address or the model."
	case Limited:
		return "The server accepts no more requests for now."
	case Refused:
		return fmt.Sprintf("The server refused the request with status %d.", e.Status)
	case Failed:
		return "The server reported a failure of its own."
	case Redirected:
		return "The server redirects to another address. Enter that address if you trust it."
	case NotAModel:
		return "The server answered with a web page. The address may lack a part such as /v1."
	case Cut:
		return "The server's answer ended too early."
	case TooLarge:
		return "The server's answer was too large."
	case Empty:
		return "The model answered nothing."
	case UnknownTool:
		return "The model called a tool that does not exist."
	case Broken:
	}
	return "The server's answer could not be read."
}

// Temporary reports whether the same request may succeed later.
func (e *Error) Temporary() bool {
	switch e.Fault {
	case Unauthorized, NotFound, Refused, Redirected, NotAModel:
		return false
	case Unreachable, TimedOut, Limited, Failed, Broken, Cut, TooLarge, Empty, UnknownTool:
	}
	return true
}

// failure returns the error of an answer whose status is not 200.
func (c *Client) failure(status int, header http.Header, body []byte) *Error {
	e := &Error{Status: status, Fault: Refused}
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		e.Fault = Unauthorized
		return e // such answers repeat parts of the key
	case status == http.StatusNotFound:
		e.Fault = NotFound
	case status == http.StatusTooManyRequests:
		e.Fault = Limited
	case status >= 500 || status == http.StatusRequestTimeout:
		e.Fault = Failed
	case status >= 300 && status < 400:
		e.Fault = Redirected
	case status < 300:
		e.Fault = Broken
	}
	if e.Fault == Limited || e.Fault == Failed {
		e.RetryAfter = outward.RetryAfter(header, time.Now(), time.Hour)
	}
	e.Code, e.Detail = c.told(body)
	return e
}

// told returns what an answer says about a failure, in one of the forms that
// servers use.
func (c *Client) told(body []byte) (code, detail string) {
	var answer struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return "", ""
	}
	var inner struct {
		Message string          `json:"message"`
		Type    string          `json:"type"`
		Code    json.RawMessage `json:"code"`
	}
	detail = answer.Message
	switch {
	case json.Unmarshal(answer.Error, &inner) == nil:
		detail = inner.Message
		if json.Unmarshal(inner.Code, &code) != nil || code == "" {
			code = inner.Type
		}
	case json.Unmarshal(answer.Error, &detail) == nil, json.Unmarshal(answer.Detail, &detail) == nil:
	}
	return c.word(code), c.line(detail)
}

// word returns a code if it is a word that can be logged, else "".
func (c *Client) word(code string) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"
	if len(code) > 64 || strings.Trim(code, letters) != "" || c.secret(code) {
		return ""
	}
	return code
}

// line returns a text on one line, cut, without the key.
func (c *Client) line(text string) string {
	if c.server.Key != "" {
		text = strings.ReplaceAll(text, c.server.Key, "…")
	}
	text = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)), " ")
	if runes := []rune(text); len(runes) > 300 {
		text = string(runes[:299]) + "…"
	}
	return text
}

// secret reports whether a text contains the key, or is a large part of it.
func (c *Client) secret(text string) bool {
	key := c.server.Key
	return key != "" && (strings.Contains(text, key) || len(text) >= 8 && strings.Contains(key, text))
}
