package httpjson

import (
	"net/http"
	"strings"
	"time"

	"parley"
)

// SessionCookie is the cookie that holds the token of a session. Its prefix
// makes browsers demand that it is secure, for this host alone, and set by it
// (RFC 6265bis, section 4.1.3.2).
const SessionCookie = "__Host-parley"

// SessionToken returns the token of the request's session, or "".
func SessionToken(r *http.Request) parley.Token {
	cookie, err := r.Cookie(SessionCookie)
	if err != nil {
		return ""
	}
	return parley.Token(cookie.Value)
}

// SetSession has the browser keep the token of a session for as long as a
// session can live; when it ends is up to the server.
func SetSession(h http.Header, token parley.Token) {
	h.Add("Set-Cookie", sessionCookie(string(token), int(parley.SessionLife/time.Second)).String())
}

// ClearSession has the browser forget the token of its session.
func ClearSession(h http.Header) {
	h.Add("Set-Cookie", sessionCookie("", -1).String())
}

// sessionCookie makes the cookie: scripts do not see it, and it goes along with
// no request of another site but for a click on a link.
func sessionCookie(value string, maxAge int) *http.Cookie {
	return &http.Cookie{
		Name: SessionCookie, Value: value, Path: "/", MaxAge: maxAge,
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
}

// BearerToken returns what the header Authorization carries (RFC 6750, section
// 2.1), and "" and false where it is absent, of another scheme, or there twice: which
// one counts must not depend on who reads it, a proxy or this server.
func BearerToken(r *http.Request) (string, bool) {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return "", false
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return "", false
	}
	return strings.TrimSpace(token), true
}

// TicketsCookie is the cookie by which a browser that signed in is known when it
// signs in again. It opens nothing.
const TicketsCookie = "__Host-parley-known"

const ticketsLife = 180 * 24 * time.Hour

// Tickets returns what the browser keeps of earlier sign-ins, or "".
func Tickets(r *http.Request) string {
	cookie, err := r.Cookie(TicketsCookie)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// SetTickets has the browser keep that it signed in, also when it signs out.
func SetTickets(h http.Header, value string) {
	cookie := http.Cookie{
		Name: TicketsCookie, Value: value, Path: "/", MaxAge: int(ticketsLife / time.Second),
		Secure: true, HttpOnly: true, SameSite: http.SameSiteStrictMode,
	}
	h.Add("Set-Cookie", cookie.String())
}

// SameSite refuses a request by which another site would change something in
// the name of somebody who is signed in here. The browser tells whose request
// it is (Sec-Fetch-Site, Origin); GET and HEAD change nothing.
func SameSite(r *http.Request) error {
	var protection http.CrossOriginProtection
	if protection.Check(r) != nil {
		return parley.Errorf(parley.Forbidden, "the request came from another site")
	}
	return nil
}
