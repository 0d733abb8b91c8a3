package redact

import "strings"

// Hashes of passwords are secrets, because a weak password can be found by trying. Checksums
// are not: they have no name of a scheme.

// shortestHash is the minimum length of a hash after the name of its scheme, in bytes: 128 bits
// in crypt's base64.
const shortestHash = 22

// maxFields is the maximum number of fields after the scheme: the version, the parameters, the salt
// and the hash.
const maxFields = 4

// longestHash is how many bytes of a hash with its scheme and salt are read. Chosen: 512 bits
// with a salt of 512 bits have 200.
const longestHash = 512

// sign reads a sign at i that begins a hash or an escape, and returns where to continue.
func (f *finder) sign(i int) int {
	switch f.text[i] {
	case '{':
		return f.ldapHash(i)
	case '%':
		return f.escaped(i)
	}
	return f.hash(i)
}

// hash reads a hash of crypt(3) at i, which is a dollar sign: $2b$12$..., $6$salt$hash,
// $argon2id$v=19$..., and those of Django and PostgreSQL, whose schemes are before it. It returns
// where to continue.
func (f *finder) hash(i int) int {
	s := f.text
	id := run(s[:min(len(s), i+maxValue)], i+1, word)
	if strings.HasSuffix(s[:i], "SCRAM-SHA-256") {
		return f.add(i+1, endOf(s, i, "$:"))
	}
	if id == i+1 || id == len(s) || s[id] != '$' || id-i > len("$pbkdf2-sha512") {
		return i + 1
	}
	to := id
	for field := 0; field < maxFields && to < len(s) && s[to] == '$'; field++ {
		to = endOf(s[:min(len(s), i+longestHash)], to+1, ",")
	}
	if last := strings.LastIndexByte(s[id:to], '$') + id + 1; to-last < shortestHash || !looksRandom(s[last:to]) {
		return i + 1
	}
	return f.add(i, endOf(s, to, ""))
}

// ldapHash reads a hash of RFC 2307 at i, which is a brace: {SSHA}.... It returns where to
// continue.
func (f *finder) ldapHash(i int) int {
	s := f.text
	end := run(s[:min(len(s), i+maxValue)], i+1, word)
	if end == i+1 || end == len(s) || s[end] != '}' {
		return i + 1
	}
	scheme := strings.ToUpper(s[i+1 : end])
	for _, known := range [...]string{"SHA", "MD5", "CRYPT", "PBKDF2", "ARGON2"} {
		if !strings.Contains(scheme, known) {
			continue
		}
		if to := endOf(s[:min(len(s), i+longestHash)], end+1, "$,"); to-end > shortestHash && looksRandom(s[end+1:to]) {
			return f.add(i, endOf(s, to, ""))
		}
	}
	return i + 1
}

// endOf returns the end of the characters of hashes from i on, and of some more.
func endOf(s string, i int, more string) int {
	for i < len(s) && (dotted.has(s[i]) || strings.IndexByte(more, s[i]) >= 0) {
		i++
	}
	return i
}

// pgpass reads a line of PostgreSQL's password file, host:port:database:user:password, whose
// first colon is at i. It returns where to continue, or i.
func (f *finder) pgpass(i int) int {
	s := f.text
	end := i + 1
	for end < len(s) && end < i+len(":65535") && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	if end < len(s) && s[end] == '*' && end == i+1 {
		end++
	} else if end < i+len(":1024") {
		return i
	}
	from := i
	for from > 0 && i-from < maxName && strings.IndexByte(" \t\r\n\"'`:", s[from-1]) < 0 {
		from--
	}
	if end == len(s) || s[end] != ':' || from == i || from > 0 && s[from-1] == ':' {
		return i
	}
	line := s[i+1 : until(s[:min(len(s), i+2*maxName)], i, " \t\r\n\"'`")]
	fields := strings.SplitN(line, ":", 4)
	if len(fields) < 4 || fields[1] == "" || fields[2] == "" {
		return i
	}
	database, password := fields[1], fields[3]
	if isNumber(database, 0) || len(password) < shortProse || isProse(password) {
		return i
	}
	to := i + 1 + len(line)
	return f.add(to-len(password), to)
}

// escaped reads a percent sign at i: a URL, or a name and its value in a query, that is escaped
// in another URL, once or more. It returns where to continue.
func (f *finder) escaped(i int) int {
	s := f.text
	escape := func(c string) string { return "%" + s[i+1:escapedAt(s, i)] + c }
	code := s[escapedAt(s, i):]
	switch {
	case len(code) < 2:
	case strings.EqualFold(code[:2], "3D"):
		least := max(0, i-maxName)
		from := i
		for from > least && isNameByte(s[from-1]) {
			from--
		}
		name := s[from:i]
		if from > 0 && s[from-1] == '%' { // of the escape before it
			for strings.HasPrefix(name, "25") {
				name = name[2:]
			}
			name = name[min(2, len(name)):]
		}
		value := escapedAt(s, i) + 2
		if secretName(name, false) {
			return max(i+1, f.add(value, escapedEnd(s, value, escape("26"))))
		}
	case strings.EqualFold(code[:2], "3A") && len(code) > len(escape("2F"))*2+2 && strings.EqualFold(code[2:2+2*len(escape("2F"))], escape("2F")+escape("2F")):
		from := escapedAt(s, i) + 2 + 2*len(escape("2F"))
		host := s[from:escapedEnd(s[:min(len(s), from+maxName)], from, escape("2F"))]
		at := strings.LastIndex(host, escape("40"))
		if at <= 0 {
			break
		}
		if colon := indexFold(host[:at], escape("3A")); colon >= 0 {
			return f.add(from+colon+len(escape("3A")), from+at)
		}
		return f.add(from, from+at)
	}
	return i + 1
}

// escapedAt returns where the code of the escape at i begins, after 25 for each further escape.
func escapedAt(s string, i int) int {
	for i++; i+4 <= len(s) && s[i:i+2] == "25"; {
		i += 2
	}
	return i
}

// escapedEnd returns the end of the escaped value at i: the escape, or the end of the word.
func escapedEnd(s string, i int, escape string) int {
	to := until(s, i, " \t\r\n\"'`&<>")
	if n := indexFold(s[i:to], escape); n >= 0 {
		to = i + n
	}
	return to
}

// indexFold returns the position of an escape in upper or lower case, or -1.
func indexFold(s, escape string) int {
	upper, lowerCase := strings.Index(s, escape), strings.Index(s, strings.ToLower(escape))
	if upper < 0 || lowerCase >= 0 && lowerCase < upper {
		return lowerCase
	}
	return upper
}
