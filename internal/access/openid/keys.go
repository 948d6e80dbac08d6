package openid

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"encoding/json"
	"slices"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const (
	keysLife = 10 * time.Minute
	maxKeys  = 100
	minRSA   = 2048 // in bits
)

// algorithms are those that sign tokens: asymmetric ones. With a symmetric one, the
// public key or the client secret would be able to sign.
func algorithms() []jose.SignatureAlgorithm {
	return []jose.SignatureAlgorithm{
		jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512, jose.ES256, jose.ES384, jose.ES512, jose.EdDSA,
	}
}

func allowed(name string) bool { return slices.Contains(algorithms(), jose.SignatureAlgorithm(name)) }

func algorithmNames() (names []string) {
	for _, a := range algorithms() {
		names = append(names, string(a))
	}
	return names
}

// A keySet are the public keys of a provider.
type keySet []jose.JSONWebKey

// parseKeys reads a set (RFC 7517, section 5). Keys of other kinds, for other uses, or too
// weak are left out.
func parseKeys(text []byte) (keySet, error) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if wellFormed(text) != "" || json.Unmarshal(text, &set) != nil || len(set.Keys) > maxKeys {
		return nil, failed(Unreachable, "its keys are not a set of at most 100 keys")
	}
	var keys keySet
	for _, raw := range set.Keys {
		var key jose.JSONWebKey
		if key.UnmarshalJSON(raw) == nil && (key.Use == "" || key.Use == "sig") && strong(&key) {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		return nil, failed(Unreachable, "it has no key that can check a signature")
	}
	return keys, nil
}

func strong(key *jose.JSONWebKey) bool {
	switch public := key.Key.(type) {
	case *rsa.PublicKey:
		return public.N.BitLen() >= minRSA
	case *ecdsa.PublicKey, ed25519.PublicKey:
		return key.Valid()
	default:
		return false
	}
}

// keys returns the keys of a provider.
func (n *Network) keys(ctx context.Context, issuer string, renew bool) (keySet, error) {
	return n.keysOf(ctx, n.provider(issuer), issuer, renew)
}

func (n *Network) keysOf(ctx context.Context, p *provider, issuer string, renew bool) (keySet, error) {
	return p.keys.get(ctx, n.clock(), renew, func(ctx context.Context) (keySet, error) {
		m, err := n.metadataOf(ctx, p, issuer)
		if err != nil {
			return nil, err
		}
		text, err := n.get(ctx, m.KeysAddress)
		if err != nil {
			return nil, err
		}
		return parseKeys(text)
	})
}

// A checker checks signatures by the keys of an issuer, for go-oidc.
type checker struct {
	network *Network
	issuer  string
}

// VerifySignature returns what a token says if a key of the issuer signed it. If none of
// the remembered keys did, they are fetched again, at most once a minute.
func (c checker) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	signed, err := jose.ParseSignedCompact(token, algorithms())
	if err != nil {
		return nil, errSignature()
	}
	for _, renew := range []bool{false, true} {
		keys, err := c.network.keys(ctx, c.issuer, renew)
		if err != nil {
			return nil, err
		}
		if payload, ok := keys.verify(signed); ok {
			return payload, nil
		}
	}
	return nil, errSignature()
}

func errSignature() error { return failed(BadToken, "no key of the provider signed its token") }

// verify tries the keys that a token names. A token that names none may only be of a
// provider with a single key (OpenID Connect Core 1.0, section 10.1).
func (k keySet) verify(signed *jose.JSONWebSignature) ([]byte, bool) {
	head := signed.Signatures[0].Header
	if head.KeyID == "" && len(k) != 1 {
		return nil, false
	}
	for i := range k {
		if head.KeyID != "" && k[i].KeyID != head.KeyID || k[i].Algorithm != "" && k[i].Algorithm != head.Algorithm {
			continue
		}
		if payload, err := signed.Verify(&k[i]); err == nil {
			return payload, true
		}
	}
	return nil, false
}
