package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
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
		return c.inWorkspace(cmd, *ws, func(ctx context.Context, h *house, by desk.Caller) (fields, error) {
			p, err := h.desk.CreateProduct(ctx, by, *name, *description)
			return productFields(p), err
		})
	}
	list := listCommand(c, listing[parley.Product]{
		noun: "product", short: "List the products, archived ones too",
		read: func(ctx context.Context, h *house, ws parley.WorkspaceID, after parley.Position) (parley.Page[parley.Product], error) {
			return h.desk.Products(ctx, ws, true, after, listPage)
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
	// Other commands name their own record by --id.
	cmd.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "id" {
			name = "product"
		}
		return pflag.NormalizedName(name)
	})
	ws, product := workspaceFlag(cmd), idFlag(cmd, "product", "id of the product; --id says the same")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return c.inWorkspace(cmd, *ws, func(ctx context.Context, h *house, by desk.Caller) (fields, error) {
			p, err := h.desk.ArchiveProduct(ctx, by, *product, true)
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

func (c *cli) inboxCommand() *cobra.Command {
	create := &cobra.Command{
		Use: "create", Short: "Add an inbox", Args: cobra.NoArgs,
		Example: "  parley inbox create --workspace 0190a1b2-… --name 'Shop help' --channel api --product 0190a1b2-…",
	}
	ws, product := workspaceFlag(create), idFlag(create, "product", "id of the product of its conversations")
	name := addFlag(create, flagOf[string]{name: "name", usage: "name of the inbox", parse: parseName})
	channel := addFlag(create, flagOf[parley.Channel]{
		name: "channel", usage: enumerate(parley.Channels, "or"), field: "channelType", parse: oneOf(parley.Channels),
	})
	create.RunE = func(cmd *cobra.Command, _ []string) error {
		return c.inWorkspace(cmd, *ws, func(ctx context.Context, h *house, by desk.Caller) (fields, error) {
			i, err := h.desk.CreateInbox(ctx, by, desk.NewInbox{Name: *name, Channel: *channel, ProductID: *product})
			return inboxFields(i), err
		})
	}
	list := listCommand(c, listing[parley.Inbox]{
		noun: "inbox", short: "List the inboxes",
		read: func(ctx context.Context, h *house, ws parley.WorkspaceID, after parley.Position) (parley.Page[parley.Inbox], error) {
			return h.desk.Inboxes(ctx, ws, after, listPage)
		},
		show: inboxFields,
	})
	return group("inbox", "Look after inboxes", required(create, "name", "channel"), list)
}

func inboxFields(i parley.Inbox) fields {
	product := field{"productId", nil}
	if !i.ProductID.IsZero() {
		product.value = i.ProductID.String()
	}
	return fields{
		{"id", i.ID.String()}, {"name", i.Name}, {"channelType", string(i.Channel)}, product,
		{"createdAt", i.CreatedAt}, {"updatedAt", i.UpdatedAt},
	}
}

func (c *cli) migrateCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "migrate", Short: "Bring the store to this version's schema", Args: cobra.NoArgs,
		Example: "  parley migrate --status",
	}
	status := cmd.Flags().Bool("status", false, "only tell, change nothing")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		log, err := c.logger()
		if err != nil {
			return err
		}
		run, options := store.MigrationStatus, c.storeOptions(log)
		if !*status {
			run = store.Migrate
			if err := c.mayFound(cmd.Context(), options, ""); err != nil {
				return &failure{err}
			}
		}
		from, to, err := run(cmd.Context(), options)
		if err != nil {
			return &failure{err}
		}
		return c.print(fields{{"from", from}, {"to", to}})
	}
	return cmd
}
