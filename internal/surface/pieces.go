package surface

import (
	"net/http"

	"parley/internal/httpjson"
)

// A Piece is a part of an answer that is computed while it is read: a
// server-sent event with a name and JSON.
type Piece struct {
	Event string
	Data  []byte
}

// Pieces answers with the pieces that run sends, in the caller's own time. The
// envelope limits how long each write and the whole take; when the caller goes
// away, the context ends, and send returns an error. What run returns is logged:
// the answer has begun.
func (c *Call) Pieces(run func(send func(Piece) error) error) (httpjson.Reply, error) {
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	header := c.Writer.Header()
	httpjson.SetIgnored(header, c.Ignored())
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Accel-Buffering", "no") // otherwise nginx keeps the pieces
	header.Set("X-Content-Type-Options", "nosniff")
	c.Writer.WriteHeader(http.StatusOK)
	out := http.NewResponseController(c.Writer)
	send := func(p Piece) error {
		if err := c.Context().Err(); err != nil {
			return err
		}
		text := append([]byte("event: "+p.Event+"\ndata: "), p.Data...)
		if _, err := c.Writer.Write(append(text, "\n\n"...)); err != nil {
			return err
		}
		return out.Flush()
	}
	err := out.Flush()
	if err == nil {
		err = run(send)
	}
	if err != nil && c.Context().Err() == nil {
		log := httpjson.Traced(c.Context(), c.frame.Log)
		log.Error("http: answer broke off", "path", c.request.URL.Path, "error", err)
	}
	return httpjson.Reply{Status: streamed}, nil
}
