package httpjson

import (
	"net/http"

	"parley"
)

// SessionCookie is the cookie that holds the token of a session. Its prefix
// makes browsers demand that it is secure, for this host alone, and set by it.
const SessionCookie = "__Host-parley"

// SessionToken returns the token of the request's session, or "".
func SessionToken(r *http.Request) parley.Token {
	cookie, err := r.Cookie(SessionCookie)
	if err != nil {
		return ""
	}
	return parley.Token(cookie.Value)
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
