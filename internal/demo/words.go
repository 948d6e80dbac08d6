package demo

import (
	"strings"

	"parley"
	"parley/internal/access"
)

func memberList() []access.NewMember {
	return []access.NewMember{
		{Email: "bo@northwind.example", Name: "Bo Lindqvist", Role: parley.Admin},
		{Email: "carla@northwind.example", Name: "Carla Mendes", Role: parley.Agent},
		{Email: "dev@northwind.example", Name: "Dev Patel", Role: parley.Agent},
		{Email: "esi@northwind.example", Name: "Esi Owusu", Role: parley.Agent},
	}
}

type product struct{ name, description string }

// productList ends with the product that the demo archives.
func productList() []product {
	return []product{
		{"Northwind Shop", "The online shop"},
		{"Trail App", "Routes and maps on the phone"},
		{"Rental Desk", "Tents, skis and bikes by the day"},
		{"Gift Cards", "Replaced by shop credit"},
	}
}

func companyFirst() []string {
	return []string{"Alpine", "Blue Harbor", "Cedar", "Delta", "Ember", "Fjord", "Granite", "Harvest", "Iron Bridge", "Juniper", "Kestrel", "Lakeside", "Meridian", "Nordic", "Orchard", "Pinecrest", "Quarry", "Riverbend", "Summit", "Tidewater"}
}

func companyLast() []string {
	return []string{"Cycling Club", "Events", "Guides", "Hotels", "Logistics", "Media", "Outdoor School", "Retail", "Sports", "Travel", "Workshops"}
}

func industries() []string {
	return []string{"Education", "Events", "Hospitality", "Logistics", "Media", "Retail", "Sports", "Travel"}
}

func firstNames() []string {
	return []string{"Aiko", "Amara", "Björn", "Camille", "Diego", "Elif", "Farah", "Greta", "Hugo", "Ines", "Jonas", "Kwame", "Lena", "Mateo", "Nadia", "Oskar", "Priya", "Quinn", "Rosa", "Samir", "Tove", "Uma", "Viktor", "Wen", "Ximena", "Yusuf", "Zoë"}
}

func lastNames() []string {
	return []string{"Abebe", "Berg", "Costa", "Dahl", "Eriksen", "Fischer", "Garcia", "Haddad", "Ivanov", "Jansen", "Kaya", "Larsen", "Moreau", "Novak", "Okafor", "Petrov", "Quispe", "Rossi", "Singh", "Tanaka", "Usman", "Varga", "Weber", "Yilmaz", "Zhang"}
}

// An exchange is the course of a conversation: the customer begins, then the
// sides alternate.
type exchange struct {
	label string
	lines []string
}

func exchanges() []exchange {
	return []exchange{
		{"delivery", []string{
			"Hi, my order was due on Tuesday and the tracking page has not moved since.",
			"Sorry about that! I see the parcel is stuck at the depot. I have asked the carrier to send it out again.",
			"Thanks. Will it arrive before the weekend? We leave on Saturday.",
			"It is on the van for tomorrow now. I put an express note on it.",
			"It came this morning. Thank you!",
			"Great to hear. Have a good trip!",
		}},
		{"returns", []string{
			"The jacket is too small. Can I swap it for a size L?",
			"Of course. I have mailed you a return label; the L goes out as soon as yours is scanned.",
			"Perfect, dropped it off today.",
			"Seen! The new one ships tonight.",
		}},
		{"billing", []string{
			"We were charged twice for the September rental.",
			"You are right, the card was charged on the 3rd and the 4th. I refunded the second one.",
			"How long does the refund take?",
			"Three to five working days, depending on the bank.",
			"Got it, all good.",
			"Thank you for your patience.",
		}},
		{"app", []string{
			"The map stays grey when I am offline, although I downloaded the region.",
			"Which version do you use? You find it under Settings, About.",
			"4.11.2 on Android 15",
			"4.11.3 from yesterday fixes exactly this. Could you update and open the region once while online?",
			"That did it.",
			"Wonderful!",
		}},
		{"rental", []string{
			"Do you have 12 touring skis for the second week of January?",
			"Yes, from 165 to 190 cm. Shall I hold them for you until Friday?",
			"Please do. I will send the list of sizes.",
			"They are held under your company's name.",
		}},
		{"login", []string{
			"I cannot sign in, the reset mail never arrives.",
			"The address on the account has a typing error. May I correct it to the one you write from?",
			"Yes please.",
			"Done, the mail is on its way.",
			"I am in again, thank you.",
			"You are welcome!",
		}},
		{"feedback", []string{
			"Just wanted to say that the guide on lacing boots saved our hike.",
			"That made our day. I will pass it on to the author!",
		}},
	}
}

// slug turns a name into part of an address.
func slug(name string) string {
	name = strings.NewReplacer("ö", "o", "ë", "e", " ", "-").Replace(strings.ToLower(name))
	return name
}
