package whatsapp

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	waBinary "go.mau.fi/whatsmeow/binary"
)

// At any of our levels, the log shows nothing of the data on the connection.
func TestLogHoldsNoSecrets(t *testing.T) {
	var out bytes.Buffer
	log := logger{slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))}.Sub("Recv")
	node := waBinary.Node{Tag: "message", Attrs: waBinary.Attrs{"code": "secret"}, Content: []waBinary.Node{{Tag: "body", Content: []byte("secret")}}}
	log.Debugf("%s", &node)
	log.Infof("Got %s", &node)
	log.Warnf("Node handling took %d s for %s", 7, &node)
	log.Errorf("Unknown stream error: %s", node)
	cipherLogger{slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))}.Debug("secret", "secret")
	if text := out.String(); strings.Contains(text, "secret") || !strings.Contains(text, "took 7 s for <message>") || strings.Count(text, "\n") != 3 || strings.Contains(text, "ERROR") {
		t.Error(text)
	}
}
