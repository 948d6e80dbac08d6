package backup

import (
	"context"
	"io"
	"time"
)

// stint is how long a backup works at a time. Then it pauses for as long: a machine has
// few processors, and a server that runs meanwhile needs one at once to post a message.
const stint = 10 * time.Millisecond

// A pacer interrupts long work.
type pacer struct {
	began time.Time // when the stint began
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

// rest pauses if the stint is over. The pause is no longer after a longer stint, which
// spent its time waiting.
func (p *pacer) rest(ctx context.Context) error {
	if p.now().Sub(p.began) < stint {
		return nil
	}
	err := p.sleep(ctx, stint)
	p.began = p.now()
	return err
}

// A pacedReader pauses between its reads.
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
