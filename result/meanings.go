package result

import "regexp"

// A textRule says what a text means that matches: a code or a status that From
// knows. One that allows a retry is not looked for in what the text quotes.
type textRule struct {
	pattern *regexp.Regexp
	code    string
	status  int
	allows  bool
}

func forbids(code, pattern string) textRule {
	return textRule{regexp.MustCompile(`(?i)` + pattern), code, 0, false}
}

func allows(code string, status int, pattern string) textRule {
	return textRule{regexp.MustCompile(`(?i)` + pattern), code, status, true}
}

// meanings are tried in order: the first that matches decides. What forbids a
// retry comes before what allows one, unless the latter is unmistakable.
var meanings = []textRule{
	// The SDKs' and schema libraries' own complaints about a call.
	forbids("invalid_argument", `^(?:input validation error|invalid arguments? for tool|\d+ validation errors? for|validating "arguments"|validation errors?:|unknown tool\b|tool \S+ not found|invalid params|\[\s*\{\s*"code": ?"(?:invalid|too|unrecognized|custom))`),
	forbids("missing_argument", `\bmissing required (?:parameter|argument|field|property)|is a required property|\bfield required\b|\bis required\.?$|required fields? (?:is|are) missing`),
	// Throttling by the minute, before plans and budgets; those before the rest of
	// throttling: waiting does not help.
	{regexp.MustCompile(`(?i)quota exceeded.{0,120}\bper (?:second|minute)|requests per (?:second|minute)`), "rate_limited", 0, false},
	forbids("limit_exceeded", `quota[ _]exceeded|exceeded your (?:current )?quota|check your plan and billing|exceeds? your (?:quota|plan)|\bplan'?s (?:set )?(?:usage )?limit|usage limit|budget (?:of \S+ )?(?:limit|exceeded)|budget exceeded|payment required|insufficient (?:funds|credits?|balance|quota)|out of credits|upgrade your plan|card (?:was )?declined`),
	allows("rate_limited", 0, `\brate[ -]?limit(?:ed|s)?\b|\brate limit exceeded|too many (?:requests|concurrent|simultaneous|calls)|\bthrottled\b|\bthrottling\b|request queue is full|too frequently|slow down|[^a-z]TOO_MANY_|error code: 1015`),
	// Authentication, then authorization.
	forbids("unauthenticated", `authentication (?:failed|error|required)|\bunauthenticated\b|unable to authenticate|not authenticated|invalid (?:api[ -]?key|api[ -]?token|credentials|token|authentication|session)|(?:api )?(?:key|token) (?:\S+ )?is invalid|bad credentials|incorrect api key|session (?:has )?expired|token (?:has )?expired|authorization expired|re-?authorize|(?:must|need to|please) (?:first )?log ?in|no \S+ ?(?:api )?token provided|login (?:required|failed)|\bINVALID_SESSION_ID\b|check (?:server|your) credentials|wrong ?pass|access denied for user|unable to locate credentials|need auth|CERTIFICATE_VERIFY_FAILED|self[- ]signed certificate|\bNOAUTH\b|failed to retrieve a token`),
	forbids("insufficient_scope", `insufficient[ _]scope|missing (?:the )?\S* ?scope`),
	forbids("not_found", `does not exist or you do(?:n't| not) have (?:permission|access)`),
	forbids("permission_denied", `permission denied|access (?:is )?denied|access to \S+ is denied|\bforbidden\b|not authorized|\bunauthori[sz]ed\b|not enough privileges|insufficient (?:permissions?|privileges?|access)|(?:do not|don't|does not|doesn't) have (?:sufficient |the |enough )*(?:permissions?|access|privileges?)|lacks? (?:the )?[\w.]* ?(?:permission|entitlement|access)|not accessible by|may not have access|permission to \S+ denied|path not allowed|outside (?:of )?(?:the )?allowed director|operation not permitted|\bEACCES\b|\bEPERM\b|\bEROFS\b|\bNOPERM\b|not allowed to access|accessNotConfigured`),
	// Bugs that look like bad input.
	forbids("internal", `list index out of range|disk image is malformed`),
	// Malformed input that talks about something else.
	forbids("invalid_argument", `\b(?:must|should) (?:not )?be\b|\bhas to be\b|\bmust (?:have|contain|match|start)\b|\bexpected (?:a|an|string|number|one of|type)\b|\binvalid (?:argument|parameter|value|input|type|format|request|relationship|query|url|uri|date|json|syntax|option|timeout|id|identifier|field|path|name|email|subject|range|arguments|enum|integer)\b|malformed|\bsyntax ?error|error in your sql syntax|parse error|while parsing|unrecognized|unsupported (?:value|type|format)|too (?:long|big|large|short|small)\b|less than (?:the )?minimum|greater than (?:the )?maximum|maximum allowed|out of range|not a valid|cannot be (?:empty|blank|null|set)|\bambiguous\b|multiple \S+ (?:found|match)|violates (?:not-null|foreign key|check) constraint|NOT NULL constraint failed|strict mode violation|\bEISDIR\b|\bERESOLVE\b|\bWRONGTYPE\b|not a git repository|did not match any file|is meaningless`),
	// A database that is full for now says "already" too.
	allows("service_unavailable", 0, `too many (?:clients|connections)|remaining connection slots|NewConnectionError`),
	// State and policy.
	forbids("already_exists", `already exists|file exists|duplicate (?:key|entry)|\bE11000\b|unique constraint|name_taken`),
	forbids("failed_precondition", `already (?:been|in use|taken|registered|closed|merged)|\balready\s*$|read-?only (?:mode|transaction|database)|in read-?only|readonly database|\bconflict\b|not mergeable|transition not allowed|(?:operations?|method|action|fetching)[^.]{0,60} (?:is|are) not allowed|did not confirm|declined by|user (?:rejected|cancell?ed|denied)|not supported in|precondition|cannot be fulfilled|still (?:in use|has|managing)|is locked by (?:a )?user|a foreign key constraint fails|would be overwritten|current transaction is aborted|non-fast-forward|nothing to commit|is already allocated|idempotent requests can only be used|because it has a status of`),
	// Temporary failures whose call may have been carried out come first.
	allows("timeout", 0, `\btimed[ -]?out\b|\btime[ -]?out(?:error)?\b[^.]{0,40}(?:exceeded|waiting|expired|reached)|\btimeout (?:exceeded|of \d|waiting)|(?:statement|lock|read|connect|gateway|connection|navigation) time-?out\b|\b(?:Read|Connect|Write|Pool)Timeout\b|headers timeout error|deadline[ _]exceeded|exceeded (?:\w+ )?(?:time limit|deadline)|\bETIMEDOUT\b|\bESOCKETTIMEDOUT\b|TLS handshake timeout`),
	allows("", 502, `connection (?:was )?(?:unexpectedly )?(?:reset|closed|aborted|lost)\b|connection_reset|\bECONNRESET\b|\bEPIPE\b|socket hang ?up|broken pipe|(?:reading|read|body|response|server|stream|request|post|get)\b[^\n]{0,80}unexpected eof|bad gateway|fetch failed|network error|network request failed|upstream connect error|internal server error|disconnected (?:before|without)|server closed the connection|server has gone away|terminating connection|typeerror: terminated|RemoteDisconnected|ConnectionResetError`),
	allows("service_unavailable", 0, `connection refused|connection_refused|\bECONNREFUSED\b|connection to the server \S+ was refused|service (?:temporarily )?unavailable|temporarily (?:unavailable|overloaded|out of service)|\b(?:service|server|api|endpoint|host|database|backend|provider|system|upstream|source|cluster|node|broker|gateway)\b[^.]{0,40}\bis (?:currently |temporarily )?(?:unavailable|unreachable|overloaded|down)\b|\bserver is busy|(?:could not|cannot|can't|unable to|failed to) (?:connect to|reach) (?:the )?(?:\S+ )?(?:server|database|service|api|host|backend|upstream|proxy|redis|mysql|postgres\w*|mongo\w*|https?://\S+|[\w.-]+:\d{2,5})|all connection attempts failed|host is down|database is locked|lock wait timeout|\bdeadlock\b|unable to (?:lock|obtain exclusive)|\bUNABLE_TO_LOCK_ROW\b|is loading the dataset|could not serialize access|is starting up|no responders|EAI_AGAIN|temporary failure in name resolution|could not resolve host|ERR_INTERNET_DISCONNECTED|\bCLUSTERDOWN\b|\bLOADING\b`),
	allows("", 502, `try again (?:later|shortly|in a (?:few|moment|minute))`),
	// What is not there.
	forbids("not_found", `\bnot found\b|does(?:n't| not) exist|\bdo not exist\b|doesn't have a resource type|no such\b|\bno \S+(?: \S+)? (?:was |were )?found\b|^no open \w+|could not find|cannot find|\bunknown (?:\w+ )?(?:"|'|category|column|table|database|field|option|model|method|argument|parameter)|\bENOENT\b|\bNOT_FOUND\b`),
}
