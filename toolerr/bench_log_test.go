package toolerr_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// BenchmarkError_LogValueWithout measures a log record of a failure, without the handler.
func BenchmarkError_LogValueWithout(b *testing.B) {
	arguments := []byte(`{"customer":"CUS-10001","order":"ORD-2024-77","limit":10}`)
	sentence := "dial db.internal:5432: the order ORD-2024-77 of CUS-10001 is closed. "
	for name, e := range map[string]*toolerr.Error{
		"authored": toolerr.Business("The account is frozen.").WithCode("account_frozen"),
		"60 B":     toolerr.Internal(errors.New(sentence)),
		"1 KB":     toolerr.Internal(errors.New(strings.Repeat(sentence, 15))),
		"4 KB":     toolerr.Internal(errors.New(strings.Repeat(sentence, 60))),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				e.LogValueWithout(arguments)
			}
		})
	}
}
