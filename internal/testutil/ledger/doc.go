// Package ledger counts what tools have done, and compares it with what their callers
// were told. Servers of its own, with tools of every safety, and intermediaries that
// lose, cut, repeat and replace what goes over the wire come in; a [Book] of every
// effect and the callers' outcomes leave. It is for tests.
package ledger
