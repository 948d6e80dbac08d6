package main

import (
	"cmp"
	"context"
	"time"

	"github.com/spf13/cobra"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
)

func (c *cli) keyCommand() *cobra.Command {
	return group("key", "Look after API keys", c.keyCreate(), c.keyList(), c.keyScope(), c.keyRevoke())
}

func (c *cli) keyCreate() *cobra.Command {
	cmd := &cobra.Command{
		Use: "create", Short: "Make an API key, shown this once", Args: cobra.NoArgs,
		Example: "  parley key create --workspace 0190a1b2-… --name CRM --scopes contacts:read,contacts:write",
	}
	ws := workspaceFlag(cmd)
	name := addFlag(cmd, flagOf[string]{name: "name", usage: "what the key is for", parse: parseName})
	scopes := addFlag(cmd, flagOf[[]parley.Scope]{name: "scopes", usage: "scopes, with commas between (default: all)", parse: parseScopes})
	expires := addFlag(cmd, flagOf[time.Time]{
		name: "expires-at", usage: "when it ends, as in 2027-01-31T00:00:00Z (default: never)", field: "expiresAt", parse: parseFuture,
	})
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		in := access.NewKey{Name: *name, Scopes: *scopes, ExpiresAt: *expires}
		if !cmd.Flags().Changed("scopes") {
			in.Scopes = parley.Scopes
		}
		return c.inWorkspace(cmd, *ws, func(ctx context.Context, a *app, by desk.Caller) (fields, error) {
			key, secret, err := a.access.CreateKey(ctx, by, in)
			return fields{
				{"id", key.ID.String()}, {"key", string(secret)}, {"scopes", key.Scopes}, {"expiresAt", key.ExpiresAt},
			}, err
		})
	}
	return required(cmd, "name")
}

func (c *cli) keyList() *cobra.Command {
	return listCommand(c, listing[parley.Key]{
		noun: "key", short: "List the API keys",
		read: func(ctx context.Context, a *app, ws parley.WorkspaceID, _ parley.Position) (parley.Page[parley.Key], error) {
			keys, err := a.access.Keys(ws).Now(ctx)
			return parley.Page[parley.Key]{Items: keys}, err
		},
		show: func(k parley.Key) fields {
			return fields{
				{"id", k.ID.String()}, {"name", k.Name}, {"display", k.Display()}, {"scopes", k.Scopes},
				{"createdAt", k.CreatedAt}, {"expiresAt", k.ExpiresAt}, {"revokedAt", k.RevokedAt},
				{"createdBy", keyMaker(k.CreatedBy)},
			}
		},
	})
}

// A keyMaker is the member who created a key, in the form of the API.
type keyMaker struct {
	Type parley.ActorType `json:"type"`
	ID   string           `json:"id"`
	Name string           `json:"name"`
}

func (m keyMaker) String() string { return cmp.Or(m.Name, string(m.Type)) }

func (c *cli) keyScope() *cobra.Command {
	cmd := &cobra.Command{
		Use: "scope", Short: "Give an API key other scopes, on every node within a second", Args: cobra.NoArgs,
		Example: "  parley key scope --workspace 0190a1b2-… --id 0190a1b2-… --scopes contacts:read,products:read",
	}
	ws, id := workspaceFlag(cmd), idFlag(cmd, "id", "id of the key")
	scopes := addFlag(cmd, flagOf[[]parley.Scope]{name: "scopes", usage: "all its scopes from now on, with commas between", parse: parseScopes})
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return c.inWorkspace(cmd, *ws, func(ctx context.Context, a *app, by desk.Caller) (fields, error) {
			key, err := a.access.UpdateKey(ctx, by, *id, access.KeyChange{Scopes: parley.Some(*scopes)})
			return fields{{"id", key.ID.String()}, {"scopes", key.Scopes}}, err
		})
	}
	return required(required(cmd, "id"), "scopes")
}

func (c *cli) keyRevoke() *cobra.Command {
	cmd := &cobra.Command{
		Use: "revoke", Short: "End an API key on every node within a second", Args: cobra.NoArgs,
		Example: "  parley key revoke --workspace 0190a1b2-… --id 0190a1b2-…",
	}
	ws, id := workspaceFlag(cmd), idFlag(cmd, "id", "id of the key")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return c.inWorkspace(cmd, *ws, func(ctx context.Context, a *app, by desk.Caller) (fields, error) {
			key, err := a.access.RevokeKey(ctx, by, *id)
			return fields{{"id", key.ID.String()}, {"revokedAt", key.RevokedAt}}, err
		})
	}
	return required(cmd, "id")
}
