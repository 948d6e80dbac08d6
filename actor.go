package parley

// An ActorType is the kind of an actor.
type ActorType string

// The types of actors. A change made by a bot or rule has its type, not the
// type of the person who configured it.
const (
	ActorMember   ActorType = "member"   // a member, signed in or on a number's own phone
	ActorKey      ActorType = "key"      // a program with an API key
	ActorCustomer ActorType = "customer" // a contact, by the chat or the messaging application
	ActorBot      ActorType = "bot"
	ActorRule     ActorType = "rule"
	ActorImport   ActorType = "import" // an import of historical records
	ActorSystem   ActorType = "system" // Parley itself, the command line, a network
)

// An Actor made a change. The zero Actor is the system; events from before
// actors were recorded have it too.
type Actor struct {
	Type ActorType
	// ID is the id of the member, key or contact; "" if there is none or it is
	// unknown.
	ID string
	// Name is the name of the member or key at the time of the change. The name
	// of a contact is not recorded, because the contact may be erased while the
	// event stays.
	Name string
}

// MemberActor returns a member as an actor.
func MemberActor(m *Member) Actor { return Actor{ActorMember, string(m.ID), m.Name} }

// KeyActor returns a key as an actor.
func KeyActor(k *Key) Actor { return Actor{ActorKey, k.ID.String(), k.Name} }

// CustomerActor returns a contact as an actor; the zero id is an unknown
// contact.
func CustomerActor(contact ID) Actor {
	a := Actor{Type: ActorCustomer}
	if !contact.IsZero() {
		a.ID = contact.String()
	}
	return a
}

// A Cause is the event that a change follows from, identified by its type and
// the record it is about. That event is already in the log, or is part of the
// same transaction. The zero Cause is none.
type Cause struct {
	Type EventType
	ID   ID
}

// An Origin says who or what caused a change.
type Origin struct {
	Actor Actor
	Cause Cause
	// Imported says that the change belongs to the past: it comes from a
	// backfill or an import. Automation ignores such changes.
	Imported bool
}
