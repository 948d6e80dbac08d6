// Package parley is the vocabulary of the product: the nouns that a company and
// its customers share (conversation, message, contact, company, product, inbox,
// member, group), the workspace that owns them, the events that report their
// changes, and the errors that every layer uses.
//
// It imports only the standard library and golang.org/x/text, does no input or
// output, and contains no SQL and no HTTP. Reading its files once is an
// introduction to the product.
package parley
