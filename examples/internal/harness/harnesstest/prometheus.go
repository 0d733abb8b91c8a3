package harnesstest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/loopback"
)

// A Prometheus is a running Prometheus server.
type Prometheus struct {
	api string
}

// StartPrometheus runs this Prometheus program until the test ends. Five times a second, it scrapes
// /metrics on each job's host and evaluates the rules.
func StartPrometheus(t *testing.T, program string, jobs map[string]string, rules ...string) Prometheus {
	t.Helper()
	type object = map[string]any
	var scraped []any
	for job, address := range jobs {
		target, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		scraped = append(scraped, object{"job_name": job, "static_configs": []any{object{"targets": []string{target.Host}}}})
	}
	config, err := json.Marshal(object{ // which is YAML
		"global":         object{"scrape_interval": "200ms", "scrape_timeout": "200ms", "evaluation_interval": "200ms"},
		"scrape_configs": scraped, "rule_files": rules,
	})
	if err != nil {
		t.Fatal(err)
	}
	address, err := loopback.Unused()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "prometheus.yml")
	if err := os.WriteFile(file, config, 0o600); err != nil {
		t.Fatal(err)
	}
	log := new(bytes.Buffer)
	command := exec.CommandContext(t.Context(), program, "--config.file="+file,
		"--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+address)
	command.Stderr = log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan bool)
	go func() {
		_ = command.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		_ = command.Process.Signal(os.Interrupt)
		<-ended
		if t.Failed() {
			t.Log(log.String())
		}
	})
	p := Prometheus{"http://" + address}
	for deadline := time.Now().Add(testutil.Patience); ; time.Sleep(50 * time.Millisecond) {
		_, err := request(t.Context(), p.api+"/-/ready")
		if err == nil {
			return p
		}
		select {
		case <-ended:
			t.Fatal("Prometheus has ended")
		default:
		}
		if time.Now().After(deadline) {
			t.Fatalf("Prometheus does not get ready: %v", err)
		}
	}
}

// Get requests a path below /api/v1, such as "rules", and decodes the response's data.
func (p Prometheus) Get(ctx context.Context, path string, params url.Values, data any) error {
	body, err := request(ctx, p.api+"/api/v1/"+path+"?"+params.Encode())
	if err != nil {
		return err
	}
	return json.Unmarshal(body, &struct {
		Data any `json:"data"`
	}{data})
}

// A Series is one element of a query's result.
type Series struct {
	Metric map[string]string `json:"metric"` // the labels
	Value  [2]any            `json:"value"`  // the time, and the value as a string
}

// Query returns the result of a query that yields a vector.
func (p Prometheus) Query(ctx context.Context, query string) ([]Series, error) {
	var data struct {
		Result []Series `json:"result"`
	}
	err := p.Get(ctx, "query", url.Values{"query": {query}}, &data)
	return data.Result, err
}

func request(ctx context.Context, address string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %d: %s", resp.StatusCode, body)
	}
	return body, err
}
