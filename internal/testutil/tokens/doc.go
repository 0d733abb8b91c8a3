// Package tokens counts what the failures of the examples cost a model: the tokens of OpenAI's
// o200k_base vocabulary in every envelope from the scenarios of support and gallery, by member.
//
//	go test -v .
//
// prints the means. The vocabulary is part of a module, so the test downloads nothing.
package tokens
