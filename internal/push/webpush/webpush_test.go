package webpush

import (
	"bytes"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"
)

func decoded(t *testing.T, text string) []byte {
	t.Helper()
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestVector encrypts the message of RFC 8291, appendix A.
func TestVector(t *testing.T) {
	sender, err := ecdh.P256().NewPrivateKey(decoded(t, "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
	if err != nil {
		t.Fatal(err)
	}
	to := Keys{
		Public: decoded(t, "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
		Auth:   decoded(t, "BTBZMqHH6r4Tts7J_aSIgg"),
	}
	got, err := encrypt(to, []byte("When I grow up, I want to be a watermelon"), sender, decoded(t, "DGv6ra1nlYgDCS1FRnbzlw"), 0)
	if err != nil {
		t.Fatal(err)
	}
	want := "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT" +
		"pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
	if text := base64.RawURLEncoding.EncodeToString(got); text != want {
		t.Errorf("the message is encrypted to\n%s, want\n%s", text, want)
	}
}

// A browser decrypts as RFC 8291 says, by code that shares nothing but derive with
// Encrypt.
func decrypt(t *testing.T, key *ecdh.PrivateKey, auth, body []byte) []byte {
	t.Helper()
	salt, size, idlen := body[:16], binary.BigEndian.Uint32(body[16:20]), int(body[20])
	sender, err := ecdh.P256().NewPublicKey(body[21 : 21+idlen])
	if err != nil || size < uint32(len(body)-21-idlen) {
		t.Fatal(err, size)
	}
	shared, err := key.ECDH(sender)
	if err != nil {
		t.Fatal(err)
	}
	aead, nonce, err := derive(shared, Keys{key.PublicKey().Bytes(), auth}, sender.Bytes(), salt)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := aead.Open(nil, nonce, body[21+idlen:], nil)
	if err != nil {
		t.Fatal(err)
	}
	end := bytes.LastIndexByte(plain, 2)
	if end < 0 || strings.Trim(string(plain[end+1:]), "\x00") != "" {
		t.Fatalf("the padding is %x", plain)
	}
	return plain[:end]
}

// TestLengths encrypts messages of every length: each can be read, none is too long for a
// push service, and the length on the wire says little.
func TestLengths(t *testing.T) {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	auth := make([]byte, AuthSize)
	seen := map[int]bool{}
	for size := 0; size <= MaxPlain; size += 37 {
		plain := bytes.Repeat([]byte("x"), size)
		body, err := Encrypt(Keys{key.PublicKey().Bytes(), auth}, plain)
		if err != nil || len(body) > 4096 {
			t.Fatalf("%d bytes become %d, %v", size, len(body), err)
		}
		seen[len(body)] = true
		if got := decrypt(t, key, auth, body); !bytes.Equal(got, plain) {
			t.Errorf("%d bytes are read as %d", size, len(got))
		}
	}
	if len(seen) > 7 {
		t.Errorf("there are %d lengths: %v", len(seen), seen)
	}
	if _, err := Encrypt(Keys{key.PublicKey().Bytes(), auth}, make([]byte, MaxPlain+1)); err == nil {
		t.Error("a message that is too long was encrypted")
	}
}

func TestKeys(t *testing.T) {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	public := key.PublicKey().Bytes()
	offCurve := bytes.Clone(public)
	offCurve[64] ^= 1
	for name, c := range map[string]struct {
		keys Keys
		want bool
	}{
		"good":          {Keys{public, make([]byte, 16)}, true},
		"short auth":    {Keys{public, make([]byte, 15)}, false},
		"no key":        {Keys{nil, make([]byte, 16)}, false},
		"off the curve": {Keys{offCurve, make([]byte, 16)}, false},
		"infinity":      {Keys{[]byte{0}, make([]byte, 16)}, false},
	} {
		_, err := Encrypt(c.keys, nil)
		if c.keys.Valid() != c.want || (err == nil) != c.want || err != nil && !errors.Is(err, ErrKeys) {
			t.Errorf("%s: valid %v, %v", name, c.keys.Valid(), err)
		}
	}
}

// TestAuthorization checks a signature as a push service does.
func TestAuthorization(t *testing.T) {
	made, err := NewSigner()
	if err != nil {
		t.Fatal(err)
	}
	private, err := made.Private()
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ParseSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1_790_000_000, 0)
	header, err := signer.Authorization("https://push.example", "mailto:ops@parley.example", now)
	if err != nil {
		t.Fatal(err)
	}
	fields, ok := strings.CutPrefix(header, "vapid t=")
	token, public, cut := strings.Cut(fields, ", k=")
	if want, err := made.Public(); !ok || !cut || err != nil || public != want {
		t.Fatalf("the header is %q", header)
	}
	parts := strings.Split(token, ".")
	var got claims
	if err := json.Unmarshal(decoded(t, parts[1]), &got); err != nil {
		t.Fatal(err)
	}
	if got.Audience != "https://push.example" || got.Subject != "mailto:ops@parley.example" || got.Expires != now.Add(12*time.Hour).Unix() {
		t.Errorf("the claims are %+v", got)
	}
	key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), decoded(t, public))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	signature := decoded(t, parts[2])
	r, s := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])
	if len(signature) != 64 || !ecdsa.Verify(key, sum[:], r, s) {
		t.Error("the signature is not valid")
	}
	if _, err := ParseSigner(private[1:]); err == nil {
		t.Error("half a key was taken")
	}
}
