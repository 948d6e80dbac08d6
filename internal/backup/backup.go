// Package backup writes everything that a store holds into one file, checks such
// a file, and creates a store from it.
//
// A backup is a tar archive compressed with zstd and, if the operator wants that,
// encrypted with age. It consists of manifest.json, the rows of each table in parts
// (rows/messages/000001.ndjson), the master key and the keys of numbers (keys/, only
// in an encrypted backup), the uploaded files (files/<workspace>/<id>), and sums.json
// with the SHA-256 of each of them. The SHA-256 of all these bytes follows, in a frame
// that zstd skips. Rows are arrays of typed values, not SQL, so a backup of one engine
// restores into the other. See docs/adr/0071-backup.md.
//
// It imports the vocabulary, the store, the lock of the data folder, and blob.
package backup

import (
	"strings"
	"time"

	"parley"
	"parley/internal/store/schema"
)

// Format names the format of the file. A change that an older program cannot read
// increments the number at its end.
const Format = "parley-backup/1"

// MasterKeyName is the file in a data folder with the master key. The same name with
// NextKeyEnd appended is the file with the key that is replacing it.
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
	Made    time.Time `json:"made"`    // the rows are those of a moment right after
	Engine  string    `json:"engine"`  // sqlite or postgres
	Schema  int       `json:"schema"`  // version of the store's schema
	// MasterKey is the fingerprint of the key that seals the secrets among the rows,
	// "" if nothing is sealed.
	MasterKey string `json:"masterKey"`
	// NextMasterKey is the fingerprint of a key that was replacing MasterKey. It
	// already seals some secrets. Usually "".
	NextMasterKey string `json:"nextMasterKey,omitempty"`
	// HasMasterKey: the backup contains the key itself.
	HasMasterKey bool           `json:"hasMasterKey"`
	Tables       []schema.Table `json:"tables"` // whose rows are in the backup, in this order
}

// Sums is the last member of a backup: what the backup must contain.
type Sums struct {
	Members []Sum            `json:"members"`
	Rows    map[string]int64 `json:"rows"` // by table
	// Gone are files that were deleted during the backup, after their rows were read.
	Gone []parley.ID `json:"gone"`
	// Lost are files that were missing although the store should have them, or that
	// could not be read to their end. Of the latter, the backup contains the readable
	// beginning, and zeros for the rest.
	Lost []parley.ID `json:"lost"`
}

// A Sum identifies the content of a member.
type Sum struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // in hexadecimal
}

// A Report says what a backup contains.
type Report struct {
	Manifest      Manifest
	Bytes         int64 // of the backup itself
	Workspaces    int64
	Conversations int64
	Messages      int64
	Files         int64
	Lost          int  // files that are missing or damaged
	MasterKey     bool // whether it contains the master key
	NumberKeys    bool // whether it contains the keys of numbers
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
