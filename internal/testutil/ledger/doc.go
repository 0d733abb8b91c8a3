// Package ledger compares the effects of tools with what their callers were told. It has servers
// with tools of every safety, and intermediaries that lose, truncate, repeat and replace messages.
// A [Book] records every effect. It is for tests.
package ledger
