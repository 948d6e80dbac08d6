// Package parley is the vocabulary of the product: the nouns that a company
// and its customers share (conversation, message, contact, company, product,
// inbox, member, group), the workspace that owns them, the events that tell
// of their changes, and the errors that every layer speaks.
//
// It imports nothing but the standard library, does no input or output, and
// knows neither SQL nor JSON nor HTTP. Read its files once and you know the
// product.
package parley
