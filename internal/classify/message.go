package classify

import (
	"cmp"
	"reflect"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// A serviceMessage is a service's message about a request.
type serviceMessage struct{ text, field string }

// ServiceMessage returns a service's message about a request, and the member of the request
// that it is about. It reads the first error in err's tree that has the form of a service's
// reply. Both results may be empty. The text is unchanged: of any length, and with any text
// that the service quotes.
//
// The forms are a message with an HTTP status, the status of gRPC and Connect, an API error
// of AWS, a status of Kubernetes, and the list of errors of a GraphQL reply. Any other text
// is that of the client library or the network.
func ServiceMessage(err error) (text, field string) {
	m, _ := Find(err, func(err error) (serviceMessage, bool) {
		m := messageOf(err)
		return m, m.text != ""
	})
	return m.text, m.field
}

// messageOf reads one error of a tree.
func messageOf(err error) serviceMessage {
	in := newInspector(reflect.ValueOf(err))
	if in.isWrapper || in.isPlain || in.value.Kind() == reflect.Pointer && in.value.IsNil() {
		return serviceMessage{}
	}
	if list := in.graphQL(); list.Kind() == reflect.Slice {
		return serviceMessage{text: joined("", itemsIn(list))}
	}
	var m serviceMessage
	switch e := err.(type) { //nolint:errorlint // one link of the chain
	case interface { // AWS
		ErrorCode() string
		ErrorMessage() string
	}:
		m.text = e.ErrorMessage()
	default:
		in.readStatus()
		m = in.serviceMessage(err)
	}
	if strings.HasPrefix(strings.TrimSpace(m.text), "<") {
		return serviceMessage{} // a page, usually from a proxy
	}
	return m
}

// serviceMessage reads the message of an RPC status, or the one beside an HTTP status.
func (in *inspector) serviceMessage(err error) serviceMessage {
	switch {
	case in.grpc != nil:
		return in.grpc.rejection()
	case in.isGRPC: // the status is nil
		return serviceMessage{}
	}
	if code, ok := in.call("Code"); ok && code.Kind() == reflect.Uint32 {
		return in.rejection() // Connect
	} else if payload := in.field("Payload"); ok && asStatus(code) > 0 && payload.Kind() == reflect.Struct { // go-swagger
		return in.withItems((&inspector{object: payload}).text("Message", "Detail"), payload)
	}
	if status, ok := in.statusStruct(); ok { // Kubernetes
		inner := &inspector{typeInfo: in.typeInfo, object: status}
		return inner.withItems(inner.text("Message"), status.FieldByName("Details"))
	}
	if status, _, _ := in.httpStatus(err); status < 400 && !in.object.IsValid() {
		return serviceMessage{}
	} else if status < 400 {
		return in.slack()
	}
	if nested := in.field("Message"); nested.Kind() == reflect.Struct { // Discord
		return serviceMessage{text: (&inspector{object: nested}).text("Message")}
	}
	text := in.text("Message", "Msg", "ErrorMessage", "Detail")
	if inner, ok := strings.CutPrefix(text, "{message: "); ok { // GitLab
		text = strings.TrimSuffix(inner, "}")
	}
	return in.withItems(text, in.object)
}

// rejection reads the message of an RPC status whose code reports that the service rejected
// the request. Any other message is the transport's and contains addresses.
func (in *inspector) rejection() serviceMessage {
	name, ok := in.rpcCode()
	if !ok {
		return serviceMessage{}
	}
	c := codes.FromWord(name).Classification()
	if c.Category == class.Transient && c.Code != class.Throttled.Classification().Code || c.Category == "" {
		return serviceMessage{}
	}
	return serviceMessage{text: in.message(), field: in.violated()}
}

// violated returns the member that an RPC status's details name.
func (in *inspector) violated() string {
	for value := range in.detailValues {
		detail := indirect(value)
		if !detail.IsValid() {
			continue
		}
		list := detail.FieldByName("FieldViolations")
		if list.Kind() == reflect.Slice && list.Len() > 0 {
			return (&inspector{object: indirect(list.Index(0))}).text("Field")
		}
	}
	return ""
}

// slack reads a reply of Slack, whose status is always 200.
func (in *inspector) slack() serviceMessage {
	more := indirect(in.object.FieldByName("ResponseMetadata"))
	if !strings.Contains(in.pkg, "slack") || more.Kind() != reflect.Struct {
		return serviceMessage{}
	}
	return serviceMessage{text: joined(in.text("Err"), itemsIn(more.FieldByName("Messages")))}
}

// graphQL returns err's list if its items look like GraphQL errors.
func (in *inspector) graphQL() reflect.Value {
	list := in.value
	if list.Kind() == reflect.Pointer {
		list = list.Elem()
	}
	if list.Kind() != reflect.Slice {
		return reflect.Value{}
	}
	item := list.Type().Elem()
	if item.Kind() == reflect.Pointer {
		item = item.Elem()
	}
	if item.Kind() != reflect.Struct {
		return reflect.Value{}
	}
	_, located := item.FieldByName("Locations")
	_, extended := item.FieldByName("Extensions")
	if message, ok := item.FieldByName("Message"); !ok || !isWord(message.Type) || !located && !extended {
		return reflect.Value{}
	}
	return list
}

// withItems adds the texts of the object's lists of errors to the message.
func (in *inspector) withItems(text string, object reflect.Value) serviceMessage {
	m := serviceMessage{text: text, field: in.text("Param", "Field")}
	object = indirect(object)
	if object.Kind() != reflect.Struct {
		return m
	}
	var items []serviceMessage
	for _, name := range []string{"ErrorMessages", "Errors", "Causes"} {
		items = append(items, itemsIn(object.FieldByName(name))...)
	}
	for _, it := range items {
		m.field = cmp.Or(m.field, it.field)
	}
	m.text = joined(text, items)
	return m
}

// field returns a field of the struct, or what it points to.
func (in *inspector) field(name string) reflect.Value {
	if in.object.Kind() != reflect.Struct {
		return reflect.Value{}
	}
	f, ok := in.object.Type().FieldByName(name)
	if !ok || !f.IsExported() {
		return reflect.Value{}
	}
	v, err := in.object.FieldByIndexErr(f.Index)
	if err != nil {
		return reflect.Value{}
	}
	return indirect(v)
}

// text returns the first field that is a non-empty text.
func (in *inspector) text(names ...string) string {
	for _, name := range names {
		if f := in.field(name); f.IsValid() {
			if text := word(f); text != "" {
				return text
			}
		}
	}
	return ""
}

// indirect returns what a pointer or an interface holds.
func indirect(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	return v
}
