package workload

import (
	"context"
	"fmt"
	"net/http"
)

// A Session is a member who is signed in.
type Session struct {
	client *Client
	cookie string
}

// SignIn starts a session of a member.
func (c *Client) SignIn(ctx context.Context, email, password string) (*Session, error) {
	a, err := c.send(ctx, request{
		method: http.MethodPost, path: "/v1/dashboard/session", open: true,
		body: text(map[string]any{"email": email, "password": password}),
	})
	if err != nil {
		return nil, err
	}
	res := http.Response{Header: a.Header}
	for _, cookie := range res.Cookies() {
		if a.Status == http.StatusCreated && cookie.Value != "" { // the others are deleted
			return &Session{c, cookie.Name + "=" + cookie.Value}, nil
		}
	}
	return nil, fmt.Errorf("a sign-in is answered %d: %.300s", a.Status, a.Body)
}

// Lives reports whether the session is still one.
func (s *Session) Lives(ctx context.Context) (bool, error) {
	a, err := s.client.send(ctx, request{method: http.MethodGet, path: "/v1/dashboard/session", open: true, cookie: s.cookie})
	if err == nil && a.Status != http.StatusOK && a.Status != http.StatusUnauthorized {
		err = fmt.Errorf("a session is answered %d: %.300s", a.Status, a.Body)
	}
	return a.Status == http.StatusOK, err
}
