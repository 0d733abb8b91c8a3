// Package redact removes secrets from text that is shown. One set of rules recognizes
// secrets by their names and by forms that no other values have. It finds the secrets in a
// text ([Find], [Mask]), reduces URLs to their public parts ([URLs]), masks a call's
// arguments for reports ([Arguments]), and removes arguments from log records ([Texts]).
package redact
