// Package leaks measures package redact: how many secrets that match gitleaks' public rules it
// finds, and how many ordinary texts it mistakes for secrets. It is in a module of its own, so that
// users of this library do not depend on gitleaks.
package leaks
