// Package webpush encrypts a message for a browser (RFC 8291, with the coding of RFC 8188)
// and signs the request that hands it to the browser's push service (RFC 8292, VAPID).
//
// It imports nothing of this module, makes no connections and stores nothing.
package webpush

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"time"
)

const (
	// AuthSize is the size of a browser's authentication secret in bytes.
	AuthSize = 16
	// MaxPlain is the longest message in bytes. Push services must accept 4,096 bytes of
	// contents (RFC 8030, section 7.2), and some take no more.
	MaxPlain = 3 << 10
	// recordSize is that of the coding: a message is one record.
	recordSize = 4096
	saltSize   = 16
	keySize    = 16
	nonceSize  = 12
	// paddedTo is what lengths are rounded up to, because the push service sees them.
	paddedTo = 512
	// tokenTime is how long a signature is valid, at most a day (RFC 8292, section 2).
	tokenTime = 12 * time.Hour
)

// ErrKeys says that the keys of a browser are malformed.
var ErrKeys = errors.New("the keys of the subscription are malformed")

// Keys are those of a browser's subscription.
type Keys struct {
	Public []byte // a point of P-256, uncompressed
	Auth   []byte // AuthSize bytes
}

// Valid reports whether messages can be encrypted for the keys.
func (k Keys) Valid() bool {
	_, err := ecdh.P256().NewPublicKey(k.Public)
	return err == nil && len(k.Auth) == AuthSize
}

// Encrypt returns the body of a request with a message, in the coding aes128gcm.
func Encrypt(to Keys, plain []byte) ([]byte, error) {
	sender, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	salt := make([]byte, saltSize)
	if _, err := rand.Read(salt); err != nil {
		return nil, err
	}
	return encrypt(to, plain, sender, salt, padding(len(plain)))
}

// padding returns how many zeros follow a message.
func padding(size int) int {
	return min((paddedTo-(size+1)%paddedTo)%paddedTo, MaxPlain-size)
}

// encrypt is RFC 8291, section 3.4.
func encrypt(to Keys, plain []byte, sender *ecdh.PrivateKey, salt []byte, zeros int) ([]byte, error) {
	if len(plain) > MaxPlain {
		return nil, fmt.Errorf("a message of %d bytes, more than %d", len(plain), MaxPlain)
	}
	receiver, err := ecdh.P256().NewPublicKey(to.Public)
	if err != nil || len(to.Auth) != AuthSize {
		return nil, ErrKeys
	}
	shared, err := sender.ECDH(receiver)
	if err != nil {
		return nil, ErrKeys
	}
	mine := sender.PublicKey().Bytes()
	aead, nonce, err := derive(shared, to, mine, salt)
	if err != nil {
		return nil, err
	}
	body := append([]byte(nil), salt...)
	body = binary.BigEndian.AppendUint32(body, recordSize)
	body = append(append(body, byte(len(mine))), mine...)
	// 2 ends the last record; zeros may follow it (RFC 8188, section 2).
	padded := append(append([]byte(nil), plain...), 2)
	return aead.Seal(body, nonce, append(padded, make([]byte, zeros)...), nil), nil
}

// derive returns the cipher and the nonce of a message.
func derive(shared []byte, to Keys, sender, salt []byte) (cipher.AEAD, []byte, error) {
	info := "WebPush: info\x00" + string(to.Public) + string(sender)
	secret, err := hkdf.Key(sha256.New, shared, to.Auth, info, sha256.Size)
	if err != nil {
		return nil, nil, err
	}
	key, err := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: aes128gcm\x00", keySize)
	if err != nil {
		return nil, nil, err
	}
	nonce, err := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: nonce\x00", nonceSize)
	if err != nil {
		return nil, nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, nil, err
	}
	aead, err := cipher.NewGCM(block)
	return aead, nonce, err
}

// A Signer signs requests as one application server, which browsers know by its public key.
type Signer struct{ key *ecdsa.PrivateKey }

// NewSigner returns a Signer with a new key.
func NewSigner() (Signer, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	return Signer{key}, err
}

// ParseSigner returns the Signer of a private key that [Signer.Private] returned.
func ParseSigner(private []byte) (Signer, error) {
	key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), private)
	return Signer{key}, err
}

// Private returns the private key, which must stay secret.
func (s Signer) Private() ([]byte, error) { return s.key.Bytes() }

// Public returns the public key as browsers take it: base64url of an uncompressed point.
func (s Signer) Public() (string, error) {
	public, err := s.key.PublicKey.Bytes()
	return base64.RawURLEncoding.EncodeToString(public), err
}

// claims are those of RFC 8292, section 2.
type claims struct {
	Audience string `json:"aud"`
	Expires  int64  `json:"exp"`
	Subject  string `json:"sub,omitempty"`
}

// Authorization returns the value of the header Authorization for a request to a push
// service. The audience is the origin of the service; the subject is how its operator
// reaches this server's, "" if unknown.
func (s Signer) Authorization(audience, subject string, now time.Time) (string, error) {
	payload, err := json.Marshal(claims{Audience: audience, Expires: now.Add(tokenTime).Unix(), Subject: subject})
	if err != nil {
		return "", err
	}
	encode := base64.RawURLEncoding.EncodeToString
	token := encode([]byte(`{"typ":"JWT","alg":"ES256"}`)) + "." + encode(payload)
	sum := sha256.Sum256([]byte(token))
	r, v, err := ecdsa.Sign(rand.Reader, s.key, sum[:])
	if err != nil {
		return "", err
	}
	public, err := s.Public()
	return "vapid t=" + token + "." + encode(fixed(r, v)) + ", k=" + public, err
}

// fixed returns a signature in the form of RFC 7518, section 3.4.
func fixed(r, s *big.Int) []byte {
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return signature
}
