package dashboard_test

import (
	"testing"

	"parley"
	"parley/internal/apitest"
)

// sightRules say for each operation that agents may use what one gets who sees only some
// conversations.
var sightRules = map[string]apitest.SightRule{
	"testPushDevice":               apitest.SightApart,
	"removePushDevice":             apitest.SightApart,
	"addPushDevice":                apitest.SightApart,
	"listPushDevices":              apitest.SightApart,
	"addArticlePicture":            apitest.SightApart,
	"assist":                       apitest.SightHidden,
	"cancelBulk":                   apitest.SightApart,
	"getConfirmation":              apitest.SightApart,
	"confirmSession":               apitest.SightApart,
	"changePassword":               apitest.SightApart,
	"getSecondFactor":              apitest.SightApart,
	"beginSecondFactor":            apitest.SightApart,
	"setSecondFactor":              apitest.SightApart,
	"turnOffSecondFactor":          apitest.SightApart,
	"renewRecoveryCodes":           apitest.SightApart,
	"connectProviderAccount":       apitest.SightApart,
	"countViews":                   apitest.SightCounted,
	"createCannedAnswer":           apitest.SightApart,
	"createMacro":                  apitest.SightApart,
	"createScheduled":              apitest.SightHidden,
	"createView":                   apitest.SightApart,
	"deleteCannedAnswer":           apitest.SightApart,
	"deleteMacro":                  apitest.SightApart,
	"deleteScheduled":              apitest.SightHidden,
	"deleteView":                   apitest.SightApart,
	"dismissContactDuplicate":      apitest.SightApart,
	"dismissKnowledgeGap":          apitest.SightRefused,
	"endOtherSessions":             apitest.SightApart,
	"endSession":                   apitest.SightApart,
	"draftArticleFromConversation": apitest.SightHidden,
	"findArticles":                 apitest.SightHidden,
	"followConversation":           apitest.SightHidden,
	"getProviderAccount":           apitest.SightApart,
	"getAgentReport":               apitest.SightRefused,
	"getAgentReportCsv":            apitest.SightRefused,
	"getArticleOrigin":             apitest.SightApart,
	"getAssist":                    apitest.SightApart,
	"getBulk":                      apitest.SightApart,
	"getCounts":                    apitest.SightCounted,
	"getDraft":                     apitest.SightHidden,
	"getNoticePreferences":         apitest.SightApart,
	"getOfficeHours":               apitest.SightApart,
	"getPublishedArticle":          apitest.SightApart,
	"getReport":                    apitest.SightCounted,
	"getReportCsv":                 apitest.SightRefused,
	"getSession":                   apitest.SightApart,
	"getState":                     apitest.SightApart,
	"getUnread":                    apitest.SightFiltered,
	"getVisit":                     apitest.SightApart,
	"getWidgetSettings":            apitest.SightApart,
	"getWidgetTexts":               apitest.SightApart,
	"linkConversations":            apitest.SightHidden,
	"listArticleFigures":           apitest.SightApart,
	"listBulks":                    apitest.SightApart,
	"listCannedAnswers":            apitest.SightApart,
	"listCompanyMoves":             apitest.SightApart,
	"listContactDuplicates":        apitest.SightApart,
	"listDrafts":                   apitest.SightFiltered,
	"listFollowers":                apitest.SightHidden,
	"listKnowledgeGaps":            apitest.SightRefused,
	"listLabels":                   apitest.SightApart,
	"listLinkedConversations":      apitest.SightHidden,
	"listMacros":                   apitest.SightApart,
	"listNotices":                  apitest.SightFiltered,
	"listScheduled":                apitest.SightHidden,
	"listSessions":                 apitest.SightApart,
	"listViews":                    apitest.SightApart,
	"listWays":                     apitest.SightApart,
	"mergeContacts":                apitest.SightApart,
	"mergeConversations":           apitest.SightHidden,
	"previewArticle":               apitest.SightApart,
	"putDraft":                     apitest.SightHidden,
	"readConversation":             apitest.SightHidden,
	"readNotices":                  apitest.SightApart,
	"runMacro":                     apitest.SightHidden,
	"search":                       apitest.SightFiltered,
	"searchContacts":               apitest.SightApart,
	"sendScheduledNow":             apitest.SightHidden,
	"setArticleOrigin":             apitest.SightHidden,
	"setPresence":                  apitest.SightApart,
	"signOut":                      apitest.SightApart,
	"signOutContact":               apitest.SightApart,
	"signOutEverywhere":            apitest.SightApart,
	"startBulk":                    apitest.SightApart,
	"streamEvents":                 apitest.SightApart,
	"undoBulk":                     apitest.SightApart,
	"unfollowConversation":         apitest.SightHidden,
	"unlinkConversations":          apitest.SightHidden,
	"splitConversation":            apitest.SightHidden,
	"unmergeConversation":          apitest.SightHidden,
	"unreadConversation":           apitest.SightHidden,
	"updateCannedAnswer":           apitest.SightApart,
	"updateMacro":                  apitest.SightApart,
	"updateMember":                 apitest.SightApart,
	"updateNoticePreferences":      apitest.SightApart,
	"updateScheduled":              apitest.SightHidden,
	"updateView":                   apitest.SightApart,
}

// TestSight sends every operation as members who see everything, all inboxes, and none.
func TestSight(t *testing.T) {
	w := onSQLite(t)
	all := samples(w)
	walk := apitest.SightWalk{
		World: w.World, Rules: sightRules, Request: w.request, SignIn: w.signIn,
		Sample: func(t *testing.T, row apitest.Row) apitest.Sample {
			sample, ok := all[row.Operation]
			if !ok {
				t.Fatalf("the operation %s has no row in samples", row.Operation)
			}
			return sample()
		},
		Member: func() parley.Member {
			m, _ := w.member(parley.Agent)
			return m
		},
	}
	walk.Walk(t, surface(w))
}
