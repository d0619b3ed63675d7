export const id = 199;
export const ids = [199,947];
export const modules = {

/***/ 947:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   explainFault: () => (/* binding */ explainFault)
/* harmony export */ });
const REACHABLE = "Check that base-url is right and that the runner may reach it.";
const SCHEME = "If this goes on, check whether base-url should begin with https:// or name another port.";
const CERTIFICATE = "If the service uses a private certificate authority, name its certificate in NODE_EXTRA_CA_CERTS.";
/** Faults of making the connection: nothing of the request was sent. */
const CONNECTING = {
    ECONNREFUSED: { reason: "connection refused", advice: REACHABLE },
    ENOTFOUND: { reason: "the host name is not known", advice: REACHABLE },
    EAI_AGAIN: { reason: "the name server did not answer", advice: "Check the runner's DNS." },
    EHOSTUNREACH: { reason: "no route to the host", advice: REACHABLE },
    ENETUNREACH: { reason: "the network cannot be reached", advice: REACHABLE },
    UND_ERR_CONNECT_TIMEOUT: { reason: "no connection was made in time", advice: REACHABLE },
};
/** Faults of the TLS handshake: they stay until someone changes something. */
const TLS = {
    SELF_SIGNED_CERT_IN_CHAIN: {
        reason: "the certificate is signed by an unknown authority",
        advice: CERTIFICATE,
    },
    DEPTH_ZERO_SELF_SIGNED_CERT: { reason: "the certificate is self-signed", advice: CERTIFICATE },
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: { reason: "the certificate cannot be verified", advice: CERTIFICATE },
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { reason: "the certificate's issuer is not known", advice: CERTIFICATE },
    CERT_HAS_EXPIRED: {
        reason: "the certificate has expired",
        advice: "The service must renew its certificate.",
    },
    ERR_TLS_CERT_ALTNAME_INVALID: { reason: "the certificate is for another host", advice: REACHABLE },
    ERR_SSL_WRONG_VERSION_NUMBER: {
        reason: "the server does not speak TLS on this port",
        advice: "Check whether base-url should begin with http:// or name another port.",
    },
    ERR_SSL_PACKET_LENGTH_TOO_LONG: {
        reason: "the server does not speak TLS on this port",
        advice: "Check whether base-url should begin with http:// or name another port.",
    },
    UND_ERR_PRX_TLS: {
        reason: "the secure connection to the proxy failed",
        advice: "Check the proxy's address.",
    },
};
/** Faults of a connection that was made: the request may have arrived. */
const BROKEN = {
    ECONNRESET: { reason: "the connection was reset", advice: SCHEME },
    UND_ERR_SOCKET: { reason: "the other side closed the connection", advice: SCHEME },
};
const NOT_HTTP = { reason: "what answered does not speak HTTP", advice: SCHEME };
/** The names that OpenSSL and Node give to faults of TLS and of certificates. */
const TLS_CODE = /^(ERR_SSL_|ERR_TLS_|ERR_OSSL_|CERT_|CRL_|UNABLE_TO_|ERROR_IN_|EPROTO$|HOSTNAME_MISMATCH$|INVALID_(CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$)/;
/** What a failed exchange was. Unknown faults count as broken connections: they are tried again. */
function explainFault(error) {
    const code = codeOf(error);
    const proxyStatus = proxyAnswer(error);
    if (proxyStatus !== undefined)
        return proxyFault(proxyStatus);
    const connecting = CONNECTING[code];
    if (connecting)
        return { code, ...connecting, retried: true, mayHaveArrived: false };
    const tls = TLS[code] ?? (TLS_CODE.test(code) ? { reason: code, advice: "" } : undefined);
    if (tls)
        return { code, ...tls, retried: false, mayHaveArrived: false };
    const broken = BROKEN[code] ??
        (code.startsWith("HPE_")
            ? NOT_HTTP
            : { reason: `the connection broke (${code || describe(error)})`, advice: "" });
    return { code, ...broken, retried: true, mayHaveArrived: true };
}
function proxyFault(status) {
    const authentication = status === 407;
    return {
        code: "PROXY",
        reason: authentication ? "the proxy requires authentication (407)" : `the proxy answered ${status}`,
        advice: authentication
            ? "Put the user and password into the proxy variable: http://user:password@host:port."
            : "Check the proxy variables and that the proxy allows this host.",
        retried: !authentication && status >= 500,
        mayHaveArrived: false,
    };
}
/** undici gives a proxy's status only in its text: of an abort for a refused CONNECT, of an argument for http://. */
function proxyAnswer(error) {
    for (const { message } of chain(error)) {
        const status = /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(message)?.[1];
        if (status !== undefined)
            return Number(status);
    }
    return undefined;
}
/** The innermost name: a wrapper says less than what it wraps, unless it says that the proxy was meant. */
function codeOf(error) {
    let code = "";
    for (const link of chain(error)) {
        if (link.code)
            code = link.code;
        if (code === "UND_ERR_PRX_TLS")
            break;
    }
    return code;
}
function describe(error) {
    return error instanceof Error ? error.message : String(error);
}
function* chain(error) {
    let link = error;
    for (let depth = 0; link instanceof Error && depth < 5; depth++) {
        yield { code: ownCode(link), message: link.message };
        link = link.cause;
    }
}
/** The parser of HTTP names its faults `HPE_…`, but not all of them. */
function ownCode(error) {
    if ("code" in error && typeof error.code === "string")
        return error.code;
    return error.name === "HTTPParserError" ? "HPE_UNKNOWN" : "";
}


/***/ }),

/***/ 8199:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   fetchCommit: () => (/* binding */ fetchCommit)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4343);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(3945);
/* harmony import */ var _commit_facts_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(6236);
/* harmony import */ var _commit_record_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7102);
/* harmony import */ var _github_api_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3029);
/* harmony import */ var _github_fault_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(365);





const answer = zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ["catch"] */ .MfU(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .optional */ .lqM(_commit_record_js__WEBPACK_IMPORTED_MODULE_0__/* .commitRecord */ .R), undefined);
/**
 * Asks GitHub for a commit, once.
 *
 * @throws the signal's reason when it aborts. Whatever GitHub does is told as a warning.
 */
async function fetchCommit(address) {
    const { apiUrl, sha } = address;
    const told = await (0,_github_api_js__WEBPACK_IMPORTED_MODULE_1__/* .askGitHub */ .X3)(address, async (github) => {
        const data = await github.get({
            path: "/commits/{ref}",
            // One file a page: the files of a commit can be many times everything else.
            parameters: { ref: sha, per_page: 1 },
            subject: "commit",
            permission: "contents: read",
        });
        const found = zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .parse */ .qg(answer, data);
        if (found?.commit === undefined || (0,_commit_facts_js__WEBPACK_IMPORTED_MODULE_5__/* .asCommitSha */ .MG)(found.sha) !== sha) {
            throw new _github_fault_js__WEBPACK_IMPORTED_MODULE_2__/* .GitHubError */ .y({ reason: "GitHub's answer does not describe that commit" });
        }
        return (0,_commit_record_js__WEBPACK_IMPORTED_MODULE_0__/* .factsOfRecord */ .a)(found);
    });
    if ("answer" in told)
        return { facts: told.answer };
    const so = "What only GitHub knows of it, such as whether its signature is verified, is left out.";
    return { facts: {}, warning: told.fault.explain(apiUrl, `no details of commit ${sha}`, so) };
}


/***/ }),

/***/ 7102:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   R: () => (/* binding */ commitRecord),
/* harmony export */   a: () => (/* binding */ factsOfRecord)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4343);
/* harmony import */ var _commit_facts_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6236);
/* harmony import */ var _lenient_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8476);



const person = (0,_lenient_js__WEBPACK_IMPORTED_MODULE_0__/* .part */ .y_)({ name: _lenient_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq, email: _lenient_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq, date: _lenient_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq });
const account = (0,_lenient_js__WEBPACK_IMPORTED_MODULE_0__/* .part */ .y_)({ login: _lenient_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq });
/** A commit as GitHub's API describes it, alone or in a list. */
const commitRecord = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    sha: _lenient_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq,
    html_url: _lenient_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq,
    commit: (0,_lenient_js__WEBPACK_IMPORTED_MODULE_0__/* .part */ .y_)({
        message: _lenient_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq,
        author: person,
        committer: person,
        verification: (0,_lenient_js__WEBPACK_IMPORTED_MODULE_0__/* .part */ .y_)({ verified: _lenient_js__WEBPACK_IMPORTED_MODULE_0__/* .flag */ .Jt, reason: _lenient_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq }),
    }),
    /** Null, as is the committer's, for an e-mail address that belongs to no account. */
    author: account,
    committer: account,
    parents: (0,_lenient_js__WEBPACK_IMPORTED_MODULE_0__/* .list */ .p_)(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ sha: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP() })),
});
function factsOfRecord({ commit, author: writer, parents }) {
    const { message, author, verification } = commit ?? {};
    return {
        message,
        author: (0,_commit_facts_js__WEBPACK_IMPORTED_MODULE_2__/* .signature */ .vl)(author?.name, author?.email),
        authorUsername: writer?.login,
        timestamp: (0,_commit_facts_js__WEBPACK_IMPORTED_MODULE_2__/* .unixSeconds */ .Yb)(author?.date),
        parents: parents?.map((parent) => parent.sha),
        verified: verification?.verified,
        signatureState: verification?.reason && signatureState(verification.reason),
    };
}
/** Where the REST API's reasons are not just the GraphQL API's names of `GitSignatureState` in lower case. */
const OTHER_NAMES = {
    malformed_signature: "MALFORMED_SIG",
    unknown_signature_type: "UNKNOWN_SIG_TYPE",
};
/** GitHub's enum name for a `verification.reason`. */
function signatureState(reason) {
    return OTHER_NAMES[reason] ?? reason.toUpperCase();
}


/***/ }),

/***/ 3029:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   X3: () => (/* binding */ askGitHub)
/* harmony export */ });
/* unused harmony exports TIME_LIMIT_MS, PAGE_SIZE */
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(4343);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(3945);
/* harmony import */ var _api_backoff_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8004);
/* harmony import */ var _api_errors_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8937);
/* harmony import */ var _api_network_fault_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(947);
/* harmony import */ var _api_proxy_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6280);
/* harmony import */ var _github_fault_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(365);
/* harmony import */ var _lenient_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(8476);







/** In milliseconds. What GitHub tells is welcome, but no step hangs on it for longer. */
const TIME_LIMIT_MS = 5_000;
/** The most that is read of one answer: the files of a commit or a comparison are part of it. */
const MAX_ANSWER_BYTES = 20 * 1024 * 1024;
/** The most items that GitHub puts on a page. */
const PAGE_SIZE = 100;
const ONCE = { attempts: 1, waitMs: _api_backoff_js__WEBPACK_IMPORTED_MODULE_0__/* .backoff */ .JN };
/**
 * Asks GitHub, as often as the work needs within one limit of time.
 *
 * @throws the signal's reason when it aborts. Whatever GitHub does is told as a fault.
 */
async function askGitHub(address, work) {
    const { timeLimitMs = TIME_LIMIT_MS } = address;
    const timeLimit = AbortSignal.timeout(timeLimitMs);
    const signal = AbortSignal.any([timeLimit, address.signal]);
    let close = async () => { };
    try {
        const client = await open(address, signal).catch((error) => {
            throw notAsked(error);
        });
        close = client.close;
        return { answer: await work(client.github) };
    }
    catch (error) {
        address.signal.throwIfAborted();
        if (timeLimit.aborted) {
            return { fault: new _github_fault_js__WEBPACK_IMPORTED_MODULE_4__/* .GitHubError */ .y({ reason: `GitHub did not answer within ${timeLimitMs / 1000} s` }) };
        }
        if (error instanceof _github_fault_js__WEBPACK_IMPORTED_MODULE_4__/* .GitHubError */ .y)
            return { fault: error };
        throw error;
    }
    finally {
        await close();
    }
}
/** The client is loaded here because it takes as long as all the rest of an action's start. */
async function open(address, signal) {
    const [{ getOctokit }, { Agent, fetch, ProxyAgent }] = await Promise.all([
        Promise.all(/* import() */[__webpack_require__.e(672), __webpack_require__.e(752), __webpack_require__.e(218)]).then(__webpack_require__.bind(__webpack_require__, 2218)),
        Promise.all(/* import() */[__webpack_require__.e(672), __webpack_require__.e(752)]).then(__webpack_require__.t.bind(__webpack_require__, 4371, 19)),
    ]);
    const proxy = (0,_api_proxy_js__WEBPACK_IMPORTED_MODULE_3__/* .proxyFor */ .i)(new URL(address.apiUrl), address.env);
    const limits = { maxResponseSize: MAX_ANSWER_BYTES };
    // A dispatcher of our own, because the connections it leaves open would keep the process alive.
    const dispatcher = proxy ? new ProxyAgent({ uri: proxy.href, ...limits }) : new Agent(limits);
    const octokit = getOctokit(address.token, {
        baseUrl: address.apiUrl,
        userAgent: "delivery-evidence",
        log: { debug: silence, info: silence, warn: silence, error: silence },
        request: {
            fetch: (url, init) => fetch(url, { ...init, dispatcher }),
            signal,
        },
    });
    const [owner = "", repo = ""] = address.repository.split("/");
    const askOnce = async (request, page) => {
        try {
            const route = `GET /repos/{owner}/{repo}${request.path}`;
            const answer = await octokit.request(route, { owner, repo, ...request.parameters, ...page });
            // The client takes a body that breaks off for a whole one.
            signal.throwIfAborted();
            return answer;
        }
        catch (error) {
            signal.throwIfAborted();
            throw faultOf(error, request, address.repository);
        }
    };
    const { attempts, waitMs } = address.retry ?? ONCE;
    const ask = async (request, page = {}) => {
        for (let attempt = 1;; attempt++) {
            try {
                return await askOnce(request, page);
            }
            catch (error) {
                if (!(error instanceof _github_fault_js__WEBPACK_IMPORTED_MODULE_4__/* .GitHubError */ .y && error.passing) || attempt >= attempts)
                    throw error;
            }
            await (0,_api_backoff_js__WEBPACK_IMPORTED_MODULE_0__/* .pause */ .v7)(waitMs(attempt), signal);
        }
    };
    const github = {
        signal,
        async get(request) {
            return (await ask(request)).data;
        },
        async *pages(request) {
            // Counted instead of following GitHub's links, so that the token goes nowhere but to its own address.
            for (let page = 1, more = true; more; page++) {
                const { data, headers } = await ask(request, { per_page: PAGE_SIZE, page });
                more = /\brel="?next\b/.test(headers.link ?? "");
                yield data;
            }
        },
    };
    return { github, close: () => dispatcher.destroy() };
}
function silence() { }
function notAsked(error) {
    const why = error instanceof Error ? error.message : String(error);
    return new _github_fault_js__WEBPACK_IMPORTED_MODULE_4__/* .GitHubError */ .y({ reason: `GitHub could not be asked (${why})`, cause: error });
}
const rateHeaders = (0,_lenient_js__WEBPACK_IMPORTED_MODULE_5__/* .part */ .y_)({ "x-ratelimit-remaining": _lenient_js__WEBPACK_IMPORTED_MODULE_5__/* .text */ .Qq, "x-ratelimit-reset": _lenient_js__WEBPACK_IMPORTED_MODULE_5__/* .text */ .Qq, "retry-after": _lenient_js__WEBPACK_IMPORTED_MODULE_5__/* .text */ .Qq });
const refusal = zod_mini__WEBPACK_IMPORTED_MODULE_6__/* .object */ .Ikc({ status: _lenient_js__WEBPACK_IMPORTED_MODULE_5__/* .number */ .ai, response: (0,_lenient_js__WEBPACK_IMPORTED_MODULE_5__/* .part */ .y_)({ headers: rateHeaders }) });
function faultOf(cause, { subject, permission }, repository) {
    if (!(cause instanceof Error))
        return notAsked(cause);
    const { status, response } = zod_mini__WEBPACK_IMPORTED_MODULE_7__/* .parse */ .qg(refusal, cause);
    if ((0,_api_errors_js__WEBPACK_IMPORTED_MODULE_1__/* .isEvidenceError */ .sg)(cause) || status === undefined)
        return notAsked(cause);
    if (response === undefined) {
        const { reason, retried } = (0,_api_network_fault_js__WEBPACK_IMPORTED_MODULE_2__.explainFault)(cause);
        return new _github_fault_js__WEBPACK_IMPORTED_MODULE_4__/* .GitHubError */ .y({ reason, cause, passing: retried });
    }
    const limit = status === 403 || status === 429 ? usedUp(response.headers) : undefined;
    if (limit !== undefined)
        return new _github_fault_js__WEBPACK_IMPORTED_MODULE_4__/* .GitHubError */ .y({ reason: `${limit} (${status})`, status, cause });
    const needed = `the job needs the permission \`${permission}\``;
    const advice = (0,_github_fault_js__WEBPACK_IMPORTED_MODULE_4__/* .permissionAdvice */ .E)(permission);
    switch (status) {
        case 401:
            return new _github_fault_js__WEBPACK_IMPORTED_MODULE_4__/* .GitHubError */ .y({
                reason: "GitHub did not accept the token (401); check github-token",
                status,
                cause,
            });
        case 403:
            return new _github_fault_js__WEBPACK_IMPORTED_MODULE_4__/* .GitHubError */ .y({
                reason: `the token may not read the ${subject} (403); ${needed}`,
                advice,
                status,
                cause,
            });
        case 404:
            return new _github_fault_js__WEBPACK_IMPORTED_MODULE_4__/* .GitHubError */ .y({
                reason: `the ${subject}, or all of ${repository}, is not there or hidden from the token (404); ${needed}`,
                advice,
                status,
                cause,
            });
        case 409:
        case 422:
            return new _github_fault_js__WEBPACK_IMPORTED_MODULE_4__/* .GitHubError */ .y({
                reason: `there is no such ${subject} in ${repository} (${status})`,
                status,
                cause,
            });
        default:
            return new _github_fault_js__WEBPACK_IMPORTED_MODULE_4__/* .GitHubError */ .y({ reason: `GitHub answered ${status}`, status, cause, passing: status >= 500 });
    }
}
/** The rate limit is not waited for: it is reset once an hour. */
function usedUp(headers) {
    if (headers?.["x-ratelimit-remaining"] === "0") {
        const reset = Number(headers["x-ratelimit-reset"]);
        const until = reset > 0 && reset < 1e11 ? ` until ${new Date(reset * 1000).toISOString()}` : "";
        return `the token's rate limit is used up${until}`;
    }
    return headers?.["retry-after"] === undefined ? undefined : "the token's rate limit is used up for now";
}


/***/ }),

/***/ 365:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E: () => (/* binding */ permissionAdvice),
/* harmony export */   y: () => (/* binding */ GitHubError)
/* harmony export */ });
/** What to add to a workflow whose token lacks a permission, as YAML. */
function permissionAdvice(permission) {
    return `Add to the job, beside the permissions that it lists already:\n  permissions:\n    ${permission}`;
}
/** Why GitHub did not tell what was asked. Its message is the reason. */
class GitHubError extends Error {
    advice;
    status;
    passing;
    constructor({ reason, advice = "", status, passing = false, cause }) {
        super(reason, cause === undefined ? undefined : { cause });
        this.name = "GitHubError";
        this.advice = advice;
        this.status = status;
        this.passing = passing;
    }
    /**
     * The fault for the user.
     *
     * @param what is missing now: `no details of commit 0123abc`
     * @param so what follows from that, as a sentence
     */
    explain(apiUrl, what, so = "") {
        const host = URL.canParse(apiUrl) ? new URL(apiUrl).host : apiUrl;
        const sentences = [`${this.message}: ${host} gave ${what}.`, so].filter(Boolean).join(" ");
        return [sentences, this.advice].filter(Boolean).join("\n");
    }
}


/***/ })

};
