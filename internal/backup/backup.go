// Package backup writes everything that a store holds into one file, checks such
// a file, and makes a store from it.
//
// A backup is a tar archive compressed with zstd, and encrypted with age where
// its owner wants that. It consists of manifest.json, the rows of each table in
// parts (rows/messages/000001.ndjson), in an encrypted one the master key and the
// keys of numbers (keys/), the uploaded files (files/<workspace>/<id>), and
// sums.json with the SHA-256 of each of them. Behind the archive stands the
// SHA-256 of all bytes before, in a frame that zstd skips. Rows are arrays of
// typed values, not SQL, so a backup of one engine restores into the other. See
// docs/adr/0071-backup.md.
//
// It imports the vocabulary, the store, and the place of files.
package backup

import (
	"strings"
	"time"

	"parley"
	"parley/internal/store"
)

// Format names the form of the file. A change that an older program cannot read
// counts up its last digit.
const Format = "parley-backup/1"

// MasterKeyName is the name of the file with the master key in a data folder. With
// NextKeyEnd behind it, it has a key that is taking over.
const (
	MasterKeyName = "master.key"
	NextKeyEnd    = ".new"
)

// Names of the members of the archive.
const (
	manifestName = "manifest.json"
	sumsName     = "sums.json"
	rowsFolder   = "rows/"
	filesFolder  = "files/"

	keysFolder       = "keys/"
	masterKeyName    = keysFolder + MasterKeyName
	nextKeyName      = masterKeyName + NextKeyEnd
	numberKeysFolder = keysFolder + "numbers/"
)

// A Manifest is the first member of a backup: what made it, and of what.
type Manifest struct {
	Format  string    `json:"format"`
	Program string    `json:"program"` // version of Parley
	Made    time.Time `json:"made"`    // the rows are of a moment right behind
	Engine  string    `json:"engine"`  // sqlite or postgres
	Schema  int       `json:"schema"`  // version of the store's schema
	// MasterKey is the fingerprint of the key that the secrets among the rows are
	// sealed under, "" if nothing is sealed.
	MasterKey string `json:"masterKey"`
	// NextMasterKey is the fingerprint of a key that was taking over from it, under
	// which some secrets are sealed already; mostly "".
	NextMasterKey string `json:"nextMasterKey,omitempty"`
	// HasMasterKey says that the key itself is in the backup.
	HasMasterKey bool          `json:"hasMasterKey"`
	Tables       []store.Table `json:"tables"` // those whose rows are in it, in their order
}

// Sums is the last member of a backup: what must be in it.
type Sums struct {
	Members []Sum            `json:"members"`
	Rows    map[string]int64 `json:"rows"` // by table
	// Gone are files that the rows name and that were deleted while the backup was
	// made.
	Gone []parley.ID `json:"gone"`
	// Lost are files that the store should have and that were missing, or could not be
	// read to their end. What is unreadable of one that is in the backup is zeros.
	Lost []parley.ID `json:"lost"`
}

// A Sum identifies the content of a member.
type Sum struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // in hexadecimal
}

// A Report says what a backup holds.
type Report struct {
	Manifest      Manifest
	Bytes         int64 // of the backup itself
	Workspaces    int64
	Conversations int64
	Messages      int64
	Files         int64
	Lost          int  // files that the store should have had whole
	MasterKey     bool // whether the master key is in it
	NumberKeys    bool // whether the keys of numbers are in it
}

func (r *Report) count(s *Sums) {
	r.Workspaces, r.Conversations, r.Messages = s.Rows["workspaces"], s.Rows["conversations"], s.Rows["messages"]
	r.Lost = len(s.Lost)
	r.Files = 0
	for _, m := range s.Members {
		r.MasterKey = r.MasterKey || m.Name == masterKeyName
		r.NumberKeys = r.NumberKeys || strings.HasPrefix(m.Name, numberKeysFolder)
		if _, _, isFile := fileOf(m.Name); isFile {
			r.Files++
		}
	}
}
