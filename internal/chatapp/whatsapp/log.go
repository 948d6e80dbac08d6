package whatsapp

import (
	"fmt"
	"log/slog"

	signal "go.mau.fi/libsignal/logger"
	waBinary "go.mau.fi/whatsmeow/binary"
	waLog "go.mau.fi/whatsmeow/util/log"
)

// A logger passes the library's log lines to ours. It drops debug lines, since
// they contain all messages and pairing codes. The library's information
// becomes debug, and its errors become warnings: a broken connection heals by
// itself, and lasting problems show in the state of the number.
type logger struct{ log *slog.Logger }

var _ waLog.Logger = logger{}

func (l logger) Errorf(format string, args ...any) { l.log.Warn(line(format, args)) }
func (l logger) Warnf(format string, args ...any)  { l.log.Warn(line(format, args)) }
func (l logger) Infof(format string, args ...any)  { l.log.Debug(line(format, args)) }
func (l logger) Debugf(string, ...any)             {}

// line formats a line of the library. Data from the connection is replaced by
// its type, because it contains codes, invitations and names of groups.
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

// A cipherLogger passes the log lines of the cipher library to ours. What it
// calls an error is a message that could not be decrypted; whatsmeow handles
// and reports that.
type cipherLogger struct{ log *slog.Logger }

var _ signal.Loggable = cipherLogger{}

func (l cipherLogger) Debug(string, string) {}
func (l cipherLogger) Info(string, string)  {}
func (l cipherLogger) Configure(string)     {}

func (l cipherLogger) Warning(caller, message string) { l.log.Debug(message, "caller", caller) }
func (l cipherLogger) Error(caller, message string)   { l.log.Info(message, "caller", caller) }
