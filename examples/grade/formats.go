package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A format is one way to write a report.
type format struct {
	name  string
	end   string // the file name's extension
	write func(w io.Writer, g *graded) error
}

// formats lists all formats. The first is the default.
var formats = []format{
	{"text", ".txt", writeText},
	{"html", ".html", writeHTML},
	{"json", ".json", func(w io.Writer, g *graded) error { return encode(w, g) }},
	{"sarif", ".sarif", writeSARIF},
	{"junit", ".xml", writeJUnit},
}

func formatNames() string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return strings.Join(names, ", ")
}

// setFormat implements the flag -format.
func (o *options) setFormat(name string) error {
	i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
	if i < 0 {
		return errors.New("want one of " + formatNames())
	}
	o.format = &formats[i]
	return nil
}

// formatOf returns the chosen format, or else the one for the file name's extension, or else text.
func (o *options) formatOf(name string) format {
	if o.format != nil {
		return *o.format
	}
	end := strings.ToLower(filepath.Ext(name))
	if i := slices.IndexFunc(formats, func(f format) bool { return f.end == end }); i >= 0 {
		return formats[i]
	}
	return formats[0]
}

// report writes the report to all outputs, and says on stderr what is in which file.
func (o *options) report(g *graded, stdout, stderr io.Writer) error {
	var all error
	for _, name := range o.outputs {
		f := o.formatOf(name)
		if name == "-" {
			all = errors.Join(all, f.write(stdout, g))
			continue
		}
		// Encode the report before writing it, so that a failed encoding leaves no partial file.
		var b bytes.Buffer
		err := f.write(&b, g)
		if err == nil {
			err = os.WriteFile(name, b.Bytes(), 0o666)
		}
		if err == nil {
			_, _ = fmt.Fprintf(stderr, "grade: %s: see %s\n", g.Summary(), name)
		}
		all = errors.Join(all, err)
	}
	if all != nil {
		return fmt.Errorf("cannot write the report: %w", all)
	}
	return nil
}

// encode writes a value as indented JSON.
func encode(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
