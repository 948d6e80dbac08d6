package dashboard

import (
	"slices"

	"parley/internal/mail"
	"parley/internal/visitors"
)

// Work has the services for how members share and order their work.
type Work struct {
	Mail     *mail.Service
	Visitors *visitors.Service
}

// workRoutes joins the tables of these services.
func workRoutes() []Route {
	return slices.Concat(
		visitRoutes(), welcomeRoutes(), officeHoursRoutes(),
	)
}
