// Package redact takes secrets out of what is shown, by one set of rules: names that say that
// their value is a secret, and forms that no other values have. It answers where the secrets
// of a text are ([Find], [Mask]), what is left of a URL ([URLs]), what of a call's arguments
// may be reported ([Arguments]), and how a log record is freed of them ([Texts]).
package redact
