// Package push gives members' notices to the push services of their browsers, so that a
// phone or a computer shows them while no page is open.
//
// The follower that stores a notice queues it for the member's devices in the same
// transaction ([Service.Told]). A few seconds later a node claims the device, looks whether
// the notice is still unread, whether the member may see its conversation and wants it
// by push now, encrypts it for the browser, and hands it to the browser's push service.
// Accepted notices are deleted from the queue; a node that dies in between leaves a
// lease, after which another one sends again. The browser replaces a notice of the same
// conversation, so that a second copy shows as one.
//
// A device belongs to a session: whoever signs out or is removed gets nothing more, because
// the database deletes the device with the session. Its address comes from a browser, so
// connections are made by package outward. Address and keys are sealed by the vault.
//
// The package stands over the desk. It may import the vocabulary, the store, the desk,
// timers, notices, outward connections and the encryption of web push.
package push

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/outward"
	"parley/internal/push/webpush"
	"parley/internal/store"
)

// Options configure a Service.
type Options struct {
	Desk *desk.Desk
	// Off says that nothing is pushed and no device is added.
	Off bool
	// Network is where push services may be, besides the public internet.
	Network outward.Options
	// Contact is how the operator of a push service reaches this server's: an https or a
	// mailto URL, "" if unknown.
	Contact string
}

// A Service has the verbs of devices, and sends. Its methods may be called by many
// goroutines.
type Service struct {
	desk    *desk.Desk
	base    desk.Base
	off     bool
	client  *http.Client
	contact string
	slots   slots
	counts  struct{ accepted, later, refused, gone, unneeded atomic.Int64 }
}

// New returns a Service over a desk.
func New(o Options) *Service {
	return &Service{
		desk: o.Desk, base: o.Desk.Base(), off: o.Off, contact: o.Contact,
		client: outward.NewDialer(o.Network).Client(outward.Limits{Time: exchangeTime, Bytes: maxAnswer}),
	}
}

// On reports whether notices are pushed.
func (svc *Service) On() bool { return !svc.off }

// Stats are counts since a Service was created.
type Stats struct {
	Accepted int64 // by push services
	Later    int64 // exchanges that are retried
	Refused  int64 // pushes that a service did not take
	Gone     int64 // devices whose browser has ended the subscription
	Unneeded int64 // pushes that were not sent: read before, out of sight, unwanted or too old
}

// Stats returns the counts.
func (svc *Service) Stats() Stats {
	c := &svc.counts
	return Stats{c.accepted.Load(), c.later.Load(), c.refused.Load(), c.gone.Load(), c.unneeded.Load()}
}

// Waiting returns how many pushes are due, of all workspaces.
func (svc *Service) Waiting(ctx context.Context) (int, error) {
	now := svc.base.Clock.Now()
	return desk.View(svc.desk, func(v *store.View) (int, error) { return SelectWaitingAcross(v, now) }).Now(ctx)
}

// keyRecord is what a workspace's key pair is bound to in the vault.
const keyRecord = "push key"

// PublicKey returns the key by which browsers know the workspace, and makes its key pair
// if there is none. It returns "" if push is off.
func (svc *Service) PublicKey(ctx context.Context, ws parley.WorkspaceID) (string, error) {
	if svc.off {
		return "", nil
	}
	sealed, err := desk.View(svc.desk, func(v *store.View) ([]byte, error) { return SelectKey(v, ws) }).Now(ctx)
	if err != nil {
		return "", err
	}
	if sealed == nil {
		sealed, err = desk.Write(ctx, svc.desk, desk.Caller{Workspace: ws}, svc.newKey)
		if err != nil {
			return "", err
		}
	}
	signer, err := svc.signer(ws, sealed)
	if err != nil {
		return "", err
	}
	return signer.Public()
}

// newKey stores a new key pair, unless another node has.
func (svc *Service) newKey(t *desk.Tx) ([]byte, error) {
	if sealed, err := SelectKey(t, t.WS); err != nil || sealed != nil {
		return sealed, err
	}
	signer, err := webpush.NewSigner()
	if err != nil {
		return nil, err
	}
	private, err := signer.Private()
	if err != nil {
		return nil, err
	}
	sealed, err := svc.base.Vault.Seal(private, t.WS.String(), keyRecord)
	if err != nil {
		return nil, err
	}
	return sealed, InsertKey(t, t.WS, sealed)
}

func (svc *Service) signer(ws parley.WorkspaceID, sealed []byte) (webpush.Signer, error) {
	private, err := svc.base.Vault.Open(sealed, ws.String(), keyRecord)
	if err != nil {
		return webpush.Signer{}, err
	}
	return webpush.ParseSigner(private)
}

// Devices returns the devices of a member, those added last first.
func (svc *Service) Devices(ws parley.WorkspaceID, member parley.UserID) desk.Read[[]parley.PushDevice] {
	return desk.View(svc.desk, func(v *store.View) ([]parley.PushDevice, error) { return SelectDevices(v, ws, member) })
}

// A Subscription is what a browser says of itself. The names are those in the store.
type Subscription struct {
	Endpoint string `json:"endpoint"`
	Public   []byte `json:"p256dh"`
	Auth     []byte `json:"auth"`
}

// NewSubscription returns a subscription of a browser's texts. The keys are base64url. The
// error names the field that is malformed.
func NewSubscription(endpoint, public, auth string) (Subscription, error) {
	s := Subscription{Endpoint: endpoint}
	if u, err := url.Parse(endpoint); err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Fragment != "" {
		return s, parley.InvalidField("endpoint", "be an https address")
	}
	var err error
	if s.Auth, err = base64.RawURLEncoding.DecodeString(auth); err != nil || len(s.Auth) != webpush.AuthSize {
		return s, parley.InvalidField("auth", "be 16 bytes in base64url")
	}
	if s.Public, err = base64.RawURLEncoding.DecodeString(public); err != nil || !s.keys().Valid() {
		return s, parley.InvalidField("p256dh", "be a public key of P-256 in base64url")
	}
	return s, nil
}

func (s Subscription) keys() webpush.Keys { return webpush.Keys{Public: s.Public, Auth: s.Auth} }

// deviceRecord is what the address and keys of a device are bound to in the vault.
func deviceRecord(id parley.ID) string { return "push device " + id.String() }

// AddDevice adds the browser of a session. It takes the place of the session's former
// subscription, and of the device with the same address, whoever had it. If push is off,
// the error is a Conflict.
func (svc *Service) AddDevice(ctx context.Context, by desk.Caller, session parley.Session, s Subscription) (parley.PushDevice, error) {
	if svc.off {
		return parley.PushDevice{}, parley.Errorf(parley.Conflict, "this server pushes no notices")
	}
	plain, err := json.Marshal(s)
	if err != nil {
		return parley.PushDevice{}, err
	}
	hash := sha256.Sum256([]byte(s.Endpoint))
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.PushDevice, error) {
		d := Device{
			PushDevice:   parley.PushDevice{ID: t.IDs.New(t.Now), MemberID: by.Member, SessionID: session.ID, UserAgent: session.UserAgent, CreatedAt: t.Now},
			EndpointHash: hash[:],
		}
		var err error
		if d.Sealed, err = svc.base.Vault.Seal(plain, t.WS.String(), deviceRecord(d.ID)); err != nil {
			return d.PushDevice, err
		}
		if err = DeleteReplacedDevices(t, t.WS, session.ID, hash[:]); err != nil {
			return d.PushDevice, err
		}
		if err = InsertDevice(t, t.WS, &d); err != nil {
			return d.PushDevice, err
		}
		all, err := SelectDevices(t, t.WS, by.Member)
		if err != nil {
			return d.PushDevice, err
		}
		for _, old := range all[min(len(all), parley.MaxPushDevices):] {
			if err := DeleteDevice(t, t.WS, old.ID); err != nil {
				return d.PushDevice, err
			}
		}
		return d.PushDevice, nil
	})
}

// RemoveDevice ends the notices of a device of the caller, and returns the others. A device
// that does not exist is removed already.
func (svc *Service) RemoveDevice(ctx context.Context, by desk.Caller, id parley.ID) ([]parley.PushDevice, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) ([]parley.PushDevice, error) {
		if err := DeleteDeviceOf(t, t.WS, by.Member, id); err != nil {
			return nil, err
		}
		return SelectDevices(t, t.WS, by.Member)
	})
}

// Told queues a notice that was stored for the devices of its member. Its first push waits
// a moment, because a member who is looking reads it by then; what happens to a notice
// that stays unread is pushed once a minute.
func (svc *Service) Told(t *desk.Tx, n *parley.MemberNotice) error {
	if svc.off {
		return nil
	}
	wait := grace
	if n.Count > 1 {
		wait = gathering
	}
	return PutPushes(t, t.WS, n, t.Now.Add(wait))
}

const (
	// grace is how long the first push of a notice waits, and gathering how long further
	// ones do.
	grace     = 3 * time.Second
	gathering = time.Minute
)
