package redact //nolint:testpackage // it compares the table itself

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestForms checks that each form is what package regexp reads in its row.
func TestForms(t *testing.T) {
	t.Parallel()
	row := regexp.MustCompile(`(?m)^(?:form|weak)\t((.*?)(\[.+?\])\{(\d+),\})\t`)
	for _, m := range row.FindAllStringSubmatch(credentialsText, -1) {
		got := table{forms: make([][]form, 1)}
		got.addForm(m[1], false)
		f := got.forms[1][0]
		assert.Regexp(t, "^"+m[2]+" "+m[4]+"$", fmt.Sprint(f.prefix, " ", f.least))
		for c := range 256 {
			assert.Equal(t, regexp.MustCompile(m[3]).MatchString(string(rune(c))) && c < 128, f.set[c], "%s: %d", m[1], c)
		}
	}
}
