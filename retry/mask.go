package retry

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maskArguments returns arguments as a report may show them, or nil where they
// are no JSON object.
func maskArguments(arguments any) map[string]any {
	raw, err := json.Marshal(arguments)
	if err != nil {
		return nil
	}
	var object map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber() // identifiers over 2^53 stay whole
	if d.Decode(&object) != nil {
		return nil
	}
	maskObject(object, secretName)
	return object
}

func maskObject(object map[string]any, secret func(string) bool) {
	if name, ok := object["name"].(string); ok && secret(name) && object["value"] != nil { // a header, say
		object["value"] = "[masked]"
	}
	for name, v := range object {
		if secret(name) || strings.ContainsRune(name, utf8.RuneError) { // what a name was that is no text, nobody can tell
			object[name] = "[masked]"
			continue
		}
		maskValue(v, secret)
	}
}

func maskValue(v any, secret func(string) bool) {
	switch v := v.(type) {
	case map[string]any:
		maskObject(v, secret)
	case []any:
		for _, item := range v {
			maskValue(item, secret)
		}
	}
}

// secretWords are what the names of secrets are made of, without case and
// separators.
var secretWords = []string{
	"password", "passwd", "passphrase", "passcode", "secret", "token", "bearer", "jwt", "apikey", "accesskey", "privatekey", "credential",
	"authorization", "xauth", "cookie", "sessionid", "signature", "mnemonic", "connectionstring", "idempotencykey", "onetimecode",
	"securitycode", "pincode", "cvv", "cvc", "cardnumber", "accountnumber", "iban", "ssn",
}

// secretNames are whole names.
var secretNames = map[string]bool{"pin": true, "auth": true, "pwd": true, "pass": true, "otp": true}

func secretName(name string) bool {
	folded := strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) { // what is invisible, the envelope leaves out too
			return -1
		}
		return r
	}, strings.ToLower(name))
	if strings.HasSuffix(folded, "tokens") { // a model's, which are counted
		return false
	}
	for _, word := range secretWords {
		if strings.Contains(folded, word) {
			return true
		}
	}
	return secretNames[folded]
}
