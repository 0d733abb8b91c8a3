// Package leaks measures how many secrets that match gitleaks' public rules package redact finds,
// and how many ordinary texts it mistakes for secrets. It is a separate module, so that users of
// this library do not depend on gitleaks.
package leaks
