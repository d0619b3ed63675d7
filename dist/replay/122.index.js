export const id = 122;
export const ids = [122];
export const modules = {

/***/ 122:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  missingKey: () => (/* binding */ missingKey)
});

// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js
var schemas = __webpack_require__(4343);
// EXTERNAL MODULE: ./node_modules/zod/v4/core/parse.js + 1 modules
var parse = __webpack_require__(3945);
// EXTERNAL MODULE: ./lib/github/lenient.js
var lenient = __webpack_require__(8476);
;// CONCATENATED MODULE: ./lib/github/head-branch.js

/** The account that owns a repository, or opened a pull request. */
const account = (0,lenient/* part */.y_)({ login: lenient/* text */.Qq });
/** The repository that a head is in. GitHub leaves it empty once a fork is deleted. */
const headRepository = (0,lenient/* part */.y_)({ full_name: lenient/* text */.Qq, owner: account });
/** The head of a pull request, as event payloads and GitHub's API describe it. */
const pullRequestHead = (0,lenient/* part */.y_)({ sha: lenient/* text */.Qq, ref: lenient/* text */.Qq, repo: headRepository, user: account });
/**
 * A head's branch as GitHub writes it: `feature` in our repository, `linus:feature` in a fork, so that nobody takes a
 * fork's `main` for ours. Undefined when it is not known whose branch it is.
 *
 * @param ours our repository, as `owner/name`
 */
function branchOfHead(head, ours) {
    const { branch, repository, login } = head;
    if (branch === undefined)
        return undefined;
    if (ours !== undefined && repository?.full_name?.toLowerCase() === ours.toLowerCase())
        return branch;
    const owner = repository?.owner?.login ?? repository?.full_name?.split("/")[0] ?? login;
    return owner === undefined ? undefined : `${owner}:${branch}`;
}

;// CONCATENATED MODULE: ./lib/github/missing-key.js



const payload = schemas/* object */.Ikc({ pull_request: (0,lenient/* part */.y_)({ head: pullRequestHead }) });
/** The events of a pull request that GitHub gives no secrets for when it comes from a fork. */
const WITHOUT_SECRETS = ["pull_request", "pull_request_review", "pull_request_review_comment"];
/** What to do about an API key that is not there, by what started the job. */
function missingKey(runner) {
    return { input: "api-key", problem: `is missing: ${wayOut(runner)}`, missing: true };
}
function wayOut(runner) {
    if (runner.actor === "dependabot[bot]") {
        return "runs that Dependabot started get no secrets but Dependabot's own; set `EVIDENCE_API_KEY` among those";
    }
    if (isOfFork(runner)) {
        return "GitHub gives no secrets to pull requests from forks; leave this step out for them";
    }
    return "set the secret `EVIDENCE_API_KEY`, or pass `api-key`";
}
/** A fork that was deleted since has no name any more. */
function isOfFork({ eventName = "", event, repository = "" }) {
    const { pull_request: pullRequest } = parse/* parse */.qg(payload, event);
    const from = pullRequest?.head?.repo?.full_name ?? "";
    return WITHOUT_SECRETS.includes(eventName) && from.toLowerCase() !== repository.toLowerCase();
}


/***/ })

};
