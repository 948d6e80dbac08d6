package vault_test

import (
	"bytes"
	"testing"
)

// TestSign changes each bit of a signature and of what was signed.
func TestSign(t *testing.T) {
	v := open(t, key(1))
	statement := []byte("file 17 until 1795255200")
	signature := v.Sign("file", statement)
	if len(signature) != 20 || !v.Signed("file", statement, signature) {
		t.Fatalf("the signature %x does not hold", signature)
	}
	if !bytes.Equal(signature, open(t, key(1)).Sign("file", statement)) {
		t.Error("another node signs otherwise")
	}
	for i := range len(signature) * 8 {
		wrong := bytes.Clone(signature)
		wrong[i/8] ^= 1 << (i % 8)
		if v.Signed("file", statement, wrong) {
			t.Errorf("bit %d of the signature does not count", i)
		}
	}
	for i := range len(statement) * 8 {
		wrong := bytes.Clone(statement)
		wrong[i/8] ^= 1 << (i % 8)
		if v.Signed("file", wrong, signature) {
			t.Errorf("bit %d of the statement does not count", i)
		}
	}
	if v.Signed("file", statement, nil) || v.Signed("file", statement, signature[:19]) || v.Signed("file", statement, append(signature, 0)) {
		t.Error("the length of the signature does not count")
	}
	if v.Signed("fil", append([]byte("e"), statement...), signature) || open(t, key(2)).Signed("file", statement, signature) {
		t.Error("the purpose or the key does not count")
	}
}
