package main

import (
	"context"

	"github.com/spf13/cobra"

	"parley/internal/access"
)

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
		return c.making(cmd, func(ctx context.Context, a *app) error {
			f, err := a.access.CreateWorkspace(ctx, *name, *email)
			if err != nil {
				return err
			}
			return c.print(foundingFields(f))
		})
	}
	list := &cobra.Command{
		Use: "list", Short: "List the workspaces", Args: cobra.NoArgs, Example: "  parley workspace list",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.withApp(cmd, func(ctx context.Context, a *app) error {
				workspaces, err := a.desk.Workspaces(ctx)
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
