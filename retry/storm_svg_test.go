package retry_test

import (
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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

// drawStorms returns an SVG of the successful calls over time. Its colors work on light and
// dark backgrounds.
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

	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" font-family="sans-serif" font-size="12" fill="#737d88">`+"\n", width, height)
	b.WriteString("<title>Successful calls a second around an outage, by way of retrying</title>\n")
	fmt.Fprintf(&b, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill-opacity="0.2"/>`+"\n",
		x(warmUp.Seconds()), top, x(o.length.Seconds())-left, bottom-top)
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
