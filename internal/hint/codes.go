package hint

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed codes.tsv
var codesText string

// codes has the default message of each code of package toolerr, and its hint.
var codes = sync.OnceValue(func() map[string][2]string {
	rows := map[string][2]string{}
	for line := range strings.Lines(codesText) {
		columns := strings.Split(strings.TrimSpace(line), "\t")
		rows[columns[0]] = [2]string(columns[1:])
	}
	return rows
})

// Sentence returns the default message of a code, or "" if package toolerr does not define it.
func Sentence(code string) string { return codes()[code][0] }

// Code returns the default hint of a code for failures that are not retryable, or "".
func Code(code string) string { return codes()[code][1] }
