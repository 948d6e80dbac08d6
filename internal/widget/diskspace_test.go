package widget_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"parley"
	"parley/internal/apitest"
	"parley/internal/diskspace"
	"parley/internal/httpjson"
	"parley/internal/store/storetest"
	"parley/internal/widget"
)

// TestDiskSpace sends every operation while the disk is short of room: what would store
// something new of a visitor's is refused, and everything else works. Members are not asked.
func TestDiskSpace(t *testing.T) {
	w := onSQLite(t)
	room := diskspace.Room{Free: 1 << 20, Total: 1 << 40}
	short := widget.New(widget.Options{
		Desk: w.Desk, Customers: w.Customers, Visitors: w.Work.Visitors, Knowledge: w.Knowledge, Answers: w.Answers, Recorder: w.Recorder,
		Clock: w.Now, Log: storetest.Quiet(),
		Space: diskspace.New(diskspace.Options{
			Folders: map[string]string{"data": "/data"}, Clock: w.Now, Log: storetest.Quiet(), Of: func(string) (diskspace.Room, bool) { return room, true },
		}),
	})
	handler := httpjson.Envelope{Log: storetest.Quiet(), IDs: parley.NewIDs(nil)}.Wrap(short.Handler())
	send := func(s apitest.Surface, row apitest.Row) (*httptest.ResponseRecorder, int) {
		good, status := s.Good(t, row)
		r := httptest.NewRequest(good.Method, good.Path, strings.NewReader(good.Body))
		r.RemoteAddr = good.Address + ":1"
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+good.Bearer)
		return apitest.Gate().Do(t, handler, r), status
	}
	stored := " startCustomerSession putVisit giveAddress startCustomerConversation postCustomerMessage askForPerson markAnswerHelped uploadCustomerAttachment "
	s := surface(w)
	for _, row := range s.Rows {
		if row.Operation == "streamCustomerEvents" || row.Operation == "setCustomerTyping" {
			continue // both need the live streams
		}
		got, status := send(s, row)
		if strings.Contains(stored, " "+row.Operation+" ") {
			status = 503
		}
		if got.Code != status || status == 503 && (got.Header().Get("Retry-After") != "60" || !strings.Contains(got.Body.String(), "the server is short of disk space")) {
			t.Errorf("%s is answered with %d %v %s, want %d", row.Operation, got.Code, got.Header(), got.Body, status)
		}
	}
	room.Free = 1 << 30
	w.Advance(diskspace.LookTime)
	for _, row := range s.Rows {
		if row.Operation != "postCustomerMessage" {
			continue
		}
		if got, status := send(s, row); got.Code != status {
			t.Errorf("with room again a message is answered with %d %s", got.Code, got.Body)
		}
	}
}
