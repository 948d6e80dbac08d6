//go:build mistakes

package mistakes

import (
	"github.com/oapi-codegen/nullable"

	"parley.example/goclient/client"
)

// Each line that says so has a mistake that the compiler must find.
var (
	_ = client.NewConversation{Inboxid: nil}                            // mistake: a member that is spelled wrong
	_ = client.NewMessage{Private: nil}                                 // mistake: a member of another API
	_ = client.NewMessage{Content: 5}                                   // mistake: a number for a text
	_ = client.ListConversationsParams{ProductId: 7}                    // mistake: a number for the filter
	_ = client.ContactFields{Email: nullable.NewNullNullable[string]()} // mistake: null where there is none
	_ = client.ContactFields{CompanyId: "none"}                         // mistake: a text for an id or null
	_ = client.NewGroup{Participants: "+4915123456789"}                 // mistake: one number for a list
	_ = client.Conversation{Priority: client.PriorityHigh}              // mistake: a value that may be null, without looking
	_ = client.MessageCreatedEvent{Data: client.Contact{}}              // mistake: another record than the type says
	_ = client.Contact{Email: nil}                                      // mistake: an address is text, "" where unknown
)
