// Package ledger lets tests compare the effects of tools with what callers are told. It has servers
// with tools of every safety, and intermediaries that lose, truncate, repeat and replace messages.
// A [Book] records every effect of a tool.
package ledger
