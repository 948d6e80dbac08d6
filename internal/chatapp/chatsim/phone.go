package chatsim

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/store/sqlstore"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"
	waLog "go.mau.fi/whatsmeow/util/log"
	_ "modernc.org/sqlite" // the driver of a Phone's store
)

// storePragmas open the store of a Phone: it is thrown away with the Phone, so
// it need not survive a loss of power.
const storePragmas = "?_pragma=foreign_keys(1)&_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)" +
	"&_pragma=synchronous(0)&_txlock=immediate"

// A Phone plays a person with an account: an unmodified client with a store of
// its own. A Phone of a number that something else is paired to as well is that
// person at another device: what it sends is an echo for the other. Its methods
// may be called by many goroutines.
type Phone struct {
	phone  string
	client *whatsmeow.Client
	lid    types.JID // of this device
	db     *sql.DB
	dir    string
	inbox  *inbox
}

// NewPhone pairs a new device to an account, and returns when it is connected.
func NewPhone(ctx context.Context, s *Server, phone string) (*Phone, error) {
	return newPhone(ctx, s, phone, newInbox())
}

func newPhone(ctx context.Context, s *Server, phone string, kept *inbox) (*Phone, error) {
	dir, err := os.MkdirTemp("", "chatsim-")
	if err != nil {
		return nil, fmt.Errorf("phone %s: %w", phone, err)
	}
	p := &Phone{phone: phone, dir: dir, inbox: kept}
	if err := p.open(ctx, s); err != nil {
		p.Close()
		return nil, fmt.Errorf("phone %s: %w", phone, err)
	}
	return p, nil
}

func (p *Phone) open(ctx context.Context, s *Server) error {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(p.dir, "store.db")+storePragmas)
	if err != nil {
		return err
	}
	p.db = db
	log := clientLog{s.log.With("phone", p.phone)}
	container := sqlstore.NewWithDB(db, "sqlite", log)
	if err := container.Upgrade(ctx); err != nil {
		return err
	}
	p.client = whatsmeow.NewClient(container.NewDevice(), log)
	web := s.HTTPClient()
	p.client.SetWebsocketHTTPClient(web)
	p.client.SetPreLoginHTTPClient(web)
	p.client.SetMediaHTTPClient(web)
	connected := make(chan struct{}, 1)
	p.client.AddEventHandler(func(event any) {
		if _, ok := event.(*events.Connected); ok {
			select {
			case connected <- struct{}{}:
			default:
			}
		}
		p.hear(event)
	})
	if err := p.pair(ctx, s); err != nil {
		return err
	}
	select {
	case <-connected:
		p.lid = p.client.Store.GetLID()
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pair lets the account's phone scan the first code that the client shows.
func (p *Phone) pair(ctx context.Context, s *Server) error {
	codes, err := p.client.GetQRChannel(ctx)
	if err != nil {
		return err
	}
	if err := p.client.Connect(); err != nil {
		return err
	}
	select {
	case item := <-codes:
		if item.Event != whatsmeow.QRChannelEventCode {
			return errors.Join(fmt.Errorf("pairing: %q", item.Event), item.Error)
		}
		return s.ScanQR(p.phone, item.Code)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Again pairs a new device in the place of this one, which it closes and which
// is linked no more. It is for what the library does not come back from: a ban,
// a logout, a client that is too old. The new Phone has the messages of this
// one; what was sent in between is not among them. After an error it may be
// called again.
func (p *Phone) Again(ctx context.Context, s *Server) (*Phone, error) {
	p.Close()
	s.with(p.phone, func(a *account) {
		if d := a.devices[p.lid.Device]; d != nil {
			s.unlink(d)
		}
	})
	return newPhone(ctx, s, p.phone, p.inbox)
}

// Close disconnects the client and throws its store away. The device stays
// linked.
func (p *Phone) Close() {
	if p.client != nil {
		p.client.Disconnect()
	}
	if p.db != nil {
		_ = p.db.Close()
	}
	_ = os.RemoveAll(p.dir)
}

// Number returns the phone number.
func (p *Phone) Number() string { return p.phone }

// Client returns the client itself, for what a Phone has no method for.
func (p *Phone) Client() *whatsmeow.Client { return p.client }

// clientLog hands the library's lines on. All of them are for whoever looks for
// a fault in the fake.
type clientLog struct{ log *slog.Logger }

func (l clientLog) line(msg string, args []any) { l.log.Debug(fmt.Sprintf(msg, args...)) }

// The methods of waLog.Logger.
func (l clientLog) Errorf(msg string, args ...any) { l.line(msg, args) }
func (l clientLog) Warnf(msg string, args ...any)  { l.line(msg, args) }
func (l clientLog) Infof(msg string, args ...any)  { l.line(msg, args) }
func (l clientLog) Debugf(msg string, args ...any) { l.line(msg, args) }
func (l clientLog) Sub(module string) waLog.Logger { return clientLog{l.log.With("module", module)} }
