package surface

import (
	"net/http"
	"net/url"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
)

// maxLabelFilters is how many labels a list can be filtered by.
const maxLabelFilters = 5

// An answer is the value of a parameter that says yes or no.
type answer string

const yes, no answer = "true", "false"

// ListFilter reads the parameters that filter and order the list of conversations.
func ListFilter(in *httpjson.Reader) desk.ConversationFilter {
	filter := desk.ConversationFilter{
		Status:       httpjson.QueryOneOf(in, "status", parley.Statuses),
		InboxID:      in.QueryID("inboxId"),
		ContactID:    in.QueryID("contactId"),
		CompanyID:    in.QueryID("companyId"),
		ProductID:    in.QueryIDOrNone("productId"),
		TeamID:       in.QueryIDOrNone("teamId"),
		NotLabel:     parley.LabelName(in.QueryFilled("notLabel", parley.MaxLabelLength)),
		Spam:         httpjson.QueryOneOf(in, "spam", parley.SpamChoices),
		HandedOver:   httpjson.QueryOneOf(in, "agent", []parley.AgentState{parley.AgentHandedOver}) != "",
		Woke:         httpjson.QueryOneOf(in, "woke", []answer{yes}) == yes,
		Merged:       httpjson.QueryOneOf(in, "merged", []answer{yes}) == yes,
		ActiveAfter:  in.QueryTime("activeAfter"),
		ActiveBefore: in.QueryTime("activeBefore"),
		UpdatedSince: in.QueryTime("updatedSince"),
	}
	for _, label := range in.QueryFilledList("label", maxLabelFilters, parley.MaxLabelLength) {
		filter.Labels = append(filter.Labels, parley.LabelName(label))
	}
	if snoozed := httpjson.QueryOneOf(in, "snoozed", []answer{yes, no}); snoozed != "" {
		filter.Snoozed = parley.Some(snoozed == yes)
	}
	if priority := httpjson.QueryOneOf(in, "priority", append([]parley.Priority{"none"}, parley.Priorities...)); priority == "none" {
		filter.Priority = parley.Null[parley.Priority]()
	} else if priority != "" {
		filter.Priority = parley.Some(priority)
	}
	if assignee := in.QueryText("assigneeId", parley.MaxName, false); assignee == "none" {
		filter.AssigneeID = parley.Null[parley.UserID]()
	} else if assignee != "" {
		filter.AssigneeID = parley.Some(parley.UserID(assignee))
	}
	if filter.Waiting = httpjson.QueryOneOf(in, "order", parley.ConversationOrders) == parley.ByWaiting; filter.Waiting && !filter.UpdatedSince.IsZero() {
		in.Refuse("order", "not be waiting with updatedSince")
	}
	return filter
}

// me stands for the member who looks at a view.
const me parley.UserID = "me"

// ViewFilter reads the query of a saved view as a member sees it: like [ListFilter],
// without the parameters for programs that follow changes, and with "me" as an assignee.
// Anything else is Invalid.
func ViewFilter(query string, member parley.UserID) (desk.ConversationFilter, error) {
	in := httpjson.NewReader(&http.Request{URL: &url.URL{RawQuery: query}})
	filter := ListFilter(in)
	if in.Err() != nil || len(in.Ignored()) > 0 || filter.Merged || !filter.UpdatedSince.IsZero() {
		return filter, parley.InvalidField("query", "be a filter of the list of conversations")
	}
	if filter.AssigneeID.Has() && filter.AssigneeID.Value == me {
		filter.AssigneeID = parley.Some(member)
	}
	return filter, nil
}
