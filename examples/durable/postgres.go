package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/jackc/pgx/v5/pgxpool"
)

// errNoPostgres is returned if there is no initdb, such as Debian's package
// postgresql has.
var errNoPostgres = errors.New("there is no PostgreSQL server on this machine")

// A postgres is a temporary database server on a Unix socket.
type postgres struct {
	url  string
	bin  string
	dir  string
	as   *syscall.SysProcAttr // of the user postgres, if this is root, as whom it refuses to run
	pool *pgxpool.Pool
}

// startPostgres makes a cluster in a folder of its own and starts it.
func startPostgres(ctx context.Context) (*postgres, error) {
	p := &postgres{}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		program, err := exec.LookPath("initdb")
		if err != nil {
			return nil, errNoPostgres
		}
		found = []string{program}
	}
	p.bin = filepath.Dir(found[len(found)-1])
	if p.dir, err = os.MkdirTemp("", "durable"); err != nil {
		return nil, err
	}
	if err := p.own(); err != nil {
		return nil, err
	}
	if err := p.run(ctx, "initdb", "-D", p.data(), "-U", "durable", "--auth=trust", "-E", "UTF8", "--no-sync"); err != nil {
		return nil, err
	}
	options := "-c listen_addresses= -c unix_socket_directories=" + p.dir + " -c fsync=off"
	if err := p.run(ctx, "pg_ctl", "-D", p.data(), "-w", "-l", filepath.Join(p.dir, "log"), "-o", options, "start"); err != nil {
		return nil, err
	}
	p.url = "postgres://durable@/postgres?host=" + url.QueryEscape(p.dir)
	if p.pool, err = pgxpool.New(ctx, p.url); err == nil {
		err = migrate(ctx, p.pool)
	}
	if err != nil {
		p.stop()
		return nil, err
	}
	return p, nil
}

func (p *postgres) data() string { return filepath.Join(p.dir, "data") }

// own gives the folder to the user postgres if this is root.
func (p *postgres) own() error {
	if os.Getuid() != 0 {
		return nil
	}
	account, err := user.Lookup("postgres")
	if err != nil {
		return errNoPostgres
	}
	uid, err := strconv.Atoi(account.Uid)
	if err != nil {
		return err
	}
	gid, err := strconv.Atoi(account.Gid)
	if err != nil {
		return err
	}
	p.as = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}} //nolint:gosec // ids of the system
	return os.Chown(p.dir, uid, gid)
}

// run runs one of PostgreSQL's programs.
func (p *postgres) run(ctx context.Context, program string, args ...string) error {
	command := exec.CommandContext(ctx, filepath.Join(p.bin, program), args...)
	command.Dir, command.SysProcAttr = p.dir, p.as
	log, err := os.CreateTemp("", "durable-"+program) // a pipe would stay open as long as the server runs
	if err != nil {
		return err
	}
	defer func() { _, _ = log.Close(), os.Remove(log.Name()) }()
	command.Stdout, command.Stderr = log, log
	if err := command.Run(); err != nil {
		said, _ := os.ReadFile(log.Name())
		return fmt.Errorf("%s: %w: %s", program, err, said)
	}
	return nil
}

// stop stops the server and removes its folder.
func (p *postgres) stop() {
	if p.pool != nil {
		p.pool.Close()
	}
	_ = p.run(context.Background(), "pg_ctl", "-D", p.data(), "-m", "immediate", "-w", "stop")
	_ = os.RemoveAll(p.dir)
}
