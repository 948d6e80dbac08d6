package dashboard

import (
	"net/http"
	"slices"

	"parley"
	"parley/internal/httpjson"
)

// A Route is one operation. The router, the check against the OpenAPI
// document, the check of roles and the authorization tests read the same
// table.
type Route struct {
	Operation string // the operationId in the OpenAPI document
	Method    string
	Path      string
	Role      parley.Role // the lowest role that is admitted
	// Open routes need no session.
	Open   bool
	handle func(*Dashboard, *call) (httpjson.Reply, error)
}

const (
	methodGet    = http.MethodGet
	methodPost   = http.MethodPost
	methodPatch  = http.MethodPatch
	methodPut    = http.MethodPut
	methodDelete = http.MethodDelete
)

const base = "/v1/dashboard/"

// Routes returns the table of all operations under /v1/dashboard, joined from
// the tables of the nouns.
func Routes() []Route {
	return slices.Concat(
		sessionRoutes(), secondFactorRoutes(), confirmationRoutes(), signInProviderRoutes(), memberRoutes(), auditRoutes(), liveRoutes(), searchRoutes(), reportRoutes(), agentReportRoutes(),
		keyRoutes(), settingRoutes(), numberRoutes(), identityRoutes(), contactRoutes(), widgetRoutes(), erasureRoutes(), documentRoutes(), backupRoutes(), articleRoutes(), gapRoutes(), modelRoutes(), assistRoutes(), workRoutes(),
	)
}
