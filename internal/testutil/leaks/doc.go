// Package leaks measures package redact with the public rules of gitleaks: how many of their
// secrets it finds, and how many ordinary texts it mistakes for secrets.
// own, so that nobody who uses this library gets gitleaks.
package leaks
