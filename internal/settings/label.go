package settings

import (
	"context"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/wire"
)

// Labels returns all labels, sorted by name.
func (svc *Service) Labels(ws parley.WorkspaceID) desk.Read[[]parley.Label] {
	return desk.View(svc.desk, func(v *store.View) ([]parley.Label, error) { return SelectLabels(v, ws) })
}

// CreateLabel adds a label. An existing name is a Conflict, and so are more
// than parley.MaxCatalogue labels.
func (svc *Service) CreateLabel(ctx context.Context, by desk.Caller, name string, color parley.LabelColor) (parley.Label, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.Label, error) {
		l := parley.Label{Name: name, Color: color, CreatedAt: t.Now, UpdatedAt: t.Now}
		free, err := InsertLabel(t, t.WS, &l)
		if err != nil {
			return l, err
		}
		if !free {
			return l, parley.FieldErrorf(parley.Conflict, "name", "must not be that of another label")
		}
		labels, err := SelectLabels(t, t.WS)
		if err != nil {
			return l, err
		}
		if err := fits("labels", len(labels)); err != nil {
			return l, err
		}
		t.Announce(parley.LabelCreated, parley.ID{}, nil, wire.AppendLabel(nil, &l))
		return l, nil
	})
}

// fits refuses a catalogue that has become too large to be read as a whole.
func fits(what string, count int) error {
	if count > parley.MaxCatalogue {
		return parley.Errorf(parley.Conflict, "the workspace has %d %s already; delete one first", parley.MaxCatalogue, what)
	}
	return nil
}

// UpdateLabel changes the colour of a label.
func (svc *Service) UpdateLabel(ctx context.Context, by desk.Caller, name string, color parley.Optional[parley.LabelColor]) (parley.Label, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.Label, error) {
		l, err := labelOf(t, name)
		if err != nil {
			return l, err
		}
		var changed []string
		desk.Set(&changed, "color", &l.Color, color)
		if len(changed) == 0 {
			return l, nil
		}
		l.UpdatedAt = t.Now
		if err := UpdateLabel(t, t.WS, &l); err != nil {
			return l, err
		}
		t.Announce(parley.LabelUpdated, parley.ID{}, changed, wire.AppendLabel(nil, &l))
		return l, nil
	})
}

// DeleteLabel deletes a label. The conversations that carry it keep it.
func (svc *Service) DeleteLabel(ctx context.Context, by desk.Caller, name string) (parley.Label, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.Label, error) {
		l, err := labelOf(t, name)
		if err != nil {
			return l, err
		}
		t.Announce(parley.LabelDeleted, parley.ID{}, nil, wire.AppendLabelName(nil, l.Name))
		return l, DeleteLabel(t, t.WS, l.Name)
	})
}

// labelOf returns the label with a name in its stored form, else one whose name
// means the same: some were created before names were trimmed and composed
// (parley.LabelName).
func labelOf(t *desk.Tx, name string) (parley.Label, error) {
	l, err := SelectLabel(t, t.WS, name)
	if parley.KindOf(err) != parley.NotFound {
		return l, err
	}
	all, listErr := SelectLabels(t, t.WS)
	if listErr != nil {
		return l, listErr
	}
	for _, other := range all {
		if parley.LabelName(other.Name) == parley.LabelName(name) {
			return other, nil
		}
	}
	return l, err
}
