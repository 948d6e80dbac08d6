package publicapi

import (
	"net/http"
	"slices"
	"strings"

	"parley"
	"parley/internal/httpjson"
)

const (
	companiesPath = "/v1/public/companies"
	storesPath    = "/v1/public/stores"

	articlesPath    = "/v1/public/articles"
	articleTextPath = articlesPath + "/{id}/texts/{language}"
	categoriesPath  = "/v1/public/article-categories"
	helpCentersPath = "/v1/public/help-centers"
)

// A Route is one operation. The router, the OpenAPI check, the scope check and
// the authorization tests read the same table.
type Route struct {
	Operation string // the operationId in the OpenAPI document
	Method    string
	Path      string
	// Scopes are alternatives: a key needs all scopes of one alternative.
	Scopes [][]parley.Scope
	// Older are alternatives that are valid until the sunset of the stores
	// routes, for keys made before companies had scopes (contract, section 5).
	Older [][]parley.Scope
	// Open routes need no key.
	Open   bool
	handle func(*API, *call) (httpjson.Reply, error)
}

// permit returns Forbidden if the key may not use the route.
func (r *Route) permit(key parley.Key, older bool) error {
	if slices.ContainsFunc(r.Scopes, key.Holds) {
		return nil
	}
	if older {
		if slices.ContainsFunc(r.Older, key.Holds) {
			return nil
		}
	}
	alternatives := make([]string, len(r.Scopes))
	for i, scopes := range r.Scopes {
		alternatives[i] = strings.ReplaceAll(parley.JoinScopes(scopes), " ", " and ")
	}
	return parley.Errorf(parley.Forbidden, "the API key lacks a scope; this operation needs %s", strings.Join(alternatives, " or "))
}

// Routes returns the table of all operations under /v1/public.
func Routes() []Route {
	const get, post, patch, put, remove = http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodPut, http.MethodDelete
	var (
		conversationsRead  = all(parley.ConversationsRead)
		conversationsWrite = all(parley.ConversationsWrite)
		contactsRead       = all(parley.ContactsRead)
		contactsWrite      = all(parley.ContactsWrite)
		companiesRead      = all(parley.CompaniesRead)
		companiesWrite     = all(parley.CompaniesWrite)
		companyContacts    = all(parley.ContactsRead, parley.CompaniesRead)
		productsRead       = all(parley.ProductsRead)
		eventsRead         = anyOf(parley.ReadScopes)
	)
	routes := []Route{
		{"listConversations", get, "/v1/public/conversations", conversationsRead, nil, false, (*API).listConversations},
		{"createConversation", post, "/v1/public/conversations", conversationsWrite, nil, false, (*API).createConversation},
		{"getConversation", get, "/v1/public/conversations/{id}", conversationsRead, nil, false, (*API).getConversation},
		{"updateConversation", patch, "/v1/public/conversations/{id}", conversationsWrite, nil, false, (*API).updateConversation},
		{"getConversationHistory", get, "/v1/public/conversations/{id}/history", conversationsRead, nil, false, (*API).getConversationHistory},
		{"markConversationRead", post, "/v1/public/conversations/{id}/read", conversationsWrite, nil, false, (*API).markConversationRead},
		{"addConversationLabel", put, "/v1/public/conversations/{id}/labels/{label}", conversationsWrite, nil, false, (*API).addLabel},
		{"removeConversationLabel", remove, "/v1/public/conversations/{id}/labels/{label}", conversationsWrite, nil, false, (*API).removeLabel},
		{"listMessages", get, "/v1/public/conversations/{id}/messages", conversationsRead, nil, false, (*API).listMessages},
		{"createMessage", post, "/v1/public/conversations/{id}/messages", conversationsWrite, nil, false, (*API).createMessage},

		{"getMessage", get, "/v1/public/messages/{id}", conversationsRead, nil, false, (*API).getMessage},

		{"uploadAttachment", post, "/v1/public/attachments", conversationsWrite, nil, false, (*API).uploadAttachment},
		{"getAttachment", get, "/v1/public/attachments/{id}", conversationsRead, nil, false, (*API).getAttachment},

		{"createContact", post, "/v1/public/contacts", contactsWrite, nil, false, (*API).createContact},
		{"listContacts", get, "/v1/public/contacts", contactsRead, nil, false, (*API).listContacts},
		{"getContact", get, "/v1/public/contacts/{id}", contactsRead, nil, false, (*API).getContact},
		{"updateContact", patch, "/v1/public/contacts/{id}", contactsWrite, nil, false, (*API).updateContact},

		{"listCompanies", get, companiesPath, companiesRead, contactsRead, false, (*API).listCompanies},
		{"createCompany", post, companiesPath, companiesWrite, contactsWrite, false, (*API).createCompany},
		{"getCompany", get, companiesPath + "/{id}", companiesRead, contactsRead, false, (*API).getCompany},
		{"updateCompany", patch, companiesPath + "/{id}", companiesWrite, nil, false, (*API).updateCompany},
		{"listCompanyContacts", get, companiesPath + "/{id}/contacts", companyContacts, contactsRead, false, (*API).listCompanyContacts},

		{"listProducts", get, "/v1/public/products", productsRead, nil, false, (*API).listProducts},
		{"getProduct", get, "/v1/public/products/{id}", productsRead, nil, false, (*API).getProduct},

		{"createGroup", post, "/v1/public/chatapp/groups", conversationsWrite, nil, false, (*API).createGroup},
		{"addGroupParticipants", post, "/v1/public/chatapp/groups/{id}/participants", conversationsWrite, nil, false, (*API).addGroupParticipants},
		{"setGroupAdmin", post, "/v1/public/chatapp/groups/{id}/admins", conversationsWrite, nil, false, (*API).setGroupAdmin},

		{"listInboxes", get, "/v1/public/inboxes", conversationsRead, nil, false, (*API).listInboxes},
		{"listMembers", get, "/v1/public/members", conversationsRead, nil, false, (*API).listMembers},
		{"listTeams", get, "/v1/public/teams", conversationsRead, nil, false, listTeams},
		{"listNumbers", get, "/v1/public/chatapp/numbers", conversationsRead, nil, false, (*API).listNumbers},
		{"listEvents", get, "/v1/public/events", eventsRead, nil, false, (*API).listEvents},

		{"getOpenapiJson", get, "/v1/public/openapi.json", nil, nil, true, (*API).openapiJSON},
		{"getOpenapiYaml", get, "/v1/public/openapi.yaml", nil, nil, true, (*API).openapiYAML},
	}
	return slices.Concat(routes, knowledgeRoutes(), storesRoutes(routes))
}

// knowledgeRoutes are the operations on articles, their categories and help centers.
func knowledgeRoutes() []Route {
	const get, post, patch, put, remove = http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodPut, http.MethodDelete
	read, write := all(parley.KnowledgeRead), all(parley.KnowledgeWrite)
	return []Route{
		{"listArticles", get, articlesPath, read, nil, false, (*API).listArticles},
		{"createArticle", post, articlesPath, write, nil, false, (*API).createArticle},
		{"searchArticles", get, articlesPath + "/search", read, nil, false, searchArticles},
		{"getArticle", get, articlesPath + "/{id}", read, nil, false, (*API).getArticle},
		{"updateArticle", patch, articlesPath + "/{id}", write, nil, false, (*API).updateArticle},
		{"deleteArticle", remove, articlesPath + "/{id}", write, nil, false, (*API).deleteArticle},
		{"publishArticle", post, articlesPath + "/{id}/publish", write, nil, false, (*API).publishArticle},
		{"getArticleText", get, articleTextPath, read, nil, false, (*API).getArticleText},
		{"saveArticleText", put, articleTextPath, write, nil, false, (*API).saveArticleText},
		{"deleteArticleText", remove, articleTextPath, write, nil, false, (*API).deleteArticleText},
		{"listArticleVersions", get, articleTextPath + "/versions", read, nil, false, (*API).listArticleVersions},
		{"restoreArticleVersion", post, articleTextPath + "/versions/{version}/restore", write, nil, false, (*API).restoreArticleVersion},

		{"listArticleCategories", get, categoriesPath, read, nil, false, (*API).listArticleCategories},
		{"createArticleCategory", post, categoriesPath, write, nil, false, (*API).createArticleCategory},
		{"updateArticleCategory", patch, categoriesPath + "/{id}", write, nil, false, (*API).updateArticleCategory},
		{"deleteArticleCategory", remove, categoriesPath + "/{id}", write, nil, false, (*API).deleteArticleCategory},

		{"listHelpCenters", get, helpCentersPath, read, nil, false, (*API).listHelpCenters},
		{"saveHelpCenter", put, helpCentersPath + "/{productId}", write, nil, false, (*API).saveHelpCenter},
		{"deleteHelpCenter", remove, helpCentersPath + "/{productId}", write, nil, false, (*API).deleteHelpCenter},
	}
}

// all is a single alternative that requires all scopes.
func all(scopes ...parley.Scope) [][]parley.Scope { return [][]parley.Scope{scopes} }

// anyOf makes each scope an alternative.
func anyOf(scopes []parley.Scope) [][]parley.Scope {
	var alternatives [][]parley.Scope
	for _, scope := range scopes {
		alternatives = append(alternatives, all(scope)...)
	}
	return alternatives
}

// storesRoutes derives the stores routes from those of companies: the old name
// of the same operations (contract, section 4, stores).
func storesRoutes(routes []Route) []Route {
	names := map[string]string{
		"listCompanies": "listStores", "createCompany": "createStore",
		"getCompany": "getStore", "listCompanyContacts": "listStoreContacts",
	}
	var stores []Route
	for _, route := range routes {
		if name, ok := names[route.Operation]; ok {
			route.Operation = name
			route.Path = storesPath + strings.TrimPrefix(route.Path, companiesPath)
			stores = append(stores, route)
		}
	}
	return stores
}
