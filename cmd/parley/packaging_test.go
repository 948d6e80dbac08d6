package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/spf13/pflag"
)

// repository returns a file of this repository.
func repository(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// settingNames returns the variables that "parley serve" takes its settings from.
func settingNames(t *testing.T) (names []string) {
	t.Helper()
	cmd, _, err := newRoot(nil, nil).Find([]string{"serve"})
	if err != nil {
		t.Fatal(err)
	}
	add := func(f *pflag.Flag) {
		names = append(names, "PARLEY_"+strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_")))
	}
	cmd.LocalFlags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	return names
}

// knowsSettings demands that each variable in a text is a setting.
func knowsSettings(t *testing.T, file, text string) {
	t.Helper()
	known := settingNames(t)
	for _, name := range regexp.MustCompile(`\bPARLEY_[A-Z_]+\b`).FindAllString(text, -1) {
		if !slices.Contains(known, name) {
			t.Errorf("%s sets %s, which is no setting", file, name)
		}
	}
}

// An image is the last stage of the Dockerfile.
type image struct {
	from, user               string
	copies                   [][]string // each: sources and a target
	env                      []string
	volume, expose           string
	health, entry, arguments []string
}

func readImage(t *testing.T) image {
	t.Helper()
	text := repository(t, "Dockerfile")
	knowsSettings(t, "Dockerfile", text)
	var all image
	for line := range strings.Lines(text[strings.LastIndex(text, "\nFROM ")+1:]) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "FROM":
			all.from = rest
		case "COPY":
			var paths []string
			for part := range strings.FieldsSeq(rest) {
				if !strings.HasPrefix(part, "--") {
					paths = append(paths, part)
				}
			}
			all.copies = append(all.copies, paths)
		case "USER":
			all.user = rest
		case "ENV":
			all.env = append(all.env, strings.Fields(rest)...)
		case "VOLUME":
			all.volume = rest
		case "EXPOSE":
			all.expose = rest
		case "HEALTHCHECK":
			_, command, _ := strings.Cut(rest, "CMD ")
			all.health = words(t, command)
		case "ENTRYPOINT":
			all.entry = words(t, rest)
		case "CMD":
			all.arguments = words(t, rest)
		case "":
		default:
			t.Errorf("the last stage of the Dockerfile has %s, of which this test knows nothing", word)
		}
	}
	return all
}

// words reads a command in the form that needs no shell.
func words(t *testing.T, text string) (all []string) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		t.Errorf("%s: %v; an image from scratch has no shell", text, err)
	}
	return all
}

// TestImage reads the Dockerfile: what it copies is there, its user is nobody,
// and its commands are those of the program.
func TestImage(t *testing.T) {
	made := readImage(t)
	uid, err := strconv.Atoi(strings.Split(made.user, ":")[0])
	if made.from != "scratch" || err != nil || uid < 1000 {
		t.Errorf("the image is from %s and runs as %s", made.from, made.user)
	}
	for _, paths := range made.copies {
		for _, path := range paths[:len(paths)-1] {
			if ours, ok := strings.CutPrefix(path, "/src/"); ok {
				repository(t, ours)
			}
		}
	}
	all := commands(newRoot(nil, nil))
	for _, line := range [][]string{append(slices.Clone(made.entry), made.arguments...), made.health} {
		known := false
		for _, words := range all {
			known = known || slices.Equal(words, line[1:])
		}
		if line[0] != "/parley" || !known {
			t.Errorf("the image runs %q", line)
		}
	}
	if !slices.Contains(made.env, "PARLEY_DATA="+made.volume) || !slices.Contains(made.env, "PARLEY_LISTEN=0.0.0.0:"+made.expose) {
		t.Errorf("the image sets %q, with the volume %s and the port %s", made.env, made.volume, made.expose)
	}
	if want := regexp.MustCompile(`(?m)^FROM .*golang:([0-9.]+)-`).FindStringSubmatch(repository(t, "Dockerfile")); want == nil ||
		!strings.Contains(repository(t, "scripts/compile.sh"), "GOTOOLCHAIN=go"+want[1]+" ") {
		t.Errorf("the image is compiled by another Go (%v) than scripts/compile.sh has", want)
	}
}

// A composition is what this test reads of compose.yaml.
type composition struct {
	Services map[string]struct {
		Environment map[string]string `yaml:"environment"`
		Volumes     []string          `yaml:"volumes"`
		Ports       []string          `yaml:"ports"`
		ReadOnly    bool              `yaml:"read_only"`
		CapDrop     []string          `yaml:"cap_drop"`
		Grace       string            `yaml:"stop_grace_period"`
	} `yaml:"services"`
	Volumes map[string]*struct{} `yaml:"volumes"`
}

// TestCompose reads the compose file: its settings exist, its secrets come from
// outside, and the server may write to its data alone.
func TestCompose(t *testing.T) {
	text := repository(t, "compose.yaml")
	knowsSettings(t, "compose.yaml", text)
	var c composition
	if err := yaml.Unmarshal([]byte(text), &c); err != nil {
		t.Fatal(err)
	}
	server, database := c.Services["parley"], c.Services["database"]
	for _, secret := range []string{server.Environment["PARLEY_DATABASE"], server.Environment["PARLEY_MASTER_KEY"], database.Environment["POSTGRES_PASSWORD"]} {
		if !strings.Contains(secret, ":?") {
			t.Errorf("the secret %q does not come from outside, or may be missing", secret)
		}
	}
	if !server.ReadOnly || !slices.Equal(server.CapDrop, []string{"ALL"}) || !slices.Contains(server.Volumes, "files:"+readImage(t).volume) {
		t.Errorf("the server has %+v", server)
	}
	for _, port := range append(server.Ports, database.Ports...) {
		if !strings.HasPrefix(port, "127.0.0.1:") {
			t.Errorf("the port %s is open to other machines", port)
		}
	}
	if grace, err := time.ParseDuration(server.Grace); err != nil || grace < shutdownTime+5*time.Second {
		t.Errorf("the server has %s to stop, %v", server.Grace, err)
	}
	for name := range c.Services {
		for _, volume := range c.Services[name].Volumes {
			if _, ok := c.Volumes[strings.Split(volume, ":")[0]]; !ok {
				t.Errorf("there is no volume %s", volume)
			}
		}
	}
}

// TestUnit reads the unit of systemd, and lets systemd judge what it may do.
func TestUnit(t *testing.T) {
	const file = "packaging/parley.service"
	text := repository(t, file)
	knowsSettings(t, file, text)
	for _, want := range []string{"ExecStart=/usr/local/bin/parley serve\n", "TimeoutStopSec=20\n", "LimitNOFILE=", "RequiresMountsFor=/var/lib/parley\n", "Restart=always\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the unit lacks %q", want)
		}
	}
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("there is no systemd-analyze")
	}
	out, err := exec.CommandContext(t.Context(), "systemd-analyze", "security", "--no-pager", "--offline=true", "--threshold=20", filepath.Join("..", "..", file)).CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	t.Log(lines[len(lines)-1])
	if err != nil { // its exposure is more than 2.0 of 10
		t.Errorf("systemd-analyze: %v: %s", err, out)
	}
}
