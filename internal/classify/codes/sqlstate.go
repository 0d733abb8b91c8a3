package codes

import (
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// FromSQLState classifies a SQLSTATE (ISO/IEC 9075, with PostgreSQL's own codes) by the whole code
// if it is known, otherwise by its class. A statement that failed in the database changed nothing,
// unless its state is internal, canceled or exhausted; if the connection broke, the effect is
// unknown. The statement, the schema and the login are the server's own, so errors in them are
// internal; data and constraints concern what the caller sent.
//
// State 57014, query_canceled, has several causes, which PostgreSQL's fixed texts distinguish.
func FromSQLState(state string, text func() string) class.Class {
	if len(state) != 5 {
		return class.Unknown
	}
	if state == "57014" && strings.Contains(text(), " timeout") { // a statement timeout
		return class.NotSent
	}
	for _, known := range []string{state, state[:2]} {
		for _, row := range tables()["state"] {
			if row.codes == known {
				return row.class
			}
		}
	}
	return class.Unknown
}
