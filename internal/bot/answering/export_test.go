package answering

// What tests of the tables need.
var (
	Greets    = greets
	Complains = complains
)
