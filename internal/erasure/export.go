package erasure

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"time"

	"parley"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/visitors"
	"parley/internal/wire"
)

// ExportFormat names the format of an exported person. A change that a reader of the
// earlier format cannot read increments the number at its end.
const ExportFormat = "parley-person/1"

// exportPage is how many messages one read of an export returns.
const exportPage = 200

// exportTime bounds one read of an export.
const exportTime = 4 * time.Second

// An ExportedPerson is the member person.json of an export.
type ExportedPerson struct {
	Format  string          `json:"format"`
	Made    time.Time       `json:"made"`
	Contact json.RawMessage `json:"contact"` // as the API shows it
	// Identifiers are those of contacts that were merged into this one.
	Identifiers []string `json:"identifiers"`
	Phones      []string `json:"phones"` // in the spellings of the networks
	// Visit is what a website said last about the person; null if none did.
	Visit json.RawMessage `json:"visit"`
	// Typed is what the person typed as a visitor; null if nothing.
	Typed json.RawMessage `json:"typed"`
}

// ExportSums is the last member of an export, sums.json: what the export must contain.
type ExportSums struct {
	Members []ExportedFile `json:"members"`
	Gone    []parley.ID    `json:"gone"` // files that are named and were not there
}

// An ExportedFile identifies a member of an export.
type ExportedFile struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // in hexadecimal
}

// Exported are counts of an export.
type Exported struct {
	Conversations int
	Messages      int
	GroupMessages int
	Files         int
	Gone          int // files that were named and not there
}

// Export writes what is known about a person as a ZIP archive: person.json,
// conversations/<id>.json with all messages and the history, groups/<id>.json with the
// person's messages, files/<id>/<name>, sums.json. It reads piece by piece, so what
// changes meanwhile may be in it or not. Without a place of files, those are gone. It
// returns the errors of [Service.Preview].
func (svc *Service) Export(ctx context.Context, ws parley.WorkspaceID, contact parley.ID, out io.Writer) (Exported, error) {
	x := &export{ctx: ctx, svc: svc, ws: ws, zip: zip.NewWriter(out), sums: ExportSums{Members: []ExportedFile{}, Gone: []parley.ID{}}}
	id, err := x.person(contact)
	if err != nil {
		return x.done, err
	}
	if err := x.conversations(id); err != nil {
		return x.done, err
	}
	if err := x.groups(id); err != nil {
		return x.done, err
	}
	x.done.Gone = len(x.sums.Gone)
	if err := x.addJSON("sums.json", x.sums); err != nil {
		return x.done, err
	}
	return x.done, x.zip.Close()
}

// An export is one that is being written.
type export struct {
	ctx  context.Context
	svc  *Service
	ws   parley.WorkspaceID
	zip  *zip.Writer
	sums ExportSums
	done Exported
}

// viewed reads from the store, for so short a time that other readers can wait.
func viewed[T any](x *export, fn func(*store.View) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(x.ctx, exportTime)
	defer cancel()
	return desk.Snapshot(x.svc.desk, fn).Now(ctx)
}

// person adds person.json and returns the id of the contact.
func (x *export) person(contact parley.ID) (parley.ID, error) {
	type known struct {
		contact parley.Contact
		visit   parley.Visit
		typed   parley.Typed
		person  ExportedPerson
	}
	found, err := viewed(x, func(v *store.View) (known, error) {
		c, err := desk.ContactNow(v, x.ws, contact)
		if err != nil {
			return known{}, err
		}
		if err := isPerson(v, x.ws, c.ID); err != nil {
			return known{}, err
		}
		k := known{contact: c, person: ExportedPerson{Identifiers: []string{}, Phones: []string{}}}
		merged, err := selectMerged(v, x.ws, c.ID)
		if err != nil {
			return k, err
		}
		for _, m := range merged {
			if m.Identifier != "" {
				k.person.Identifiers = append(k.person.Identifiers, m.Identifier)
			}
		}
		if k.typed, err = customers.TypedOf(v, x.ws, c.ID); err != nil {
			return k, err
		}
		if k.visit, err = visitors.VisitOf(v, x.ws, c.ID); err != nil {
			return k, err
		}
		e := Erasure{Subjects: Subjects{Contacts: []parley.ID{c.ID}}}
		if err := findPerson(v, x.ws, &e); err != nil {
			return k, err
		}
		k.person.Phones = append(k.person.Phones, e.working.Phones...)
		return k, nil
	})
	if err != nil {
		return parley.ID{}, err
	}
	found.person.Format, found.person.Made = ExportFormat, x.svc.desk.Base().Clock.Now()
	found.person.Contact = wire.AppendContact(nil, &found.contact, false)
	if !found.typed.ContactID.IsZero() {
		found.person.Typed = wire.AppendTyped(nil, &found.typed)
	}
	if !found.visit.ContactID.IsZero() {
		found.person.Visit = wire.AppendVisit(nil, &found.visit)
	}
	return found.contact.ID, x.addJSON("person.json", found.person)
}

// conversations adds the conversations of a contact with their files.
func (x *export) conversations(contact parley.ID) error {
	for after := (parley.ID{}); ; {
		ids, err := viewed(x, func(v *store.View) ([]parley.ID, error) {
			return selectConversationsOf(v, x.ws, contact, after, exportPage)
		})
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			if err := x.conversation(id); err != nil && parley.KindOf(err) != parley.NotFound { // deleted meanwhile
				return err
			}
		}
		after = ids[len(ids)-1]
	}
}

func (x *export) conversation(id parley.ID) error {
	team := parley.WholeWorkspace(x.ws)
	c, err := viewed(x, func(v *store.View) (parley.Conversation, error) { return v.Conversation(team, id) })
	if err != nil {
		return err
	}
	x.done.Conversations++
	var files []parley.Attachment
	err = x.add("conversations/"+id.String()+".json", func(out io.Writer) error {
		if err := writeAll(out, []byte(`{"conversation":`), wire.AppendConversation(nil, &c), []byte(`,"messages":[`)); err != nil {
			return err
		}
		messages, err := x.messages(out, func(v *store.View, after parley.ID) ([]parley.Message, error) {
			page, err := v.MessagesInOrder(team, store.MessageQuery{ConversationID: id, Order: parley.Ascending, After: parley.Position{ID: after}, Limit: exportPage})
			return page.Items, err
		}, &files)
		x.done.Messages += messages
		if err != nil {
			return err
		}
		if err := writeAll(out, []byte(`],"history":[`)); err != nil {
			return err
		}
		if err := x.history(out, id); err != nil {
			return err
		}
		return writeAll(out, []byte("]}\n"))
	})
	if err != nil {
		return err
	}
	return x.files(files)
}

// history writes the changes of a conversation, separated by commas.
func (x *export) history(out io.Writer, id parley.ID) error {
	var text []byte
	for page := (parley.Page[parley.HistoryEntry]{HasMore: true}); page.HasMore; text = text[:0] {
		var err error
		after := page.Next
		page, err = viewed(x, func(v *store.View) (parley.Page[parley.HistoryEntry], error) {
			return v.ConversationHistory(parley.WholeWorkspace(x.ws), id, after, exportPage)
		})
		if err != nil {
			return err
		}
		for i := range page.Items {
			if i > 0 || !after.IsZero() {
				text = append(text, ',')
			}
			text = wire.AppendHistoryEntry(text, &page.Items[i])
		}
		if err := writeAll(out, text); err != nil {
			return err
		}
	}
	return nil
}

// groups adds what a contact wrote in groups.
func (x *export) groups(contact parley.ID) error {
	for after := (parley.ID{}); ; {
		ids, err := viewed(x, func(v *store.View) ([]parley.ID, error) { return selectGroups(v, x.ws, after, exportPage) })
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			wrote, err := viewed(x, func(v *store.View) (bool, error) { return selectWroteIn(v, x.ws, id, []parley.ID{contact}) })
			if err == nil && wrote {
				err = x.group(id, contact)
			}
			if err != nil {
				return err
			}
		}
		after = ids[len(ids)-1]
	}
}

func (x *export) group(id, contact parley.ID) error {
	var files []parley.Attachment
	err := x.add("groups/"+id.String()+".json", func(out io.Writer) error {
		if err := writeAll(out, []byte(`{"messages":[`)); err != nil {
			return err
		}
		messages, err := x.messages(out, func(v *store.View, after parley.ID) ([]parley.Message, error) {
			return selectWritten(v, x.ws, id, contact, after, exportPage)
		}, &files)
		x.done.GroupMessages += messages
		if err != nil {
			return err
		}
		return writeAll(out, []byte("]}\n"))
	})
	if err != nil {
		return err
	}
	return x.files(files)
}

// messages writes messages, separated by commas, and collects their files. read
// returns the messages after one of them, oldest first.
func (x *export) messages(out io.Writer, read func(v *store.View, after parley.ID) ([]parley.Message, error), files *[]parley.Attachment) (count int, err error) {
	for after := (parley.ID{}); ; {
		messages, err := viewed(x, func(v *store.View) ([]parley.Message, error) { return read(v, after) })
		if err != nil || len(messages) == 0 {
			return count, err
		}
		for i := range messages {
			var text []byte
			if count > 0 {
				text = append(text, ',')
			}
			if err := writeAll(out, wire.AppendMessage(text, &messages[i])); err != nil {
				return count, err
			}
			count++
			*files = append(*files, messages[i].Attachments...)
		}
		after = messages[len(messages)-1].ID
	}
}

// files adds files. A missing one is listed as gone.
func (x *export) files(files []parley.Attachment) error {
	place := x.svc.desk.Base().Files
	for _, file := range files {
		if place == nil {
			x.sums.Gone = append(x.sums.Gone, file.ID)
			continue
		}
		content, err := place.Open(x.ctx, x.ws, file.ID)
		if parley.KindOf(err) == parley.NotFound {
			x.sums.Gone = append(x.sums.Gone, file.ID)
			continue
		}
		if err != nil {
			return err
		}
		err = x.add("files/"+file.ID.String()+"/"+desk.FileName(file.FileName), func(out io.Writer) error {
			_, err := io.Copy(out, content)
			return err
		})
		_ = content.Close() // it was only read
		if err != nil {
			return err
		}
		x.done.Files++
	}
	return nil
}

// add adds a member with the content that write writes.
func (x *export) add(name string, write func(io.Writer) error) error {
	member, err := x.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: x.svc.desk.Base().Clock.Now()})
	if err != nil {
		return err
	}
	sum := sha256.New()
	counted := &counter{out: io.MultiWriter(member, sum)}
	if err := write(counted); err != nil {
		return err
	}
	x.sums.Members = append(x.sums.Members, ExportedFile{Name: name, Bytes: counted.bytes, SHA256: hex.EncodeToString(sum.Sum(nil))})
	return nil
}

func (x *export) addJSON(name string, value any) error {
	return x.add(name, func(out io.Writer) error {
		text := json.NewEncoder(out)
		text.SetIndent("", "  ")
		return text.Encode(value)
	})
}

// A counter counts the bytes that are written.
type counter struct {
	out   io.Writer
	bytes int64
}

func (c *counter) Write(b []byte) (int, error) {
	c.bytes += int64(len(b))
	return c.out.Write(b)
}

func writeAll(out io.Writer, parts ...[]byte) error {
	for _, part := range parts {
		if _, err := out.Write(part); err != nil {
			return err
		}
	}
	return nil
}
