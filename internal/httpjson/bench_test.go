package httpjson_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"parley/internal/httpjson"
)

// BenchmarkMessage reads the body of the hottest request, POST message.
func BenchmarkMessage(b *testing.B) {
	for name, text := range map[string]string{
		"small":   `{"content":"Hello, how can I help you today?","role":"outgoing"}`,
		"escaped": `{"content":"Hello,\nhow can I help \"you\" today?","role":"outgoing"}`,
		"16KiB":   `{"content":"` + strings.Repeat("all is well ", 16<<10/12) + `"}`,
	} {
		b.Run(name, func(b *testing.B) {
			r := httptest.NewRequest(http.MethodPost, "/v1/public/conversations/x/messages", nil)
			r.Header.Set("Content-Type", "application/json")
			r.ContentLength = int64(len(text))
			body := strings.NewReader(text)
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				body.Reset(text)
				r.Body = io.NopCloser(body)
				in := httpjson.NewReader(r)
				in.ReadBody()
				content := httpjson.Required(in, "content", httpjson.Content(65536))
				httpjson.Default(in, "role", httpjson.OneOf([]string{"outgoing", "incoming"}), "outgoing")
				httpjson.Default(in, "agentUserId", httpjson.User, "")
				httpjson.Default(in, "isPrivate", httpjson.Bool, false)
				if err := in.Err(); err != nil || content == "" || len(in.Ignored()) > 0 {
					b.Fatal(err)
				}
			}
		})
	}
}
