package classify

// temporaryEnglish are the wordings of failures that may pass.
var temporaryEnglish = []phrases{
	{"en", says, throttled, 5, "RFC 6585, the cloud SDKs, GitHub", `
		rate limit exceeded|rate limits exceeded|rate limit reached|rate limit has been reached|rate limit has been exceeded|
		rate limit was exceeded|rate limit hit|rate limit error|rate limit|rate limits|rate limited|rate limiting|rate limiter|
		rate exceeded|ratelimit|ratelimited|ratelimit exceeded|request rate too high|request rate too large|requests per second|
		requests per minute|calls per second|calls per minute|queries per second|queries per minute|tokens per minute|
		too many requests|too many request|too many concurrent|too many simultaneous|too many parallel|too many calls|
		too many queries|too many api calls|too many attempts|too many tries|throttled|throttling|throttling error|
		throttling exception|request throttled|requests throttled|request was throttled|being throttled|request queue is full|
		queue is full|queue full|too frequently|too frequent|too fast|too quickly|slow down|toomanyrequests|enhance your calm|
		error code 1015|flood wait|flood control|concurrency limit~|concurrent request limit~|concurrent requests limit~|
		concurrency exceeded|burst limit~|request limit reached|exceeded rate limit~|exceeded the rate limit|
		exceeded your rate limit|exceeded api rate limit|hit the rate limit|hit rate limit|api rate limit~|
		complexity budget exhausted|capacity exceeded for requests|quota exceeded per minute|
		quota exceeded for requests per minute|per minute quota`},
	{"en", says, timedOut, 4, "common", `
		timed out|timedout|time out exceeded|timeout exceeded|timeout expired|timeout reached|timeout waiting|
		timeout while waiting|timeout was reached|timeout has expired|timeout period elapsed|timeout occurred|timeout error|
		timeout errors|request timeout|request time out|gateway timeout|gateway time out|connection timeout|connect timeout|
		read timeout|write timeout|socket timeout|network timeout|query timeout|statement timeout|lock timeout|pool timeout|
		navigation timeout|server timeout|response timeout|operation timeout|execution timeout|headers timeout|
		headers timeout error|body timeout|idle timeout|upstream timeout|handshake timeout|tls handshake timeout|
		deadline exceeded|deadline expired|context deadline exceeded|exceeded deadline|exceeded the deadline|
		exceeded total deadline|exceeded its deadline|exceeded time limit|exceeded the time limit|time limit exceeded|
		time limit reached|maximum execution time exceeded|exceeded the maximum execution time|exceeded maximum execution time|
		exceeded max execution time|execution time exceeded|exceeded the maximum time|exceeded max time|exceeded the timeout|
		exceeded timeout|etimedout|esockettimedout|err_timed_out|err_connection_timed_out|timeouterror|took too long|
		taking too long|took too long to respond|did not complete in time|didn't complete in time|not complete within|
		not completed within|did not respond in time|didn't respond in time|did not respond within|no response within|
		not respond within|not finish in time|did not finish in time|did not finish within|no response in time|
		no response received|no reply within|request aborted due to timeout`},
	{"en", timeoutWord, timedOut, 3, "common", "timeout|time out|timeouts"},
	{"en", says, replyLost, 4, "the Go, Node.js, Python and Java clients", `
		connection reset|connection reset by peer|connection was reset|connection was unexpectedly closed|
		connection unexpectedly closed|connection closed|connection was closed|connection closed unexpectedly|
		connection was terminated|connection terminated|connection terminated unexpectedly|connection aborted|
		connection was aborted|connection lost|connection was lost|connection dropped|connection was dropped|
		connection interrupted|connection broken|connection to the server was lost|connection is closed|
		connection has been closed|connection forcibly closed|forcibly closed by the remote host|lost connection|
		connection_reset|connection_closed|econnreset|econnaborted|epipe|enotconn|socket hang up|socket hangup|socket closed|
		socket connection was closed|broken pipe|unexpected eof|premature close|premature end|end of stream|stream error|
		stream closed|stream reset|stream was reset|bad gateway|fetch failed|failed to fetch|network error|network failure|
		network issue|network problem|network request failed|network is down|network changed|err_network~|err_connection_reset|
		err_connection_closed|err_empty_response|err_http2_protocol_error|upstream connect error|upstream error|
		upstream request failed|upstream server error|internal server error|internal service error|internal api error|
		internal system error|server error|disconnected before|disconnected without|server disconnected|
		server closed the connection|server closed connection|server has gone away|server dropped the connection|
		terminating connection|type error terminated|typeerror terminated|remote end closed connection|remotedisconnected|
		remote disconnected|connectionreseterror|connection reset error|incomplete read|chunked encoding error|protocol error|
		connection error|connection errors|connection failed|connection failure|connection problem|connection issue|
		error connecting to|failed connecting to|communications link failure|empty reply from server|transport error|
		transport closed|transport is closing|rpc failed|goaway`},
	{"en", says, unavailable, 4, "common", `
		connection refused|connection was refused|connection refused error|connection_refused|econnrefused|
		err_connection_refused|err_internet_disconnected|err_address_unreachable|actively refused it|ehostunreach|enetunreach|
		ehostdown|enetdown|no route to host|host is unreachable|host unreachable|network is unreachable|network unreachable|
		host is down|newconnectionerror|max retries exceeded|service unavailable|service temporarily unavailable|
		service is temporarily unavailable|temporarily unavailable|temporarily not available|temporarily unable|
		temporarily overloaded|temporarily out of service|temporarily down|temporary unavailable|temporary failure|
		temporary error|temporary problem|transient error|transient failure|resource temporarily unavailable|
		currently unavailable|currently overloaded|overloaded error|currently experiencing|service not available|
		server not available|service is not available|server is not available|service overloaded|server overloaded|
		server is overloaded|server is busy|server busy|service is busy|system is busy|system busy|server too busy|
		could not connect|cannot connect|can't connect|couldn't connect|unable to connect|failed to connect|could not reach|
		cannot reach|can't reach|couldn't reach|unable to reach|failed to reach|could not contact|unable to contact|
		cannot contact|unable to establish|could not establish|failed to establish|cannot establish|
		could not establish connection|no connection could be made|not responding|isn't responding|is not reachable|
		not reachable|unreachable|all connection attempts failed|database is locked|lock wait timeout|
		lock wait timeout exceeded|deadlock|deadlock detected|deadlock found|deadlocked|unable to lock|
		unable to obtain exclusive|could not obtain lock|unable_to_lock_row|could not set lock|is loading the dataset|
		loading the dataset|could not serialize access|serialization failure|write conflict|is starting up|starting up|
		is shutting down|shutting down|is restarting|is initializing|is reloading|is loading|is booting|is warming up|
		warming up|is compiling|is reconnecting|server not ready|service not ready|database not ready|
		not ready to accept connections|no responders|eai_again|temporary failure in name resolution|clusterdown|loading redis|
		under maintenance|in maintenance mode|down for maintenance|undergoing maintenance|scheduled maintenance|
		maintenance mode|at capacity|over capacity|no capacity|insufficient capacity|out of capacity|no available server~|
		no healthy upstream|no healthy host~|no server is available|no available capacity|too many clients|
		too many clients already|sorry too many clients already|too many connections|too many open connections|
		remaining connection slots|connection pool exhausted|pool exhausted|pool is exhausted|connection pool is full|high load|
		heavy load|high demand|high traffic|model is loading|model is currently loading|ebusy|eagain|leader not available|
		no leader|not leader|circuit breaker is open|circuit breaker open|circuit open|being used by another process|
		being modified by another process|text file busy|resource busy|device or resource busy|is not running|isn't running|
		not reachable right now|not available right now|unavailable right now|not currently available|
		not available at the moment|not available at this time|unavailable at this time|service disruption|service outage|
		outage|experiencing issues|experiencing problems|experiencing high|no working`},
	{"en", says, replyLost, 2, "common", `
		try again later|try again shortly|try again soon|try again in a few|try again in a moment|try again in a minute|
		retry later|try later|then retry|wait and retry|retry shortly|retry again later|come back later|try again in a while|
		retry in a few|retry in a moment`},
	{"en", says, replyLost, 4, "AWS", "an error occurred (internal error) when calling"},
	{"en", ifConnection, replyLost, 4, "common", `
		lost|refused|reset|closed|dropped|failed|broken|broke|aborted|terminated|interrupted|disconnected|was lost|was closed|
		was reset|was dropped|was refused|could not be established|not established|was interrupted|down|hung up|unstable`},
	{"en", connection, unknown, 0, "", "connection|connections|websocket|socket|tunnel|uplink"},
	{"en", ends, unknown, 0, "", `
		offer|auction|reservation|bid|hold|vote|poll|trial|invitation|invite|appointment|cart|checkout|token|session|challenge|
		otp|approval|user|customer|login|quote|coupon|voucher|lease|license|subscription|membership|contract|ticket|exam|quiz|
		authorization|booking|promotion|password|pin|build|test|tests|compilation|process|subprocess|child|script`},
	{"en", things, unknown, 0, "", `
		product|products|item|items|slot|slots|room|rooms|seat|seats|ticket|tickets|username|name|number|driver|doctor|patient|
		agent|person|vehicle|car|truck|flight|hotel|property|date|time slot|size|color|variant|article|sku|stock|account|line|
		phone|calendar|machine|engine|motor|circuit|printer|nurse|therapist|staff|host|partner|seller|buyer|recipient`},
	{"en", states, unknown, 0, "", "is|are|was|were|has|have"},
	{"en", nothing, unknown, 0, "", "throttled the|throttled down|throttled to|throttled up|hosted"},
	{"en", asks, unknown, 0, "", `
		please retry|please try again|retry the request|retry your request|try again|retry the operation`},
	{"en", isRate, unknown, 0, "", "per minute|per second|per min|per sec|a minute|a second"},
	{"en", ifSystem, replyLost, 3, "common", `
		unavailable|overloaded|not available|down|offline|busy|not running|unresponsive|unhealthy|not ready|degraded|
		not accessible|stopped responding|failed to respond|did not respond|didn't respond|not respond|overwhelmed|
		out of service`},
	{"en", system, unknown, 0, "common", `
		service|services|server|servers|api|endpoint|host|database|db|backend|provider|system|upstream|cluster|node|broker|
		gateway|daemon|proxy|redis|mysql|postgres|postgresql|mongodb|elasticsearch|site|website|instance|replica|worker|
		connector|model|temporarily|currently|network|docker|kubernetes`},
}

// takenBackEnglish are words which say that a failure is not of the kind that passes,
// whatever else the text says of it.
var takenBackEnglish = []phrases{
	{"en", takesBack, unknown, 2, "truth 1: an effect is never guessed", `
		sent|issued|placed|captured|charged|created|delivered|submitted|posted|published|deleted|removed|saved|stored|inserted|
		updated|uploaded|transferred|paid|booked|purchased|refunded|shipped|scheduled|committed|executed|completed|processed|
		applied|accepted|imported|written|deployed|installed|approved|enqueued|dispatched|debited|credited|withdrawn|deposited|
		signed|merged|reserved|ordered|succeeded|successful|successfully|went through|was done|were done|has been done|
		taken effect|performed|migrated|provisioned|rolled out|cancelled the|canceled the|was cancelled|was canceled|partially|
		in part|half|some of|registered|subscribed|moved|renamed|printed|granted|activated|finalized|settled|authorised payment|
		confirmed|queued|finished|recorded|receipt|confirmation number|invoice number`},
	{"en", takesBack, limit, 2, "plans and quotas", `
		monthly|daily|weekly|yearly|annual|annually|per day|per month|per week|per year|per hour|next billing|billing|billed|
		invoice|invoices|upgrade|upgrading|subscription|subscriptions|subscribe|subscriber~|plan|plans|pricing|premium|paid|
		payment|payments|pay|free accounts|free account|free users|free version|free|trial|license|licence|licensed|tier|tiers|
		credits|credit|balance|allowance|allotment|entitled|cap|contact sales|sales team|used up|exhausted your|have used|
		you've used|spending|overdue|unpaid|lifetime|maximum of|all of your|add on|addon`},
	{"en", takesBack, throttled, 2, "a quota that does not pass soon", `
		today|tomorrow|this month|this week|this year|next month|next week|tonight|midnight`},
	{"en", takesBack, unauthenticated, 2, "who may", `
		log in|login|sign in|signin|log back in|credential|credentials|password|passwords|passphrase|api key|apikey|
		access token timed out|access token|refresh token|token timed out|session timed out|session timeout|login timed out|
		authentication timed out|authorization timed out|auth token|id token|one time code|verification code|reauth~|
		expired session|your session|user session`},
	{"en", takesBack, denied, 2, "who may", `
		not authorized for|not on the|allowed list|allowed origins|not in the allowed|not available in|unavailable in|
		available in|in the eu|in europe|in china|in russia|in india|in the us|in the uk|in your|your area|by user|by the user|
		by administrator~|by admin|by an admin~|by operator|by the operator|by moderator~|by the owner|by the customer|
		unauthorised|blocked by|block list|ip address|your ip|ip is|origin not allowed|cors|robots txt|bot detected|
		human verification|access control|acl|permission|permissions|privilege~|admin approval|administrator|your organization|
		your administrator`},
	{"en", takesBack, precondition, 2, "state and policy", `
		until you|until your|until payment|until the|until it is|until then|unless|do not retry|don't retry|not retry|
		never retry|retrying will not|retrying won't|retry will not|retry won't|no retry|without retrying|do not try|don't try|
		do not repeat|will not help|won't help|no point|refused|refuses|rejected by|was rejected|declined|disallow~|forbid~|
		prohibit~|you may not|you cannot|can't be|cannot be|no longer|removed|terminated by|terminated due|revoked|expired|
		expires|lapsed|cancelled by|shut down permanently|closed permanently|has closed|been closed by|end of support|v1 api|
		legacy|renamed to|moved to|migrated to|replaced by|superseded|instead|permanent~|not offered|not enabled|disabled|
		turned off|switched off|out of scope|unsupported|not supported|not implemented|parameter~|argument~|setting~|must|only|
		used already|was used|use v~|use the new|please use|for good|forever|try again with|try again using|try again when|
		try again once|try again next|retry with|retry using|retry when|already used|earlier|previously|previous|yesterday|
		last time|last night|last week|historical|in the past|duplicate|hours of operation|business hours|office hours|
		opening hours|closed|embargoed|strike|holiday|quarantine~|fraud~|compromised|violat~|legal|copyright|dmca`},
	{"en", takesBack, internal, 2, "somebody or something else", `
		user did not respond|user did not answer|user did not reply|user didn't|user has not|user hasn't|user timed out|
		customer did not|customer didn't|recipient did not|recipient didn't|nobody|no one|human|approver|approval|reviewer|
		operator did not|patient|driver|confirmation|tests|test|on test|test suite|test case~|test run|assertion~|spec|specs|
		suite|lint|build failed|test failed|pipeline|job failed|child process|subprocess|process exited|process crashed|sandbox|
		crash~|panic~|runtime error|traceback|goroutine|index out of range|list index out of range|string index out of range|
		nil pointer~|null pointer~|cannot read propert~|undefined is not~|is not a function|is not defined|stack overflow|
		killed|oom~|exit~|signal|syntax|parse|parsing|parser|compile|compiler|compilation|unknown key|unknown option|scheme|
		unresolved|module|import error|dependency|typo|misspel~|wrong host|unknown host|certificate|certificates|tls|ssl|x509|
		self signed|handshake|hostname`},
}

// grammar are the words of a language that say how to take the others.
var grammar = []phrases{
	{"en", negates, unknown, 0, "", `
		not|no|never|without|nor|neither|none|don't|doesn't|didn't|isn't|aren't|wasn't|weren't|won't|wouldn't|hasn't|haven't|
		shouldn't|mustn't|lack of|lacks|non|zero|nothing|rather than`},
	{"en", fails, unknown, 0, "", "cannot|can't|couldn't|can not|could not|unable to|failed to|fails to|fail to|failure to"},
	{"en", attempts, unknown, 0, "", "failed|failure|error|errors|exception|fetching|creating|calling|executing"},
	{"en", subordinates, unknown, 0, "", `
		after|before|while|when|whenever|whereas|although|though|if|once|prior to|following|during|unless|until|instead of|
		in case|caused the|despite|even though`},
	{"en", explains, unknown, 0, "", `
		because|because of|due to|since|caused by|as a result of|but|however|therefore|reason|says|said|responded with|returned|
		reported`},
	{"en", doubts, unknown, 0, "", `
		may|might|would|will|can|should|could|to avoid|to prevent|avoid|prevent|prevents|risk of|possible|in order to|want to|
		handle|handles|handling|simulate~|configure|configured|set|sets|ignore|ignored|no more`},
	{"en", names, unknown, 0, "", `
		parameter|parameters|param|value|values|setting|settings|option|options|field|fields|config|configuration|policy|
		policies|rule|rules|flag|argument|arguments|table|column|function|feature|page|documentation|docs|property|properties|
		attribute|name|type|is set|was set|set to|increase|decrease|reached for plan|of your plan|header|key|variable|constant|
		default|duration|interval|window|threshold|testing|test|tests|simulation|strategy|handler|handling|middleware|logic|
		count|counter|status|history|report|reports|dashboard|metrics|tier|tiers|plan|plans|group|profile|id`},
	{"en", advises, unknown, 0, "", `
		please verify|please check|please ensure|please make sure|please contact|please see|please visit|please confirm|
		please refer|please use|please review|verify that|verify the|verify your|check that|check the|check your|check if|
		check whether|make sure|ensure that|ensure the|ensure you|ensure it's|ensure your|note|recovery|hint|tip|suggestion|
		did you mean|for more information|for details|see https|visit|contact support|consider|you can|you may|you might|
		you may be able|try capturing|try using|try with|try a|try to|use the|documentation|if the problem persists|
		if this persists|if this error persists|to fix|to resolve|troubleshooting|other tools|available|valid values|
		allowed values`},
}
