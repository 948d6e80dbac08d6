// Package client is the client of the public API that oapi-codegen generates.
package client
