package texts

import (
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// takenBackEnglish are words which say that a failure is not of the kind that passes,
// whatever else the text says of it.
var takenBackEnglish = []phrases{
	{"en", takesBack, class.Unknown, 2, "truth 1: an effect is never guessed", `
		sent|issued|placed|captured|charged|created|delivered|submitted|posted|published|deleted|removed|saved|stored|inserted|
		updated|uploaded|transferred|paid|booked|purchased|refunded|shipped|scheduled|committed|executed|completed|processed|
		applied|accepted|imported|written|deployed|installed|approved|enqueued|dispatched|debited|credited|withdrawn|deposited|
		signed|merged|reserved|ordered|succeeded|successful|successfully|went through|was done|were done|has been done|
		taken effect|performed|migrated|provisioned|rolled out|cancelled the|canceled the|was cancelled|was canceled|partially|
		in part|half|some of|registered|subscribed|moved|renamed|printed|granted|activated|finalized|settled|authorised payment|
		confirmed|queued|finished|recorded|receipt|confirmation number|invoice number`},
	{"en", takesBack, class.Limit, 2, "plans and quotas", `
		monthly|daily|weekly|yearly|annual|annually|per day|per month|per week|per year|per hour|next billing|billing|billed|
		invoice|invoices|upgrade|upgrading|subscription|subscriptions|subscribe|subscriber~|plan|plans|pricing|premium|payment|
		payments|pay|free accounts|free account|free users|free version|free|trial|license|licence|licensed|tier|tiers|credits|
		credit|balance|allowance|allotment|entitled|cap|contact sales|sales team|used up|exhausted your|have used|you've used|
		spending|overdue|unpaid|lifetime|maximum of|all of your|add on|addon`},
	{"en", takesBack, class.Throttled, 2, "a quota that does not pass soon", `
		today|tomorrow|this month|this week|this year|next month|next week|tonight|midnight`},
	{"en", takesBack, class.Unauthenticated, 2, "who may", `
		log in|login|sign in|signin|log back in|credential|credentials|password|passwords|passphrase|api key|apikey|
		access token timed out|access token|refresh token|token timed out|session timed out|session timeout|login timed out|
		authentication timed out|authorization timed out|auth token|id token|one time code|verification code|reauth~|
		expired session|your session|user session`},
	{"en", takesBack, class.Denied, 2, "who may", `
		not authorized for|not on the|allowed list|allowed origins|not in the allowed|not available in|unavailable in|
		only available in|in the eu|in europe|in china|in russia|in india|in the us|in the uk|in your|your area|by user|
		by the user|by administrator~|by admin|by an admin~|by operator|by the operator|by moderator~|by the owner|
		by the customer|unauthorised|blocked by|block list|ip address|your ip|ip is|origin not allowed|cors|robots txt|
		bot detected|human verification|access control|acl|permission|permissions|privilege~|admin approval|administrator|
		your organization|your administrator`},
	{"en", takesBack, class.Precondition, 2, "state and policy", `
		until you|until your|until payment|until the|until it is|until then|unless|do not retry|don't retry|not retry|
		never retry|retrying will not|retrying won't|retry will not|retry won't|no retry|without retrying|do not try|don't try|
		do not repeat|will not help|won't help|no point|refused|refuses|rejected by|was rejected|declined|disallow~|forbid~|
		prohibit~|you may not|you cannot|can't be|cannot be|no longer|terminated by|terminated due|revoked|expired|expires|
		lapsed|cancelled by|was shut down|were shut down|shut down on|shut down permanently|closed permanently|has closed|been closed by|end of support|v1 api|legacy|
		renamed to|moved to|migrated to|replaced by|superseded|instead|permanent~|not offered|not enabled|disabled|turned off|
		switched off|out of scope|unsupported|not supported|not implemented|parameter~|argument~|setting~|must|only|
		used already|was used|use v~|use the new|please use|for good|forever|try again with|try again using|try again when|
		try again once|try again next|retry with|retry using|retry when|already used|earlier|previously|previous|yesterday|
		last time|last night|last week|historical|in the past|duplicate|hours of operation|business hours|office hours|
		opening hours|closed|embargoed|strike|holiday|quarantine~|fraud~|compromised|violat~|legal|copyright|dmca`},
	{"en", takesBack, class.Internal, 2, "somebody or something else", `
		idempotency|user did not respond|user did not answer|user did not reply|user didn't|user has not|user hasn't|user timed out|
		customer did not|customer didn't|recipient did not|recipient didn't|nobody|no one|human|approver|approval|reviewer|
		operator did not|patient|driver|confirmation|tests|test|on test|test suite|test case~|test run|spec|specs|
		suite|lint|build failed|test failed|pipeline|job failed|child process|subprocess|process exited|process crashed|sandbox|
		crash~|runtime error|index out of range|list index out of range|string index out of range|
		cannot read propert~|undefined is not~|is not a function|is not defined|
		killed|oom~|exit~|signal|syntax|parse|parsing|parser|compile|compiler|compilation|unknown key|unknown option|scheme|
		unresolved|module|import error|dependency|typo|misspel~|wrong host|unknown host|certificate|certificates|tls|ssl|x509|
		self signed|handshake|hostname`},
}

// grammar are the words of a language that say how to take the others.
var grammar = []phrases{
	{"en", contrasts, class.Unknown, 0, "", "but|however|yet|although|though|except that|and then"},
	{"en", nothing, class.Unknown, 0, "", "not yet|anything but|nothing but|but also"},
	{"en", takesBack, class.Internal, 3, "a bug of the tool's own", `
		assertion~|panic~|traceback|goroutine~|nil pointer~|null pointer~|stack overflow|fatal error`},
	{"en", negates, class.Unknown, 0, "", `
		not|no|never|without|nor|neither|none|don't|doesn't|didn't|isn't|aren't|wasn't|weren't|won't|wouldn't|hasn't|haven't|
		shouldn't|mustn't|lack of|lacks|non|zero|nothing|rather than|only`},
	{"en", fails, class.Unknown, 0, "", "cannot|can't|couldn't|can not|could not|unable to|failed to|fails to|fail to|failure to"},
	{"en", attempts, class.Unknown, 0, "", "failed|failure|error|errors|exception|fetching|creating|calling|executing|sorry|unfortunately|oops"},
	{"en", subordinates, class.Unknown, 0, "", `
		after|before|while|when|whenever|whereas|although|though|if|once|prior to|following|during|unless|until|instead of|
		in case|caused the|despite|even though`},
	{"en", explains, class.Unknown, 0, "", `
		because|because of|due to|since|caused by|as a result of|but|however|therefore|reason|says|said|responded with|returned|
		reported`},
	{"en", doubts, class.Unknown, 0, "", `
		would|will|can|should|could|to avoid|to prevent|avoid|prevent|prevents|risk of|
		in order to|want to|handle|handles|handling|simulate~|configure|configured|set|sets|ignore|ignored|no more`},
	{"en", doubts, class.Unknown, 1, "a guess at the cause is none", "maybe|perhaps|may|might|possible|possibly|probably|likely"},
	{"en", names, class.Unknown, 0, "", `
		parameter|parameters|param|value|values|setting|settings|option|options|field|fields|config|configuration|policy|
		policies|rule|rules|flag|argument|arguments|table|column|function|feature|page|documentation|docs|property|properties|
		attribute|name|type|is set|was set|set to|increase|decrease|reached for plan|of your plan|header|key|variable|constant|
		default|duration|interval|window|threshold|testing|test|tests|simulation|strategy|handler|handling|middleware|logic|
		count|counter|status|history|report|reports|dashboard|metrics|tier|tiers|plan|plans|group|profile|id`},
	{"en", advises, class.Unknown, 0, "", `
		please verify|please check|please ensure|please make sure|please contact|please see|please visit|please confirm|
		please refer|please use|please review|verify that|verify the|verify your|check that|check the|check your|check if|
		check whether|make sure|ensure that|ensure the|ensure you|ensure it's|ensure your|note|recovery|hint|tip|suggestion|
		did you mean|for more information|for details|see https|visit|contact support|consider|you can|you may|you might|
		you may be able|try capturing|try using|try with|try a|try to|use the|documentation|if the problem persists|
		if this persists|if this error persists|to fix|to resolve|troubleshooting|other tools|available|valid values|
		allowed values`},
}
