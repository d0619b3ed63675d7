export const id = 199;
export const ids = [199];
export const modules = {

/***/ 8199:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   fetchCommit: () => (/* binding */ fetchCommit)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(3619);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(3945);
/* harmony import */ var _api_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8937);
/* harmony import */ var _api_network_fault_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(947);
/* harmony import */ var _api_proxy_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6280);
/* harmony import */ var _commit_facts_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(6236);
/* harmony import */ var _lenient_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(8476);






/** In milliseconds. GitHub's facts are welcome, but the evidence does not depend on them. */
const TIME_LIMIT_MS = 5_000;
/** The most that is read of an answer: a commit's files are part of it, but only one is asked for. */
const MAX_ANSWER_BYTES = 20 * 1024 * 1024;
const answer = (0,_lenient_js__WEBPACK_IMPORTED_MODULE_3__/* .part */ .y_)({
    sha: _lenient_js__WEBPACK_IMPORTED_MODULE_3__/* .text */ .Qq,
    commit: (0,_lenient_js__WEBPACK_IMPORTED_MODULE_3__/* .part */ .y_)({
        message: _lenient_js__WEBPACK_IMPORTED_MODULE_3__/* .text */ .Qq,
        author: (0,_lenient_js__WEBPACK_IMPORTED_MODULE_3__/* .part */ .y_)({ name: _lenient_js__WEBPACK_IMPORTED_MODULE_3__/* .text */ .Qq, email: _lenient_js__WEBPACK_IMPORTED_MODULE_3__/* .text */ .Qq, date: _lenient_js__WEBPACK_IMPORTED_MODULE_3__/* .text */ .Qq }),
        verification: (0,_lenient_js__WEBPACK_IMPORTED_MODULE_3__/* .part */ .y_)({ verified: _lenient_js__WEBPACK_IMPORTED_MODULE_3__/* .flag */ .Jt, reason: _lenient_js__WEBPACK_IMPORTED_MODULE_3__/* .text */ .Qq }),
    }),
    author: (0,_lenient_js__WEBPACK_IMPORTED_MODULE_3__/* .part */ .y_)({ login: _lenient_js__WEBPACK_IMPORTED_MODULE_3__/* .text */ .Qq }),
    parents: (0,_lenient_js__WEBPACK_IMPORTED_MODULE_3__/* .list */ .p_)(zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .object */ .Ikc({ sha: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP() })),
});
/**
 * Asks GitHub for a commit, once.
 *
 * @throws the signal's reason when it aborts. Whatever GitHub does is told as a warning.
 */
async function fetchCommit(address) {
    const { timeLimitMs = TIME_LIMIT_MS } = address;
    const timeLimit = AbortSignal.timeout(timeLimitMs);
    try {
        const data = await ask(address, AbortSignal.any([timeLimit, address.signal]));
        // The client takes a body that breaks off for a whole one.
        address.signal.throwIfAborted();
        timeLimit.throwIfAborted();
        const facts = factsOf(data, address.sha);
        return facts === undefined ? failed(address, "its answer does not describe that commit") : { facts };
    }
    catch (error) {
        address.signal.throwIfAborted();
        const late = `it did not answer within ${timeLimitMs / 1000} s`;
        return failed(address, timeLimit.aborted ? late : reasonOf(error, address));
    }
}
function failed({ apiUrl, sha }, reason) {
    const host = URL.canParse(apiUrl) ? new URL(apiUrl).host : apiUrl;
    const warning = `GitHub (${host}) gave no details of commit ${sha}: ${reason}. What only GitHub knows of it, such as whether its signature is verified, is left out.`;
    return { facts: {}, warning };
}
/** The client is loaded here because it takes as long as all the rest of an action's start. */
async function ask(address, signal) {
    const [{ getOctokit }, { Agent, fetch, ProxyAgent }] = await Promise.all([
        Promise.all(/* import() */[__webpack_require__.e(672), __webpack_require__.e(752), __webpack_require__.e(218)]).then(__webpack_require__.bind(__webpack_require__, 2218)),
        Promise.all(/* import() */[__webpack_require__.e(672), __webpack_require__.e(752)]).then(__webpack_require__.t.bind(__webpack_require__, 6752, 19)),
    ]);
    const proxy = (0,_api_proxy_js__WEBPACK_IMPORTED_MODULE_2__/* .proxyFor */ .i)(new URL(address.apiUrl), address.env);
    const limits = { maxResponseSize: MAX_ANSWER_BYTES };
    // A dispatcher of our own, because the connections it leaves open would keep the process alive.
    const dispatcher = proxy ? new ProxyAgent({ uri: proxy.href, ...limits }) : new Agent(limits);
    try {
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
        // One file a page: the files of a commit can be many times everything else.
        const { data } = await octokit.rest.repos.getCommit({ owner, repo, ref: address.sha, per_page: 1 });
        return data;
    }
    finally {
        await dispatcher.destroy();
    }
}
function silence() { }
function factsOf(data, sha) {
    const found = zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .parse */ .qg(answer, data);
    if (found?.commit === undefined || (0,_commit_facts_js__WEBPACK_IMPORTED_MODULE_6__/* .asCommitSha */ .MG)(found.sha) !== sha)
        return undefined;
    const { message, author, verification } = found.commit;
    return {
        message,
        author: (0,_commit_facts_js__WEBPACK_IMPORTED_MODULE_6__/* .signature */ .vl)(author?.name, author?.email),
        // Null for a commit whose e-mail address belongs to no account.
        authorUsername: found.author?.login,
        timestamp: (0,_commit_facts_js__WEBPACK_IMPORTED_MODULE_6__/* .unixSeconds */ .Yb)(author?.date),
        parents: found.parents?.map((parent) => parent.sha),
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
const rateHeaders = (0,_lenient_js__WEBPACK_IMPORTED_MODULE_3__/* .part */ .y_)({ "x-ratelimit-remaining": _lenient_js__WEBPACK_IMPORTED_MODULE_3__/* .text */ .Qq, "x-ratelimit-reset": _lenient_js__WEBPACK_IMPORTED_MODULE_3__/* .text */ .Qq, "retry-after": _lenient_js__WEBPACK_IMPORTED_MODULE_3__/* .text */ .Qq });
const refusal = zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .object */ .Ikc({ status: _lenient_js__WEBPACK_IMPORTED_MODULE_3__/* .number */ .ai, response: (0,_lenient_js__WEBPACK_IMPORTED_MODULE_3__/* .part */ .y_)({ headers: rateHeaders }) });
const PERMISSION = "the job needs the permission `contents: read`";
function reasonOf(error, { repository }) {
    if (!(error instanceof Error))
        return `it could not be asked (${String(error)})`;
    const { status, response } = zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .parse */ .qg(refusal, error);
    if ((0,_api_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .isEvidenceError */ .sg)(error) || status === undefined)
        return `it could not be asked (${error.message})`;
    if (response === undefined)
        return (0,_api_network_fault_js__WEBPACK_IMPORTED_MODULE_1__/* .explainFault */ .O)(error).reason;
    const limit = status === 403 || status === 429 ? usedUp(response.headers) : undefined;
    if (limit !== undefined)
        return `${limit} (${status})`;
    switch (status) {
        case 401:
            return "it did not accept the token (401); check github-token";
        case 403:
            return `the token may not read it (403); ${PERMISSION}`;
        case 404:
            return `the commit, or all of ${repository}, is hidden from the token (404); ${PERMISSION}`;
        case 409:
        case 422:
            return `there is no such commit in ${repository} (${status})`;
        default:
            return `it answered ${status}`;
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


/***/ })

};
