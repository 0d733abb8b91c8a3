package testutil

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var record = flag.Bool("record", false, "write what the code answers into the files of recorded answers, instead of "+
	"comparing it")

// Recorded compares the answers to samples with those in a file. There, each sample is one line, a
// JSON string if it begins with a quote. Below it are the lines of the answer, each after a tab,
// with \r for a carriage return; "-" is an empty answer. Lines that begin with "#" are comments.
// With -record, it writes the answers to the file instead.
func Recorded(t *testing.T, file string, answer func(sample string) string) {
	t.Helper()
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	var out strings.Builder
	lines := strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")
	seen := map[string]bool{}
	for i := 0; i < len(lines); {
		line := lines[i]
		out.WriteString(line + "\n")
		if i++; line == "" || line[0] == '#' {
			continue
		}
		want, number := []string(nil), i
		for ; i < len(lines) && strings.HasPrefix(lines[i], "\t"); i++ {
			want = append(want, lines[i][1:])
		}
		sample := line
		if line[0] == '"' {
			require.NoError(t, json.Unmarshal([]byte(line), &sample), line)
		}
		require.False(t, seen[sample], "twice: %s", line)
		seen[sample] = true
		at := fmt.Sprintf("%s:%d: %s", file, number, line)
		got := cmp.Or(strings.ReplaceAll(strings.TrimSuffix(answered(t, at, sample, answer), "\n"), "\r", `\r`), "-")
		if want := strings.Join(want, "\n"); got != want && !*record {
			t.Errorf("%s\ngot:\n%s\nwant:\n%s", at, got, want)
		}
		out.WriteString("\t" + strings.ReplaceAll(got, "\n", "\n\t") + "\n")
	}
	require.NotEmpty(t, seen)
	if *record {
		require.NoError(t, os.WriteFile(file, []byte(out.String()), 0o600))
	}
}

// answered returns the answer to a sample, also if it panics, so that the others are compared.
func answered(t *testing.T, at, sample string, answer func(string) string) (got string) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s\npanicked: %v\n%s", at, r, debug.Stack())
			require.False(t, *record, "nothing is recorded")
		}
	}()
	return answer(sample)
}

var repetition = regexp.MustCompile(`(\d+)\*<([^>]*)>`)

// Repeat returns a sample with its repetitions written out: 3*<ab> is ababab.
func Repeat(sample string) string {
	return repetition.ReplaceAllStringFunc(sample, func(s string) string {
		parts := repetition.FindStringSubmatch(s)
		n, _ := strconv.Atoi(parts[1])
		return strings.Repeat(parts[2], n)
	})
}

// Shorten is the opposite of [Repeat] for a text with many equal characters in a row.
func Shorten(text string) string {
	var b strings.Builder
	for from, to := 0, 0; from < len(text); from = to {
		for to = from; to < len(text) && text[to] == text[from]; {
			to++
		}
		if to-from > 20 {
			fmt.Fprintf(&b, "%d*<%c>", to-from, text[from])
		} else {
			b.WriteString(text[from:to])
		}
	}
	return b.String()
}

// Fields returns the nonzero exported fields of a struct, or of a pointer to one, in the form
// "Name=value". A comparison thus also shows which fields are missing.
func Fields(of any) string {
	v := reflect.ValueOf(of)
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return "nil"
		}
		v = v.Elem()
	}
	var list []string
	for i := range v.NumField() {
		f, name := v.Field(i), v.Type().Field(i).Name
		if !v.Type().Field(i).IsExported() || f.IsZero() {
			continue
		}
		value := f.Interface()
		switch f.Kind() { //nolint:exhaustive // the others print well
		case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Struct, reflect.Interface:
			value = JSON(value)
		case reflect.String:
			if s := f.String(); strings.ContainsAny(s, " \n\t\r\"") {
				value = fmt.Sprintf("%q", s)
			}
		}
		list = append(list, fmt.Sprint(name, "=", value))
	}
	return strings.Join(list, " ")
}

// Words returns the values with a space between any two.
func Words(values ...any) string { return strings.TrimSuffix(fmt.Sprintln(values...), "\n") }

// JSON returns a value as JSON, or the error's text if it cannot be encoded.
func JSON(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}
