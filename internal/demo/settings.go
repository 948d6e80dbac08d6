package demo

import (
	"parley"
	"parley/internal/customers"
	"parley/internal/settings"
	"parley/internal/teams"
)

// catalogue creates the labels of the conversations, with their colours, and
// some canned answers.
func (x *filler) catalogue() error {
	service := settings.New(x.desk)
	for _, l := range labelList() {
		if _, err := service.CreateLabel(x.ctx, x.by, l.Name, l.Color); err != nil {
			return err
		}
	}
	for _, a := range cannedAnswerList() {
		if _, err := service.CreateCannedAnswer(x.ctx, x.by, a.Shortcut, a.Content); err != nil {
			return err
		}
	}
	return nil
}

// teams gives two products to teams.
func (x *filler) teams() error {
	service := teams.New(x.desk)
	id := func(i int) parley.UserID { return x.members[i].ID }
	for _, team := range []teams.Change{
		{Name: parley.Some("Trail"), Color: parley.Some[parley.LabelColor]("green"), MemberIDs: parley.Some([]parley.UserID{id(2), id(3)}), ProductIDs: parley.Some([]parley.ID{x.products[1].ID})},
		{Name: parley.Some("Rentals"), Color: parley.Some[parley.LabelColor]("teal"), MemberIDs: parley.Some([]parley.UserID{id(0), id(4)}), ProductIDs: parley.Some([]parley.ID{x.products[2].ID})},
	} {
		if _, err := service.CreateTeam(x.ctx, x.by, team); err != nil {
			return err
		}
	}
	return nil
}

// labelList has the label of each exchange.
func labelList() []parley.Label {
	return []parley.Label{
		{Name: "delivery", Color: "orange"}, {Name: "returns", Color: "yellow"}, {Name: "billing", Color: "red"},
		{Name: "app", Color: "blue"}, {Name: "rental", Color: "teal"}, {Name: "login", Color: "purple"}, {Name: "feedback", Color: "green"},
	}
}

func cannedAnswerList() []parley.CannedAnswer {
	return []parley.CannedAnswer{
		{Shortcut: "hello", Content: "Hello, and thank you for writing to us! How can I help?"},
		{Shortcut: "version", Content: "Which version of the app do you use? You find it under Settings, About."},
		{Shortcut: "refund", Content: "I have refunded the amount. It takes three to five working days to arrive, depending on your bank."},
		{Shortcut: "express", Content: "I have asked the carrier to send your parcel by express. You get the new tracking number by e-mail within the hour."},
		{Shortcut: "thanks", Content: "You are welcome! Write to us any time."},
	}
}

// brandColor is the color of the chat and of the help centers.
const brandColor = "#1f5c4d"

// widget has the appearance of the chat in the shop.
func widget() customers.WidgetChange {
	return customers.WidgetChange{
		Title: parley.Some(Company), Greeting: parley.Some("Hello! Ask us about kit, orders or returns."),
		ReplyTime: parley.Some("We usually answer within a few minutes"), Color: parley.Some(brandColor),
	}
}
