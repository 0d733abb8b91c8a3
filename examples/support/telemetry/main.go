// Telemetry is examples/support with OpenTelemetry linked in. At /metrics it serves what mcpotel
// records, instead of the support server's Counts:
//
//	go run -C examples/support/telemetry . -http 127.0.0.1:8080
//	go run -C examples/support/telemetry . agent -server http://127.0.0.1:8080/mcp -http 127.0.0.1:8081
//
// The folder also has a dashboard and alerts for servers and agents that use this module. Import
// dashboard.json into Grafana, and add rules.yml to Prometheus's rule_files. Both read
//
//   - toolerr_calls_total of Counts, which they are made for;
//   - or, instead, mcp_server_operation_duration_seconds_count of mcpotel, as the exporters for
//     Prometheus and OTLP name it. It lacks the states of idempotency keys, and Counts lacks
//     durations. A server needs only one of the two. If it has both, choose a metric at the top of
//     the dashboard, or its calls are counted twice;
//   - toolerr_decisions_total of agents, which the module does not count: countDecisions in
//     agent.go does.
//
// A series begins with its first call, which increase() therefore misses. Even one abandoned key
// matters, so for rare calls, the queries use the value of a series that is new in the window.
package main

import (
	"context"
	"io"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	otelprometheus "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/sdk/metric"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/examples/support/internal/desk"
	"github.com/mcp-toolerr/toolerr-go/result/mcpotel"
)

func main() { harness.Main(run) }

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == "agent" {
		return runAgent(ctx, args[1:], stdout, stderr)
	}
	registry := prometheus.NewRegistry()
	exporter, err := otelprometheus.New(otelprometheus.WithRegisterer(registry))
	if err != nil {
		return harness.Status("support", err, stderr)
	}
	return desk.Program{
		Receiving: mcpotel.Receiving(&mcpotel.Options{MeterProvider: metric.NewMeterProvider(metric.WithReader(exporter))}),
		Metrics:   promhttp.HandlerFor(registry, promhttp.HandlerOpts{}),
	}.Run(ctx, args, stdout, stderr)
}
