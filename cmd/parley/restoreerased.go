package main

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/erasure"
)

// noErasures is the value of --erasures for nobody who was erased since the backup.
const noErasures = "none"

// erased returns what was erased since the backup, as far as it is known: by the lists
// beside the backup or at --erasures, and by the store that is replaced.
func (r *restoration) erased(ctx context.Context, log *slog.Logger) ([]erasure.List, error) {
	lists, err := r.keptLists()
	if err != nil {
		return nil, err
	}
	if !r.replace {
		return lists, nil
	}
	replaced, err := erasure.ListsIn(ctx, r.storeOptions(log))
	if err != nil && r.erasures == "" {
		return nil, fmt.Errorf("the store that is replaced does not tell who was erased since the backup: %w; say by --erasures where the list is, or %q if nobody was", err, noErasures)
	}
	if err != nil {
		log.Warn("restore: the store that is replaced does not tell who was erased", "error", err)
	}
	return erasure.Gather(slices.Concat(lists, replaced)), nil
}

// keptLists reads the lists beside the backup, or where --erasures says.
func (r *restoration) keptLists() ([]erasure.List, error) {
	place := r.erasures
	switch place {
	case noErasures:
		return nil, nil
	case "":
		place = filepath.Dir(r.from)
	}
	lists, err := erasure.ReadLists(place)
	if err == nil && len(lists) == 0 && r.erasures != "" {
		err = fmt.Errorf("%s holds no list of erasures", place)
	}
	if err != nil {
		return nil, fmt.Errorf("--erasures: %w", err)
	}
	return lists, nil
}

// sayErased tells what a restore knew of erasures.
func (r *restoration) sayErased(lists []erasure.List, repeated int) {
	switch {
	case repeated > 0:
		fmt.Fprintf(r.stdout, "%d erasures are repeated before the server serves anybody.\n", repeated)
	case len(lists) == 0 && r.erasures != noErasures:
		fmt.Fprintf(r.stdout, "There was no list of erasures (%s) beside the backup: whoever was erased since is back. If you have one, restore again with --erasures.\n",
			strings.ReplaceAll(erasure.ListNames, "*", "…"))
	}
}
