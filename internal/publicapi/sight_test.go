package publicapi_test

import (
	"fmt"
	"testing"

	"parley"
	"parley/internal/access"
	"parley/internal/apitest"
)

// sightRules say for each operation what an agent gets who sees only some conversations.
// Keys see all of them.
var sightRules = map[string]apitest.SightRule{
	"listConversations": apitest.SightFiltered, "listEvents": apitest.SightFiltered,

	"getConversation": apitest.SightHidden, "getConversationHistory": apitest.SightHidden, "updateConversation": apitest.SightHidden,
	"markConversationRead": apitest.SightHidden, "addConversationLabel": apitest.SightHidden, "removeConversationLabel": apitest.SightHidden,
	"listMessages": apitest.SightHidden, "getMessage": apitest.SightHidden, "createMessage": apitest.SightHidden,
	"getAttachment": apitest.SightHidden, "addGroupParticipants": apitest.SightHidden, "setGroupAdmin": apitest.SightHidden,

	"createConversation": apitest.SightRefused, "createGroup": apitest.SightRefused,

	"uploadAttachment": apitest.SightApart, "createContact": apitest.SightApart, "listContacts": apitest.SightApart,
	"getContact": apitest.SightApart, "updateContact": apitest.SightApart, "listCompanies": apitest.SightApart,
	"createCompany": apitest.SightApart, "getCompany": apitest.SightApart, "updateCompany": apitest.SightApart,
	"listCompanyContacts": apitest.SightApart, "listProducts": apitest.SightApart, "getProduct": apitest.SightApart,
	"listInboxes": apitest.SightApart, "listMembers": apitest.SightApart, "listTeams": apitest.SightApart, "listNumbers": apitest.SightApart,
	"listStores": apitest.SightApart, "createStore": apitest.SightApart, "getStore": apitest.SightApart, "listStoreContacts": apitest.SightApart,
	"listArticles": apitest.SightApart, "searchArticles": apitest.SightApart, "createArticle": apitest.SightApart,
	"getArticle": apitest.SightApart, "updateArticle": apitest.SightApart, "publishArticle": apitest.SightApart,
	"getArticleText": apitest.SightApart, "saveArticleText": apitest.SightApart, "listArticleVersions": apitest.SightApart,
	"restoreArticleVersion": apitest.SightApart, "listArticleCategories": apitest.SightApart, "listHelpCenters": apitest.SightApart,
	"deleteArticle": apitest.SightApart, "deleteArticleText": apitest.SightApart, "createArticleCategory": apitest.SightApart,
	"updateArticleCategory": apitest.SightApart, "deleteArticleCategory": apitest.SightApart,
}

// TestSight sends every operation as members who see everything, all inboxes, and none.
func TestSight(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	r := w.records()
	file := w.Post("/v1/public/conversations/"+r.conversation+"/messages", `{"content":"see the file","attachmentIds":["`+r.file+`"]}`).Want(201)
	if file.Count("attachments") != 1 {
		t.Fatalf("the message has no file: %s", file.Body)
	}
	all := samples(r)
	made := 0
	walk := apitest.SightWalk{
		World: w.World, Rules: sightRules,
		Sample: func(t *testing.T, row apitest.Row) apitest.Sample {
			sample, ok := all[row.Operation]
			if !ok {
				t.Fatalf("the operation %s has no row in samples", row.Operation)
			}
			return sample
		},
		Request: func(method string, s apitest.Sample, session parley.Token) apitest.Request {
			return apitest.Request{Method: method, Path: s.Path, Body: s.Body, Session: session}
		},
		Member: func() parley.Member {
			made++
			m, _, err := w.Access.CreateMember(t.Context(), w.by(), access.NewMember{Email: fmt.Sprintf("agent%d@home.example", made), Name: "Agent", Role: parley.Agent})
			if err != nil {
				t.Fatal(err)
			}
			return m
		},
		SignIn: w.SignIn,
	}
	walk.Walk(t, surface(all))
}
