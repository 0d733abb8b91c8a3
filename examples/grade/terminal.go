package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// isTerminal reports whether w is a terminal, and one that knows escape sequences.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull) // a character device too
	return err != nil || !os.SameFile(info, null)
}

// A style is how to write for a terminal. The zero style is plain text.
type style bool

// styleOf is the style for w. NO_COLOR is as on no-color.org: set, and not empty.
func styleOf(w io.Writer) style { return style(os.Getenv("NO_COLOR") == "" && isTerminal(w)) }

// The codes of ECMA-48 for how text looks, those that every theme of a terminal
// makes readable.
const (
	bold   = "1"
	red    = "31"
	green  = "32"
	yellow = "33"
)

func (s style) paint(code, text string) string {
	if !s {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// scoreColor is the colour of a score in percent.
func scoreColor(percent int) string {
	switch {
	case percent >= goodScore:
		return green
	case percent >= fairScore:
		return yellow
	}
	return red
}

// What scores are good and fair, in percent. Chosen: a server that answers one call
// in ten badly is worth showing, one that answers every third badly is worth fixing.
const (
	goodScore = 90
	fairScore = 67
)

// A progress is a line on a terminal that is written over and over. Nothing is
// written to anything else.
type progress struct {
	w     io.Writer // nil if it is no terminal
	start time.Time
}

func newProgress(w io.Writer) *progress {
	if !isTerminal(w) {
		w = nil
	}
	return &progress{w, time.Now()}
}

func (p *progress) show(text string) {
	if p.w != nil {
		// No terminal is narrower than 60 columns for long, and a line that wraps stays.
		_, _ = fmt.Fprintf(p.w, "\r\x1b[K%s", cut(fmt.Sprintf("grade: %2.0f s, %s", time.Since(p.start).Seconds(), text), 60))
	}
}

func (p *progress) clear() {
	if p.w != nil {
		_, _ = fmt.Fprint(p.w, "\r\x1b[K")
	}
}
