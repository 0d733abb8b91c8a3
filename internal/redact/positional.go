package redact

import "strings"

// lastWord finds the password that is the last word of a command with the flag whose name is at
// i, as in htpasswd -nb user password. It returns where to continue, or i.
func (f *finder) lastWord(i int) int {
	s := f.text
	end := run(s[:min(len(s), i+maxName)], i, lower)
	if len(f.command.flags) == 0 || f.command.flags[0].mark != '$' || !strings.Contains(s[i:end], f.command.flags[0].name) {
		return i
	}
	limit := min(len(s), end+maxName)
	from, to := end, end
	for next := end; next < limit && strings.IndexByte("\r\n;|&><)", s[next]) < 0; {
		if s[next] == ' ' || s[next] == '\t' {
			next++
			continue
		}
		from, to = next, min(valueEnd(s, next), limit)
		next = to
		if next < limit && strings.IndexByte("\"'`", s[next]) >= 0 {
			next++
		}
	}
	if from == end || s[from] == '-' {
		return i
	}
	if strings.IndexByte("\"'`", s[from]) >= 0 {
		from++
	}
	return f.add(from, to)
}

// isSlashFlag reports whether an assignment is a password flag with a slash, as in
// xfreerdp /p:password.
func (f *finder) isSlashFlag(a assigned) bool {
	if a.op != ':' || len(f.command.flags) == 0 || a.from-f.commandEnd > maxName || isCommandEnd(f.text[f.commandEnd:a.from]) {
		return false
	}
	for _, flag := range f.command.flags {
		if flag.mark == 0 && flag.name == a.name {
			return true
		}
	}
	return false
}

// loginEnd finds the password in user/password@address, whose @ is at i, of Oracle's programs
// and in Oracle's addresses, which begin with two slashes. It returns where to continue, or i.
func (f *finder) loginEnd(from, i int) int {
	s := f.text
	isOracle := strings.HasPrefix(s[i:], "@//")
	if !isOracle && len(f.command.flags) > 0 && f.command.flags[0].mark == '/' {
		isOracle = i-f.commandEnd <= maxName && !isCommandEnd(s[f.commandEnd:i])
	}
	slash := strings.IndexByte(s[from:i], '/')
	if !isOracle || slash <= 0 || from+slash+1 == i {
		return i
	}
	return f.add(from+slash+1, i)
}

const secureString = "ConvertTo-SecureString"

// secureString finds the text that PowerShell's ConvertTo-SecureString, which ends at i, makes a
// secret of. It returns where to continue, or i.
func (f *finder) secureString(i int) int {
	s := f.text
	for range 3 { // -String, -AsPlainText, -Force
		for i < len(s) && s[i] == ' ' {
			i++
		}
		if i == len(s) || s[i] != '-' {
			break
		}
		i = valueEnd(s[:min(len(s), i+maxName)], i)
	}
	if i == len(s) || strings.IndexByte("-$(|;\r\n)", s[i]) >= 0 {
		return i
	}
	from, to := i, valueEnd(s, i)
	if strings.IndexByte("\"'`", s[from]) >= 0 {
		from++
	} else if isProse(s[from:to]) {
		return i
	}
	return f.add(from, to)
}

// puttyKey finds the key of a PuTTY file after the number of its lines, which is at i.
func (f *finder) puttyKey(i int) int {
	s := f.text
	from := until(s, i, "\n\\")
	to := len(s)
	if n := strings.Index(s[from:], "Private-MAC"); n >= 0 {
		to = from + n
	}
	return max(i, f.add(from, to))
}
