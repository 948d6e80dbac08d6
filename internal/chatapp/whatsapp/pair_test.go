package whatsapp_test

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/chatapp/chatsim"
	"parley/internal/chatapp/whatsapp"
	"parley/internal/pgtest"
)

// The life of a number on both engines: it is paired, connected, recognized
// after a restart, and removed.
func TestLifeOfANumber(t *testing.T) {
	for name, options := range map[string]func(*testing.T) whatsapp.Options{
		"sqlite": func(t *testing.T) whatsapp.Options {
			return whatsapp.Options{SQLite: filepath.Join(t.TempDir(), "a file?.db")}
		},
		"postgres": func(t *testing.T) whatsapp.Options { return whatsapp.Options{Postgres: pgtest.URL(t)} },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorldOn(t, options(t))
			if err := w.driver.Open(w.ctx(), w.host, w.heard); !errors.Is(err, chatapp.ErrNotPaired) {
				t.Errorf("open before pairing: %v", err)
			}
			w.pair()
			if _, err := w.driver.Pair(w.ctx(), w.host, chatapp.PairByQR); !errors.Is(err, chatapp.ErrPaired) {
				t.Errorf("paired twice: %v", err)
			}
			w.open()
			w.conversation()
			w.restart()
			if err := w.driver.Send(w.ctx(), w.host, chatapp.Message{ID: newID(), Phone: alice, Text: "too early"}); !errors.Is(err, chatapp.ErrNotConnected) {
				t.Errorf("before Open: %v", err)
			}
			w.open()
			w.conversation()
			for range 2 { // a second call has no effect
				if err := w.driver.Unpair(w.ctx(), w.host); err != nil {
					t.Error(err)
				}
			}
			if err := w.driver.Open(w.ctx(), w.host, w.heard); !errors.Is(err, chatapp.ErrNotPaired) {
				t.Errorf("open after unpairing: %v", err)
			}
			if n := w.sim.Connected(hostPhone); n != 0 {
				t.Errorf("%d connections are left", n)
			}
			w.pair()
			w.open()
		})
	}
}

// conversation sends one message in each direction.
func (w *world) conversation() {
	w.t.Helper()
	p := w.phone(alice)
	defer p.Close()
	if err := w.driver.Send(w.ctx(), w.host, chatapp.Message{ID: newID(), Phone: alice, Text: "hello"}); err != nil {
		w.t.Fatal(err)
	}
	if m := w.next(p); m.Text != "hello" || m.From != hostPhone {
		w.t.Errorf("she sees %+v", m)
	}
	id, err := p.Send(w.ctx(), hostPhone, "hi")
	if err != nil {
		w.t.Fatal(err)
	}
	if m := w.message(func(m chatapp.Incoming) bool { return m.ID == id }); m.Text != "hi" || m.From != alice {
		w.t.Errorf("the host sees %+v", m)
	}
}

func TestStoreIsForItsOwnerAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "whatsapp.db")
	if err := os.WriteFile(path, nil, 0o644); err != nil { // copied here
		t.Fatal(err)
	}
	w := newWorldOn(t, whatsapp.Options{SQLite: path})
	w.pair()
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		info, err := os.Stat(name)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	if _, err := whatsapp.New(w.ctx(), whatsapp.Options{Logger: w.options.Logger}); err == nil {
		t.Error("a driver without a store")
	}
}

// The URL is that of the server's own store, with pool settings that no
// database server knows.
func TestURLWithAPool(t *testing.T) {
	u, err := url.Parse(pgtest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	query.Set("pool_max_conns", "20")
	u.RawQuery = query.Encode()
	w := newWorldOn(t, whatsapp.Options{Postgres: u.String()})
	w.pair()
	db, err := whatsapp.OpenPostgres(u.String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if got := db.Stats().MaxOpenConnections; got != 16 {
		t.Errorf("it opens up to %d connections, want 16", got)
	}
	_, err = whatsapp.New(t.Context(), whatsapp.Options{Postgres: "postgres://parley:secret@host:port/x", Logger: w.options.Logger})
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("an unreadable URL: %v", err)
	}
}

// A number of another network is left alone, with its keys.
func TestDeviceOfAnotherNetwork(t *testing.T) {
	w := newWorld(t)
	w.pair()
	devices := w.options.Devices.(*devices)
	devices.other = true
	if err := w.driver.Open(w.ctx(), w.host, w.heard); !errors.Is(err, chatapp.ErrOtherNetwork) {
		t.Errorf("opened: %v", err)
	}
	if err := w.driver.Unpair(w.ctx(), w.host); !errors.Is(err, chatapp.ErrOtherNetwork) {
		t.Errorf("unpaired: %v", err)
	}
	if _, err := w.driver.Pair(w.ctx(), w.host, chatapp.PairByQR); !errors.Is(err, chatapp.ErrOtherNetwork) {
		t.Errorf("paired: %v", err)
	}
	devices.other = false
	w.open() // with its previous keys
}

// The library finds its tables even if another schema of the same database has
// tables of the same names.
func TestTwoSchemas(t *testing.T) {
	database := pgtest.URL(t)
	newWorldOn(t, whatsapp.Options{Postgres: database})
	db, err := sql.Open("pgx", database)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(t.Context(), "CREATE SCHEMA other"); err != nil {
		t.Fatal(err)
	}
	w := newWorldOn(t, whatsapp.Options{Postgres: inSchema(t, database, "other")})
	w.pair()
	var n int
	if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM other.whatsmeow_device").Scan(&n); err != nil || n != 1 {
		t.Errorf("%d devices in the second schema, %v", n, err)
	}
	if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM public.whatsmeow_device").Scan(&n); err != nil || n != 0 {
		t.Errorf("%d devices in the first schema, %v", n, err)
	}
}

func inSchema(t *testing.T, database, schema string) string {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("search_path", schema)
	u.RawQuery = q.Encode()
	return u.String()
}

func TestPairByCode(t *testing.T) {
	w := newWorld(t)
	steps, err := w.driver.Pair(w.ctx(), w.host, chatapp.PairByCode)
	if err != nil {
		t.Fatal(err)
	}
	step := <-steps
	if step.Kind != chatapp.PhoneCode || len(step.Code) != 9 || step.Code[4] != '-' {
		t.Fatalf("%+v", step)
	}
	if err := w.sim.EnterCode(hostPhone, step.Code); err != nil {
		t.Fatal(err)
	}
	w.finish(steps)
	w.open()
	w.conversation()
}

// A message that is sent while a number logs in for the first time, before
// anything listens, arrives when the number is open.
func TestWrittenWhilePairing(t *testing.T) {
	w := newWorld(t)
	a := w.phone(alice)
	reached, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	w.sim.SetHooks(chatsim.Hooks{Before: func(r chatsim.Request) chatsim.Fault {
		if r.Phone == hostPhone && r.Kind == "passive active" {
			once.Do(func() { close(reached) })
			<-goOn
		}
		return chatsim.Fault{}
	}})
	steps, err := w.driver.Pair(w.ctx(), w.host, chatapp.PairByQR)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.sim.ScanQR(hostPhone, (<-steps).Code); err != nil {
		t.Fatal(err)
	}
	<-reached
	id, err := a.Send(w.ctx(), hostPhone, "so early")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(w.ctx(), 300*time.Millisecond)
	defer cancel()
	if a.Receipt(ctx, id, chatsim.Delivered) == nil {
		t.Error("it was acknowledged, and nobody has it")
	}
	close(goOn)
	w.finish(steps)
	w.open()
	if m := w.message(func(m chatapp.Incoming) bool { return m.ID == id }); m.Text != "so early" {
		t.Errorf("%+v", m)
	}
}

// The library reports success on a goroutine of its own, so the login that
// follows may be reported first. The number is paired all the same.
func TestLoginBeforeSuccess(t *testing.T) {
	late := lateSuccess{Handler: slog.DiscardHandler, release: make(chan struct{})}
	w := newWorldOn(t, whatsapp.Options{SQLite: filepath.Join(t.TempDir(), "whatsapp.db"), Logger: slog.New(late)})
	defer close(late.release)
	w.pair()
}

// A lateSuccess keeps the library between storing a device and reporting it.
type lateSuccess struct {
	slog.Handler

	release chan struct{}
}

func (h lateSuccess) Enabled(context.Context, slog.Level) bool { return true }
func (h lateSuccess) WithAttrs([]slog.Attr) slog.Handler       { return h }

func (h lateSuccess) Handle(_ context.Context, r slog.Record) error {
	if strings.HasPrefix(r.Message, "Successfully paired") {
		<-h.release
	}
	return nil
}

// A device whose number cannot be stored is not paired, because its keys would
// belong to no number.
func TestDeviceNotKept(t *testing.T) {
	w := newWorld(t)
	w.options.Devices.(*devices).full = true
	steps, err := w.driver.Pair(w.ctx(), w.host, chatapp.PairByQR)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.sim.ScanQR(hostPhone, (<-steps).Code); !errors.Is(err, chatsim.ErrPairRefused) {
		t.Errorf("the phone sees %v", err)
	}
	if last := <-steps; last.Kind != chatapp.PairRefused || last.Reason == "" {
		t.Errorf("%+v", last)
	}
	if n := w.count("whatsmeow_device"); n != 0 {
		t.Errorf("the keys of %d devices are kept", n)
	}
}

func TestPairByCodeNeedsAPhone(t *testing.T) {
	w := newWorld(t)
	w.host.Phone = ""
	if _, err := w.driver.Pair(w.ctx(), w.host, chatapp.PairByCode); err == nil {
		t.Error("it began")
	}
}

// Leaving the page ends the pairing, and opening it twice gives the second one.
func TestPairingEnds(t *testing.T) {
	w := newWorld(t)
	first, err := w.driver.Pair(w.ctx(), w.host, chatapp.PairByQR)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(w.ctx())
	second, err := w.driver.Pair(ctx, w.host, chatapp.PairByQR)
	if err != nil {
		t.Fatal(err)
	}
	for late, open := time.After(5*time.Second), true; open; {
		select {
		case _, open = <-first:
		case <-late:
			t.Fatal("the first pairing goes on")
		}
	}
	if step := <-second; step.Kind != chatapp.QRCode {
		t.Errorf("%+v", step)
	}
	cancel()
	for step := range second {
		t.Errorf("%+v", step)
	}
	w.pair()
}

// A number is deleted even if the network cannot be told.
func TestUnpairWhileAway(t *testing.T) {
	w := connected(t)
	w.sim.Offline(hostPhone, true)
	if err := w.driver.Unpair(w.ctx(), w.host); err != nil {
		t.Fatal(err)
	}
	if err := w.driver.Open(w.ctx(), w.host, w.heard); !errors.Is(err, chatapp.ErrNotPaired) {
		t.Errorf("open: %v", err)
	}
	if name, err := w.options.Devices.Device(w.ctx(), w.host); name != "" || err != nil {
		t.Errorf("the device is %q, %v", name, err)
	}
}

// The phone that scans the code determines the number; the caller is told.
func TestAnotherPhoneScans(t *testing.T) {
	w := newWorld(t)
	steps, err := w.driver.Pair(w.ctx(), w.host, chatapp.PairByQR)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.sim.ScanQR(alice, (<-steps).Code); err != nil {
		t.Fatal(err)
	}
	if step := <-steps; step.Kind != chatapp.Paired || step.Phone != alice {
		t.Errorf("%+v", step)
	}
}

func TestOutdatedClient(t *testing.T) {
	w := newWorld(t)
	w.pair()
	w.sim.Outdated(hostPhone, true)
	if err := w.driver.Open(w.ctx(), w.host, w.heard); err != nil {
		t.Fatal(err)
	}
	w.await("outdated", func(h *heard) bool { return h.state().Status == parley.NumberOutdated })
	if err := w.driver.Send(w.ctx(), w.host, chatapp.Message{ID: newID(), Phone: alice, Text: "hello"}); !errors.Is(err, chatapp.ErrNotConnected) {
		t.Errorf("%v", err)
	}
}
