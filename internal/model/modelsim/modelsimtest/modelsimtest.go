// Package modelsimtest serves a fake server of language models to a test, over
// a network that reaches nothing else. It is only for tests.
package modelsimtest

import (
	"io"
	"log"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"parley/internal/model"
	"parley/internal/model/modelsim"
	"parley/internal/outward"
)

// A World is a fake server, and a network that reaches it.
type World struct {
	Sim     *modelsim.Server
	URL     string // of the interface
	Network *model.Network
}

// Times are short enough to wait for in tests, and long enough for a busy
// machine.
func Times() model.Times {
	return model.Times{FirstByte: 5 * time.Second, Between: 5 * time.Second, Whole: 10 * time.Second}
}

// New serves until the test ends.
func New(t testing.TB, o modelsim.Options, times model.Times) *World {
	t.Helper()
	o.Record = true
	sim := modelsim.New(o)
	server := httptest.NewUnstartedServer(sim)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	t.Cleanup(server.Close)
	hosts, err := outward.ParseHosts(strings.TrimPrefix(server.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	return &World{Sim: sim, URL: server.URL + "/v1", Network: model.NewNetwork(hosts, times)}
}

// Client returns a client of one of the models, with all that the server can.
func (w *World) Client(t testing.TB, name string) *model.Client {
	t.Helper()
	c, err := w.Network.Client(model.Server{BaseURL: w.URL, Model: name, EmbeddingModel: "embed", Capabilities: Able()})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Able are the capabilities of a fake server that lacks nothing.
func Able() model.Capabilities {
	return model.Capabilities{
		MaxTokensName: "max_tokens", Temperature: true, Streaming: true, Usage: true, StreamUsage: true, JSONSchema: true, JSONObject: true, Tools: true,
		Dimension: modelsim.Dimension,
	}
}
