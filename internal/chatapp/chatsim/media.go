package chatsim

import (
	"encoding/json"
	"io"
	"net/http"

	waBinary "go.mau.fi/whatsmeow/binary"
)

// maxMedia is the largest file, in bytes.
const maxMedia = 100 << 20

// mediaHost is the host in media URLs. It always leads to the fake.
const mediaHost = "mmg.whatsapp.net"

// mediaAddress returns where a client uploads and downloads files.
func mediaAddress() answer {
	return reply(node("media_conn", waBinary.Attrs{"auth": "sim", "ttl": 300, "auth_ttl": 300, "max_buckets": 12},
		node("host", waBinary.Attrs{"hostname": mediaHost})))
}

// upload stores an encrypted file under the name that the client chose.
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
		s.log.Debug("chatsim: answer to upload failed", "error", err)
	}
}

// download returns a file.
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
		s.log.Debug("chatsim: answer to download failed", "error", err)
	}
}

// mediaFault applies the fault of a hook and reports whether there was one. For
// media, silence and a cut connection are the same.
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
