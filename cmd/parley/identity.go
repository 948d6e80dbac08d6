package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"parley"
	"parley/internal/desk"
	"parley/internal/identity"
)

func (c *cli) identityCommand() *cobra.Command {
	sign := &cobra.Command{
		Use: "sign", Short: "Sign the identity of a customer, for trying the widget", Args: cobra.NoArgs,
		Example: "  parley identity sign --workspace 0190a1b2-… --id u_18 --email ann@acme.example --org-id org_7 --org-name Acme",
	}
	ws := workspaceFlag(sign)
	flags := sign.Flags()
	id := addFlag(sign, flagOf[string]{name: "id", usage: "your own id of the customer", field: "sub", parse: parseOwnID})
	email := addFlag(sign, flagOf[string]{name: "email", usage: "e-mail address, which you have verified", parse: parseEmail})
	name := addFlag(sign, flagOf[string]{name: "name", usage: "name", parse: parseName})
	orgID := addFlag(sign, flagOf[string]{name: "org-id", usage: "your own id of the customer's organization", field: "organization", parse: parseOwnID})
	orgName := addFlag(sign, flagOf[string]{name: "org-name", usage: "name of the organization", parse: parseName})
	ttl := flags.Duration("ttl", time.Hour, "how long the token is valid, 24h at most")
	sign.RunE = func(cmd *cobra.Command, _ []string) error {
		if *ttl < time.Second || *ttl > identity.MaxLifetime {
			return fmt.Errorf("--ttl: must be from 1s to %v", identity.MaxLifetime)
		}
		claims := identity.Claims{
			Subject: *id, Email: *email, EmailVerified: true, Name: *name, ExpiresAt: time.Now().Add(*ttl),
		}
		if *orgID != "" {
			claims.Organization = parley.Some(identity.Organization{ID: *orgID, Name: *orgName})
		} else if *orgName != "" {
			return errors.New("--org-name: needs --org-id too")
		}
		return c.inWorkspace(cmd, *ws, func(ctx context.Context, a *app, by desk.Caller) (fields, error) {
			token, err := a.customers.SignIdentity(ctx, by.Workspace, claims)
			return fields{{"token", token}}, err
		})
	}
	return group("identity", "Try the signed identities of customers", required(sign, "id"))
}
