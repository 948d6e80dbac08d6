package demo

import "testing"

// TestHosts tells addresses of this machine from names that another site may
// point to it.
func TestHosts(t *testing.T) {
	for listen, want := range map[string]bool{"127.0.0.1:1": true, "localhost:1": true, "[::1]:1": true, "0.0.0.0:1": false, ":1": false, "192.0.2.1:1": false} {
		if NewHosts(listen, nil).Local() != want {
			t.Errorf("%s is local: %v", listen, !want)
		}
	}
	everywhere, office := NewHosts(":8080", nil), NewHosts("demo.office:8080", nil)
	if !everywhere.has("192.0.2.1:8080") || everywhere.has("evil.example") || !office.has("demo.office:8080") || office.has("evil.example") {
		t.Error("an address of the machine is not told from a name")
	}
}
