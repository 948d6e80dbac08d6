package dashboard

import (
	"slices"

	"parley/internal/drafts"
	"parley/internal/macros"
	"parley/internal/mail"
	"parley/internal/visitors"
)

// Work has the services for how members share and order their work.
type Work struct {
	Drafts   *drafts.Service
	Mail     *mail.Service
	Macros   *macros.Service
	Visitors *visitors.Service
}

// workRoutes joins the tables of these services.
func workRoutes() []Route {
	return slices.Concat(
		draftRoutes(), macroRoutes(), visitRoutes(), welcomeRoutes(), officeHoursRoutes(), mailRoutes(),
	)
}
