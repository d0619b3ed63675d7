export const id = 583;
export const ids = [583];
export const modules = {

/***/ 9583:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  recordApproval: () => (/* binding */ recordApproval)
});

// EXTERNAL MODULE: ./lib/api/backoff.js
var backoff = __webpack_require__(8004);
// EXTERNAL MODULE: ./lib/api/errors.js
var errors = __webpack_require__(8937);
// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 3 modules
var schemas = __webpack_require__(3619);
// EXTERNAL MODULE: ./lib/api/names.js
var names = __webpack_require__(7780);
// EXTERNAL MODULE: ./lib/api/operation.js
var operation = __webpack_require__(2441);
// EXTERNAL MODULE: ./lib/api/submission.js
var submission = __webpack_require__(9418);
;// CONCATENATED MODULE: ./lib/api/template-match.js
/** The header of an answer that says it. */
const TEMPLATE_MATCH_HEADER = "X-Template-Match";
/** Parsers of HTTP take some kilobytes of headers in all. Names are short, but what a template says of types need not be. */
const MAX_HEADER = 2_000;
/** The header's text. It is ASCII whatever the names are. */
function formatTemplateMatch(match) {
    const { result } = match;
    const nearest = match.result === "unmet" ? Object.entries(match.nearest ?? {}) : [];
    const fields = nearest.filter(([, value]) => value !== undefined);
    const text = new URLSearchParams([["result", result], ...fields]).toString();
    return text.length <= MAX_HEADER ? text : `result=${result}`;
}
/** What the header says; undefined when the service does not send it. */
function readTemplateMatch(header) {
    if (typeof header !== "string")
        return undefined;
    const fields = new URLSearchParams(header);
    const result = fields.get("result");
    if (result === "met" || result === "nothing-asked")
        return { result };
    if (result !== "unmet")
        return undefined;
    const nearest = slotOf(fields);
    return { result, ...(nearest && { nearest }) };
}
function slotOf(fields) {
    const artifact = fields.get("artifact") ?? undefined;
    const attestation = fields.get("attestation");
    const type = fields.get("type");
    if (attestation !== null && type !== null)
        return { artifact, attestation, type };
    return attestation === null && artifact !== undefined ? { artifact } : undefined;
}
/** A slot as users name it: `unit-test`, `app.unit-test`, or `app` for an artifact. */
function nameOfSlot(slot) {
    if (!("attestation" in slot))
        return slot.artifact;
    return slot.artifact === undefined ? slot.attestation : `${slot.artifact}.${slot.attestation}`;
}

;// CONCATENATED MODULE: ./lib/api/attestation-fields.js





/** What an attestation of any kind may say. */
const attestationFields = {
    attestation_name: names/* attestationName */.kA,
    ...submission/* originFields */.uL,
    origin_url: schemas/* nullish */.cl6(names/* webAddress */.Dy),
    /** The artifact it is about; it must have been reported to the trail. */
    artifact_fingerprint: schemas/* nullish */.cl6(names/* fingerprint */.Rj),
    /** Names of artifacts in the template that the attestation is for, before or after they are reported. */
    target_artifacts: schemas/* nullish */.cl6(schemas/* array */.YOg(names/* attestationName */.kA)),
    annotations: schemas/* nullish */.cl6(submission/* annotations */.hk),
};
/** The header of an answer that says how the attestation was judged. */
const COMPLIANT_HEADER = "X-Compliant";
const anySubmission = schemas/* object */.Ikc(attestationFields);
const attestationAnswerHeaders = [TEMPLATE_MATCH_HEADER, COMPLIANT_HEADER];
const trailParams = schemas/* object */.Ikc({ flow_name: names/* reference */.ir, trail_name: names/* reference */.ir });
/** Declares the operation that records attestations of one kind. */
function attestOperation({ name, kind, summary, schema, }) {
    return (0,operation/* defineOperation */.h9)({
        name,
        summary,
        method: "POST",
        path: `/attestations/{org}/{flow_name}/trail/{trail_name}/${kind}`,
        access: "write",
        params: trailParams,
        body: { kind: "multipart", part: "data_json", schema, files: { attachment_file: { count: "many" } } },
        responses: { 201: schemas/* string */.YjP() },
        answerHeaders: attestationAnswerHeaders,
        errors: { 404: "The artifact is not known in that trail", 413: "An attachment is over 10 MB" },
        takesIdempotencyKey: true,
    });
}

;// CONCATENATED MODULE: ./lib/api/generic-attestation.js


// What a step sends stands apart from what is read: building schemas that nobody uses costs each step start-up time.
const genericSubmission = schemas/* strictObject */.rej({ ...attestationFields, is_compliant: schemas/* boolean */.zMY() });
const attestGeneric = attestOperation({
    name: "attestGeneric",
    kind: "generic",
    summary: "Record a generic attestation on a trail or on an artifact of it",
    schema: genericSubmission,
});

// EXTERNAL MODULE: ./lib/github/github-address.js
var github_address = __webpack_require__(1985);
// EXTERNAL MODULE: ./node_modules/zod/v4/core/parse.js + 1 modules
var parse = __webpack_require__(3945);
// EXTERNAL MODULE: ./lib/github/commit-facts.js
var commit_facts = __webpack_require__(6236);
// EXTERNAL MODULE: ./lib/github/github-api.js
var github_api = __webpack_require__(3029);
// EXTERNAL MODULE: ./lib/github/github-fault.js
var github_fault = __webpack_require__(365);
// EXTERNAL MODULE: ./lib/github/lenient.js
var lenient = __webpack_require__(8476);
;// CONCATENATED MODULE: ./lib/github/reviews.js



const record = schemas/* object */.Ikc({
    /** Null for an account that was deleted. */
    user: (0,lenient/* part */.y_)({ login: lenient/* text */.Qq, type: lenient/* text */.Qq }),
    state: lenient/* text */.Qq,
    submitted_at: lenient/* text */.Qq,
    commit_id: lenient/* text */.Qq,
});
/** How GitHub shows whoever deleted their account. */
const GHOST = "ghost";
const DECIDING = new Set(["APPROVED", "CHANGES_REQUESTED", "DISMISSED"]);
/**
 * The word of each reviewer that counts now, from all reviews in the order they were given, which is GitHub's. A
 * later comment takes nothing back from an approval; a dismissal does.
 */
function latestReviews(records, headSha) {
    const latest = new Map();
    for (const item of records) {
        const review = reviewOf(item, headSha);
        if (review === undefined)
            continue;
        const before = latest.get(review.username.toLowerCase());
        if (before && review.state === "COMMENTED" && DECIDING.has(before.state))
            continue;
        latest.set(review.username.toLowerCase(), review);
    }
    return [...latest.values()];
}
/** Undefined for a review that its author has not handed in, and for what is none. */
function reviewOf(item, headSha) {
    const { user, state, submitted_at, commit_id } = z.safeParse(record, item).data ?? {};
    if (state === undefined || !isState(state))
        return undefined;
    const username = user?.login ?? GHOST;
    const timestamp = unixSeconds(submitted_at);
    return {
        username,
        bot: isBot(username, user?.type),
        state,
        ...(timestamp !== undefined && { timestamp }),
        ofHead: headSha !== undefined && commit_id === headSha,
    };
}
function isState(state) {
    return DECIDING.has(state) || state === "COMMENTED";
}
function isBot(username, type) {
    return type === "Bot" || username.endsWith("[bot]");
}

;// CONCATENATED MODULE: ./lib/github/run-approvals.js







/** For the approvals, and again for their times, in milliseconds. */
const TIME_LIMIT_MS = 20_000;
/** How often each thing is asked for when GitHub has trouble. */
const ATTEMPTS = 3;
/** The most deployments of one environment that are looked at: a run has one for each of its jobs and attempts. */
const MAX_DEPLOYMENTS = 20;
const review = schemas/* object */.Ikc({
    state: schemas/* enum */.k5n(["approved", "rejected", "pending"]),
    comment: lenient/* text */.Qq,
    user: (0,lenient/* part */.y_)({ login: lenient/* text */.Qq }),
    environments: (0,lenient/* list */.p_)((0,lenient/* part */.y_)({ name: lenient/* text */.Qq })),
});
/**
 * The approvals of a run of a workflow, as GitHub lists them. Empty when nothing had to be approved or nobody has.
 *
 * @throws the signal's reason when it aborts. Whatever else goes wrong is told as a fault; a missing time only costs
 * a warning.
 */
async function readRunApprovals(question) {
    const retry = { attempts: ATTEMPTS, waitMs: backoff/* backoff */.JN };
    const address = { timeLimitMs: TIME_LIMIT_MS, retry, ...question };
    const told = await (0,github_api/* askGitHub */.X3)(address, (github) => listApprovals(github, question.runId));
    if ("fault" in told)
        return told;
    const releases = await releasesOf(address, approvedOnce(told.answer));
    const answer = told.answer.map((approval) => {
        const times = approval.environments.flatMap((name) => releases.get(name) ?? []);
        return approval.state === "approved" && times.length > 0
            ? { ...approval, releasedAt: Math.min(...times) }
            : approval;
    });
    return { answer };
}
/** The environments that one approval let the run into. Of several, as after a second attempt, none has its own time. */
function approvedOnce(approvals) {
    const all = approvals
        .filter(({ state }) => state === "approved")
        .flatMap(({ environments }) => environments);
    return all.filter((name) => all.indexOf(name) === all.lastIndexOf(name));
}
async function listApprovals(github, runId) {
    const data = await github.get({
        path: "/actions/runs/{run_id}/approvals",
        parameters: { run_id: runId },
        subject: `run ${runId}`,
        permission: "actions: read",
    });
    const found = parse/* safeParse */.xL(schemas/* array */.YOg(review), data).data;
    if (found === undefined)
        throw new github_fault/* GitHubError */.y({ reason: "GitHub's answer is not a list of approvals" });
    return found.map(({ state, comment = "", user, environments = [] }) => ({
        username: user?.login ?? GHOST,
        state,
        comment,
        environments: environments.flatMap((environment) => environment?.name ?? []),
    }));
}
/** When each environment let this run's deployment go on, in Unix seconds, with a limit of time of its own. */
async function releasesOf(address, environments) {
    const { runId, sha, apiUrl, warn } = address;
    const releases = new Map();
    if (sha === undefined || environments.length === 0)
        return releases;
    const told = await (0,github_api/* askGitHub */.X3)(address, async (github) => {
        for (const environment of environments) {
            const time = await releaseOf(github, { runId, sha, environment });
            if (time !== undefined)
                releases.set(environment, time);
        }
    });
    if ("fault" in told) {
        const so = "Approvals are told without the time by which they were given.";
        warn(told.fault.explain(apiUrl, `no deployments of run ${runId}`, so));
    }
    return releases;
}
const deployments = schemas/* array */.YOg(schemas/* object */.Ikc({ id: lenient/* number */.ai }));
const statuses = schemas/* array */.YOg(schemas/* object */.Ikc({ state: lenient/* text */.Qq, created_at: lenient/* text */.Qq, log_url: lenient/* text */.Qq, target_url: lenient/* text */.Qq }));
async function releaseOf(github, { runId, sha, environment }) {
    const subject = "deployment";
    const permission = "deployments: read";
    const listed = await github.get({
        path: "/deployments",
        parameters: { sha, environment, per_page: MAX_DEPLOYMENTS },
        subject,
        permission,
    });
    for (const { id } of parse/* safeParse */.xL(deployments, listed).data ?? []) {
        if (id === undefined)
            continue;
        const data = await github.get({
            path: "/deployments/{id}/statuses",
            parameters: { id, per_page: 100 },
            subject,
            permission,
        });
        const time = endOfWait(parse/* safeParse */.xL(statuses, data).data ?? [], runId);
        if (time !== undefined)
            return time;
    }
    return undefined;
}
/** When a deployment went on after it had waited for an approval, if it is one of the run. */
function endOfWait(given, runId) {
    const ofRun = ({ log_url, target_url }) => `${log_url || target_url || ""}/`.includes(`/actions/runs/${runId}/`);
    if (!given.some(ofRun))
        return undefined;
    // GitHub lists the newest first, and several can be of one second.
    const inOrder = given.map(({ state, created_at }) => ({ state, time: (0,commit_facts/* unixSeconds */.Yb)(created_at) })).reverse();
    const waiting = inOrder.findIndex(({ state }) => state === "waiting");
    return waiting < 0 ? undefined : inOrder.slice(waiting).find(({ state }) => state !== "waiting")?.time;
}

;// CONCATENATED MODULE: ./lib/actions/links.js
/** The page of a trail in the service's web view. */
function trailUrl(connection, flow, trail) {
    const host = connection.baseUrl.replace(/\/api\/v2$/, "");
    const path = [connection.org, "flows", flow, "trails", trail].map(encodeURIComponent).join("/");
    return `${host}/${path}`;
}

// EXTERNAL MODULE: ./lib/actions/origin.js + 1 modules
var actions_origin = __webpack_require__(4029);
;// CONCATENATED MODULE: ./lib/actions/running-commit/approval.js

/** Judges what GitHub lists of a run's approvals for one of the repository's environments. */
function judgeRunApprovals(listed, { environment, startedBy }) {
    const reviews = listed.filter(({ environments }) => environments.some((name) => same(name, environment)));
    const approvals = reviews.filter(({ state }) => state === "approved");
    const counted = approvals.filter((review) => objection(review) === undefined);
    const rejections = reviews.filter(({ state }) => state === "rejected");
    const approvedBy = [...new Set(counted.map(({ username }) => username))];
    const approved = approvedBy.length > 0 && rejections.length === 0;
    return {
        approved,
        approvedBy,
        selfApproved: approved && approvedBy.every((name) => startedBy.some((starter) => same(name, starter))),
        whyNot: approved ? [] : whyNot({ approvals, rejections, approvedBy, environment }),
        reviews,
    };
}
function whyNot({ approvals, rejections, approvedBy, environment }) {
    const reasons = [
        ...rejections.map(({ username }) => `${username} rejected it`),
        ...approvals.flatMap((review) => objection(review) ?? []),
    ];
    if (rejections.length > 0 && approvedBy.length > 0) {
        reasons.push(`${approvedBy.join(", ")} approved it, and GitHub does not say whether before or after: start a new run`);
    }
    if (reasons.length > 0)
        return reasons;
    return [
        `GitHub lists no approval of this run for '${environment}': the environment has no required reviewers, somebody bypassed them, or the job does not name it`,
    ];
}
/** Why an approval does not count. */
function objection({ username }) {
    if (username.endsWith("[bot]"))
        return `${username} approved it, but is a bot`;
    return same(username, GHOST)
        ? "somebody approved it, but deleted the account, so who it was is not known"
        : undefined;
}
/** Accounts and environments are the same in upper and lower case at GitHub. */
function same(a, b) {
    return a.toLowerCase() === b.toLowerCase();
}

;// CONCATENATED MODULE: ./lib/actions/running-commit/record-approval.js








/** How often GitHub is asked before it counts as said that nobody approved: it may know a moment later. */
const record_approval_ATTEMPTS = 4;
/**
 * Records on the candidate's trail what GitHub knows of the approval of this run: compliant when a person approved,
 * not compliant when nobody did. When GitHub does not tell, nothing is recorded.
 */
async function recordApproval(request, context) {
    const { name, flow, trail, candidate, token, redact, comparison } = request;
    const url = trailUrl(context.connection, flow, trail);
    const asked = await askVerdict(request, context);
    if ("failure" in asked)
        return { recorded: false, verdict: undefined, trailUrl: url, failure: asked.failure };
    const { verdict } = asked;
    const origin = await (0,actions_origin/* describeOrigin */.uN)({
        commit: candidate,
        redact: [...redact],
        githubToken: token,
        description: undefined,
        userData: undefined,
        externalUrls: comparison.url === undefined ? {} : { comparison: comparison.url },
        originUrl: undefined,
    }, context);
    const reply = await context.call(attestGeneric, {
        flowName: flow,
        trailName: trail,
        files: {},
        body: {
            attestationName: name,
            isCompliant: verdict.approved,
            ...origin,
            userData: { approval: approvalData(request, verdict, context) },
        },
    });
    const recorded = reply !== undefined;
    if (recorded)
        context.info(`Recorded the approval as '${name}' on trail '${trail}'.`);
    const failure = verdict.approved
        ? "A dry run records no approval, so the gate stays shut."
        : `${verdict.whyNot.join(".\n")}.`;
    return { recorded, verdict, trailUrl: url, ...(!(verdict.approved && recorded) && { failure }) };
}
async function askVerdict({ gitHubEnvironment: environment, token }, { runner, signal, warn }) {
    if (environment === undefined)
        throw missing("github-environment", "is required with record-approval");
    const { runId, sha, actor, triggeringActor } = runner;
    const address = (0,github_address/* gitHubAddress */.C)(runner, token, signal);
    if (address === undefined || runId === undefined) {
        throw missing("github-token", "is required, in a run of a workflow: the approval is GitHub's to tell");
    }
    const startedBy = [actor, triggeringActor].filter((name) => name !== undefined);
    for (let attempt = 1;; attempt++) {
        const told = await readRunApprovals({ ...address, runId, sha, warn });
        if ("fault" in told) {
            const so = "Nothing was recorded: whether somebody approved is not known.";
            return { failure: told.fault.explain(address.apiUrl, `no approvals of run ${runId}`, so) };
        }
        const verdict = judgeRunApprovals(told.answer, { environment, startedBy });
        if (verdict.reviews.length > 0 || attempt >= record_approval_ATTEMPTS)
            return { verdict };
        await (0,backoff/* pause */.v7)((0,backoff/* backoff */.JN)(attempt, 1), signal);
    }
}
function missing(input, problem) {
    return new errors/* InputError */.dz([{ input, problem, missing: true }]);
}
/** The approval as the record holds it: for those who ask later who let this go, and on what grounds. */
function approvalData(request, verdict, { runner }) {
    const { comparison } = request;
    return {
        environment: request.environment,
        github_environment: request.gitHubEnvironment,
        approved_by: verdict.approvedBy,
        self_approved: verdict.selfApproved,
        ...(verdict.whyNot.length > 0 && { why_not: verdict.whyNot }),
        reviews: verdict.reviews.map(({ username, state, comment, releasedAt }) => ({
            username,
            state,
            comment,
            ...(releasedAt !== undefined && { released_at: releasedAt }),
        })),
        run_id: runner.runId,
        run_attempt: runner.runAttempt,
        started_by: runner.triggeringActor ?? runner.actor,
        candidate: request.candidate,
        running_commit: request.running ?? null,
        comparison: comparison.status,
        ...(comparison.aheadBy !== undefined && { ahead_by: comparison.aheadBy }),
    };
}


/***/ })

};
