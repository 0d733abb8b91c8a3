// Package leaks measures how many secrets package redact finds that the public rules of
// gitleaks find, and how many texts it takes for secrets that are none. It is a module of its
// own, so that nobody who uses this library gets gitleaks.
package leaks
