package importing

import (
	"context"
	"iter"

	"parley"
	"parley/internal/desk"
	"parley/internal/knowledge"
)

// Refused is the outcome of a file that was not saved.
const Refused knowledge.ImportOutcome = "refused"

// A Result says what became of a file.
type Result struct {
	File

	Outcome knowledge.ImportOutcome // Refused if File.Err is not nil
}

// An Importer saves the files of folders as articles of a workspace.
type Importer struct {
	Desk      *desk.Desk
	Knowledge *knowledge.Service
	By        desk.Caller
	Options   Options
}

// Import saves the files of a folder in the order of their paths, each in a transaction
// of its own, and reports each. Files that did not change since the last import change
// nothing. It ends with an error if the store cannot be used.
func (im *Importer) Import(ctx context.Context, f *Folder) iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) {
		products, err := im.products(ctx)
		if err != nil {
			yield(Result{}, err)
			return
		}
		all, n := planOf(f, im.Options, products), 0
		for file := range f.Files(im.Options) {
			result, err := im.save(ctx, file, &all.files[n])
			n++
			if !yield(result, err) || err != nil {
				return
			}
		}
	}
}

// products returns the workspace's products.
func (im *Importer) products(ctx context.Context) (productNames, error) {
	p := productNames{ids: map[string][]parley.ID{}}
	if id := im.Options.Product; !id.IsZero() {
		only, err := im.Desk.Product(im.By.Workspace, id).Now(ctx)
		if err != nil {
			return p, desk.Reference("productId", err)
		}
		p.only = &only
	}
	for page := (parley.Page[parley.Product]{HasMore: true}); page.HasMore; {
		var err error
		if page, err = im.Desk.Products(im.By.Workspace, false, page.Next, parley.MaxLimit).Now(ctx); err != nil {
			return p, err
		}
		for _, found := range page.Items {
			p.ids[parley.Composed(found.Name)] = append(p.ids[parley.Composed(found.Name)], found.ID)
		}
	}
	return p, nil
}

func (im *Importer) save(ctx context.Context, f File, planned *plannedFile) (Result, error) {
	if f.Err == nil {
		f.Err = planned.err
	}
	if f.Err != nil {
		return Result{f, Refused}, nil //nolint:nilerr // the result has the error, and the next file may be saved
	}
	in := f.imported()
	in.ProductID, in.Category, in.DryRun = planned.product, planned.category, im.Options.DryRun
	outcome, err := im.Knowledge.ImportText(ctx, im.By, in)
	switch parley.KindOf(err) {
	case parley.Invalid, parley.NotFound, parley.Conflict: // the next file may be saved
		f.Err = err
		return Result{f, Refused}, nil
	default:
		return Result{f, outcome}, err
	}
}
