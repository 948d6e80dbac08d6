// Package continuing continues conversations by mail: a customer of a website who has left
// before the team answered gets a mail with what they missed.
//
// A follower of the log sets a timer for each conversation of a website in which the team
// wrote. When it is due, a rule looks at the conversation as it is now: it waits until the
// team has been quiet for a while, and queues at most one mail for each time that the
// customer was away, and one a day. The mail and what was mailed are stored in one
// transaction, so no message is mailed twice.
//
// Anybody can type any address. An address that nobody has confirmed therefore gets one
// mail in all, only after a member wrote, and nothing in that mail comes from the visitor.
//
// The package stands over the desk, customers and mail. It may import the vocabulary, the
// store, followers, timers, visitors and words.
package continuing

import (
	"context"

	"parley/internal/desk"
	"parley/internal/follow"
	"parley/internal/mail"
	"parley/internal/timer"
)

// Timer is the kind of the timers of conversations, and the name of the follower. The store
// keeps both.
const Timer = "continue"

// Options configure a Service.
type Options struct {
	Desk *desk.Desk
	Mail *mail.Service
	// PublicURL is the origin under which the server is reached.
	PublicURL string
}

// A Service mails customers what they missed. Its methods may be called by many goroutines.
type Service struct {
	desk      *desk.Desk
	mail      *mail.Service
	publicURL string
	follower  *follow.Runner
}

// New returns a Service over a desk.
func New(o Options) *Service {
	svc := &Service{desk: o.Desk, mail: o.Mail, publicURL: o.PublicURL}
	svc.follower = follow.New(o.Desk, follow.Follower{
		Name: Timer, Version: 1, Events: await,
		Lost: func(follow.Loss) follow.Start { return follow.FromEnd },
	}, nil)
	return svc
}

// Run follows the log until the context ends. Without a mail server it returns at once: a
// node that has one continues.
func (svc *Service) Run(ctx context.Context) {
	if svc.mail.On() {
		svc.follower.Run(ctx)
	}
}

// CatchUp follows the log to its present end.
func (svc *Service) CatchUp(ctx context.Context) error { return svc.follower.CatchUp(ctx) }

// Stats returns counts of the turns of this process.
func (svc *Service) Stats() follow.Stats { return svc.follower.Stats() }

// Kinds returns the kind of timer that mails what was missed; none if mail is off, so that
// timers wait for a node that sends mails.
func (svc *Service) Kinds() []timer.Kind {
	if !svc.mail.On() {
		return nil
	}
	return []timer.Kind{{Name: Timer, Do: svc.do, Farthest: quiet}}
}
