package redact

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// secretParts are parts of the names of secrets, in lower case and without separators. They
// are long enough not to be part of other names, even across words. The last lines
// are kinds of keys and codes, card, account and identity numbers, and the word password in
// other languages.
const secretParts = `
	password passwd passphrase passcode passkey secret token bearer credential authorization cookie sessionid sessionkey sessid signature mnemonic
	seedphrase stringdata samlresponse samlassertion recoveryphrase connectionstring connstring connectionuri connectionurl databaseurl databaseuri databasedsn dburl dburi redisurl
	mongourl mongouri mongodburi postgresurl amqpurl brokerurl webhookurl sasurl idempotencykey accesscode authcode authorizationcode backupcode recoverycode
	verificationcode onetimecode onetimepass securitycode securityanswer secretanswer pincode unlockcode invitecode twofactor masterpass
	apikey accesskey privatekey privkey authkey secretkey sshkey sshpriv deploykey encryptionkey decryptionkey cryptokey signingkey signkey hmackey
	masterkey rootkey sharedkey storagekey accountkey servicekey serviceaccountkey serviceaccountjson licensekey licencekey activationkey
	hostkey clientkey serverkey appkey applicationkey consumerkey subscriptionkey integrationkey ingestkey ingestionkey writekey webhookkey vaultkey
	unsealkey sealkey walletkey streamkey functionkey adminkey devkey developerkey kmskey aeskey rsakey ecdsakey ed25519key gpgkey pgpkey pemkey
	sslkey tlskey jwtkey saskey symmetrickey wrappingkey keymaterial keyfile keystore truststorepass kubeconfig dockerconfig netrc pgpass htpasswd
	cardnumber creditcard debitcard accountnumber routingnumber socialsecurity nationalid taxpayerid passportnumber driverslicense driverlicense
	passwort kennwort contrasena contraseña motdepasse senha wachtwoord lösenord losenord heslo hasło haslo salasana jelszo adgangskode пароль
	密码 密碼 口令 パスワード 비밀번호 รหสผาน`

// secretWords make a name secret if they are a whole word of it: user_pin and loginOtp are
// secret; spinner, author and process_name, which contains ssn, are not.
const secretWords = `pin auth xauth pwd pw pass otp totp hotp mfa ssn cvv cvv2 cvc csc iban jwt jws jwe dsn creds cred sas sig hmac sid phpsessid jsessionid csrf
	xsrf psk wep passw userpass userpwd authn`

// keyNames are endings of names whose value is a secret if it looks random.
const keyNames = "key keys auth authentication login access private license licence salt nonce seed session webhook hash cert api"

// urlNames are additional names of secrets in the query of a URL. They match whole names.
var urlNames = [...]string{"key", "code", "ticket", "assertion", "samlresponse", "samlrequest", "hash", "hmac", "signed", "st"}

// The members of a name-value pair, in lower case.
var (
	pairNames  = map[string]bool{"name": true, "key": true, "header": true, "field": true, "variable": true, "var": true, "env": true, "param": true, "option": true, "k": true, "parameterkey": true}
	pairValues = map[string]bool{"value": true, "values": true, "val": true, "v": true, "data": true, "content": true, "default": true, "parametervalue": true}
)

// A wordIndex is an index of words by their first two bytes.
type wordIndex [1 << 10][]string

// at returns the words with the same first two bytes as the text at i.
func at[T []byte | string](text T, i int) int {
	second := byte(0)
	if i+1 < len(text) {
		second = text[i+1]
	}
	return int(text[i]&31)<<5 | int(second&31)
}

func index(words string) *wordIndex {
	list := new(wordIndex)
	for word := range strings.FieldsSeq(words) {
		i := at(word, 0)
		list[i] = append(list[i], word)
	}
	return list
}

// nameTables are the names, to be looked up.
var nameTables = sync.OnceValue(func() *nameTable {
	t := &nameTable{parts: index(secretParts), words: index(secretWords), keys: index(keyNames), vendors: index(vendors)}
	for _, words := range [...]string{secretParts, vendors} {
		for word := range strings.FieldsSeq(words) {
			start := start(0).next(word[0]).next(word[1]).next(word[2])
			t.starts[start>>6] |= 1 << (start & 63)
		}
	}
	return t
})

type nameTable struct {
	parts, words, keys, vendors *wordIndex
	starts                      [(1 << 15) / 64]uint64 // a bit for each start of a part or a vendor
}

// A start is a hash of 15 bits of the last three bytes. No part and no vendor has fewer bytes.
type start uint32

func (s start) next(c byte) start { return (s<<5 | start(c&31)) & (1<<15 - 1) }

// A grade is how much a name says of its value.
type grade uint8

const (
	plain  grade = iota // nothing
	vendor              // the name of a service that issues keys
	maybe               // a key or something else
	secret              // a secret
)

// gradeOf returns the grade of a name. A number is not a secret if the name says that it
// counts a model's tokens, as max_tokens does.
func gradeOf(name string, isNumber bool) grade {
	var letters [96]byte
	var ends [24]int
	folded, words := fold(letters[:0], ends[:0], name)
	if len(folded) == 0 || len(withoutNumber(folded)) == 0 {
		return plain
	}
	if isNumber {
		folded, words = withoutTokens(folded, words)
	}
	t, best, last := nameTables(), plain, start(0)
	for end, c := range folded {
		i := end - 2
		if last = last.next(c); t.starts[last>>6]>>(last&63)&1 == 0 || i < 0 {
			continue
		}
		first := at(folded, i)
		for _, part := range t.parts[first] {
			if begins(folded[i:], part) {
				return secret
			}
		}
		for _, name := range t.vendors[first] {
			if best < vendor && begins(folded[i:], name) {
				best = vendor
			}
		}
	}
	from := 0
	for n, end := range words {
		word := withoutNumber(folded[from:end]) // pin2
		if isIn(t.words, word) {
			return secret
		}
		if n == len(words)-1 && isIn(t.keys, word) {
			best = max(best, maybe)
		}
		from = end
	}
	if isIn(t.words, withoutNumber(folded)) { // p.i.n
		return secret
	}
	return best
}

// secretName reports whether the name of a member or an argument is that of a secret.
func secretName(name string, isNumber bool) bool { return gradeOf(name, isNumber) == secret }

// withoutNumber removes the digits at the end of a word.
func withoutNumber(word []byte) []byte {
	for len(word) > 0 && word[len(word)-1] >= '0' && word[len(word)-1] <= '9' {
		word = word[:len(word)-1]
	}
	return word
}

// isIn reports whether a word or its singular is in a list.
func isIn(list *wordIndex, word []byte) bool {
	if len(word) == 0 {
		return false
	}
	for _, known := range list[at(word, 0)] {
		if begins(word, known) && (len(word) == len(known) || len(word) == len(known)+1 && word[len(known)] == 's') {
			return true
		}
	}
	return false
}

func begins(text []byte, prefix string) bool {
	return len(text) >= len(prefix) && string(text[:len(prefix)]) == prefix
}

// withoutTokens removes the word "tokens" from a name.
func withoutTokens(folded []byte, words []int) ([]byte, []int) {
	const tokens = "tokens"
	i := bytes.Index(folded, []byte(tokens))
	if i < 0 {
		return folded, words
	}
	folded = slices.Delete(folded, i, i+len(tokens))
	for n, end := range words {
		words[n] = end - min(max(end-i, 0), len(tokens))
	}
	return folded, words
}

// maxName is the number of bytes at the end of a name that are read. Chosen: names are
// shorter, and the end of a longer one describes its value.
const maxName = 256

// A nameKind is what a character is in a name.
type nameKind byte

const (
	betweenWords nameKind = iota
	invisible
	caseless // a digit, or a letter of a script without cases
	lowerCase
	upperCase
)

func kindOf(r rune) nameKind {
	switch {
	case unicode.IsLower(r):
		return lowerCase
	case unicode.IsUpper(r):
		return upperCase
	case unicode.IsLetter(r), unicode.IsDigit(r):
		return caseless
	case !unicode.IsSpace(r) && unicode.In(r, unicode.Cf, unicode.Cc, unicode.M):
		return invisible
	}
	return betweenWords
}

var asciiKinds = func() (list [utf8.RuneSelf]nameKind) {
	for c := range list {
		list[c] = kindOf(rune(c))
	}
	return list
}()

// fold appends the words of a name in snake_case, camelCase or the like to dst, in lower
// case and without separators, and where each ends to ends. Invisible characters do not
// separate words: the envelope leaves them out too.
func fold(dst []byte, ends []int, name string) ([]byte, []int) {
	end := func() {
		if n := len(dst); n > 0 && (len(ends) == 0 || ends[len(ends)-1] < n) {
			ends = append(ends, n)
		}
	}
	before, last := false, false // whether the last two runes of the word are upper case
	length := 0                  // of the word, in runes
	name = name[max(0, len(name)-maxName):]
	for i, size := 0, 0; i < len(name); i += size {
		c := name[i]
		r, kind := rune(c), nameKind(0)
		if size = 1; c < utf8.RuneSelf {
			kind = asciiKinds[c]
		} else {
			r, size = utf8.DecodeRuneInString(name[i:])
			kind = kindOf(r)
		}
		switch {
		case kind == invisible:
			continue
		case kind == betweenWords:
			end()
			before, last, length = false, false, 0
			continue
		case length == 0:
		case kind == upperCase && !last: // userPin
			end()
			length = 0
		case last && before && kind == lowerCase: // PINCode
			if n := len(dst) - 1; dst[n] < utf8.RuneSelf {
				ends = append(ends, n)
			}
			length = 1
		}
		if r < utf8.RuneSelf {
			dst = append(dst, c|0x20) // digits have this bit
		} else {
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
		before, last = last && length > 0, kind == upperCase
		length++
	}
	end()
	return dst, ends
}
