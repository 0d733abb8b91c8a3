package texts

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestDbg(t *testing.T) {
	for _, f := range strings.Fields("/work/brief/fresh/sentences.jsonl /tmp/mine/dev.jsonl /tmp/mine/hold.jsonl /tmp/mine/hold2.jsonl /tmp/mine/hold3.jsonl /tmp/mine/hold4.jsonl") {
		raw, _ := os.ReadFile(f)
		for l := range strings.Lines(string(raw)) {
			var o struct{ Text, Category string; Acceptable []string }
			json.Unmarshal([]byte(l), &o)
			var r reader
			r.read(o.Text)
			got := r.reading()
			cat := got.Category
			if cat == "" || got.Code == "internal" { cat = "none" }
			ok := "WRONG"
			if cat == o.Category || strings.Contains(strings.Join(o.Acceptable, " "), cat) { ok = "ok" } else if cat == "none" { ok = "none" }
			ph := ""
			for _, h := range r.hits {
				if h.meaning.use == says || h.meaning.use == ifNot {
				ph += fmt.Sprintf(" [%s c%d r%d u%d n%d]", r.norm[r.tokens[h.first].start:r.tokens[h.last].end], h.meaning.class, h.meaning.rank, h.meaning.use, h.meaning.needs)
				}
			}
			fmt.Printf("%s\t%s\t%s\tL%d:%d P%d:%d\t%s\t%s\n", ok, cat, o.Category, r.lasting.class, r.lasting.score, r.passing.class, r.passing.score, ph, o.Text)
		}
	}
}
