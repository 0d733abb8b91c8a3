package main

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// The collections describe, in our own words, how networks learned to wait before they retry.
//
//go:embed corpus/*.json
var collections embed.FS

// An entry is one item of a collection. Its id is unique across collections.
type entry struct {
	ID    string `json:"id"`
	Year  int    `json:"year"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// load reads a collection.
func load(name string) ([]entry, error) {
	raw, err := collections.ReadFile("corpus/" + name + ".json")
	if err != nil {
		return nil, err
	}
	var all []entry
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, fmt.Errorf("the collection of %s cannot be read: %w", name, err)
	}
	return all, nil
}

// matching returns the entries that have a word that begins with a word of the query, in the
// collection's order.
func matching(all []entry, query string) []entry {
	wanted := words(query)
	found := []entry{}
	for _, e := range all {
		if slices.ContainsFunc(words(e.Title+" "+e.Text), func(word string) bool {
			return slices.ContainsFunc(wanted, func(w string) bool { return strings.HasPrefix(word, w) })
		}) {
			found = append(found, e)
		}
	}
	return found
}

func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
