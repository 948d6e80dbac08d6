package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"filippo.io/age"
	"github.com/spf13/cobra"

	"parley/internal/audit"
	"parley/internal/audit/entry"
	"parley/internal/backup"
	"parley/internal/backup/schedule"
	"parley/internal/chatapp/whatsapp"
)

// placeFlag adds the flag --attachments to a command that reads or writes all files.
func placeFlag(cmd *cobra.Command) *attachmentFlags {
	f := &attachmentFlags{}
	cmd.Flags().StringVar(&f.place, "attachments", "", "where uploaded files are stored, as for serve (default: the folder attachments in the data folder)")
	return f
}

// identityFlag adds the flag --identity.
func identityFlag(cmd *cobra.Command) *[]age.Identity {
	return addFlag(cmd, flagOf[[]age.Identity]{name: "identity", usage: "file with an age identity that decrypts the backup; may be repeated", parse: repeated(parseIdentities)})
}

// parseIdentities reads a file of identities. If the caller gave a secret instead of
// a file name, the errors do not repeat it.
func parseIdentities(path string) ([]age.Identity, error) {
	if strings.HasPrefix(strings.ToUpper(strings.TrimSpace(path)), "AGE-") {
		return nil, errors.New("must be a file with an age identity, not the identity itself")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("must be a file with an age identity: %w", err)
	}
	identities, err := age.ParseIdentities(file)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, errors.New("must be a file with an age identity, a line such as AGE-SECRET-KEY-1…")
	}
	return identities, nil
}

// parseRecipients parses recipients separated by commas, as in the environment.
func parseRecipients(text string) ([]age.Recipient, error) {
	var all []age.Recipient
	for word := range strings.SplitSeq(text, ",") {
		recipient, err := age.ParseX25519Recipient(strings.TrimSpace(word))
		if err != nil {
			return nil, errors.New("must be an age recipient such as age1…; 'age-keygen' creates one")
		}
		all = append(all, recipient)
	}
	return all, nil
}

func parseLost(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, errors.New("must be 0 or more")
	}
	return n, nil
}

// lostFlag adds the flag --lost-files.
func lostFlag(cmd *cobra.Command) *int {
	return addFlag(cmd, flagOf[int]{name: "lost-files", initial: "0", usage: "how many uploaded files may be missing or damaged before the command fails", parse: parseLost})
}

func (c *cli) backupCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "backup", Short: "Write everything into one file, while the server runs", Args: cobra.NoArgs,
		Long: "Writes a consistent copy of the whole store into a new file: every row and every uploaded file. The server may run\n" +
			"meanwhile. The disk needs space for the whole file. With --verify it only checks an existing file. The file contains\n" +
			"the master key and the keys of numbers only if it is encrypted.",
		Example: "  parley backup --to parley-2026-12-01.backup",
	}
	to := cmd.Flags().String("to", "", "the file to write, or with --verify the file to check")
	verify := cmd.Flags().Bool("verify", false, "only check the file, change nothing")
	recipients := addFlag(cmd, flagOf[[]age.Recipient]{name: "encrypt-to", usage: "age recipient to encrypt the backup for; may be repeated", parse: repeated(parseRecipients)})
	identities := identityFlag(cmd)
	lost := lostFlag(cmd)
	place := placeFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *verify {
			return c.verify(cmd.Context(), *to, *identities, *lost)
		}
		return c.backup(cmd, backupOptions{to: *to, place: place, recipients: *recipients, lost: *lost})
	}
	return required(cmd, "to")
}

type backupOptions struct {
	to         string
	place      *attachmentFlags
	recipients []age.Recipient
	lost       int // how many lost files are allowed
}

// backup writes a draft next to the file, and renames it when it is complete.
func (c *cli) backup(cmd *cobra.Command, b backupOptions) error {
	o := appOptions{clock: time.Now, existing: true, attachments: b.place}
	return c.withOptions(cmd, o, func(ctx context.Context, a *app) error {
		if err := schedule.CheckRoom(ctx, a.desk, a.store, filepath.Dir(b.to)); err != nil {
			return err
		}
		var report backup.Report
		err := writeNew(b.to, func(out io.Writer) (err error) {
			seen := c.progress("written", 0)
			defer seen.end()
			report, err = backup.Create(ctx, io.MultiWriter(out, seen), a.source(c), b.recipients)
			return err
		})
		if err != nil {
			return err
		}
		if err := audit.New(a.desk).RecordEverywhere(ctx, entry.Client{Operator: true}, entry.Entry{Action: entry.BackedUp}); err != nil {
			// The backup is complete, and often made because nothing can be written any more.
			fmt.Fprintf(c.stderr, "parley: the audit log does not have this backup: %v\n", err)
		}
		if err := c.print(backupFields(b.to, report)); err != nil {
			return err
		}
		if key := keyElsewhere(report); key != "" {
			fmt.Fprintf(c.stderr, "parley: the secrets in the backup are sealed under the master key %s, which is not in it: keep a copy of that key elsewhere\n", key)
		}
		return lostError(report, b.lost)
	})
}

// keyElsewhere returns the fingerprint of the master key that a backup needs and does
// not contain, or "".
func keyElsewhere(r backup.Report) string {
	if r.MasterKey {
		return ""
	}
	return r.Manifest.MasterKey
}

// lostError returns an error if a backup has more lost files than the caller allows.
// It contains everything else.
func lostError(r backup.Report, allowed int) error {
	if r.Lost <= allowed {
		return nil
	}
	return fmt.Errorf("%d uploaded files are missing or damaged in the backup, which is otherwise complete. Does --attachments name the right place? "+
		"If they are lost for good, allow for them by --lost-files=%d", r.Lost, r.Lost)
}

func (c *cli) verify(ctx context.Context, path string, identities []age.Identity, lost int) error {
	file, err := os.Open(path)
	if err != nil {
		return &failure{err}
	}
	defer func() { _ = file.Close() }() // it was only read
	seen := c.progress("checked", fileSize(file))
	report, err := backup.Verify(ctx, io.TeeReader(file, seen), identities)
	seen.end()
	if err != nil {
		return &failure{err}
	}
	if err := c.print(backupFields(path, report)); err != nil {
		return err
	}
	if err := lostError(report, lost); err != nil {
		return &failure{err}
	}
	return nil
}

func backupFields(path string, r backup.Report) fields {
	return fields{
		{"file", path}, {"bytes", r.Bytes}, {"conversations", r.Conversations}, {"messages", r.Messages}, {"files", r.Files},
		{"missingFiles", r.Lost}, {"masterKey", r.MasterKey}, {"numberKeys", r.NumberKeys}, {"schema", r.Manifest.Schema}, {"madeAt", r.Manifest.Made},
	}
}

// source returns what a backup of the app reads.
func (a *app) source(c *cli) backup.Source {
	engine, keys := "sqlite", whatsapp.KeyStore{SQLite: filepath.Join(c.data, whatsappFile)}
	if c.database != "" {
		engine, keys = "postgres", whatsapp.KeyStore{Postgres: c.database}
	}
	return backup.Source{
		Store: a.store, Files: a.files, Program: currentBuild().version, Engine: engine, Now: time.Now(), Log: a.log,
		Keys: backup.Keys{
			Masters:       a.secrets.MasterKeys(),
			ExportNumbers: func(ctx context.Context, out io.Writer) error { return whatsapp.ExportKeys(ctx, keys, out) },
		},
	}
}
