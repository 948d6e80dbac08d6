package settings

import (
	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/teams"
)

// A State is what a dashboard loads first, from one snapshot.
type State struct {
	Workspace     parley.Workspace // its position of the log is that of the snapshot
	Members       []parley.Member
	FormerMembers []parley.Member
	Inboxes       []parley.Inbox
	Products      []parley.Product // including archived ones
	Labels        []parley.Label
	CannedAnswers []parley.CannedAnswer
	Numbers       []parley.Number
	Teams         []parley.Team
}

// maxSettings is how many records of each kind a State holds. No company has
// more products, inboxes or members in one workspace.
const maxSettings = 5000

// State returns what a dashboard loads first. The log after the workspace's Seq
// has the later changes.
func (svc *Service) State(ws parley.WorkspaceID) desk.Read[State] {
	return desk.Snapshot(svc.desk, func(v *store.View) (s State, err error) {
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
		if s.CannedAnswers, err = SelectCannedAnswers(v, ws); err != nil {
			return s, err
		}
		s.Teams, err = teams.All(v, ws)
		return s, err
	})
}
