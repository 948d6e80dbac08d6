package settings

import (
	"context"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

// A State is what a dashboard needs to begin with, from one snapshot.
type State struct {
	Workspace     parley.Workspace // its log's position is that of the snapshot
	Members       []parley.Member
	FormerMembers []parley.Member
	Inboxes       []parley.Inbox
	Products      []parley.Product // archived ones too
	Labels        []parley.Label
	CannedAnswers []parley.CannedAnswer
	Numbers       []parley.Number
}

// maxSettings is how many records of a kind a State holds; no company has more
// products, inboxes or members than that in one workspace.
const maxSettings = 5000

// State returns what a dashboard needs to begin with. What changes later is
// what the log tells behind the workspace's Seq.
func (svc *Service) State(ctx context.Context, ws parley.WorkspaceID) (State, error) {
	return desk.Snapshot(ctx, svc.desk, func(v *store.View) (s State, err error) {
		if s.Workspace, err = v.Workspace(ws); err != nil {
			return s, err
		}
		members, err := v.Members(ws, parley.Position{}, maxSettings)
		if err != nil {
			return s, err
		}
		inboxes, err := v.Inboxes(ws, parley.Position{}, maxSettings)
		if err != nil {
			return s, err
		}
		products, err := v.Products(ws, true, parley.Position{}, maxSettings)
		if err != nil {
			return s, err
		}
		numbers, err := v.Numbers(ws, parley.Position{}, maxSettings)
		if err != nil {
			return s, err
		}
		s.Members, s.Inboxes, s.Products, s.Numbers = members.Items, inboxes.Items, products.Items, numbers.Items
		if s.FormerMembers, err = v.FormerMembers(ws); err != nil {
			return s, err
		}
		if s.Labels, err = SelectLabels(v, ws); err != nil {
			return s, err
		}
		s.CannedAnswers, err = SelectCannedAnswers(v, ws)
		return s, err
	})
}
