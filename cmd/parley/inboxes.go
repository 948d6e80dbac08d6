package main

import (
	"context"

	"github.com/spf13/cobra"

	"parley"
	"parley/internal/desk"
)

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
		return c.inWorkspace(cmd, *ws, func(ctx context.Context, a *app, by desk.Caller) (fields, error) {
			i, err := a.desk.CreateInbox(ctx, by, desk.NewInbox{Name: *name, Channel: *channel, ProductID: *product})
			return inboxFields(i), err
		})
	}
	list := listCommand(c, listing[parley.Inbox]{
		noun: "inbox", short: "List the inboxes",
		read: func(ctx context.Context, a *app, ws parley.WorkspaceID, after parley.Position) (parley.Page[parley.Inbox], error) {
			return a.desk.Inboxes(ws, after, listPage).Now(ctx)
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
