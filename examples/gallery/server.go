package main

import (
	"crypto/ed25519"
	"log/slog"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// handlerLimit is the longest time that a tool may take.
const handlerLimit = 5 * time.Second

// A gallery is the MCP server, with the services and the workspace that its tools use.
type gallery struct {
	*mcp.Server

	closers []func()
}

// newGallery starts the services that the tools use, and returns the server. result.Middleware
// structures all failures. today has to return the current date, at midnight UTC.
func (p program) newGallery(today func() time.Time, logger *slog.Logger) (*gallery, error) {
	g := &gallery{Server: mcp.NewServer(&mcp.Implementation{Name: "gallery", Version: "v1.0.0"}, nil)}
	opts := &result.MiddlewareOptions{Logger: logger, Timeout: p.limit}
	g.AddReceivingMiddleware(result.Middleware(opts))

	files, err := openWorkspace()
	if err != nil {
		return nil, err
	}
	g.closers = append(g.closers, files.close)
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return nil, err
	}
	var weather, mail, bankService, reports, policy, archive *service
	for _, s := range []struct {
		to      **service
		name    string
		limit   time.Duration
		handler http.Handler
	}{
		{&weather, "The weather service", weatherLimit, newWeatherService()},
		{&mail, "The mail gateway", 2 * time.Second, new(mailGateway)},
		{&bankService, "The bank", 2 * time.Second, new(bank)},
		{&reports, "The report service", 2 * time.Second, new(reportService)},
		{&policy, "The policy service", 2 * time.Second, policyService{}},
		{&archive, "The archive", 2 * time.Second, &recordArchive{private}},
	} {
		if *s.to, err = p.start(s.name, s.limit, s.handler); err != nil {
			g.close()
			return nil, err
		}
		g.closers = append(g.closers, (*s.to).close)
	}
	instances := newFleet()

	addStockPrice(g.Server)
	addReadFile(g.Server, files)
	addWriteFile(g.Server, files)
	addOpenFile(g.Server, files)
	addTerminateInstance(g.Server, instances)
	addStopInstance(g.Server, instances)
	addBookTravel(g.Server, &travelAgency{today: today})
	addProcessBatch(g.Server, mail)
	addChargeCard(g.Server, bankService)
	addListCharges(g.Server, bankService)
	addExportReport(g.Server, reports)
	addWeather(g.Server, weather)
	addReadRecord(g.Server, &registry{policy: policy, archive: archive, key: public})
	return g, nil
}

// close ends the services and removes the workspace.
func (g *gallery) close() {
	for _, end := range g.closers {
		end()
	}
}
