package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// export_report: an unclassified error. The first two hints say to retry, which is safe because the
// tool changes nothing. After the third failure in a row, the hint links to the page where the user
// can export the report.

func addExportReport(server *mcp.Server, reports *service) {
	result.AddTool(server, &mcp.Tool{
		Name:        "export_report",
		Description: "Render a report (" + strings.Join(reportNames, ", ") + ") and return its text.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, (&exporter{reports: reports}).export)
}

type reportIn struct {
	Report string `json:"report" jsonschema:"the report's name, such as \"monthly\""`
}

type reportOut struct {
	Report string `json:"report"`
	Text   string `json:"text"`
}

type exporter struct {
	reports *service
	streaks streaks
}

func (x *exporter) export(
	ctx context.Context, req *mcp.CallToolRequest, in reportIn,
) (*mcp.CallToolResult, reportOut, error) {
	if !slices.Contains(reportNames, in.Report) {
		return nil, reportOut{}, toolerr.NotFound("report", in.Report, reportNames...).WithField("report")
	}
	// The session is not part of the streak: over stateless HTTP, every call has a new one.
	streak := caller(req) + "\n" + in.Report
	var out reportOut
	err := x.reports.call(ctx, http.MethodGet, "/reports/"+url.PathEscape(in.Report), nil, &out)
	switch {
	case err == nil:
		x.streaks.succeeded(streak)
		return nil, out, nil
	case ctx.Err() != nil || toolerr.CodeOf(err) == toolerr.CodeTimeout || toolerr.CodeOf(err) == toolerr.CodeRateLimited:
		return nil, reportOut{}, err // the reason is known, and says more than what follows
	}
	e := toolerr.Internal(err).WithEffect(toolerr.EffectNone).
		WithMessage(fmt.Sprintf("The %s report could not be exported, for an unknown reason.", in.Report))
	switch x.streaks.failed(streak) {
	case 1:
		return nil, reportOut{}, e.WithRetryable(true).WithHint("Retry the same call at once.")
	case 2:
		return nil, reportOut{}, e.WithRetryable(true).WithHint("Retry the same call once more.")
	}
	page := "https://dashboard.example.com/reports/" + url.PathEscape(in.Report)
	return nil, reportOut{}, e.WithRetryable(false).
		WithHint("Do not retry. Give the user the link " + page + " to export it by hand.").
		WithCustomerMessage("I could not export the " + in.Report + " report. You can do it yourself at " + page + ".")
}

// caller returns the user that the call's token identifies, or "" if the call has no token.
func caller(req *mcp.CallToolRequest) string {
	if req.Extra == nil || req.Extra.TokenInfo == nil {
		return ""
	}
	return req.Extra.TokenInfo.UserID
}

var reportNames = []string{"monthly", "quarterly", "annual"}

// A reportService has bugs: two of three requests for the quarterly report fail, and all for the
// annual one.
type reportService struct {
	mu        sync.Mutex
	quarterly int
}

// ServeHTTP implements [http.Handler]: GET /reports/{name}.
func (s *reportService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/reports/")
	if name == "annual" || name == "quarterly" && s.breaks() {
		http.Error(w, "index out of range [12] with length 12", http.StatusInternalServerError)
		return
	}
	answer(w, reportOut{name, "Sales rose by 3 %."})
}

func (s *reportService) breaks() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.quarterly++
	return s.quarterly%3 != 0
}
