package erasure

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"parley"
	"parley/internal/store"
)

// A List names what was erased in a workspace, for stores that are restored from an
// older backup. It contains only ids. An id tells when its record was created, and
// nothing else.
type List struct {
	Workspace parley.WorkspaceID
	Erased    []Erased
}

// FirstSchema is the version of the schema since which stores know what was erased.
const FirstSchema = 22

// listFormat is what a list says of itself.
const listFormat = "parley-erasures/1"

// A listFile is the written form of a list. Sum is the SHA-256 of Data: a changed id
// would bring a person back.
type listFile struct {
	Format    string             `json:"format"`
	Workspace parley.WorkspaceID `json:"workspaceId"`
	Sum       string             `json:"sha256"`
	Data      json.RawMessage    `json:"data"`
}

// The prefix and suffix of the names of lists beside backups. Each workspace has its own
// list, so that each list has one writer.
const listPrefix, listSuffix = "parley-erasures-", ".json"

// ListNames matches the names of lists beside backups.
const ListNames = listPrefix + "*" + listSuffix

func listName(ws parley.WorkspaceID) string {
	return listPrefix + parley.ID(ws).String() + listSuffix
}

// Pack returns the written form of a list.
func (l *List) Pack() ([]byte, error) {
	data, err := json.Marshal(l.Erased)
	if err != nil {
		return nil, err
	}
	return json.Marshal(listFile{listFormat, l.Workspace, sumOf(data), data})
}

// UnpackList reads a list, and refuses one that was changed or cut.
func UnpackList(content []byte) (List, error) {
	var file listFile
	if err := json.Unmarshal(content, &file); err != nil || file.Format != listFormat {
		return List{}, errors.New("must be a list of erasures, as servers keep it beside backups")
	}
	list := List{Workspace: file.Workspace}
	if sumOf(file.Data) != file.Sum {
		return list, errors.New("is damaged: take the copy of another backup place")
	}
	return list, json.Unmarshal(file.Data, &list.Erased)
}

func sumOf(data []byte) string {
	var compact bytes.Buffer
	if json.Compact(&compact, data) == nil {
		data = compact.Bytes()
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Join adds the erasures of another list of the workspace. If both lists have an erasure,
// it keeps the records of both.
func (l *List) Join(other List) {
	places := map[parley.ID]int{}
	for i := range l.Erased {
		places[l.Erased[i].ID] = i
	}
	for _, e := range other.Erased {
		at, there := places[e.ID]
		if !there {
			l.Erased = append(l.Erased, e)
			continue
		}
		l.Erased[at].join(e.Subjects)
	}
}

// join adds records.
func (s *Subjects) join(other Subjects) {
	s.Contacts = distinct(slices.Concat(s.Contacts, other.Contacts))
	s.Conversations = distinct(slices.Concat(s.Conversations, other.Conversations))
}

// listPage is how many erasures one read returns.
const listPage = 200

// listOf returns what was erased in a workspace. It leaves out what a rule chose and has
// not deleted yet.
func listOf(v store.Reader, ws parley.WorkspaceID) (List, error) {
	list := List{Workspace: ws, Erased: []Erased{}}
	for after := (parley.ID{}); ; {
		page, err := selectAll(v, ws, after, listPage)
		if err != nil {
			return list, err
		}
		for i := range page {
			e := &page[i]
			erased := Erased{ID: e.ID, Subjects: e.Subjects}
			if e.Kind == parley.ErasureByRule && e.FinishedAt.IsZero() {
				erased.Conversations = erased.Conversations[:e.working.At]
			}
			if len(erased.Contacts)+len(erased.Conversations) > 0 {
				list.Erased = append(list.Erased, erased)
			}
			after = e.ID
		}
		if len(page) < listPage {
			return list, nil
		}
	}
}

// ListsOf returns what was erased in all workspaces of a store.
func ListsOf(v *store.View) ([]List, error) {
	workspaces, err := v.Workspaces()
	var lists []List
	for i := range workspaces {
		if err != nil {
			break
		}
		var list List
		if list, err = listOf(v, workspaces[i].ID); len(list.Erased) > 0 {
			lists = append(lists, list)
		}
	}
	return lists, err
}

// Gather joins lists of the same workspaces.
func Gather(lists []List) []List {
	var gathered []List
	for _, list := range lists {
		at := slices.IndexFunc(gathered, func(l List) bool { return l.Workspace == list.Workspace })
		if at < 0 {
			gathered = append(gathered, List{Workspace: list.Workspace})
			at = len(gathered) - 1
		}
		gathered[at].Join(list)
	}
	return gathered
}

// describe names a list in an error.
func (l *List) describe(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("erasures of workspace %s: %w", parley.ID(l.Workspace), err)
}
