package chatsim

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.mau.fi/whatsmeow"
	waBinary "go.mau.fi/whatsmeow/binary"
	"go.mau.fi/whatsmeow/proto/waAdv"
	"go.mau.fi/whatsmeow/types"
	"google.golang.org/protobuf/proto"
)

// references is how many QR texts a client receives to show one after the
// other.
const references = 6

// pairTimeout is how long ScanQR and EnterCode wait for the client.
const pairTimeout = 20 * time.Second

// Errors of pairing, as a person sees them on the phone.
var (
	ErrNoAccount      = errors.New("there is no such account")
	ErrNotShown       = errors.New("no client shows this code")
	ErrWrongCode      = errors.New("the code is wrong")
	ErrTooManyDevices = errors.New("the account has four linked devices already")
	ErrPairRefused    = errors.New("the client refused the pairing")
	ErrPairTimeout    = errors.New("the client did not answer in time")
)

// A pairing is a client that is to become a device. The server's lock protects
// it.
type pairing struct {
	references []string
	code       *codePairing // set when it requested a code
	account    *account     // set when a phone agreed
	request    string       // the id of the request that said so
	number     uint16       // number of the future device
	ended      chan error   // buffer of one
}

// end reports the result of the pairing to the phone, if it still waits.
func (p *pairing) end(err error) {
	select {
	case p.ended <- err:
	default:
	}
}

// register sends a client the texts for its QR codes.
func (s *Server) register(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.pair = &pairing{ended: make(chan error, 1)}
	refs := make([]waBinary.Node, references)
	for i := range refs {
		ref := "2@" + rand.Text()
		c.pair.references = append(c.pair.references, ref)
		refs[i] = leaf("ref", []byte(ref))
	}
	c.send(s.push(node("pair-device", nil, refs...)))
}

// push wraps a request of the server to a client. The caller holds the lock.
func (s *Server) push(child waBinary.Node) waBinary.Node {
	return node("iq", waBinary.Attrs{
		"from": types.ServerJID, "type": "set", "id": s.stanzaID(), "t": s.now().Unix(),
	}, child)
}

// ScanQR simulates the account's phone scanning a client's QR code, given its
// text. It returns when the client is paired. The client then reconnects as a
// device.
func (s *Server) ScanQR(phone, qr string) error {
	_, after, _ := strings.Cut(qr, "#")
	parts := strings.Split(after, ",")
	if len(parts) != 5 {
		return fmt.Errorf("%w: it has %d parts", ErrNotShown, len(parts))
	}
	secret, err := base64.StdEncoding.DecodeString(parts[3])
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNotShown, err)
	}
	s.mu.Lock()
	c := s.pairingClient(func(p *pairing) bool {
		return slices.Contains(p.references, parts[0])
	})
	if c == nil || base64.StdEncoding.EncodeToString(c.hello.static[:]) != parts[1] {
		s.mu.Unlock()
		return ErrNotShown
	}
	ended, err := s.agreeToPair(c, phone, secret)
	s.mu.Unlock()
	if err != nil {
		return err
	}
	return waitPaired(ended)
}

// pairingClient returns the client of a pairing. The caller holds the lock.
func (s *Server) pairingClient(is func(*pairing) bool) *conn {
	for c := range s.conns {
		if c.pair != nil && c.pair.account == nil && is(c.pair) {
			return c
		}
	}
	return nil
}

// agreeToPair signs the client's identity with the phone's key and assigns a
// device number. The caller holds the lock.
func (s *Server) agreeToPair(c *conn, phone string, secret []byte) (<-chan error, error) {
	a := s.accounts[phone]
	switch {
	case a == nil:
		return nil, ErrNoAccount
	case len(a.devices) >= maxDevices:
		return nil, ErrTooManyDevices
	}
	a.last++ // another client may be pairing at the same time
	details := encode(&waAdv.ADVDeviceIdentity{
		RawID:     proto.Uint32(uint32(a.last)),
		Timestamp: proto.Uint64(uint64(s.now().Unix())),
		KeyIndex:  proto.Uint32(uint32(a.last)),
	})
	identity := c.hello.payload.GetDevicePairingData().GetEIdent()
	signed := encode(&waAdv.ADVSignedDeviceIdentity{
		Details:             details,
		AccountSignatureKey: a.key.Pub[:],
		AccountSignature:    sign(a.key, whatsmeow.AdvAccountSignaturePrefix, details, identity),
	})
	mac := hmac.New(sha256.New, secret)
	mac.Write(signed)
	sealed := encode(&waAdv.ADVSignedDeviceIdentityHMAC{Details: signed, HMAC: mac.Sum(nil)})

	future := device{account: a, number: a.last}
	request := s.push(node("pair-success", nil,
		leaf("device-identity", sealed),
		node("device", waBinary.Attrs{"jid": future.pn(), "lid": future.lid()}),
		node("platform", waBinary.Attrs{"name": "android"}),
	))
	c.pair.account, c.pair.request, c.pair.number = a, text(&request, "id"), a.last
	c.send(request)
	return c.pair.ended, nil
}

// pairSigned turns a client that confirmed the pairing into a device and
// disconnects it, so that it logs in as such.
func (s *Server) pairSigned(c *conn, n *waBinary.Node) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.pair == nil || c.pair.account == nil || text(n, "id") != c.pair.request {
		return
	}
	s.link(c.pair.account, c.hello, c.pair.number)
	c.sendLast(streamError("515"))
	c.pair.end(nil)
	c.pair = nil
}

// pairRefused ends a pairing that the client rejected.
func (s *Server) pairRefused(c *conn, n *waBinary.Node) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.pair == nil || c.pair.account == nil || text(n, "id") != c.pair.request {
		return
	}
	c.pair.end(ErrPairRefused)
	c.pair = nil
}

func waitPaired(ended <-chan error) error {
	late := time.NewTimer(pairTimeout)
	defer late.Stop()
	select {
	case err := <-ended:
		return err
	case <-late.C:
		return ErrPairTimeout
	}
}
