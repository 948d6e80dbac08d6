package desk

import (
	"context"

	"parley"
	"parley/internal/store"
	"parley/internal/wire"
)

// Labels returns the catalogue of labels, sorted by name.
func (d *Desk) Labels(ctx context.Context, ws parley.WorkspaceID) ([]parley.Label, error) {
	return view(ctx, d, func(v *store.View) ([]parley.Label, error) { return v.Labels(ws) })
}

// CreateLabel adds a label to the catalogue. A name that is there already, and
// one label more than parley.MaxCatalogue, is a Conflict.
func (d *Desk) CreateLabel(ctx context.Context, by Caller, name string, color parley.LabelColor) (parley.Label, error) {
	return write(ctx, d, by, func(t *tx) (parley.Label, error) {
		l := parley.Label{Name: name, Color: color, CreatedAt: t.now, UpdatedAt: t.now}
		free, err := t.InsertLabel(t.ws, &l)
		if err != nil {
			return l, err
		}
		if !free {
			return l, parley.FieldErrorf(parley.Conflict, "name", "must not be that of another label")
		}
		labels, err := t.Labels(t.ws)
		if err != nil {
			return l, err
		}
		if err := fits("labels", len(labels)); err != nil {
			return l, err
		}
		t.emit(parley.LabelCreated, parley.ID{}, nil, wire.AppendLabel(nil, &l))
		return l, nil
	})
}

// fits refuses a catalogue that has grown beyond what is read as a whole.
func fits(what string, count int) error {
	if count > parley.MaxCatalogue {
		return parley.Errorf(parley.Conflict, "the workspace has %d %s already; delete one first", parley.MaxCatalogue, what)
	}
	return nil
}

// UpdateLabel changes the colour of a label.
func (d *Desk) UpdateLabel(ctx context.Context, by Caller, name string, color parley.Optional[parley.LabelColor]) (parley.Label, error) {
	return write(ctx, d, by, func(t *tx) (parley.Label, error) {
		l, err := t.labelOf(name)
		if err != nil {
			return l, err
		}
		var changed []string
		set(&changed, "color", &l.Color, color)
		if len(changed) == 0 {
			return l, nil
		}
		l.UpdatedAt = t.now
		if err := t.UpdateLabel(t.ws, &l); err != nil {
			return l, err
		}
		t.emit(parley.LabelUpdated, parley.ID{}, changed, wire.AppendLabel(nil, &l))
		return l, nil
	})
}

// DeleteLabel takes a label out of the catalogue. The conversations that carry
// it keep it.
func (d *Desk) DeleteLabel(ctx context.Context, by Caller, name string) (parley.Label, error) {
	return write(ctx, d, by, func(t *tx) (parley.Label, error) {
		l, err := t.labelOf(name)
		if err != nil {
			return l, err
		}
		t.emit(parley.LabelDeleted, parley.ID{}, nil, wire.AppendLabelName(nil, l.Name))
		return l, t.DeleteLabel(t.ws, l.Name)
	})
}

// labelOf returns the label of a name as it is kept, else one whose name means
// the same: some were made before names were trimmed and composed
// (parley.LabelName).
func (t *tx) labelOf(name string) (parley.Label, error) {
	l, err := t.Label(t.ws, name)
	if parley.KindOf(err) != parley.NotFound {
		return l, err
	}
	all, listErr := t.Labels(t.ws)
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
