package measure

import (
	"io"
	"strings"
	"text/tabwriter"
)

// A Table holds rows of cells. The first row is the header.
type Table [][]string

// Print writes the table, as aligned columns or as Markdown, followed by its legend.
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
