package replay_test

import (
	"context"
	"testing"
	"time"

	"github.com/prometheus/client_golang/api"
	prometheus "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/stretchr/testify/require"
)

// prometheusCase is a call of Prometheus's client.
func prometheusCase(prefix string, call func(context.Context, prometheus.API) error) typedCase {
	return typedCase{prefix, func(t *testing.T, address string) error {
		t.Helper()
		client, err := api.NewClient(api.Config{Address: address})
		require.NoError(t, err)
		return call(t.Context(), prometheus.NewAPI(client))
	}}
}

var prometheusQuery = prometheusCase("failed making query api call: failed to execute instant query: ",
	func(ctx context.Context, p prometheus.API) error {
		_, _, err := p.Query(ctx, "up", time.Time{})
		return err
	})

var prometheusFamily = family{"prometheus-go", map[string]typedCase{
	"query-parse":    prometheusQuery,
	"query-exec":     prometheusQuery,
	"query-timeout":  prometheusQuery,
	"query-401":      prometheusQuery,
	"query-403":      prometheusQuery,
	"query-html":     prometheusQuery,
	"query-html-200": prometheusQuery,
	"query-429":      prometheusQuery,
	"query-500":      prometheusQuery,
	"notready":       prometheusQuery,
	"reset":          prometheusQuery,
	"range-points": prometheusCase("failed making range query api call: failed to execute range query: ",
		func(ctx context.Context, p prometheus.API) error {
			_, _, err := p.QueryRange(ctx, "up", prometheus.Range{Step: time.Second})
			return err
		}),
	"series-none": prometheusCase("failed making series api call: failed to get series: ",
		func(ctx context.Context, p prometheus.API) error {
			_, _, err := p.Series(ctx, []string{"{}"}, time.Time{}, time.Time{})
			return err
		}),
	"labels-bad": prometheusCase("failed making label values api call: failed to get label values: ",
		func(ctx context.Context, p prometheus.API) error {
			_, _, err := p.LabelValues(ctx, "1bad", nil, time.Time{}, time.Time{})
			return err
		}),
	"snapshot-off": prometheusCase("failed making snapshot api call: failed to create Prometheus snapshot: ",
		func(ctx context.Context, p prometheus.API) error {
			_, err := p.Snapshot(ctx, false)
			return err
		}),
	"delete-off": prometheusCase("failed making delete series api call: failed to delete series from Prometheus: ",
		func(ctx context.Context, p prometheus.API) error {
			return p.DeleteSeries(ctx, []string{"up"}, time.Time{}, time.Time{})
		}),
}}

var prometheusRefusedFamily = family{"prometheus-refused-go", map[string]typedCase{"refused": prometheusQuery}}
