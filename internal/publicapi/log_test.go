package publicapi_test

import (
	"bytes"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/httpjson"
	"parley/internal/publicapi"
	"parley/internal/store/storetest"
)

// TestAnswersAreLogged reads what the log says of an answer at its most detailed level: who
// asked for what, and nothing of the contents, nor the key. The measure hears of it too.
func TestAnswersAreLogged(t *testing.T) {
	w := newWorld(t, storetest.MigratedSQLite(t), worldOptions{})
	var text bytes.Buffer
	var measured []string
	api := publicapi.New(publicapi.Options{
		Desk: w.Desk, Access: w.Access, Clock: w.Now, Log: slog.New(slog.NewTextHandler(&text, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Measure: func(operation string, status int, took time.Duration) {
			if status == 201 && took > 0 {
				measured = append(measured, operation)
			}
		},
	})
	r := httptest.NewRequest("POST", "/v1/public/contacts", strings.NewReader(`{"name":"Ann Secretive","email":"private@example.com"}`))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Request-Id", "abc-7")
	apitest.SignBearer(r, w.key)
	if got := apitest.Gate().Do(t, httpjson.Envelope{Log: storetest.Quiet(), IDs: parley.NewIDs(nil)}.Wrap(api.Handler()), r); got.Code != 201 {
		t.Fatalf("the contact is answered with %d %s", got.Code, got.Body)
	}
	for _, part := range []string{`msg="http: request answered"`, "operation=createContact", "workspace=" + w.Home.Workspace.ID.String(), "credential=" + w.Home.Key.ID.String(), "request=abc-7", "status=201", "took="} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("the log has no %s: %s", part, &text)
		}
	}
	for _, secret := range []string{"Secretive", "private@", w.key} {
		if strings.Contains(text.String(), secret) {
			t.Errorf("the log has %s: %s", secret, &text)
		}
	}
	if len(measured) != 1 || measured[0] != "createContact" {
		t.Errorf("measured are %v", measured)
	}
}
