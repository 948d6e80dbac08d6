package workload

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// A Group is a conversation whose messages the server delivers to a network.
type Group struct {
	client       *Client
	conversation string
}

// NewGroup creates a group that the workspace's only number hosts.
func (c *Client) NewGroup(ctx context.Context) (*Group, error) {
	var made struct {
		ID string `json:"conversation_id"`
	}
	err := c.make(ctx, "/chatapp/groups", map[string]any{"name": "Acme", "participants": []string{"4915123456789"}}, &made)
	return &Group{c, made.ID}, err
}

// make posts something and takes the answer, which must be 201.
func (c *Client) make(ctx context.Context, path string, body map[string]any, into any) error {
	a, err := c.check(ctx, request{method: http.MethodPost, path: public + path, body: text(body)})
	if err != nil {
		return err
	}
	if a.Status != http.StatusCreated {
		return fmt.Errorf("POST %s is answered %d: %.300s", path, a.Status, a.Body)
	}
	return json.Unmarshal(a.Body, into)
}

// Post posts a message to the group and returns its id.
func (g *Group) Post(ctx context.Context, content string) (string, error) {
	var made struct{ ID string }
	err := g.client.make(ctx, "/conversations/"+g.conversation+"/messages", map[string]any{"content": content}, &made)
	return made.ID, err
}

// Delivered waits until the network has a message.
func (g *Group) Delivered(ctx context.Context, id string) error {
	for deadline := time.Now().Add(2 * settleTime); ; time.Sleep(repeatPause) {
		var m struct {
			Status string
			Error  string
		}
		err := g.client.get(ctx, "/messages/"+id, &m)
		if err != nil || m.Status == "sent" || m.Status == "delivered" {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("a message to the group is still %s", m.Status)
		}
	}
}
