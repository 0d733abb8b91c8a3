package classify

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
)

// A serviceMessage is a service's message about a request.
type serviceMessage struct{ text, field string }

// ServiceMessage returns a service's message about a request, and the member of the request that it
// is about. It reads the first error in err's tree that has a message in the form of a service's
// reply. Both results may be empty. The text is neither cut nor masked.
//
// The forms are a message with an HTTP status, GraphQL errors, a gRPC status, a Connect error, an
// AWS API error and a Kubernetes status. Any other text is the client library's or the network's.
func ServiceMessage(err error) (text, field string) {
	m, _ := Find(err, messageOf)
	return m.text, m.field
}

func messageOf(err error) (m serviceMessage, ok bool) {
	l := typeInfoOf(reflect.TypeOf(err)).link(err)
	if l.isNil() {
		return m, false
	}
	status, _, _ := l.httpStatus()
	switch e, isAWS := err.(interface {
		ErrorCode() string
		ErrorMessage() string
	}); {
	case isAWS:
		m.text = e.ErrorMessage()
	case l.remote.code != "":
		m = l.remote.rejection()
	case status != 0 || l.isGraphQL:
		m = l.keptMessage()
		if m.text == "" && status >= 400 && status < 500 && !codes.IsOwnLogin(l.pkg) { // else it may be about the tool
			var reply answers.Claims
			l.readReply(&reply)
			if said := reply.Said(); strings.Contains(said, " ") { // else it is a code
				m = serviceMessage{said, reply.Text(spelling.Field)}
			}
		}
	}
	isPage := strings.HasPrefix(strings.TrimSpace(m.text), "<") // usually from a proxy
	return m, m.text != "" && !isPage
}

// rejection returns the message if the code reports that the service rejected the request. Any other
// message may be the transport's, and contain addresses.
func (r *rpc) rejection() serviceMessage {
	c := codes.FromWord(r.code)
	if category := c.Classification().Category; c != class.Throttled && (category == class.Transient || category == "") {
		return serviceMessage{}
	}
	return serviceMessage{r.message, r.field}
}

// keptMessage reads the message in the fields of a reply, and adds those in its lists.
func (l *link) keptMessage() serviceMessage {
	m := l.paths.message(l.object)
	var items []string
	for f := range l.members(spelling.Notices) {
		switch list := f.Interface().(type) {
		case []string:
			items = append(items, list[:min(len(list), answers.MaxItems)]...)
		case map[string]string:
			for _, key := range slices.Sorted(maps.Keys(list)) {
				m.field = cmp.Or(m.field, key)
				items = append(items, key+": "+list[key])
			}
		}
	}
	for object, paths := range l.listed() {
		item := paths.message(object)
		m.field = cmp.Or(m.field, item.field)
		if !strings.Contains(item.text, item.field) {
			item.text = item.field + ": " + cmp.Or(item.text, firstOf(fieldsAt(object, paths[spelling.Words]), word))
		}
		items = append(items, item.text)
	}
	separator := ": "
	for _, text := range items {
		if !strings.Contains(m.text, text) {
			m.text = strings.TrimPrefix(strings.TrimSuffix(m.text, ".")+separator+text, separator)
			separator = "; "
		}
	}
	return m
}

func (p *paths) message(of reflect.Value) serviceMessage {
	return serviceMessage{firstOf(fieldsAt(of, p[spelling.Said]), word), firstOf(fieldsAt(of, p[spelling.Culprits]), word)}
}
