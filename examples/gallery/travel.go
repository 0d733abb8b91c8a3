package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// book_travel: a date in the past, from a model that mistakes the year of its training data for the
// current one. A schema cannot rule it out. The failure states today's date, and the one probably
// meant.

// A travelAgency takes bookings. It is safe for concurrent use.
type travelAgency struct {
	today func() time.Time // midnight, UTC

	mu       sync.Mutex
	bookings int
}

func addBookTravel(server *mcp.Server, a *travelAgency) {
	no := false
	result.AddTool(server, &mcp.Tool{
		Name:        "book_travel",
		Description: "Book a trip that starts on a date from today to a year ahead.",
		Annotations: &mcp.ToolAnnotations{DestructiveHint: &no, OpenWorldHint: &no}, // a repeat books a second trip
	}, a.book)
}

type travelIn struct {
	Destination string `json:"destination" jsonschema:"the city to go to, such as \"Lisbon\""`
	Date        string `json:"date" jsonschema:"the day of departure as YYYY-MM-DD"`
}

type travelOut struct {
	Booking     string `json:"booking"`
	Destination string `json:"destination"`
	Date        string `json:"date"`
}

func (a *travelAgency) book(
	_ context.Context, _ *mcp.CallToolRequest, in travelIn,
) (*mcp.CallToolResult, travelOut, error) {
	if strings.TrimSpace(in.Destination) == "" {
		return nil, travelOut{}, toolerr.Validation("The destination is empty.").
			WithCode(toolerr.CodeMissingArgument).WithField("destination").
			WithHint("Ask the user where to go, then call again with it.")
	}
	today := a.today()
	date, err := time.Parse(time.DateOnly, in.Date)
	if err != nil {
		want := "a date as YYYY-MM-DD, such as " + today.AddDate(0, 0, 7).Format(time.DateOnly)
		return nil, travelOut{}, toolerr.InvalidArgument("date", in.Date, want)
	}
	if last := today.AddDate(1, 0, 0); date.Before(today) || date.After(last) {
		return nil, travelOut{}, outOfSeason(date, today, last)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.bookings++
	return nil, travelOut{Booking: fmt.Sprintf("TRIP-%d", a.bookings), Destination: in.Destination, Date: in.Date}, nil
}

func outOfSeason(date, today, last time.Time) error {
	if date.After(last) {
		return toolerr.OutOfRange("date", date, today, last, nil)
	}
	// Probably, only the year is wrong. 29 February becomes 1 March in a year that lacks it.
	likely := date.AddDate(today.Year()-date.Year(), 0, 0)
	if likely.Before(today) {
		likely = date.AddDate(today.Year()-date.Year()+1, 0, 0)
	}
	return toolerr.OutOfRange("date", date, today, last, likely).
		WithMessage(fmt.Sprintf("date must not be in the past: today is %s, got %s.", today.Format(time.DateOnly),
			date.Format(time.DateOnly)))
}
