package customers

import (
	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

// maxCompanyMoves is how many moves between companies are returned.
const maxCompanyMoves = 50

// CompanyMoves returns the moves of a contact between companies by signed
// identities, newest first, at most 50. The id may be that of a contact that
// was merged into it.
func (svc *Service) CompanyMoves(ws parley.WorkspaceID, contact parley.ID) desk.Read[[]parley.CompanyMove] {
	return desk.Snapshot(svc.desk, func(v *store.View) ([]parley.CompanyMove, error) {
		c, err := desk.ContactNow(v, ws, contact)
		if err != nil {
			return nil, err
		}
		return SelectCompanyMoves(v, ws, c.ID, maxCompanyMoves)
	})
}
