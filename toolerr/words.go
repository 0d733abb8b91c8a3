package toolerr

import "strings"

// fold takes case, separators and the word error off a code or a type's name.
func fold(text string) string {
	b := make([]byte, 0, len(text))
	for i := range min(len(text), 128) {
		c := text[i]
		switch {
		case 'A' <= c && c <= 'Z':
			b = append(b, c+'a'-'A')
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			b = append(b, c)
		}
	}
	s := string(b)
	for _, suffix := range []string{"exception", "errors", "error", "fault"} {
		if rest, ok := strings.CutSuffix(s, suffix); ok && rest != "" {
			s = rest
		}
	}
	return strings.TrimPrefix(s, "err")
}

// words are the codes in use by gRPC, Connect and Twirp, the cloud SDKs, OAuth,
// Kubernetes and the common web APIs, folded. Meaning beats status: throttling
// comes under 400 and 403, an exhausted plan under 429.
var words = make(map[string]verdict)

func init() { //nolint:gochecknoinits // one table, written by its rows
	for _, row := range []struct {
		verdict verdict
		codes   string
	}{
		{vThrottled, `throttling throttled throttle toomanyrequests toomanyrequest requestlimitexceeded ratelimit
			ratelimited ratelimitexceeded userratelimitexceeded rateexceeded requestthrottled slowdown
			provisionedthroughputexceeded prioritiesthrottled bandwidthlimitexceeded resourceexhausted
			concurrentrequestlimitexceeded toomanyconnections ec2throttled requeststhrottled enhanceyourcalm
			secondaryratelimit abuseratelimit requestrateexceeded requestratetoolarge
			subscriptionrequeststhrottled`},
		{vLimit, `paidteamsonly codestorageexceeded toomanybuckets
			insufficientquota quotaexceeded dailylimitexceeded servicequotaexceeded limitexceeded billing
			billinghardlimitreached billingnotactive paymentrequired insufficientfunds carddeclined card
			expiredcard spendlimitreached creditbalancetoolow planlimitreached accountlimitexceeded quota
			storagequotaexceeded usagelimitreached usagelimitexceeded budgetexceeded resourcelimitexceeded`},
		{vUnavailable, `authorizationpending priorrequestnotcomplete
			unavailable serviceunavailable temporarilyunavailable servicetemporarilyunavailable overloaded
			serverbusy serverisbusy backend busy transactionconflict deadlock
			deadlockdetected lockwaittimeout serializationfailure writeconflict aborted modelloading
			engineoverloaded notready tryagain leadernotavailable accepted poolexhausted breakeropen
			circuitopen circuit`},
		{vBroken, `internalserver internalfailure badgateway connectionreset connectionclosed
			connectionlost network transport`},
		{vTimeout, `timeout timedout requesttimeout requesttimedout deadlineexceeded gatewaytimeout servertimeout
			operationtimedout modeltimeout connecttimeout readtimeout executiontimeout statementtimeout`},
		{vCanceled, `canceled cancelled requestcanceled requestcancelled operationcanceled operationaborted
			clientclosedrequest`},
		{vInternal, `internal unknown unexpected dataloss bug panic server api internalapi`},
		{vNotFound, `notfound nosuchkey nosuchbucket nosuchentity nosuchupload resourcenotfound resourcemissing
			doesnotexist unknownresource gone filenotfound noobject nosuchobject norows nodocuments
			recordnotfound keynotfound itemnotfound modelnotfound unknowntool unimplemented methodnotfound
			notimplemented`},
		{vInvalid, `baddigest permanentredirect authorizationheadermalformed
			invalidargument invalidparameter invalidparametervalue invalidrequest badrequest invalid
			validation validationfailed invalidinput malformed malformedrequest parse parsing syntax
			invalidformat invalidtype typemismatch unprocessableentity unprocessable
			contextlengthexceeded badinput invalidquery invalidjson schemaviolation constraintviolation
			unsupportedmediatype notacceptable methodnotallowed stringabovemaxlength invalidvalue badroute`},
		{vMissing, `notext paramrequired
			missingparameter missingargument parametermissing missingrequired missingfield
			requiredfieldmissing missingrequiredparameter missingrequiredfield required`},
		{vOutOfRange, `msgtoolong toomanyattachments keytoolong entitytoosmall
			outofrange entitytoolarge requestentitytoolarge payloadtoolarge requesttoolarge messagetoolarge
			toolarge toobig maxsizeexceeded outofbounds`},
		{vConflict, `conflict conflicting concurrentmodification optimisticlock optimisticlocking idempotency
			idempotencykeyinuse idempotentparametermismatch versionconflict concurrentupdate staleobject
			editconflict mergeconflict`},
		{vExists, `alreadyinchannel alreadyreacted usernameexists
			alreadyexists exists duplicate duplicateentry entityalreadyexists bucketalreadyexists
			bucketalreadyownedbyyou resourceexists resourcealreadyexists duplicatekey uniqueviolation
			uniqueconstraint nametaken`},
		{vPrecondition, `transactioncanceled isarchived isinactive notinchannel editwindowclosed userisbot cantinviteself cantkickself methoddeprecated disabled endpointdisabled messagerejected messagenotinflight passwordpolicyviolation missingsubscriptionregistration dryrunoperation mailfromdomainnotverified accountsendingpaused objectalreadyinactivetier cancellationalreadyrequested
			failedprecondition preconditionfailed conditionalcheckfailed invalidstate illegalstate
			notallowed resourceinuse incorrectstate incorrectinstancestate invalidobjectstate
			conditionnotmet dependencyviolation deleteconflict locked notempty`},
		{vUnauthenticated, `nocredentialproviders requestexpired tokenrefreshrequired invalidtokenid invalidsecurity codemismatch expiredcode usernotconfirmed passwordresetrequired incorrectclientcredentials badverificationcode interactionrequired consentrequired mfarequired apikeyinvalid
			unauthenticated unauthorized unauthorised authentication authenticationfailed
			authenticationfailure authfailure auth invalidcredentials invalidtoken expiredtoken tokenexpired
			unrecognizedclient invalidclienttokenid invalidaccesskeyid signaturedoesnotmatch
			invalidsignature invalidapikey invalidauth notauthed tokenrevoked accountinactive
			missingauthenticationtoken incompletesignature invalidgrant invalidclient badcredentials
			loginfailed requesttimetooskewed authorizationrequired loginrequired missingauthentication
			credentials`},
		{vDenied, `restrictedaction cantupdatemessage cantdeletemessage nopermission notallowedtokentype teamaccessnotgranted unauthorizedclient optinrequired blocked notsignedup accountproblem
			permissiondenied accessdenied forbidden denied unauthorizedoperation unauthorizedaccess
			notauthorized authorizationfailed authorization insufficientpermissions insufficientpermission
			insufficientprivilege accountdisabled permission allaccessdisabled policyviolation notpermitted`},
		{vScope, `insufficientscope missingscope insufficientscopes scopeinsufficient missingscopes
			accesstokenscopeinsufficient`},
	} {
		for code := range strings.FieldsSeq(row.codes) {
			words[code] = row.verdict
		}
	}
}

// fromWord judges a code. Beside the known ones it goes by the parts of which
// such words are made; none of those says more than its full form would.
func fromWord(code string) verdict {
	w := fold(code)
	if v, ok := words[w]; ok {
		return v
	}
	if strings.HasPrefix(code, "Neo.TransientError.") && !strings.HasSuffix(code, ".Terminated") {
		return vUnavailable
	}
	if i := strings.LastIndexByte(code, '.'); i >= 0 { // Neo4j and AWS qualify their codes
		w = fold(code[i+1:])
		if v, ok := words[w]; ok {
			return v
		}
	}
	if strings.HasPrefix(w, "invalid") && strings.HasSuffix(w, "state") {
		return vPrecondition
	}
	for _, part := range parts {
		if part.fits(w, part.text) {
			return part.verdict
		}
	}
	return verdict{}
}

// ofASystem reports whether a word ends in text and names a system before it:
// products and sessions are unavailable and time out in other ways.
func ofASystem(word, text string) bool {
	rest, ok := strings.CutSuffix(word, text)
	for _, system := range systems {
		if ok && strings.Contains(rest, system) {
			return true
		}
	}
	return false
}

var systems = []string{
	"service", "server", "backend", "upstream", "gateway", "database", "dependency", "connection", "connect", "response", "request",
	"read", "write", "query", "statement", "transaction", "network", "node", "cluster", "broker", "host", "api", "internal", "namespace",
}

var parts = []struct {
	fits    func(string, string) bool
	text    string
	verdict verdict
}{
	{strings.HasSuffix, "notfound", vNotFound},
	{strings.HasPrefix, "nosuch", vNotFound},
	{strings.HasSuffix, "doesnotexist", vNotFound},
	{strings.HasSuffix, "ambiguous", vAmbiguous},
	{strings.HasPrefix, "ambiguous", vAmbiguous},
	{ofASystem, "unavailable", vUnavailable},
	{strings.HasSuffix, "alreadyexists", vExists},
	{strings.HasPrefix, "duplicate", vExists},
	{strings.HasSuffix, "ratelimitexceeded", vThrottled},
	{strings.HasSuffix, "quotaexceeded", vLimit},
	{strings.HasSuffix, "limitexceeded", vLimit},
	{strings.HasSuffix, "limitreached", vLimit},
	{strings.HasSuffix, "inuse", vPrecondition},
	{strings.HasSuffix, "notempty", vPrecondition},
	{strings.HasSuffix, "alreadyinprogress", vPrecondition},
	{strings.HasSuffix, "alreadyrequested", vPrecondition},
	{strings.HasSuffix, "invalidstate", vPrecondition},
	{strings.HasSuffix, "alreadystarted", vExists},
	{ofASystem, "timeout", vTimeout},
	{ofASystem, "timedout", vTimeout},
	{strings.HasSuffix, "toolarge", vOutOfRange},
	{strings.HasSuffix, "validationfailed", vInvalid},
	{strings.HasSuffix, "notaleader", vUnavailable},
	{ofASystem, "notready", vUnavailable},
	{strings.HasPrefix, "nonexistent", vNotFound},
	{strings.HasSuffix, "accessdenied", vDenied},
	{strings.HasPrefix, "accessdenied", vDenied},
	{strings.HasSuffix, "unauthorized", vUnauthenticated},
	{strings.HasPrefix, "expiredtoken", vUnauthenticated},
	{strings.HasPrefix, "insufficientscope", vScope},
	{strings.HasPrefix, "missing", vMissing},
	{strings.HasSuffix, "missing", vMissing},
	{strings.HasPrefix, "invalid", vInvalid},
	{strings.HasSuffix, "invalid", vInvalid},
	{strings.HasPrefix, "malformed", vInvalid},
	{strings.HasPrefix, "unsupported", vInvalid},
	{strings.HasSuffix, "conflict", vConflict},
	{strings.HasPrefix, "throttl", vThrottled},
	{strings.HasSuffix, "throttled", vThrottled},
	{strings.HasSuffix, "ratelimit", vThrottled},
	{strings.HasSuffix, "mismatch", vInvalid},
}

// byName judges by the name of a type, where it is one of the known codes or
// says what no other error would.
func byName(s *shape) verdict {
	name := fold(s.name)
	if v, ok := words[name]; ok && !vague[name] {
		return v
	}
	for _, part := range nameEnds {
		if strings.HasSuffix(name, part.text) {
			return part.verdict
		}
	}
	return verdict{}
}

// vague are words that say something as a code and nothing as a type's name.
var vague = map[string]bool{
	"api": true, "server": true, "internal": true, "unknown": true, "status": true, "auth": true, "network": true,
	"transport": true, "backend": true, "required": true, "circuit": true, "permission": true, "exists": true, "quota": true,
	"card": true, "invalid": true, "connectionclosed": true, "locked": true, "billing": true, "aborted": true, "busy": true,
}

// nameEnds are ends of a type's name that leave no doubt.
var nameEnds = []struct {
	text    string
	verdict verdict
}{
	{"ratelimit", vThrottled},
	{"ratelimited", vThrottled},
	{"throttled", vThrottled},
	{"timeout", vTimeout},
	{"unavailable", vUnavailable},
	{"notfound", vNotFound},
	{"alreadyexists", vExists},
	{"alreadystarted", vExists},
	{"notsupported", vInvalid},
	{"permissiondenied", vDenied},
	{"unauthorized", vUnauthenticated},
}

// packages are those whose errors are all of one kind.
var packages = map[string]verdict{
	"google.golang.org/protobuf/internal/errors": vInvalid,
	"github.com/go-viper/mapstructure":           vInvalid,
	"github.com/mitchellh/mapstructure":          vInvalid,
	"golang.org/x/crypto/ssh/knownhosts":         vUnauthenticated,
}
