// Package tokens counts what the failures of the examples cost a model: the tokens of
// OpenAI's o200k_base vocabulary in every envelope that the scenarios of support and
// gallery meet, by member.
//
//	go test -v .
//
// prints the means. The vocabulary comes with a module, so that nothing is downloaded
// while the test runs.
package tokens
