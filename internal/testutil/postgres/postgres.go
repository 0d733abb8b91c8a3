//go:build unix

// Package postgres starts a temporary PostgreSQL server on loopback for tests. It uses the
// programs of the Debian package postgresql, which have to be installed if the environment
// variable CI is set.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/loopback"
)

// ErrMissing is returned by [Start] if PostgreSQL is not installed, which is a reason to
// skip a test.
var ErrMissing = errors.New(missing)

const missing = "PostgreSQL is not installed: apt-get install postgresql"

// A Server is a PostgreSQL server. Its methods are not safe for concurrent use.
type Server struct {
	// Addr is its host and port, the same after a restart.
	Addr string

	dir, bin string
	owner    *syscall.SysProcAttr // an ordinary user: PostgreSQL refuses to run as root
	command  *exec.Cmd
	ended    chan struct{}
}

// Start starts a server whose superuser is postgres, without a password. Settings are
// additional settings, such as "fsync=off".
func Start(ctx context.Context, settings ...string) (*Server, error) {
	bin, err := programs()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "postgres")
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir, bin: bin}
	if err := s.begin(ctx, settings); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

func (s *Server) begin(ctx context.Context, settings []string) error {
	owner, err := ordinaryUser(s.dir)
	if err != nil {
		return err
	}
	s.owner = owner
	initdb := exec.CommandContext(ctx, filepath.Join(s.bin, "initdb"), "-A", "trust", "-U", "postgres", "-D", s.data(), "--no-sync", "-E", "UTF8", "--locale", "C")
	initdb.SysProcAttr, initdb.Dir = s.owner, s.dir
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, out)
	}
	if s.Addr, err = loopback.Unused(); err != nil {
		return err
	}
	_, port, err := net.SplitHostPort(s.Addr)
	if err != nil {
		return err
	}
	config := fmt.Sprintf("\nport = %s\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '%s'\nmax_connections = 200\n%s\n",
		port, s.dir, strings.Join(settings, "\n"))
	file, err := os.OpenFile(filepath.Join(s.data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(config)
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	return s.launch(ctx)
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// launch starts the processes and waits until they accept connections.
func (s *Server) launch(ctx context.Context) error {
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	s.command = exec.Command(filepath.Join(s.bin, "postgres"), "-D", s.data())
	s.command.SysProcAttr, s.command.Dir = s.owner, s.dir
	s.command.Stdout, s.command.Stderr = log, log
	if err := s.command.Start(); err != nil {
		return err
	}
	s.ended = make(chan struct{})
	go func(command *exec.Cmd, ended chan struct{}) {
		_ = command.Wait()
		close(ended)
	}(s.command, s.ended)
	host, port, err := net.SplitHostPort(s.Addr)
	if err != nil {
		return err
	}
	for {
		err := exec.CommandContext(ctx, filepath.Join(s.bin, "pg_isready"), "-q", "-h", host, "-p", port).Run()
		var status *exec.ExitError
		if err == nil || !errors.As(err, &status) {
			return err
		}
		select {
		case <-s.ended:
			text, _ := os.ReadFile(log.Name())
			return fmt.Errorf("postgres has ended: %s", text)
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond): // chosen: a start takes some hundred
		}
	}
}

// Restart crashes the server and lets it recover. Connections break; committed data
// survives.
func (s *Server) Restart(ctx context.Context) error {
	s.end(syscall.SIGQUIT)
	return s.launch(ctx)
}

// Stop ends the server and removes its data.
func (s *Server) Stop() {
	s.end(syscall.SIGQUIT) // the data is not needed
	_ = os.RemoveAll(s.dir)
}

func (s *Server) end(signal syscall.Signal) {
	if s.ended != nil {
		_ = s.command.Process.Signal(signal)
		<-s.ended
	}
}

// DSN returns the URL of the database at an address: the server's, or a proxy's.
func DSN(addr string) string {
	return "postgres://postgres@" + addr + "/postgres?sslmode=disable"
}

// programs returns the directory of the server's programs, which Debian installs outside
// PATH, in a directory for each version.
func programs() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		path, err = filepath.EvalSymlinks(path) // the other programs are in the same directory
		return filepath.Dir(path), err
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	switch {
	case len(found) == 0 && os.Getenv("CI") != "": // which .ci/run sets: no reason to skip anything
		return "", errors.New(missing)
	case len(found) == 0:
		return "", ErrMissing
	}
	slices.Sort(found)
	return filepath.Dir(found[len(found)-1]), nil
}

// ordinaryUser gives dir to an ordinary user if this process runs as root, and returns
// the attributes that start processes as that user.
func ordinaryUser(dir string) (*syscall.SysProcAttr, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	who, err := user.Lookup("postgres")
	if err != nil {
		who, err = user.Lookup("nobody")
	}
	if err != nil {
		return nil, err
	}
	uid, bad := strconv.Atoi(who.Uid)
	gid, worse := strconv.Atoi(who.Gid)
	if err := errors.Join(bad, worse, os.Chown(dir, uid, gid)); err != nil {
		return nil, err
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
}
