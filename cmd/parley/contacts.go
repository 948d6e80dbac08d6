package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"parley"
	"parley/internal/audit"
	"parley/internal/audit/entry"
	"parley/internal/backup/schedule"
	"parley/internal/chatapp/whatsapp"
	"parley/internal/desk"
	"parley/internal/erasure"
	"parley/internal/store"
)

func contactCommand(c *cli) *cobra.Command {
	return group("contact", "Export and erase persons", contactExport(c), contactErase(c), contactErasures(c), contactReplay(c))
}

func contactExport(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use: "export", Short: "Write what is known about a person into a file", Args: cobra.NoArgs,
		Long: "Writes what is known about a person into a ZIP archive: the contact, its conversations with members' notes, what the\n" +
			"person wrote in groups, and the files. sums.json lists its contents. The file must be new; only you can read it.",
		Example: "  parley contact export --workspace 0190a1b2-… --id 0190a1b2-… --to ann.zip",
	}
	ws, id := workspaceFlag(cmd), idFlag(cmd, "id", "id of the contact")
	to := cmd.Flags().String("to", "", "the file to write")
	place := placeFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		o := appOptions{clock: time.Now, existing: true, attachments: place}
		return c.withOptions(cmd, o, func(ctx context.Context, a *app) error {
			if err := known(ctx, a, *ws); err != nil {
				return err
			}
			var x erasure.Exported
			err := writeNew(*to, func(out io.Writer) (err error) {
				x, err = a.erasure.Export(ctx, *ws, *id, out)
				return err
			})
			if err == nil {
				err = audit.New(a.desk).Record(ctx, operator(*ws), entry.Entry{
					Action: entry.PersonExported, SubjectType: entry.SubjectContact, SubjectID: id.String(),
				})
			}
			if err != nil {
				return err
			}
			return c.print(fields{
				{"file", *to}, {"conversations", x.Conversations}, {"messages", x.Messages}, {"groupMessages", x.GroupMessages},
				{"files", x.Files}, {"gone", x.Gone},
			})
		})
	}
	return required(required(cmd, "id"), "to")
}

func contactErase(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use: "erase", Short: "Erase a person for good, or count what that would delete", Args: cobra.NoArgs,
		Long: "Begins to erase a person: the contact, its conversations and files, and what the person wrote in groups. The\n" +
			"server carries it out, now or when it is next started. 'parley contact erasures' shows whether it has finished.\n" +
			"It cannot be undone, so it needs --yes. An embedded store retains deleted bytes until 'parley compact'.\n" +
			"Earlier backups still contain the person. Of scheduled ones, the output says when the newest was made and, with the\n" +
			"server's --backup-keep, about when the last of them is deleted.",
		Example: "  parley contact erase --workspace 0190a1b2-… --id 0190a1b2-… --preview",
	}
	ws, id := workspaceFlag(cmd), idFlag(cmd, "id", "id of the contact")
	preview := cmd.Flags().Bool("preview", false, "count what it would delete, and delete nothing")
	yes := cmd.Flags().Bool("yes", false, "erase for good")
	keep := addFlag(cmd, flagOf[schedule.Keep]{name: keepFlag, usage: "which scheduled backups the server keeps (default: unknown)", parse: schedule.ParseKeep})
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		o := appOptions{clock: time.Now, existing: true, keep: *keep}
		return c.withOptions(cmd, o, func(ctx context.Context, a *app) error {
			if err := known(ctx, a, *ws); err != nil {
				return err
			}
			if *preview {
				p, err := a.erasure.Preview(*ws, *id).Now(ctx)
				if err != nil {
					return err
				}
				return c.print(previewFields(&p))
			}
			if !*yes {
				return parley.InvalidField("yes", "be given, because an erasure cannot be undone; --preview counts what it would delete")
			}
			e, err := a.erasure.EraseContact(ctx, operator(*ws), *id)
			if err != nil {
				return err
			}
			return c.print(append(fields{
				{"id", e.ID.String()}, {"contactId", e.SubjectID.String()}, {"createdAt", e.CreatedAt}, {"finishedAt", e.FinishedAt},
			}, olderFields(&e.Backups)...))
		})
	}
	return required(cmd, "id")
}

func olderFields(older *parley.OlderBackups) fields {
	return fields{{"backupsScheduled", older.Scheduled}, {"backupsUnknown", older.Unknown}, {"newestBackupAt", older.NewestAt}, {"backupsEndAt", older.EndAt}}
}

func previewFields(p *parley.ErasurePreview) fields {
	return append(fields{
		{"contactId", p.ContactID.String()}, {"mergedContacts", p.Merged}, {"conversations", p.Conversations}, {"messages", p.Messages},
		{"groups", p.Groups}, {"groupMessages", p.GroupMessages}, {"files", p.Files}, {"sessions", p.Sessions},
	}, olderFields(&p.Backups)...)
}

func contactErasures(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use: "erasures", Short: "List the erasures of persons and conversations", Args: cobra.NoArgs,
		Long: "Prints the erasures of persons and conversations, newest first, as ids without personal data. Store the output of\n" +
			"--json with your backups: 'parley contact replay' repeats the erasures in a store restored from an older backup.",
		Example: "  parley contact erasures --workspace 0190a1b2-… --json > erasures.json",
	}
	ws := workspaceFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return c.withApp(cmd, func(ctx context.Context, a *app) error {
			if err := known(ctx, a, *ws); err != nil {
				return err
			}
			all, err := a.erasure.All(ctx, *ws)
			if err != nil {
				return err
			}
			rows := []fields{}
			for i := range all {
				e := &all[i]
				rows = append(rows, fields{
					{"id", e.ID.String()}, {"kind", string(e.Kind)}, {"contacts", e.Subjects.Contacts}, {"conversations", e.Subjects.Conversations},
					{"createdAt", e.CreatedAt}, {"finishedAt", e.FinishedAt},
				})
			}
			return c.printList(rows)
		})
	}
	return cmd
}

func contactReplay(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use: "replay", Short: "Repeat erasures in a store that was restored from an older backup", Args: cobra.NoArgs,
		Long: "Repeats the erasures that 'parley contact erasures' printed. Run it before you open the server of a restored store\n" +
			"to others. It skips the erasures that the store already has.",
		Example: "  parley contact replay --workspace 0190a1b2-… --from erasures.json",
	}
	ws := workspaceFlag(cmd)
	from := cmd.Flags().String("from", "", "file that 'parley contact erasures --json' printed")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return c.inWorkspace(cmd, *ws, func(ctx context.Context, a *app, by desk.Caller) (fields, error) {
			erased, err := readErasures(*from)
			if err != nil {
				return nil, &failure{err}
			}
			begun, err := a.erasure.Replay(ctx, by, erased)
			return fields{{"begun", begun}}, err
		})
	}
	return required(cmd, "from")
}

// An erasureList is the part of the output of 'contact erasures --json' that 'contact
// replay' needs.
type erasureList struct {
	Data []erasure.Erased `json:"data"`
}

func readErasures(path string) ([]erasure.Erased, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("--from: %w", err)
	}
	var list erasureList
	if err := json.Unmarshal(content, &list); err != nil {
		return nil, fmt.Errorf("--from: %s must be what 'parley contact erasures --json' printed", path)
	}
	return list.Data, nil
}

func compactCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use: "compact", Short: "Rewrite the files of the embedded store without deleted data", Args: cobra.NoArgs,
		Long: "Rewrites the file of the embedded store, and that of WhatsApp numbers, so that no deleted data remains in them.\n" +
			"It needs as much free space as the files have. The server may run meanwhile, but its writes wait.",
		Example: "  parley compact",
		RunE: func(cmd *cobra.Command, _ []string) error {
			// Opening the store finishes a restore, and refuses one of a newer program.
			return c.withApp(cmd, func(ctx context.Context, a *app) error { return c.compact(ctx, c.storeOptions(a.log)) })
		},
	}
}

func (c *cli) compact(ctx context.Context, o store.Options) error {
	before := sizeOf(o)
	if err := store.Compact(ctx, o); err != nil {
		return err
	}
	numbers := filepath.Join(c.data, whatsappFile)
	if _, err := os.Stat(numbers); err == nil {
		if err := whatsapp.Compact(ctx, numbers); err != nil {
			return err
		}
	}
	return c.print(fields{{"bytesBefore", before}, {"bytes", sizeOf(o)}})
}

// sizeOf returns the size of the file of an embedded store, in bytes.
func sizeOf(o store.Options) int64 {
	info, err := os.Stat(filepath.Join(o.Dir, store.FileName))
	if err != nil {
		return 0
	}
	return info.Size()
}
