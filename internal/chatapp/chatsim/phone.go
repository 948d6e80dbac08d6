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

// storePragmas open a Phone's store, which is deleted with the Phone and need
// not survive a power failure.
const storePragmas = "?_pragma=foreign_keys(1)&_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)" +
	"&_pragma=synchronous(0)&_txlock=immediate"

// A Phone simulates a person with an account: an unmodified client with its own
// store. If another device is paired to the same number, that device receives
// copies of what the Phone sends. Its methods are safe for concurrent use.
type Phone struct {
	phone  string
	client *whatsmeow.Client
	lid    types.JID // of this device
	db     *sql.DB
	dir    string
	inbox  *inbox
}

// NewPhone pairs a new device with an account and returns when it is connected.
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

// pair makes the account's phone scan the client's first code.
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

// Relink replaces this device by a newly paired one; it closes and unlinks the
// old device. Use it after events from which the library does not recover: a
// ban, a logout, an outdated client. The new Phone has the old messages,
// without those sent in between. After an error it can be called again.
func (p *Phone) Relink(ctx context.Context, s *Server) (*Phone, error) {
	p.Close()
	s.with(p.phone, func(a *account) {
		if d := a.devices[p.lid.Device]; d != nil {
			s.unlink(d)
		}
	})
	return newPhone(ctx, s, p.phone, p.inbox)
}

// Close disconnects the client and deletes its store. The device stays linked.
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

// Client returns the underlying client, for operations that Phone has no method
// for.
func (p *Phone) Client() *whatsmeow.Client { return p.client }

// clientLog logs the library's lines as debug lines; they only help to debug
// the fake.
type clientLog struct{ log *slog.Logger }

func (l clientLog) line(msg string, args []any) { l.log.Debug(fmt.Sprintf(msg, args...)) }

// The methods of waLog.Logger.
func (l clientLog) Errorf(msg string, args ...any) { l.line(msg, args) }
func (l clientLog) Warnf(msg string, args ...any)  { l.line(msg, args) }
func (l clientLog) Infof(msg string, args ...any)  { l.line(msg, args) }
func (l clientLog) Debugf(msg string, args ...any) { l.line(msg, args) }
func (l clientLog) Sub(module string) waLog.Logger { return clientLog{l.log.With("module", module)} }
