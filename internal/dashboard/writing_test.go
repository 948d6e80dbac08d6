package dashboard_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/desk"
	"parley/internal/identity"
)

// A writing writes at random. It knows the ids of the records it created.
type writing struct {
	w  *world
	mu sync.Mutex
	// By kind; a slice each.
	ids    map[string][]string
	web    parley.ID // an inbox with a widget
	next   int
	random *rand.Rand
}

func newWriting(w *world, random *rand.Rand) *writing {
	x := &writing{w: w, ids: map[string][]string{}, web: w.webInbox(), random: random}
	if _, err := w.Numbers.ConnectNumber(w.T.Context(), w.By(), "4930555001", parley.DriverSandbox); err != nil {
		w.T.Fatal(err)
	}
	for range 3 {
		x.ids["contact"] = append(x.ids["contact"], w.Contact(`{"name":"Ann"}`))
		x.ids["conversation"] = append(x.ids["conversation"], w.Conversation())
		x.ids["company"] = append(x.ids["company"], w.Post("/v1/public/companies", `{"name":"Acme"}`).Want(201).Text("id"))
		product, err := w.Desk.CreateProduct(w.T.Context(), w.By(), fmt.Sprint("Shop ", len(x.ids["product"])), "")
		if err != nil {
			w.T.Fatal(err)
		}
		x.ids["product"] = append(x.ids["product"], product.ID.String())
		inbox, err := w.Desk.CreateInbox(w.T.Context(), w.By(), desk.NewInbox{Name: "In", Channel: parley.ChannelAPI})
		if err != nil {
			w.T.Fatal(err)
		}
		x.ids["inbox"] = append(x.ids["inbox"], inbox.ID.String())
		member, _ := w.member(parley.Agent)
		x.ids["member"] = append(x.ids["member"], string(member.ID))
	}
	for i := range 9 { // all but the first share an address with another
		made := w.customer(x.web, fmt.Sprint("twin", i), "twin@x.example")
		x.ids["contact"] = append(x.ids["contact"], made.Contact.ID.String())
	}
	x.ids["group"] = []string{w.Post("/v1/public/chatapp/groups", `{"name":"G","participants":["4915100000077"],"from":"4930555001"}`).
		Want(201).Text("conversation_id")}
	return x
}

// one returns an id of a kind.
func (x *writing) one(kind string) string {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.ids[kind]) == 0 {
		return "none"
	}
	return x.ids[kind][x.random.IntN(len(x.ids[kind]))]
}

// later schedules a message in a new conversation and returns its id.
func (x *writing) later() string {
	path := "/v1/dashboard/conversations/" + x.w.Conversation() + "/scheduled"
	return x.w.Post(path, `{"content":"later","sendAt":"`+x.w.Now().Add(time.Hour).Format(time.RFC3339)+`"}`).Want(201).Text("id")
}

// unique returns a text that did not occur before.
func (x *writing) unique() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.next++
	return fmt.Sprint("n", x.next)
}

// pick returns one of some texts.
func (x *writing) pick(of ...string) string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return of[x.random.IntN(len(of))]
}

// An operation is a request, and the kind of record that the id in its answer
// names, if it is used later.
type operation struct {
	method, path, body, makes string
}

// customers are the operations of customers in front of a widget. Their paths
// follow the token of a session.
func (x *writing) customers() map[string]func() operation {
	own := func(path string) string { return x.one("session") + " /v1/widget/" + path }
	return map[string]func() operation{
		"startCustomerSession": func() operation {
			identity, err := x.w.Customers.SignIdentity(x.w.T.Context(), x.w.Home.Workspace.ID, identity.Claims{
				Subject: x.pick("s1", "s2", "s3", "s4", x.unique()), Name: x.pick("", "Ada", x.unique()), EmailVerified: true,
				Email: x.pick("", "s1@x.example", "s2@x.example"), ExpiresAt: x.w.Now().Add(time.Hour),
				Organization: parley.Some(identity.Organization{ID: x.pick("o1", "o2"), Name: x.pick("", "Org", x.unique())}),
			})
			if err != nil {
				x.w.T.Error(err)
			}
			body := `{"inboxId":"` + x.web.String() + `","visitor":"` + x.one("session") + `","identity":"` + x.pick("", identity) + `"}`
			return operation{"POST", "/v1/widget/sessions", body, "session"}
		},
		"startCustomerConversation": func() operation {
			return operation{"POST", own("conversations"), `{"content":"hello"}`, "conversation"}
		},
		"postCustomerMessage": func() operation {
			return operation{"POST", own("conversations/" + x.one("conversation") + "/messages"), `{"content":"and"}`, ""}
		},
		"readCustomerConversation": func() operation {
			return operation{"POST", own("conversations/" + x.one("conversation") + "/read"), "", ""}
		},
		"askForPerson": func() operation {
			return operation{"POST", own("conversations/" + x.one("conversation") + "/person"), "", ""}
		},
	}
}

// operations returns a maker of random requests for each operation that
// changes something.
func (x *writing) operations() map[string]func() operation {
	const public, board = "/v1/public/", "/v1/dashboard/"
	all := map[string]func() operation{
		"createConversation": func() operation {
			return operation{"POST", public + "conversations", `{"contactId":"` + x.one("contact") + `","inboxId":"` + x.one("inbox") + `"}`, "conversation"}
		},
		"updateProductAgent": func() operation {
			return operation{"PATCH", board + "products/" + x.one("product") + "/agent", `{"mode":"` + x.pick("off", "answer", "answer") + `"}`, ""}
		},
		"updateConversation": func() operation {
			return operation{"PATCH", public + "conversations/" + x.one("conversation"), x.pick(
				`{"status":"resolved"}`, `{"status":"open"}`, `{"priority":"high","labels":["vip"]}`,
				`{"assigneeId":"`+x.one("member")+`"}`, `{"assigneeId":null}`, `{"spam":true}`, `{"spam":false}`, `{"productId":"`+x.one("product")+`"}`,
				`{"teamId":"`+x.one("team")+`"}`, `{"teamId":null}`, `{"customAttributes":{"a":"`+x.unique()+`"}}`), ""}
		},
		"createMessage": func() operation {
			return operation{"POST", public + "conversations/" + x.one("conversation") + "/messages", x.pick(
				`{"content":"hi","role":"incoming"}`, `{"content":"hello"}`, `{"content":"psst","isPrivate":true}`,
				`{"content":"long ago","role":"incoming","createdAt":"2026-11-01T00:00:00Z"}`), ""}
		},
		"dismissContactDuplicate": func() operation {
			id := "none"
			var ids []string
			for _, pair := range x.w.Get(board + "contact-duplicates").Want(200).Field("data").([]any) {
				ids = append(ids, text(object(pair)["id"]))
			}
			if len(ids) > 0 {
				id = x.pick(ids...)
			}
			return operation{"DELETE", board + "contact-duplicates/" + id, "", ""}
		},
		"createContact": func() operation {
			return operation{"POST", public + "contacts", `{"name":"Bo","email":"` + x.unique() + `@c.example"}`, "contact"}
		},
		"updateContact": func() operation {
			return operation{"PATCH", public + "contacts/" + x.one("contact"), x.pick(
				`{"name":"`+x.unique()+`"}`, `{"companyId":"`+x.one("company")+`"}`, `{"companyId":null,"shopName":"S"}`,
				`{"avatarUrl":"https://img.example/`+x.unique()+`.png"}`), ""}
		},
		"createCompany": func() operation {
			return operation{"POST", public + x.pick("companies", "stores"), `{"name":"` + x.unique() + `"}`, "company"}
		},
		"updateCompany": func() operation {
			return operation{"PATCH", public + "companies/" + x.one("company"), `{"name":"` + x.unique() + `"}`, ""}
		},
		"createGroup": func() operation {
			return operation{"POST", public + "chatapp/groups", `{"name":"` + x.unique() + `","participants":["4915100000078"],"from":"4930555001","message":"welcome"}`, ""}
		},
		"addGroupParticipants": func() operation {
			return operation{"POST", public + "chatapp/groups/" + x.one("group") + "/participants", `{"participants":["491510000007` + x.pick("5", "6") + `"]}`, ""}
		},
		"setGroupAdmin": func() operation {
			return operation{"POST", public + "chatapp/groups/" + x.one("group") + "/admins", `{"phone":"4915100000077","admin":` + x.pick("true", "false") + `}`, ""}
		},
		"readConversation": func() operation {
			return operation{"POST", board + "conversations/" + x.one("conversation") + "/read", "", ""}
		},
		"unreadConversation": func() operation {
			return operation{"POST", board + "conversations/" + x.one("conversation") + "/unread", "", ""}
		},
		"markConversationRead": func() operation {
			return operation{"POST", public + "conversations/" + x.one("conversation") + "/read", "", ""}
		},
		"addConversationLabel": func() operation {
			return operation{"PUT", public + "conversations/" + x.one("conversation") + "/labels/" + x.pick("vip", "billing", "new"), "", ""}
		},
		"removeConversationLabel": func() operation {
			return operation{"DELETE", public + "conversations/" + x.one("conversation") + "/labels/" + x.pick("vip", "billing", "new"), "", ""}
		},
		"deleteConversation": func() operation {
			return operation{"DELETE", board + "conversations/" + x.one("conversation"), "", ""}
		},
		"eraseContact": func() operation {
			return operation{"POST", board + "contacts/" + x.one("contact") + "/erasure", "", ""}
		},
		"mergeConversations": func() operation {
			into, from := x.one("conversation"), x.one("conversation")
			// Most others are of other contacts.
			if c := x.w.Send(apitest.Request{Method: "GET", Path: "/v1/public/conversations/" + into, Session: x.w.Owner}); c.Status == 200 {
				made := x.w.Send(apitest.Request{
					Method: "POST", Path: "/v1/public/conversations", Session: x.w.Owner,
					Body: `{"contactId":"` + c.Text("contact.id") + `","inboxId":"` + c.Text("inbox.id") + `"}`,
				})
				if made.Status == 201 {
					from = made.Text("id")
					x.mu.Lock()
					x.ids["conversation"] = append(x.ids["conversation"], from)
					x.mu.Unlock()
				}
			}
			return operation{"POST", board + "conversations/" + from + "/merge", `{"intoId":"` + into + `"}`, ""}
		},
		"splitConversation": func() operation {
			id := x.one("conversation")
			for range 2 { // most others have too few messages
				x.w.Send(apitest.Request{Method: "POST", Path: public + "conversations/" + id + "/messages", Session: x.w.Owner, Body: `{"content":"split","role":"incoming"}`})
			}
			c, message := x.w.Send(apitest.Request{Method: "GET", Path: public + "conversations/" + id, Session: x.w.Owner}), "none"
			if c.Status == 200 {
				if n := c.Count("messages.data"); n > 1 {
					x.mu.Lock()
					at := 1 + x.random.IntN(n-1)
					x.mu.Unlock()
					message = c.Text(fmt.Sprintf("messages.data.%d.id", at))
				}
			}
			return operation{"POST", board + "conversations/" + id + "/split", `{"messageId":"` + message + `"}`, "conversation"}
		},
		"unmergeConversation": func() operation {
			return operation{"POST", board + "conversations/" + x.one("conversation") + "/unmerge", "", ""}
		},
		"mergeContacts": func() operation {
			return operation{"POST", board + "contacts/" + x.one("contact") + "/merge", `{"intoId":"` + x.one("contact") + `"}`, ""}
		},
	}
	maps.Copy(all, x.settings(board))
	maps.Copy(all, x.knowledge(public))
	maps.Copy(all, x.customers())
	all["createStore"] = all["createCompany"]
	return all
}

// settings are the operations of the settings.
func (x *writing) settings(board string) map[string]func() operation {
	return map[string]func() operation{
		"updateWorkspace": func() operation {
			return operation{"PATCH", board + "workspace", `{"name":"` + x.unique() + `"}`, ""}
		},
		"acceptInvitation": func() operation {
			invited := x.w.Post(board+"invitations", `{"email":"`+x.unique()+`@m.example","role":"agent"}`).Want(201)
			_, token, _ := strings.Cut(invited.Text("link"), "#")
			return operation{"POST", board + "invitations/accept", `{"token":"` + token + `","name":"New","password":"a long password"}`, ""}
		},
		"updateMember": func() operation {
			return operation{"PATCH", board + "members/" + x.one("member"), x.pick(`{"name":"`+x.unique()+`"}`, `{"role":"admin"}`), ""}
		},
		"deleteMember": func() operation { return operation{"DELETE", board + "members/" + x.one("member"), "", ""} },
		"createProduct": func() operation {
			return operation{"POST", board + "products", `{"name":"` + x.unique() + `"}`, "product"}
		},
		"updateProduct": func() operation {
			return operation{"PATCH", board + "products/" + x.one("product"), x.pick(`{"name":"`+x.unique()+`"}`, `{"archived":true}`, `{"archived":false}`), ""}
		},
		"createInbox": func() operation {
			return operation{"POST", board + "inboxes", `{"name":"` + x.unique() + `","channelType":"api"}`, "inbox"}
		},
		"updateInbox": func() operation {
			return operation{"PATCH", board + "inboxes/" + x.one("inbox"), `{"name":"` + x.unique() + `"}`, ""}
		},
		"createCannedAnswer": func() operation {
			return operation{"POST", board + "canned-answers", `{"shortcut":"` + x.unique() + `","content":"Hello"}`, "canned"}
		},
		"updateCannedAnswer": func() operation {
			return operation{"PATCH", board + "canned-answers/" + x.one("canned"), `{"content":"` + x.unique() + `"}`, ""}
		},
		"deleteCannedAnswer": func() operation { return operation{"DELETE", board + "canned-answers/" + x.one("canned"), "", ""} },
		"startBulk": func() operation {
			return operation{"POST", board + "bulk", `{"ids":["` + x.one("conversation") + `"],` + x.pick(`"label":"vip"`, `"unlabel":"vip"`, `"read":true`, `"change":{"status":"resolved"}`) + `}`, "bulk"}
		},
		"cancelBulk": func() operation { return operation{"POST", board + "bulk/" + x.one("bulk") + "/cancel", "", ""} },
		"undoBulk":   func() operation { return operation{"POST", board + "bulk/" + x.one("bulk") + "/undo", "", ""} },
		"createView": func() operation {
			return operation{"POST", board + "views", `{"name":"V","scope":"` + x.pick("own", "all") + `","query":"status=` + x.pick("open", "pending") + `&assigneeId=me"}`, "view"}
		},
		"updateView": func() operation {
			return operation{"PATCH", board + "views/" + x.one("view"), `{"position":` + x.pick("1", "2") + `,"pinned":` + x.pick("true", "false") + `}`, ""}
		},
		"deleteView": func() operation { return operation{"DELETE", board + "views/" + x.one("view"), "", ""} },
		"createTeam": func() operation {
			return operation{"POST", board + "teams", `{"name":"` + x.unique() + `","color":"teal","memberIds":["` + x.one("member") + `"],"inboxIds":["` + x.one("inbox") + `"]}`, "team"}
		},
		"updateTeam": func() operation {
			return operation{"PATCH", board + "teams/" + x.one("team"), x.pick(`{"name":"`+x.unique()+`"}`,
				`{"memberIds":["`+x.one("member")+`"],"inboxIds":["`+x.one("inbox")+`"],"productIds":["`+x.one("product")+`"]}`), ""}
		},
		"deleteTeam": func() operation { return operation{"DELETE", board + "teams/" + x.one("team"), "", ""} },
		"createMacro": func() operation {
			return operation{"POST", board + "macros", `{"name":"M","scope":"` + x.pick("own", "all") + `","actions":{"note":"So","reply":"Hello {{contact.name}}",` +
				`"status":"` + x.pick("open", "pending", "resolved") + `","addLabels":["m"]}}`, "macro"}
		},
		"updateMacro": func() operation {
			return operation{"PATCH", board + "macros/" + x.one("macro"), `{"scope":"` + x.pick("own", "all") + `","version":1}`, ""}
		},
		"deleteMacro": func() operation { return operation{"DELETE", board + "macros/" + x.one("macro"), "", ""} },
		"runMacro": func() operation {
			return operation{"POST", board + "conversations/" + x.one("conversation") + "/macros/" + x.one("macro"), `{}`, ""}
		},
		"createScheduled": func() operation {
			return operation{"POST", board + "conversations/" + x.one("conversation") + "/scheduled", `{"content":"later","sendAt":"` + x.w.Now().Add(time.Hour).Format(time.RFC3339) + `"}`, "scheduled"}
		},
		"updateScheduled": func() operation {
			return operation{"PATCH", board + "scheduled/" + x.later(), `{"content":"` + x.unique() + `"}`, ""}
		},
		"deleteScheduled": func() operation { return operation{"DELETE", board + "scheduled/" + x.one("scheduled"), "", ""} },
		"sendScheduledNow": func() operation {
			return operation{"POST", board + "scheduled/" + x.later() + "/send", "", ""}
		},
		"createLabel": func() operation {
			return operation{"POST", board + "labels", `{"name":"label ` + x.pick("a", "b", "c") + `","color":"red"}`, ""}
		},
		"updateLabel": func() operation {
			return operation{"PATCH", board + "labels/label%20" + x.pick("a", "b", "c"), `{"color":"` + x.pick("red", "blue") + `"}`, ""}
		},
		"deleteLabel": func() operation {
			return operation{"DELETE", board + "labels/label%20" + x.pick("a", "b", "c"), "", ""}
		},
		"connectNumber": func() operation {
			return operation{"POST", board + "numbers", x.pick(`{"phone":"49305550`+x.pick("02", "03", "04")+`","driver":"sandbox"}`,
				`{"phone":"49305550`+x.pick("05", "06")+`","driver":"whatsapp"}`), "number"}
		},
		"disconnectNumber": func() operation {
			return operation{"POST", board + "numbers/" + x.one("number") + "/disconnect", "", ""}
		},
		"reconnectNumber": func() operation {
			return operation{"POST", board + "numbers/" + x.one("number") + "/reconnect", "", ""}
		},
		"logOutNumber": func() operation { return operation{"POST", board + "numbers/" + x.one("number") + "/logout", "", ""} },
		"pairNumber":   func() operation { return operation{"POST", board + "numbers/" + x.one("number") + "/pairing", "", ""} },
		"endPairing": func() operation {
			return operation{"DELETE", board + "numbers/" + x.one("number") + "/pairing", "", ""}
		},
	}
}

// knowledge are the operations on articles and help centers.
func (x *writing) knowledge(public string) map[string]func() operation {
	article := func() string { return public + "articles/" + x.one("article") }
	text := func() string { return article() + "/texts/" + x.pick("en", "de") }
	category := func() string { return public + "article-categories/" + x.one("category") }
	center := func() string { return public + "help-centers/" + x.one("product") }
	return map[string]func() operation{
		"createArticle": func() operation {
			return operation{"POST", public + "articles", `{"language":"` + x.pick("en", "de") + `","title":"` + x.unique() + `"}`, "article"}
		},
		"updateArticle": func() operation {
			return operation{"PATCH", article(), x.pick(`{"slug":"`+x.unique()+`"}`, `{"categoryId":"`+x.one("category")+`"}`, `{"categoryId":null}`,
				`{"productId":"`+x.one("product")+`"}`, `{"state":"published"}`, `{"state":"archived"}`, `{"state":"draft"}`), ""}
		},
		"deleteArticle":     func() operation { return operation{"DELETE", article(), "", ""} },
		"publishArticle":    func() operation { return operation{"POST", article() + "/publish", `{}`, ""} },
		"saveArticleText":   func() operation { return operation{"PUT", text(), `{"title":"` + x.unique() + `"}`, ""} },
		"deleteArticleText": func() operation { return operation{"DELETE", text(), "", ""} },
		"restoreArticleVersion": func() operation {
			return operation{"POST", text() + "/versions/" + x.pick("1", "2") + "/restore", "", ""}
		},
		"createArticleCategory": func() operation {
			return operation{"POST", public + "article-categories", `{"names":{"en":"` + x.unique() + `"}}`, "category"}
		},
		"updateArticleCategory": func() operation {
			return operation{"PATCH", category(), `{"position":` + x.pick("1", "2", "3") + `}`, ""}
		},
		"deleteArticleCategory": func() operation { return operation{"DELETE", category(), "", ""} },
		"saveHelpCenter": func() operation {
			return operation{"PUT", center(), `{"slug":"` + x.unique() + `","title":"` + x.unique() + `"}`, ""}
		},
		"deleteHelpCenter": func() operation { return operation{"DELETE", center(), "", ""} },
	}
}

// run sends a random request of an operation. It may be refused, because
// another one may have removed its record.
func (x *writing) run(name string) {
	o := x.operations()[name]()
	token, path, ofCustomer := strings.Cut(o.path, " ")
	if !ofCustomer {
		path = o.path
	}
	r := apitest.Request{Method: o.method, Path: path, Body: o.body, Session: x.w.Owner}
	if ofCustomer {
		r.Bearer = token
	}
	got := x.w.Send(r)
	if got.Status >= 500 {
		x.w.T.Errorf("%s %s %s: %d %s", o.method, o.path, o.body, got.Status, got.Body)
	}
	if o.makes != "" && got.Status == 201 {
		id := got.Text("id")
		switch name {
		case "startCustomerSession":
			id = got.Text("token")
		case "startCustomerConversation":
			id = got.Text("conversation.id")
		}
		x.mu.Lock()
		x.ids[o.makes] = append(x.ids[o.makes], id)
		x.mu.Unlock()
	}
}
