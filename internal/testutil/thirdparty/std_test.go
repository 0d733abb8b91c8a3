package thirdparty

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

var osCases = []testCase{
	{"std/os", "open missing file", "1", func(*testing.T) error {
		_, err := os.Open("/no/such/file")
		return err
	}, ownFile, no, 0},
	{"std/os", "mkdir existing", "1", func(t *testing.T) error {
		return os.Mkdir(t.TempDir(), 0o700)
	}, business, no, 0},
	{"std/os", "remove non-empty directory", "1", func(t *testing.T) error {
		return os.Remove(filepath.Dir(tempFile(t, "x")))
	}, business, no, 0},
	{"std/os", "exec without x bit", "1", func(t *testing.T) error {
		return exec.CommandContext(t.Context(), tempFile(t, "#!/bin/sh\n")).Run()
	}, ownDenied, no, 0},
	{"std/os", "remove under /proc", "1", func(*testing.T) error {
		return os.Remove("/proc/version")
	}, ownDenied, no, 0},
	{"std/os", "read a directory", "1", func(*testing.T) error {
		_, err := os.ReadFile("/tmp")
		return err
	}, ownFile, no, 0},
	{"std/os", "path through a file", "1", func(*testing.T) error {
		_, err := os.Open("/etc/passwd/x")
		return err
	}, ownFile, no, 0},
	{"std/os", "name too long", "1", func(*testing.T) error {
		_, err := os.Open("/" + strings.Repeat("a", 300))
		return err
	}, ownFile, no, 0},
	{"std/os", "readlink on a file", "1", func(*testing.T) error {
		_, err := os.Readlink("/etc/passwd")
		return err
	}, ownFile, no, 0},
	{"std/os", "disk full", "1", func(*testing.T) error {
		return os.WriteFile("/dev/full", []byte("x"), 0o600)
	}, or(transient, business), nil, 0},
	{"std/os", "too many open files", "1", pathError("open", "/tmp/x", syscall.EMFILE), transient, yes, 0},
	{"std/os", "EINTR", "1", value(os.NewSyscallError("wait4", syscall.EINTR)), transient, yes, 0},
	{"std/os", "EAGAIN", "1", pathError("write", "/dev/x", syscall.EAGAIN), transient, yes, 0},
	{"std/os", "EBUSY", "1", pathError("unmount", "/mnt", syscall.EBUSY), transient, yes, 0},
	{
		"std/os", "read-only file system", "1", pathError("open", "/usr/x", syscall.EROFS),
		or(transient, permission, business), no, 0,
	},
	{"std/os", "disk quota", "1", pathError("write", "/home/x", syscall.EDQUOT), or(business, transient), no, 0},
	{"std/os", "I/O error", "1", pathError("read", "/data/x", syscall.EIO), transient, nil, 0},
	{"std/os", "file already closed", "1", func(t *testing.T) error {
		file, err := os.Open("/etc/passwd")
		must(t, err)
		must(t, file.Close())
		_, err = file.Read(make([]byte, 1))
		return err
	}, transient, no, 0},
	{"std/os", "pipe deadline", "1", func(t *testing.T) error {
		r, w, err := os.Pipe()
		must(t, err)
		defer r.Close()
		defer w.Close()
		must(t, r.SetReadDeadline(time.Now().Add(-time.Second)))
		_, err = r.Read(make([]byte, 1))
		return err
	}, transient, yes, 0},
	{"std/os", "io/fs invalid path", "1", func(*testing.T) error {
		_, err := os.DirFS("/").Open("../etc")
		return err
	}, ownFile, no, 0},
	{"std/os", "os.Root escape", "8", func(t *testing.T) error {
		root, err := os.OpenRoot(t.TempDir())
		must(t, err)
		defer root.Close()
		_, err = root.Open("../../etc/passwd")
		return err
	}, or(transient, validation, permission), no, 0},
}

func tempFile(t *testing.T, content string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "x")
	must(t, os.WriteFile(name, []byte(content), 0o600))
	return name
}

func pathError(op, path string, errno syscall.Errno) func(*testing.T) error {
	return value(&fs.PathError{Op: op, Path: path, Err: errno})
}
