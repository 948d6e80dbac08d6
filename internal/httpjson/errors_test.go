package httpjson_test

import (
	"errors"
	"log/slog"
	"net/http/httptest"
	"testing"

	"parley"
	"parley/internal/httpjson"
)

// TestErrorHeader checks the form of Parley-Error, which mime.ParseMediaType
// and its equivalents can read.
func TestErrorHeader(t *testing.T) {
	one, two := parley.ID{15: 1}, parley.ID{15: 2}
	several := parley.InvalidFields([]parley.Fault{{Field: "email", Rule: "x"}, {Field: "name", Rule: "y"}, {Field: "email", Rule: "z"}})
	for _, c := range []struct {
		err  error
		want string
	}{
		{parley.Errorf(parley.Gone, "gone"), "gone"},
		{errors.New("a secret of ours"), "internal"},
		{parley.InvalidField("limit", "be small"), "invalid; field=limit"},
		{several, `invalid; field="email,name"`},
		{parley.InvalidField(`a"\b`, "be absent"), `invalid; field="a\"\\b"`},
		{parley.FieldErrorf(parley.Conflict, "email", "it belongs to %s", one).About(one), "conflict; field=email; id=" + one.String()},
		{parley.Errorf(parley.Conflict, "two").About(one, two), `conflict; id="` + one.String() + "," + two.String() + `"`},
		{&parley.Error{Kind: parley.Conflict, Code: parley.CodeInProgress, Message: "wait"}, "in_progress"},
	} {
		w := httptest.NewRecorder()
		httpjson.WriteError(w, httptest.NewRequest("GET", "/", nil), slog.New(slog.DiscardHandler), c.err)
		if got := w.Header().Get("Parley-Error"); got != c.want {
			t.Errorf("%v: Parley-Error is %q, want %q", c.err, got, c.want)
		}
	}
}
