package main

import (
	"context"
	"maps"
	"regexp"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// get_stock_price: an unknown ticker symbol. The symbols are public, so near misses may be named.
// Most typos are then corrected in the next call.

func addStockPrice(server *mcp.Server) {
	no := false
	result.AddTool(server, &mcp.Tool{
		Name:        "get_stock_price",
		Description: "Get the last price of a stock by its ticker symbol.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &no},
	}, stockPrice)
}

type stockIn struct {
	Symbol string `json:"symbol" jsonschema:"the ticker symbol: 1 to 5 capital letters, such as \"MSFT\""`
}

type stockOut struct {
	Symbol  string  `json:"symbol"`
	Company string  `json:"company"`
	Price   float64 `json:"price"` // in dollars
}

var symbol = regexp.MustCompile(`^[A-Z]{1,5}$`)

func stockPrice(_ context.Context, _ *mcp.CallToolRequest, in stockIn) (*mcp.CallToolResult, stockOut, error) {
	known := slices.Sorted(maps.Keys(stocks))
	if !symbol.MatchString(in.Symbol) {
		return nil, stockOut{}, toolerr.InvalidArgument("symbol", in.Symbol, "1 to 5 capital letters", known...)
	}
	out, ok := stocks[in.Symbol]
	if !ok {
		return nil, stockOut{}, toolerr.NotFound("ticker", in.Symbol, known...).WithField("symbol")
	}
	return nil, out, nil
}

// stocks stands in for an exchange; the prices are made up.
var stocks = map[string]stockOut{
	"AAPL": {"AAPL", "Apple Inc.", 201.5},
	"AMZN": {"AMZN", "Amazon.com, Inc.", 188.2},
	"APP":  {"APP", "AppLovin Corporation", 340.1},
	"GOOG": {"GOOG", "Alphabet Inc.", 176.9},
	"MSFT": {"MSFT", "Microsoft Corporation", 455.3},
	"NVDA": {"NVDA", "NVIDIA Corporation", 131.7},
	"TSLA": {"TSLA", "Tesla, Inc.", 244},
}
