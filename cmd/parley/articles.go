package main

import (
	"context"

	"github.com/spf13/cobra"

	"parley"
	"parley/internal/knowledge/importing"
)

func articlesCommand(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use: "import FOLDER", Short: "Save a folder of Markdown and HTML as articles", Args: cobra.ExactArgs(1),
		Long: "Saves each *.md and *.html of a folder as a text of an article. Files with the same key are one article. A file that\n" +
			"breaks a rule is named and not saved; the exit status is then 1. A file that is as before changes nothing.",
		Example: "  parley articles import --workspace 0190a1b2-… --dry-run ./articles",
	}
	ws, product := workspaceFlag(cmd), idFlag(cmd, "product", "product of all files; one that names another is refused")
	o, language := importing.Options{}, addFlag(cmd, flagOf[parley.Language]{name: "language", usage: "language of files that name none", parse: importing.ParseLanguage})
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "say what it would do, and save nothing")
	cmd.Flags().BoolVar(&o.Publish, "publish", false, "publish every text, drafts too")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return c.withApp(cmd, func(ctx context.Context, a *app) error {
			if err := known(ctx, a, *ws); err != nil {
				return err
			}
			o.Product, o.Language = *product, *language
			im := importing.Importer{Desk: a.desk, Knowledge: a.knowledge, By: operator(*ws), Options: o}
			return im.Report(ctx, args[0], c.stdout, c.json)
		})
	}
	return group("articles", "Import help articles", cmd)
}
