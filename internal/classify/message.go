package classify

import (
	"cmp"
	"reflect"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
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
	l := typeInfoOf(reflect.TypeOf(err)).link(err, place{})
	if l.isWrapper || l.isPlain || l.isNil() {
		return serviceMessage{}
	}
	for _, read := range [...]func(*link) (serviceMessage, bool){graphQLMessage, awsMessage, rpcMessage, swaggerMessage, kubernetesMessage, statusMessage} {
		m, ok := read(l)
		if ok && strings.HasPrefix(strings.TrimSpace(m.text), "<") {
			return serviceMessage{} // a page, usually from a proxy
		}
		if ok {
			return m
		}
	}
	return serviceMessage{}
}

// graphQLMessage reads a type that is a list of GraphQL errors.
func graphQLMessage(l *link) (serviceMessage, bool) {
	list := indirect(l.value)
	if list.Kind() != reflect.Slice {
		return serviceMessage{}, false
	}
	item := list.Type().Elem()
	if item.Kind() == reflect.Pointer {
		item = item.Elem()
	}
	if item.Kind() != reflect.Struct {
		return serviceMessage{}, false
	}
	message, ok := item.FieldByName("Message")
	_, located := item.FieldByName("Locations")
	_, extended := item.FieldByName("Extensions")
	return serviceMessage{text: joined("", itemsIn(list))}, ok && isWord(message.Type) && (located || extended)
}

func awsMessage(l *link) (serviceMessage, bool) {
	e, ok := l.err.(interface {
		ErrorCode() string
		ErrorMessage() string
	})
	if !ok {
		return serviceMessage{}, false
	}
	return serviceMessage{text: e.ErrorMessage()}, true
}

// rpcMessage reads the message of a gRPC status or a Connect error whose code reports that
// the service rejected the request. Any other message is the transport's and contains
// addresses.
func rpcMessage(l *link) (serviceMessage, bool) {
	s := l
	if status := l.status(); status != nil {
		s = status
	} else if code, ok := l.call("Code"); !ok || code.Kind() != reflect.Uint32 {
		return serviceMessage{}, false
	}
	if s.typeInfo == nil {
		return serviceMessage{}, true
	}
	c := codes.FromWord(s.rpcCode())
	if category := c.Classification().Category; c != class.Throttled && (category == class.Transient || category == "") {
		return serviceMessage{}, true
	}
	return serviceMessage{s.message(), s.violated()}, true
}

// swaggerMessage reads the payload of an error of go-swagger.
func swaggerMessage(l *link) (serviceMessage, bool) {
	code, ok := l.call("Code")
	payload := fieldOf(l.object, "Payload")
	if !ok || asStatus(code) == 0 || payload.Kind() != reflect.Struct {
		return serviceMessage{}, false
	}
	return l.withItems(textOf(payload, "Message", "Detail"), payload), true
}

func kubernetesMessage(l *link) (serviceMessage, bool) {
	status := l.kubernetes()
	if !status.IsValid() {
		return serviceMessage{}, false
	}
	return l.withItems(textOf(status, "Message"), fieldOf(status, "Details")), true
}

// statusMessage reads the message beside an HTTP status.
func statusMessage(l *link) (serviceMessage, bool) {
	if status, _, _ := l.httpStatus(); status < 400 {
		return slackMessage(l)
	}
	if nested := fieldOf(l.object, "Message"); nested.Kind() == reflect.Struct { // Discord
		return serviceMessage{text: textOf(nested, "Message")}, true
	}
	text := textOf(l.object, "Message", "Msg", "ErrorMessage", "Detail")
	if inner, ok := strings.CutPrefix(text, "{message: "); ok { // GitLab
		text = strings.TrimSuffix(inner, "}")
	}
	return l.withItems(text, l.object), true
}

// slackMessage reads a reply of Slack, whose status is always 200.
func slackMessage(l *link) (serviceMessage, bool) {
	more := fieldOf(l.object, "ResponseMetadata")
	if !strings.Contains(l.pkg, "slack") || more.Kind() != reflect.Struct {
		return serviceMessage{}, false
	}
	return serviceMessage{text: joined(textOf(l.object, "Err"), itemsIn(more.FieldByName("Messages")))}, true
}

// withItems adds the texts of the object's lists of errors to the message.
func (l *link) withItems(text string, object reflect.Value) serviceMessage {
	m := serviceMessage{text: text, field: textOf(l.object, "Param", "Field")}
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

// itemsIn reads a list of texts or structs, or a map from members to texts.
func itemsIn(list reflect.Value) (items []serviceMessage) {
	switch list.Kind() { //nolint:exhaustive // of the others there are no items
	case reflect.Slice:
		for i := range min(list.Len(), answers.MaxItems) {
			it := indirect(list.Index(i))
			if it.Kind() != reflect.Struct {
				items = append(items, serviceMessage{text: word(it)})
				continue
			}
			m := serviceMessage{text: textOf(it, "Message", "Detail", "Title"), field: textOf(it, "Field", "Param")}
			switch {
			case m.text == "":
				m.text = strings.TrimSpace(m.field + " " + textOf(it, "Code", "Reason"))
			case m.field != "" && !strings.Contains(m.text, m.field):
				m.text = m.field + ": " + m.text
			}
			items = append(items, m)
		}
	case reflect.Map:
		if list.Type().Key().Kind() != reflect.String {
			return nil
		}
		for _, key := range sortedKeys(list)[:min(list.Len(), answers.MaxItems)] {
			if text := word(list.MapIndex(key)); text != "" {
				items = append(items, serviceMessage{text: word(key) + ": " + text, field: word(key)})
			}
		}
	}
	return items
}

// joined appends the texts of items that the text does not contain yet.
func joined(text string, items []serviceMessage) string {
	separator := ": "
	for _, it := range items {
		switch {
		case it.text == "" || strings.Contains(text, it.text):
			continue
		case strings.HasSuffix(text, "."):
			text += " "
		case text != "":
			text += separator
		}
		text += it.text
		separator = "; "
	}
	return text
}

// fieldOf returns an exported field of a struct, or what it points to.
func fieldOf(object reflect.Value, name string) reflect.Value {
	if object.Kind() != reflect.Struct {
		return reflect.Value{}
	}
	f, ok := exportedField(object.Type(), name)
	if !ok {
		return reflect.Value{}
	}
	v, err := object.FieldByIndexErr(f.Index)
	if err != nil {
		return reflect.Value{}
	}
	return indirect(v)
}

// textOf returns the first field of a struct that is a non-empty text.
func textOf(object reflect.Value, names ...string) string {
	for _, name := range names {
		if text := word(fieldOf(object, name)); text != "" {
			return text
		}
	}
	return ""
}
