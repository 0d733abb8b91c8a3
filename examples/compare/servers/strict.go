package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
)

// A strictClient validates structured content, even of failures, against the tool's output schema,
// like version 1 of the TypeScript SDK. It discards results that do not match.
type strictClient map[string]*jsonschema.Resolved

// newStrictClient reads the output schemas from the response to tools/list.
func newStrictClient(list []byte) (strictClient, error) {
	var r struct {
		Result struct {
			Tools []struct {
				Name         string             `json:"name"`
				OutputSchema *jsonschema.Schema `json:"outputSchema"`
			} `json:"tools"`
		} `json:"result"`
	}
	if err := json.Unmarshal(list, &r); err != nil {
		return nil, fmt.Errorf("cannot read the list of tools: %w", err)
	}
	client := strictClient{}
	for _, tool := range r.Result.Tools {
		if tool.OutputSchema == nil {
			continue
		}
		resolved, err := tool.OutputSchema.Resolve(nil)
		if err != nil {
			return nil, fmt.Errorf("cannot read the output schema of %s: %w", tool.Name, err)
		}
		client[tool.Name] = resolved
	}
	return client, nil
}

var errUnstructured = errors.New("a success without structured content")

// accept returns an error if the client would discard the answer's result.
func (c strictClient) accept(a answer) error {
	result, schema := a.response().Result, c[a.call.tool]
	if result == nil || schema == nil {
		return nil
	}
	if len(result.StructuredContent) == 0 {
		if !result.IsError {
			return errUnstructured
		}
		return nil
	}
	var content any
	if err := json.Unmarshal(result.StructuredContent, &content); err != nil {
		return err
	}
	return schema.Validate(content)
}
