package classify

import (
	"cmp"
	"reflect"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// maxErrorBody is the maximum length, in bytes, of a kept reply that is read. Chosen: error
// objects have a few hundred bytes, and a longer one cannot be read in part.
const maxErrorBody = 4 << 10

// bodyNames are the fields in which types keep the raw body of a reply.
var bodyNames = []string{"Body", "RawBody", "ResponseBody", "ErrorBody", "Content", "Raw", "RawResponse", "RawJSON", "JSON", "Response"}

// isBody reports whether a type can hold a raw body.
func isBody(t reflect.Type) bool {
	return t.Kind() == reflect.String || t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}

// isObject reports whether a type can hold a decoded JSON object or a list of them.
func isObject(t reflect.Type) bool {
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t.Kind() == reflect.Map && t.Key().Kind() == reflect.String && t.Elem() == reflect.TypeFor[any]()
}

// readAnswer reads the codes in the parts of a service's reply that an error keeps: decoded
// objects or the raw body. If nothing shows that they are a reply, they may forbid a retry
// but never allow one.
func (in *inspector) readAnswer(_ error, r *codes.Reader) bool {
	if !in.keepsAnswer {
		return false
	}
	var b answers.Body
	in.readAnswerInto(&b)
	c, shown := b.Class()
	if c == class.Unknown || !r.Class.IsVague() || c.Retryable() && !in.isAnswer {
		return false
	}
	r.HasWord = r.HasWord || shown
	return r.Override(c) && !c.IsVague()
}

func (in *inspector) readAnswerInto(b *answers.Body) {
	for f := range in.fields(in.objects) {
		readValue(b, f)
	}
	for _, it := range in.items {
		for list := range in.fields([][]int{it.path}) {
			for i := range min(list.Len(), answers.MaxItems) {
				for f := range (&inspector{object: reflect.Indirect(list.Index(i))}).fields(it.objects) {
					readValue(b, f)
				}
			}
		}
	}
	if e, ok := reflect.TypeAssert[interface{ RawJSON() string }](in.value); ok {
		readKept(b, []byte(e.RawJSON()[:min(len(e.RawJSON()), maxErrorBody+1)]))
	}
	for f := range in.fields(in.bodies) {
		switch {
		case f.Len() > maxErrorBody:
		case f.Kind() == reflect.String:
			readKept(b, []byte(f.String()))
		default:
			readKept(b, f.Bytes())
		}
	}
}

// readKept adds a raw body that an error keeps.
func readKept(b *answers.Body, text []byte) {
	if len(text) <= maxErrorBody {
		b.ReadJSON(text)
	}
}

// readValue adds a map or a list of maps of any named type.
func readValue(b *answers.Body, v reflect.Value) {
	if v.Kind() == reflect.Slice {
		for i := range min(v.Len(), answers.MaxItems) {
			readValue(b, v.Index(i))
		}
		return
	}
	if object := v.Convert(reflect.TypeFor[map[string]any]()); object.Len() > 0 && object.Len() <= maxMembers {
		members, _ := reflect.TypeAssert[map[string]any](object)
		b.ReadObject(members, answers.MaxDepth)
	}
}

// maxMembers is the maximum number of members of an object that is read. Chosen: error
// objects have about a dozen.
const maxMembers = 100

// refined returns a class and a delay, refined by the messages and limits in a reply.
func (in *inspector) refined(err error, c class.Class, after time.Duration) (class.Class, time.Duration) {
	if c.IsThrottle() && after > 0 && !in.mayHaveLimit && in.grpc == nil {
		return c, after
	}
	var b answers.Body
	if in.keepsAnswer {
		in.readAnswerInto(&b)
	}
	for f := range in.fields(in.periods) {
		b.IsPlan = b.IsPlan || codes.IsPlanPeriod(named(f))
	}
	if in.grpc != nil {
		b.IsPlan = b.IsPlan || in.grpc.quotaIsPlan()
	} else if c.IsThrottle() && in.mayHaveHeader {
		_, header, _ := in.httpStatus(err)
		b.IsPlan = b.IsPlan || codes.HasPlanLimit(header)
	}
	after = cmp.Or(after, b.After)
	if c.IsThrottle() && (after > 0 || b.IsPlan) {
		return b.Refine(c, after), after // regardless of the message
	}
	if b.ReadMessage(cmp.Or(in.sentence(), in.message())); len(b.Messages) == 0 {
		b.ReadMessage(err.Error())
	}
	return b.Refine(c, after), after
}

// sentence returns the first message of a service in the fields, or "".
func (in *inspector) sentence() string {
	for f := range in.fields(in.sentences) {
		if text := word(f); text != "" {
			return text
		}
	}
	return ""
}

// quotaIsPlan reports whether an RPC status's details name a quota over a day or more, in
// the metadata of an ErrorInfo or the violations of a QuotaFailure.
func (in *inspector) quotaIsPlan() bool {
	for item := range in.details {
		switch typeInfoOf(item.Type()).name {
		case "ErrorInfo":
			if hasPlanPeriod(item) {
				return true
			}
		case "QuotaFailure":
			list := reflect.Indirect(item).FieldByName("Violations")
			for i := range min(list.Len(), answers.MaxItems) {
				quota := &inspector{object: indirect(list.Index(i))}
				if codes.IsPlanPeriod(quota.text("QuotaId")) || codes.MentionsPlan(quota.text("Description")) {
					return true
				}
			}
		}
	}
	return false
}

// hasPlanPeriod reports whether the metadata of an ErrorInfo have a period of a day or more.
func hasPlanPeriod(info reflect.Value) bool {
	if e, ok := reflect.TypeAssert[interface{ GetMetadata() map[string]string }](info); ok {
		for name, value := range e.GetMetadata() {
			if codes.IsPeriodMember(name) && codes.IsPlanPeriod(value) {
				return true
			}
		}
	}
	return false
}

// messageNames are the fields that hold a service's message.
var messageNames = []string{"Message", "Msg", "ErrorMessage", "Detail", "Description", "ErrorDescription", "Summary", "Title"}
