package contracttest

import (
	"slices"
	"strings"
)

// A Member is one of a request's body, as the document describes it.
type Member struct {
	Name       string
	Required   bool
	Nullable   bool
	Deprecated bool
}

// membersOf returns the members of the schema of an object, by name.
func membersOf(schema node) []Member {
	var all []Member
	required := schema.at("required").texts()
	for name, property := range schema.at("properties").members() {
		deprecated := property.at("deprecated").value == true
		property = property.resolve()
		all = append(all, Member{
			Name: name, Required: slices.Contains(required, name), Deprecated: deprecated,
			Nullable: slices.Contains(property.at("type").texts(), "null") || property.at("anyOf").value != nil || property.at("oneOf").value != nil,
		})
	}
	slices.SortFunc(all, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
	return all
}
