package main

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is the release; a release build sets it with
// -ldflags "-X main.version=1.2.3".
var version = "development"

func (c *cli) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Tell which Parley this is", Args: cobra.NoArgs, Example: "  parley version --json",
		RunE: func(*cobra.Command, []string) error {
			return c.print(fields{{"version", version}, {"commit", commit()}, {"go", runtime.Version()}})
		},
	}
}

// commit returns the revision that the program was built from, if the build
// knew it.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			return setting.Value
		}
	}
	return ""
}
