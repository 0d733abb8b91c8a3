package thirdparty

import (
	"errors"
	"fmt"
	"testing"

	"github.com/go-ldap/ldap/v3"
	"github.com/hashicorp/vault/api"
)

var vaultCases = []testCase{
	{"vault/api", "403 permission denied", "5", vault(403, "permission denied"), permission, no, 0},
	{"vault/api", "400 missing client token", "5", vault(400, "missing client token"), validation, no, 0},
	{"vault/api", "404 no handler for route", "5", vault(404, "no handler for route"), validation, no, 0},
	{"vault/api", "503 Vault is sealed", "5", vault(503, "Vault is sealed"), transient, yes, 0},
	{"vault/api", "500 internal error", "5", vault(500, "internal error"), transient, yes, 0},
	{
		"vault/api", `429 request path "x": rate limit quota exceeded`, "5",
		vault(429, `request path "x": rate limit quota exceeded`), transient, yes, 0,
	},
}

func vault(status int, message string) func(*testing.T) error {
	return func(t *testing.T) error {
		config := api.DefaultConfig()
		must(t, config.Error)
		config.Address = answer(t, status, nil, fmt.Sprintf(`{"errors":[%q]}`, message))
		config.MaxRetries = 0
		client, err := api.NewClient(config)
		must(t, err)
		_, err = client.Logical().WriteWithContext(t.Context(), "secret/x", map[string]any{"password": secret})
		return err
	}
}

var ldapCases = []testCase{
	{"go-ldap", "Invalid Credentials", "7", bind(ldap.LDAPResultInvalidCredentials), permission, no, 0},
	{"go-ldap", "Insufficient Access Rights", "7", bind(ldap.LDAPResultInsufficientAccessRights), permission, no, 0},
	{"go-ldap", "No Such Object", "7", bind(ldap.LDAPResultNoSuchObject), validation, no, 0},
	{"go-ldap", "Entry Already Exists", "7", bind(ldap.LDAPResultEntryAlreadyExists), business, no, 0},
	{"go-ldap", "Busy", "7", bind(ldap.LDAPResultBusy), transient, yes, 0},
	{"go-ldap", "Invalid Attribute Syntax", "7", bind(ldap.LDAPResultInvalidAttributeSyntax), validation, no, 0},
}

func bind(code uint16) func(*testing.T) error {
	return value(fmt.Errorf("bind: %w", ldap.NewError(code, errors.New("server said so"))))
}
