package thirdparty

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ClickHouse/clickhouse-go/v2"
	mssql "github.com/microsoft/go-mssqldb"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/querytool"
)

// TestQuery records what a model reads and what the log says about the errors of two databases in
// the form that their drivers return. A sample is a tool, its statement, a tab, the number of the
// error and its message.
func TestQuery(t *testing.T) {
	t.Parallel()
	for name, form := range map[string]func(number int32, message string) error{
		"sqlserver": func(number int32, message string) error {
			return mssql.Error{Number: number, State: 1, Class: 16, Message: message}
		},
		"clickhouse": func(number int32, message string) error {
			return &clickhouse.Exception{Code: number, Name: "DB::Exception", Message: message}
		},
	} {
		t.Run(name, func(t *testing.T) {
			testutil.Recorded(t, "testdata/"+name+".txt", querytool.New(t, func(_ context.Context, _, sample string) error {
				_, answer, _ := strings.Cut(sample, "\t")
				var number int32
				_, err := fmt.Sscan(answer, &number)
				must(t, err)
				_, message, _ := strings.Cut(answer, " ")
				return form(number, message)
			}))
		})
	}
}
