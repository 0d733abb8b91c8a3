package foreign_test

import (
	"bufio"
	"fmt"
	"os"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
)

func TestZZTry(t *testing.T) {
	f, _ := os.Open("/tmp/w/try.txt")
	s := bufio.NewScanner(f)
	for s.Scan() {
		res := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s.Text()}}}
		e, empty := foreign.Success(res)
		kind := "data"
		if empty {
			kind = "empty"
		}
		if e != nil {
			kind = testutil.Fields(e)
		}
		fmt.Println(s.Text(), "\n    ->", kind)
	}
}
