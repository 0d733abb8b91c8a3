package nearmiss_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/nearmiss"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

// TestFind checks the near misses of a name, which stands before the names that are known.
func TestFind(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/names.txt", func(sample string) string {
		names := strings.Split(sample, "|")
		return strings.Join(nearmiss.Find(names[0], names[1:]), "|")
	})
}

// FuzzFind compares the edit distance with a textbook implementation.
func FuzzFind(f *testing.F) {
	f.Add("sesion", "session")
	f.Add("ab", "ba")
	f.Add("abcdefghijkl", "bacdegfhijlk")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a) > 60 || len(b) > 60 || a == "" || b == "" || a == b ||
			strings.Trim(a+b, "abcdefghijklmnopqrstuvwxyz") != "" {
			return
		}
		far := max(2, min(len(a)/4, 4))
		if len(a) <= 3 {
			far = 1
		}
		assert.Equal(t, textbook(a, b) <= far, len(nearmiss.Find(a, []string{b})) > 0, "%q %q", a, b)
	})
}

func textbook(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			d[i][j] = i + j
			if i == 0 || j == 0 {
				continue
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+1)
			if a[i-1] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-1][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
