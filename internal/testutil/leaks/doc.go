// Package leaks measures package redact: how many secrets that match gitleaks' public rules it
// finds, and how many ordinary texts it mistakes for secrets. Package leaks is a separate module,
// so that users of this library do not depend on gitleaks.
package leaks
