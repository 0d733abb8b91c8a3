// Http is a program that uses net/http and slog.
package main

import (
	"log/slog"
	"net/http"
)

func main() {
	if _, err := http.Get("http://127.0.0.1:1/"); err != nil {
		slog.Error(err.Error())
	}
}
