package demo

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"

	"parley"
	"parley/internal/knowledge"
	"parley/internal/knowledge/importing"
)

// articleFiles are the texts of the help articles, as "parley articles import" reads
// them, and the order of their categories.
//
//go:embed articles
var articleFiles embed.FS

// helpArticles publishes the help articles of the products, and opens a help center
// for each.
func (x *filler) helpArticles() error {
	centers := []struct {
		folder, slug string
		languages    []parley.Language
	}{
		{"shop", "northwind-shop", []parley.Language{"en", "de", "fr", "es"}},
		{"app", "trail-app", []parley.Language{"en", "de", "fr", "es"}},
		{"rental", "rental-desk", []parley.Language{"en", "de", "fr", "es"}},
	}
	text, err := articleFiles.ReadFile("articles/categories.json")
	if err != nil {
		return err
	}
	var categories map[string][]map[parley.Language]string
	if err := json.Unmarshal(text, &categories); err != nil {
		return fmt.Errorf("categories of articles: %w", err)
	}
	for i, c := range centers {
		product := x.products[i]
		for _, names := range categories[c.folder] {
			if _, err := x.knowledge.CreateCategory(x.ctx, x.by, knowledge.NewCategory{ProductID: product.ID, Names: names}); err != nil {
				return err
			}
		}
		_, err := x.knowledge.SaveHelpCenter(x.ctx, x.by, product.ID, knowledge.HelpCenterChange{
			Slug: parley.Some(c.slug), Title: parley.Some(product.Name + " Help"), Languages: parley.Some(c.languages),
			Color: parley.Some(brandColor),
		})
		if err != nil {
			return err
		}
	}
	return x.importArticles()
}

func (x *filler) importArticles() error {
	folder, err := importing.OpenFS(articleFiles)
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	im := importing.Importer{Desk: x.desk, Knowledge: x.knowledge, By: x.by}
	var refused []string
	for result, err := range im.Import(x.ctx, folder) {
		if err != nil {
			return err
		}
		if result.Err != nil {
			refused = append(refused, fmt.Sprintf("%s: %v", result.Path, result.Err))
		}
	}
	if len(refused) > 0 {
		return fmt.Errorf("articles were refused: %s", strings.Join(refused, "; "))
	}
	return nil
}
