package measure

import (
	"io"
	"strings"
	"text/tabwriter"
)

// A Table holds rows of cells, the first of which is the head.
type Table [][]string

// Print writes the table, in columns or as Markdown, and its legend.
func (t Table) Print(w io.Writer, markdown bool, legend string) error {
	var text strings.Builder
	columns := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for i, row := range t {
		line := strings.Join(row, "\t") + "\n"
		if markdown {
			line = "| " + strings.Join(row, " | ") + " |\n"
			if i == 0 {
				line += strings.Repeat("|---", len(row)) + "|\n"
			}
		}
		if _, err := io.WriteString(columns, line); err != nil {
			return err
		}
	}
	if err := columns.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(w, text.String()+legend)
	return err
}
