package foreign

import "regexp"

// A phrase is a wording that many servers and clients share, and what it stands
// for: a code, or an HTTP status if no code says it.
type phrase struct {
	bare    bool
	code    string
	status  int
	pattern func() *regexp.Regexp
}

// Where in a text an expression counts. What allows a retry counts in all of it but
// what it quotes.
const anywhere, unquoted = false, true

// phrases are tried in order: the first that matches decides. What forbids a retry
// comes before what allows one, unless the latter is unmistakable.
var phrases = []phrase{
	// The SDKs' and schema libraries' own complaints about a call.
	{anywhere, "invalid_argument", 0, expression(`(?i)^(?:input validation error|invalid arguments? for tool|\d+ validation errors? for|validating "arguments"|validation errors?:|unknown tool\b|tool \S+ not found|invalid params|\[\s*\{\s*"code": ?"(?:invalid|too|unrecognized|custom))`)},
	{anywhere, "missing_argument", 0, expression(`(?i)\bmissing required (?:parameter|argument|input|field|property)|\brequired (?:parameter|argument) \S+ not found|is a required property|\bfield required\b|\bis required\.?$|required fields? (?:is|are) missing`)},
	// Throttling by the minute, before plans and budgets; those before the rest of
	// throttling: waiting does not help.
	{anywhere, "rate_limited", 0, expression(`(?i)quota exceeded.{0,120}\bper (?:second|minute)|requests per (?:second|minute)|\brate limit quota exceeded|\brate limit exceeded\b.{0,200}\b(?:retry|try again) (?:after|in) \d`)},
	{anywhere, "limit_exceeded", 0, expression(`(?i)quota[ _]exceeded|exceeded your (?:current )?quota|check your plan and billing|exceeds? your (?:quota|plan)|\bplan'?s (?:set )?(?:usage )?limit|usage limit|budget (?:of \S+ )?(?:limit|exceeded)|budget exceeded|payment required|insufficient (?:funds|credits?|balance|quota)|out of credits|upgrade your plan|card (?:was )?declined`)},
	{unquoted, "rate_limited", 0, expression(`(?i)\brate[ -]?limit(?:ed|s)?\b|\brate limit exceeded|too many (?:requests|concurrent|simultaneous|calls)|\bthrottled\b|\bthrottling\b|request queue is full|too frequently|slow down|[^a-z]TOO_MANY_|error code: 1015`)},
	// Authentication, then authorization.
	{anywhere, "unauthenticated", 0, expression(`(?i)authentication (?:failed|error|required)|\bunauthenticated\b|unable to authenticate|not authenticated|invalid (?:api[ -]?key|api[ -]?token|credentials|token|authentication|session)|(?:api )?(?:key|token) (?:\S+ )?is invalid|bad credentials|incorrect api key|session (?:has )?expired|token (?:has )?expired|authorization expired|re-?authorize|(?:must|need to|please) (?:first )?log ?in|no \S+ ?(?:api )?token provided|login (?:required|failed)|\bINVALID_SESSION_ID\b|check (?:server|your) credentials|wrong ?pass|access denied for user|unable to locate credentials|need auth|CERTIFICATE_VERIFY_FAILED|self[- ]signed certificate|\bNOAUTH\b|failed to retrieve a token`)},
	{anywhere, "insufficient_scope", 0, expression(`(?i)insufficient[ _]scope|missing (?:the )?\S* ?scope`)},
	{anywhere, "not_found", 0, expression(`(?i)does not exist or you do(?:n't| not) have (?:permission|access)`)},
	{anywhere, "permission_denied", 0, expression(`(?i)permission denied|access (?:is )?denied|access to \S+ is denied|\bforbidden\b|not authorized|\bunauthori[sz]ed\b|not enough privileges|insufficient (?:permissions?|privileges?|access)|(?:do not|don't|does not|doesn't) have (?:sufficient |the |enough )*(?:permissions?|access|privileges?)|lacks? (?:the )?[\w.]* ?(?:permission|entitlement|access)|not accessible by|may not have access|permission to \S+ denied|path not allowed|outside (?:of )?(?:the )?allowed director|operation not permitted|\bEACCES\b|\bEPERM\b|\bEROFS\b|\bNOPERM\b|not allowed to access|accessNotConfigured`)},
	// Bugs that look like bad input.
	{anywhere, "internal", 0, expression(`(?i)\bno such host\b|list index out of range|\bCmd\('[^'\n]{1,300}'\) not found\b|\bspawn \S+ ENOENT\b|disk image is malformed`)},
	// Malformed input that talks about something else.
	{anywhere, "invalid_argument", 0, expression(`(?i)\b(?:must|should) (?:not )?be\b|\bhas to be\b|\bmust (?:have|contain|match|start)\b|\bexpected (?:a|an|string|number|one of|type)\b|\binvalid (?:argument|parameter|value|input|type|format|request|relationship|query|url|uri|scheme|date|json|syntax|option|timeout|id|identifier|field|path|name|email|subject|range|arguments|enum|integer)\b|malformed|\bsyntax ?error|error in your sql syntax|parse error|while parsing|unrecognized|unsupported (?:value|type|format)|too (?:long|big|large|short|small)\b|less than (?:the )?minimum|greater than (?:the )?maximum|maximum allowed|out of range|not a valid|cannot be (?:empty|blank|null|set)|\bambiguous\b|multiple \S+ (?:found|match)|violates (?:not-null|foreign key|check) constraint|NOT NULL constraint failed|strict mode violation|\bEISDIR\b|\bERESOLVE\b|\bWRONGTYPE\b|not a git repository|did not match any file|is meaningless`)},
	// A database that is full for now says "already" too.
	{unquoted, "service_unavailable", 0, expression(`(?i)too many (?:clients|connections)|remaining connection slots|NewConnectionError`)},
	// State and policy.
	{anywhere, "already_exists", 0, expression(`(?i)already exists|\balready (?:been )?taken\b|\bname \S+ is already in use|file exists|duplicate (?:key|entry)|\bE11000\b|unique constraint|name_taken`)},
	{anywhere, "failed_precondition", 0, expression(`(?i)already (?:been|in use|taken|registered|closed|merged)|\balready\s*$|read-?only (?:mode|transaction|database)|in read-?only|readonly database|\bconflict\b|not mergeable|transition not allowed|(?:operations?|method|action|fetching)[^.]{0,60} (?:is|are) not allowed|did not confirm|declined by|user (?:rejected|cancell?ed|denied)|not supported in|precondition|cannot be fulfilled|still (?:in use|has|managing)|is locked by (?:a )?user|a foreign key constraint fails|would be overwritten|current transaction is aborted|non-fast-forward|nothing to commit|is already allocated|idempotent requests can only be used|because it has a status of`)},
	// Temporary failures whose call may have been carried out come first.
	{unquoted, "timeout", 0, expression(`(?i)\btimed[ -]?out\b|\btime[ -]?out(?:error)?\b[^.]{0,40}(?:exceeded|waiting|expired|reached)|\btimeout (?:exceeded|of \d|waiting)|(?:statement|lock|read|connect|gateway|connection|navigation|request) time-?out\b|\b(?:Read|Connect|Write|Pool)Timeout\b|headers timeout error|deadline[ _]exceeded|exceeded (?:\w+ )?(?:time limit|deadline)|\bETIMEDOUT\b|\bESOCKETTIMEDOUT\b|TLS handshake timeout`)},
	{unquoted, "", 502, expression(`(?i)connection (?:was )?(?:unexpectedly )?(?:reset|closed|aborted|lost)\b|connection_reset|\bECONNRESET\b|\bEPIPE\b|socket hang ?up|broken pipe|(?:reading|read|body|response|server|stream|request|post|get)\b[^\n]{0,80}unexpected eof|bad gateway|fetch failed|network error|network request failed|upstream connect error|internal server error|disconnected (?:before|without)|server closed the connection|server has gone away|terminating connection|typeerror: terminated|RemoteDisconnected|ConnectionResetError`)},
	{unquoted, "service_unavailable", 0, expression(`(?i)connection refused|connection_refused|\bECONNREFUSED\b|connection to the server \S+ was refused|service (?:temporarily )?unavailable|temporarily (?:unavailable|overloaded|out of service)|\b(?:service|server|api|endpoint|host|database|backend|provider|system|upstream|source|cluster|node|broker|gateway)\b[^.]{0,40}\bis (?:currently |temporarily )?(?:unavailable|unreachable|overloaded|down)\b|\bserver is busy|(?:could not|cannot|can't|unable to|failed to) (?:connect to|reach) (?:the )?(?:\S+ )?(?:server|database|service|api|host|backend|upstream|proxy|redis|mysql|postgres\w*|mongo\w*|https?://\S+|[\w.-]+:\d{2,5})|all connection attempts failed|host is down|database is locked|lock wait timeout|\bdeadlock\b|unable to (?:lock|obtain exclusive)|\bUNABLE_TO_LOCK_ROW\b|is loading the dataset|could not serialize access|is starting up|no responders|EAI_AGAIN|temporary failure in name resolution|could not resolve host|ERR_INTERNET_DISCONNECTED|\bCLUSTERDOWN\b|(?-i:\bLOADING (?:Redis|Valkey)\b)`)},
	{unquoted, "", 502, expression(`(?i)try again (?:later|shortly|in a (?:few|moment|minute))`)},
	// What is not there.
	{anywhere, "not_found", 0, expression(`(?i)\bnot found\b|does(?:n't| not) exist|\bdo not exist\b|doesn't have a resource type|no such\b|\bno \S+(?: \S+)? (?:was |were )?found\b|^no open \w+|could not find|cannot find|\bunknown (?:\w+ )?(?:"|'|category|column|table|database|field|option|model|method|argument|parameter)|\bENOENT\b|\bNOT_FOUND\b`)},
}
