package importing

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits of an import.
const (
	MaxFiles    = 20_000    // files with a text
	MaxFolders  = 16        // levels of folders below the imported one
	MaxMarkdown = 384 << 10 // bytes of a file of Markdown: a body, and front matter
	MaxHTML     = 1 << 20   // bytes of a file of HTML, which is mostly the page around the text
)

// A Folder is an opened folder of articles' texts. Its files are read when they are asked
// for, one at a time. Close it.
type Folder struct {
	files fs.FS
	close func() error
	found []found
}

// A found file has a text, or a fault that was seen without opening it.
type found struct {
	path string
	err  error
}

// Open opens a folder and finds its files: *.md, *.markdown, *.html and *.htm at any level.
// Other files are skipped, as are files and folders whose names begin with a dot. A folder
// with more than MaxFiles texts or MaxFolders levels is refused.
func Open(folder string) (*Folder, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	f := &Folder{files: root.FS(), close: root.Close}
	if err := f.find(); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return f, nil
}

// OpenFS is Open for a file system, such as that of embedded files.
func OpenFS(files fs.FS) (*Folder, error) {
	f := &Folder{files: files, close: func() error { return nil }}
	return f, f.find()
}

// Close closes the folder.
func (f *Folder) Close() error { return f.close() }

func (f *Folder) find() error {
	err := fs.WalkDir(f.files, ".", f.visit)
	slices.SortFunc(f.found, func(a, b found) int { return strings.Compare(a.path, b.path) })
	return err
}

func (f *Folder) visit(name string, entry fs.DirEntry, err error) error {
	switch {
	case name == ".":
		return err
	case strings.HasPrefix(entry.Name(), ".") && entry.IsDir():
		return fs.SkipDir
	case strings.HasPrefix(entry.Name(), "."):
		return nil
	case err == nil && entry.IsDir() && strings.Count(name, "/") >= MaxFolders:
		return fmt.Errorf("%s: folders may be at most %d levels deep", name, MaxFolders)
	case err == nil && entry.IsDir():
		return nil
	}
	hasText, fault := true, errors.New("cannot be read")
	if err == nil {
		hasText, fault = f.check(name, entry)
	}
	if !hasText && fault == nil {
		return nil
	}
	if len(f.found) == MaxFiles {
		return fmt.Errorf("the folder has more than %d files of articles", MaxFiles)
	}
	f.found = append(f.found, found{name, fault})
	return nil
}

// check reports whether a file has a text. A link is followed to a file inside the folder.
func (f *Folder) check(name string, entry fs.DirEntry) (bool, error) {
	hasText, mode := isMarkdown(name) || isHTML(name), entry.Type()
	if mode&fs.ModeSymlink != 0 {
		info, err := fs.Stat(f.files, name)
		if err != nil {
			return true, errors.New("is a link that leads out of the folder, or nowhere")
		}
		if mode = info.Mode().Type(); mode.IsDir() {
			return true, errors.New("is a link to a folder; links to folders are not followed")
		}
	}
	if hasText && !mode.IsRegular() {
		return true, errors.New("is not a regular file")
	}
	return hasText, nil
}

func isMarkdown(name string) bool { return hasExtension(name, ".md", ".markdown") }

func isHTML(name string) bool { return hasExtension(name, ".html", ".htm") }

func hasExtension(name string, extensions ...string) bool {
	return slices.Contains(extensions, strings.ToLower(path.Ext(name)))
}

// Files reads the files in the order of their paths. A file that breaks a rule has Err, and
// no text.
func (f *Folder) Files(o Options) iter.Seq[File] {
	return func(yield func(File) bool) {
		for _, found := range f.found {
			file, err := File{}, found.err
			if err == nil {
				file, err = f.read(found.path, o)
			}
			if err != nil {
				file = File{Key: file.Key, Language: file.Language, Err: err}
			}
			file.Path = found.path
			if !yield(file) {
				return
			}
		}
	}
}

func (f *Folder) read(name string, o Options) (File, error) {
	limit := MaxMarkdown
	if isHTML(name) {
		limit = MaxHTML
	}
	content, err := f.content(name, limit)
	if err != nil {
		return File{}, err
	}
	file := named(name)
	if isHTML(name) {
		err = file.readHTML(content)
	} else {
		err = file.readMarkdown(content)
	}
	if err == nil {
		err = file.complete(o)
	}
	return file, err
}

// content reads a file whole, with line breaks of one character and without a byte order
// mark.
func (f *Folder) content(name string, limit int) (string, error) {
	file, err := f.files.Open(name)
	if err != nil {
		return "", errors.New("cannot be read")
	}
	defer func() { _ = file.Close() }()
	content, err := io.ReadAll(io.LimitReader(file, int64(limit)+1))
	switch {
	case err != nil:
		return "", errors.New("cannot be read")
	case len(content) > limit:
		return "", fmt.Errorf("must have at most %d bytes", limit)
	case !utf8.Valid(content):
		return "", fmt.Errorf("must be UTF-8; byte %d is not", firstBroken(content))
	}
	return strings.NewReplacer("\ufeff", "", "\r\n", "\n", "\r", "\n").Replace(string(content)), nil
}

// firstBroken returns the place of the first byte that is not UTF-8, counted from 1.
func firstBroken(content []byte) int {
	for i := 0; i < len(content); {
		r, size := utf8.DecodeRune(content[i:])
		if r == utf8.RuneError && size == 1 {
			return i + 1
		}
		i += size
	}
	return 0
}
