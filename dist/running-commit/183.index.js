export const id = 183;
export const ids = [183];
export const modules = {

/***/ 1183:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   pullRequestsOfCommits: () => (/* binding */ pullRequestsOfCommits)
/* harmony export */ });
/* unused harmony export MAX_COMMITS */
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3619);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(3945);
/* harmony import */ var _github_api_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3029);
/* harmony import */ var _github_fault_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(365);
/* harmony import */ var _lenient_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8476);




/** For all commits together, in milliseconds. */
const TIME_LIMIT_MS = 10_000;
/** Commits asked about, each with a request of its own: a token has a thousand of those an hour. */
const MAX_COMMITS = 50;
/** Requests under way at a time. */
const AT_A_TIME = 5;
/**
 * The pull requests that commits came by: an empty list where GitHub knows of none. A commit that is not in the answer
 * is one of which it is not known.
 *
 * @throws the signal's reason when it aborts; for nothing else
 */
async function pullRequestsOfCommits(question) {
    const { commits, apiUrl, repository, warn } = question;
    const found = new Map();
    const waiting = commits.slice(0, MAX_COMMITS).values();
    const told = await (0,_github_api_js__WEBPACK_IMPORTED_MODULE_0__/* .askGitHub */ .X3)({ timeLimitMs: TIME_LIMIT_MS, ...question }, async (github) => {
        const worker = async () => {
            for (const sha of waiting)
                found.set(sha, await pullRequestsOf(github, sha, repository));
        };
        await Promise.all(Array.from({ length: AT_A_TIME }, worker));
    });
    if ("fault" in told) {
        const what = found.size === 0 ? "no pull requests of the commits" : "not all pull requests";
        warn(told.fault.explain(apiUrl, what));
    }
    return found;
}
const simple = zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .object */ .Ikc({
    number: _lenient_js__WEBPACK_IMPORTED_MODULE_2__/* .number */ .ai,
    title: _lenient_js__WEBPACK_IMPORTED_MODULE_2__/* .text */ .Qq,
    state: _lenient_js__WEBPACK_IMPORTED_MODULE_2__/* .text */ .Qq,
    html_url: _lenient_js__WEBPACK_IMPORTED_MODULE_2__/* .text */ .Qq,
    merged_at: _lenient_js__WEBPACK_IMPORTED_MODULE_2__/* .text */ .Qq,
    base: (0,_lenient_js__WEBPACK_IMPORTED_MODULE_2__/* .part */ .y_)({ repo: (0,_lenient_js__WEBPACK_IMPORTED_MODULE_2__/* .part */ .y_)({ full_name: _lenient_js__WEBPACK_IMPORTED_MODULE_2__/* .text */ .Qq }) }),
});
async function pullRequestsOf(github, sha, repository) {
    const data = await github.get({
        path: "/commits/{sha}/pulls",
        parameters: { sha },
        subject: "commit",
        permission: "pull-requests: read",
    });
    const records = zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .safeParse */ .xL(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .array */ .YOg(simple), data).data;
    if (records === undefined)
        throw new _github_fault_js__WEBPACK_IMPORTED_MODULE_1__/* .GitHubError */ .y({ reason: "GitHub's answer is not a list of pull requests" });
    return records.flatMap((record) => {
        const { number: id, title = "", html_url: url, base } = record;
        // A commit that is shared with a fork is linked to that one's pull requests too.
        const elsewhere = base?.repo?.full_name;
        if (elsewhere !== undefined && elsewhere.toLowerCase() !== repository.toLowerCase())
            return [];
        const state = stateOf(record);
        if (id === undefined || state === undefined)
            return [];
        return [{ number: id, title, state, ...(url !== undefined && { url }) }];
    });
}
/** Undefined for one that was closed without a merge: it brought nothing. */
function stateOf({ state, merged_at }) {
    if (merged_at !== undefined)
        return "merged";
    return state === "open" ? "open" : undefined;
}


/***/ })

};
