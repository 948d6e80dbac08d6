package httpjson

import (
	"net/http"
	"strings"
	"time"

	"parley"
)

// SessionCookie is the cookie that holds the token of a session. Its prefix
// makes browsers require that it is secure, set by this host and sent only to
// it (RFC 6265bis, section 4.1.3.2).
const SessionCookie = "__Host-parley"

// SessionToken returns the token of the request's session, or "".
func SessionToken(r *http.Request) parley.Token {
	cookie, err := r.Cookie(SessionCookie)
	if err != nil {
		return ""
	}
	return parley.Token(cookie.Value)
}

// SetSession makes the browser store the token of a session for the longest
// life of a session; the server decides when it ends.
func SetSession(h http.Header, token parley.Token) {
	h.Add("Set-Cookie", sessionCookie(string(token), int(parley.SessionLife/time.Second)).String())
}

// ClearSession makes the browser delete the token of its session.
func ClearSession(h http.Header) {
	h.Add("Set-Cookie", sessionCookie("", -1).String())
}

// sessionCookie returns the cookie. Scripts cannot read it, and other sites'
// requests do not carry it, except for clicks on links.
func sessionCookie(value string, maxAge int) *http.Cookie {
	return &http.Cookie{
		Name: SessionCookie, Value: value, Path: "/", MaxAge: maxAge,
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
}

// HalfCookie is the cookie that shows that the password of a member was right,
// before the second step of signing in. It opens nothing else.
const HalfCookie = "__Host-parley-half"

// Half returns the token of the request's half session, or "".
func Half(r *http.Request) string {
	cookie, err := r.Cookie(HalfCookie)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// SetHalf makes the browser store the token of a half session for its life.
func SetHalf(h http.Header, token string, life time.Duration) {
	h.Add("Set-Cookie", halfCookie(token, int(life/time.Second)).String())
}

// ClearHalf makes the browser delete the token of its half session.
func ClearHalf(h http.Header) { h.Add("Set-Cookie", halfCookie("", -1).String()) }

// halfCookie returns the cookie. Other sites' requests never carry it.
func halfCookie(value string, maxAge int) *http.Cookie {
	return &http.Cookie{
		Name: HalfCookie, Value: value, Path: "/", MaxAge: maxAge,
		Secure: true, HttpOnly: true, SameSite: http.SameSiteStrictMode,
	}
}

// AttemptCookie is the cookie that shows that a browser began to sign in with a provider.
const AttemptCookie = "__Host-parley-attempt"

// Attempt returns the request's attempt to sign in with a provider, or "".
func Attempt(r *http.Request) string {
	cookie, err := r.Cookie(AttemptCookie)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// SetAttempt makes the browser store an attempt for its life, in place of another one.
func SetAttempt(h http.Header, attempt string, life time.Duration) {
	h.Add("Set-Cookie", attemptCookie(attempt, int(life/time.Second)).String())
}

// ClearAttempt makes the browser delete its attempt.
func ClearAttempt(h http.Header) { h.Add("Set-Cookie", attemptCookie("", -1).String()) }

// attemptCookie returns the cookie. A browser sends it when the provider leads it back, which
// is a navigation from another site; requests of that site's own do not carry it.
func attemptCookie(value string, maxAge int) *http.Cookie {
	return &http.Cookie{
		Name: AttemptCookie, Value: value, Path: "/", MaxAge: maxAge,
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
}

// BearerToken returns the token of the header Authorization (RFC 6750, section
// 2.1). It returns false if the header is absent, has another scheme, or occurs
// twice: a proxy and this server could read different ones.
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

// TicketsCookie is the cookie that identifies a browser that has signed in
// before. It grants no access.
const TicketsCookie = "__Host-parley-known"

const ticketsLife = 180 * 24 * time.Hour

// Tickets returns the browser's record of earlier sign-ins, or "".
func Tickets(r *http.Request) string {
	cookie, err := r.Cookie(TicketsCookie)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// SetTickets makes the browser remember, even after it signs out, that it
// signed in.
func SetTickets(h http.Header, value string) {
	cookie := http.Cookie{
		Name: TicketsCookie, Value: value, Path: "/", MaxAge: int(ticketsLife / time.Second),
		Secure: true, HttpOnly: true, SameSite: http.SameSiteStrictMode,
	}
	h.Add("Set-Cookie", cookie.String())
}

// SameSite refuses a request with which another site would change something on
// behalf of a signed-in member. The browser says where a request comes from
// (Sec-Fetch-Site, Origin); GET and HEAD change nothing.
func SameSite(r *http.Request) error {
	var protection http.CrossOriginProtection
	if protection.Check(r) != nil {
		return parley.Errorf(parley.Forbidden, "the request came from another site")
	}
	return nil
}
