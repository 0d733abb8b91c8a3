package wrong

import (
	"net/http"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func charge(url, key string) error {
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader("{}"))
	if err != nil {
		return err
	}
	req.Header.Set("Idempotency-Key", key) // want `replay: `
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return toolerr.Wrap(err, "The bank did not answer.")
	}
	return resp.Body.Close()
}
