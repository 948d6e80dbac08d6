// Command goclient calls a running server through the client that oapi-codegen
// generates. It compiles, so a change of the document that breaks callers shows;
// and it runs, so a type that is not what the server answers shows too.
//
//	goclient <base URL> <key>
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"

	"github.com/google/uuid"
	"github.com/oapi-codegen/nullable"

	"parley.example/goclient/client"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: goclient <base URL> <key>")
		os.Exit(2)
	}
	c := &caller{ctx: context.Background()}
	var err error
	c.api, err = client.NewClientWithResponses(os.Args[1], client.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+os.Args[2])
		return nil
	}))
	c.must(err == nil, "the address: %v", err)
	contact := c.people()
	c.events(c.talk(contact))
	c.errors()
	fmt.Printf("oapi-codegen: %d calls\n", c.calls)
}

// A caller sends calls and ends the program with the first that goes wrong.
type caller struct {
	ctx   context.Context
	api   *client.ClientWithResponses
	calls int
}

func (c *caller) must(holds bool, format string, args ...any) {
	if !holds {
		fmt.Fprintf(os.Stderr, "call %d: "+format+"\n", append([]any{c.calls}, args...)...)
		os.Exit(1)
	}
}

// An answer is what every generated response can tell.
type answer interface{ StatusCode() int }

// good counts a call, whose answer must have the body that is wanted.
func good[T any](c *caller, body *T, a answer, err error) *T {
	c.calls++
	c.must(err == nil, "%v", err)
	c.must(body != nil, "the status is %d", a.StatusCode())
	return body
}

// value returns what is not null.
func value[T any](c *caller, n nullable.Nullable[T]) T {
	v, err := n.Get()
	c.must(err == nil, "a value is missing: %v", err)
	return v
}

func ptr[T any](v T) *T { return &v }

func (c *caller) people() uuid.UUID {
	fields := client.ContactFields{Name: ptr("Ann"), Email: ptr("ann@go.example"), CustomAttributes: &map[string]any{"plan": "pro"}}
	r1, err := c.api.CreateContactWithResponse(c.ctx, nil, fields)
	made := good(c, r1.JSON201, r1, err)
	c.must(made.Email == "ann@go.example" && made.Company.IsNull(), "the contact is %+v", made)

	r2, err := c.api.CreateContactWithResponse(c.ctx, nil, client.ContactFields{Email: ptr("ann@go.example"), ShopName: ptr("Acme Shop")})
	c.must(good(c, r2.JSON200, r2, err).Id == made.Id, "the contact was made twice")

	r3, err := c.api.UpdateContactWithResponse(c.ctx, made.Id, client.ContactFields{PhoneNumber: nullable.NewNullableWithValue("+49 151 23456780")})
	c.must(value(c, good(c, r3.JSON200, r3, err).PhoneNumber) != "", "no phone number")
	r4, err := c.api.UpdateContactWithResponse(c.ctx, made.Id, client.ContactFields{PhoneNumber: nullable.NewNullNullable[string]()})
	c.must(good(c, r4.JSON200, r4, err).PhoneNumber.IsNull(), "the phone number stayed")

	r5, err := c.api.CreateCompanyWithResponse(c.ctx, nil, client.NewCompany{Name: "Acme Go", ExternalId: nullable.NewNullableWithValue("go-1")})
	company := good(c, r5.JSON201, r5, err)
	r6, err := c.api.UpdateContactWithResponse(c.ctx, made.Id, client.ContactFields{CompanyId: nullable.NewNullableWithValue(company.Id)})
	c.must(value(c, good(c, r6.JSON200, r6, err).Company).Name == "Acme Go", "the contact is not linked")
	r7, err := c.api.ListCompanyContactsWithResponse(c.ctx, company.Id.String(), nil)
	c.must(len(good(c, r7.JSON200, r7, err).Data) == 1, "the company has no contact")
	r8, err := c.api.GetCompanyWithResponse(c.ctx, company.Id.String())
	c.must(good(c, r8.JSON200, r8, err).ContactCount == 1, "the company counts no contact")
	r9, err := c.api.ListContactsWithResponse(c.ctx, &client.ListContactsParams{Limit: ptr(1)})
	c.must(len(good(c, r9.JSON200, r9, err).Data) == 1, "no contact is listed")
	r10, err := c.api.ListContactsWithResponse(c.ctx, &client.ListContactsParams{Email: ptr("ann@go.example")})
	known := good(c, r10.JSON200, r10, err).Data
	c.must(len(known) == 1 && known[0].Id == made.Id, "by the address is found %+v", known)
	r11, err := c.api.GetContactWithResponse(c.ctx, made.Id.String())
	return good(c, r11.JSON200, r11, err).Id
}

func (c *caller) talk(contact uuid.UUID) *client.Message {
	r1, err := c.api.ListInboxesWithResponse(c.ctx, nil)
	inboxes := good(c, r1.JSON200, r1, err).Data
	r2, err := c.api.ListMembersWithResponse(c.ctx, nil)
	members := good(c, r2.JSON200, r2, err).Data
	c.must(len(inboxes) > 0 && len(members) > 0, "there are %d inboxes and %d members", len(inboxes), len(members))

	r3, err := c.api.CreateConversationWithResponse(c.ctx, &client.CreateConversationParams{IdempotencyKey: ptr("calls-go")},
		client.NewConversation{ContactId: contact, ProductId: nullable.NewNullNullable[uuid.UUID]()})
	made := good(c, r3.JSON201, r3, err)
	c.must(made.Product.IsNull() && made.Assignee.IsNull(), "the conversation is %+v", made)

	r4, err := c.api.CreateMessageWithResponse(c.ctx, made.Id, nil,
		client.NewMessage{Content: ptr("Where is it?"), Role: ptr(client.NewMessageRoleIncoming)})
	asked := good(c, r4.JSON201, r4, err)
	r5, err := c.api.UpdateConversationWithResponse(c.ctx, made.Id, client.ConversationChange{
		Status: ptr(client.StatusPending), Priority: nullable.NewNullNullable[client.Priority](),
		AssigneeId: nullable.NewNullableWithValue(members[0].Id), Labels: &[]string{"parcel"},
	})
	c.must(value(c, good(c, r5.JSON200, r5, err).Assignee).Name == members[0].Name, "it is not assigned")
	r6, err := c.api.ListConversationsWithResponse(c.ctx, &client.ListConversationsParams{
		ProductId: ptr("none"), Status: ptr(client.StatusPending), ContactId: &contact,
	})
	c.must(len(good(c, r6.JSON200, r6, err).Data) == 1, "the conversation is not listed")
	r7, err := c.api.GetConversationWithResponse(c.ctx, made.Id, &client.GetConversationParams{MessagesLimit: ptr(20)})
	thread := good(c, r7.JSON200, r7, err).Messages.Data
	c.must(len(thread) == 1 && thread[0].Id == asked.Id, "the messages are %+v", thread)
	c.review(asked)
	return asked
}

// review reads a conversation in parts, marks it as read, and labels it.
func (c *caller) review(asked *client.Message) {
	const label = "late & lost"
	r1, err := c.api.GetMessageWithResponse(c.ctx, asked.Id)
	c.must(good(c, r1.JSON200, r1, err).Content == asked.Content, "the message is another")
	r2, err := c.api.ListMessagesWithResponse(c.ctx, asked.ConversationId, &client.ListMessagesParams{Limit: ptr(1)})
	list := good(c, r2.JSON200, r2, err).Data
	c.must(len(list) == 1 && list[0].Id == asked.Id, "the messages are %+v", list)
	r3, err := c.api.MarkConversationReadWithResponse(c.ctx, asked.ConversationId, nil, client.MarkConversationReadJSONRequestBody{})
	c.must(good(c, r3.JSON200, r3, err).UnreadCount == 0, "it stayed unread")
	r4, err := c.api.AddConversationLabelWithResponse(c.ctx, asked.ConversationId, label)
	c.must(slices.Contains(good(c, r4.JSON200, r4, err).Labels, label), "the label was not added")
	r5, err := c.api.RemoveConversationLabelWithResponse(c.ctx, asked.ConversationId, label)
	c.must(!slices.Contains(good(c, r5.JSON200, r5, err).Labels, label), "the label was not removed")
	r6, err := c.api.GetConversationHistoryWithResponse(c.ctx, asked.ConversationId, nil)
	c.must(len(good(c, r6.JSON200, r6, err).Data) > 1, "the history has too few entries")
}

// events reads the log and narrows events by their type.
func (c *caller) events(asked *client.Message) {
	r, err := c.api.ListEventsWithResponse(c.ctx, &client.ListEventsParams{Limit: ptr(200)})
	page := good(c, r.JSON200, r, err)
	seen := 0
	for _, event := range page.Data {
		one, err := event.ValueByDiscriminator()
		c.must(err == nil, "an event: %v", err)
		switch e := one.(type) {
		case client.MessageCreatedEvent:
			if e.Data.Id == asked.Id {
				c.must(e.Data.Content == *ptr("Where is it?") && e.Moved != nil, "the message is %+v", e)
				seen++
			}
		case client.ContactUpdatedEvent:
			c.must(len(e.Changed) > 0, "nothing changed by %+v", e)
			seen++
		}
	}
	c.must(!page.Reset && seen > 1, "%d events were found", seen)
}

func (c *caller) errors() {
	const id = "0193480f-2c4a-7d1e-8f00-3a5b9c2d1e05"
	r1, err := c.api.GetContactWithResponse(c.ctx, id)
	missing := good(c, r1.JSON404, r1, err)
	c.must(missing.Error != "" && r1.HTTPResponse.Header.Get("Parley-Error") == "not_found", "the error is %+v", missing)
	r2, err := c.api.ListProductsWithResponse(c.ctx, &client.ListProductsParams{Limit: ptr(500)})
	wrong := good(c, r2.JSON400, r2, err)
	c.must(wrong.Error != "" && r2.HTTPResponse.Header.Get("Parley-Error") == "invalid; field=limit", "the error is %+v", wrong)
}
