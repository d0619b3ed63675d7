export const id = 556;
export const ids = [556];
export const modules = {

/***/ 556:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  gather: () => (/* binding */ gather)
});

// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 3 modules
var schemas = __webpack_require__(3619);
// EXTERNAL MODULE: ./node_modules/zod/v4/core/parse.js + 1 modules
var parse = __webpack_require__(3945);
// EXTERNAL MODULE: ./lib/github/github-api.js
var github_api = __webpack_require__(3029);
// EXTERNAL MODULE: ./lib/github/github-fault.js
var github_fault = __webpack_require__(365);
// EXTERNAL MODULE: ./lib/github/lenient.js
var lenient = __webpack_require__(8476);
;// CONCATENATED MODULE: ./lib/github/environment-protection.js




const answer = schemas/* object */.Ikc({
    protection_rules: (0,lenient/* list */.p_)(schemas/* object */.Ikc({
        type: lenient/* text */.Qq,
        prevent_self_review: lenient/* flag */.Jt,
        wait_timer: lenient/* number */.ai,
        reviewers: (0,lenient/* list */.p_)(schemas/* object */.Ikc({ type: lenient/* text */.Qq, reviewer: (0,lenient/* part */.y_)({ login: lenient/* text */.Qq, slug: lenient/* text */.Qq, name: lenient/* text */.Qq, html_url: lenient/* text */.Qq }) })),
    })),
});
/**
 * The protection rules of an environment of the repository, as GitHub tells them.
 *
 * @throws the signal's reason when it aborts. Whatever else goes wrong is told as a fault.
 */
function readEnvironmentProtection(address, environment) {
    return (0,github_api/* askGitHub */.X3)(address, async (github) => {
        const data = await github.get({
            path: "/environments/{environment}",
            parameters: { environment },
            subject: `environment '${environment}'`,
            permission: "actions: read",
        });
        const rules = parse/* safeParse */.xL(answer, data).data?.protection_rules;
        if (rules === undefined)
            throw new github_fault/* GitHubError */.y({ reason: "GitHub's answer is not an environment" });
        const approval = rules.find(({ type }) => type === "required_reviewers");
        if (approval !== undefined && approval.reviewers === undefined) {
            throw new github_fault/* GitHubError */.y({ reason: "GitHub's answer does not tell who reviews" });
        }
        return {
            reviewers: (approval?.reviewers ?? []).map(({ type, reviewer }) => ({
                type: type === "Team" ? "team" : "user",
                name: reviewer?.login ?? reviewer?.slug ?? reviewer?.name ?? "",
                ...(reviewer?.html_url !== undefined && { url: reviewer.html_url }),
            })),
            preventsSelfReview: approval?.prevent_self_review ?? false,
            waitMinutes: rules.find(({ type }) => type === "wait_timer")?.wait_timer ?? 0,
        };
    });
}

// EXTERNAL MODULE: ./lib/github/github-address.js
var github_address = __webpack_require__(1985);
// EXTERNAL MODULE: ./lib/api/paging.js
var paging = __webpack_require__(7098);
// EXTERNAL MODULE: ./node_modules/zod/v4/core/api.js + 1 modules
var api = __webpack_require__(3305);
// EXTERNAL MODULE: ./lib/api/names.js
var names = __webpack_require__(7780);
// EXTERNAL MODULE: ./lib/api/operation.js
var operation = __webpack_require__(2441);
// EXTERNAL MODULE: ./lib/api/submission.js
var submission = __webpack_require__(9418);
// EXTERNAL MODULE: ./lib/api/texts.js
var texts = __webpack_require__(6268);
// EXTERNAL MODULE: ./lib/api/provenance.js
var provenance = __webpack_require__(3981);
;// CONCATENATED MODULE: ./lib/api/trail-record.js



const complianceState = schemas/* enum */.k5n(["INCOMPLETE", "COMPLIANT", "NON-COMPLIANT"]);
const attestationStatus = schemas/* looseObject */._H3({
    attestation_name: schemas/* string */.YjP(),
    /** A kind of attestation; while missing, the one that is asked for, `*` for any. */
    attestation_type: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    attestation_id: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    /** The attestation that this one overrides. */
    overridden_attestation_id: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    status: schemas/* nullish */.cl6(schemas/* enum */.k5n(["MISSING", "COMPLETE"])),
    /** Null while missing. */
    is_compliant: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
    /** Not asked for by the template. */
    unexpected: schemas/* optional */.lqM(schemas/* boolean */.zMY()),
});
const artifactStatus = schemas/* looseObject */._H3({
    artifact_fingerprint: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    artifact_id: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    status: schemas/* enum */.k5n(["MISSING", "INCOMPLETE", "COMPLIANT", "NON-COMPLIANT"]),
    is_compliant: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
    attestations_statuses: schemas/* optional */.lqM(schemas/* array */.YOg(attestationStatus)),
    unexpected: schemas/* optional */.lqM(schemas/* boolean */.zMY()),
    /** Unix seconds. */
    evaluated_at: schemas/* nullish */.cl6(schemas/* number */.aig()),
    flow_template_id: schemas/* nullish */.cl6(schemas/* string */.YjP()),
});
/** What a trail holds of what is asked of it. */
const trailStatus = schemas/* looseObject */._H3({
    status: complianceState,
    is_compliant: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
    attestations_statuses: schemas/* optional */.lqM(schemas/* array */.YOg(attestationStatus)),
    /** By the name in the template. */
    artifacts_statuses: schemas/* optional */.lqM(schemas/* record */.g1P(schemas/* string */.YjP(), artifactStatus)),
    /** Unix seconds. */
    evaluated_at: schemas/* nullish */.cl6(schemas/* number */.aig()),
    flow_template_id: schemas/* nullish */.cl6(schemas/* string */.YjP()),
});
const trailRecord = schemas/* looseObject */._H3({
    name: schemas/* string */.YjP(),
    description: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    git_commit_info: schemas/* nullish */.cl6(provenance/* gitCommitInfo */.Or),
    origin_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    user_data: schemas/* optional */.lqM(schemas/* unknown */.L5J()),
    repo_ids: schemas/* optional */.lqM(schemas/* array */.YOg(schemas/* string */.YjP())),
    /** Unix seconds, fractional. */
    last_modified_at: schemas/* number */.aig(),
    created_at: schemas/* number */.aig(),
    compliance_status: trailStatus,
    template: schemas/* looseObject */._H3({
        version: schemas/* optional */.lqM(schemas/* number */.aig()),
        trail: schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())),
        /** The template as its author wrote it. */
        content: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    }),
    compliance_state: complianceState,
    is_compliant: schemas/* boolean */.zMY(),
    /** What happened to it, oldest first. Lists leave it out: there may be any number of events. */
    events: schemas/* optional */.lqM(schemas/* array */.YOg(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J()))),
    created_by: schemas/* string */.YjP(),
    flow: schemas/* looseObject */._H3({ name: schemas/* string */.YjP(), tags: schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* string */.YjP())) }),
    external_urls: schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), submission/* externalUrl */.z)),
    html_url: schemas/* string */.YjP(),
});

;// CONCATENATED MODULE: ./lib/api/trails.js







const beginTrail = (0,operation/* defineOperation */.h9)({
    name: "beginTrail",
    summary: "Begin a trail, or update the fields that are given",
    method: "PUT",
    path: "/trails/{org}/{flow_name}",
    access: "write",
    params: schemas/* object */.Ikc({ flow_name: names/* reference */.ir }),
    body: {
        kind: "multipart",
        part: "data_json",
        schema: schemas/* object */.Ikc({ name: names/* trailName */.gZ, ...submission/* originFields */.uL, origin_url: schemas/* nullish */.cl6(names/* webAddress */.Dy) }),
        files: { template_file: { count: "one" } },
    },
    responses: { 200: schemas/* unknown */.L5J(), 201: schemas/* unknown */.L5J() },
    errors: { 404: "No such flow" },
});
const trailPage = schemas/* looseObject */._H3({ data: schemas/* array */.YOg(trailRecord), pagination: schemas/* nullish */.cl6(paging/* pagination */.X$) });
/** The most trails of an answer, be it asked for in pages or not: the interface sets no bound. */
const MAX_TRAILS = 1_000;
const trailsPerPage = schemas/* int */.Whr().check(api/* _gte */.qm(1), api/* _lte */.Zm(MAX_TRAILS));
/** `key=value` */
const flowTag = texts/* shortText */.os.check(api/* _regex */.Fk(/^[a-zA-Z0-9][a-zA-Z0-9\-_.~]*=.*$/s));
const getTrail = (0,operation/* defineOperation */.h9)({
    name: "getTrail",
    summary: "Get a trail with its compliance and its events",
    method: "GET",
    path: "/trails/{org}/{flow_name}/{trail_name}",
    access: "read",
    params: schemas/* object */.Ikc({ flow_name: names/* reference */.ir, trail_name: names/* reference */.ir }),
    responses: { 200: trailRecord },
    errors: { 404: "No such flow or trail" },
});
/** Without `per_page` the answer is a plain list, of at most {@link MAX_TRAILS} trails a page. */
const listFlowTrails = (0,operation/* defineOperation */.h9)({
    name: "listFlowTrails",
    summary: "List the trails of a flow, newest first",
    method: "GET",
    path: "/trails/{org}/{flow_name}",
    access: "read",
    params: schemas/* object */.Ikc({ flow_name: names/* reference */.ir }),
    query: schemas/* object */.Ikc({
        /** What the trails are. */
        compliance_state: schemas/* optional */.lqM(complianceState),
        page: schemas/* _default */.Rvf(paging/* pageNumber */.PW, 1),
        per_page: schemas/* optional */.lqM(trailsPerPage),
    }),
    responses: { 200: schemas/* union */.KCZ([schemas/* array */.YOg(trailRecord), trailPage]) },
    errors: { 404: "No such flow" },
});
const listTrails = (0,operation/* defineOperation */.h9)({
    name: "listTrails",
    summary: "List the trails of all flows, newest first",
    method: "GET",
    path: "/trails/{org}",
    access: "read",
    query: schemas/* object */.Ikc({
        /** The name of a flow. */
        flow: schemas/* optional */.lqM(names/* reference */.ir),
        /** Of flows with this tag: `key=value`. */
        flow_tag: schemas/* optional */.lqM(flowTag),
        /** That an artifact of this fingerprint was reported to. */
        fingerprint: schemas/* optional */.lqM(names/* fingerprintPrefix */.h5),
        /** What the trails are. */
        compliance_state: schemas/* optional */.lqM(complianceState),
        page: schemas/* _default */.Rvf(paging/* pageNumber */.PW, 1),
        per_page: schemas/* _default */.Rvf(trailsPerPage, 20),
    }),
    responses: { 200: trailPage },
    errors: { 404: "No such flow" },
});
/**
 * A gzip tar of the trail, its artifacts, its attestations and every file attached to them. `manifest.json` in it
 * gives the sha256 of each. Packing the same records twice gives the same bytes.
 */
const getTrailAuditPackage = (0,operation/* defineOperation */.h9)({
    name: "getTrailAuditPackage",
    summary: "Download all that a trail holds as one archive",
    method: "GET",
    path: "/trails/{org}/{flow_name}/{trail_name}/audit_package",
    access: "read",
    params: schemas/* object */.Ikc({ flow_name: names/* reference */.ir, trail_name: names/* reference */.ir }),
    responses: { 200: operation/* fileAnswer */.HL },
    errors: { 404: "No such flow or trail" },
});

;// CONCATENATED MODULE: ./lib/actions/running-commit/evidence.js


/** Pages of trails that are gone through; what is on no page of them is not known. */
const MAX_PAGES = 5;
/** How much the clocks of those who commit may be ahead, in seconds. */
const CLOCK_SKEW = 86_400;
/** The evidence of commits, from the trails of a flow: few requests, however many commits there are. */
async function evidenceOf(commits, flow, context) {
    const found = new Map();
    const wanted = new Set(commits.map(({ sha }) => sha));
    const since = Math.min(...commits.map(({ timestamp = -Infinity }) => timestamp)) - CLOCK_SKEW;
    let complete = wanted.size === 0;
    for (let page = 1; page <= MAX_PAGES && !complete; page++) {
        const reply = await context.call(listFlowTrails, { flowName: flow, page, perPage: paging/* MAX_PER_PAGE */.Vg });
        if (reply === undefined)
            break;
        const { body } = reply;
        const trails = Array.isArray(body) ? body : body.data;
        for (const trail of trails)
            note(trail, wanted, found);
        const last = trails.at(-1);
        const isLast = Array.isArray(body) || page >= (body.pagination?.pageCount ?? page);
        // Newest first, and no trail is begun before its commit.
        const outOfTime = last !== undefined && last.createdAt < since;
        complete = isLast || outOfTime || commits.every(({ sha }) => found.get(sha)?.trail === sha);
    }
    return (sha) => found.get(sha) ?? { state: complete ? "NONE" : "UNKNOWN" };
}
/** A trail that is named after its commit speaks for it; of others, the newest. */
function note(trail, wanted, found) {
    const { name, complianceState: state, gitCommitInfo, htmlUrl } = trail;
    const sha = wanted.has(name) ? name : gitCommitInfo?.sha1;
    if (sha === undefined || !wanted.has(sha))
        return;
    if (name === sha || !found.has(sha))
        found.set(sha, { state, trail: name, trailUrl: htmlUrl });
}

;// CONCATENATED MODULE: ./lib/actions/running-commit/findings.js



/** Gathers what stands behind the commits that the candidate would add, and who must approve. */
async function gather(question, context) {
    const { flow, candidate } = question;
    const commits = question.comparison.commits.toReversed();
    const [pullRequestsOf, evidence, protection] = await Promise.all([
        pullRequests(commits.map(({ sha }) => sha), question, context),
        // Of a long comparison only the first commits are listed, without the candidate.
        evidenceOf(commits.some(({ sha }) => sha === candidate) ? commits : [{ sha: candidate }, ...commits], flow, context),
        protectionOf(question, context),
    ]);
    return {
        changes: commits.map((commit) => {
            const found = pullRequestsOf.get(commit.sha);
            return { commit, ...(found && { pullRequests: found }), evidence: evidence(commit.sha) };
        }),
        candidateEvidence: evidence(candidate),
        protection,
    };
}
async function pullRequests(commits, { token }, { runner, signal, warn }) {
    const address = (0,github_address/* gitHubAddress */.C)(runner, token, signal);
    if (address === undefined || commits.length === 0)
        return new Map();
    const { pullRequestsOfCommits } = await __webpack_require__.e(/* import() */ 183).then(__webpack_require__.bind(__webpack_require__, 1183));
    return pullRequestsOfCommits({ ...address, commits, warn });
}
async function protectionOf({ gitHubEnvironment, token }, { runner, signal, warn }) {
    const address = (0,github_address/* gitHubAddress */.C)(runner, token, signal);
    if (address === undefined || gitHubEnvironment === undefined)
        return undefined;
    const told = await readEnvironmentProtection(address, gitHubEnvironment);
    if ("answer" in told)
        return told.answer;
    const what = `no reviewers of environment '${gitHubEnvironment}'`;
    warn(told.fault.explain(address.apiUrl, what, "Who must approve is not known."));
    return undefined;
}


/***/ })

};
