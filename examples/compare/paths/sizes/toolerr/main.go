// Toolerr is the program http, except that it turns its failure into a tool error.
package main

import (
	"log/slog"
	"net/http"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func main() {
	if _, err := http.Get("http://127.0.0.1:1/"); err != nil {
		slog.Error(toolerr.From(err).Error())
	}
}
