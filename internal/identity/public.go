package identity

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"math/big"
	"strings"
)

// Errors of public keys; each completes "must …".
var (
	errNotPublic  = errors.New("be a public key; this is a private one, which must not leave your server")
	errNoKey      = errors.New("be a public key: PEM, or a JWK of type RSA, EC with the curve P-256, or OKP with Ed25519")
	errWeakKey    = errors.New("be an RSA key of 2048 to 8192 bits")
	errOtherCurve = errors.New("be a key on the curve P-256")
)

// ParsePublicKey parses a pasted public key: PEM (PKIX, PKCS #1, or a
// certificate), or a JWK (RFC 7517). The text of the error completes "must …".
func ParsePublicKey(text string) (crypto.PublicKey, error) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "{") {
		return parseJWK([]byte(text))
	}
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil, errNoKey
	}
	if strings.Contains(block.Type, "PRIVATE") {
		return nil, errNotPublic
	}
	var key crypto.PublicKey
	var err error
	switch block.Type {
	case "PUBLIC KEY":
		key, err = x509.ParsePKIXPublicKey(block.Bytes)
	case "RSA PUBLIC KEY":
		key, err = x509.ParsePKCS1PublicKey(block.Bytes)
	case "CERTIFICATE":
		var certificate *x509.Certificate
		if certificate, err = x509.ParseCertificate(block.Bytes); err == nil {
			key = certificate.PublicKey
		}
	default:
		return nil, errNoKey
	}
	if err != nil {
		return nil, errNoKey
	}
	return key, fit(key)
}

// fit refuses keys that no supported algorithm uses.
func fit(key crypto.PublicKey) error {
	switch k := key.(type) {
	case *rsa.PublicKey:
		if k.N.BitLen() < MinRSA || k.N.BitLen() > MaxRSA {
			return errWeakKey
		}
	case *ecdsa.PublicKey:
		if k.Curve != elliptic.P256() {
			return errOtherCurve
		}
	case ed25519.PublicKey:
	default:
		return errNoKey
	}
	return nil
}

// Algorithms returns the algorithms that a public key can verify, the usual one
// first.
func Algorithms(key crypto.PublicKey) []string {
	switch key.(type) {
	case *rsa.PublicKey:
		return []string{RS256, PS256}
	case *ecdsa.PublicKey:
		return []string{ES256}
	case ed25519.PublicKey:
		return []string{EdDSA}
	}
	return nil
}

// PublicPEM encodes a public key as PEM (PKIX), its stored form.
func PublicPEM(key crypto.PublicKey) (string, error) {
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return "", err
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})), nil
}

// A jwk is the part of a JSON Web Key that is read (RFC 7517, section 4; RFC
// 7518, section 6; RFC 8037, section 2).
type jwk struct {
	KID string `json:"kid"`
	KTY string `json:"kty"`
	Use string `json:"use"`
	Alg string `json:"alg"`
	CRV string `json:"crv"`
	N   string `json:"n"`
	E   string `json:"e"`
	X   string `json:"x"`
	Y   string `json:"y"`
	D   string `json:"d"` // there in a private key alone
	K   string `json:"k"` // a secret
}

func parseJWK(text []byte) (crypto.PublicKey, error) {
	var j jwk
	if err := json.Unmarshal(text, &j); err != nil {
		return nil, errNoKey
	}
	return j.public()
}

func (j jwk) public() (crypto.PublicKey, error) {
	if j.D != "" || j.K != "" {
		return nil, errNotPublic
	}
	var key crypto.PublicKey
	switch {
	case j.KTY == "RSA":
		n, e := number(j.N), number(j.E)
		if n == nil || e == nil || !e.IsInt64() || e.Int64() < 3 || e.Int64() >= 1<<31 || e.Bit(0) == 0 {
			return nil, errNoKey
		}
		key = &rsa.PublicKey{N: n, E: int(e.Int64())}
	case j.KTY == "EC" && j.CRV == "P-256":
		x, y := fixed(j.X, 32), fixed(j.Y, 32)
		if x == nil || y == nil {
			return nil, errNoKey
		}
		point, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), append(append([]byte{4}, x...), y...))
		if err != nil {
			return nil, errNoKey
		}
		key = point
	case j.KTY == "EC":
		return nil, errOtherCurve
	case j.KTY == "OKP" && j.CRV == "Ed25519":
		x := fixed(j.X, ed25519.PublicKeySize)
		if x == nil {
			return nil, errNoKey
		}
		key = ed25519.PublicKey(x)
	default:
		return nil, errNoKey
	}
	return key, fit(key)
}

// number parses a positive integer in base64url.
func number(text string) *big.Int {
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(b) == 0 || len(b) > MaxRSA/8+1 {
		return nil
	}
	return new(big.Int).SetBytes(b)
}

func fixed(text string, size int) []byte {
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(b) != size {
		return nil
	}
	return b
}
