package main

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"io"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"parley/internal/store"
)

// A release build sets version, and a build of a tree without its Git folder
// sets commit:
//
//	go build -ldflags "-X main.version=1.2.3 -X main.commit=0123456789ab" ./cmd/parley
var version, commit string

// archived is the commit of a source archive: "git archive", and the archives
// that Git hosts offer, write its name in the place of the placeholder
// (.gitattributes).
//
//go:embed archived.txt
var archived string

const (
	development = "development"
	unknown     = "unknown"
)

func (c *cli) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Tell which Parley this is", Args: cobra.NoArgs, Example: "  parley version --json",
		RunE: func(*cobra.Command, []string) error { return c.printVersion() },
	}
}

// currentBuild returns what this program was built from.
func currentBuild() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return readBuild(stamps{version: version, commit: commit, archive: archived, info: info}, fingerprint)
}

func (c *cli) printVersion() error {
	b := currentBuild()
	return c.print(fields{
		{"version", b.version},
		{"commit", b.commit},
		{"go", runtime.Version()},
		{"sqlite", store.SQLiteVersion},
		{"platform", runtime.GOOS + "/" + runtime.GOARCH},
	})
}

// A build is what the program was built from, as far as the build knew it.
type build struct{ version, commit string }

// stamps are what the different ways to build leave in a program.
type stamps struct {
	version, commit string // from -ldflags; "" unless set
	archive         string // the text of archived.txt
	info            *debug.BuildInfo
}

// pseudoVersion matches the end of the Go tool's name for an untagged commit:
// its time and the first characters of its hash.
var pseudoVersion = regexp.MustCompile(`[-.]\d{14}-([0-9a-f]{12})(\+.*)?$`)

// readBuild returns what was set during the build, else what the Go tool knows
// about the module: the tag, or the commit that "go install" fetched. A commit
// of a modified tree ends in "+dirty". A program that knows neither release nor
// commit is identified by its own fingerprint, which is computed only then.
func readBuild(s stamps, fingerprint func() string) build {
	b := build{version: s.version, commit: s.commit}
	if module := s.info.Main.Version; b.version == "" && module != "(devel)" {
		b.version = module
	}
	if b.commit == "" {
		b.commit = stampedCommit(s)
	}
	if b.version == "" {
		b.version = development
		if b.commit == "" {
			b.version += "+" + fingerprint()
		}
	}
	if b.commit == "" {
		b.commit = unknown
	}
	return b
}

// stampedCommit returns the commit named by the Go tool or the archive, or "".
func stampedCommit(s stamps) string {
	revision, changed := "", ""
	for _, setting := range s.info.Settings {
		switch {
		case setting.Key == "vcs.revision":
			revision = setting.Value
		case setting.Key == "vcs.modified" && setting.Value == "true":
			changed = "+dirty"
		}
	}
	if revision != "" {
		return revision + changed
	}
	if found := pseudoVersion.FindStringSubmatch(s.info.Main.Version); found != nil {
		return found[1]
	}
	if archive := strings.TrimSpace(s.archive); !strings.Contains(archive, "$") {
		return archive
	}
	return ""
}

// fingerprint returns the first characters of the SHA-256 of the program's
// file. It is equal for equal programs, and with -trimpath for equal sources
// and Go releases.
func fingerprint() string {
	path, err := os.Executable()
	if err != nil {
		return unknown
	}
	file, err := os.Open(path)
	if err != nil {
		return unknown
	}
	defer func() { _ = file.Close() }() // it was only read
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return unknown
	}
	return hex.EncodeToString(sum.Sum(nil))[:12]
}
