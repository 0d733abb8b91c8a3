package harness

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// Output holds the flags for what a program shows: -wire and, in some programs, -log and -json.
type Output struct {
	JSON bool // one object for each scenario, instead of the transcript
	Wire bool // each answer also as it was on the wire

	log string
}

// AddWire adds -wire to flags.
func (o *Output) AddWire(flags *flag.FlagSet) {
	flags.BoolVar(&o.Wire, "wire", false, "show each answer also as it was on the wire")
}

// AddFlags adds -wire and -log to flags.
func (o *Output) AddFlags(flags *flag.FlagSet) {
	o.AddWire(flags)
	flags.StringVar(&o.log, "log", "", "write the servers' log to this `file`; - is stderr\n(default a new file, which "+
		"is named on stderr)")
}

// AddJSON adds the flag -json, which prints one JSON object per unit.
func (o *Output) AddJSON(flags *flag.FlagSet, unit string) {
	flags.BoolVar(&o.JSON, "json", false, "print one JSON object per "+unit)
}

// Check returns an error if flags contradict each other. A server shows nothing: if the program is
// one, server names the flags that made it so; otherwise it is "".
func (o *Output) Check(flags *flag.FlagSet, server string) error {
	if o.JSON && o.Wire {
		return errors.New("-json and -wire do not go together: the objects have the text of the wire")
	}
	var err error
	flags.Visit(func(f *flag.Flag) {
		if server != "" && (f.Name == "json" || f.Name == "wire" || f.Name == "log") {
			err = fmt.Errorf("-%s does not go with %s", f.Name, server)
		}
	})
	return err
}

// Transcript returns a transcript that is written to w with this pen.
func (o *Output) Transcript(w io.Writer, pen Pen) *Transcript {
	return &Transcript{W: w, Output: *o, pen: pen}
}

// OpenLog returns a writer for the servers' log, safe for concurrent use. It appends to the file
// that -log names, or writes to stderr if that is "-". Without -log, it creates a temporary file
// and prints its name to stderr. The file remains after the program has ended.
func (o *Output) OpenLog(program string, stderr io.Writer) (log io.Writer, closeLog func() error, err error) {
	if o.log == "-" {
		return Locked(stderr), func() error { return nil }, nil
	}
	var file *os.File
	if o.log != "" {
		file, err = os.OpenFile(o.log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	} else if file, err = os.CreateTemp("", "toolerr-"+program+"-*.log"); err == nil {
		_, _ = fmt.Fprintf(stderr, "%s: the servers' log is in %s\n", program, file.Name())
	}
	if err != nil {
		return nil, nil, fmt.Errorf("cannot write the servers' log: %w", err)
	}
	return file, file.Close, nil
}
