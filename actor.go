package parley

// An ActorType says what kind of actor brought a change about.
type ActorType string

// The types of actors. ActorBot and ActorRule are for what answers and acts by
// itself in the workspace; no such change has the type of whoever set it up.
const (
	ActorMember   ActorType = "member"   // a member, signed in or on a number's own phone
	ActorKey      ActorType = "key"      // a program with an API key
	ActorCustomer ActorType = "customer" // a contact, by the chat or the messaging application
	ActorBot      ActorType = "bot"
	ActorRule     ActorType = "rule"
	ActorImport   ActorType = "import" // what fills a workspace with records of the past
	ActorSystem   ActorType = "system" // Parley itself, the command line, a network
)

// ActorTypes lists the types of actors.
var ActorTypes = []ActorType{ActorMember, ActorKey, ActorCustomer, ActorBot, ActorRule, ActorImport, ActorSystem}

// An Actor is who brought a change about. The zero Actor is the system: also of
// events from before actors were kept.
type Actor struct {
	Type ActorType
	// ID is that of the member, of the key or of the contact; "" where there is
	// none, or nobody knows it.
	ID string
	// Name is that of the member or of the key when the change was made. A
	// contact's is not kept: the contact may be erased, the event stays.
	Name string
}

// MemberActor returns a member as an actor.
func MemberActor(m *Member) Actor { return Actor{ActorMember, string(m.ID), m.Name} }

// KeyActor returns a key as an actor.
func KeyActor(k *Key) Actor { return Actor{ActorKey, k.ID.String(), k.Name} }

// CustomerActor returns a contact as an actor; the zero id is one whom nobody
// knows yet.
func CustomerActor(contact ID) Actor {
	a := Actor{Type: ActorCustomer}
	if !contact.IsZero() {
		a.ID = contact.String()
	}
	return a
}

// A Cause is the event that a change follows from, named by its type and by the
// record that it told of. It is in the log already, or comes with the same
// transaction. The zero Cause is none.
type Cause struct {
	Type EventType
	ID   ID
}

// An Origin is where a change comes from.
type Origin struct {
	Actor Actor
	Cause Cause
	// Imported says that the change tells of the past: a backfill, or an import.
	// What reacts to events leaves it alone.
	Imported bool
}
