// Package storm simulates how retries keep a server down, by the way of retrying.
package storm

import (
	"context"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/retry"
)

var (
	fullStorm   = flag.Bool("storm", false, "simulate retry storms with thousands of clients, not hundreds")
	updateStorm = flag.Bool("update", false, "draw testdata/storm.svg; implies -storm")
)

// A caller makes one call of a client with any number of attempts.
type caller func(client int, send func() error) error

// A retrier is a way to retry.
type retrier struct {
	name      string
	newCaller func(clients int) caller
}

const (
	noRetries          = "no retries"
	immediateRetries   = "3 retries, immediate"
	exponentialRetries = "3 retries, 1-2-4 s"
	jitteredRetries    = "3 retries, full jitter"
	budgetedRetries    = "Do with a Budget"
	agentRetries       = "Do with AgentPolicy"
)

var retriers = []retrier{
	{noRetries, func(int) caller { return func(_ int, send func() error) error { return send() } }},
	{immediateRetries, func(int) caller { return byHand(func(int) {}) }},
	// in a synctest bubble
	{exponentialRetries, func(int) caller { return byHand(func(i int) { time.Sleep(time.Second << i) }) }},
	{jitteredRetries, func(int) caller {
		var mu sync.Mutex
		seeded := rand.New(rand.NewPCG(1, 2))
		return byHand(func(i int) {
			mu.Lock()
			wait := time.Duration(seeded.Int64N(int64(time.Second << i)))
			mu.Unlock()
			time.Sleep(wait) // in a synctest bubble
		})
	}},
	{budgetedRetries, byPolicy(func() retry.Policy { return retry.Policy{Budget: new(retry.Budget)} })},
	{agentRetries, byPolicy(retry.AgentPolicy)},
}

// byPolicy returns callers with their own policies, like clients in processes of their own.
func byPolicy(newPolicy func() retry.Policy) func(clients int) caller {
	return func(clients int) caller {
		policies := make([]retry.Policy, clients)
		for i := range policies {
			policies[i] = newPolicy()
		}
		return func(client int, send func() error) error {
			p := policies[client]
			p.Safety, p.Logger = retry.SafetyReadOnly, slog.New(slog.DiscardHandler)
			_, err := retry.Do(context.Background(), p, func(context.Context) (struct{}, error) { return struct{}{}, send() })
			return err
		}
	}
}

// byHand is a typical handwritten retry loop.
func byHand(wait func(i int)) caller {
	return func(_ int, send func() error) error {
		err := send()
		for i := 0; i < 3 && err != nil; i++ {
			wait(i)
			err = send()
		}
		return err
	}
}

// A climate is an outage and the clients that call during it.
type climate struct {
	name    string
	outage  outage
	clients int
	load    func(*storm, int, caller)
}

// run simulates each retrier in a climate, by default with a tenth of the clients and of the server.
func (cl climate) run(t *testing.T, retriers ...retrier) map[string]*storm {
	t.Helper()
	scale := 10
	if *fullStorm || *updateStorm {
		scale = 1
	}
	clients := cl.clients / scale
	out := map[string]*storm{}
	for _, r := range retriers {
		synctest.Test(t, func(*testing.T) {
			s := newStorm(cl.outage, scale)
			cl.load(s, clients, r.newCaller(clients))
			out[r.name] = s
		})
		// Otherwise the results would not show the effect of the outage.
		for i, c := range out[r.name].seconds[:warmUp/time.Second] {
			require.Zero(t, c.failed, "calls that failed in second %d, before the outage", i)
			require.Equal(t, c.calls, c.attempts, "attempts in second %d, before the outage", i)
		}
	}
	return out
}

// TestRetryStorm shows that unbounded retries keep a server down after an outage, because each call that
// times out causes more calls that do. With a Budget the server recovers as fast as without retries.
func TestRetryStorm(t *testing.T) {
	t.Parallel()
	down, slow := outage{0, 30 * time.Second}, outage{0.25, 30 * time.Second}
	slowOpen := climate{"at 25% for 30 s, 1000 calls a second", slow, 1000, openLoop}
	for _, cl := range []climate{
		{"down for 30 s, 1000 calls a second", down, 1000, openLoop},
		{"down for 30 s, 3000 agents", down, 3000, closedLoop},
		slowOpen,
		{"at 25% for 30 s, 3000 agents", slow, 3000, closedLoop},
	} {
		t.Run(cl.name, func(t *testing.T) {
			t.Parallel()
			storms := cl.run(t, retriers...)
			var table strings.Builder
			for _, r := range retriers {
				s := storms[r.name]
				recovery := strings.Replace(s.recovery().String(), aftermath.String(), "never", 1)
				fmt.Fprintf(&table, "\n%-24s %.2f attempts a call, recovered after %5s, %6d calls failed", r.name,
					s.amplification(), recovery, s.failures())
			}
			t.Log(table.String())

			assert.InDelta(t, 1, storms[noRetries].amplification(), 0, noRetries)
			assert.LessOrEqual(t, storms[budgetedRetries].amplification(), 1.4, budgetedRetries)
			for _, name := range []string{budgetedRetries, agentRetries} {
				assert.LessOrEqual(t, storms[name].recovery(), storms[noRetries].recovery()+2*time.Second, name)
			}
			if cl.clients == 3000 { // agents that wait for their answers
				// Measured: 13 % more for one outage and 5 % for the other, with standard deviations of 3 % and 2 %.
				assert.LessOrEqual(t, storms[agentRetries].failures(), storms[exponentialRetries].failures()*3/2, agentRetries)
			} else {
				assert.LessOrEqual(t, storms[agentRetries].amplification(), 1.7, agentRetries)
			}
			if cl.name != slowOpen.name {
				return
			}
			for _, name := range []string{immediateRetries, exponentialRetries, jitteredRetries} {
				assert.Equal(t, aftermath, storms[name].recovery(), name)
			}
			checkDrawing(t, slow, storms)
		})
	}
}

// TestBudget_RandomPause checks that clients whose budgets ran out together do not return together when
// they have refilled. Otherwise it would depend on the outage's length whether the wave meets the recovery.
func TestBudget_RandomPause(t *testing.T) {
	t.Parallel()
	cl := climate{"at 25% for 2 min, 1000 calls a second", outage{0.25, 2 * time.Minute}, 1000, openLoop}
	storms := cl.run(t, retriers[0], retriers[len(retriers)-2])
	const dry = 20 // seconds after the start of the outage
	retries := 0
	for i, c := range storms[budgetedRetries].seconds[warmUp/time.Second+dry:][:100] {
		assert.LessOrEqual(t, c.attempts, c.calls*6/5, "attempts in second %d of the outage", dry+i)
		retries += c.attempts - c.calls
	}
	assert.Positive(t, retries, "retries after the budgets ran out")
	assert.LessOrEqual(t, storms[budgetedRetries].recovery(), storms[noRetries].recovery()+2*time.Second)
}

// checkDrawing draws the storms on request, and checks that there is a drawing.
func checkDrawing(t *testing.T, o outage, storms map[string]*storm) {
	t.Helper()
	path := filepath.Join("testdata", "storm.svg")
	if *updateStorm {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, drawStorms(o, storms), 0o644))
	}
	f, err := os.Open(path)
	require.NoError(t, err)
	defer func() { assert.NoError(t, f.Close()) }()
	for d := xml.NewDecoder(f); err == nil; {
		_, err = d.Token()
	}
	assert.ErrorIs(t, err, io.EOF, "not well-formed")
}

// Curves that overlap have dashes that do not.
var stormStrokes = map[string]string{
	noRetries:          `stroke="#848d97" stroke-dasharray="2 6" stroke-width="8"`,
	immediateRetries:   `stroke="#e5484d" stroke-dasharray="8 16" stroke-width="2.5"`,
	exponentialRetries: `stroke="#d97706" stroke-dasharray="8 16" stroke-dashoffset="-8" stroke-width="2.5"`,
	jitteredRetries:    `stroke="#a855f7" stroke-dasharray="8 16" stroke-dashoffset="-16" stroke-width="2.5"`,
	budgetedRetries:    `stroke="#2f9e5b" stroke-width="2"`,
}

// drawStorms returns an SVG of the successful calls over time. Its colors work on light and dark backgrounds.
func drawStorms(o outage, storms map[string]*storm) []byte {
	const (
		width, height            = 800, 400
		left, right, top, bottom = 64, 772, 64, 352 // of the curves
		highest                  = 1400             // calls a second
	)
	var b strings.Builder
	total := (warmUp + o.length + aftermath).Seconds()
	x := func(second float64) float64 { return left + (right-left)*second/total }
	y := func(calls int) float64 { return bottom - float64((bottom-top)*calls)/highest }
	text := func(x, y float64, anchor, format string, args ...any) {
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`+"\n", x, y, anchor, fmt.Sprintf(format, args...))
	}

	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" font-family="sans-serif" `+
		`font-size="12" fill="#737d88">`+"\n", width, height)
	b.WriteString("<title>Successful calls a second around an outage, by way of retrying</title>\n")
	fmt.Fprintf(&b, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill-opacity="0.2"/>`+"\n", x(warmUp.Seconds()), top,
		x(o.length.Seconds())-left, bottom-top)
	text(x((warmUp + o.length/2).Seconds()), top+18, "middle", "outage,")
	text(x((warmUp + o.length/2).Seconds()), top+34, "middle", "%.0f %% left", o.capacity*100)
	for calls := 0; calls <= highest; calls += 200 {
		fmt.Fprintf(&b, `<path d="M%d %.1fH%d" stroke="#737d88" stroke-opacity="0.3"/>`+"\n", left, y(calls), right)
		text(left-8, y(calls)+4, "end", "%d", calls)
	}
	for s := 0.0; s <= total; s += 30 {
		text(x(s), bottom+18, "middle", "%.0f s", s-warmUp.Seconds())
	}
	text((left+right)/2, height-8, "middle", "time since the outage began")
	text(left, top-12, "start", "successful calls a second, of 1000 that start")

	drawn := slices.DeleteFunc(slices.Clone(retriers), func(r retrier) bool { return stormStrokes[r.name] == "" })
	for i, r := range drawn {
		at := float64(8 + i*width/len(drawn))
		fmt.Fprintf(&b, `<path d="M%.0f 20h24" %s/>`+"\n", at, stormStrokes[r.name])
		text(at+30, 24, "start", "%s", r.name)
	}
	for _, r := range drawn {
		fmt.Fprintf(&b, `<polyline fill="none" stroke-linejoin="round" %s points="`, stormStrokes[r.name])
		seconds := storms[r.name].seconds
		for i, c := range seconds {
			if 0 < i && i < len(seconds)-1 && c.succeeded == seconds[i-1].succeeded && c.succeeded == seconds[i+1].succeeded {
				continue // on a straight line
			}
			fmt.Fprintf(&b, "%.1f,%.1f ", x(float64(i)+0.5), y(c.succeeded))
		}
		b.WriteString("\"/>\n")
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}
