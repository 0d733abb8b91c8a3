package replay_test

import (
	"testing"

	vault "github.com/hashicorp/vault/api"
	"github.com/stretchr/testify/require"
)

// vaultCase is a call of Vault's client.
func vaultCase(prefix string, call func(*vault.Client) error) typedCase {
	return typedCase{prefix, func(t *testing.T, address string) error {
		t.Helper()
		config := vault.DefaultConfig()
		config.Address, config.MaxRetries = address, 0
		client, err := vault.NewClient(config)
		require.NoError(t, err)
		client.SetToken("hvs.replay")
		return call(client)
	}}
}

func vaultMounts(client *vault.Client) error {
	_, err := client.Sys().ListMounts()
	return err
}

func vaultRead(client *vault.Client) error {
	_, err := client.Logical().Read("secret/data/app/db")
	return err
}

func vaultIssue(role string) func(*vault.Client) error {
	return func(client *vault.Client) error {
		_, err := client.Logical().Write("pki/issue/"+role, map[string]any{"common_name": "a.example"})
		return err
	}
}

var vaultFamily = family{"vault-go", map[string]typedCase{
	"read-403":      vaultCase("Failed to read secret: ", vaultRead),
	"read-400":      vaultCase("Failed to read secret: ", vaultRead),
	"read-500":      vaultCase("Failed to read secret: ", vaultRead),
	"read-429":      vaultCase("Failed to read secret: ", vaultRead),
	"read-html":     vaultCase("Failed to read secret: ", vaultRead),
	"write-400":     vaultCase("failed to read secret: ", vaultRead),
	"write-403":     vaultCase("failed to read secret: ", vaultRead),
	"read-sealed":   vaultCase("Failed to list mounts: ", vaultMounts),
	"mounts-403":    vaultCase("Failed to list mounts: ", vaultMounts),
	"read-html-200": vaultCase("Failed to list mounts: ", vaultMounts),
	"issue-badrole": vaultCase("failed to write to path 'pki/issue/nope': ", vaultIssue("nope")),
	"issue-badname": vaultCase("failed to write to path 'pki/issue/web': ", vaultIssue("web")),
	"issue-ttl":     vaultCase("failed to write to path 'pki/issue/web': ", vaultIssue("web")),
	"delete-mount-403": vaultCase("Failed to delete mount at path 'secret': ",
		func(client *vault.Client) error { return client.Sys().Unmount("secret") }),
	"enable-pki-500": vaultCase("Failed to create pki mount: ", func(client *vault.Client) error {
		return client.Sys().Mount("pki2", &vault.MountInput{Type: "pki"})
	}),
	"list-reset": vaultCase("Failed to list secrets: ", func(client *vault.Client) error {
		_, err := client.Logical().List("secret/metadata")
		return err
	}),
}}

var vaultRefusedFamily = family{"vault-refused-go", map[string]typedCase{
	"refused":       vaultCase("Failed to list mounts: ", vaultMounts),
	"refused-write": vaultCase("failed to list mounts: ", vaultMounts),
}}
