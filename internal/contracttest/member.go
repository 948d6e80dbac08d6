package contracttest

import (
	"slices"
	"strings"
)

// A Member is a documented member of a request's body.
type Member struct {
	Name       string
	Required   bool
	Nullable   bool
	Deprecated bool
}

// membersOf returns the members of an object schema, ordered by name.
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

// fieldsOf returns the member names of a schema, with nested members after a
// dot. An item of an array has the name of the array.
func fieldsOf(schema node, within string) []string {
	schema = schema.resolve()
	var all []string
	for name, property := range schema.at("properties").members() {
		all = append(all, within+name)
		all = append(all, fieldsOf(property, within+name+".")...)
	}
	if items := schema.at("items"); items.value != nil {
		all = append(all, fieldsOf(items, within)...)
	}
	for _, choice := range []string{"allOf", "anyOf", "oneOf"} {
		for _, one := range schema.at(choice).items() {
			all = append(all, fieldsOf(one, within)...)
		}
	}
	return all
}
