package resulttest_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result/resulttest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// What becomes of a service that is throttled, and then away.
func ExampleFaults() {
	faults := &resulttest.Faults{Script: []resulttest.Fault{resulttest.FaultTooManyRequests, resulttest.FaultResetBefore}}
	client := &http.Client{Transport: faults}
	for range 2 {
		resp, err := client.Get("http://127.0.0.1:1/orders")
		e := toolerr.From(err)
		if err == nil {
			e = toolerr.FromResponse(resp)
		}
		fmt.Println(e.Category, e.Code, e.Effect)
	}
	// Output:
	// transient rate_limited none
	// transient unavailable unknown
}

// A service that is overloaded at first, on loopback, for a server that is a
// program of its own.
func ExampleFaults_Serve() {
	t := new(cleaner) // in a test, its *testing.T
	defer t.clean()
	faults := &resulttest.Faults{
		Script:     []resulttest.Fault{resulttest.FaultUnavailable, resulttest.FaultNone},
		RetryAfter: 2 * time.Second,
	}
	upstream := faults.Serve(t, nil) // answers {}
	for range 2 {
		resp, err := http.Get(upstream.URL)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(resp.StatusCode, resp.Header.Get("Retry-After"))
		_ = resp.Body.Close()
	}
	// Output:
	// 503 2
	// 200
}

// A cleaner stands for a *testing.T, which an example does not have.
type cleaner struct {
	testing.TB

	cleanups []func()
}

func (c *cleaner) Helper() {}

func (c *cleaner) Cleanup(f func()) { c.cleanups = append(c.cleanups, f) }

func (c *cleaner) clean() {
	for _, f := range c.cleanups {
		f()
	}
}
