package widget

import (
	"net/http"

	"parley/internal/httpjson"
)

// A Route is one operation. The router, the check against the OpenAPI document,
// and the tests with hostile requests read the same table.
type Route struct {
	Operation string // the operationId in the OpenAPI document
	Method    string
	Path      string
	// Open operations need no session.
	Open     bool
	Throttle Throttle
	handle   func(*API, *call) (httpjson.Reply, error)
}

// A Throttle says how the requests of an operation are counted.
type Throttle int

const (
	unthrottled Throttle = iota // except by address, as every request is
	bySessions
	byMessages
	byUploads
	byTyping
	byStreams
	byReads // and changes that store nothing new
	byQuestions
	byVisits
)

// stores reports whether operations counted like this keep something new of a visitor's.
func (t Throttle) stores() bool {
	return t == bySessions || t == byMessages || t == byUploads || t == byVisits
}

// Routes returns the table of all operations under /v1/widget.
func Routes() []Route {
	const (
		get, post, remove = http.MethodGet, http.MethodPost, http.MethodDelete
		conversation      = "/v1/widget/conversations/{id}"
		inbox             = "/v1/widget/inboxes/{id}"
	)
	return []Route{
		{"getWidget", get, inbox, true, unthrottled, (*API).getWidget},
		{"listWidgetArticles", get, inbox + "/articles", true, byQuestions, (*API).listArticles},
		{"searchWidgetArticles", get, inbox + "/articles/search", true, byQuestions, (*API).searchArticles},
		{"getWidgetArticle", get, inbox + "/articles/{slug}", true, byQuestions, (*API).getArticle},
		{"rateWidgetArticle", post, inbox + "/articles/{slug}/feedback", true, byQuestions, (*API).rateArticle},
		{"suggestWidgetArticles", post, inbox + "/suggestions", true, byQuestions, (*API).suggestArticles},
		{"startCustomerSession", post, "/v1/widget/sessions", true, bySessions, (*API).startSession},
		{"getCustomerSession", get, "/v1/widget/session", false, byReads, (*API).getSession},
		{"endCustomerSession", remove, "/v1/widget/session", false, byReads, (*API).endSession},
		{"putVisit", http.MethodPut, "/v1/widget/session/visit", false, byVisits, (*API).putVisit},
		{"giveAddress", post, "/v1/widget/session/address", false, byMessages, (*API).giveAddress},

		{"listCustomerConversations", get, "/v1/widget/conversations", false, byReads, (*API).listConversations},
		{"startCustomerConversation", post, "/v1/widget/conversations", false, byMessages, (*API).startConversation},
		{"getCustomerConversation", get, conversation, false, byReads, (*API).getConversation},
		{"postCustomerMessage", post, conversation + "/messages", false, byMessages, (*API).postMessage},
		{"readCustomerConversation", post, conversation + "/read", false, byReads, (*API).readConversation},
		{"askForPerson", post, conversation + "/person", false, byMessages, (*API).askForPerson},
		{"markAnswerHelped", post, conversation + "/messages/{messageId}/helped", false, byMessages, (*API).markHelped},
		{"setCustomerTyping", post, conversation + "/typing", false, byTyping, (*API).setTyping},
		{"uploadCustomerAttachment", post, "/v1/widget/attachments", false, byUploads, (*API).uploadAttachment},
		{"streamCustomerEvents", get, "/v1/widget/events", false, byStreams, (*API).streamEvents},

		{"getWidgetOpenapiJson", get, "/v1/widget/openapi.json", true, unthrottled, (*API).openapiJSON},
		{"getWidgetOpenapiYaml", get, "/v1/widget/openapi.yaml", true, unthrottled, (*API).openapiYAML},
	}
}
