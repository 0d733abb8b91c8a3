package main

import (
	"encoding/json"
	"strings"
)

// An answer is a server's response to a call.
type answer struct {
	call call
	wire []byte // the response, nil if there was none
	// alive states whether the server answered the next call.
	alive bool
}

// A response is a JSON-RPC response to tools/call. A null result counts as no result.
type response struct {
	Result *callResult `json:"result"`
	Error  *struct {
		Data json.RawMessage `json:"data"`
	} `json:"error"`
}

type callResult struct {
	IsError bool `json:"isError"`
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	StructuredContent json.RawMessage `json:"structuredContent"`
}

func (a answer) response() (r response) {
	if json.Unmarshal(a.wire, &r) != nil {
		return response{}
	}
	return r
}

// data returns the JSON objects in an answer that a program can read: the structured content, texts
// that are JSON, and the data of a protocol error.
func (a answer) data() (objects []map[string]any) {
	r := a.response()
	var texts []json.RawMessage
	if r.Error != nil {
		texts = append(texts, r.Error.Data)
	}
	if r.Result != nil {
		texts = append(texts, r.Result.StructuredContent)
		for _, block := range r.Result.Content {
			texts = append(texts, json.RawMessage(block.Text))
		}
	}
	for _, text := range texts {
		var object map[string]any
		if json.Unmarshal(text, &object) == nil && len(object) > 0 {
			objects = append(objects, object)
		}
	}
	return objects
}

// The kinds of answers to a failed call.
const (
	kindJSON     = "JSON"      // a result flagged as a failure, with data
	kindText     = "text"      // a result flagged as a failure, prose alone
	kindProtocol = "protocol"  // a protocol error, which hosts need not show to the model
	kindSuccess  = "success"   // a result that is not flagged
	kindNull     = "null"      // a response without a result, which no client accepts
	kindNone     = "no answer" // and the server is alive
	kindCrash    = "crash"     // no answer, and none to the next call
)

var kinds = []string{kindJSON, kindText, kindProtocol, kindSuccess, kindNull, kindNone, kindCrash}

func (a answer) kind() string {
	r := a.response()
	switch {
	case r.Error != nil:
		return kindProtocol
	case r.Result != nil && !r.Result.IsError:
		return kindSuccess
	case r.Result != nil && len(a.data()) > 0:
		return kindJSON
	case r.Result != nil:
		return kindText
	case len(a.wire) > 0:
		return kindNull
	case a.alive:
		return kindNone
	}
	return kindCrash
}

// leaks reports whether the response contains the secret.
func (a answer) leaks() bool {
	return strings.Contains(string(a.wire), password)
}
