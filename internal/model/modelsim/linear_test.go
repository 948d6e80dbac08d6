package modelsim_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"parley/internal/lineartest"
	"parley/internal/model/modelsim"
)

// TestLinear measures what the toy does with the texts of others.
func TestLinear(t *testing.T) {
	s := modelsim.New(modelsim.Options{Models: []string{modelsim.Toy}})
	send := func(content string) {
		body, err := json.Marshal(map[string]any{"model": modelsim.Toy, "messages": []map[string]string{{"role": "user", "content": content}}})
		if err != nil {
			t.Fatal(err)
		}
		// In this goroutine, whose time is measured.
		s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, address+"/chat/completions", bytes.NewReader(body)))
	}
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"passage", "sectionsOf", "unmarked", "split", "stems", "weigh", "of", "from", "recap", "sentences", "words", "read", "prompt"}, Run: func(text string) {
			send("=== k1 begin source s1 ===\n" + text + "\n=== k1 end source s1 ===\n=== k1 begin question ===\n" + text + "\n=== k1 end question ===")
			send("=== k1 begin conversation ===\n" + text + "\n=== k1 end conversation ===")
			send(text)
		}},
		{Functions: []string{"embeddings", "embedded"}, Run: func(text string) {
			body, err := json.Marshal(map[string]any{"model": "embed", "input": []string{text}})
			if err != nil {
				t.Fatal(err)
			}
			modelsim.New(modelsim.Options{}).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, address+"/embeddings", bytes.NewReader(body)))
		}},
	}, map[string]string{"dripped": "waits between bytes"})
}
