package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"parley/internal/bot/simulating"
	"parley/internal/outward"
)

func botCommand(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use: "simulate", Short: "Replay past first questions, and send nothing", Args: cobra.NoArgs,
		Long: "Shows what the automated agent would have done about the first question of each conversation of a product. Nothing is\n" +
			"sent or stored, but a model's tokens count in the product's budget. Articles with * are those that members linked to.",
		Example: "  parley bot simulate --workspace 0190a1b2-… --product 0190a1b3-… --since 90d --no-model",
	}
	ws, product, r := workspaceFlag(cmd), idFlag(cmd, "product", "product of the conversations"), simulating.Run{}
	required(cmd, "product")
	since := addFlag(cmd, flagOf[time.Duration]{name: "since", usage: "age of the oldest questions, such as 90d", initial: "90d", parse: simulating.ParseAge})
	hosts := addFlag(cmd, flagOf[outward.Hosts]{name: "model-hosts", usage: "as of serve", parse: outward.ParseHosts})
	limit := addFlag(cmd, flagOf[int]{name: "limit", usage: "the most conversations", initial: "1000", parse: simulating.ParseLimit})
	tokens := addFlag(cmd, flagOf[int]{name: "max-tokens", usage: "the most tokens of the model; then the rest is handed over", initial: "200000", parse: simulating.ParseTokens})
	baseline := addFlag(cmd, flagOf[simulating.Baseline]{name: "baseline", usage: "file with what --json printed before, to compare with", parse: simulating.ReadBaseline})
	cmd.Flags().BoolVar(&r.Plan.NoModel, "no-model", false, "only search for articles")
	demo := cmd.Flags().Bool("demo", false, "ask the toy model of a demo, as 'parley serve --demo' does")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		o := appOptions{clock: time.Now, existing: true, modelHosts: *hosts}
		if err := checkDemo(*demo, ""); err != nil {
			return err
		}
		if *demo {
			o.toy = toyModel(false)
		}
		return c.withOptions(cmd, o, func(ctx context.Context, a *app) error {
			r.Plan.Workspace, r.Plan.Product, r.Plan.Since, r.Plan.MaxTokens = *ws, *product, time.Now().Add(-*since), *tokens
			r.Limit, r.Baseline, r.JSON = *limit, *baseline, c.json
			return a.simulating.Write(ctx, c.stdout, r)
		})
	}
	return group("bot", "Try the automated agent", cmd)
}
