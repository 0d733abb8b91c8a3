package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"strings"
)

// A call is a tool call that a model requests.
type call struct {
	tool      string
	arguments map[string]any
}

// A situation is a call that fails or finds nothing, and what a model can do next.
type situation struct {
	name, happens string
	call
	argument  string         // the refused one
	corrected map[string]any // the arguments without that mistake
	lookup    *call          // shows whether the call was carried out
}

var situations = []situation{
	{
		name: "lost session", happens: "the server's process ends before it answers",
		call: call{"find_order", map[string]any{"order_id": "ORD-7"}},
	},
	{
		name: "429 with a wait", happens: "the service behind the tool wants a pause of one second",
		call: call{"check_stock", map[string]any{"sku": "SKU-1"}},
	},
	{
		name: "refused arguments", happens: "days has to be a number",
		call:     call{"list_orders", map[string]any{"customer_id": "CUS-1", "days": "thirty"}},
		argument: "days", corrected: map[string]any{"customer_id": "CUS-1", "days": 30},
	},
	{
		name: "business refusal", happens: "the refund is over the limit",
		call: call{"process_refund", map[string]any{"order_id": "ORD-6", "amount": 650}},
	},
	{
		name: "empty", happens: "the customer has no orders",
		call: call{"list_orders", map[string]any{"customer_id": "CUS-9"}},
	},
	{
		name: "partial", happens: "the carrier fails after three of five orders",
		call:   call{"ship_orders", map[string]any{"order_ids": []string{"ORD-1", "ORD-2", "ORD-3", "ORD-4", "ORD-5"}}},
		lookup: &call{"list_done", map[string]any{"order_ids": []string{"ORD-1", "ORD-2", "ORD-3", "ORD-4", "ORD-5"}}},
	},
	{
		name: "lost reply", happens: "the server's process ends after the refund, before it answers",
		call:   call{"process_refund", map[string]any{"order_id": "ORD-7", "amount": 40}},
		lookup: &call{"list_done", map[string]any{"order_ids": []string{"ORD-7"}}},
	},
}

// A script is a scripted model that does what it reads: it follows an envelope's members, or else
// the words of the text. Real models may do better or worse, but the texts that it reads are real.
type script struct {
	situation

	read     []string // the answers
	failed   bool     // the last answer was a failure
	said     string   // the model's last words
	last     call
	repeats  int
	followed map[string]bool // the advice that was followed
}

func newScript(s situation) *script { return &script{situation: s, followed: map[string]bool{}} }

// begin returns the first call.
func (s *script) begin() call {
	s.last = s.call
	return s.last
}

// next takes the answer to the previous call and returns the next call, if any.
func (s *script) next(text string, failed bool) (next call, ok bool) {
	s.read, s.failed = append(s.read, text), failed
	e, found := envelopeIn(text)
	switch {
	case !failed && s.followed["look"]:
		s.said = "It is unclear whether it was done. I have looked: " + text
	case !failed:
		s.said = "Done: " + text
	case found:
		next, ok = s.obey(e)
	default:
		next, ok = s.guess(text)
	}
	s.last = next
	return next, ok
}

// An envelope holds the members that the model recognizes.
type envelope struct {
	IsRetryable     bool   `json:"isRetryable"`
	Message         string `json:"message"`
	CustomerMessage string `json:"customerMessage"`
	Field           string `json:"field"`
	Effect          string `json:"effect"`
	IdempotencyKey  string `json:"idempotencyKey"`
	Partial         struct {
		ContinueFrom any `json:"continueFrom"`
	} `json:"partial"`
}

// envelopeIn returns the envelope in a text, even if an adapter has added words around it.
func envelopeIn(text string) (e envelope, ok bool) {
	_, object, found := strings.Cut(text, `{"isError":true`)
	if !found {
		return e, false
	}
	err := json.NewDecoder(strings.NewReader(`{"isError":true` + object)).Decode(&e)
	return e, err == nil
}

// obey returns the next call that an envelope asks for, if any.
func (s *script) obey(e envelope) (next call, ok bool) {
	switch {
	case e.Partial.ContinueFrom != nil && s.once("continue"):
		return s.with("continue_from", e.Partial.ContinueFrom), true
	case s.argument != "" && strings.Contains(e.Field+" "+e.Message, s.argument) && s.once("correct"):
		return call{s.tool, s.corrected}, true
	case e.Effect == "unknown" && e.IdempotencyKey != "" && s.once("key"):
		return s.with("idempotency_key", e.IdempotencyKey), true
	case e.Effect != "none" && s.lookup != nil && s.once("look"):
		return *s.lookup, true
	case e.IsRetryable && s.again():
		return s.last, true
	case e.CustomerMessage != "":
		s.said = e.CustomerMessage
	default:
		s.said = "It failed: " + e.Message
	}
	return call{}, false
}

// temporary matches words that suggest a temporary failure.
var temporary = regexp.MustCompile(`(?i)timeout|too many requests|unavailable|closed|EOF|broken pipe|try again`)

// guess returns the call that a text suggests, if any.
func (s *script) guess(text string) (next call, ok bool) {
	switch {
	case s.argument != "" && strings.Contains(text, s.argument) && s.once("correct"):
		return call{s.tool, s.corrected}, true
	case temporary.MatchString(text) && s.again():
		return s.last, true
	}
	s.said = "It failed: " + text
	return call{}, false
}

// with returns the situation's call with one more argument.
func (s *script) with(name string, value any) call {
	arguments := maps.Clone(s.arguments)
	arguments[name] = value
	return call{s.tool, arguments}
}

// once reports whether advice is new, and marks it as followed.
func (s *script) once(advice string) bool {
	followed := s.followed[advice]
	s.followed[advice] = true
	return !followed
}

// again counts a repeat, and reports whether it is one of the first two.
func (s *script) again() bool {
	s.repeats++
	return s.repeats <= 2
}

// raw returns the arguments as JSON.
func (c call) raw() string {
	text, err := json.Marshal(c.arguments)
	if err != nil {
		return fmt.Sprint(err)
	}
	return string(text)
}
