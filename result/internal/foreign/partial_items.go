package foreign

import (
	"strings"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// itemErrors are the members of an item that contain its error instead of its data.
var itemErrors = []string{"error", "erro", "errore", "erreur", "fehler"}

// An itemCount counts the items of an answer that carry data and those that carry an error.
type itemCount struct {
	done   int
	failed []map[string]any
	known  map[string]bool // the members of the items with data
	isLog  bool            // the items belong to a log or a plan, and have errors as data
}

// partialAmong reads an answer in which some items carry an error instead of their data, in
// any of its lists, or returns nil. Such an item has nothing but an identifier or a name
// next to its error. A record with a column for errors has its other columns too.
func partialAmong(v any) *toolerr.Partial {
	c := itemCount{known: map[string]bool{}}
	c.count(v, 0)
	if c.isLog || c.done == 0 || len(c.failed) == 0 {
		return nil
	}
	_, isList := v.([]any)
	for _, m := range c.failed {
		if !isList && !c.sharesMember(m) || !c.lacksData(m) {
			return nil
		}
	}
	p := &toolerr.Partial{Processed: c.done, Total: c.done + len(c.failed)}
	if isList {
		p.Results = rawList(v)
	}
	return p
}

// sharesMember reports whether a failed item has a member that the items with data also have.
func (c *itemCount) sharesMember(m map[string]any) bool {
	for name := range m {
		if c.known[name] && errorOf(map[string]any{name: m[name]}) == "" {
			return true
		}
	}
	return false
}

// lacksData reports whether a failed item lacks a member that the items with data have.
func (c *itemCount) lacksData(m map[string]any) bool {
	for name := range c.known {
		if _, ok := m[name]; !ok {
			return true
		}
	}
	return false
}

func (c *itemCount) count(v any, depth int) {
	const maxDepth, most = 4, 1000 // chosen: an answer, its parts, their lists; more items are a dump
	if depth > maxDepth {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			if recordWords()[strings.ToLower(name)] || runWords()[strings.ToLower(name)] {
				continue
			}
			c.count(inner, depth+1)
		}
	case []any:
		if len(v) > most {
			return
		}
		for _, item := range v {
			if m, ok := item.(map[string]any); ok {
				c.add(m)
			}
		}
	}
}

// add counts an item of a list.
func (c *itemCount) add(m map[string]any) {
	const mostBeside = 2 // members: an identifier and a name
	for name := range m {
		c.isLog = c.isLog || logMembers()[strings.ToLower(name)]
	}
	switch {
	case errorOf(m) == "" && len(m) > 1:
		c.done++
		for name, v := range m {
			if !isZero(v) {
				c.known[name] = true
			}
		}
	case errorOf(m) != "" && len(m) > 1 && len(m) <= 1+mostBeside && !holdsLong(m):
		c.failed = append(c.failed, m)
	case errorOf(m) != "":
		c.isLog = true // an error next to data
	}
}

// errorOf returns the text of an item's error, or "".
func errorOf(m map[string]any) string {
	for _, name := range itemErrors {
		switch e := m[name].(type) {
		case string:
			return e
		case map[string]any:
			if s, _ := e["message"].(string); s != "" {
				return s
			}
		}
	}
	return ""
}

// holdsLong reports whether an item contains a list, an object or a long text in addition
// to its error.
func holdsLong(m map[string]any) bool {
	for name, v := range m {
		s, isText := v.(string)
		n, isContainer := size(v)
		if errorOf(map[string]any{name: v}) == "" && (isContainer && n > 0 || isText && len(s) > maxShort) {
			return true
		}
	}
	return false
}

var (
	// runWords are lists of records that have an outcome of their own.
	runWords = set(`
		logs log events history jobs runs builds pipelines stages steps tasks deployments monitors incidents errors failures traces spans
		entries alerts examples attempts executions workflows`)
	// logMembers are the members of an event's record.
	logMembers = set(`level severity ts timestamp time created_at createdat started_at startedat finished_at duration attempts occurrences line stack`)
)
