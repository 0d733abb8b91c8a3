package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// isTerminal reports whether w is a terminal that supports escape sequences.
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

// A style formats text for a terminal. The zero style is plain text.
type style bool

// styleOf returns the style for w: plain unless w is a terminal and NO_COLOR is empty.
func styleOf(w io.Writer) style { return style(os.Getenv("NO_COLOR") == "" && isTerminal(w)) }

// ECMA-48 codes for bold text, and for colors that are readable in every terminal theme.
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

// scoreColor returns the color of a score in percent.
func scoreColor(percent int) string {
	switch {
	case percent >= goodScore:
		return green
	case percent >= fairScore:
		return yellow
	}
	return red
}

// The lowest good and fair scores, in percent: where the tiers structured and readable begin, whose
// bars have the same colors.
const (
	goodScore = 60
	fairScore = 40
)

// A progress is a status line on a terminal; each update overwrites it. It writes nothing if the
// output is not a terminal.
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
		// Few terminals are narrower than 60 columns, and wrapped lines cannot be erased.
		_, _ = fmt.Fprintf(p.w, "\r\x1b[K%s", cut(fmt.Sprintf("grade: %2.0f s, %s", time.Since(p.start).Seconds(), text), 60))
	}
}

func (p *progress) clear() {
	if p.w != nil {
		_, _ = fmt.Fprint(p.w, "\r\x1b[K")
	}
}
