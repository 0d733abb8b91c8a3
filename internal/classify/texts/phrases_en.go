package texts

import (
	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// english are the wordings of calls that do not fit, of what is not there, and of who
// may.
var english = []phrases{
	// Calls that do not fit the tool.
	{"en", says, class.Invalid, 6, "the MCP SDKs, pydantic, zod, Ajv", `
		input validation error|input validation failed|invalid arguments for tool|invalid argument for tool|validation errors|
		validation error|validation errors for|validation error for|validation failed|schema validation|validating arguments|
		unknown tool|invalid params|invalid_type|unrecognized keys|unrecognized key|invalid_string|invalid_enum_value|too_small|
		too_big|invalid input error`},
	{"en", says, class.Missing, 5, "the MCP SDKs, pydantic, zod", `
		missing required~|is a required property|field required|is required|are required|required fields are missing|
		required field is missing|required parameter~|required argument~|required field~|required property|required properties|
		required option~|required positional argument~|missing positional~|missing parameter~|missing argument~|missing field~|
		missing property|missing value~|missing param~|missing header~|missing mandatory|must be provided|must be specified|
		must be set|must be supplied|must provide|must specify|must include|must supply|needs to be provided|need to provide|
		need to specify|cannot be empty|can't be empty|can not be empty|must not be empty|may not be empty|should not be empty|
		cannot be blank|can't be blank|must not be blank|cannot be null|can't be null|must not be null|may not be null|
		cannot be none|cannot be undefined|must be non empty|expected non empty|is mandatory|is missing|are missing|
		no arguments provided|is empty|no value given|you must specify`},
	{"en", says, class.Missing, 2, "common", "please specify|please provide|please supply|please enter"}, // what to do, not what failed
	{"en", says, class.Missing, 3, "common", `
		at least one of|was not provided|not provided|not supplied|not specified|was not specified|is not set|not set|not given`},
	{"en", ifNot, class.Missing, 3, "common", "provided|specified|supplied|given|passed"},
	{"en", says, class.Invalid, 4, "common", `
		cannot unmarshal|cannot query|unmarshal error|error unmarshaling|is outside|lies outside|falls outside|not visible|
		not interactable|not clickable|must be|must not be|should be|should not be|has to be|have to be|must have|must contain|
		must match|must start|must end|must use|must only|must not|cannot be negative|cannot be used|cannot be combined|
		cannot be converted|cannot be parsed|cannot be set|may only contain|can only contain|only accepts|only supports|
		expected a|expected an|expected string|expected number|expected object|expected array|expected boolean|expected type|
		expected one of|expected integer|expects a|expects an|got string|instead got|invalid argument~|invalid parameter~|
		invalid param|invalid value~|invalid input~|invalid format~|invalid request~|invalid query|invalid url|invalid uri|invalid scheme|
		invalid date~|invalid time~|invalid json|invalid xml|invalid yaml|invalid syntax|invalid option~|invalid id|invalid ids|
		invalid identifier~|invalid field~|invalid path~|invalid name~|invalid email~|invalid subject|invalid range~|
		invalid enum|invalid integer|invalid number|invalid cursor|invalid page~|invalid regex~|invalid pattern|
		invalid character~|invalid relationship|invalid uuid|invalid column|invalid choice|invalid filter|invalid address|
		invalid timezone|invalid language|invalid currency|invalid expression|invalid selector|invalid payload|invalid body|
		invalid operation|invalid mode|invalid key|malformed|ill formed|syntax error~|error in your sql syntax|parse error|
		parsing error|while parsing|parser error|unsupported value|unsupported type|unsupported format|unsupported media type|
		unsupported protocol|unsupported scheme|unsupported operation|not a valid|isn't a valid|is not valid|isn't valid|
		not a number|not an integer|not a string|not a directory|not a file|is a directory|too long|too large|too short|
		before start~|after end~|is after|is before|comes after|must precede|too wide|too low|too high|too complex|too broad|too narrow|too old|too far|
		too expensive|undeliverable|not deliverable|too few|forbidden character~|illegal characters|disallowed character~|too many arguments|too many parameters|too many items|too many characters|too many values|too deep|larger than|
		bigger than|longer than|higher than|lower than|smaller than|shorter than|than allowed|than permitted|
		less than the minimum|less than minimum|greater than the maximum|greater than maximum|greater than or equal|
		less than or equal|more than the maximum|below the minimum|below minimum|above the maximum|maximum allowed|
		maximum length|max length|minimum length|exceeds maximum|exceeded maximum|exceeds the maximum|exceed the maximum|exceeds the limit|
		exceeds limit|exceeds max|maximum context length|context length exceeded|token limit exceeded|request entity too large|
		payload too large|file size limit|size limit exceeded|length exceeded|must not exceed|cannot exceed|
		strict mode violation|eisdir|enotdir|einval|enametoolong|eresolve|wrongtype|
		not a git repository|did not match any~|is meaningless|unknown type|unknown parameter~|unknown argument~|
		unknown option~|unknown field~|unknown key~|unknown property|unknown method|unknown command|unknown action|
		unknown function|unknown operation|unknown format|unknown value|unknown variable|unknown identifier|unknown enum|
		unrecognized|unrecognised|unexpected token|unexpected argument~|unexpected keyword argument|unexpected field|
		unexpected property|unexpected character|unexpected parameter|unexpected end of|unexpected value|additional properties|
		additional property|extra fields|extra inputs|violates schema|violates the schema|schema violation|violates not null constraint|violates foreign key constraint|
		violates check constraint|foreign key constraint fails|not null constraint failed|check constraint failed|
		foreign key constraint failed|constraint violation|type mismatch|mismatched types|does not match the|
		does not match pattern|do not match|doesn't match|not match|wrong type|wrong format|wrong number of|wrong argument~|
		bad request|bad value|bad parameter|bad format|bad argument|badly formatted|incorrect format|incorrect value|
		incorrect syntax|incorrect parameter|mutually exclusive|choose one|choose only one|specify only one|not both|but not both|passed both|specified both|both were given|cannot be both|either~|not supported|isn't supported|
		unsupported|not implemented|no such option|cannot parse|could not parse|couldn't parse|unable to parse|failed to parse|
		cannot decode|could not decode|failed to decode|unable to decode|unable to convert|cannot convert|could not convert|
		cannot be combined with|unprocessable|unprocessable entity|error parsing|error decoding|not nullable|invalid reference|
		division by zero|contains invalid|illegal argument|illegal character~|illegal value|password protected|is encrypted|is corrupted|is corrupt|nothing to update|
		no fields to update|no updates provided|no changes specified|ambiguous column`},
	{"en", says, class.OutOfRange, 4, "common", "out of range|out of bounds|not in range|not within the range|outside the range|outside of the range"},
	{"en", says, class.Invalid, 2, "common", `
		invalid|illegal|incorrect|nonexistent|non existent|mismatch~|misspelled|expected|disallowed value|wrong|exceeds|has more than|in the future|isn't a|
		is not a|is not an|unknown`},
	{"en", ifNot, class.Invalid, 3, "common", `
		valid|recognized|recognised|known|supported|understood|understand|interpret|recognize|recognise|parse|accepted|acceptable|parseable|compatible|well formed|
		an object|an array|numeric|interpreted|geocoded|parsed|identified|decoded|converted|readable|decrypted`},
	{"en", says, class.Ambiguous, 4, "common", `
		ambiguous|may refer to|could refer to|multiple matches|multiple results|matches multiple|more than one match~|multiple models found|
		multiple users found|multiple items found|multiple entries found|matched multiple|be more specific|provide more context|appears multiple times|multiple occurrences|occurs multiple times|found multiple|more than one result|did you mean one of|
		several matches|please disambiguate`},
	{"en", says, class.Missing, 1, "common", "missing|mandatory"},

	// What is not there.
	{"en", says, class.NotFound, 4, "common", `
		not listed|does not contain|doesn't contain|do not contain|is not in the|not among|not found|notfound|could not find|couldn't find|can't find|cannot find|
		unable to find|failed to find|did not find|does not exist|doesn't exist|do not exist|don't exist|did not exist|
		didn't exist|no longer exists|no such file or directory|no such file|no rows|no documents in result|does not match any|doesn't match any|do not match any|matched no|matched 0|found 0|0 matches|0 results|0 rows|0 elements|returned 0|
		matches no|match no|no such table|no such column|no such key|no such container|no such user|no such object|no such|
		there is no|there's no|doesn't have a resource type|unknown column|unknown table|unknown database|unknown category|
		unknown model|unknown user|unknown resource|unknown id|unknown symbol|unknown index|unknown topic|unknown server|
		unknown collection|unknown project|unknown entity|unknown name|unknown unit|undefined table|undefined column|
		undefined variable|enoent|could not be found|couldn't be found|cannot be found|can't be found|could not be located|
		could not locate|cannot locate|unable to locate|failed to locate|nonexistent resource|has been deleted|was deleted|
		no open~|unresolved reference|could not resolve|cannot resolve|no record of|no match for|can't open file|nosuchkey|
		object_not_found|not known|not registered|page does not exist|does not refer to|no commits|no default|is gone`},
	{"en", says, class.NotFound, 2, "common", "is not in|isn't in"},
	{"en", says, class.NotFound, 5, "common", `
		does not exist or you do not have access|does not exist or you don't have access|
		does not exist or you do not have permission|does not exist or you don't have permission|
		doesn't exist or you don't have access|doesn't exist or you don't have permission|not found or you don't have access|
		not found or you do not have access|not found or access denied|not found or not accessible|not found or no access|
		does not exist or not authorized|does not exist or is not accessible|not found or not authorized|
		not found or insufficient permissions|no access or does not exist`},
	{"en", ifNot, class.NotFound, 3, "common", `
		found|listed|registered|defined|called|named|selected|exist|exists|existing|located|find|matching|matched|matches|match`},

	// Who may.
	{"en", says, class.Unauthenticated, 4, "common", `
		authentication failed|authentication error|authentication required|authentication failure|authentication is required|
		authentication credentials|authentication methods|requires authentication|not authenticated|unauthenticated|authenticate first|
		please authenticate|must authenticate|need to authenticate|unable to authenticate|failed to authenticate|
		could not authenticate|could not be authenticated|invalid api key|invalid apikey|invalid key provided|invalid api token|
		invalid credentials|invalid credential|invalid token|invalid access token|invalid auth~|invalid bearer|invalid session|
		invalid login|invalid username|invalid user name|bad username~|bad user name~|bad password|invalid password|invalid signature|invalid client|invalid grant|
		invalid client secret|invalid refresh token|invalid secret|invalid jwt|invalid personal access token|key is invalid|
		token is invalid|token is not valid|token invalid|api key is not valid|api key not valid|credentials are invalid|
		credentials are not valid|credentials are incorrect|bad credentials|incorrect api key|incorrect password|
		incorrect username~|incorrect credentials|wrong password|wrong username|wrong credentials|wrongpass|session expired|
		session has expired|session is invalid|session not found or expired|token expired|token has expired|token is expired|
		token was revoked|token revoked|token has been revoked|expired token|expired api key|key expired|key has expired|
		credentials expired|credentials have expired|login expired|login has expired|authorization expired|signature expired|
		jwt expired|token may be expired|re authorize|reauthorize|re authenticate|reauthenticate|you must log in|must log in|
		must login|need to log in|need to login|please log in|please login|please sign in|log in first|log in again|login again|
		sign in again|sign in to|login required|login is required|sign in required|sign in is required|login failed|log in failed|not logged in|not signed in|
		logged out|set the api key|set your api key|set an api key|configure your api key|configure an api key|
		provide an api key|provide your api key|no api key|no api token|no token provided|no auth token|no access token|
		no credentials|no authentication|no authorization|missing api key|missing api token|missing token|missing access token|
		missing credentials|missing auth~|missing or invalid api key|missing or invalid token|missing bearer|api key required|
		api key is required|api key is missing|api key missing|api key not found|api key not set|api key not configured|
		token is required|token required|access token is required|api token is required|check server credentials|
		check your credentials|check your api key|check credentials|check your token|unable to locate credentials|
		could not load credentials|could not load the default credentials|default credentials were not found|need auth|noauth|
		invalid_session_id|password authentication failed|access denied for user|password is incorrect|password mismatch|
		account not verified|two factor|2fa|mfa required|otp required|signature mismatch|signature does not match|
		signature verification failed|failed to retrieve a token|token verification failed|user unauthenticated|cookie expired|
		cookies expired|cookie is invalid|oauth error|consent required|reconnect your account|connect your account|please connect your|link your account|expired session|
		must be authenticated|must be logged in|should be logged in|be logged in|be signed in|must be signed in|not been authenticated|is not logged in|is not authenticated`},
	{"en", ifAccess, class.Unauthenticated, 5, "common", `
		please provide|please supply|please specify|please set|rejected|were rejected|wrong|bad|disabled|is disabled|
		expired|has expired|have expired|is expired|was expired|revoked|was revoked|been revoked|is invalid|are invalid|invalid|
		is not valid|are not valid|incorrect|is incorrect|was rejected|not accepted|is missing|are missing|missing|not provided|
		was not provided|not supplied|is not set|not set|no longer valid|not found|not configured|is not configured|
		are not configured|cannot be verified|could not be verified|does not match|malformed|not found or expired|not recognized|could not be decrypted|could not be validated|could not be decoded|cannot be used|has been disabled|was disabled`},
	{"en", access, class.Unknown, 0, "", `
		token|tokens|cookie|cookies|auth token|access token|refresh token|api token|bearer token|id token|api key|apikey|access key|credential|
		credentials|password|passphrase|jwt|authorization|authorization header|auth header|bearer|oauth|o auth|client secret|
		personal access token|security token`},
	{"en", nothing, class.Unknown, 0, "common", `
		page token|next page token|sync token|continuation token|pagination token|session not found|unexpected token|
		invalid token at|csrf token|seconds is required|minutes is required|request canceled|request cancelled|
		request was canceled|request was cancelled|request has been canceled`},
	{"en", says, class.InsufficientScope, 5, "OAuth", `
		insufficient scope|missing scope|missing required scope|missing the scope|required scope~|oauth scope~|
		insufficient scopes|needs the scope|token scopes|lacks the scope|lack required scope~|missing repo scope|
		access token scope|missing oauth scope~|requires scope~|requires the scope~|scope is required|scope is missing|scope required`},
	{"en", says, class.Denied, 4, "common", `
		permission denied|permissions denied|permission error|access denied|access is denied|access was denied|
		access to this resource is denied|access forbidden|forbidden|not authorized|not authorised|isn't authorized|
		unauthorized|unauthorised|authorization failed|authorization error|not enough privileges|not enough permissions|
		insufficient permission~|insufficient privilege~|insufficient access|insufficient rights|
		insufficient authentication scopes|requires permission|requires the permission|required permission~|
		necessary permission~|needs permission|no permission~|no access|without permission|lack permission~|lacks permission~|
		lacks the permission|missing permission~|missing access|missing privilege~|not accessible by|not accessible|
		may not have access|path not allowed|outside of the allowed|outside the allowed|outside allowed|outside of allowed|
		not within allowed|outside the workspace|outside the project|outside of the project|outside of the workspace|
		path traversal|operation not permitted|not permitted|isn't permitted|eacces|eperm|erofs|noperm|not allowed to|
		is not allowed to access|accessnotconfigured|access not configured|api has not been used|has not been used in project|
		admin only|admins only|admins can|administrators can|owners can|is not a member|saml enforcement|you must grant|must be granted|was kicked|been kicked|kicked from|not enough rights|are not a member|is not an admin~|
		is not the owner|is not an owner|requires admin~|must be an admin~|to be an admin~|to be admin|to be an owner|
		to be the owner|to be a member|blocked by the user|is blocked|was blocked|has been blocked|been blocked|been banned|
		is banned|was banned|must be admin~|must be the owner|must be a member|must be owner|only the owner|only admins|
		only administrators|only visible to|visible only to|only owners|not the owner|not a member|not an admin~|isn't a member|role required|requires the role|
		requires role|you don't own|privileges required|not writeable|not writable|not readable|cannot be accessed|
		access restricted|restricted to|access blocked|not shared with|write protected|access has been denied|
		access not granted|access not allowed|no read access|no write access|not granted|not entitled|entitlement|
		not enough access|is restricted|are restricted|privileges are needed|privileges needed|rights are needed|permission is needed|permissions are needed|
		privileges are required|permission is required|permissions are required|rights are required|role does not allow|ip address is not allowed|your ip address is not allowed|your ip is not allowed|
		ip is not allowed|ip address not allowed|unauthorized access|denied access|user unauthorized`},
	{"en", ifNot, class.InsufficientScope, 3, "common", "scope|scopes"},
	{"en", ifNot, class.Denied, 4, "common", `
		have access|has access|have permission|have permissions|has permission|have permission to|have sufficient permission~|
		have the permission~|have the required permission~|have the necessary permission~|have enough permission~|
		have privileges|have rights|have the right|authorized|authorised|permitted|permission|permissions|access to|privileges`},
	{"en", says, class.Denied, 3, "common", "denied"},
	{"en", takesBack, class.Denied, 2, "common", `
		blocked|banned|blacklisted|blocklisted|allow list|allowlist|whitelist|whitelisted|blacklist|denylist|deny list|abuse|
		abusive|suspicious|captcha|vpn|firewall|security group|network policy|policy|policies|geo~|region|regions|country|
		countries|jurisdiction|your location|compliance|sanction~|embargo~|terms of service|moderation|content filter|safety`},
}
