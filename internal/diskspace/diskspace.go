// Package diskspace knows how much room the disks of a server have, and says when what is
// left must be kept for members.
//
// It imports the vocabulary.
package diskspace

import (
	"log/slog"
	"sync"
	"time"

	"parley"
)

// Room is how many bytes a disk has, and how many this process may still write.
type Room struct{ Free, Total int64 }

const (
	// reserve is what is kept for members, in bytes. It lasts for some 100,000 messages.
	reserve = 256 << 20
	// reserveShare is the largest part of a small disk that is kept: a twentieth.
	reserveShare = 20
)

// LookTime is how long the last look at the disks counts.
const LookTime = time.Second

// low reports whether what is left is to be kept for members.
func (r Room) low() bool { return r.Free < min(reserve, r.Total/reserveShare) }

// A Guard watches the disks of some folders. Its methods may be called by many
// goroutines, and look at the disks at most once a second. A nil Guard watches none.
type Guard struct {
	folders map[string]string
	of      func(folder string) (Room, bool)
	clock   parley.Clock
	log     *slog.Logger

	mu     sync.Mutex
	looked time.Time
	rooms  map[string]Room
	short  bool
}

// Options configure a Guard.
type Options struct {
	Folders map[string]string // by what they have, such as data; "" is left out
	Clock   parley.Clock
	Log     *slog.Logger
	// Of tells the room of a folder's disk; nil means [Of].
	Of func(folder string) (Room, bool)
}

// New returns a Guard.
func New(o Options) *Guard {
	g := &Guard{folders: o.Folders, of: o.Of, clock: o.Clock, log: o.Log}
	if g.of == nil {
		g.of = Of
	}
	return g
}

// ForVisitors refuses, as Unavailable, to keep something for a visitor while one of the
// disks is short of room: less is left than 256 MiB, or than a twentieth of a small disk.
// Members and keys may write until it is full, so a flood of visitors stops nobody's work.
func (g *Guard) ForVisitors() error {
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.look()
	if !g.short {
		return nil
	}
	return &parley.Error{Kind: parley.Unavailable, Message: "the server is short of disk space; try again later", RetryAfter: time.Minute}
}

// Rooms returns the room of each folder's disk, as far as the system tells.
func (g *Guard) Rooms() map[string]Room {
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.look()
	return g.rooms
}

// look asks the system, unless it did so just now. It logs when the answer changes.
func (g *Guard) look() {
	now := g.clock.Now()
	if g.rooms != nil && now.Sub(g.looked).Abs() < LookTime {
		return
	}
	g.looked = now
	rooms, short := map[string]Room{}, ""
	for name, folder := range g.folders {
		if folder == "" {
			continue
		}
		room, known := g.of(folder)
		if !known {
			continue
		}
		rooms[name] = room
		if room.low() {
			short = name
		}
	}
	g.rooms = rooms
	if (short != "") == g.short {
		return
	}
	g.short = short != ""
	if g.short {
		g.log.Error("disk: short of space, visitors are refused", "folder", g.folders[short], "freeBytes", rooms[short].Free)
	} else {
		g.log.Info("disk: space again, visitors are served")
	}
}
