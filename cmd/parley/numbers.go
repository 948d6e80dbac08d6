package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"parley"
	"parley/internal/desk"
	"parley/internal/numbers"
	"parley/internal/qr"
)

// pairingPoll is how often the latest step of a pairing is read.
const pairingPoll = 300 * time.Millisecond

func (c *cli) numberCommand() *cobra.Command {
	create := c.numberCreate()
	disconnect := &cobra.Command{
		Use: "disconnect", Short: "Disconnect a number", Args: cobra.NoArgs,
		Example: "  parley number disconnect --workspace 0190a1b2-… --id 0190a1b2-…",
	}
	ws, id := workspaceFlag(disconnect), idFlag(disconnect, "id", "id of the number")
	disconnect.RunE = func(cmd *cobra.Command, _ []string) error {
		return c.inWorkspace(cmd, *ws, func(ctx context.Context, a *app, by desk.Caller) (fields, error) {
			n, err := a.numbers.DisconnectNumber(ctx, by, *id)
			return numberFields(n), err
		})
	}
	list := listCommand(c, listing[parley.Number]{
		noun: "number", short: "List the numbers",
		read: func(ctx context.Context, a *app, ws parley.WorkspaceID, after parley.Position) (parley.Page[parley.Number], error) {
			return a.numbers.Numbers(ws, after, listPage).Now(ctx)
		},
		show: numberFields,
	})
	return group("number", "Look after numbers of the messaging application", create, list, required(disconnect, "id"))
}

func (c *cli) numberCreate() *cobra.Command {
	cmd := &cobra.Command{
		Use: "create", Short: "Connect a number of the messaging application", Args: cobra.NoArgs,
		Long: "Connects a number. One of the driver whatsapp is paired with its phone first: the command shows a QR code\n" +
			"that the phone scans under \"Linked devices\", or a code to type there. A server over the same store connects\n" +
			"the number then.",
		Example: "  parley number create --workspace 0190a1b2-… --phone +4930123456 --driver sandbox",
	}
	ws := workspaceFlag(cmd)
	phone := addFlag(cmd, flagOf[parley.Phone]{name: "phone", usage: "the number, country code first", parse: parsePhone})
	driver := addFlag(cmd, flagOf[parley.Driver]{name: "driver", usage: enumerate(parley.Drivers, "or"), parse: oneOf(parley.Drivers)})
	way := addFlag(cmd, flagOf[numbers.PairBy]{
		name: "pair-by", usage: enumerate(numbers.PairWays(), "or") + ", with whatsapp", initial: string(numbers.PairWays()[0]), parse: oneOf(numbers.PairWays()),
	})
	var simulation string
	simulationFlag(cmd, &simulation)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := checkDemo(false, simulation); err != nil {
			return err
		}
		options := appOptions{clock: time.Now, existing: true, real: *driver != parley.DriverSandbox, simulation: simulation}
		return c.withOptions(cmd, options, func(ctx context.Context, a *app) error {
			if err := known(ctx, a, *ws); err != nil {
				return err
			}
			by := operator(*ws)
			saved, err := a.numbers.ConnectNumber(ctx, by, *phone, *driver)
			if err == nil && !saved.Record.Paired() {
				saved.Record, err = c.pair(ctx, a, by, saved.Record.ID, *way)
			}
			if err != nil {
				return err
			}
			return c.print(numberFields(saved.Record))
		})
	}
	return required(cmd, "phone", "driver")
}

// pair pairs a number and prints each step until a phone is paired.
func (c *cli) pair(ctx context.Context, a *app, by desk.Caller, id parley.ID, way numbers.PairBy) (parley.Number, error) {
	defer a.numbers.GiveNumbersBack(ctx) // also if the command is interrupted
	shown, err := a.numbers.PairNumber(ctx, by, id, way)
	for err == nil && !shown.Over() {
		select {
		case <-ctx.Done():
			return parley.Number{}, errors.New("interrupted; the number is not paired")
		case <-time.After(pairingPoll):
		}
		var step parley.Pairing
		if step, err = a.numbers.Pairing(by, id).Now(ctx); err == nil && step != shown {
			shown, err = step, c.showStep(step)
		}
	}
	if err != nil {
		return parley.Number{}, err
	}
	if shown.Kind != "paired" {
		return parley.Number{}, fmt.Errorf("the number was not paired: %s", cmp.Or(shown.Reason, shown.Kind))
	}
	return a.numbers.Number(ctx, by.Workspace, id)
}

// showStep prints what to do with the phone. Standard output is only for the
// number.
func (c *cli) showStep(step parley.Pairing) error {
	switch {
	case step.IsQR():
		picture, err := qr.Text(step.Code)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.stderr, "Scan this with the phone (Settings, Linked devices), until %s:\n\n%s\n", step.Until.Local().Format(time.TimeOnly), picture)
	case step.Code != "":
		fmt.Fprintf(c.stderr, "Type this on the phone (Settings, Linked devices, Link with phone number): %s\n", step.Code)
	}
	return nil
}

func numberFields(n parley.Number) fields {
	return fields{
		{"id", n.ID.String()}, {"phone", n.Phone.Display()}, {"driver", string(n.Driver)}, {"status", string(n.Status)},
	}
}
