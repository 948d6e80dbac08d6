// Package whatsapp is the driver for real numbers of WhatsApp. Each number is
// a linked device of a person's phone, on the library go.mau.fi/whatsmeow. It
// implements chatapp.Connector, chatapp.Linker and chatapp.Runner.
//
// A number that is open in this process is a session: one client with one
// connection, which comes back by itself. The library keeps keys and ratchets
// in tables of its own; they are credentials of the account. Which of its
// devices belongs to which of our numbers is in Devices.
//
// What comes in is acknowledged to the network after the Inbound has kept it,
// so it comes at least once. What goes out has ids that are made from those of
// the caller, so sending again does not double it. Creating a group has no
// such protection on this network: a creation is never repeated by itself,
// also not by the library, see session.once.
//
// The package imports the vocabulary, the seam and the library. driver.go,
// store.go and session.go hold the connections, pair.go the linking, group.go,
// send.go and people.go what is asked of the network, event.go and content.go
// what it tells, failure.go, id.go and log.go translate.
package whatsapp

import (
	"context"
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

// Devices remembers which device of the library belongs to a number.
type Devices interface {
	// Device returns what SetDevice kept, or "". For a device of another network
	// it returns chatapp.ErrOtherNetwork, and the driver leaves the number alone.
	Device(ctx context.Context, host chatapp.Host) (string, error)
	// SetDevice keeps the name of a number's device. "" forgets it.
	SetDevice(ctx context.Context, host chatapp.Host, jid string) error
}

// Options say where a driver keeps its keys and whom it speaks to. One of
// SQLite and Postgres is set.
type Options struct {
	SQLite   string // the path of the file, made if it is missing
	Postgres string // the URL of the database
	Devices  Devices
	// HTTPClient carries all connections. Nil is the real network.
	HTTPClient *http.Client
	Clock      parley.Clock
	Logger     *slog.Logger
}

// A Driver carries the numbers of all workspaces in this process.
type Driver struct {
	container  *sqlstore.Container
	devices    Devices
	http       *http.Client
	clock      parley.Clock
	log        *slog.Logger
	people     *people
	askTime    time.Duration // how long the network may take for one answer
	returnTime time.Duration // how long a number may take to come back

	mu       sync.Mutex
	sessions map[parley.ID]*session // by number
	pairings map[parley.ID]*pairing
}

var (
	_ chatapp.Connector = (*Driver)(nil)
	_ chatapp.Linker    = (*Driver)(nil)
	_ chatapp.Runner    = (*Driver)(nil)
)

// askTime leaves a caller with a deadline of a minute the time to look for what
// became of a question without an answer.
const askTime = 20 * time.Second

// maxMembers is the size of a group, the host included.
const maxMembers = 1024

// New opens the store of keys, and brings it up to date. No number is connected
// before Open.
func New(ctx context.Context, o Options) (*Driver, error) {
	log := o.Logger.With("driver", "whatsapp")
	container, err := openStore(ctx, o, log)
	if err != nil {
		return nil, err
	}
	return &Driver{
		container: container, devices: o.Devices, http: o.HTTPClient, clock: o.Clock, log: log,
		people: newPeople(o.Clock), askTime: askTime, returnTime: returnTime,
		sessions: map[parley.ID]*session{}, pairings: map[parley.ID]*pairing{},
	}, nil
}

// Prepare sets what the libraries keep in variables: how this server is called
// among the linked devices on the phones that are paired from now on, and where
// the library of ciphers writes, which otherwise prints to the standard output.
// Call it before New. The variables are the libraries' own and nothing guards
// them, so the first call of a process holds and the others do nothing.
func Prepare(deviceName string, log *slog.Logger) {
	prepare.Do(func() {
		store.DeviceProps.Os = proto.String(deviceName)
		var ciphers signal.Loggable = cipherLogger{log.With("driver", "whatsapp", "module", "signal")}
		signal.Setup(&ciphers)
	})
}

var prepare sync.Once

// Shutdown ends every session and every pairing, and closes the store.
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

// Capabilities returns those of the network.
func (d *Driver) Capabilities() chatapp.Capabilities {
	return chatapp.Capabilities{DirectAdd: true, Promote: true, MaxMembers: maxMembers, Media: true, Receipts: true}
}

// Open starts the session of a number, see chatapp.Runner.
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

// Close ends the session of a number, see chatapp.Runner.
func (d *Driver) Close(host chatapp.Host) {
	d.mu.Lock()
	s := d.sessions[host.NumberID]
	delete(d.sessions, host.NumberID)
	d.mu.Unlock()
	if s != nil {
		s.close()
	}
}

// client returns a client with the switches that the driver relies on.
func (d *Driver) client(device *store.Device) *whatsmeow.Client {
	cli := whatsmeow.NewClient(device, logger{d.log})
	if d.http != nil {
		cli.SetWebsocketHTTPClient(d.http)
		cli.SetPreLoginHTTPClient(d.http)
		cli.SetMediaHTTPClient(d.http)
	}
	cli.SynchronousAck = true             // acknowledge what the Inbound has kept, and no more
	cli.EnableDecryptedEventBuffer = true // what comes again cannot be decrypted again
	cli.UseRetryMessageStore = true       // who could not decrypt may ask after a restart
	cli.SetForceActiveDeliveryReceipts(true)
	return cli
}

// session returns the connected session of a number. For one that was cut off a
// moment ago it waits. The error is ErrNotConnected or a LimitError of a ban.
func (d *Driver) session(ctx context.Context, host chatapp.Host) (*session, error) {
	d.mu.Lock()
	s := d.sessions[host.NumberID]
	d.mu.Unlock()
	if s == nil {
		return nil, chatapp.ErrNotConnected
	}
	return s, s.waitConnected(ctx)
}
