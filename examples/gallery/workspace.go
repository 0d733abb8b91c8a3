package main

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"
	"unicode"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A workspace is the folder that the file tools use: a real one, created for each server. The tools
// access it only through an [os.Root], so neither a path nor a link leads out of it.
type workspace struct {
	root *os.Root
	dir  string // not shown to the model

	// Held exclusively for writing and shared for reading, so that no reader sees half a file. Only
	// this process uses the workspace; if others could, write a temporary file and rename it.
	mu sync.RWMutex
}

//go:embed workspace
var original embed.FS

func openWorkspace() (*workspace, error) {
	files, err := fs.Sub(original, "workspace")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "gallery-")
	if err != nil {
		return nil, fmt.Errorf("cannot make the workspace: %w", err)
	}
	w := &workspace{dir: dir}
	if err := os.CopyFS(dir, files); err != nil {
		w.close()
		return nil, fmt.Errorf("cannot fill the workspace: %w", err)
	}
	if w.root, err = os.OpenRoot(dir); err != nil {
		w.close()
		return nil, fmt.Errorf("cannot open the workspace: %w", err)
	}
	return w, nil
}

func (w *workspace) close() {
	if w.root != nil {
		_ = w.root.Close()
	}
	_ = os.RemoveAll(w.dir)
}

// files returns the paths of all files, as a caller would write them.
func (w *workspace) files() ([]string, error) {
	var list []string
	err := fs.WalkDir(w.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			list = append(list, name)
		}
		return err
	})
	return list, err
}

// maxPath is the maximum length of a path in bytes. Paths in source trees are shorter, and file
// systems allow longer ones.
const maxPath = 512

// clean returns the canonical form of a path, so that decisions do not depend on its spelling.
func clean(name string) (string, error) {
	switch {
	case name == "":
		return "", toolerr.Validation("The path is empty.").WithCode(toolerr.CodeMissingArgument).WithField("path").
			WithHint("Call again with the path of a file in the workspace, such as src/auth/session.ts.")
	case len(name) > maxPath:
		return "", toolerr.Validation(fmt.Sprintf("A path has at most %d bytes, got %d.", maxPath, len(name))).
			WithCode(toolerr.CodeInvalidArgument).WithField("path").WithHint("Call again with a shorter path.")
	case strings.ContainsRune(name, '\\') || strings.ContainsFunc(name, unicode.IsControl) ||
		strings.ContainsRune(name, ':'):
		return "", toolerr.InvalidArgument("path", name,
			"a path with / between its parts, without backslashes, colons and control characters")
	}
	if name = path.Clean(name); path.IsAbs(name) || name == ".." || strings.HasPrefix(name, "../") {
		return "", errOutside
	}
	return name, nil
}

var errOutside = toolerr.Permission("The path leads out of the workspace, and nothing outside of it can be used.").
	WithCode(toolerr.CodePermissionDenied).WithField("path").WithEffect(toolerr.EffectNone).
	WithHint("Use a path relative to the workspace, such as src/auth/session.ts; " +
		"if the task needs a file outside of it, tell the user.").
	WithCustomerMessage("I can only work with files in this workspace.")

// fileError returns the failure for a file operation that failed. The error's own text is only
// logged, because it may contain the full path on this machine.
func fileError(err error, name, done string) error {
	if strings.Contains(err.Error(), "escapes from parent") { // a link; os.Root has no error value for it
		return errOutside.WithCause(err)
	}
	return toolerr.From(err).WithMessage(fmt.Sprintf("%q cannot be %s.", name, done)).WithField("path")
}
