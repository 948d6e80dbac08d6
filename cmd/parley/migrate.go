package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"parley/internal/backup"
	"parley/internal/store"
)

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
		if *status {
			if c.database == "" && backup.Unfinished(c.data) {
				return &failure{fmt.Errorf("a restore into %s is not finished; start the server, or run 'parley migrate'", c.data)}
			}
		} else {
			run = store.Migrate
			if err := c.finishRestore(nil); err != nil {
				return &failure{err}
			}
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
