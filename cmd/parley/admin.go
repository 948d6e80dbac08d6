package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"parley"
	"parley/internal/access"
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

// known makes sure that the workspace is there, so that a mistyped one is said
// so.
func known(ctx context.Context, h *house, ws parley.WorkspaceID) error {
	_, err := h.desk.Workspace(ctx, ws)
	if parley.KindOf(err) == parley.NotFound {
		return parley.NotFoundf("workspace: there is no workspace %s", ws)
	}
	return err
}

// inWorkspace runs a command on a workspace that is there, and prints the
// record that it returns.
func (c *cli) inWorkspace(cmd *cobra.Command, ws parley.WorkspaceID, run func(context.Context, *house, desk.Caller) (fields, error)) error {
	return c.withDesk(cmd, func(ctx context.Context, h *house) error {
		if err := known(ctx, h, ws); err != nil {
			return err
		}
		shown, err := run(ctx, h, desk.Caller{Workspace: ws})
		if err != nil {
			return err
		}
		return c.print(shown)
	})
}

// A listing is a command that lists records of a workspace.
type listing[T any] struct {
	noun, short string
	read        func(context.Context, *house, parley.WorkspaceID, parley.Position) (parley.Page[T], error)
	show        func(T) fields
}

// listPage is how many records a listing reads at once.
const listPage = 200

// listCommand makes the command of a listing. It prints all records.
func listCommand[T any](c *cli, l listing[T]) *cobra.Command {
	cmd := &cobra.Command{
		Use: "list", Short: l.short, Args: cobra.NoArgs, Example: "  parley " + l.noun + " list --workspace 0190a1b2-…",
	}
	ws := workspaceFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return c.withDesk(cmd, func(ctx context.Context, h *house) error {
			if err := known(ctx, h, *ws); err != nil {
				return err
			}
			rows := []fields{}
			for page := (parley.Page[T]{HasMore: true}); page.HasMore; {
				var err error
				if page, err = l.read(ctx, h, *ws, page.Next); err != nil {
					return err
				}
				for _, item := range page.Items {
					rows = append(rows, l.show(item))
				}
			}
			return c.printList(rows)
		})
	}
	return cmd
}

func (c *cli) workspaceCommand() *cobra.Command {
	create := &cobra.Command{
		Use: "create", Short: "Found a workspace with its owner, a first inbox and a key", Args: cobra.NoArgs,
		Long: "Founds a workspace with its owner, a first inbox of the channel api, and a key with every scope. What it prints\n" +
			"of password, key and identity secret is not shown again. Where there is no store yet, it makes one.",
		Example: "  parley workspace create --name Acme --owner-email ann@acme.example",
	}
	name := addFlag(create, flagOf[string]{name: "name", usage: "name of the company", parse: parseName})
	email := addFlag(create, flagOf[string]{name: "owner-email", usage: "e-mail address of the owner", field: "email", parse: parseEmail})
	create.RunE = func(cmd *cobra.Command, _ []string) error {
		return c.making(cmd, func(ctx context.Context, h *house) error {
			f, err := h.access.CreateWorkspace(ctx, *name, *email)
			if err != nil {
				return err
			}
			return c.print(foundingFields(f))
		})
	}
	list := &cobra.Command{
		Use: "list", Short: "List the workspaces", Args: cobra.NoArgs, Example: "  parley workspace list",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.withDesk(cmd, func(ctx context.Context, h *house) error {
				workspaces, err := h.desk.Workspaces(ctx)
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

func foundingFields(f access.Founding) fields {
	return fields{
		{"id", f.Workspace.ID.String()}, {"name", f.Workspace.Name},
		{"ownerId", string(f.Owner.ID)}, {"ownerEmail", f.Owner.Email}, {"ownerPassword", f.OwnerPassword},
		{"apiKey", string(f.Secret)}, {"identitySecret", f.IdentitySecret}, {"identityKid", f.IdentityKID},
	}
}
