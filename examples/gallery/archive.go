package main

import (
	"crypto/ed25519"
	"fmt"
	"net/http"
	"strings"
)

// A signedRecord is a record, with the archive's signature over its name and text.
type signedRecord struct {
	Text      string `json:"text"`
	Signature []byte `json:"signature"`
}

// A recordArchive serves records. As in the test modes of such services, the name decides what goes
// wrong: REC-4 was changed after it was signed.
type recordArchive struct{ key ed25519.PrivateKey }

// ServeHTTP implements [http.Handler]: GET /records/{name}.
func (a *recordArchive) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/records/")
	text := fmt.Sprintf("Personnel record %s: salary group 7.", name)
	signature := ed25519.Sign(a.key, []byte(name+"\n"+text))
	if name == "REC-4" {
		text = strings.Replace(text, "7", "17", 1)
	}
	answer(w, signedRecord{text, signature})
}

// A policyService decides whether a record may be seen: REC-2 may not. For REC-3 it is down, for
// REC-5 it gives no decision, and for REC-6 it breaks the connection.
type policyService struct{}

// ServeHTTP implements [http.Handler]: GET /may?record=.
func (policyService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Query().Get("record") {
	case "REC-2":
		answer(w, map[string]bool{"allowed": false})
	case "REC-3":
		http.Error(w, "database is down", http.StatusServiceUnavailable)
	case "REC-5":
		answer(w, map[string]string{"status": "ok"})
	case "REC-6":
		panic(http.ErrAbortHandler) // breaks the connection
	default:
		answer(w, map[string]bool{"allowed": true})
	}
}
