package faults_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result/resulttest/faults"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A service that is throttled, and then unavailable.
func Example() {
	client := &http.Client{Transport: &faults.Injector{Script: []faults.Fault{faults.TooManyRequests, faults.ResetBefore}}}
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

// An overloaded service on loopback, for a server in another process.
func ExampleInjector_Serve() {
	t := new(cleaner) // in a test, its *testing.T
	defer t.clean()
	injector := &faults.Injector{Script: []faults.Fault{faults.Unavailable, faults.None}, RetryAfter: 2 * time.Second}
	upstream := injector.Serve(t, nil) // answers {}
	for range 2 {
		resp, err := http.Get(upstream.URL)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%d, Retry-After: %q\n", resp.StatusCode, resp.Header.Get("Retry-After"))
		_ = resp.Body.Close()
	}
	fmt.Println(injector.Drawn())
	// Output:
	// 503, Retry-After: "2"
	// 200, Retry-After: ""
	// [503 none]
}

// A cleaner replaces the *testing.T, which an example does not have.
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
