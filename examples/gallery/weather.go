package main

import (
	"context"
	"encoding/json"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// get_weather: an argument with only a few allowed values, a slow service, and a city that does not
// exist. The units are an enum in the schema. If a model sends another value, result.Middleware
// names the allowed ones, and the handler does not run.

// weatherLimit is how long the tool waits for the weather service. It is short, so that the example
// runs in seconds.
const weatherLimit = 500 * time.Millisecond

func addWeather(server *mcp.Server, weather *service) {
	result.AddTool(server, &mcp.Tool{
		Name:        "get_weather",
		Description: "Get the weather in a city now.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
		InputSchema: json.RawMessage(`{
			"type": "object",
			"properties": {
				"city":  {"type": "string", "minLength": 1, "maxLength": 100,
				          "description": "the city's name in English, such as \"Hanoi\""},
				"units": {"enum": ["metric", "imperial"], "type": "string", "default": "metric",
				          "description": "metric for degrees Celsius, imperial for Fahrenheit"}
			},
			"required": ["city"],
			"additionalProperties": false
		}`),
	}, (&meteorologist{weather}).weather)
}

type weatherIn struct {
	City  string `json:"city"`
	Units string `json:"units"`
}

type weatherOut struct {
	City        string  `json:"city"`
	Temperature float64 `json:"temperature"`
	Units       string  `json:"units"`
}

type meteorologist struct{ service *service }

func (m *meteorologist) weather(
	ctx context.Context, _ *mcp.CallToolRequest, in weatherIn,
) (*mcp.CallToolResult, weatherOut, error) {
	out := weatherOut{Units: in.Units}
	query := url.Values{"city": {in.City}, "units": {in.Units}}
	err := m.service.call(ctx, http.MethodGet, "/weather?"+query.Encode(), nil, &out)
	if toolerr.CodeOf(err) == toolerr.CodeNotFound {
		return nil, out, m.noCity(ctx, in.City)
	}
	// A timeout has the default hint: wait and retry. A client that has retried replaces that hint.
	return nil, out, err
}

// noCity returns the failure for an unknown city, with similar names.
func (m *meteorologist) noCity(ctx context.Context, city string) error {
	var known struct {
		Cities []string `json:"cities"`
	}
	if err := m.service.call(ctx, http.MethodGet, "/cities", nil, &known); err != nil {
		known.Cities = nil // the failure at hand is that there is no such city
	}
	return toolerr.NotFound("city", city, known.Cities...).WithField("city")
}

// A weatherService knows some cities. One city's station does not answer its first request; Jan
// Mayen's answers no request.
type weatherService struct {
	stations map[string]*station
	hold     func(*http.Request) // keeps a request until its caller has left
}

type station struct {
	celsius float64
	held    int64 // how many of the first requests are not answered
	asked   atomic.Int64
}

func newWeatherService() *weatherService {
	return &weatherService{
		stations: map[string]*station{
			"Hanoi": {celsius: 31}, "Lisbon": {celsius: 24}, "London": {celsius: 17},
			"Longyearbyen": {celsius: 6, held: 1}, "Jan Mayen": {celsius: 4, held: math.MaxInt64},
		},
		hold: func(r *http.Request) { <-r.Context().Done() },
	}
}

// ServeHTTP implements [http.Handler]: GET /cities, and GET /weather?city=&units=.
func (s *weatherService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/cities" {
		answer(w, map[string]any{"cities": slices.Sorted(maps.Keys(s.stations))})
		return
	}
	city := r.URL.Query().Get("city")
	st, ok := s.stations[city]
	if !ok {
		http.NotFound(w, r)
		return
	}
	if st.asked.Add(1) <= st.held {
		s.hold(r)
		return
	}
	degrees := st.celsius
	if r.URL.Query().Get("units") == "imperial" {
		degrees = degrees*9/5 + 32
	}
	answer(w, map[string]any{"city": city, "temperature": degrees})
}
