package diskspace_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/diskspace"
)

// TestForVisitors fills and empties disks: visitors are refused below 256 MiB, or a
// twentieth of a small disk, and served again above.
func TestForVisitors(t *testing.T) {
	const mib, gib = 1 << 20, 1 << 30
	now := time.Unix(1_790_000_000, 0)
	rooms := map[string]diskspace.Room{"/data": {Free: gib, Total: 100 * gib}, "/files": {Free: gib, Total: 2 * gib}}
	looks := 0
	var log bytes.Buffer
	g := diskspace.New(diskspace.Options{
		Folders: map[string]string{"data": "/data", "attachments": "/files", "bucket": "", "elsewhere": "/unknown"},
		Clock:   func() time.Time { return now }, Log: slog.New(slog.NewTextHandler(&log, nil)),
		Of: func(folder string) (diskspace.Room, bool) {
			looks++
			room, known := rooms[folder]
			return room, known
		},
	})
	for _, step := range []struct {
		folder string
		free   int64
		wait   time.Duration
		short  bool
	}{
		{"/data", gib, 0, false},
		{"/data", 0, 500 * time.Millisecond, false}, // the last look counts
		{"/data", 256 * mib, time.Second, false},
		{"/data", 256*mib - 1, time.Second, true},
		{"/data", gib, time.Second, false},
		{"/files", 2 * gib / 20, time.Second, false},
		{"/files", 2*gib/20 - 1, time.Second, true},
		{"/files", 2 * gib, -time.Hour, false}, // the clock was set back
	} {
		now = now.Add(step.wait)
		room := rooms[step.folder]
		room.Free = step.free
		rooms[step.folder] = room
		err := g.ForVisitors()
		if short := parley.KindOf(err) == parley.Unavailable && err != nil; short != step.short {
			t.Errorf("with %d bytes free in %s visitors get %v", step.free, step.folder, err)
		}
	}
	if got := g.Rooms(); len(got) != 2 || got["attachments"].Free != 2*gib {
		t.Errorf("the rooms are %v", got)
	}
	if looks != 7*3 {
		t.Errorf("the disks were asked %d times", looks)
	}
	if got := strings.Count(log.String(), "visitors are refused"); got != 2 || !strings.Contains(log.String(), "folder=/files") {
		t.Errorf("the log says %s", log.String())
	}
}

// TestOf asks the real system.
func TestOf(t *testing.T) {
	room, known := diskspace.Of(t.TempDir())
	if !known || room.Free <= 0 || room.Free > room.Total {
		t.Errorf("the room of a folder is %v, %t", room, known)
	}
	if _, known := diskspace.Of("/there/is/none"); known {
		t.Error("a folder that is not there has room")
	}
	if err := (*diskspace.Guard)(nil).ForVisitors(); err != nil {
		t.Errorf("without a guard visitors get %v", err)
	}
}
