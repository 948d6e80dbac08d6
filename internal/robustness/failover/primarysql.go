package failover

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

// ask runs a query on the primary, of one row.
func (c *Cluster) ask(sql string, into ...any) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, c.URL())
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }() // it only asked
	return conn.QueryRow(ctx, sql).Scan(into...)
}

// follows returns an error unless all other machines receive what the primary writes.
func (c *Cluster) follows() error {
	var streaming, synchronous int
	var demanded string
	err := c.ask(`SELECT count(*) FILTER (WHERE state = 'streaming'), count(*) FILTER (WHERE sync_state = 'sync'), current_setting('synchronous_standby_names')
		FROM pg_stat_replication WHERE application_name LIKE 'db_'`, &streaming, &synchronous, &demanded)
	if err == nil && (streaming != len(c.Machines)-1 || synchronous == 0 && demanded != "") {
		err = fmt.Errorf("%d machines follow the primary, %d of them synchronously, which demands %q", streaming, synchronous, demanded)
	}
	return err
}

// Primary waits until one machine takes changes, and returns it.
func (c *Cluster) Primary() *Machine {
	c.t.Helper()
	var found *Machine
	c.until("there is no primary", func() error {
		var address string
		if err := c.ask("SELECT host(inet_server_addr())", &address); err != nil {
			return err
		}
		for _, m := range c.Machines {
			if m.address == address {
				found = m
				return nil
			}
		}
		return errors.New("the primary is at " + address)
	})
	return found
}

// standbys returns the machines that follow the primary: first those that must confirm each
// commit.
func (c *Cluster) standbys() []*Machine {
	c.t.Helper()
	var first, others []*Machine
	c.until("the members are unknown", func() error {
		members, err := c.members()
		first, others = nil, nil
		for _, known := range members {
			for _, m := range c.Machines {
				switch {
				case m.Name == known.Name && known.Role == "sync_standby":
					first = append(first, m)
				case m.Name == known.Name && known.Role == "replica":
					others = append(others, m)
				}
			}
		}
		return err
	})
	return slices.Concat(first, others)
}

// HandOver makes another machine the primary, as an operator does with "patronictl failover",
// and waits until it is.
func (c *Cluster) HandOver() {
	c.t.Helper()
	old := c.Primary()
	c.until("no failover is possible", func() error {
		if c.Primary() != old {
			return nil // a busy machine was taken for dead
		}
		candidates := c.standbys()
		if len(candidates) == 0 {
			return errors.New("nobody follows " + old.Name)
		}
		body, err := json.Marshal(map[string]string{"candidate": candidates[0].Name})
		if err != nil {
			return err
		}
		return call(http.MethodPost, old.url(patroniPort)+"/failover", body, nil)
	})
	c.Another(old)
}

// Another waits until a machine other than the old one is the primary, and returns it.
func (c *Cluster) Another(old *Machine) *Machine {
	c.t.Helper()
	found := old
	c.until("no other machine became the primary", func() error {
		if found = c.Primary(); found == old {
			return errors.New(old.Name + " still is")
		}
		return nil
	})
	return found
}
