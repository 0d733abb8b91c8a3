package redact

import (
	"strings"
	"sync"
)

// programs are command-line programs and their flags with one dash whose value is a password,
// from the manuals of the programs. Flags whose name is that of a secret, such as --password,
// need no program. A plus sign after a flag means that the value may follow without a space, as
// in mysql -pSECRET. The last character is the one before the password in the value, as in
// smbclient -U user%password; with an equals sign, the value is a secret if it contains one, as
// curl's cookies do and its cookie files do not; with a dollar sign, the password is the last word
// of the command, and the flag may be among others; with a slash, the program has an argument
// user/password@address. The flags after login/ are those of a subcommand
// of this name. Programs without flags are there because they may follow another program, as in
// sshpass -p SECRET ssh -p 22.
const programs = `
	mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mysqlslap mysqlbinlog mysqlpump mariadb mariadb-dump mariadb-admin: p+
	mariadb-import mariadb-show mariadb-check mariadb-slap mariadb-binlog mycli sshpass ncftp rdesktop 7z 7za 7zr 7zz rabbitmqadmin: p+
	psexec psexec64 crackmapexec cme hydra useradd usermod xfreerdp xfreerdp3 wfreerdp wfreerdp3 sdl-freerdp: p
	mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop mongofiles cqlsh beeline evil-winrm netexec nxc: p
	redis-cli valkey-cli keydb-cli: a
	zip unzip zipcloak sqlcmd bcp osql isql tsql ipmitool: P+
	ldapsearch ldapadd ldapmodify ldapdelete ldapcompare ldapmodrdn ldapwhoami ldapexop: w+
	ldappasswd: w+ s+ a+
	rar unrar: p+ hp+
	ssh-keygen: N+ P+
	snmpget snmpgetnext snmpwalk snmpset snmpbulkget snmpbulkwalk snmptable snmptrap snmpinform: A+ X+ c+
	keytool jarsigner: storepass keypass srcstorepass deststorepass srckeypass destkeypass new
	openssl: k K hmac pass passin passout
	docker podman nerdctl buildah skopeo helm oras crane az: login/p+
	curl: u+: U+: b+=
	http https xh xhs: a+:
	ab: A: P:
	lftp: u+,
	smbclient rpcclient smbget smbcacls smbtree smbspool net winexe wmic: U+%
	security: w
	htpasswd: b$
	sqlplus expdp impdp sqlldr rman: user/
	ssh scp sftp rsync git psql:
	` + "mosquitto_pub mosquitto_sub mosquitto_rr: P" //nolint:misspell // the name of a program

const login = "login"

// A passwordFlag is a flag of a program whose value contains a password.
type passwordFlag struct {
	name       string
	mark       byte // the character before the password in the value, or 0
	isAttached bool // the value may follow without a space
	isLogin    bool // it is a flag of the subcommand login
}

// A program is a program with its flags, or the subcommand login.
type program struct {
	name  string
	flags []passwordFlag
}

// programTable holds the programs by the first two bytes of their names.
var programTable = sync.OnceValue(func() *[1 << 10][]program {
	var all [1 << 10][]program
	add := func(name string, flags []passwordFlag) {
		all[at(name, 0)] = append(all[at(name, 0)], program{name, flags})
	}
	add(login, nil)
	for line := range strings.Lines(programs) {
		names, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		var flags []passwordFlag
		for word := range strings.FieldsSeq(rest) {
			var flag passwordFlag
			word, flag.isLogin = strings.CutPrefix(word, login+"/")
			if n := len(word) - 1; strings.IndexByte(":%,=$/", word[n]) >= 0 {
				word, flag.mark = word[:n], word[n]
			}
			flag.name, flag.isAttached = strings.CutSuffix(word, "+")
			flags = append(flags, flag)
		}
		for name := range strings.FieldsSeq(names) {
			add(name, flags)
		}
	}
	return &all
})

// A command is the last known program of a command line.
type command struct {
	flags   []passwordFlag
	isLogin bool // its subcommand is login
}

// read reads a word of a command line, and reports whether it is a program or a subcommand.
func (c *command) read(word string) bool {
	if len(word) < 2 {
		return false
	}
	list := programTable()[at(word, 0)]
	if len(list) > 0 {
		word = strings.TrimSuffix(word, ".exe")
	}
	for i := range list {
		switch {
		case list[i].name != word:
		case word == login:
			c.isLogin = true
			return true
		default:
			*c = command{flags: list[i].flags}
			return true
		}
	}
	return false
}

// readPath is read for the name of a program that may have a path.
func (c *command) readPath(word string) {
	_ = c.read(word[strings.LastIndexAny(word, `/\`)+1:])
}

// flag returns the password flag that a word without its dash begins with, and the part of its
// value in the same word.
func (c *command) flag(word string) (flag passwordFlag, attached string, ok bool) {
	for _, flag := range c.flags {
		if value, ok := strings.CutPrefix(word, flag.name); ok && flag.mark != '$' && flag.mark != '/' && (value == "" || flag.isAttached) && (c.isLogin || !flag.isLogin) {
			return flag, value, true
		}
	}
	return flag, "", false
}

// secretIn returns where the password in the flag's value begins, or -1 if it has none. No more
// than the length of a name is read.
func (f passwordFlag) secretIn(value string) int {
	if f.mark == 0 {
		return 0
	}
	value = value[:min(len(value), maxName)]
	i := strings.IndexByte(value, f.mark)
	switch {
	case i <= 0, strings.ContainsAny(value[:i], " \t\r\n"), strings.HasPrefix(value[i:], "://"):
		return -1
	case f.mark == '=':
		return 0
	}
	return i + 1
}

// mask returns the flag's value with the password masked.
func (f passwordFlag) mask(value string) string {
	if from := f.secretIn(value); from >= 0 && from < len(value) {
		return value[:from] + masked
	}
	return value
}

// programFlag reads a flag with one dash, whose name begins at i, of the program before it. It
// returns where to continue, or i if it is no password flag.
func (f *finder) programFlag(i int) int {
	s := f.text
	if i-f.commandEnd > maxName || isCommandEnd(s[f.commandEnd:i]) {
		f.command = command{}
		return i
	}
	if to := f.lastWord(i); to > i {
		return to
	}
	end := run(s, i, lower) // the name, and the beginning of its value
	flag, attached, ok := f.command.flag(s[i:min(end, i+maxName)])
	if !ok {
		return i
	}
	from := i + len(flag.name)
	if attached == "" && from < len(s) && strings.IndexByte(" \t=", s[from]) >= 0 {
		for from < len(s) && strings.IndexByte(" \t=", s[from]) >= 0 {
			from++
		}
	} else if !flag.isAttached && (from == len(s) || strings.IndexByte("\"'", s[from]) < 0) {
		return i
	}
	if attached == "" && (from == len(s) || s[from] == '-') {
		return i
	}
	return max(i, f.flagValue(flag, from))
}

// flagValue reads the value of a flag at i, and returns where to continue: after the password, or
// at i if there is none.
func (f *finder) flagValue(flag passwordFlag, i int) int {
	s := f.text
	from := i
	if from < len(s) && strings.IndexByte("\"'`", s[from]) >= 0 {
		from++
	}
	in := flag.secretIn(s[from:])
	if in < 0 {
		return i
	}
	to := valueEnd(s, i)
	if value := strings.TrimRight(s[from:to], ".,;:!?)]}"); flag.mark == 0 && isStatus(value, true) { // "the -p flag"
		return i
	}
	return f.add(from+in, to)
}

// isCommandEnd reports whether a command line ends within a text.
func isCommandEnd(s string) bool {
	for i := strings.IndexAny(s, "\n;|&"); i >= 0; {
		if s[i] != '\n' || !strings.HasSuffix(strings.TrimSuffix(s[:i], "\r"), "\\") {
			return true
		}
		next := strings.IndexAny(s[i+1:], "\n;|&")
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}
