package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"filippo.io/age"
	"github.com/spf13/cobra"

	"parley"
	"parley/internal/audit"
	"parley/internal/backup"
	"parley/internal/backup/schedule"
	"parley/internal/blob"
	"parley/internal/chatapp/whatsapp"
	"parley/internal/erasure"
	"parley/internal/store"
	"parley/internal/store/datafolder"
	"parley/internal/vault"
)

func (c *cli) restoreCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "restore", Short: "Create a store from a backup", Args: cobra.NoArgs,
		Long: "Creates a store from a backup, from either engine into either engine. No server may run on the store. With --replace it\n" +
			"moves an existing store aside. With --verify it only checks the file. The new store has no sessions and no connected\n" +
			"numbers, and messages that waited to be sent are marked as failed.",
		Example: "  parley restore --from parley-2026-12-01.backup --database postgres://…",
	}
	from := cmd.Flags().String("from", "", "the backup, or a folder of backups for the newest one that a server made")
	erased := cmd.Flags().String("erasures", "", "list, or folder of lists, of who was erased since the backup; \"none\" for nobody (default: beside the backup)")
	verify := cmd.Flags().Bool("verify", false, "only check the file, change nothing")
	replace := cmd.Flags().Bool("replace", false, "move an existing store aside and replace it")
	identities := identityFlag(cmd)
	lost := lostFlag(cmd)
	place := placeFlag(cmd)
	without := cmd.Flags().Bool("without-secrets", false, "if the master key is lost: leave out what is sealed under it, the secrets that sign customers' identities")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		path, err := schedule.NewestIn(*from)
		if err != nil {
			return &failure{fmt.Errorf("--from: %w", err)}
		}
		if *verify {
			return c.verify(cmd.Context(), path, *identities, *lost)
		}
		r := &restoration{cli: c, from: path, erasures: *erased, identities: *identities, replace: *replace, withoutSecrets: *without, place: place}
		return r.restore(cmd.Context())
	}
	return required(cmd, "from")
}

// A restoration is one run of the command restore.
type restoration struct {
	*cli
	from       string
	erasures   string // where lists are, noErasures, or "" for beside the backup
	identities []age.Identity
	replace    bool
	// withoutSecrets is for an operator who lost the master key.
	withoutSecrets bool
	place          *attachmentFlags
	seen           *progress // of the current reading; nil before the first
}

// open opens the backup. The first reading checks it, the second restores it.
func (r *restoration) open() (io.ReadCloser, error) {
	file, err := os.Open(r.from)
	if err != nil {
		return nil, err
	}
	what := "checked"
	if r.seen != nil {
		what = "restored"
	}
	r.seen.end()
	r.seen = r.progress(what, fileSize(file))
	return struct {
		io.Reader
		io.Closer
	}{io.TeeReader(file, r.seen), file}, nil
}

func (r *restoration) restore(ctx context.Context) error {
	log, err := r.quietLogger()
	if err != nil {
		return err
	}
	if err := r.finishRestore(nil); err != nil {
		return &failure{err}
	}
	lists, err := r.erased(ctx, log)
	if err != nil {
		return &failure{err}
	}
	ids, now := parley.NewIDs(nil), time.Now()
	to := backup.Target{
		Dir: r.data, Database: r.database, Replace: r.replace, WithoutSecrets: r.withoutSecrets, CheckKey: r.checkKey, ImportNumbers: r.importNumbers(log), IDs: ids, Now: now, Log: log,
		Repeat: func(tx *store.Tx, made time.Time) (int, error) {
			n, err := erasure.Repeat(tx, lists, ids, now)
			return n, errors.Join(err, audit.Restored(tx, ids, now, made))
		},
	}
	if r.place.place != "" {
		if to.Files, err = blob.Open(r.place.place); err != nil {
			return &failure{fmt.Errorf("--attachments: %w", err)}
		}
	}
	done, err := backup.Restore(ctx, r.open, r.identities, to)
	r.seen.end()
	if err != nil {
		return &failure{err}
	}
	if err := r.print(append(backupFields(r.from, done.Report), field{"replaced", done.Aside}, field{"disconnectedNumbers", done.Numbers},
		field{"numberKeysTaken", done.KeysTaken}, field{"masterKeyTaken", done.MasterKeyTaken}, field{"erasures", done.Repeated})); err != nil {
		return err
	}
	if !r.json {
		fmt.Fprintf(r.stdout, "\nThe store of %s is now in %s.\n", done.Manifest.Made.Format(time.RFC3339), r.storePlace())
		r.sayErased(lists, done.Repeated)
		r.sayWhatNext(done)
	}
	return nil
}

// storePlace describes where the store is, without the password of its database.
func (r *restoration) storePlace() string {
	if r.database == "" {
		if dir, err := filepath.Abs(r.data); err == nil {
			return "the folder " + dir
		}
		return "the folder " + r.data
	}
	place, err := url.Parse(r.database)
	if err != nil {
		return "the database"
	}
	return "the database " + cmp.Or(place.Host, place.Query().Get("host")) + place.Path
}

// sayWhatNext tells an operator what remains to be done after a restore.
func (r *restoration) sayWhatNext(done backup.Restored) {
	fmt.Fprintln(r.stdout, "Start the server by 'parley serve' with the same settings. Members must sign in again. Unused invitation links are void.")
	fmt.Fprintf(r.stdout, "Keys, members and passwords are those of %s: revoke and remove again what was revoked or removed since.\n", done.Manifest.Made.Format(time.RFC3339))
	if r.withoutSecrets {
		fmt.Fprintln(r.stdout, "The secrets that sign customers' identities are revoked: create new ones under Settings, and give them to the systems that sign.")
	}
	if done.MasterKeyTaken {
		fmt.Fprintf(r.stdout, "The master key was in the backup and is now in %s.\n", filepath.Join(r.data, masterKeyFile))
	}
	switch {
	case done.Numbers > 0 && done.KeysTaken:
		fmt.Fprintf(r.stdout, "%d numbers were connected, and their keys were in the backup. Once no other server uses them, choose Reconnect\n"+
			"for each under Settings, Numbers: two servers with the same number disconnect each other.\n", done.Numbers)
	case done.Numbers > 0:
		fmt.Fprintf(r.stdout, "%d numbers were connected: pair each again under Settings, Numbers, once no other server uses it.\n", done.Numbers)
	}
	if done.Lost > 0 {
		fmt.Fprintf(r.stdout, "%d files were missing or damaged when the backup was made.\n", done.Lost)
	}
	if done.FilesShared {
		fmt.Fprintf(r.stdout, "%s is a mount point or a link, so it was not moved aside: it has the files of the backup and the earlier ones.\n", filepath.Join(r.data, attachmentsFolder))
	}
	if done.Aside != "" {
		fmt.Fprintf(r.stdout, "The earlier store is in %s. Delete it when you no longer need it.\n", done.Aside)
	}
}

// checkKey implements CheckKey of [backup.Target].
func (r *restoration) checkKey(fingerprint string, brought bool) (take bool, err error) {
	if fingerprint == "" {
		return false, nil
	}
	const advice = "the secrets in the backup are sealed under the master key %s: "
	path := filepath.Join(r.data, masterKeyFile)
	_, err = os.Stat(path)
	missing := r.master == "" && errors.Is(err, fs.ErrNotExist)
	switch {
	case missing && brought:
		return true, nil
	case missing:
		return false, fmt.Errorf(advice+"put it into %s, or give it by --master-key; if it is lost, restore with --without-secrets", fingerprint, path)
	}
	secrets, err := r.vaultThere(path)
	if err != nil {
		return false, err
	}
	if _, ok := secrets.MasterKeys()[fingerprint]; !ok {
		// An embedded store is moved aside with its key.
		if brought && r.replace && r.master == "" && r.database == "" {
			return true, nil
		}
		return false, fmt.Errorf(advice+"the key here is %s; give the earlier one by --master-key-other; it may be in %s", fingerprint, secrets.Fingerprint(), path+formerKey)
	}
	return false, nil
}

// importNumbers returns ImportNumbers of [backup.Target].
func (r *restoration) importNumbers(log *slog.Logger) func(context.Context, backup.KeyPlace, io.Reader) (bool, error) {
	return func(ctx context.Context, place backup.KeyPlace, keys io.Reader) (bool, error) {
		into := whatsapp.KeyStore{Postgres: r.database, Schema: place.Schema}
		if r.database == "" {
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

// vaultThere returns the vault for the given keys or, without them, for that of a file.
func (r *restoration) vaultThere(path string) (*vault.Vault, error) {
	read := func() (*vault.Vault, error) { return vault.FromFile(path) }
	if r.master != "" {
		read = func() (*vault.Vault, error) { return vault.FromBase64(r.master) }
	}
	secrets, err := read()
	if err != nil || r.other == "" {
		return secrets, err
	}
	other, err := vault.FromBase64(r.other)
	if err != nil {
		return nil, err
	}
	return secrets.Besides(other), nil
}

// finishRestore finishes a restore whose process died after the decision. Called with
// the server's lock of the data folder, it also deletes the remains of an undecided
// one. A command has no lock, so those could belong to a restore that is running.
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
