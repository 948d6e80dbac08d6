package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

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
	name := create.Flags().String("name", "", "name of the product")
	description := create.Flags().String("description", "", "what it is")
	create.RunE = func(cmd *cobra.Command, _ []string) error {
		return c.onRecord(cmd, ws, noID, func(ctx context.Context, d *desk.Desk, by desk.Caller, _ parley.ID) (fields, error) {
			p, err := d.CreateProduct(ctx, by, *name, *description)
			return productFields(p), err
		})
	}
	archive := &cobra.Command{
		Use: "archive", Short: "Take a product out of use", Args: cobra.NoArgs,
		Example: "  parley product archive --workspace 0190a1b2-… --product 0190a1b2-…",
	}
	archiveWs, product := workspaceFlag(archive), idFlag(archive, "product", "id of the product")
	archive.RunE = func(cmd *cobra.Command, _ []string) error {
		return c.onRecord(cmd, archiveWs, product, func(ctx context.Context, d *desk.Desk, by desk.Caller, id parley.ID) (fields, error) {
			p, err := d.ArchiveProduct(ctx, by, id, true)
			return productFields(p), err
		})
	}
	return group("product", "Look after products", required(create, "name"), required(archive, "product"))
}

// noID is for commands that make a record.
func noID() (parley.ID, error) { return parley.ID{}, nil }

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
	name := create.Flags().String("name", "", "name of the inbox")
	channel := create.Flags().String("channel", "", "api, web or chatapp")
	create.RunE = func(cmd *cobra.Command, _ []string) error {
		if !slices.Contains(parley.Channels, parley.Channel(*channel)) {
			return fmt.Errorf("--channel: must be api, web or chatapp")
		}
		return c.onRecord(cmd, ws, product, func(ctx context.Context, d *desk.Desk, by desk.Caller, id parley.ID) (fields, error) {
			i, err := d.CreateInbox(ctx, by, desk.NewInbox{Name: *name, Channel: parley.Channel(*channel), ProductID: id})
			return inboxFields(i), err
		})
	}
	return group("inbox", "Look after inboxes", required(create, "name", "channel"))
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
		run := store.Migrate
		if *status {
			run = store.MigrationStatus
		}
		from, to, err := run(cmd.Context(), c.storeOptions(log))
		if err != nil {
			return &failure{err}
		}
		return c.print(fields{{"from", from}, {"to", to}})
	}
	return cmd
}
