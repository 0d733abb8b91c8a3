package harness

import (
	"io"
	"os"
)

// A Style determines how a part of a transcript looks on a terminal.
type Style string

// The styles are SGR parameters (ECMA-48). Most terminals support these.
const (
	Plain Style = ""
	Bold  Style = "1"
	Faint Style = "2"
	Red   Style = "31"
	Green Style = "32"
	Amber Style = "33"
	Blue  Style = "34"
)

// A Pen styles text and breaks lines, for terminals. The zero value does neither, for piped output.
type Pen struct {
	colours bool
	columns int // 0 means unlimited
}

// columns limits the length of a line on a terminal. Few terminals are narrower.
const columns = 80

// NewPen returns a pen for w. If w is a terminal, it breaks lines. It then also writes styles,
// unless NO_COLOR is set (no-color.org), TERM is "dumb", or TERM is not set.
func NewPen(w io.Writer) Pen {
	if !isTerminal(w) {
		return Pen{}
	}
	term := os.Getenv("TERM")
	return Pen{colours: os.Getenv("NO_COLOR") == "" && term != "dumb" && term != "", columns: columns}
}

// isTerminal reports whether w is a character device, as terminals are.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// In returns text in a style, or unchanged if p writes no styles.
func (p Pen) In(style Style, text string) string {
	if !p.colours || style == Plain || text == "" {
		return text
	}
	return "\x1b[" + string(style) + "m" + text + "\x1b[0m"
}
