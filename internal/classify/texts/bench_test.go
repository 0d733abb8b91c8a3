package texts_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/texts"
)

// BenchmarkText compares the cost of reading a text with json.Unmarshal of a text of the
// same length.
func BenchmarkText(b *testing.B) {
	short := "failed to get pod web-1 log: context deadline exceeded"
	prose := strings.Repeat("the scheduler has looked at the queue and at what its workers say of it, ", 15)
	for name, text := range map[string]string{
		"52 bytes":       short[:52],
		"a kilobyte":     prose[:1024],
		"a kilobyte, zh": strings.Repeat("任务调度程序检查了队列以及工作节点的说明，", 18)[:1023],
		"4 KiB":          strings.Repeat(prose, 4)[:4<<10],
		"a megabyte":     strings.Repeat(prose, 1024)[:1<<20],
	} {
		_ = texts.Read(text)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = texts.Read(text)
			}
		})
		raw, err := json.Marshal(map[string]string{"message": text[:len(text)-14]})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name+" by json.Unmarshal", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var m map[string]any
				if err := json.Unmarshal(raw, &m); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
