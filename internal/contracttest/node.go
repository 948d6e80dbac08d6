package contracttest

import (
	"strconv"
	"strings"
)

// A node is a value in the document and its location.
type node struct {
	value   any
	root    any
	pointer string // a JSON pointer as a fragment
}

// at returns a member, or a node without a value.
func (n node) at(name string) node {
	object, _ := n.value.(map[string]any)
	escaped := strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(name)
	return node{value: object[name], root: n.root, pointer: n.pointer + "/" + escaped}
}

// members returns the members of an object.
func (n node) members() map[string]node {
	object, _ := n.value.(map[string]any)
	all := make(map[string]node, len(object))
	for name := range object {
		all[name] = n.at(name)
	}
	return all
}

// resolve follows a $ref.
func (n node) resolve() node {
	ref, ok := n.at("$ref").value.(string)
	if !ok {
		return n
	}
	found := node{value: n.root, root: n.root, pointer: "#"}
	for name := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		found = found.at(name)
	}
	return found
}

// items returns the items of an array.
func (n node) items() []node {
	list, _ := n.value.([]any)
	all := make([]node, len(list))
	for i, item := range list {
		all[i] = node{value: item, root: n.root, pointer: n.pointer + "/" + strconv.Itoa(i)}
	}
	return all
}

func (n node) text() string {
	text, _ := n.value.(string)
	return text
}

// texts returns an array of strings.
func (n node) texts() []string {
	var all []string
	items, _ := n.value.([]any)
	for _, item := range items {
		text, _ := item.(string)
		all = append(all, text)
	}
	return all
}

// lists returns an array of arrays of strings.
func (n node) lists() [][]string {
	var all [][]string
	outer, _ := n.value.([]any)
	for _, inner := range outer {
		var texts []string
		items, _ := inner.([]any)
		for _, item := range items {
			text, _ := item.(string)
			texts = append(texts, text)
		}
		all = append(all, texts)
	}
	return all
}
