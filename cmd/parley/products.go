package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley"
	"parley/internal/desk"
)

func (c *cli) productCommand() *cobra.Command {
	create := &cobra.Command{
		Use: "create", Short: "Add a product", Args: cobra.NoArgs,
		Example: "  parley product create --workspace 0190a1b2-… --name 'Acme Shop'",
	}
	ws := workspaceFlag(create)
	name := addFlag(create, flagOf[string]{name: "name", usage: "name of the product", parse: parseName})
	description := create.Flags().String("description", "", "what it is")
	create.RunE = func(cmd *cobra.Command, _ []string) error {
		return c.inWorkspace(cmd, *ws, func(ctx context.Context, a *app, by desk.Caller) (fields, error) {
			p, err := a.desk.CreateProduct(ctx, by, *name, *description)
			return productFields(p), err
		})
	}
	list := listCommand(c, listing[parley.Product]{
		noun: "product", short: "List the products, archived ones too",
		read: func(ctx context.Context, a *app, ws parley.WorkspaceID, after parley.Position) (parley.Page[parley.Product], error) {
			return a.desk.Products(ws, true, after, listPage).Now(ctx)
		},
		show: productFields,
	})
	return group("product", "Look after products", required(create, "name"), list, c.productArchive())
}

func (c *cli) productArchive() *cobra.Command {
	cmd := &cobra.Command{
		Use: "archive", Short: "Take a product out of use", Args: cobra.NoArgs,
		Example: "  parley product archive --workspace 0190a1b2-… --product 0190a1b2-…",
	}
	// Other commands name their own record with --id.
	cmd.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "id" {
			name = "product"
		}
		return pflag.NormalizedName(name)
	})
	ws, product := workspaceFlag(cmd), idFlag(cmd, "product", "id of the product; --id says the same")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return c.inWorkspace(cmd, *ws, func(ctx context.Context, a *app, by desk.Caller) (fields, error) {
			p, err := a.desk.ArchiveProduct(ctx, by, *product, true)
			return productFields(p), err
		})
	}
	return required(cmd, "product")
}

func productFields(p parley.Product) fields {
	return fields{
		{"id", p.ID.String()}, {"name", p.Name}, {"description", p.Description}, {"archived", p.Archived()},
		{"archivedAt", p.ArchivedAt}, {"createdAt", p.CreatedAt}, {"updatedAt", p.UpdatedAt},
	}
}
