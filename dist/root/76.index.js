export const id = 76;
export const ids = [76];
export const modules = {

/***/ 1076:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  missingKey: () => (/* binding */ missingKey)
});

// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 3 modules
var schemas = __webpack_require__(3619);
// EXTERNAL MODULE: ./node_modules/zod/v4/core/parse.js + 1 modules
var parse = __webpack_require__(3945);
;// CONCATENATED MODULE: ./lib/github/lenient.js

/*
 * For what GitHub sends: event payloads and answers of its API. They differ between events, releases of GitHub
 * Enterprise and accounts, and nothing of them is required here. A field of another type than expected is as
 * good as absent; it never makes the fields beside it unreadable.
 */
const lenient_text = schemas/* catch */.MfU(schemas/* optional */.lqM(schemas/* string */.YjP()), undefined);
const flag = schemas/* catch */.MfU(schemas/* optional */.lqM(schemas/* boolean */.zMY()), undefined);
const number = schemas/* catch */.MfU(schemas/* optional */.lqM(schemas/* number */.aig()), undefined);
/** An object whose fields are lenient themselves. */
const part = (shape) => schemas/* catch */.MfU(schemas/* optional */.lqM(schemas/* object */.Ikc(shape)), undefined);
/** A list that is of use only when every item is what it should be. */
const list = (item) => z.catch(z.optional(z.array(item)), undefined);

;// CONCATENATED MODULE: ./lib/github/head-branch.js

/** The account that owns a repository, or opened a pull request. */
const account = part({ login: lenient_text });
/** The repository that a head is in. GitHub leaves it empty once a fork is deleted. */
const headRepository = part({ full_name: lenient_text, owner: account });
/** The head of a pull request, as event payloads and GitHub's API describe it. */
const pullRequestHead = part({ sha: lenient_text, ref: lenient_text, repo: headRepository, user: account });
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



const payload = schemas/* object */.Ikc({ pull_request: part({ head: pullRequestHead }) });
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
