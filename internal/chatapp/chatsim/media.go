package chatsim

import (
	"encoding/json"
	"io"
	"net/http"

	waBinary "go.mau.fi/whatsmeow/binary"
)

// maxMedia is the largest file, in bytes.
const maxMedia = 100 << 20

// mediaHost is what media addresses name. It leads nowhere but to the fake.
const mediaHost = "mmg.whatsapp.net"

// mediaAddress tells a client where to leave and to fetch files.
func mediaAddress() answer {
	return reply(node("media_conn", waBinary.Attrs{"auth": "sim", "ttl": 300, "auth_ttl": 300, "max_buckets": 12},
		node("host", waBinary.Attrs{"hostname": mediaHost})))
}

// upload keeps a file, which is encrypted, under the name that the client gave
// it.
func (s *Server) upload(w http.ResponseWriter, r *http.Request) {
	if s.mediaFault(w, "media upload") {
		return
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMedia))
	if err != nil {
		http.Error(w, "too large", http.StatusRequestEntityTooLarge)
		return
	}
	token := r.PathValue("token")
	s.mu.Lock()
	s.files[token] = data
	s.mu.Unlock()
	path := "/v/" + token + "?ccb=1"
	w.Header().Set("Content-Type", "application/json")
	answer := struct {
		URL        string `json:"url"`
		DirectPath string `json:"direct_path"`
	}{"https://" + mediaHost + path, path}
	if err := json.NewEncoder(w).Encode(answer); err != nil {
		s.log.Debug("answer an upload", "error", err)
	}
}

// download gives a file back.
func (s *Server) download(w http.ResponseWriter, r *http.Request) {
	if s.mediaFault(w, "media download") {
		return
	}
	s.mu.Lock()
	data, ok := s.files[r.PathValue("token")]
	s.mu.Unlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	if _, err := w.Write(data); err != nil {
		s.log.Debug("answer a download", "error", err)
	}
}

// mediaFault does what a hook says, and reports whether it said something. No
// answer and the end of the connection are the same here.
func (s *Server) mediaFault(w http.ResponseWriter, kind string) bool {
	f := s.before(Request{Kind: kind})
	switch {
	case f == (Fault{}):
		return false
	case f.Cut, f.Silent:
		panic(http.ErrAbortHandler)
	}
	w.WriteHeader(f.Code)
	return true
}
