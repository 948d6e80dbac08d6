package chatsim

import (
	"crypto/sha256"
	"time"

	"go.mau.fi/libsignal/ecc"
	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waCert"
	"go.mau.fi/whatsmeow/util/keys"
	"google.golang.org/protobuf/proto"
)

// DefaultSeed is the default for Options.Seed.
const DefaultSeed = "parley"

// Trust makes all whatsmeow clients of this process trust servers with this
// seed instead of the real network. It sets the library's global variable
// whatsmeow.WACertPubKey without a lock, so call it once, in TestMain or at the
// start of main, before any client connects.
func Trust(seed string) { whatsmeow.WACertPubKey = *rootKey(seed).Pub }

// rootKey derives the key pair from the seed, so that processes with the same
// seed agree without communication.
func rootKey(seed string) *keys.KeyPair {
	private := sha256.Sum256([]byte("chatsim root " + seed))
	private[0] &= 248
	private[31] = private[31]&127 | 64
	return keys.NewKeyPairFromPrivateKey(private)
}

// pki is the server's static key and its certificate chain.
type pki struct {
	static *keys.KeyPair
	chain  []byte
}

func newPKI(seed string) pki {
	root, middle, static := rootKey(seed), keys.NewKeyPair(), keys.NewKeyPair()
	chain := &waCert.CertChain{
		Intermediate: certify(root, middle, 1, whatsmeow.WACertIssuerSerial),
		Leaf:         certify(middle, static, 2, 1),
	}
	return pki{static: static, chain: encode(chain)}
}

// certify signs a key. Clients check its validity by their own clock, which may
// differ from the network's, hence the long validity.
func certify(issuer, subject *keys.KeyPair, serial, issuerSerial uint32) *waCert.CertChain_NoiseCertificate {
	now := time.Now()
	details := encode(&waCert.CertChain_NoiseCertificate_Details{
		Serial:       &serial,
		IssuerSerial: &issuerSerial,
		Key:          subject.Pub[:],
		NotBefore:    proto.Uint64(uint64(now.AddDate(-1, 0, 0).Unix())),
		NotAfter:     proto.Uint64(uint64(now.AddDate(20, 0, 0).Unix())),
	})
	signature := sign(issuer, details)
	return &waCert.CertChain_NoiseCertificate{Details: details, Signature: signature}
}

// sign returns the signature of the concatenated parts.
func sign(key *keys.KeyPair, parts ...[]byte) []byte {
	var message []byte
	for _, part := range parts {
		message = append(message, part...)
	}
	signature := ecc.CalculateSignature(ecc.NewDjbECPrivateKey(*key.Priv), message)
	return signature[:]
}

// encode marshals a message that this package built itself, which cannot fail.
func encode(m proto.Message) []byte {
	data, err := proto.Marshal(m)
	if err != nil {
		panic(err)
	}
	return data
}
