package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley"
)

// unknownCommand returns the error for a command line with an unknown command.
// Cobra reads the flags first, so --help would show help for it, and a script
// that checks whether the command exists would be misled.
func unknownCommand(root *cobra.Command, args []string) error {
	cmd, rest, err := root.Find(args)
	if err != nil || !cmd.HasSubCommands() {
		return nil //nolint:nilerr // Find reports no error here; a command without subcommands has arguments
	}
	if name := firstWord(cmd, rest); name != "" {
		return fmt.Errorf("unknown command %q for %q", name, cmd.CommandPath())
	}
	return nil
}

// firstWord returns the first argument that is neither a flag nor the value of
// a flag.
func firstWord(cmd *cobra.Command, args []string) string {
	for len(args) > 0 && args[0] != "--" {
		arg := args[0]
		args = args[1:]
		name, isFlag := strings.CutPrefix(arg, "--")
		switch {
		case !strings.HasPrefix(arg, "-") || arg == "-":
			return arg
		case !isFlag || strings.Contains(name, "="):
			continue
		}
		flag := cmd.Flags().Lookup(name)
		if flag == nil {
			flag = cmd.InheritedFlags().Lookup(name)
		}
		if flag != nil && flag.NoOptDefVal == "" && len(args) > 0 {
			args = args[1:]
		}
	}
	return ""
}

// helpCommand shows the help of a command, and rejects unknown ones.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [command]", Short: "Show the help of a command", Example: "  parley help workspace create",
		RunE: func(_ *cobra.Command, args []string) error {
			if err := unknownCommand(root, args); err != nil {
				return err
			}
			cmd, _, err := root.Find(args)
			if err != nil {
				return err
			}
			return cmd.Help()
		},
	}
}

// outcome converts a verb's error into that of the command. If a flag caused
// it, the error names the flag instead of the field of the API. A value that
// can never be right is a usage error.
func outcome(cmd *cobra.Command, err error) error {
	if err == nil {
		return nil
	}
	var refused *parley.Error
	if !errors.As(err, &refused) {
		return &failure{err}
	}
	flag, rule := flagOfField(cmd, refused.Message)
	switch {
	case flag == "":
		return &failure{err}
	case refused.Kind == parley.Invalid:
		return fmt.Errorf("--%s: %s", flag, rule)
	default:
		return &failure{fmt.Errorf("--%s: %s", flag, rule)}
	}
}

// flagOfField finds the flag that caused an error, by the field before the
// colon.
func flagOfField(cmd *cobra.Command, message string) (name, rule string) {
	field, rule, found := strings.Cut(message, ": ")
	if !found {
		if field, rule, found = strings.Cut(message, " must "); found {
			rule = "must " + rule
		}
	}
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if note := f.Annotations[fieldNote]; found && (len(note) > 0 && note[0] == field || len(note) == 0 && f.Name == field) {
			name = f.Name
		}
	})
	return name, rule
}
