package classify

import (
	"reflect"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/texts"
)

// readSQLState reads the SQLSTATE from a method, a field, or a field of PostgreSQL's
// protocol.
func (in *inspector) readSQLState(err error, r *codes.Reader) bool {
	state := ""
	switch e := err.(type) { //nolint:errorlint // one link of the chain
	case interface{ SQLState() string }:
		state = e.SQLState()
	case interface{ Field(k byte) string }:
		state = e.Field('C')
	}
	for f := range in.fields(in.sqlState) {
		if state == "" {
			state = characters(f)
		}
	}
	return state != "" && r.Override(codes.FromSQLState(state, err.Error()))
}

// characters returns a string, or an array of bytes as a string.
func characters(v reflect.Value) string {
	if v.Kind() == reflect.String {
		return v.String()
	}
	b := make([]byte, v.Len())
	reflect.Copy(reflect.ValueOf(b), v)
	return string(b)
}

// sqlStateIn classifies by the SQLSTATE in a text as PostgreSQL drivers write it: after the
// word SQLSTATE, in parentheses, in brackets or bare. Only the ends of a long text are
// read.
func sqlStateIn(text string) class.Class {
	if len(text) > texts.HeadBytes+texts.TailBytes {
		if c := sqlStateIn(text[len(text)-texts.TailBytes:]); c != class.Unknown {
			return c
		}
		text = text[:texts.HeadBytes]
	}
	_, rest, ok := strings.Cut(text, "SQLSTATE")
	if !ok {
		return class.Unknown
	}
	rest = strings.TrimLeft(rest, ":=[( ")
	if len(rest) < 5 || len(rest) > 5 && codes.IsAlnum(rest[5]) {
		return class.Unknown
	}
	return codes.FromSQLState(rest[:5], text)
}
