// Package whatsapp is the driver for real WhatsApp numbers. Each number is a
// linked device of a person's phone, based on the library go.mau.fi/whatsmeow.
// It implements chatapp.Connector, chatapp.Linker and chatapp.Runner.
//
// An open number is a session: one client with one connection, which reconnects
// by itself. The library stores keys and ratchets in its own tables; they are
// credentials of the account. [Devices] maps our numbers to devices of the
// library.
//
// Incoming events are acknowledged to the network after the Inbound has stored
// them, so they arrive at least once. Ids of outgoing messages are derived from
// the caller's ids, so sending twice has no effect. The network has no such
// protection for creating a group: neither this package nor the library repeats
// a creation, see session.once.
//
// The package imports the vocabulary, chatapp and the library. driver.go,
// store.go and session.go manage connections; pair.go links devices; group.go,
// send.go and people.go make requests; event.go and content.go handle events;
// failure.go, id.go and log.go translate.
package whatsapp

import (
	"context"
	"database/sql"
	"log/slog"
	"net/http"
	"sync"
	"time"

	signal "go.mau.fi/libsignal/logger"
	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/store"
	"go.mau.fi/whatsmeow/store/sqlstore"
	"google.golang.org/protobuf/proto"

	"parley"
	"parley/internal/chatapp"
)

// Devices maps numbers to devices of the library.
type Devices interface {
	// Device returns the name stored by SetDevice, or "". For a device on
	// another network it returns chatapp.ErrOtherNetwork, and the driver does
	// not touch the number.
	Device(ctx context.Context, host chatapp.Host) (string, error)
	// SetDevice stores the name of a number's device; "" removes it.
	SetDevice(ctx context.Context, host chatapp.Host, jid string) error
}

// Options configure a driver. Exactly one of SQLite and Postgres must be set.
type Options struct {
	SQLite   string // path of the file, created if missing
	Postgres string // URL of the database
	Devices  Devices
	// HTTPClient makes all connections; nil means the real network.
	HTTPClient *http.Client
	Clock      parley.Clock
	Logger     *slog.Logger
}

// A Driver serves the numbers of all workspaces in this process.
type Driver struct {
	container   *sqlstore.Container
	db          *sql.DB // of the container, which closes it
	devices     Devices
	http        *http.Client
	clock       parley.Clock
	log         *slog.Logger
	people      *people
	requestTime time.Duration // limit for one response of the network
	returnTime  time.Duration // limit for the library to reconnect a number

	mu       sync.Mutex
	sessions map[parley.ID]*session // by number
	pairings map[parley.ID]*pairing
}

var (
	_ chatapp.Connector = (*Driver)(nil)
	_ chatapp.Linker    = (*Driver)(nil)
	_ chatapp.Runner    = (*Driver)(nil)
	_ chatapp.Forgetter = (*Driver)(nil)
)

// requestTime is the limit for one response. It leaves a caller with a deadline
// of one minute enough time to find out what became of an unanswered request.
const requestTime = 20 * time.Second

// maxMembers is the largest size of a group, including the host.
const maxMembers = 1024

// New opens and migrates the key store. Numbers are not connected before Open.
func New(ctx context.Context, o Options) (*Driver, error) {
	log := o.Logger.With("driver", "whatsapp")
	container, db, err := openStore(ctx, o, log)
	if err != nil {
		return nil, err
	}
	return &Driver{
		container: container, db: db, devices: o.Devices, http: o.HTTPClient, clock: o.Clock, log: log,
		people: newPeople(o.Clock), requestTime: requestTime, returnTime: returnTime,
		sessions: map[parley.ID]*session{}, pairings: map[parley.ID]*pairing{},
	}, nil
}

// Prepare sets global variables of the libraries: the name of this server among
// the linked devices of phones that are paired later, and the log of the cipher
// library, which otherwise prints to standard output. Call it before New. The
// variables are not protected against concurrent access, so only the first call
// in a process has an effect.
func Prepare(deviceName string, log *slog.Logger) {
	prepare.Do(func() {
		store.DeviceProps.Os = proto.String(deviceName)
		var ciphers signal.Loggable = cipherLogger{log.With("driver", "whatsapp", "module", "signal")}
		signal.Setup(&ciphers)
	})
}

var prepare sync.Once

// Shutdown ends all sessions and pairings and closes the store.
func (d *Driver) Shutdown() error {
	d.mu.Lock()
	sessions, pairings := d.sessions, d.pairings
	d.sessions, d.pairings = map[parley.ID]*session{}, map[parley.ID]*pairing{}
	d.mu.Unlock()
	for _, p := range pairings {
		p.stop()
	}
	for _, s := range sessions {
		s.close()
	}
	return d.container.Close()
}

// Capabilities returns the capabilities of the network.
func (d *Driver) Capabilities() chatapp.Capabilities {
	return chatapp.Capabilities{DirectAdd: true, Promote: true, MaxMembers: maxMembers, Media: true, Receipts: true}
}

// Open starts the session of a number; see [chatapp.Runner].
func (d *Driver) Open(ctx context.Context, host chatapp.Host, in chatapp.Inbound) error {
	if d.isOpen(host) {
		return nil
	}
	device, err := d.device(ctx, host)
	if err != nil {
		return err
	}
	if device == nil {
		return chatapp.ErrNotPaired
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if old := d.sessions[host.NumberID]; old == nil || old.ended() { // still
		d.sessions[host.NumberID] = startSession(d, host, device, in)
	}
	return nil
}

func (d *Driver) isOpen(host chatapp.Host) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.sessions[host.NumberID]
	return s != nil && !s.ended()
}

// Close ends the session of a number; see [chatapp.Runner].
func (d *Driver) Close(host chatapp.Host) {
	d.mu.Lock()
	s := d.sessions[host.NumberID]
	delete(d.sessions, host.NumberID)
	d.mu.Unlock()
	if s != nil {
		s.close()
	}
}

// client returns a client with the settings that the driver relies on.
func (d *Driver) client(device *store.Device) *whatsmeow.Client {
	cli := whatsmeow.NewClient(device, logger{d.log})
	if d.http != nil {
		cli.SetWebsocketHTTPClient(d.http)
		cli.SetPreLoginHTTPClient(d.http)
		cli.SetMediaHTTPClient(d.http)
	}
	cli.SynchronousAck = true             // acknowledge only what the Inbound has stored
	cli.EnableDecryptedEventBuffer = true // a repeated message cannot be decrypted again
	cli.UseRetryMessageStore = true       // recipients may request a resend after a restart
	cli.SetForceActiveDeliveryReceipts(true)
	return cli
}

// session returns the connected session of a number. If the connection was lost
// a moment ago, it waits. The error is ErrNotConnected, or a LimitError for a
// ban.
func (d *Driver) session(ctx context.Context, host chatapp.Host) (*session, error) {
	d.mu.Lock()
	s := d.sessions[host.NumberID]
	d.mu.Unlock()
	if s == nil {
		return nil, chatapp.ErrNotConnected
	}
	return s, s.waitConnected(ctx)
}
