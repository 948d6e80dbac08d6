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
	id := flags.String("id", "", "your own id of the customer")
	email := flags.String("email", "", "e-mail address, which you have verified")
	name := flags.String("name", "", "name")
	orgID := flags.String("org-id", "", "your own id of the customer's organization")
	orgName := flags.String("org-name", "", "name of the organization")
	ttl := flags.Duration("ttl", time.Hour, "how long the token is valid, 24h at most")
	sign.RunE = func(cmd *cobra.Command, _ []string) error {
		ws, err := ws()
		if err != nil {
			return err
		}
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
		return c.withDesk(cmd.Context(), func(ctx context.Context, d *desk.Desk) error {
			if err := known(ctx, d, ws); err != nil {
				return err
			}
			token, err := d.SignIdentity(ctx, ws, claims)
			if err != nil {
				return err
			}
			return c.print(fields{{"token", token}})
		})
	}
	return group("identity", "Try the signed identities of customers", required(sign, "id"))
}
