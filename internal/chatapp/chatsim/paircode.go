package chatsim

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"

	waBinary "go.mau.fi/whatsmeow/binary"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/util/keys"
)

// codeRounds is the number of hash rounds that derive a key from the code.
const codeRounds = 2 << 16

// wrappedLength is the length of a public key that is encrypted with the code:
// salt, counter and key.
const wrappedLength = 32 + aes.BlockSize + 32

// A codePairing is a pairing by a code of eight characters.
type codePairing struct {
	account   *account
	reference string
	wrapped   []byte // the client's ephemeral key, encrypted with the code
	shared    []byte // the shared secret, after the code was entered
}

// linkByCode handles the client's side of a pairing by code, in two stages.
func (s *Server) linkByCode(c *conn, n waBinary.Node) answer {
	if c.pair == nil {
		return refuse(400)
	}
	switch text(&n, "stage") {
	case "companion_hello":
		a := s.find(address(&n, "jid"))
		wrapped := content(n.GetChildByTag("link_code_pairing_wrapped_companion_ephemeral_pub"))
		if a == nil || len(wrapped) != wrappedLength {
			return refuse(400)
		}
		c.pair.code = &codePairing{account: a, reference: rand.Text(), wrapped: wrapped}
		s.announce()
		return reply(node("link_code_companion_reg", waBinary.Attrs{"stage": "companion_hello"},
			leaf("link_code_pairing_ref", []byte(c.pair.code.reference))))
	case "companion_finish":
		if err := s.finishCode(c, n); err != nil {
			// The client cannot detect a wrong code; the phone reports it.
			if c.pair.code != nil {
				c.pair.code.shared = nil
			}
			c.pair.end(err)
		}
		return reply()
	}
	return refuse(400)
}

// EnterCode simulates a person who types a client's code into the account's
// phone. It returns when the client is paired. After ErrWrongCode it can be
// called again.
func (s *Server) EnterCode(phone, code string) error {
	code = strings.ToUpper(strings.ReplaceAll(code, "-", ""))
	s.mu.Lock()
	a := s.accounts[phone]
	c := s.pairingClient(func(p *pairing) bool {
		return p.code != nil && p.code.account == a && p.code.shared == nil
	})
	if a == nil || c == nil {
		s.mu.Unlock()
		return ErrNotShown
	}
	pair := c.pair.code
	s.mu.Unlock()

	// Hashing is slow, so it runs without the lock.
	theirs, err := behindCode(code, pair.wrapped)
	if err != nil {
		return err
	}
	ephemeral := keys.NewKeyPair()
	shared, err := agree(ephemeral, theirs)
	if err != nil {
		return ErrWrongCode
	}
	salt := randomBytes(32 + aes.BlockSize)
	hidden, err := behindCode(code, slices.Concat(salt, ephemeral.Pub[:]))
	if err != nil {
		return err
	}

	s.mu.Lock()
	if c.pair == nil {
		s.mu.Unlock()
		return ErrNotShown
	}
	pair.shared = shared
	ended := make(chan error, 1)
	c.pair.ended = ended
	c.send(s.notification("link_code_companion_reg", types.ServerJID,
		node("link_code_companion_reg", waBinary.Attrs{"stage": "primary_hello"},
			leaf("link_code_pairing_wrapped_primary_ephemeral_pub", slices.Concat(salt, hidden)),
			leaf("primary_identity_pub", a.key.Pub[:]),
			leaf("link_code_pairing_ref", []byte(pair.reference)),
		)))
	s.mu.Unlock()
	return waitPaired(ended)
}

// finishCode decrypts the client's message with the shared secret and continues
// the pairing as after a scanned QR code.
func (s *Server) finishCode(c *conn, n waBinary.Node) error {
	pair := c.pair.code
	bundle := content(n.GetChildByTag("link_code_pairing_wrapped_key_bundle"))
	if pair == nil || pair.shared == nil || len(bundle) < 44 {
		return errors.New("a pairing that was not begun")
	}
	key, err := hkdf.Key(sha256.New, pair.shared, bundle[:32], "link_code_pairing_key_bundle_encryption_key", 32)
	if err != nil {
		return err
	}
	plain, err := aead(key).Open(nil, bundle[32:44], bundle[44:], nil)
	if err != nil || len(plain) != 96 {
		return ErrWrongCode
	}
	identities, err := agree(pair.account.key, plain[:32])
	if err != nil {
		return err
	}
	secret, err := hkdf.Key(sha256.New, slices.Concat(pair.shared, identities, plain[64:]), nil, "adv_secret", 32)
	if err != nil {
		return err
	}
	_, err = s.agreeToPair(c, pair.account.phone, secret)
	return err
}

// behindCode encrypts or decrypts a public key with a code: it takes salt,
// counter and key, and returns the other key.
func behindCode(code string, wrapped []byte) ([]byte, error) {
	key, err := pbkdf2.Key(sha256.New, code, wrapped[:32], codeRounds, 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	out := make([]byte, 32)
	cipher.NewCTR(block, wrapped[32:32+aes.BlockSize]).XORKeyStream(out, wrapped[32+aes.BlockSize:])
	return out, nil
}

func randomBytes(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return b
}
