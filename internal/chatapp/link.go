package chatapp

import (
	"context"
	"errors"
	"time"

	"parley"
)

// A Linker pairs numbers with the network. Drivers that need pairing implement
// it.
type Linker interface {
	// Pair starts to pair a number: it requests codes that a person enters on
	// the phone. The steps arrive on the channel, which closes after Paired,
	// PairExpired or PairRefused, or when ctx ends. A caller that stops reading
	// must cancel ctx. It returns ErrPaired if the number is already paired,
	// and ErrOtherNetwork if it is paired on another network.
	//
	// With Paired the credentials are stored. The number is not connected; see
	// [Runner].
	Pair(ctx context.Context, host Host, by PairBy) (<-chan PairStep, error)
	// Unpair removes this device from the phone's list of linked devices and
	// deletes the credentials. It deletes them even if the network is
	// unreachable or no longer knows the number. Repeating it is safe.
	// Credentials for another network are kept, and it returns ErrOtherNetwork.
	Unpair(ctx context.Context, host Host) error
}

// A PairBy is a method of pairing.
type PairBy string

// The methods of pairing.
const (
	PairByQR   PairBy = "qr"   // the phone scans a QR code
	PairByCode PairBy = "code" // the person types a code; Host.Phone must be set
)

// A PairStepKind is the kind of a PairStep.
type PairStepKind string

// The steps of pairing. Paired and the kinds after it are final.
const (
	QRCode      PairStepKind = "qr_code"    // Code is the text of the QR code, valid until Until
	PhoneCode   PairStepKind = "phone_code" // Code is XXXX-XXXX, valid until Until
	Paired      PairStepKind = "paired"     // Phone is the number that was paired
	PairExpired PairStepKind = "expired"    // nobody entered a code in time
	PairRefused PairStepKind = "refused"    // Reason says why
)

// A PairStep is the next action for the person, or the end of pairing.
type PairStep struct {
	Kind  PairStepKind
	Code  string
	Until time.Time
	// Phone is set with Paired. With PairByQR it is whichever phone scanned the
	// code, possibly in the network's spelling. The caller compares it with the
	// intended number and unpairs a wrong one.
	Phone  parley.Phone
	Reason string // for display, with PairRefused
}

// A Runner keeps numbers connected. Drivers with connections implement it.
type Runner interface {
	// Open starts the client of a number in this process and returns before it
	// is connected; State reports the connection. The caller must hold the
	// lease of the number, because two clients of one number disconnect each
	// other. The client reconnects after every interruption, including a ban,
	// until Close or until the number is logged out. Opening an open number
	// changes nothing. It returns ErrNotPaired without credentials, and
	// ErrOtherNetwork with those of another network.
	//
	// ctx applies to Open only; in is called with contexts of the client.
	Open(ctx context.Context, host Host, in Inbound) error
	// Close stops the client of a number. When it returns, the Inbound is not
	// called any more. An Inbound must not call it.
	Close(host Host)
}

// Errors of linking and running.
var (
	ErrPaired    = errors.New("the number is paired already")
	ErrNotPaired = errors.New("the number is not paired with this server")
)
