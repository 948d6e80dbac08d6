package whatsapp

import (
	"fmt"
	"log/slog"

	signal "go.mau.fi/libsignal/logger"
	waBinary "go.mau.fi/whatsmeow/binary"
	waLog "go.mau.fi/whatsmeow/util/log"
)

// A logger gives the library's lines to ours. Its debug lines are dropped: they
// hold every message and every code for pairing. What it calls information is
// for us a detail, and what it calls an error no more than a warning: a line that
// breaks is one, and comes back by itself. What lasts shows in the number's state.
type logger struct{ log *slog.Logger }

var _ waLog.Logger = logger{}

func (l logger) Errorf(format string, args ...any) { l.log.Warn(line(format, args)) }
func (l logger) Warnf(format string, args ...any)  { l.log.Warn(line(format, args)) }
func (l logger) Infof(format string, args ...any)  { l.log.Debug(line(format, args)) }
func (l logger) Debugf(string, ...any)             {}

// line writes a line of the library. What went over the connection is named and
// not shown: it holds codes, invitations and the names of groups.
func line(format string, args []any) string {
	shown := make([]any, len(args))
	for i, arg := range args {
		switch a := arg.(type) {
		case *waBinary.Node:
			shown[i] = "<" + a.Tag + ">"
		case waBinary.Node:
			shown[i] = "<" + a.Tag + ">"
		default:
			shown[i] = arg
		}
	}
	return fmt.Sprintf(format, shown...)
}

func (l logger) Sub(module string) waLog.Logger { return logger{l.log.With("module", module)} }

// A cipherLogger gives the lines of the library of ciphers to ours. What it
// calls an error is a message that could not be read, which the other library
// handles and tells of again.
type cipherLogger struct{ log *slog.Logger }

var _ signal.Loggable = cipherLogger{}

func (l cipherLogger) Debug(string, string) {}
func (l cipherLogger) Info(string, string)  {}
func (l cipherLogger) Configure(string)     {}

func (l cipherLogger) Warning(caller, message string) { l.log.Debug(message, "caller", caller) }
func (l cipherLogger) Error(caller, message string)   { l.log.Info(message, "caller", caller) }
