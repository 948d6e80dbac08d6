package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"filippo.io/age"
	"github.com/spf13/cobra"

	"parley"
	"parley/internal/backup"
	"parley/internal/blob"
	"parley/internal/chatapp/whatsapp"
	"parley/internal/store/datafolder"
	"parley/internal/vault"
)

// placeFlag adds the flag --attachments to a command that reads or writes all files.
func placeFlag(cmd *cobra.Command) *attachmentFlags {
	f := &attachmentFlags{}
	cmd.Flags().StringVar(&f.place, "attachments", "", "where uploaded files are kept, as for serve (default: the folder attachments in the data folder)")
	return f
}

// identityFlag adds the flag --identity.
func identityFlag(cmd *cobra.Command) *[]age.Identity {
	return addFlag(cmd, flagOf[[]age.Identity]{name: "identity", usage: "file with the age identity that opens an encrypted backup; may be repeated", parse: repeated(parseIdentities)})
}

// parseIdentities reads a file of identities. Its errors repeat no secret that was
// given in place of a file.
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

// parseRecipients reads recipients with commas between, as the environment has them.
func parseRecipients(text string) ([]age.Recipient, error) {
	var all []age.Recipient
	for word := range strings.SplitSeq(text, ",") {
		recipient, err := age.ParseX25519Recipient(strings.TrimSpace(word))
		if err != nil {
			return nil, errors.New("must be an age recipient such as age1…; 'age-keygen' makes one")
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
	return addFlag(cmd, flagOf[int]{name: "lost-files", initial: "0", usage: "how many uploaded files may be missing or damaged without that the command fails", parse: parseLost})
}

func (c *cli) backupCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "backup", Short: "Write everything into one file, while the server runs", Args: cobra.NoArgs,
		Long: "Writes a consistent copy of the whole store into a new file: every row and every uploaded file. It may run beside the\n" +
			"server. The folder of the file needs room for all of it. With --verify it only checks a file that is there. The master\n" +
			"key and the keys of numbers are in it only if it is encrypted.",
		Example: "  parley backup --to parley-2026-12-01.backup",
	}
	to := cmd.Flags().String("to", "", "the file to write, or with --verify the file to check")
	verify := cmd.Flags().Bool("verify", false, "only check the file, change nothing")
	recipients := addFlag(cmd, flagOf[[]age.Recipient]{name: "encrypt-to", usage: "age recipient that the backup is encrypted for; may be repeated", parse: repeated(parseRecipients)})
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
	lost       int // how many lost files are no failure
}

// backup writes a draft beside the file and names it once it is complete.
func (c *cli) backup(cmd *cobra.Command, b backupOptions) error {
	if _, err := os.Lstat(b.to); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = errTaken(b.to)
		}
		return &failure{err}
	}
	o := appOptions{clock: time.Now, existing: true, attachments: b.place}
	return c.withOptions(cmd, o, func(ctx context.Context, a *app) error {
		var report backup.Report
		err := writeNew(b.to, func(out io.Writer) (err error) {
			report, err = backup.Create(ctx, out, a.source(c), b.recipients)
			return err
		})
		if err != nil {
			return err
		}
		if err := c.printBackup(b.to, report); err != nil {
			return err
		}
		if key := keyElsewhere(report); key != "" {
			fmt.Fprintf(c.stderr, "parley: the secrets in the backup are sealed under the master key %s, which is not in it: keep a copy of that key elsewhere\n", key)
		}
		return lostError(report, b.lost)
	})
}

// keyElsewhere returns the fingerprint of the master key that a backup needs and has
// not, or "".
func keyElsewhere(r backup.Report) string {
	if r.MasterKey {
		return ""
	}
	return r.Manifest.MasterKey
}

// lostError is the error for more lost files than a caller allows. The backup has
// everything else.
func lostError(r backup.Report, allowed int) error {
	if r.Lost <= allowed {
		return nil
	}
	return fmt.Errorf("%d uploaded files are missing or damaged in the backup, which is complete otherwise; is --attachments the right place? "+
		"If they are lost for good, allow that by --lost-files=%d", r.Lost, r.Lost)
}

func (c *cli) verify(ctx context.Context, path string, identities []age.Identity, lost int) error {
	file, err := os.Open(path)
	if err != nil {
		return &failure{err}
	}
	defer func() { _ = file.Close() }() // it was only read
	report, err := backup.Verify(ctx, file, identities)
	if err != nil {
		return &failure{err}
	}
	if err := c.printBackup(path, report); err != nil {
		return err
	}
	if err := lostError(report, lost); err != nil {
		return &failure{err}
	}
	return nil
}

func (c *cli) printBackup(path string, r backup.Report) error {
	return c.print(backupFields(path, r))
}

func backupFields(path string, r backup.Report) fields {
	return fields{
		{"file", path}, {"bytes", r.Bytes}, {"conversations", r.Conversations}, {"messages", r.Messages}, {"files", r.Files},
		{"missingFiles", r.Lost}, {"masterKey", r.MasterKey}, {"numberKeys", r.NumberKeys}, {"schema", r.Manifest.Schema}, {"madeAt", r.Manifest.Made},
	}
}

func (c *cli) restoreCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "restore", Short: "Make a store of a backup", Args: cobra.NoArgs,
		Long: "Makes a store of a backup, of either engine into either engine. No server may run on the store. With --replace a store\n" +
			"that is there is put aside. With --verify it only checks the file. The copy has no sessions and no connected numbers,\n" +
			"and messages that waited to go out say that they were not sent.",
		Example: "  parley restore --from parley-2026-12-01.backup --database postgres://…",
	}
	from := cmd.Flags().String("from", "", "the backup")
	verify := cmd.Flags().Bool("verify", false, "only check the file, change nothing")
	replace := cmd.Flags().Bool("replace", false, "put a store that is there aside")
	identities := identityFlag(cmd)
	lost := lostFlag(cmd)
	place := placeFlag(cmd)
	without := cmd.Flags().Bool("without-secrets", false, "if the master key is lost: leave out what is sealed under it, the secrets that identities of customers are signed with")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *verify {
			return c.verify(cmd.Context(), *from, *identities, *lost)
		}
		return c.restore(cmd.Context(), restoreOptions{from: *from, identities: *identities, replace: *replace, withoutSecrets: *without, place: place})
	}
	return required(cmd, "from")
}

type restoreOptions struct {
	from       string
	identities []age.Identity
	replace    bool
	// withoutSecrets is for whoever lost the master key.
	withoutSecrets bool
	place          *attachmentFlags
}

func (c *cli) restore(ctx context.Context, o restoreOptions) error {
	log, err := c.quietLogger()
	if err != nil {
		return err
	}
	to := backup.Target{
		Dir: c.data, Database: c.database, Replace: o.replace, WithoutSecrets: o.withoutSecrets, CheckKey: c.keyFor(o.replace), ImportNumbers: c.importNumbers(log), IDs: parley.NewIDs(nil), Now: time.Now(), Log: log,
	}
	if o.place.place != "" {
		if to.Files, err = blob.Open(o.place.place); err != nil {
			return &failure{fmt.Errorf("--attachments: %w", err)}
		}
	}
	done, err := backup.Restore(ctx, func() (io.ReadCloser, error) { return os.Open(o.from) }, o.identities, to)
	if err != nil {
		return &failure{err}
	}
	if err := c.print(append(backupFields(o.from, done.Report), field{"replaced", done.Aside}, field{"disconnectedNumbers", done.Numbers},
		field{"numberKeysTaken", done.KeysTaken}, field{"masterKeyTaken", done.MasterKeyTaken})); err != nil {
		return err
	}
	if !c.json {
		fmt.Fprintf(c.stdout, "\nThe store of %s is in %s now.\n", done.Manifest.Made.Format(time.RFC3339), c.storePlace())
		c.sayWhatNext(done, o.withoutSecrets)
	}
	return nil
}

// storePlace names the store for a person, without the password of its database.
func (c *cli) storePlace() string {
	if c.database == "" {
		if dir, err := filepath.Abs(c.data); err == nil {
			return "the folder " + dir
		}
		return "the folder " + c.data
	}
	place, err := url.Parse(c.database)
	if err != nil {
		return "the database"
	}
	return "the database " + place.Host + place.Path
}

// sayWhatNext tells an operator what a restore leaves to do.
func (c *cli) sayWhatNext(done backup.Restored, withoutSecrets bool) {
	fmt.Fprintln(c.stdout, "Start the server with 'parley serve' and the same place. Members sign in again; links of invitations that nobody used are void.")
	fmt.Fprintf(c.stdout, "Keys, members and passwords are those of %s: revoke and remove again what was revoked or removed since.\n", done.Manifest.Made.Format(time.RFC3339))
	if withoutSecrets {
		fmt.Fprintln(c.stdout, "The secrets that identities are signed with are revoked: make new ones under Settings, and give them to those who sign.")
	}
	if done.MasterKeyTaken {
		fmt.Fprintf(c.stdout, "The master key came with the backup and is in %s now.\n", filepath.Join(c.data, masterKeyFile))
	}
	switch {
	case done.Numbers > 0 && done.KeysTaken:
		fmt.Fprintf(c.stdout, "%d numbers were connected, and their keys came with the backup: once no other server uses them, choose\n"+
			"Reconnect for each under Settings, Numbers. Two servers with one number throw each other out.\n", done.Numbers)
	case done.Numbers > 0:
		fmt.Fprintf(c.stdout, "%d numbers were connected: pair each again under Settings, Numbers, once no other server uses it.\n", done.Numbers)
	}
	if done.Lost > 0 {
		fmt.Fprintf(c.stdout, "%d files were missing or damaged when the backup was made.\n", done.Lost)
	}
	if done.FilesShared {
		fmt.Fprintf(c.stdout, "%s is a mount point or a link, so it was not put aside: it has the files of the backup beside those of before.\n", filepath.Join(c.data, attachmentsFolder))
	}
	if done.Aside != "" {
		fmt.Fprintf(c.stdout, "What was there before is in %s. Delete it once you do not need it.\n", done.Aside)
	}
}

// keyFor returns the function that decides about the master key of a backup; see
// [backup.Target].
func (c *cli) keyFor(replace bool) func(fingerprint string, brought bool) (take bool, err error) {
	return func(fingerprint string, brought bool) (bool, error) {
		if fingerprint == "" {
			return false, nil
		}
		const advice = "the secrets in the backup are sealed under the master key %s: "
		path := filepath.Join(c.data, masterKeyFile)
		_, err := os.Stat(path)
		missing := c.master == "" && errors.Is(err, fs.ErrNotExist)
		switch {
		case missing && brought:
			return true, nil
		case missing:
			return false, fmt.Errorf(advice+"put it into %s, or give it by --master-key; if it is lost, restore --without-secrets", fingerprint, path)
		}
		secrets, err := c.vaultThere(path)
		if err != nil {
			return false, err
		}
		if _, ok := secrets.MasterKeys()[fingerprint]; !ok {
			// An embedded store is put aside with its key.
			if brought && replace && c.master == "" && c.database == "" {
				return true, nil
			}
			return false, fmt.Errorf(advice+"the key here is %s; give the one from before as --master-key-other, such as that in %s", fingerprint, secrets.Fingerprint(), path+formerKey)
		}
		return false, nil
	}
}

// importNumbers returns the function that takes over the keys of numbers; see
// [backup.Target].
func (c *cli) importNumbers(log *slog.Logger) func(context.Context, backup.KeyPlace, io.Reader) (bool, error) {
	return func(ctx context.Context, place backup.KeyPlace, keys io.Reader) (bool, error) {
		into := whatsapp.KeyStore{Postgres: c.database, Schema: place.Schema}
		if c.database == "" {
			into = whatsapp.KeyStore{SQLite: filepath.Join(place.Dir, whatsappFile)}
		}
		err := whatsapp.ImportKeys(ctx, into, keys)
		if errors.Is(err, whatsapp.ErrOtherLibrary) {
			log.Warn("restore: keys of numbers left out", "reason", err)
			return false, nil
		}
		return err == nil, err
	}
}

// vaultThere returns the keys that were given, or that of a file.
func (c *cli) vaultThere(path string) (*vault.Vault, error) {
	read := func() (*vault.Vault, error) { return vault.FromFile(path) }
	if c.master != "" {
		read = func() (*vault.Vault, error) { return vault.FromBase64(c.master) }
	}
	secrets, err := read()
	if err != nil || c.other == "" {
		return secrets, err
	}
	other, err := vault.FromBase64(c.other)
	if err != nil {
		return nil, err
	}
	return secrets.Besides(other), nil
}

// source is what a backup of an app is made of.
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

// finishRestore carries out a restore that was decided when its process ended.
// With the server's lock of the data folder it also deletes what one left that was
// not; a command, which has none, might meet one that is running.
func (c *cli) finishRestore(lock *datafolder.Lock) (err error) {
	if c.database != "" || lock == nil && !backup.Unfinished(c.data) {
		return nil
	}
	if lock == nil {
		if lock, err = datafolder.Take(c.data); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, lock.Close()) }()
	}
	return backup.Finish(c.data)
}
