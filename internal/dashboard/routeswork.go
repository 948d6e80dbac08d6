package dashboard

import (
	"slices"

	"parley/internal/bulk"
	"parley/internal/digest"
	"parley/internal/drafts"
	"parley/internal/later"
	"parley/internal/macros"
	"parley/internal/mail"
	"parley/internal/notices"
	"parley/internal/push"
	"parley/internal/teams"
	"parley/internal/threads"
	"parley/internal/views"
	"parley/internal/visitors"
)

// Work has the services for how members share and order their work.
type Work struct {
	Bulk     *bulk.Service
	Digest   *digest.Service
	Drafts   *drafts.Service
	Later    *later.Service
	Mail     *mail.Service
	Macros   *macros.Service
	Notices  *notices.Service
	Push     *push.Service
	Teams    *teams.Service
	Threads  *threads.Service
	Views    *views.Service
	Visitors *visitors.Service
}

// workRoutes joins the tables of these services.
func workRoutes() []Route {
	return slices.Concat(
		bulkRoutes(), draftRoutes(), scheduledRoutes(), noticeRoutes(), noticePreferenceRoutes(), pushRoutes(), macroRoutes(), teamRoutes(), viewRoutes(), threadRoutes(), visitRoutes(), welcomeRoutes(), officeHoursRoutes(),
		widgetTextsRoutes(), mailRoutes(),
	)
}
