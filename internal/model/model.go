// Package model is a client of language models: of any server with the
// OpenAI-compatible chat interface, such as one of a provider, or Ollama, vLLM
// or llama.cpp on a machine of the operator.
//
// It speaks /chat/completions (streamed and not), /embeddings and /models, and
// nothing else, because that is what such servers have in common. What differs
// between them is found out once by [Client.Probe] and stored as
// [Capabilities]; requests use only what the probe found.
//
// A server is believed nothing: time to the first byte, time between bytes,
// whole time, bytes of a line and of an answer are limited, and each way to fail
// is an [Error] with a [Fault]. No error contains the key or a prompt, so errors
// can be logged. The package itself logs nothing.
//
// It imports internal/outward, which decides what may be connected to.
package model

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"parley/internal/outward"
)

const (
	// MaxBaseURL is the most characters of a server's address.
	MaxBaseURL = 500
	// MaxName is the most characters of a model's name.
	MaxName = 200
	// MaxKey is the most bytes of a key.
	MaxKey = 4096

	// maxBody is the most bytes of an answer, as they are sent. A streamed token
	// takes about 300, and a vector of 4,096 numbers 90 KB.
	maxBody = 16 << 20
	// maxText is the most bytes of an answer's text, and of a tool's arguments.
	maxText = 256 << 10
	// maxLine is the most bytes of a line of a stream.
	maxLine = 1 << 20
	// maxFailure is how much of an answer that reports a failure is read.
	maxFailure = 64 << 10
)

// Times limit one exchange with a server.
type Times struct {
	// FirstByte is the longest time until an answer begins, if it is streamed.
	// Any other answer begins when it is finished, so Whole is its limit. A
	// server that loads a model for the first request needs a minute.
	FirstByte time.Duration
	// Between is the longest time between two bytes of an answer.
	Between time.Duration
	// Whole is the longest time of an exchange.
	Whole time.Duration
}

// DefaultTimes are those of a server.
func DefaultTimes() Times {
	return Times{FirstByte: time.Minute, Between: 20 * time.Second, Whole: 2 * time.Minute}
}

// A Network makes the clients of a process. Its methods may be called by many
// goroutines.
type Network struct {
	encrypted, plain *http.Client
	times            Times
	inside           map[string]*http.Client // by the address of a server
}

// NewNetwork returns a Network that reaches public servers over https, and the
// hosts that the operator allows over https and http.
func NewNetwork(hosts outward.Hosts, times Times) *Network {
	return NetworkOf(outward.Options{Hosts: hosts}, times)
}

// NetworkOf returns a Network with the options of its dialers.
func NetworkOf(o outward.Options, times Times) *Network {
	limits := outward.Limits{Bytes: maxBody}
	n := &Network{times: times, encrypted: outward.NewDialer(o).Client(limits)}
	o.OnlyHosts = true
	n.plain = outward.NewDialer(o).Client(limits)
	return n
}

// WithInside returns a Network in which one address of a server leads to a
// transport that answers in this process, and to nothing else. No other address
// leads there.
func (n *Network) WithInside(baseURL string, transport http.RoundTripper) *Network {
	all := *n
	all.inside = maps.Clone(n.inside)
	if all.inside == nil {
		all.inside = map[string]*http.Client{}
	}
	all.inside[baseURL] = outward.Inside(transport, outward.Limits{Bytes: maxBody})
	return &all
}

// Inside reports whether an address of a server leads to a transport in this
// process.
func (n *Network) Inside(baseURL string) bool { return n.inside[baseURL] != nil }

// A Server is a server with one of its models.
type Server struct {
	BaseURL        string // of the interface, such as https://api.example/v1
	Key            string // "": the server asks for none
	Model          string // for chats
	EmbeddingModel string // "": none
	Capabilities   Capabilities
}

// CheckBaseURL returns what is wrong with an address of a server; the text
// completes "must …". Its name is resolved only when it is called.
func CheckBaseURL(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil,
		strings.ContainsAny(address, "?# \t\r\n"), utf8.RuneCountInString(address) > MaxBaseURL:
		return fmt.Errorf("be an http or https address of at most %d characters, without a user, a query and a fragment, such as https://api.example/v1", MaxBaseURL)
	}
	return nil
}

// CheckName returns what is wrong with the name of a model; the text completes
// "must …".
func CheckName(name string) error {
	if name == "" || utf8.RuneCountInString(name) > MaxName || !printable(name) {
		return fmt.Errorf("be 1 to %d printable characters", MaxName)
	}
	return nil
}

// CheckKey returns what is wrong with a key; the text completes "must …". The
// key becomes part of a header.
func CheckKey(key string) error {
	if len(key) > MaxKey || strings.Trim(key, "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~") != "" {
		return fmt.Errorf("be at most %d ASCII characters without spaces", MaxKey)
	}
	return nil
}

func printable(text string) bool {
	return utf8.ValidString(text) && strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) < 0
}

// A Client talks to one server. Its methods may be called by many goroutines.
type Client struct {
	server  Server
	http    *http.Client
	times   Times
	address string // of the interface, without a slash at its end
}

// Client returns a client of a server. It connects to nothing.
func (n *Network) Client(s Server) (*Client, error) {
	if err := errors.Join(CheckBaseURL(s.BaseURL), CheckName(s.Model), CheckKey(s.Key)); err != nil {
		return nil, err
	}
	c := &Client{server: s, http: n.encrypted, times: n.times, address: strings.TrimRight(s.BaseURL, "/")}
	switch {
	case n.Inside(s.BaseURL):
		c.http = n.inside[s.BaseURL]
	case strings.HasPrefix(strings.ToLower(s.BaseURL), "http:"):
		c.http = n.plain
	}
	return c, nil
}
