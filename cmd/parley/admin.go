package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"parley"
	"parley/internal/desk"
)

// group makes a command that only holds others.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Args: cobra.NoArgs,
		Example: strings.TrimRight(commands[0].Example, "\n"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return fmt.Errorf("%s: name one of its commands", cmd.CommandPath())
		},
	}
	cmd.AddCommand(commands...)
	return cmd
}

// workspaceFlag adds the flag --workspace and returns how to read it.
func workspaceFlag(cmd *cobra.Command) func() (parley.WorkspaceID, error) {
	text := cmd.Flags().String("workspace", "", "id of the workspace")
	_ = cmd.MarkFlagRequired("workspace") // fails only for a flag that is not there
	return func() (parley.WorkspaceID, error) {
		ws, ok := parley.ParseWorkspaceID(*text)
		if !ok {
			return ws, fmt.Errorf("--workspace: must be a UUID; 'parley workspace list' shows them")
		}
		return ws, nil
	}
}

// idFlag adds a flag that holds a UUID and returns how to read it.
func idFlag(cmd *cobra.Command, name, usage string) func() (parley.ID, error) {
	text := cmd.Flags().String(name, "", usage)
	return func() (parley.ID, error) {
		if *text == "" && !cmd.Flags().Changed(name) {
			return parley.ID{}, nil
		}
		id, ok := parley.ParseID(*text)
		if !ok {
			return id, fmt.Errorf("--%s: must be a UUID", name)
		}
		return id, nil
	}
}

func required(cmd *cobra.Command, names ...string) *cobra.Command {
	for _, name := range names {
		_ = cmd.MarkFlagRequired(name) // fails only for a flag that is not there
	}
	return cmd
}

// known makes sure that the workspace is there, so that a mistyped one is said
// so.
func known(ctx context.Context, d *desk.Desk, ws parley.WorkspaceID) error {
	if _, err := d.Workspace(ctx, ws); err != nil {
		return fmt.Errorf("--workspace: there is no workspace %s", ws)
	}
	return nil
}

func (c *cli) workspaceCommand() *cobra.Command {
	create := &cobra.Command{
		Use: "create", Short: "Found a workspace with its owner, a first inbox and a key", Args: cobra.NoArgs,
		Example: "  parley workspace create --name Acme --owner-email ann@acme.example",
	}
	name := create.Flags().String("name", "", "name of the company")
	email := create.Flags().String("owner-email", "", "e-mail address of the owner")
	create.RunE = func(cmd *cobra.Command, _ []string) error {
		return c.withDesk(cmd.Context(), func(ctx context.Context, d *desk.Desk) error {
			f, err := d.CreateWorkspace(ctx, *name, *email)
			if err != nil {
				return err
			}
			return c.print(foundingFields(f))
		})
	}
	list := &cobra.Command{
		Use: "list", Short: "List the workspaces", Args: cobra.NoArgs, Example: "  parley workspace list",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.withDesk(cmd.Context(), func(ctx context.Context, d *desk.Desk) error {
				workspaces, err := d.Workspaces(ctx)
				if err != nil {
					return err
				}
				rows := make([]fields, len(workspaces))
				for i, w := range workspaces {
					rows[i] = fields{{"id", w.ID.String()}, {"name", w.Name}, {"createdAt", w.CreatedAt}}
				}
				return c.printList(rows)
			})
		},
	}
	return group("workspace", "Look after workspaces", required(create, "name", "owner-email"), list)
}

func foundingFields(f desk.Founding) fields {
	return fields{
		{"id", f.Workspace.ID.String()}, {"name", f.Workspace.Name},
		{"ownerId", string(f.Owner.ID)}, {"ownerEmail", f.Owner.Email}, {"ownerPassword", f.OwnerPassword},
		{"apiKey", string(f.Secret)}, {"identitySecret", f.IdentitySecret},
	}
}

func (c *cli) memberCommand() *cobra.Command {
	create := &cobra.Command{
		Use: "create", Short: "Add a member", Args: cobra.NoArgs,
		Example: "  parley member create --workspace 0190a1b2-… --email bo@acme.example --name Bo --role agent",
	}
	ws := workspaceFlag(create)
	email := create.Flags().String("email", "", "e-mail address")
	name := create.Flags().String("name", "", "name")
	role := create.Flags().String("role", string(parley.Agent), "owner, admin or agent")
	create.RunE = func(cmd *cobra.Command, _ []string) error {
		ws, err := ws()
		if err != nil {
			return err
		}
		return c.withDesk(cmd.Context(), func(ctx context.Context, d *desk.Desk) error {
			if err := known(ctx, d, ws); err != nil {
				return err
			}
			m, password, err := d.CreateMember(ctx, desk.Caller{Workspace: ws},
				desk.NewMember{Email: *email, Name: *name, Role: parley.Role(*role)})
			if err != nil {
				return err
			}
			return c.print(fields{
				{"id", string(m.ID)}, {"email", m.Email}, {"name", m.Name}, {"role", string(m.Role)}, {"password", password},
			})
		})
	}
	return group("member", "Look after members", required(create, "email", "name"))
}

func (c *cli) keyCommand() *cobra.Command {
	return group("key", "Look after API keys", c.keyCreate(), c.keyList(), c.keyRevoke())
}

func (c *cli) keyCreate() *cobra.Command {
	cmd := &cobra.Command{
		Use: "create", Short: "Make an API key, shown this once", Args: cobra.NoArgs,
		Example: "  parley key create --workspace 0190a1b2-… --name CRM --scopes contacts:read,contacts:write",
	}
	ws := workspaceFlag(cmd)
	name := cmd.Flags().String("name", "", "what the key is for")
	scopes := cmd.Flags().StringSlice("scopes", nil, "scopes, with commas between (default: all)")
	expires := cmd.Flags().String("expires-at", "", "when it ends, as in 2027-01-31T00:00:00Z (default: never)")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		ws, err := ws()
		if err != nil {
			return err
		}
		in := desk.NewKey{Name: *name, Scopes: parley.Scopes}
		if cmd.Flags().Changed("scopes") {
			in.Scopes = nil
			for _, scope := range *scopes {
				in.Scopes = append(in.Scopes, parley.Scope(strings.TrimSpace(scope)))
			}
		}
		if *expires != "" {
			if in.ExpiresAt, err = time.Parse(time.RFC3339, *expires); err != nil {
				return fmt.Errorf("--expires-at: must be a time such as 2027-01-31T00:00:00Z")
			}
		}
		return c.withDesk(cmd.Context(), func(ctx context.Context, d *desk.Desk) error {
			if err := known(ctx, d, ws); err != nil {
				return err
			}
			key, secret, err := d.CreateKey(ctx, desk.Caller{Workspace: ws}, in)
			if err != nil {
				return err
			}
			return c.print(fields{
				{"id", key.ID.String()}, {"key", string(secret)}, {"scopes", key.Scopes}, {"expiresAt", key.ExpiresAt},
			})
		})
	}
	return required(cmd, "name")
}

func (c *cli) keyList() *cobra.Command {
	cmd := &cobra.Command{
		Use: "list", Short: "List the API keys", Args: cobra.NoArgs, Example: "  parley key list --workspace 0190a1b2-…",
	}
	ws := workspaceFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		ws, err := ws()
		if err != nil {
			return err
		}
		return c.withDesk(cmd.Context(), func(ctx context.Context, d *desk.Desk) error {
			if err := known(ctx, d, ws); err != nil {
				return err
			}
			keys, err := d.Keys(ctx, ws)
			if err != nil {
				return err
			}
			rows := make([]fields, len(keys))
			for i, k := range keys {
				rows[i] = fields{
					{"id", k.ID.String()}, {"name", k.Name}, {"key", k.Prefix + "…" + k.LastFour}, {"scopes", k.Scopes},
					{"createdAt", k.CreatedAt}, {"expiresAt", k.ExpiresAt}, {"revokedAt", k.RevokedAt},
				}
			}
			return c.printList(rows)
		})
	}
	return cmd
}

func (c *cli) keyRevoke() *cobra.Command {
	cmd := &cobra.Command{
		Use: "revoke", Short: "End an API key on every node within a second", Args: cobra.NoArgs,
		Example: "  parley key revoke --workspace 0190a1b2-… --id 0190a1b2-…",
	}
	ws, id := workspaceFlag(cmd), idFlag(cmd, "id", "id of the key")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return c.onRecord(cmd, ws, id, func(ctx context.Context, d *desk.Desk, by desk.Caller, id parley.ID) (fields, error) {
			key, err := d.RevokeKey(ctx, by, id)
			return fields{{"id", key.ID.String()}, {"revokedAt", key.RevokedAt}}, err
		})
	}
	return required(cmd, "id")
}

// onRecord runs a command that changes one record of a workspace.
func (c *cli) onRecord(cmd *cobra.Command, ws func() (parley.WorkspaceID, error), id func() (parley.ID, error),
	change func(context.Context, *desk.Desk, desk.Caller, parley.ID) (fields, error)) error {
	workspace, err := ws()
	if err != nil {
		return err
	}
	record, err := id()
	if err != nil {
		return err
	}
	return c.withDesk(cmd.Context(), func(ctx context.Context, d *desk.Desk) error {
		if err := known(ctx, d, workspace); err != nil {
			return err
		}
		shown, err := change(ctx, d, desk.Caller{Workspace: workspace}, record)
		if err != nil {
			return err
		}
		return c.print(shown)
	})
}
