package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"parley/internal/audit"
	"parley/internal/audit/entry"
	"parley/internal/backup"
	"parley/internal/reseal"
	"parley/internal/store"
	"parley/internal/vault"
)

// masterKeyFile is the file in the data folder with the master key.
const masterKeyFile = backup.MasterKeyName

// Endings of master.key while and after another key takes over.
const (
	nextKey   = backup.NextKeyEnd
	formerKey = ".old"
)

func (c *cli) masterKeyCommand() *cobra.Command {
	return group("master-key", "Look after the key that seals the secrets of the store", c.masterKeyRotate())
}

func (c *cli) masterKeyRotate() *cobra.Command {
	cmd := &cobra.Command{
		Use: "rotate", Short: "Seal every secret under another master key", Args: cobra.NoArgs,
		Long: "Without --master-key, makes a new key in the data folder, seals every secret under it, and keeps the key from before\n" +
			"as master.key.old. With it, seals under --master-key what was sealed under --master-key-other. On SQLite the server\n" +
			"must be stopped; on PostgreSQL every node must have the new key as --master-key already. A run that was interrupted\n" +
			"is completed by the next one.",
		Example: "  parley master-key rotate --data /var/lib/parley",
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return c.rotateMasterKey(cmd) }
	return cmd
}

func (c *cli) rotateMasterKey(cmd *cobra.Command) error {
	log, err := c.quietLogger()
	if err != nil {
		return err
	}
	if err := c.finishRestore(nil); err != nil {
		return &failure{err}
	}
	if err := c.mustExist(cmd.Context(), c.storeOptions(log)); err != nil {
		return &failure{err}
	}
	switch {
	case (c.master == "") != (c.other == ""):
		return errors.New("--master-key and --master-key-other: must both be given, the new key and the one from before, or neither")
	case c.master == "" && c.database != "":
		return errors.New("--master-key: must be given with --database, with the key from before as --master-key-other")
	}
	lock, err := c.lockData()
	if err != nil {
		return &failure{err}
	}
	return c.withOptions(cmd, appOptions{clock: time.Now, existing: true, lock: lock, rotate: true}, func(ctx context.Context, a *app) error {
		done, err := reseal.Run(ctx, a.store, a.secrets)
		if err == nil && c.master == "" {
			err = c.promoteKey()
		}
		if err != nil {
			return err
		}
		if done.Resealed > 0 {
			if err := audit.New(a.desk).RecordEverywhere(ctx, entry.Client{Operator: true}, entry.Entry{Action: entry.KeyRotated}); err != nil {
				fmt.Fprintf(c.stderr, "parley: the audit log does not have this rotation: %v\n", err)
			}
		}
		return c.print(fields{
			{"fingerprint", a.secrets.Fingerprint()}, {"resealed", done.Resealed}, {"secrets", done.Secrets},
		})
	})
}

// keyOf returns the vault with the key that encrypts the store's secrets. It
// creates no key for a store that has encrypted something, or for a command on
// an existing store: a new key would decrypt nothing.
func (c *cli) keyOf(ctx context.Context, s *store.Store, o appOptions) (*vault.Vault, error) {
	kept, err := s.MasterKey(ctx)
	if err != nil {
		return nil, err
	}
	secrets, err := c.vault(kept, o)
	if err == nil && o.rotate && kept == "" {
		// A store that was only migrated since programs record its key. If the new
		// key were recorded first, a run that is interrupted would look complete.
		err = s.KeepMasterKey(ctx, secrets.OtherFingerprint(), secrets.Fingerprint())
	}
	if err != nil {
		return nil, err
	}
	return secrets, s.KeepMasterKey(ctx, secrets.Fingerprint(), secrets.OtherFingerprint())
}

// vault returns the keys that were given. kept is the fingerprint of the store's
// key, "" for a new store.
func (c *cli) vault(kept string, o appOptions) (*vault.Vault, error) {
	if c.master == "" && c.other == "" {
		return c.keysOfFolder(kept, o)
	}
	var secrets *vault.Vault
	var err error
	if c.master != "" {
		secrets, err = vault.FromBase64(c.master)
	} else {
		secrets, err = c.keysOfFolder(kept, o)
	}
	if err != nil || c.other == "" {
		return secrets, err
	}
	other, err := vault.FromBase64(c.other)
	if err != nil {
		return nil, err
	}
	return secrets.Besides(other), nil
}

// keysOfFolder returns the key of the file master.key. If another key is taking
// over, the vault has both. The one that takes over seals only while secrets are
// resealed, so that a server that starts in between needs no other file.
func (c *cli) keysOfFolder(kept string, o appOptions) (*vault.Vault, error) {
	path := filepath.Join(c.data, masterKeyFile)
	if _, err := os.Stat(path); (o.existing || kept != "") && errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no master key %s, and the store's secrets are sealed under one; put that file back from its copy, "+
			"or give the key that the store was made with, by --data or --master-key", path)
	}
	secrets, err := vault.FromFile(path)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(path + nextKey); errors.Is(err, fs.ErrNotExist) && !o.rotate {
		return secrets, nil
	}
	next, err := vault.FromFile(path + nextKey)
	switch {
	case err != nil:
		return nil, err
	case kept == next.Fingerprint() && o.lock == nil: // two commands at once would lose the former key
		return next, nil
	case kept == next.Fingerprint(): // everything is done but for the files
		return next, c.promoteKey()
	case o.rotate:
		return next.Besides(secrets), nil
	default:
		return secrets.Besides(next), nil
	}
}

// promoteKey makes the next key the key of the data folder, if there is one. The
// former stays in a file, for copies of the store from before.
func (c *cli) promoteKey() error {
	path := filepath.Join(c.data, masterKeyFile)
	return vault.ReplaceFile(path, path+nextKey, path+formerKey)
}
