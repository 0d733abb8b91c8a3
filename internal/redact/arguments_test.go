package redact_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/redact"
)

// masked returns the reported form of arguments.
func masked(arguments string) map[string]any {
	return redact.Arguments(json.RawMessage(arguments), nil)
}

func TestArguments_SecretNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"password", "Pass-Word", "PASSWORD", "new_password_2", "pass\u200bword", "pass\u0301word", "pass phrase", "passkey", "client_secret",
		"token", "tokens", "access_tokens", "refreshTokens", "api_tokens", "passwords_and_tokens", "max_tokens", "token_count",
		"credit_card", "creditCardNumber", "card_number", "accountNumber", "session.id", "X-API-Key", "Set-Cookie",
		"pin", "PIN", "PINs", "p.i.n", "pi\u200bn", "user_pin", "userPin", "userPINCode", "pin2", "login_otp", "otpCode", "totp", "pw", "db_pwd",
		"dbPwd", "pass", "db.pass", "basic_auth", "HTTPAuth", "X-Auth", "ssn", "userSSN", "ssn_last4", "cvv", "card-cvc", "iban", "IBANs", "id_jwt",
	} {
		raw, err := json.Marshal(map[string]any{name: "hunter2", "a": []any{map[string]any{name: map[string]any{"b": "hunter2"}}}})
		require.NoError(t, err)
		assert.Equal(t, map[string]any{name: "[masked]", "a": []any{map[string]any{name: "[masked]"}}}, masked(string(raw)), name)
	}
	for _, name := range []string{
		"process_name", "class_name", "className", "business_name", "address_number", "wireless_network", "query", "name", "key", "value", "header",
		"author", "authors", "max_authors", "oauth_flow", "spinner", "shipping", "mapping", "opinion", "compass", "passenger", "bypass", "caliban", "hotpot", "power",
		"", "2", "_", "s",
	} {
		arguments := map[string]any{name: "plain"}
		raw, err := json.Marshal(arguments)
		require.NoError(t, err)
		assert.Equal(t, arguments, masked(string(raw)), name)
	}
}

func TestArguments_Values(t *testing.T) {
	t.Parallel()
	for arguments, want := range map[string]string{
		// A model's tokens are counted.
		`{"max_tokens":4096,"maxTokens":1,"tokens":0.5,"access_tokens":3}`: `{"max_tokens":4096,"maxTokens":1,"tokens":0.5,"access_tokens":3}`,
		`{"access_tokens":["x",1],"max_tokens":"4096"}`:                    `{"access_tokens":"[masked]","max_tokens":"[masked]"}`,
		`{"passwords_and_tokens":7,"token":7,"user_pin":1234}`:             `{"passwords_and_tokens":"[masked]","token":"[masked]","user_pin":"[masked]"}`,
		// Pairs of a name and a value.
		`[{"name":"Authorization","value":"x"}]`:                           ``,
		`{"headers":[{"name":"Authorization","value":"x"}]}`:               `{"headers":[{"name":"Authorization","value":"[masked]"}]}`,
		`{"Name":"Authorization","Value":"x"}`:                             `{"Name":"Authorization","Value":"[masked]"}`,
		`{"NAME":"db_pwd","VALUES":["x"]}`:                                 `{"NAME":"db_pwd","VALUES":"[masked]"}`,
		`{"key":"password","value":"x"}`:                                   `{"key":"password","value":"[masked]"}`,
		`{"field":"password","value":{"a":"x"},"other":"y"}`:               `{"field":"password","value":"[masked]","other":"y"}`,
		`{"header":"Cookie","value":null}`:                                 `{"header":"Cookie","value":null}`,
		`{"name":"max_tokens","value":4096}`:                               `{"name":"max_tokens","value":4096}`,
		`{"name":"max_tokens","value":"x"}`:                                `{"name":"max_tokens","value":"[masked]"}`,
		`{"name":"limit","key":"token","value":1}`:                         `{"name":"limit","key":"token","value":"[masked]"}`,
		`{"name":"class_name","value":{"pin":1}}`:                          `{"name":"class_name","value":{"pin":"[masked]"}}`,
		`{"name":"limit","value":1,"key":2,"header":{"value":"password"}}`: `{"name":"limit","value":1,"key":2,"header":{"value":"password"}}`,
		// Programs and their arguments.
		`{"command":"mysql","args":["-u","root","-phunter2"]}`:         `{"command":"mysql","args":["-u","root","-p[masked]"]}`,
		`{"path":"/usr/bin/sshpass","argv":["-p","x","ssh","-p","2"]}`: `{"path":"/usr/bin/sshpass","argv":["-p","[masked]","ssh","-p","2"]}`,
		`{"command":"mysql","args":"-u root -phunter2"}`:               `{"command":"mysql","args":"-u root -p[masked]"}`,
		`{"command":"grep","args":["-p","x"]}`:                         `{"command":"grep","args":["-p","x"]}`,
		`{"argv":["docker","login","-u","a","-p","x"]}`:                `{"argv":["docker","login","-u","a","-p","[masked]"]}`,
		`{"argv":["docker","run","-p","80:80"]}`:                       `{"argv":["docker","run","-p","80:80"]}`,
		`{"argv":["smbclient","-Uann%x","-U","bob%y","-U","eve"]}`:     `{"argv":["smbclient","-Uann%[masked]","-U","bob%[masked]","-U","eve"]}`,
		`{"argv":["curl","-u","ann:x","-b","a=b","-b","jar"]}`:         `{"argv":["curl","-u","ann:[masked]","-b","[masked]","-b","jar"]}`,
		// What is no text may have been any name.
		"{\"pass\xffword\":\"x\",\"a\":1}":            `{"pass` + "\ufffd" + `word":"[masked]","a":1}`,
		"{\"name\":\"pass\xffword\",\"value\":\"x\"}": `{"name":"pass` + "\ufffd" + `word","value":"[masked]"}`,
	} {
		if want == "" {
			assert.Nil(t, masked(arguments), arguments)
			continue
		}
		raw, err := json.Marshal(masked(arguments))
		require.NoError(t, err)
		assert.JSONEq(t, want, string(raw), arguments)
	}
}

func TestArguments_Secret(t *testing.T) {
	t.Parallel()
	arguments := map[string]any{"mail": "ann@example.com", "token": "s3cret", "headers": []map[string]any{{"name": "mail", "value": 1}}}
	assert.Equal(t, map[string]any{
		"mail": "[masked]", "token": "[masked]", "headers": []any{map[string]any{"name": "mail", "value": "[masked]"}},
	}, redact.Arguments(arguments, func(name string) bool { return name == "mail" }))
	assert.Equal(t, "ann@example.com", arguments["mail"], "the arguments themselves stay")
}

func TestArguments_NoObject(t *testing.T) {
	t.Parallel()
	for _, arguments := range []any{nil, 1, "text", []int{1}, func() {}} {
		assert.Nil(t, redact.Arguments(arguments, nil))
	}
}
