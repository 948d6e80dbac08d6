package importing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"parley/internal/knowledge"
)

// A Report says what an import did.
type Report struct {
	DryRun    bool   `json:"dryRun"`
	Created   int    `json:"created"`
	Updated   int    `json:"updated"`
	Unchanged int    `json:"unchanged"`
	Refused   int    `json:"refused"`
	Files     []Line `json:"files"`
}

// A Line is what a report says of a file.
type Line struct {
	File     string                  `json:"file"`
	Outcome  knowledge.ImportOutcome `json:"outcome"`
	Key      string                  `json:"key"`
	Language string                  `json:"language"`
	Ignored  []string                `json:"ignored"` // names in the front matter that have no effect
	// LinksAsText and PicturesAsText count what pages show as text alone: links and
	// pictures with relative addresses, and pictures of other sites.
	LinksAsText    int    `json:"linksAsText"`
	PicturesAsText int    `json:"picturesAsText"`
	Error          string `json:"error"` // why the file was refused
}

// Run imports a folder and reports on its files, in the order of their paths. With an
// error, it reports on those before it.
func (im *Importer) Run(ctx context.Context, folder string) (Report, error) {
	r := Report{DryRun: im.Options.DryRun, Files: []Line{}}
	f, err := Open(folder)
	if err != nil {
		return r, err
	}
	defer func() { _ = f.Close() }()
	for result, err := range im.Import(ctx, f) {
		if err != nil {
			return r, err
		}
		r.add(&result)
	}
	return r, nil
}

func (r *Report) add(result *Result) {
	line := Line{
		File: result.Path, Outcome: result.Outcome, Key: result.Key, Language: string(result.Language), Ignored: append([]string{}, result.Ignored...),
		LinksAsText: result.LinksAsText, PicturesAsText: result.PicturesAsText,
	}
	switch result.Outcome {
	case knowledge.ImportCreated:
		r.Created++
	case knowledge.ImportUpdated:
		r.Updated++
	case knowledge.ImportUnchanged:
		r.Unchanged++
	case Refused:
		r.Refused++
		line.Error = result.Err.Error()
	}
	r.Files = append(r.Files, line)
}

// Report imports a folder and prints the report, as one JSON object if asJSON. Refused
// files are an error. If another one ends the import, the report has the files before it.
func (im *Importer) Report(ctx context.Context, folder string, w io.Writer, asJSON bool) error {
	r, err := im.Run(ctx, folder)
	if err != nil && len(r.Files) == 0 {
		return err
	}
	if printed := r.print(w, asJSON); printed != nil {
		return errors.Join(err, printed)
	}
	if err != nil {
		return fmt.Errorf("the import stopped after %d files: %w", len(r.Files), err)
	}
	if r.Refused > 0 {
		return fmt.Errorf("%d of %d files were refused", r.Refused, len(r.Files))
	}
	return nil
}

// print writes a line for each file and a summary.
func (r *Report) print(w io.Writer, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(r)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i := range r.Files {
		line := &r.Files[i]
		fmt.Fprintf(table, "%s\t%q\t%s\n", line.Outcome, line.File, line.note())
	}
	if err := table.Flush(); err != nil {
		return err
	}
	end := ""
	if r.DryRun {
		end = "; nothing was saved"
	}
	_, err := fmt.Fprintf(w, "%d created, %d updated, %d unchanged, %d refused%s\n", r.Created, r.Updated, r.Unchanged, r.Refused, end)
	return err
}

// note returns what the line says behind the file's name.
func (l *Line) note() string {
	if l.Error != "" {
		return l.Error
	}
	var notes []string
	if len(l.Ignored) > 0 {
		notes = append(notes, "ignored: "+strings.Join(l.Ignored, ", "))
	}
	if l.LinksAsText > 0 {
		notes = append(notes, fmt.Sprintf("links shown as text: %d", l.LinksAsText))
	}
	if l.PicturesAsText > 0 {
		notes = append(notes, fmt.Sprintf("pictures shown as text: %d", l.PicturesAsText))
	}
	return strings.Join(notes, "; ")
}
