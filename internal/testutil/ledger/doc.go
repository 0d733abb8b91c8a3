// Package ledger lets tests compare the effects of tools with what callers are told. Its servers
// have tools of every safety level, and its intermediaries lose, cut, repeat and replace messages.
// A [Book] records every effect of a tool.
package ledger
