package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
)

func (c *cli) memberCommand() *cobra.Command {
	create := &cobra.Command{
		Use: "create", Short: "Add a member", Args: cobra.NoArgs,
		Example: "  parley member create --workspace 0190a1b2-… --email bo@acme.example --name Bo --role agent",
	}
	ws := workspaceFlag(create)
	email := addFlag(create, flagOf[string]{name: "email", usage: "e-mail address", parse: parseEmail})
	name := addFlag(create, flagOf[string]{name: "name", usage: "name", parse: parseName})
	role := addFlag(create, flagOf[parley.Role]{
		name: "role", usage: enumerate(parley.Roles, "or"), initial: string(parley.Agent), parse: oneOf(parley.Roles),
	})
	sees := addFlag(create, flagOf[parley.Access]{name: "access", usage: "all, or own: an agent sees those of --inboxes, of teams, and assigned ones", initial: string(parley.AccessAll), parse: oneOf(parley.Accesses)})
	inboxes := addFlag(create, flagOf[[]parley.ID]{name: "inboxes", usage: "ids of inboxes for --access own, separated by commas", parse: func(text string) ([]parley.ID, error) { return parseAll(text, "ids of inboxes", parley.ParseID) }})
	create.RunE = func(cmd *cobra.Command, _ []string) error {
		return c.inWorkspace(cmd, *ws, func(ctx context.Context, a *app, by desk.Caller) (fields, error) {
			in := access.NewMember{Email: *email, Name: *name, Role: *role, AccessChange: access.AccessChange{Access: parley.Some(*sees), InboxIDs: parley.Some(*inboxes)}}
			m, password, err := a.access.CreateMember(ctx, by, in)
			return append(memberFields(m), field{"password", password}), err
		})
	}
	list := listCommand(c, listing[parley.Member]{
		noun: "member", short: "List the members",
		read: func(ctx context.Context, a *app, ws parley.WorkspaceID, after parley.Position) (parley.Page[parley.Member], error) {
			return a.desk.Members(ws, after, listPage).Now(ctx)
		},
		show: func(m parley.Member) fields { return append(memberFields(m), field{"createdAt", m.CreatedAt}) },
	})
	return group("member", "Look after members", required(create, "email", "name"), list, c.memberReset(), memberResetFactor(c))
}

func (c *cli) memberReset() *cobra.Command {
	cmd := &cobra.Command{
		Use: "reset", Short: "Give a member a new password, shown this once", Args: cobra.NoArgs,
		Long: "Gives a member a new password, which is shown this once, and ends the member's sessions.\n" +
			"It is the way back in when the only owner forgot the password.",
		Example: "  parley member reset --workspace 0190a1b2-… --id usr_…",
	}
	ws := workspaceFlag(cmd)
	id := addFlag(cmd, flagOf[parley.UserID]{name: "id", usage: "id of the member; 'parley member list' shows them", parse: parseUserID})
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return c.inWorkspace(cmd, *ws, func(ctx context.Context, a *app, by desk.Caller) (fields, error) {
			m, password, err := a.access.SetRandomPassword(ctx, by, *id)
			return fields{{"id", string(m.ID)}, {"email", m.Email}, {"password", password}}, err
		})
	}
	return required(cmd, "id")
}

func memberResetFactor(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use: "reset-factor", Short: "Take the second factor of a member away", Args: cobra.NoArgs,
		Long: "Deletes the second factor and the recovery codes of a member who lost both, and ends the member's sessions.\n" +
			"The password stays. Make sure that it is the member who asks.",
		Example: "  parley member reset-factor --workspace 0190a1b2-… --id usr_…",
	}
	ws := workspaceFlag(cmd)
	id := addFlag(cmd, flagOf[parley.UserID]{name: "id", usage: "id of the member; 'parley member list' shows them", parse: parseUserID})
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return c.inWorkspace(cmd, *ws, func(ctx context.Context, a *app, by desk.Caller) (fields, error) {
			m, err := a.access.SecondFactors().Reset(ctx, by, *id)
			return fields{{"id", string(m.ID)}, {"email", m.Email}}, err
		})
	}
	return required(cmd, "id")
}

func parseUserID(text string) (parley.UserID, error) {
	if !parley.UserID(text).WellFormed() {
		return "", errors.New("must be the id of a member, such as usr_ and 20 characters")
	}
	return parley.UserID(text), nil
}

func memberFields(m parley.Member) fields {
	return fields{{"id", string(m.ID)}, {"email", m.Email}, {"name", m.Name}, {"role", string(m.Role)}, {"access", string(m.Access)}}
}
