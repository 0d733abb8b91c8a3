//go:build unix

// Package database starts temporary PostgreSQL, MariaDB and Redis servers on loopback for tests and
// for examples/durable. The programs come from Debian packages, which have to be installed if the
// environment variable NOTHING_SKIPPED is set.
package database

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
	"syscall"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/loopback"
)

// ErrMissing is the cause of the error for a database that is not installed, unless NOTHING_SKIPPED
// is set. It is a reason to skip a test.
var ErrMissing = errors.New("the database is not installed")

// A Server is a database server. Its methods are not safe for concurrent use.
type Server struct {
	// Addr is the server's host and port. A restart does not change it.
	Addr string

	dir         string
	owner       *syscall.SysProcAttr // an ordinary user: most databases refuse to run as root
	start, ping []string             // the server's command, and one that succeeds if the server answers
	command     *exec.Cmd
	ended       chan struct{}
}

// PostgreSQL starts a server. The superuser is postgres and has no password. Settings such as
// "fsync=off" are added to its command line.
func PostgreSQL(ctx context.Context, settings ...string) (*Server, error) {
	return start(ctx, "initdb", "postgresql", "postgres", func(s *Server, initdb, port string) error {
		real, err := filepath.EvalSymlinks(initdb) // the other programs are in the same directory
		if err != nil {
			return err
		}
		bin, data := filepath.Dir(real), filepath.Join(s.dir, "data")
		if err := s.run(ctx, initdb, "-A", "trust", "-U", "postgres", "-D", data, "--no-sync", "-E", "UTF8", "--locale",
			"C"); err != nil {
			return err
		}
		s.start = []string{
			filepath.Join(bin, "postgres"), "-D", data, "-p", port, "-h", "127.0.0.1", "-k", s.dir, "-c", "max_connections=200",
		}
		for _, setting := range settings {
			s.start = append(s.start, "-c", setting)
		}
		s.ping = []string{filepath.Join(bin, "pg_isready"), "-q", "-h", "127.0.0.1", "-p", port}
		return nil
	})
}

// MariaDB starts a server. The superuser is root and has no password.
func MariaDB(ctx context.Context) (*Server, error) {
	return start(ctx, "mariadb-install-db", "mariadb-server", "mysql", func(s *Server, install, port string) error {
		data := filepath.Join(s.dir, "data")
		// Without a directory of its own, one server removes the temporary tables of another.
		own := []string{"--no-defaults", "--datadir=" + data, "--tmpdir=" + s.dir}
		err := s.run(ctx, install, append(own, "--auth-root-authentication-method=normal", "--skip-test-db")...)
		if err != nil {
			return err
		}
		s.start = append([]string{"/usr/sbin/mariadbd"}, own...)
		s.start = append(s.start, "--port="+port, "--bind-address=127.0.0.1",
			"--socket="+filepath.Join(s.dir, "socket"), "--max-connections=400", "--innodb-buffer-pool-size=64M")
		s.ping = []string{"mariadb-admin", "--no-defaults", "-u", "root", "-h", "127.0.0.1", "-P", port, "ping"}
		return nil
	})
}

// Redis starts a server with an append-only file. Options (such as "--appendfsync", "always") end
// its command line.
func Redis(ctx context.Context, options ...string) (*Server, error) {
	return start(ctx, "redis-server", "redis-server", "redis", func(s *Server, redis, port string) error {
		s.start = append([]string{redis, "--bind", "127.0.0.1", "--port", port, "--dir", s.dir, "--appendonly", "yes"},
			options...)
		s.ping = []string{"redis-cli", "-e", "-p", port, "time"}
		return nil
	})
}

// start starts a server whose commands prepare sets. If this process runs as root, the server runs
// as owner. debian is the Debian package that contains program.
func start(
	ctx context.Context, program, debian, owner string, prepare func(s *Server, path, port string) error,
) (*Server, error) {
	path, err := find(program)
	switch {
	case err != nil && os.Getenv("NOTHING_SKIPPED") != "": // .ci/run sets it
		return nil, fmt.Errorf("%s is missing: apt-get install %s", program, debian)
	case err != nil:
		return nil, fmt.Errorf("%w: apt-get install %s", ErrMissing, debian)
	}
	s := new(Server)
	if s.Addr, err = loopback.Unused(); err != nil {
		return nil, err
	}
	if s.dir, err = os.MkdirTemp("", "database"); err != nil {
		return nil, err
	}
	_, port, _ := net.SplitHostPort(s.Addr)
	if s.owner, err = ordinaryUser(owner, s.dir); err == nil {
		if err = prepare(s, path, port); err == nil {
			err = s.launch(ctx)
		}
	}
	if err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

func (s *Server) run(ctx context.Context, program string, args ...string) error {
	command := exec.CommandContext(ctx, program, args...)
	command.SysProcAttr, command.Dir = s.owner, s.dir
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", program, err, out)
	}
	return nil
}

// launch starts the server and waits until it answers.
func (s *Server) launch(ctx context.Context) error {
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	s.command = exec.Command(s.start[0], s.start[1:]...)
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
	for {
		err := exec.CommandContext(ctx, s.ping[0], s.ping[1:]...).Run()
		var status *exec.ExitError
		if err == nil || !errors.As(err, &status) {
			return err
		}
		select {
		case <-s.ended:
			text, _ := os.ReadFile(log.Name())
			return fmt.Errorf("%s has ended: %s", s.start[0], text)
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond): // a start takes some hundred milliseconds
		}
	}
}

// Restart kills the server, waits for the duration away, and starts it again. Connections break;
// committed data survives.
func (s *Server) Restart(ctx context.Context, away time.Duration) error {
	s.end()
	time.Sleep(away)
	return s.launch(ctx)
}

// Stop ends the server and removes its data.
func (s *Server) Stop() {
	s.end() // the data is not needed
	_ = os.RemoveAll(s.dir)
}

// end kills the server. PostgreSQL gets SIGQUIT, which makes all its processes crash; if only the
// first is killed, some live on.
func (s *Server) end() {
	if s.ended == nil {
		return
	}
	signal := syscall.SIGKILL
	if filepath.Base(s.start[0]) == "postgres" {
		signal = syscall.SIGQUIT
	}
	_ = s.command.Process.Signal(signal)
	<-s.ended
}

// PostgreSQLURL returns the URL of the database at an address: the server's, or a proxy's.
func PostgreSQLURL(addr string) string {
	return "postgres://postgres@" + addr + "/postgres?sslmode=disable"
}

// find returns the path of a program. Debian installs those of PostgreSQL outside PATH, in a
// directory for each version.
func find(program string) (string, error) {
	if path, err := exec.LookPath(program); err == nil {
		return path, nil
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + program)
	if len(found) == 0 {
		return "", ErrMissing
	}
	slices.Sort(found)
	return found[len(found)-1], nil
}

// ordinaryUser makes an ordinary user the owner of dir, and returns the attributes that start
// processes as that user. If this process does not run as root, it does nothing and returns nil.
func ordinaryUser(name, dir string) (*syscall.SysProcAttr, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	who, err := user.Lookup(name)
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
