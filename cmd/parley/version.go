package main

import (
	"regexp"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"parley/internal/store"
)

// version is the release; a release build sets it with
// -ldflags "-X main.version=1.2.3".
var version = development

const development = "development"

func (c *cli) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Tell which Parley this is", Args: cobra.NoArgs, Example: "  parley version --json",
		RunE: func(*cobra.Command, []string) error { return c.printVersion() },
	}
}

func (c *cli) printVersion() error {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	b := readBuild(info)
	return c.print(fields{{"version", b.version}, {"commit", b.commit}, {"go", runtime.Version()}, {"sqlite", store.SQLiteVersion}, {"platform", runtime.GOOS + "/" + runtime.GOARCH}})
}

// A build says what the program was built from, as far as the build knew it.
type build struct{ version, commit string }

// pseudoVersion ends what the Go tool calls a commit without a tag: its time and
// the first characters of its name.
var pseudoVersion = regexp.MustCompile(`[-.]\d{14}-([0-9a-f]{12})(\+.*)?$`)

// readBuild takes the release that was set when it was built, else what the Go
// tool knows of the module: the tag, or the commit that "go install" fetched. A
// commit whose tree had changes ends in "+dirty".
func readBuild(info *debug.BuildInfo) build {
	b := build{version: version}
	if module := info.Main.Version; b.version == development && module != "" && module != "(devel)" {
		b.version = module
	}
	changed := false
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.commit = setting.Value
		case "vcs.modified":
			changed = setting.Value == "true"
		}
	}
	switch found := pseudoVersion.FindStringSubmatch(info.Main.Version); {
	case b.commit != "" && changed:
		b.commit += "+dirty"
	case b.commit == "" && found != nil:
		b.commit = found[1]
	case b.commit == "":
		b.commit = "unknown"
	}
	return b
}
