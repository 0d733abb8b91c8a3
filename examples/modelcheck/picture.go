package main

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// draw returns the table as an SVG, with a bar for each failure and form: it shows the share of
// right answers and, in red, of repeats that may do the work twice. Its colors suit both light and
// dark backgrounds.
func (s *score) draw() []byte {
	const (
		width, left, row, top = 760, 240, 30, 64 // the longest name fits beside the bars
		full                  = width - left - 60
	)
	colours := map[string]string{"bare": "#848d97", "envelope": "#2f9e5b"}
	var b strings.Builder
	text := func(x, y int, anchor, content string) {
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="%s">`, x, y, anchor)
		_ = xml.EscapeText(&b, []byte(content)) // a strings.Builder takes everything
		b.WriteString("</text>\n")
	}
	bar := func(x, y int, share float64, colour string) int {
		length := int(share * full)
		if length > 0 {
			fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="9" fill="%s"/>`+"\n", x, y, length, colour)
		}
		return x + length
	}
	height := top + row*len(s.questions) + 16
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" font-family="sans-serif" `+
		`font-size="12" fill="#737d88">`+"\n", width, height)
	b.WriteString("<title>Right next steps after a failed call, by form</title>\n")
	text(16, 24, "start", fmt.Sprintf("Right next steps of %s, %d answers to each failure and form", s.title, s.seeds))
	x := left
	for _, key := range []struct{ name, colour string }{
		{"bare text", colours["bare"]}, {"envelope", colours["envelope"]}, {"repeats that may do it twice", "#e5484d"},
	} {
		fmt.Fprintf(&b, `<rect x="%d" y="37" width="9" height="9" fill="%s"/>`+"\n", x, key.colour)
		text(x+14, 46, "start", key.name)
		x += 120
	}
	for i, q := range s.questions {
		y := top + row*i
		text(left-12, y+13, "end", q.name)
		for j, form := range forms {
			t := s.of(q.name, form)
			end := bar(left, y+11*j, float64(t.right)/float64(s.seeds), colours[form])
			bar(end, y+11*j, float64(t.twice)/float64(s.seeds), "#e5484d")
		}
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}
