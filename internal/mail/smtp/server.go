package smtp

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// How a connection is encrypted.
const (
	tlsFirst = "tls"      // from the first byte: smtps, port 465
	starttls = "starttls" // after STARTTLS, which the server must offer: port 587
	tlsOff   = "off"      // never
)

// A Server is where mail is handed over. The zero value is none.
type Server struct {
	Host string
	Port int
	User string // "" to send without signing in

	password string
	security string
}

var errURL = errors.New("must be an address such as smtps://user:password@smtp.example:465 or smtp://smtp.example:587?tls=starttls")

// Parse reads the address of a server: smtps://user:password@host:465, or
// smtp://user:password@host:587 with ?tls=starttls, which is the default, or
// ?tls=off. Special characters of the password are escaped as in any URL. No error
// contains the password. Without TLS a password is accepted for this machine alone.
func Parse(text string) (Server, error) {
	if text == "" {
		return Server{}, nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Path != "" || u.Fragment != "" || u.Opaque != "" || u.Hostname() == "" {
		return Server{}, errURL
	}
	s := Server{Host: u.Hostname(), security: tlsFirst, Port: 465}
	query := u.Query()
	if u.Scheme == "smtp" {
		s.security, s.Port = starttls, 587
		if query.Has("tls") {
			s.security = query.Get("tls")
		}
		query.Del("tls")
	}
	if u.Scheme != "smtp" && u.Scheme != "smtps" || len(query) > 0 || s.security == tlsFirst && u.Scheme == "smtp" {
		return Server{}, errURL
	}
	if s.security != tlsFirst && s.security != starttls && s.security != tlsOff {
		return Server{}, errors.New("must have tls=starttls or tls=off")
	}
	if port := u.Port(); port != "" {
		if s.Port, err = strconv.Atoi(port); err != nil || s.Port < 1 || s.Port > 65535 {
			return Server{}, errURL
		}
	}
	if u.User != nil {
		s.User = u.User.Username()
		s.password, _ = u.User.Password()
		if s.User == "" || s.password == "" || strings.ContainsAny(s.User+s.password, "\x00\r\n") {
			return Server{}, errors.New("must have a user and a password, or neither")
		}
	}
	if s.security == tlsOff && s.User != "" && !s.local() {
		return Server{}, errors.New("must not send a password without TLS")
	}
	return s, nil
}

// local reports whether the server is on this machine.
func (s Server) local() bool {
	ip, err := netip.ParseAddr(s.Host)
	return s.Host == "localhost" || err == nil && ip.IsLoopback()
}

// String returns the address without user and password, for logs.
func (s Server) String() string {
	if s.Host == "" {
		return ""
	}
	address := s.address()
	switch s.security {
	case tlsFirst:
		return "smtps://" + address
	case tlsOff:
		return "smtp://" + address + "?tls=off"
	default:
		return "smtp://" + address
	}
}

func (s Server) address() string { return net.JoinHostPort(s.Host, strconv.Itoa(s.Port)) }
