package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley"
	"parley/internal/store"
)

// A cli is what all commands share.
type cli struct {
	stdout, stderr io.Writer

	config   string // settings file
	data     string // folder of the embedded store
	database string // URL of PostgreSQL
	master   string // master key in base64; empty: the file in the data folder
	other    string // a second master key, while one takes over from the other; empty: none
	copies   int    // how many copies of the embedded store to keep, made before its schema changes
	json     bool
	logLevel string
}

func newRoot(stdout, stderr io.Writer) *cobra.Command {
	c := &cli{stdout: stdout, stderr: stderr}
	root := &cobra.Command{
		Use:   "parley",
		Short: "A server for customer conversations",
		Long: "Parley is a server for customer conversations.\n\n" +
			"Every flag can also be given by an environment variable (--listen as PARLEY_LISTEN)\n" +
			"or in the file named by --config (listen = \"…\"). The flag wins over the variable, the variable over the file.",
		Example:           "  parley serve --demo",
		SilenceErrors:     true,
		SilenceUsage:      true,
		Args:              cobra.NoArgs,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return c.settings(cmd.Flags()) },
	}
	asked := root.Flags().Bool("version", false, "tell which Parley this is")
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if *asked {
			return c.printVersion()
		}
		return cmd.Help()
	}
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(helpCommand(root))
	flags := root.PersistentFlags()
	flags.StringVar(&c.config, "config", "", "file of settings in TOML")
	flags.StringVar(&c.data, "data", "./parley-data", "folder of the embedded store")
	flags.Var(&checked[string]{to: &c.database, parse: parseDatabase}, "database", "postgres:// URL of a database, instead of the embedded one")
	flags.Var(&checked[string]{to: &c.master, parse: parseMasterKey}, "master-key", "key of 32 bytes in base64 that seals secrets (default: the file master.key in the data folder)")
	flags.Var(&checked[string]{to: &c.other, parse: parseMasterKey}, "master-key-other", "a second master key, which opens secrets while one takes over from the other")
	c.copies = 2
	flags.Var(&checked[int]{to: &c.copies, text: "2", parse: parseCopies}, "migration-copies", "how many copies of the embedded store to keep; one is made before each change of its schema, 0 makes none")
	flags.BoolVar(&c.json, "json", false, "print one JSON object")
	c.logLevel = "info"
	flags.Var(&checked[string]{to: &c.logLevel, text: c.logLevel, parse: parseLogLevel}, "log-level", "debug, info, warn or error")
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(
		c.serveCommand(), c.migrateCommand(), c.backupCommand(), c.restoreCommand(), c.versionCommand(),
		c.workspaceCommand(), c.memberCommand(), c.keyCommand(),
		c.productCommand(), c.inboxCommand(), c.numberCommand(), c.identityCommand(),
		c.masterKeyCommand(), contactCommand(c), articlesCommand(c), botCommand(c), compactCommand(c), c.healthcheckCommand(), c.mailCommand(),
	)
	root.InitDefaultHelpCmd() // before the command line is executed
	return root
}

// settings sets the flags that the command line left out from the environment,
// else from the settings file.
func (c *cli) settings(flags *pflag.FlagSet) error {
	if c.config == "" {
		c.config = os.Getenv("PARLEY_CONFIG")
	}
	file := map[string]toml.Primitive{}
	var meta toml.MetaData
	if c.config != "" {
		var err error
		if meta, err = toml.DecodeFile(c.config, &file); err != nil {
			return fmt.Errorf("--config: %w", err)
		}
	}
	for name := range file {
		// All commands can share one file, so they all accept the server's
		// settings.
		if flags.Lookup(name) == nil && c.serveCommand().Flags().Lookup(name) == nil {
			return fmt.Errorf("--config: there is no setting %q", name)
		}
	}
	var failed error
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Changed || failed != nil || f.Name == "help" || f.Name == "version" {
			return
		}
		variable := "PARLEY_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		if value, ok := os.LookupEnv(variable); ok {
			failed = setFlag(flags, f.Name, value, variable)
			return
		}
		if raw, ok := file[f.Name]; ok {
			failed = setFromFile(flags, f, meta, raw)
		}
	})
	return failed
}

func setFromFile(flags *pflag.FlagSet, f *pflag.Flag, meta toml.MetaData, raw toml.Primitive) error {
	var value any
	if err := meta.PrimitiveDecode(raw, &value); err != nil {
		return fmt.Errorf("--config: %s: %w", f.Name, err)
	}
	text := fmt.Sprint(value)
	if at, ok := value.(time.Time); ok {
		text = at.Format(time.RFC3339)
	}
	return setFlag(flags, f.Name, text, "--config: "+f.Name)
}

func setFlag(flags *pflag.FlagSet, name, value, source string) error {
	err := flags.Set(name, value)
	var wrong *pflag.InvalidValueError
	if errors.As(err, &wrong) {
		return fmt.Errorf("%s: %s", source, ruleOf(wrong))
	}
	return err
}

func (c *cli) logger() (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.logLevel)); err != nil {
		return nil, err
	}
	return slog.New(slog.NewTextHandler(c.stderr, &slog.HandlerOptions{Level: level})), nil
}

// quietLogger is the logger of a command that somebody waits for: its result is
// already on standard output.
func (c *cli) quietLogger() (*slog.Logger, error) {
	quiet := *c
	if quiet.logLevel == "info" {
		quiet.logLevel = "warn"
	}
	return quiet.logger()
}

func parseCopies(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > 100 {
		return 0, errors.New("must be from 0 to 100")
	}
	return n, nil
}

func parseLogLevel(text string) (string, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(text)); err != nil {
		return "", errors.New("must be debug, info, warn or error")
	}
	return text, nil
}

func (c *cli) storeOptions(log *slog.Logger) store.Options {
	return store.Options{Dir: c.data, Database: c.database, IDs: parley.NewIDs(nil), Log: log, Copies: c.copies}
}

// withApp runs a command on an existing store. The server may run meanwhile.
func (c *cli) withApp(cmd *cobra.Command, fn func(context.Context, *app) error) error {
	return c.withOptions(cmd, appOptions{clock: time.Now, existing: true}, fn)
}

// making is withApp for a command that creates the store if there is none.
func (c *cli) making(cmd *cobra.Command, fn func(context.Context, *app) error) error {
	return c.withOptions(cmd, appOptions{clock: time.Now}, fn)
}

// withOptions is withApp with other options.
func (c *cli) withOptions(cmd *cobra.Command, o appOptions, fn func(context.Context, *app) error) error {
	ctx := cmd.Context()
	var err error
	if o.log, err = c.quietLogger(); err != nil {
		return err
	}
	app, err := c.open(ctx, o)
	if err != nil {
		return &failure{errors.Join(err, o.lock.Close())}
	}
	err = fn(ctx, app)
	if closeErr := app.close(); err == nil {
		err = closeErr
	}
	return outcome(cmd, err)
}
