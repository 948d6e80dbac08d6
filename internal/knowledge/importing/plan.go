package importing

import (
	"fmt"

	"parley"
)

// An identity says to which article a text belongs.
type identity struct {
	key     string
	product parley.ID // zero: all products
}

// A plannedFile is what is known of a file before the first one is saved.
type plannedFile struct {
	path string
	identity
	language parley.Language
	err      error
	named    bool                       // it names its product
	name     string                     // of the category, in the file's language
	category map[parley.Language]string // that all accepted texts of the article give to its category
}

// A plan has the files of a folder, in the order of their paths.
type plan struct{ files []plannedFile }

// planOf reads all files of a folder, and decides which article each belongs to and which of
// them contradict each other.
func planOf(f *Folder, o Options, products productNames) *plan {
	p := &plan{}
	for file := range f.Files(o) {
		one := plannedFile{
			path: file.Path, identity: identity{key: file.Key}, language: file.Language, err: file.Err, named: file.Product != "", name: file.Category,
		}
		if one.err == nil {
			one.product, one.err = products.of(file.Product)
		}
		p.files = append(p.files, one)
	}
	p.join()
	p.refuseTwins()
	p.nameCategories()
	return p
}

// join gives files that name no product that of the other files with their key.
func (p *plan) join() {
	named := map[string]*plannedFile{}
	other := map[string]*plannedFile{} // names another product than the one in named
	for i := range p.files {
		f := &p.files[i]
		switch first := named[f.key]; {
		case f.err != nil || !f.named:
		case first == nil:
			named[f.key] = f
		case first.product != f.product && other[f.key] == nil:
			other[f.key] = f
		}
	}
	for i := range p.files {
		f := &p.files[i]
		first := named[f.key]
		switch {
		case f.err != nil || f.named || first == nil:
		case other[f.key] != nil:
			f.err = fmt.Errorf("product: must be given, because %s and %s have the same key and different products", first.path, other[f.key].path)
		default:
			f.product = first.product
		}
	}
}

// refuseTwins refuses a file that has the article and the language of one before it.
func (p *plan) refuseTwins() {
	type text struct {
		identity
		language parley.Language
	}
	first := map[text]string{}
	for i := range p.files {
		f := &p.files[i]
		if f.err != nil {
			continue
		}
		at := text{f.identity, f.language}
		if path, ok := first[at]; ok {
			f.err = fmt.Errorf("key: must differ from that of %s, which has the same language (%s)", path, f.language)
			continue
		}
		first[at] = f.path
	}
}

// nameCategories collects the names of each article's category.
func (p *plan) nameCategories() {
	names := map[identity]map[parley.Language]string{}
	for i := range p.files {
		f := &p.files[i]
		if f.err != nil {
			continue
		}
		if names[f.identity] == nil {
			names[f.identity] = map[parley.Language]string{}
		}
		f.category = names[f.identity]
		if f.name != "" && len(f.category) < parley.MaxArticleLanguages {
			f.category[f.language] = f.name
		}
	}
}

// productNames are the products of a workspace.
type productNames struct {
	only *parley.Product        // of all files; nil: they name theirs
	ids  map[string][]parley.ID // by name
}

// of returns the product with a name, or of files without a name if it is "". Zero stands
// for all products.
func (p *productNames) of(name string) (parley.ID, error) {
	var id parley.ID
	switch named := p.ids[parley.Composed(name)]; {
	case name == "":
	case len(named) == 0:
		return id, parley.FieldErrorf(parley.Invalid, "product", "there is no product %q", name)
	case p.only == nil && len(named) > 1:
		return id, parley.FieldErrorf(parley.Invalid, "product", "several products have the name %q", name)
	default:
		id = named[0]
	}
	if p.only == nil {
		return id, nil
	}
	if name != "" && parley.Composed(name) != parley.Composed(p.only.Name) {
		return id, parley.FieldErrorf(parley.Invalid, "product", "must be %q or absent, because --product says so", p.only.Name)
	}
	return p.only.ID, nil
}
