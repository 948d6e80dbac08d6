package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"parley"
	"parley/internal/audit/entry"
	"parley/internal/desk"
)

// group makes a command that only has subcommands.
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

// known returns an error if the workspace does not exist, such as a mistyped
// one.
func known(ctx context.Context, a *app, ws parley.WorkspaceID) error {
	_, err := a.desk.Workspace(ctx, ws)
	if parley.KindOf(err) == parley.NotFound {
		return parley.NotFoundf("workspace: there is no workspace %s", ws)
	}
	return err
}

// inWorkspace runs a command on an existing workspace, and prints the record
// that it returns.
func (c *cli) inWorkspace(cmd *cobra.Command, ws parley.WorkspaceID, run func(context.Context, *app, desk.Caller) (fields, error)) error {
	return c.withApp(cmd, func(ctx context.Context, a *app) error {
		if err := known(ctx, a, ws); err != nil {
			return err
		}
		shown, err := run(ctx, a, operator(ws))
		if err != nil {
			return err
		}
		return c.print(shown)
	})
}

// operator is the caller of a command that changes something.
func operator(ws parley.WorkspaceID) desk.Caller {
	return desk.Caller{Workspace: ws, Client: entry.Client{Operator: true}}
}

// A listing is a command that lists records of a workspace.
type listing[T any] struct {
	noun, short string
	read        func(context.Context, *app, parley.WorkspaceID, parley.Position) (parley.Page[T], error)
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
		return c.withApp(cmd, func(ctx context.Context, a *app) error {
			if err := known(ctx, a, *ws); err != nil {
				return err
			}
			rows := []fields{}
			for page := (parley.Page[T]{HasMore: true}); page.HasMore; {
				var err error
				if page, err = l.read(ctx, a, *ws, page.Next); err != nil {
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
