package robustness_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/robustness/server"
	"parley/internal/robustness/tenants"
)

// newFleet starts a server of a program, and on PostgreSQL a second one, with workspaces.
func newFleet(t *testing.T, program, database string, workspaces int) *tenants.Fleet {
	t.Helper()
	w := &world{Server: server.New(t, t.TempDir(), database), t: t}
	w.File = program
	w.found()
	nodes := []string{w.URL()}
	if database != "" {
		nodes = append(nodes, w.joined().URL())
	}
	f := tenants.New(nodes...)
	for range workspaces {
		mark := f.Mark()
		email := "ann@" + mark + ".example"
		out, err := w.Command("workspace", "create", "--json", "--name="+mark, "--owner-email="+email)
		var made struct{ APIKey, OwnerPassword string }
		if err = errors.Join(err, json.Unmarshal(out, &made)); err != nil {
			t.Fatal(err)
		}
		f.Add(made.APIKey, email, made.OwnerPassword)
	}
	return f
}

// TestTenantsAreApart lets many workspaces write side by side, each with streams of keys and
// members on any node, while keys are revoked and members removed. No stream is ever told of
// another workspace, and each is told all events of its own, once and in order, or that
// there is one which its key may not read.
func TestTenantsAreApart(t *testing.T) {
	t.Parallel()
	for name, database := range engines {
		t.Run(name, func(t *testing.T) {
			events := int64(times(t, 2500, 250_000))
			t.Parallel()
			workspaces := 8
			if torture {
				workspaces = 50
			}
			f := newFleet(t, server.Program(t), database(t), workspaces)
			begun := time.Now()
			for _, fault := range f.Run(t.Context(), events) {
				t.Error(fault)
			}
			c := f.Counts()
			t.Logf("%d workspaces: %d events, %d deliveries by %d streams that were opened %d times, 0 of another workspace, 0 missed; %d told as withheld; %d keys and members revoked; %d positions of other workspaces refused; %s",
				workspaces, c.Events, c.Deliveries, c.Streams, c.Opened, c.Withheld, c.Revoked, c.Foreign, time.Since(begun).Round(time.Second))
			if c.Deliveries < 3*events || c.Revoked == 0 || c.Withheld == 0 || c.Foreign == 0 {
				t.Errorf("too little has happened: %+v", c)
			}
		})
	}
}

// TestTenantsAreApartSees is the control of TestTenantsAreApart, in the long form because it
// builds a program: one that lets a stream join the feed of any workspace must be seen.
func TestTenantsAreApartSees(t *testing.T) {
	times(t, 1, 1)
	if !torture {
		t.Skip("builds another program; PARLEY_TORTURE=1 does")
	}
	t.Parallel()
	program := server.Variant(t, "leaky", "internal/live/live.go", "f.add(s)\n", "for _, any := range h.feeds {\n f = any\nbreak\n}\nf.add(s)\n")
	wrong := newFleet(t, program, "", 4).Run(t.Context(), 500)
	if !slices.ContainsFunc(wrong, func(fault string) bool { return strings.Contains(fault, "is told of another workspace") }) {
		t.Errorf("the leak is not seen: %q", wrong)
	}
	t.Logf("control: a program that leaks is seen by %d kinds of faults", len(wrong))
}
