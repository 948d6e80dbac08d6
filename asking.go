package parley

import "time"

// An AskTime says when a widget asks a visitor for name or address.
type AskTime string

// The times at which a widget asks.
const (
	AskNever  AskTime = "off"
	AskBefore AskTime = "before" // the first message
	AskAfter  AskTime = "after"  // the first message
)

// AskTimes lists them.
var AskTimes = []AskTime{AskNever, AskBefore, AskAfter}

// An AskField is what a widget asks for.
type AskField string

// What a widget may ask for.
const (
	AskName  AskField = "name"
	AskEmail AskField = "email"
)

// AskFields lists it.
var AskFields = []AskField{AskName, AskEmail}

// MaxTyped is how often a visitor may say a name or an address.
const MaxTyped = 3

// Typed is what a visitor typed about themselves. Nothing in it is proven: anybody can
// type the address of somebody else, so it finds no contact and opens nothing.
type Typed struct {
	ContactID ID
	Name      string // "" for none
	Email     string // "" for none
	Times     int    // how often the visitor said something, at most MaxTyped
	UpdatedAt time.Time
}
