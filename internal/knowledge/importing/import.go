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
		categories := f.categories(im.Options)
		for file := range f.Files(im.Options) {
			product, err := im.product(&file, products)
			if err != nil && file.Err == nil {
				file.Err = err
			}
			result, err := im.save(ctx, file, product, categories[file.Key])
			if !yield(result, err) || err != nil {
				return
			}
		}
	}
}

// products returns the ids of the products by name.
func (im *Importer) products(ctx context.Context) (map[string][]parley.ID, error) {
	if id := im.Options.Product; !id.IsZero() {
		if _, err := im.Desk.Product(im.By.Workspace, id).Now(ctx); err != nil {
			return nil, desk.Reference("productId", err)
		}
	}
	products := map[string][]parley.ID{}
	for page := (parley.Page[parley.Product]{HasMore: true}); page.HasMore; {
		var err error
		if page, err = im.Desk.Products(im.By.Workspace, false, page.Next, parley.MaxLimit).Now(ctx); err != nil {
			return nil, err
		}
		for _, p := range page.Items {
			products[parley.Composed(p.Name)] = append(products[parley.Composed(p.Name)], p.ID)
		}
	}
	return products, nil
}

// product returns the product of a file; zero: none is named.
func (im *Importer) product(f *File, products map[string][]parley.ID) (parley.ID, error) {
	if f.Product == "" {
		return im.Options.Product, nil
	}
	switch named := products[parley.Composed(f.Product)]; len(named) {
	case 0:
		return parley.ID{}, parley.FieldErrorf(parley.Invalid, "product", "there is no product %q", f.Product)
	case 1:
		return named[0], nil
	default:
		return parley.ID{}, parley.FieldErrorf(parley.Invalid, "product", "several products have the name %q", f.Product)
	}
}

func (im *Importer) save(ctx context.Context, f File, product parley.ID, category map[parley.Language]string) (Result, error) {
	if f.Err != nil {
		return Result{f, Refused}, nil //nolint:nilerr // the result has the error, and the next file may be saved
	}
	outcome, err := im.Knowledge.ImportText(ctx, im.By, knowledge.ImportedText{
		Key: f.Key, ProductID: product, Category: category, Language: f.Language, Publish: f.Published, DryRun: im.Options.DryRun,
		ArticleContent: parley.ArticleContent{Title: f.Title, Description: f.Description, Body: f.Body, Keywords: f.Keywords},
	})
	switch parley.KindOf(err) {
	case parley.Invalid, parley.NotFound, parley.Conflict: // the next file may be saved
		f.Err = err
		return Result{f, Refused}, nil
	default:
		return Result{f, outcome}, err
	}
}
