package backup

import (
	"context"
	"io"
	"time"
)

// stint is how long a backup works at a time. Then it rests as long, so that the
// server beside it has half of what the backup would take. A machine has few
// processors, and posting a message needs one at once.
const stint = 10 * time.Millisecond

// A pacer interrupts long work.
type pacer struct {
	began time.Time // the stint
	now   func() time.Time
	sleep func(ctx context.Context, d time.Duration) error
}

func newPacer() *pacer { return &pacer{began: time.Now(), now: time.Now, sleep: sleep} }

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// rest rests if a stint is over. One that took longer waited for something, or for its
// turn, and needs no longer rest.
func (p *pacer) rest(ctx context.Context) error {
	if p.now().Sub(p.began) < stint {
		return nil
	}
	err := p.sleep(ctx, stint)
	p.began = p.now()
	return err
}

// A pacedReader rests between its reads.
type pacedReader struct {
	io.Reader
	ctx   context.Context
	pacer *pacer
}

func (r pacedReader) Read(b []byte) (int, error) {
	if err := r.pacer.rest(r.ctx); err != nil {
		return 0, err
	}
	return r.Reader.Read(b)
}
