package knowledge

import (
	"context"
	"slices"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/wire"
)

// A PublicHelpCenter is a help center with its workspace.
type PublicHelpCenter struct {
	Workspace parley.WorkspaceID
	parley.HelpCenter
}

// HelpCenters returns the help centers of a workspace, sorted by slug.
func (svc *Service) HelpCenters(ws parley.WorkspaceID) desk.Read[[]parley.HelpCenter] {
	return desk.View(svc.desk, func(v *store.View) ([]parley.HelpCenter, error) { return SelectHelpCenters(v, ws) })
}

// HelpCenter returns the help center of a product.
func (svc *Service) HelpCenter(ws parley.WorkspaceID, product parley.ID) desk.Read[parley.HelpCenter] {
	return desk.View(svc.desk, func(v *store.View) (parley.HelpCenter, error) { return SelectHelpCenter(v, ws, product) })
}

// PublicHelpCenter returns the help center that has a slug, of any workspace,
// because its readers know only that. One that is not enabled is NotFound.
func (svc *Service) PublicHelpCenter(ctx context.Context, slug string) (PublicHelpCenter, error) {
	return desk.View(svc.desk, func(v *store.View) (PublicHelpCenter, error) {
		h, err := SelectHelpCenterBySlug(v, slug)
		if parley.KindOf(err) == parley.NotFound || err == nil && !h.Enabled {
			return PublicHelpCenter{}, parley.NotFoundf("no such help center")
		}
		return h, err
	}).Now(ctx)
}

// HelpCenterChange is an update of a help center. Absent fields stay unchanged;
// a new one needs a slug and a title.
type HelpCenterChange struct {
	Slug      parley.Optional[string]
	Title     parley.Optional[string]
	Languages parley.Optional[[]parley.Language] // the first is the default; a new help center has "en" if absent
	Enabled   parley.Optional[bool]              // a new help center is enabled if absent
	Color     parley.Optional[string]
}

// defaultHelpColor is the color of a new help center, as of a new widget.
const defaultHelpColor = "#1d4ed8"

// SaveHelpCenter changes the help center of a product, or adds it. A slug that is
// in use on the server is a Conflict.
func (svc *Service) SaveHelpCenter(ctx context.Context, by desk.Caller, product parley.ID, in HelpCenterChange) (desk.Saved[parley.HelpCenter], error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (desk.Saved[parley.HelpCenter], error) {
		saved := desk.Saved[parley.HelpCenter]{}
		if _, err := t.Product(t.WS, product); err != nil {
			return saved, err
		}
		before, err := SelectHelpCenter(t, t.WS, product)
		saved.Created = parley.KindOf(err) == parley.NotFound
		if err != nil && !saved.Created {
			return saved, err
		}
		if saved.Created {
			before = parley.HelpCenter{ProductID: product, Languages: []parley.Language{"en"}, Enabled: true, Color: defaultHelpColor, CreatedAt: t.Now}
		}
		h := before
		changed, err := changeHelpCenter(&h, in)
		if err != nil {
			return saved, err
		}
		saved.Record = h
		if !saved.Created && len(changed) == 0 {
			return saved, nil
		}
		if h.Slug != before.Slug {
			if err := checkHelpCenterSlug(t, h.Slug); err != nil {
				return saved, err
			}
		}
		h.UpdatedAt = t.Now
		saved.Record = h
		if err := PutHelpCenter(t, t.WS, &h, t.Now); err != nil {
			return saved, err
		}
		kind := parley.HelpCenterUpdated
		if saved.Created {
			kind, changed = parley.HelpCenterCreated, nil
		}
		t.Announce(kind, parley.ID{}, changed, wire.AppendHelpCenter(nil, &h))
		return saved, nil
	})
}

// changeHelpCenter applies a change and returns the names of the changed fields.
func changeHelpCenter(h *parley.HelpCenter, in HelpCenterChange) ([]string, error) {
	var c checker
	var changed []string
	desk.Set(&changed, "slug", &h.Slug, in.Slug)
	in.Title.Value = c.line("title", in.Title.Or(h.Title), 1, parley.MaxHelpCenterTitle)
	desk.Set(&changed, "title", &h.Title, parley.Some(in.Title.Value))
	if languages := c.languages("languages", in.Languages.Or(h.Languages)); !slices.Equal(languages, h.Languages) {
		h.Languages = languages
		changed = append(changed, "languages")
	}
	desk.Set(&changed, "enabled", &h.Enabled, in.Enabled)
	desk.Set(&changed, "color", &h.Color, in.Color)
	if !parley.WellFormedHelpCenterSlug(h.Slug) {
		c.fault("slug", parley.HelpCenterSlugRule)
	}
	if !parley.WellFormedColor(h.Color) {
		c.fault("color", "be a color such as #1d4ed8, in lower case")
	}
	return changed, c.err()
}

// languages returns languages in their canonical case, each once.
func (c *checker) languages(field string, given []parley.Language) []parley.Language {
	var kept []parley.Language
	for _, language := range given {
		known, ok := parley.ParseLanguage(string(language))
		if !ok {
			c.fault(field, "have only languages such as en or pt-BR")
			return nil
		}
		kept = append(kept, known)
	}
	kept = desk.Unique(kept)
	if len(kept) == 0 || len(kept) > parley.MaxArticleLanguages {
		c.fault(field, "be 1 to 20 languages")
	}
	return kept
}

// checkHelpCenterSlug refuses a slug that is in use. Two workspaces can take one
// at the same moment; then the store gives it to the first.
func checkHelpCenterSlug(t *desk.Tx, slug string) error {
	_, err := SelectHelpCenterBySlug(t, slug)
	switch {
	case err == nil:
		return parley.FieldErrorf(parley.Conflict, "slug", "must not be that of another help center on this server")
	case parley.KindOf(err) == parley.NotFound:
		return nil
	}
	return err
}

// DeleteHelpCenter deletes the help center of a product and returns it. The
// articles stay.
func (svc *Service) DeleteHelpCenter(ctx context.Context, by desk.Caller, product parley.ID) (parley.HelpCenter, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.HelpCenter, error) {
		h, err := SelectHelpCenter(t, t.WS, product)
		if err != nil {
			return h, err
		}
		t.Announce(parley.HelpCenterDeleted, parley.ID{}, nil, wire.AppendProductID(nil, product))
		return h, DeleteHelpCenter(t, t.WS, product)
	})
}
