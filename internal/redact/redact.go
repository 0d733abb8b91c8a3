// Package redact takes secrets out of what is shown. It answers five questions:
// what is secret in a URL ([URLs]) and in prose ([Secrets]), which names are those of
// secrets, what of a call's arguments may be reported, and how a log record is freed of
// them.
package redact
