package workload

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// FollowHistories is Follow for a store that loses changes on purpose: where the stream
// tells of something that is lost, it must then tell "reset". Lost compares.
func FollowHistories(ctx context.Context, log *Log) *Reader {
	return (&Reader{client: log.client, position: log.position, told: [][]event{nil}}).follow(ctx, log.seq)
}

// Position is the position of the last event.
func (r *Reader) Position() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.position
}

// Seq is the number of the last event.
func (r *Reader) Seq() int64 { return r.seq.Load() }

// Lost waits until the stream has told as much as a log has, which was read from its
// beginning after something may have been lost, and returns how many events the stream has
// told that are not in the log, how often it told "reset" since, and what is wrong: the log
// goes on after such an event without a reset, or there was a reset without one. It forgets
// what was told.
func (r *Reader) Lost(log *Log) (lost, resets int, wrong []string) {
	for deadline := time.Now().Add(settleTime); r.seq.Load() != log.seq && time.Now().Before(deadline); {
		time.Sleep(repeatPause)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if got := r.seq.Load(); got != log.seq {
		r.wrong = append(r.wrong, fmt.Sprintf("the stream is at event %d, and the log ends with %d", got, log.seq))
	}
	wrong = r.wrong
	lost, faults := compare(r.told, log.events)
	resets = len(r.told) - 1
	if lost == 0 && resets > 0 {
		faults = append(faults, fmt.Sprintf("the stream told %d times reset, and nothing that it told is lost", resets))
	}
	r.told, r.wrong = [][]event{nil}, nil
	return lost, resets, append(wrong, faults...)
}

// compare compares what a stream has told from reset to reset with a log. After a lost event
// nothing but lost ones may be told without a reset.
func compare(told [][]event, log map[int64]string) (lost int, wrong []string) {
	for n, part := range told {
		gone := 0
		for _, e := range part {
			switch {
			case log[e.Seq] != e.name():
				gone++
			case gone > 0:
				wrong = append(wrong, fmt.Sprintf("after a lost event the stream tells event %d of the log without a reset", e.Seq))
			}
		}
		if gone > 0 && n == len(told)-1 {
			wrong = append(wrong, fmt.Sprintf("the stream has told %d events that are lost, and then no reset", gone))
		}
		lost += gone
	}
	return lost, wrong
}

// Continues reports whether the log can be read after a position; otherwise the answer says
// "reset". A stream from there must say the same.
func (c *Client) Continues(ctx context.Context, position string) (bool, error) {
	var p page[event]
	if err := c.get(ctx, "/events?limit=1&after="+url.QueryEscape(position), &p); err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	r := &Reader{client: c, stop: cancel, position: position, told: [][]event{nil}}
	first := make(chan bool, 1)
	r.heard = func(name string) {
		first <- name != "reset"
		cancel()
	}
	r.read(ctx)
	select {
	case continues := <-first:
		if continues == p.Reset {
			return false, fmt.Errorf("after %s the list says reset: %v, and the stream continues: %v", position, p.Reset, continues)
		}
		return continues, nil
	default:
		return false, fmt.Errorf("a stream after %s tells nothing", position)
	}
}

// Lost returns how many acknowledged records are not there: contacts, conversations,
// messages and files. Unlike Check it counts, for tests that lose some on purpose. The load
// must have ended.
func (l *Load) Lost(ctx context.Context) (lost int, err error) {
	for _, w := range l.writers {
		for _, c := range w.done {
			var path string
			switch c.what {
			case newContact:
				path = "/contacts/" + c.id
			case newConversation:
				path = "/conversations/" + c.id
			case newMessage:
				path = "/conversations/" + w.conversation + "/messages/" + c.id
			case newFile:
				path = "/attachments/" + url.PathEscape(c.id)
			default:
				continue // it changes a record that is counted
			}
			a, err := l.client.check(ctx, request{method: http.MethodGet, path: public + path})
			if err != nil {
				return lost, err
			}
			if a.Status == http.StatusNotFound {
				lost++
			}
		}
	}
	return lost, nil
}
