// Package leaks measures package redact with the public rules of gitleaks: how many of their
// secrets it finds, and how many ordinary texts it mistakes for secrets.
// It is a separate module, so that users of this library do not depend on gitleaks.
package leaks
