//go:build linux

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// openTerminal returns a terminal, and a function that closes it and returns what was
// written to it.
func openTerminal(t *testing.T) (tty *os.File, written func() string) {
	t.Helper()
	control, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	require.NoError(t, err)
	var number, unlocked int32
	ioctl := func(request uintptr, arg *int32) {
		raw, err := control.SyscallConn()
		require.NoError(t, err)
		require.NoError(t, raw.Control(func(fd uintptr) {
			_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, fd, request, uintptr(unsafe.Pointer(arg)))
			require.Zero(t, errno)
		}))
	}
	ioctl(syscall.TIOCSPTLCK, &unlocked)
	ioctl(syscall.TIOCGPTN, &number)
	tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	require.NoError(t, err)
	all := make(chan string)
	go func() {
		var b bytes.Buffer
		_, _ = io.Copy(&b, control) // until the terminal is closed, which is an error here
		all <- b.String()
	}()
	return tty, func() string {
		require.NoError(t, tty.Close())
		defer func() { _ = control.Close() }()
		return strings.ReplaceAll(<-all, "\r\n", "\n")
	}
}

// escapes are colours and the erasing of a line.
var escapes = regexp.MustCompile(`\x1b\[[0-9;]*[mK]`)

func TestTerminal(t *testing.T) {
	for name, test := range map[string]struct {
		env             map[string]string
		color, progress bool
	}{
		"as it is":                {nil, true, true},
		"NO_COLOR":                {map[string]string{"NO_COLOR": "1"}, false, true},
		"an empty NO_COLOR":       {map[string]string{"NO_COLOR": ""}, true, true},
		"one without any escapes": {map[string]string{"TERM": "dumb"}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TERM", "xterm")
			t.Setenv("NO_COLOR", "")
			for name, value := range test.env {
				t.Setenv(name, value)
			}
			stdout, out := openTerminal(t)
			stderr, errs := openTerminal(t)
			status := run(t.Context(), serving("bare"), stdout, stderr)
			assert.Equal(t, statusFindings, status)
			report, progress := out(), errs()
			assert.Equal(t, test.color, strings.Contains(report, "\x1b[1mFindings\x1b[0m"))
			assert.Equal(t, test.color, strings.Contains(report,
				"\x1b[33mreadable, score 49 of 100, by 1 of 2 tools called\x1b[0m"), "%q", report)
			assert.NotContains(t, escapes.ReplaceAllString(report, ""), "\x1b", "the server's own escapes are not passed on")
			if !test.progress {
				assert.Empty(t, progress)
				return
			}
			assert.Contains(t, progress, "s, tool 1 of 2, find")
			assert.True(t, strings.HasSuffix(progress, "\r\x1b[K"), "the line is erased in the end: %q", progress)
			assert.NotContains(t, progress, "\n")

			_, plain, _ := check(t, serving("bare")...)
			assert.Equal(t, plain, escapes.ReplaceAllString(report, ""), "colours aside it is the same")
		})
	}
}

// TestIsTerminal_Null tells the other character device from a terminal.
func TestIsTerminal_Null(t *testing.T) {
	t.Setenv("TERM", "xterm")
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer func() { require.NoError(t, null.Close()) }()
	assert.False(t, isTerminal(null))
	file, err := os.Create(t.TempDir() + "/report")
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	assert.False(t, isTerminal(file))
	assert.False(t, isTerminal(io.Discard))
}
