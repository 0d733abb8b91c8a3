package thirdparty

import (
	"bufio"
	"crypto/ed25519"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pkg/sftp"
	"github.com/wneessen/go-mail"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

// mailSend sends a message to a fake SMTP server; replies by the first word of the command, "." for the end of the
// data.
func mailSend(t *testing.T, replies map[string]string, opts ...mail.Option) error {
	addr := listen(t, func(c net.Conn) {
		r := bufio.NewReader(c)
		say := func(s string) { io.WriteString(c, s+"\r\n") }
		say("220 mx.example ESMTP")
		data := false
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			line = strings.TrimRight(line, "\r\n")
			if data {
				if line != "." {
					continue
				}
				data = false
				rep, ok := replies["."]
				if ok && rep == "" {
					return // hang up
				}
				if !ok {
					rep = "250 2.0.0 Ok: queued as 4F1"
				}
				say(rep)
				continue
			}
			verb := strings.ToUpper(strings.Fields(line + " x")[0])
			if rep, ok := replies[verb]; ok {
				say(rep)
				continue
			}
			switch verb {
			case "EHLO":
				say("250-mx.example\r\n250-SIZE 10240000\r\n250-AUTH PLAIN LOGIN\r\n250-ENHANCEDSTATUSCODES\r\n250 8BITMIME")
			case "DATA":
				data = true
				say("354 End data with <CR><LF>.<CR><LF>")
			case "QUIT":
				say("221 2.0.0 Bye")
				return
			default:
				say("250 2.0.0 Ok")
			}
		}
	})
	host, port, _ := net.SplitHostPort(addr)
	var p int
	fmt.Sscan(port, &p)
	c, err := mail.NewClient(host,
		append([]mail.Option{mail.WithPort(p), mail.WithTLSPolicy(mail.NoTLS), mail.WithTimeout(testutil.Patience)},
			opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	m := mail.NewMsg()
	m.From("tool@example.com")
	m.To("bob@example.org")
	m.Subject("hello")
	m.SetBodyString(mail.TypeTextPlain, "hi")
	return c.DialAndSend(m)
}

func mailCases(t *testing.T) []labelled {
	const lib = "wneessen/go-mail"
	return []labelled{
		{
			lib, "550 5.1.1 user unknown", "wire", mailSend(t, map[string]string{"RCPT": "550 5.1.1 <bob@example.org>: " +
				"Recipient address rejected: User unknown in local recipient table"}), validation, or(business), "false", "",
			"no such recipient",
		},
		{lib, "450 greylisted", "wire", mailSend(t, map[string]string{"RCPT": "450 4.2.0 <bob@example.org>: Recipient " +
			"address rejected: Greylisted, try again later"}), transient, nil, "true", "", "4xx; IsTemp"},
		{lib, "554 5.7.1 relay access denied", "wire", mailSend(t, map[string]string{"RCPT": "554 5.7.1 <bob@example.org>: " +
			"Relay access denied"}), permission, or(business), "false", "", "policy 5.7.1"},
		{
			lib, "535 authentication", "wire", mailSend(t, map[string]string{"AUTH": "535 5.7.8 Error: authentication failed: " +
				"UGFzc3dvcmQ6"}, mail.WithSMTPAuth(mail.SMTPAuthPlainNoEnc), mail.WithUsername("u"), mail.WithPassword("p")),
			permission, nil, "false", "", "authn",
		},
		{
			lib, "hung up after the final dot", "wire", mailSend(t, map[string]string{".": ""}), transient, nil, "either",
			notNone, "the message may have been queued",
		},
	}
}

// --- sftp -------------------------------------------------------------------

type sftpFS struct{ err error }

func (f sftpFS) Fileread(*sftp.Request) (io.ReaderAt, error)   { return nil, f.err }
func (f sftpFS) Filewrite(*sftp.Request) (io.WriterAt, error)  { return nil, f.err }
func (f sftpFS) Filecmd(*sftp.Request) error                   { return f.err }
func (f sftpFS) Filelist(*sftp.Request) (sftp.ListerAt, error) { return nil, f.err }

type rwc struct {
	io.Reader
	io.WriteCloser
}

func sftpDo(t *testing.T, fsErr error, f func(*sftp.Client, func()) error) error {
	cr, sw := io.Pipe()
	sr, cw := io.Pipe()
	fs := sftpFS{fsErr}
	srv := sftp.NewRequestServer(rwc{sr, sw}, sftp.Handlers{FileGet: fs, FilePut: fs, FileCmd: fs, FileList: fs})
	go srv.Serve()
	c, err := sftp.NewClientPipe(cr, cw)
	if err != nil {
		t.Fatal(err)
	}
	cut := func() { sw.Close(); sr.Close() }
	defer func() { cut(); c.Close() }()
	return f(c, cut)
}

func sftpCases(t *testing.T) []labelled {
	const lib = "pkg/sftp"
	open := func(c *sftp.Client, _ func()) error { _, err := c.Open("/data/missing.csv"); return err }
	mkdir := func(c *sftp.Client, _ func()) error { return c.Mkdir("/data/out") }
	return []labelled{
		{
			lib, "no such file", "wire", sftpDo(t, os.ErrNotExist, open), validation, or(transient), "false", "",
			"errors that name a file: either",
		},
		{
			lib, "SSH_FX_PERMISSION_DENIED", "wire", sftpDo(t, sftp.ErrSSHFxPermissionDenied, mkdir), permission, or(transient),
			"false", "", "EACCES on the other side",
		},
		{
			lib, "SSH_FX_FAILURE", "wire", sftpDo(t, sftp.ErrSSHFxFailure, mkdir), transient, or(business), "false", "",
			"says nothing: OpenSSH's answer to mkdir of what exists; unknown is not retryable",
		},
		{lib, "connection lost", "wire", sftpDo(t, nil, func(c *sftp.Client, cut func()) error {
			cut()
			c.Wait()
			return c.Remove("/data/out")
		}), transient, nil, "either", "", "the session is gone"},
	}
}

// --- x/crypto/ssh -----------------------------------------------------------

func sshServer(
	t *testing.T, pass string, session func(ssh.Channel, <-chan *ssh.Request), reject *ssh.RejectionReason,
) (string, ssh.PublicKey) {
	_, priv, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(priv)
	if err != nil {
		t.Fatal(err)
	}
	cfg := &ssh.ServerConfig{PasswordCallback: func(_ ssh.ConnMetadata, p []byte) (*ssh.Permissions, error) {
		if string(p) != pass {
			return nil, fmt.Errorf("no")
		}
		return nil, nil
	}}
	cfg.AddHostKey(signer)
	return listen(t, func(c net.Conn) {
		conn, chans, reqs, err := ssh.NewServerConn(c, cfg)
		if err != nil {
			return
		}
		defer conn.Close()
		go ssh.DiscardRequests(reqs)
		for nc := range chans {
			if reject != nil {
				nc.Reject(*reject, "open failed")
				continue
			}
			ch, rs, err := nc.Accept()
			if err != nil {
				return
			}
			go session(ch, rs)
		}
	}), signer.PublicKey()
}

func sshRun(addr, pass string, hk ssh.HostKeyCallback) error {
	c, err := ssh.Dial("tcp", addr,
		&ssh.ClientConfig{
			User: "deploy", Auth: []ssh.AuthMethod{ssh.Password(pass)}, HostKeyCallback: hk,
			Timeout: testutil.Patience,
		})
	if err != nil {
		return err
	}
	defer c.Close()
	s, err := c.NewSession()
	if err != nil {
		return err
	}
	defer s.Close()
	return s.Run("systemctl restart web")
}

func sshCases(t *testing.T) []labelled {
	const lib = "x/crypto/ssh"
	exit := func(status int) func(ssh.Channel, <-chan *ssh.Request) {
		return func(ch ssh.Channel, rs <-chan *ssh.Request) {
			for r := range rs {
				r.Reply(true, nil)
				if r.Type == "exec" {
					if status >= 0 {
						ch.SendRequest("exit-status", false, ssh.Marshal(struct{ S uint32 }{uint32(status)}))
					}
					ch.Close()
					return
				}
			}
		}
	}
	any := ssh.InsecureIgnoreHostKey()
	addr1, _ := sshServer(t, "right", exit(1), nil)
	addr2, _ := sshServer(t, "right", exit(-1), nil)
	_, otherPriv, _ := ed25519.GenerateKey(rand.Reader)
	other, _ := ssh.NewSignerFromKey(otherPriv)
	kh := filepath.Join(t.TempDir(), "known_hosts")
	os.WriteFile(kh, []byte(knownhosts.Line([]string{knownhosts.Normalize(addr1)}, other.PublicKey())+"\n"), 0o600)
	hk, err := knownhosts.New(kh)
	if err != nil {
		t.Fatal(err)
	}
	return []labelled{
		{lib, "unable to authenticate", "wire", sshRun(addr1, "wrong", any), permission, nil, "false", "", "authn"},
		{
			lib, "exit status 1", "wire", sshRun(addr1, "right", any), transient, or(validation, business), "false", notNone,
			"the command ran and failed; unknown is not retryable",
		},
		{
			lib, "host key mismatch", "wire", sshRun(addr1, "right", hk), transient, or(permission, validation), "false", "",
			"trust is the tool's own trouble, as certificates",
		},
		{
			lib, "no exit status", "wire", sshRun(addr2, "right", any), transient, nil, "either", notNone,
			"the command was started; how it ended is not known",
		},
	}
}
