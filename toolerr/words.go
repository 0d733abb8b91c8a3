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
var words = map[string]verdict{}

func init() { //nolint:gochecknoinits // one table, written by its rows
	for v, list := range map[*verdict]string{
		&vThrottled: `throttling throttled throttle throttlingerror toomanyrequests toomanyrequest requestlimitexceeded ratelimit ratelimited ratelimitexceeded
			userratelimitexceeded rateexceeded requestthrottled slowdown provisionedthroughputexceeded prioritiesthrottled bandwidthlimitexceeded
			limitexceeded429 resourceexhausted concurrentrequestlimitexceeded toomanyconnections ec2throttled transactioninprogress429 requeststhrottled
			enhanceyourcalm secondaryratelimit abuseratelimit requestrateexceeded requestratetoolarge subscriptionrequeststhrottled`,
		&vLimit: `insufficientquota quotaexceeded dailylimitexceeded servicequotaexceeded limitexceeded billing billinghardlimitreached billingnotactive
			paymentrequired insufficientfunds carddeclined card expiredcard spendlimitreached creditbalancetoolow planlimitreached accountlimitexceeded quota storagequotaexceeded
			usagelimitreached usagelimitexceeded budgetexceeded dailylimitexceededunreg resourcelimitexceeded`,
		&vUnavailable: `unavailable serviceunavailable temporarilyunavailable servicetemporarilyunavailable overloaded serverbusy serverisbusy backend busy
			transactionconflict transactioncanceled deadlock deadlockdetected lockwaittimeout serializationfailure writeconflict aborted
			modelloading enginoverloaded engineoverloaded notready tryagain leadernotavailable clustersdown accepted resourceinuseretry poolexhausted breakeropen circuitopen circuit`,
		&vBroken: `internalserver internalfailure server5xx badgateway gatewayerror connectionreset connectionclosed connectionlost networkerror network transporterror transport`,
		&vTimeout: `timeout timedout requesttimeout requesttimedout deadlineexceeded gatewaytimeout servertimeout operationtimedout requesttimeoutexception modeltimeout
			requesttimetooskewedretry connecttimeout readtimeout executiontimeout statementtimeout`,
		&vCanceled:     `canceled cancelled requestcanceled requestcancelled operationcanceled operationaborted clientclosedrequest`,
		&vInternal:     `internal unknown unexpected dataloss bug panic server api unknownerror internalapi`,
		&vNotFound:     `notfound nosuchkey nosuchbucket nosuchentity nosuchupload resourcenotfound resourcemissing doesnotexist unknownresource gone filenotfound noobject nosuchobject norows nodocuments recordnotfound keynotfound itemnotfound modelnotfound unknowntool unimplemented methodnotfound notimplemented`,
		&vInvalid:      `invalidargument invalidparameter invalidparametervalue invalidrequest badrequest invalid validation validationfailed invalidinput malformed malformedrequest parse parsing syntax syntaxerror invalidformat invalidtype typemismatch unprocessableentity unprocessable contextlengthexceeded badinput invalidquery invalidjson schemaviolation constraintviolation unsupportedmediatype notacceptable methodnotallowed stringabovemaxlength invalidvalue badroute`,
		&vMissing:      `missingparameter missingargument parametermissing missingrequired missingfield requiredfieldmissing missingrequiredparameter missingrequiredfield required`,
		&vOutOfRange:   `outofrange entitytoolarge requestentitytoolarge payloadtoolarge requesttoolarge messagetoolarge toolarge toobig maxsizeexceeded outofbounds`,
		&vConflict:     `conflict conflicting concurrentmodification optimisticlock optimisticlocking idempotency idempotencykeyinuse idempotentparametermismatch versionconflict concurrentupdate staleobject operationaborted409 editconflict mergeconflict`,
		&vExists:       `alreadyexists exists duplicate duplicateentry entityalreadyexists bucketalreadyexists bucketalreadyownedbyyou resourceexists resourcealreadyexists duplicatekey uniqueviolation uniqueconstraint nametaken`,
		&vPrecondition: `failedprecondition preconditionfailed conditionalcheckfailed invalidstate illegalstate notallowed resourceinuse incorrectstate incorrectinstancestate invalidobjectstate conditionnotmet dependencyviolation deleteconflict locked notempty`,
		&vUnauthenticated: `unauthenticated unauthorized unauthorised authentication authenticationfailed authenticationfailure authfailure auth invalidcredentials invalidtoken expiredtoken tokenexpired
			unrecognizedclient invalidclienttokenid invalidaccesskeyid signaturedoesnotmatch invalidsignature invalidapikey invalidauth notauthed tokenrevoked accountinactive missingauthenticationtoken
			incompletesignature invalidgrant invalidclient badcredentials loginfailed requesttimetooskewed authorizationrequired loginrequired missingauthentication credentials`,
		&vDenied: `permissiondenied accessdenied forbidden denied unauthorizedoperation unauthorizedaccess notauthorized authorizationfailed authorization authorizationheadermalformed
			insufficientpermissions insufficientpermission insufficientprivilege accountdisabled permission accountproblem allaccessdisabled policyviolation notpermitted`,
		&vScope: `insufficientscope missingscope insufficientscopes scopeinsufficient missingscopes accesstokenscopeinsufficient`,
	} {
		for w := range strings.FieldsSeq(list) {
			words[w] = *v
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
	for _, part := range parts {
		if part.fits(w, part.text) {
			return part.verdict
		}
	}
	return verdict{}
}

var parts = []struct {
	fits    func(string, string) bool
	text    string
	verdict verdict
}{
	{strings.HasSuffix, "notfound", vNotFound},
	{strings.HasPrefix, "nosuch", vNotFound},
	{strings.HasSuffix, "doesnotexist", vNotFound},
	{strings.HasSuffix, "alreadyexists", vExists},
	{strings.HasPrefix, "duplicate", vExists},
	{strings.HasSuffix, "quotaexceeded", vLimit},
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
	{strings.HasSuffix, "ratelimitexceeded", vThrottled},
	{strings.HasSuffix, "ratelimit", vThrottled},
}

// byName judges by the name of a type, where it is one of the known codes or
// says what no other error would.
func byName(s *shape) verdict {
	name := fold(s.name)
	switch name {
	case "", "api", "response", "server", "internal", "unknown", "parse", "status", "auth", "network", "transport", "network2", "backend", "required", "circuit", "permission", "exists", "quota", "card", "invalid", "validation":
		if (name == "validation" || name == "parse") && s.name != "" {
			return vInvalid
		}
		return verdict{}
	case "invalidvalidation":
		return vInternal // the program has handed the validator something else
	}
	if v, ok := words[name]; ok {
		return v
	}
	for _, part := range nameEnds {
		if strings.HasSuffix(name, part.text) {
			return part.verdict
		}
	}
	return verdict{}
}

// nameEnds are ends of a type's name that leave no doubt.
var nameEnds = []textRule{
	{"ratelimit", vThrottled},
	{"ratelimited", vThrottled},
	{"throttled", vThrottled},
	{"timeout", vTimeout},
	{"unavailable", vUnavailable},
	{"notfound", vNotFound},
	{"alreadyexists", vExists},
	{"permissiondenied", vDenied},
	{"unauthorized", vUnauthenticated},
}
