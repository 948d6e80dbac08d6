package chatapp

import (
	"context"
	"errors"
	"time"

	"parley"
)

// A Linker pairs numbers with the network. Drivers that have something to pair
// implement it.
type Linker interface {
	// Pair begins to pair a number: it asks the network for codes that a person
	// enters on the phone. The steps arrive on the channel, which closes after
	// Paired, PairExpired or PairRefused, or when ctx ends. Who stops to read must end
	// ctx. A number that is paired already is an ErrPaired, and one that is
	// paired on another network an ErrOtherNetwork.
	//
	// With Paired the credentials are stored. The number is not connected: that
	// is Runner's.
	Pair(ctx context.Context, host Host, by PairBy) (<-chan PairStep, error)
	// Unpair takes the number off the phone's list of devices and forgets the
	// credentials. They are forgotten also where the network cannot be told, or
	// does not know the number any more. Asking again does no harm. Those of
	// another network are kept: it returns ErrOtherNetwork.
	Unpair(ctx context.Context, host Host) error
}

// PairBy is how a person proves that the phone is theirs.
type PairBy string

// The ways to pair.
const (
	PairByQR   PairBy = "qr"   // the phone scans a picture
	PairByCode PairBy = "code" // the person types a code; the host needs its Phone
)

// PairStepKind says what a step of pairing is.
type PairStepKind string

// The steps of pairing. Those from Paired on are the last.
const (
	QRCode      PairStepKind = "qr_code"    // Code is the text of the picture, good until Until
	PhoneCode   PairStepKind = "phone_code" // Code is XXXX-XXXX, good until Until
	Paired      PairStepKind = "paired"     // Phone is the number that was paired
	PairExpired PairStepKind = "expired"    // nobody entered a code in time
	PairRefused PairStepKind = "refused"    // Reason says why
)

// A PairStep is what a person has to do next, or the end.
type PairStep struct {
	Kind  PairStepKind
	Code  string
	Until time.Time
	// Phone is set with Paired. With PairByQR it is whichever phone scanned,
	// and it may be spelled by the network in another way than by people. The
	// caller compares it with the number it meant, and unpairs a wrong one.
	Phone  parley.Phone
	Reason string // for people, with PairRefused
}

// A Runner keeps numbers connected. Drivers with connections implement it.
type Runner interface {
	// Open starts the client of a number in this process and returns before it
	// is connected; State tells of that. The caller holds the number's lease,
	// for two clients of one number throw each other out. The client comes back
	// by itself after every interruption, a ban included, until Close, or until
	// the number is logged out. Open of an open number changes nothing. Without
	// credentials it returns ErrNotPaired, with those of another network
	// ErrOtherNetwork.
	//
	// ctx is for Open alone; in is called with contexts of the client's.
	Open(ctx context.Context, host Host, in Inbound) error
	// Close ends the client of a number and returns when it calls its Inbound
	// no more. It must not be called from within the Inbound.
	Close(host Host)
}

// Errors of linking and running.
var (
	ErrPaired    = errors.New("the number is paired already")
	ErrNotPaired = errors.New("the number is not paired with this server")
)
