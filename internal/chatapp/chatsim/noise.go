package chatsim

import (
	"bufio"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"

	"go.mau.fi/whatsmeow/proto/waWa6"
	"go.mau.fi/whatsmeow/socket"
	"go.mau.fi/whatsmeow/util/keys"
	"google.golang.org/protobuf/proto"
)

// A channel is a connection after the handshake, encrypted in both directions.
// One goroutine may read while another writes.
type channel struct {
	wire     net.Conn
	in       *bufio.Reader
	read     cipher.AEAD
	write    cipher.AEAD
	received uint32
	sent     uint32
}

// A greeting is what the client sent about itself in the handshake.
type greeting struct {
	static  [32]byte // its key, which identifies a device
	payload *waWa6.ClientPayload
}

// accept performs the handshake as the responder: Noise XX with X25519, AES-GCM
// and SHA-256.
func (p pki) accept(wire net.Conn) (*channel, greeting, error) {
	ch := &channel{wire: wire, in: bufio.NewReader(wire)}
	header := make([]byte, len(socket.WAConnHeader))
	if _, err := io.ReadFull(ch.in, header); err != nil {
		return nil, greeting{}, err
	}
	n := newNoise(header)
	hello, err := ch.handshakeFrame()
	if err != nil {
		return nil, greeting{}, err
	}
	theirs, err := p.reply(ch, n, hello.GetClientHello().GetEphemeral())
	if err != nil {
		return nil, greeting{}, err
	}
	finish, err := ch.handshakeFrame()
	if err != nil {
		return nil, greeting{}, err
	}
	g, err := n.finish(theirs, finish.GetClientFinish())
	if err != nil {
		return nil, greeting{}, err
	}
	ch.read, ch.write, err = n.split()
	return ch, g, err
}

// reply sends the server's part of the handshake and returns the server's
// ephemeral key, which the remaining steps need.
func (p pki) reply(ch *channel, n *noise, ephemeral []byte) (*keys.KeyPair, error) {
	n.mixHash(ephemeral)
	own := keys.NewKeyPair()
	n.mixHash(own.Pub[:])
	if err := n.mixSecret(own, ephemeral); err != nil {
		return nil, err
	}
	static := n.seal(p.static.Pub[:])
	if err := n.mixSecret(p.static, ephemeral); err != nil {
		return nil, err
	}
	answer := &waWa6.HandshakeMessage{ServerHello: &waWa6.HandshakeMessage_ServerHello{
		Ephemeral: own.Pub[:], Static: static, Payload: n.seal(p.chain),
	}}
	return own, ch.writeFrame(encode(answer))
}

// handshakeFrame reads a frame before encryption of frames has started.
func (ch *channel) handshakeFrame() (*waWa6.HandshakeMessage, error) {
	frame, err := ch.readFrame()
	if err != nil {
		return nil, err
	}
	var m waWa6.HandshakeMessage
	if err := proto.Unmarshal(frame, &m); err != nil {
		return nil, fmt.Errorf("handshake: %w", err)
	}
	return &m, nil
}

// readFrame reads one frame: a length of three bytes, and the data.
func (ch *channel) readFrame() ([]byte, error) {
	var length [4]byte
	if _, err := io.ReadFull(ch.in, length[1:]); err != nil {
		return nil, err
	}
	frame := make([]byte, binary.BigEndian.Uint32(length[:]))
	_, err := io.ReadFull(ch.in, frame)
	return frame, err
}

func (ch *channel) writeFrame(data []byte) error {
	if len(data) >= socket.FrameMaxSize {
		return errors.New("frame too large")
	}
	frame := binary.BigEndian.AppendUint32(nil, uint32(len(data)))[1:]
	_, err := ch.wire.Write(append(frame, data...))
	return err
}

// receive reads one encrypted frame.
func (ch *channel) receive() ([]byte, error) {
	frame, err := ch.readFrame()
	if err != nil {
		return nil, err
	}
	plain, err := ch.read.Open(nil, counted(ch.received), frame, nil)
	ch.received++
	return plain, err
}

// send writes one encrypted frame.
func (ch *channel) send(plain []byte) error {
	frame := ch.write.Seal(nil, counted(ch.sent), plain, nil)
	ch.sent++
	return ch.writeFrame(frame)
}

// noise is the state of a handshake.
type noise struct {
	hash    []byte // of the handshake so far
	salt    []byte
	key     cipher.AEAD
	counter uint32
}

// newNoise starts a handshake. The name of the pattern has exactly 32 bytes, so
// it is the initial hash.
func newNoise(header []byte) *noise {
	start := []byte(socket.NoiseStartPattern)
	n := &noise{hash: start, salt: start, key: aead(start)}
	n.mixHash(header)
	return n
}

func (n *noise) mixHash(data []byte) {
	sum := sha256.Sum256(append(append([]byte(nil), n.hash...), data...))
	n.hash = sum[:]
}

// mixSecret computes a shared secret and mixes it into the keys.
func (n *noise) mixSecret(own *keys.KeyPair, theirs []byte) error {
	secret, err := agree(own, theirs)
	if err != nil {
		return err
	}
	salt, key, err := n.derive(secret)
	if err != nil {
		return err
	}
	n.salt, n.key, n.counter = salt, aead(key), 0
	return nil
}

func (n *noise) derive(secret []byte) (first, second []byte, err error) {
	both, err := hkdf.Key(sha256.New, secret, n.salt, "", 64)
	if err != nil {
		return nil, nil, err
	}
	return both[:32], both[32:], nil
}

func (n *noise) seal(plain []byte) []byte {
	sealed := n.key.Seal(nil, counted(n.counter), plain, n.hash)
	n.counter++
	n.mixHash(sealed)
	return sealed
}

func (n *noise) open(sealed []byte) ([]byte, error) {
	plain, err := n.key.Open(nil, counted(n.counter), sealed, n.hash)
	n.counter++
	n.mixHash(sealed)
	return plain, err
}

// finish reads the client's last message of the handshake.
func (n *noise) finish(own *keys.KeyPair, m *waWa6.HandshakeMessage_ClientFinish) (greeting, error) {
	static, err := n.open(m.GetStatic())
	if err != nil {
		return greeting{}, err
	}
	if err := n.mixSecret(own, static); err != nil {
		return greeting{}, err
	}
	data, err := n.open(m.GetPayload())
	if err != nil {
		return greeting{}, err
	}
	g := greeting{static: [32]byte(static), payload: &waWa6.ClientPayload{}}
	return g, proto.Unmarshal(data, g.payload)
}

// split returns the keys of what the client writes and of what it reads.
func (n *noise) split() (read, write cipher.AEAD, err error) {
	first, second, err := n.derive(nil)
	if err != nil {
		return nil, nil, err
	}
	return aead(first), aead(second), nil
}

// aead returns AES-GCM under a key of 32 bytes.
func aead(key []byte) cipher.AEAD {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err) // the key has a fixed length
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	return gcm
}

// counted returns the nonce for a message number.
func counted(n uint32) []byte {
	return binary.BigEndian.AppendUint32(make([]byte, 8), n)
}

// agree returns the shared secret of two keys.
func agree(own *keys.KeyPair, theirs []byte) ([]byte, error) {
	private, err := ecdh.X25519().NewPrivateKey(own.Priv[:])
	if err != nil {
		return nil, err
	}
	public, err := ecdh.X25519().NewPublicKey(theirs)
	if err != nil {
		return nil, err
	}
	return private.ECDH(public)
}
