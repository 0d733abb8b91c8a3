package redact

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
)

// secretParts are parts of the names of secrets, in lower case and without
// separators. They are long enough to be part of hardly any other name, even
// across its words.
var secretParts = []string{
	"password", "passwd", "passphrase", "passcode", "passkey", "secret", "token", "bearer", "apikey", "accesskey", "privatekey", "authkey",
	"credential", "authorization", "cookie", "sessionid", "signature", "mnemonic", "connectionstring", "idempotencykey", "onetimecode",
	"securitycode", "pincode", "cardnumber", "creditcard", "debitcard", "accountnumber",
}

// secretWords make a name secret as a whole word of it: user_pin and loginOtp are
// secret; spinner, author and process_name, which contains ssn, are not.
var secretWords = map[string]bool{
	"pin": true, "auth": true, "xauth": true, "pwd": true, "pw": true, "pass": true, "otp": true, "totp": true, "ssn": true, "cvv": true,
	"cvc": true, "iban": true, "jwt": true,
}

// The members of a pair of a name and a value, in lower case.
var (
	pairNames  = map[string]bool{"name": true, "key": true, "header": true, "field": true}
	pairValues = map[string]bool{"value": true, "values": true}
)

// secretName reports whether the value of a member or argument is secret by its
// name. A number is not secret if its name says that it counts a model's tokens, as
// max_tokens does.
func secretName(name string, value any) bool {
	words := wordsOf(name)
	folded := strings.Join(words, "")
	if _, isNumber := value.(json.Number); isNumber {
		folded = strings.TrimSuffix(folded, "tokens")
	}
	for _, part := range secretParts {
		if strings.Contains(folded, part) {
			return true
		}
	}
	return slices.ContainsFunc(append(words, folded), func(word string) bool {
		word = strings.TrimFunc(word, unicode.IsDigit) // pin2
		return secretWords[word] || secretWords[strings.TrimSuffix(word, "s")]
	})
}

// wordsOf returns the words of a name in snake_case, camelCase or the like, in
// lower case. Invisible characters do not separate words: the envelope leaves them
// out too.
func wordsOf(name string) []string {
	var words []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = nil
		}
	}
	for _, r := range name {
		switch {
		case unicode.In(r, unicode.Cf, unicode.Cc, unicode.M) && !unicode.IsSpace(r):
			continue
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			continue
		}
		last := len(word) - 1
		switch {
		case last < 0:
		case unicode.IsUpper(r) && !unicode.IsUpper(word[last]): // userPin
			end()
		case unicode.IsLower(r) && last > 0 && unicode.IsUpper(word[last]) && unicode.IsUpper(word[last-1]): // PINCode
			first := word[last]
			word = word[:last]
			end()
			word = []rune{first}
		}
		word = append(word, r)
	}
	end()
	return words
}
