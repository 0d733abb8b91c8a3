// Modelcheck asks a model what it does after a failed tool call. It shows each failure in two
// forms: as the bare text that the MCP SDK alone sends, and as an envelope.
//
//	go run ./examples/modelcheck                                         # against a script, in a second
//	go run ./examples/modelcheck -obedient                               # a script that obeys every hint
//	go run ./examples/modelcheck -url http://127.0.0.1:11434/v1 -model M # against your model
//
// The URL may be that of any OpenAI-compatible chat API; OPENAI_API_KEY holds its key, if it needs
// one. Each answer is compared with the decision of package retry. Repeats of calls that may have
// taken effect are counted separately, since they may do the work twice.
//
// Without -url, a script plays the model, so that you can try the program. The script's figures say
// nothing about models.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
)

func main() { harness.Main(run) }

// options holds the parsed command line.
type options struct {
	url, model string
	seeds      int
	timeout    time.Duration
	asJSON     bool
	obedient   bool
	picture    string
}

const synopsis = `Usage: modelcheck [-url URL -model NAME] [-seeds N] [-timeout T] [-json] [-svg FILE]
       modelcheck -obedient`

func parseFlags(args []string, stdout io.Writer) (options, error) {
	opts := options{}
	flags := flag.NewFlagSet("modelcheck", flag.ContinueOnError)
	flags.Func("url", "the `URL` of an API that has /chat/completions below it; without it a script answers",
		harness.URL(&opts.url, "http://127.0.0.1:11434/v1"))
	flags.StringVar(&opts.model, "model", "", "the model's `name`")
	flags.IntVar(&opts.seeds, "seeds", 5, "how often each failure is shown in each form, with the seeds 1 to `N`")
	flags.DurationVar(&opts.timeout, "timeout", time.Minute, "how long an answer may take")
	flags.BoolVar(&opts.asJSON, "json", false, "print every answer as a line of JSON instead of the table")
	flags.BoolVar(&opts.obedient, "obedient", false,
		"let a script do what each hint of the module says, and print what it did")
	flags.StringVar(&opts.picture, "svg", "", "draw the table into this `file`")
	err := harness.ParseFlagsOnly(flags, args, synopsis, stdout)
	switch {
	case err != nil:
		return opts, err
	case (opts.url == "") != (opts.model == ""):
		return opts, errors.New("-url URL and -model NAME go together")
	case opts.seeds < 1:
		return opts, errors.New("-seeds wants a number from 1")
	case opts.timeout <= 0:
		return opts, errors.New("-timeout wants a time such as 30s")
	}
	return opts, nil
}

// run runs the program without global state. It returns the exit status: 0 if every question is
// answered, right or wrong (with -obedient, if every hint can be obeyed), otherwise 1; 2 for bad
// flags.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	opts, err := parseFlags(args, stdout)
	if err != nil {
		return harness.UsageStatus("modelcheck", err, stderr)
	}
	if opts.obedient {
		return harness.Status("modelcheck", obedient(ctx, situations(), stdout), stderr)
	}
	return harness.Status("modelcheck", check(ctx, opts, stdout, stderr), stderr)
}

// check asks about every failure in each form, and prints the answers or the table.
func check(ctx context.Context, opts options, stdout, stderr io.Writer) error {
	questions, err := prepare(ctx)
	if err != nil {
		return err
	}
	api := &model{url: opts.url, name: opts.model, key: os.Getenv("OPENAI_API_KEY"), timeout: opts.timeout}
	title := opts.model
	if opts.url == "" {
		title = scriptName
		stop, err := api.serveScript()
		if err != nil {
			return err
		}
		defer stop()
	}
	_, _ = fmt.Fprintf(stderr, "modelcheck: %d questions\n", len(questions)*len(forms)*opts.seeds)
	s := &score{title: title, seeds: opts.seeds, questions: questions}
	lines := json.NewEncoder(stdout)
	lines.SetEscapeHTML(false)
	for t := range trials(questions, opts.seeds) {
		text, err := api.ask(ctx, t.question, t.form, t.seed)
		if ctx.Err() != nil {
			return harness.ErrInterrupted
		}
		if err != nil {
			return fmt.Errorf("no answer about %s: %w", t.name, err)
		}
		a := s.add(t.question, t.form, t.seed, text)
		if !opts.asJSON {
			continue
		}
		if err := lines.Encode(a); err != nil {
			return err
		}
	}
	if opts.picture != "" {
		if err := os.WriteFile(opts.picture, s.draw(), 0o644); err != nil {
			return err
		}
	}
	if opts.asJSON {
		return nil
	}
	return s.print(stdout)
}
