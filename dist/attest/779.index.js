export const id = 779;
export const ids = [779,947];
export const modules = {

/***/ 3779:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  recordPullRequest: () => (/* binding */ recordPullRequest)
});

// EXTERNAL MODULE: ./lib/api/attestation-kinds.js
var attestation_kinds = __webpack_require__(3540);
// EXTERNAL MODULE: ./lib/api/errors.js
var errors = __webpack_require__(8937);
// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js
var schemas = __webpack_require__(4343);
// EXTERNAL MODULE: ./node_modules/zod/v4/core/parse.js + 1 modules
var parse = __webpack_require__(3945);
// EXTERNAL MODULE: ./lib/github/commit-facts.js
var commit_facts = __webpack_require__(6236);
// EXTERNAL MODULE: ./lib/github/lenient.js
var lenient = __webpack_require__(8476);
;// CONCATENATED MODULE: ./lib/github/event-pull-request.js



const payload = schemas/* object */.Ikc({
    pull_request: (0,lenient/* part */.y_)({ number: lenient/* number */.ai, merged: lenient/* flag */.Jt, merge_commit_sha: lenient/* text */.Qq, head: (0,lenient/* part */.y_)({ sha: lenient/* text */.Qq }) }),
    merge_group: (0,lenient/* part */.y_)({ head_sha: lenient/* text */.Qq, head_ref: lenient/* text */.Qq }),
});
/**
 * The number of the pull request that the event itself gives for a commit. GitHub's API links a commit of a merge
 * queue to none before it is merged, but the queue names its branches after the pull requests.
 */
function pullRequestOfEvent(runner, sha) {
    const { pull_request: pullRequest, merge_group: group } = parse/* parse */.qg(payload, runner.event);
    // Until it is merged, this is the commit that GitHub made to try it.
    const merge = pullRequest?.merged ? pullRequest.merge_commit_sha : undefined;
    if ([pullRequest?.head?.sha, merge].some((named) => (0,commit_facts/* asCommitSha */.MG)(named) === sha))
        return pullRequest?.number;
    if ((0,commit_facts/* asCommitSha */.MG)(group?.head_sha) === sha)
        return queued(group?.head_ref);
    return (0,commit_facts/* asCommitSha */.MG)(runner.sha) === sha ? queued(runner.ref) : undefined;
}
/** `refs/heads/gh-readonly-queue/main/pr-7-0123abc…`: the pull request, and what it is queued on. */
function queued(ref = "") {
    const found = /^refs\/heads\/gh-readonly-queue\/.+\/pr-(\d{1,9})-[0-9a-f]+$/.exec(ref)?.[1];
    return found === undefined ? undefined : Number(found);
}

// EXTERNAL MODULE: ./lib/github/neutral.js
var neutral = __webpack_require__(1068);
// EXTERNAL MODULE: ./lib/github/redaction.js
var redaction = __webpack_require__(6990);
;// CONCATENATED MODULE: ./lib/github/pull-request.js


/** The longest message of each commit, in characters: 250 of them go into one submission. */
const MAX_MESSAGE_LENGTH = 2_000;
/**
 * The pull request as an attestation holds it. Its approvers are those whose approval stands: whoever counts them
 * must not count someone who asked for changes.
 */
function describePullRequest(pullRequest, redact = new Set()) {
    const { url, state, author, title, createdAt, mergedAt, headBranch, baseBranch, mergeCommit } = pullRequest;
    const approvals = pullRequest.reviews.filter((review) => review.state === "APPROVED");
    return {
        url,
        state,
        author: redact.has("author") ? redaction/* REDACTED */.XF : author,
        title: redact.has("message") ? redaction/* REDACTED */.XF : title,
        createdAt,
        ...(mergedAt !== undefined && { mergedAt }),
        headRef: redact.has("branch") ? redaction/* REDACTED */.XF : shownBranch(headBranch, redact),
        ...(baseBranch !== undefined && { baseRef: baseBranch }),
        ...(mergeCommit !== undefined && { mergeCommit }),
        approvers: approvals.map(({ username, state: approved, timestamp }) => ({
            username,
            state: approved,
            ...(timestamp !== undefined && { timestamp }),
        })),
        commits: pullRequest.commits.map((commit) => describeCommitOf(pullRequest, commit, redact)),
    };
}
function describeCommitOf({ headBranch }, { sha, url, facts }, redact) {
    const { message, author, authorUsername, ...rest } = facts;
    const info = {
        sha1: sha,
        ...(!redact.has("message") && { message: message && shownMessage(message, redact) }),
        ...(!redact.has("author") && { author, authorUsername }),
        ...(!redact.has("branch") && { branch: shownBranch(headBranch, redact) }),
        url,
        ...rest,
    };
    for (const [name, value] of Object.entries(info))
        if (value === undefined)
            delete info[name];
    return info;
}
function shownBranch(branch, redact) {
    return redact.has("author") ? (0,redaction/* withoutOwner */.k8)(branch) : branch;
}
function shownMessage(message, redact) {
    const shown = redact.has("author") ? (0,redaction/* withoutAuthors */.Bc)(message) : message;
    return (0,neutral/* cut */.Jj)(shown, MAX_MESSAGE_LENGTH).toWellFormed();
}

// EXTERNAL MODULE: ./lib/api/backoff.js
var backoff = __webpack_require__(8004);
;// CONCATENATED MODULE: ./lib/github/authorship.js
/** Everyone who had a hand in a commit: its author, its committer, and the co-authors that its message names. */
function peopleOf({ commit, author, committer }) {
    const people = [
        { username: author?.login, email: commit?.author?.email },
        { username: committer?.login, email: commit?.committer?.email },
        ...coAuthors(commit?.message).map((email) => ({ email })),
    ];
    return people.filter(({ username, email }) => username !== undefined || email !== undefined);
}
/** The e-mail addresses of `Co-authored-by: Name <email>` lines. */
function coAuthors(message = "") {
    return [...message.matchAll(/^co-authored-by:[^<\n]*<([^>\n]+)>[ \t\r]*$/gim)].map(([, email = ""]) => email);
}
/** Joins what the commits say of people: an address with an account in one commit has it in all. */
function writersOf(people) {
    const accounts = new Map();
    for (const { username, email } of people) {
        if (username && email)
            accounts.set(email.toLowerCase(), username.toLowerCase());
    }
    const usernames = new Set();
    const strangers = new Set();
    for (const { username, email = "" } of people) {
        const address = email.toLowerCase();
        const account = username?.toLowerCase() ?? accounts.get(address) ?? accountOfHidden(address);
        if (account !== undefined)
            usernames.add(account);
        else if (address !== "")
            strangers.add(address);
    }
    return { usernames, strangers: [...strangers] };
}
/** The account in an address that GitHub gives to who hides theirs: `1234+ada@users.noreply.github.com`. */
function accountOfHidden(email) {
    return /^(?:\d+\+)?([^@+]+)@users\.noreply\./.exec(email)?.[1];
}

// EXTERNAL MODULE: ./lib/github/commit-record.js
var commit_record = __webpack_require__(7102);
// EXTERNAL MODULE: ./lib/github/github-api.js
var github_api = __webpack_require__(3029);
// EXTERNAL MODULE: ./lib/github/github-fault.js
var github_fault = __webpack_require__(365);
// EXTERNAL MODULE: ./lib/github/head-branch.js
var head_branch = __webpack_require__(3878);
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
    const { user, state, submitted_at, commit_id } = parse/* safeParse */.xL(record, item).data ?? {};
    if (state === undefined || !isState(state))
        return undefined;
    const username = user?.login ?? GHOST;
    const timestamp = (0,commit_facts/* unixSeconds */.Yb)(submitted_at);
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

;// CONCATENATED MODULE: ./lib/github/pull-requests.js










/** For all that is asked of GitHub here, in milliseconds: the pull requests are the evidence, so they are waited for. */
const TIME_LIMIT_MS = 60_000;
/** GitHub links a merged commit to its pull request only after a while. It is waited for this long, in milliseconds. */
const LINK_TIME_LIMIT_MS = 10_000;
/** How often each thing is asked for when GitHub has trouble. */
const ATTEMPTS = 3;
/** The most commits of a pull request that GitHub lists. */
const MAX_COMMITS = 250;
const simple = schemas/* object */.Ikc({
    html_url: lenient/* text */.Qq,
    number: lenient/* number */.ai,
    title: lenient/* text */.Qq,
    state: lenient/* text */.Qq,
    user: (0,lenient/* part */.y_)({ login: lenient/* text */.Qq }),
    created_at: lenient/* text */.Qq,
    merged_at: lenient/* text */.Qq,
    merge_commit_sha: lenient/* text */.Qq,
    head: head_branch/* pullRequestHead */.Ju,
    base: (0,lenient/* part */.y_)({ ref: lenient/* text */.Qq, repo: (0,lenient/* part */.y_)({ full_name: lenient/* text */.Qq }) }),
    /** How many there are; only when the pull request is asked for by its number. */
    commits: lenient/* number */.ai,
});
/**
 * The pull requests that a commit came by, with their commits and reviews. An empty list says that GitHub knows of
 * none, also after the time it may take to link them.
 *
 * @throws the signal's reason when it aborts. Whatever else goes wrong is told as a fault.
 */
function readPullRequests(question) {
    const retry = { attempts: ATTEMPTS, waitMs: question.waitMs ?? backoff/* backoff */.JN };
    return (0,github_api/* askGitHub */.X3)({ timeLimitMs: TIME_LIMIT_MS, retry, ...question }, async (github) => {
        const found = question.number === undefined
            ? await linked(github, question)
            : [await single(github, question.number)];
        const pullRequests = [];
        for (const each of found)
            pullRequests.push(await complete(github, each, question.repository));
        return pullRequests;
    });
}
const PERMISSION = "pull-requests: read";
async function single(github, wanted) {
    const request = {
        path: "/pulls/{number}",
        parameters: { number: wanted },
        permission: PERMISSION,
    };
    return parseSimple(await github.get({ ...request, subject: `pull request #${wanted}` }));
}
/** Asks until a pull request is linked or the time for that is up. */
async function linked(github, question) {
    const { sha, repository, linkTimeLimitMs = LINK_TIME_LIMIT_MS, waitMs = linkWaitMs } = question;
    const request = { path: "/commits/{sha}/pulls", parameters: { sha }, permission: PERMISSION };
    for (let attempt = 1, waited = 0;; attempt++) {
        const left = linkTimeLimitMs - waited;
        const all = (await items(github, { ...request, subject: "commit" })).map(parseSimple);
        const ours = all.filter((each) => isOf(each, repository));
        if (ours.length > 0 || left <= 0)
            return ours;
        const wait = Math.min(waitMs(attempt), left);
        await (0,backoff/* pause */.v7)(wait, github.signal);
        waited += wait;
    }
}
/** The longest wait that the backoff allows: there is no crowd to keep apart. */
function linkWaitMs(attempt) {
    return (0,backoff/* backoff */.JN)(attempt, 1);
}
/** A commit that is shared with a fork is linked to that one's pull requests too. */
function isOf({ base }, repository) {
    const name = base?.repo?.full_name;
    return name === undefined || name.toLowerCase() === repository.toLowerCase();
}
function parseSimple(item) {
    const found = parse/* safeParse */.xL(simple, item).data;
    if (found?.number === undefined)
        throw new github_fault/* GitHubError */.y({ reason: "GitHub's answer is not a pull request" });
    return found;
}
async function complete(github, found, repository) {
    const { number: id, html_url: url, title, head, base } = found;
    const createdAt = (0,commit_facts/* unixSeconds */.Yb)(found.created_at);
    if (id === undefined ||
        url === undefined ||
        title === undefined ||
        head?.ref === undefined ||
        createdAt === undefined) {
        throw new github_fault/* GitHubError */.y({ reason: "GitHub's answer does not describe the pull request" });
    }
    const headSha = (0,commit_facts/* asCommitSha */.MG)(head.sha);
    const from = { branch: head.ref, repository: head.repo, login: head.user?.login };
    const [commits, reviews] = await Promise.all([commitsOf(github, id), reviewsOf(github, id, headSha)]);
    const mergedAt = (0,commit_facts/* unixSeconds */.Yb)(found.merged_at);
    const merged = mergedAt !== undefined;
    const mergeCommit = merged ? (0,commit_facts/* asCommitSha */.MG)(found.merge_commit_sha) : undefined;
    return {
        url,
        number: id,
        title,
        state: merged ? "MERGED" : found.state === "open" ? "OPEN" : "CLOSED",
        author: found.user?.login ?? GHOST,
        createdAt,
        ...(mergedAt !== undefined && { mergedAt }),
        headBranch: (0,head_branch/* branchOfHead */.K3)(from, repository) ?? `${GHOST}:${head.ref}`,
        ...(headSha !== undefined && { headSha }),
        ...(base?.ref !== undefined && { baseBranch: base.ref }),
        ...(mergeCommit !== undefined && { mergeCommit }),
        commits,
        complete: commits.length < MAX_COMMITS || commits.length === (await countOf(github, found)),
        reviews,
    };
}
/** How many commits there are, which a list of pull requests does not tell. */
async function countOf(github, { number: id, commits }) {
    return commits ?? (id === undefined ? undefined : (await single(github, id)).commits);
}
async function commitsOf(github, id) {
    const request = {
        path: "/pulls/{number}/commits",
        parameters: { number: id },
        permission: PERMISSION,
    };
    const records = await items(github, { ...request, subject: `pull request #${id}` });
    return records.map((item) => {
        const record = parse/* safeParse */.xL(commit_record/* commitRecord */.R, item).data;
        const sha = (0,commit_facts/* asCommitSha */.MG)(record?.sha);
        if (record === undefined || sha === undefined) {
            throw new github_fault/* GitHubError */.y({ reason: `GitHub's answer is not the commits of pull request #${id}` });
        }
        return { sha, url: record.html_url, facts: (0,commit_record/* factsOfRecord */.a)(record), people: peopleOf(record) };
    });
}
async function reviewsOf(github, id, headSha) {
    const request = {
        path: "/pulls/{number}/reviews",
        parameters: { number: id },
        permission: PERMISSION,
    };
    return latestReviews(await items(github, { ...request, subject: `pull request #${id}` }), headSha);
}
async function items(github, request) {
    const all = [];
    for await (const page of github.pages(request)) {
        if (!Array.isArray(page))
            throw new github_fault/* GitHubError */.y({ reason: "GitHub's answer is not a list" });
        all.push(...page);
    }
    return all;
}

;// CONCATENATED MODULE: ./lib/github/required-approvals.js


/**
 * Whether enough people approved who wrote none of the commits. Of several pull requests that brought a commit, one
 * with enough approvals is enough; one that was closed without a merge brought nothing.
 *
 * An approval stands until its reviewer asks for changes or it is dismissed, as at GitHub: whether pushes dismiss it
 * is the repository's own setting.
 */
function judgeApprovals(pullRequests, required) {
    const candidates = pullRequests.filter(({ state }) => state !== "CLOSED");
    const verdicts = candidates.map((pullRequest) => judge(pullRequest, required));
    const good = verdicts.find(({ satisfied }) => satisfied);
    if (good)
        return good;
    if (required <= 0)
        return { satisfied: true, approvedBy: [], whyNot: [], strangers: [] };
    if (verdicts.length === 0) {
        const whyNot = ["no pull request, open or merged, holds the commit"];
        return { satisfied: false, approvedBy: [], whyNot, strangers: [] };
    }
    return {
        satisfied: false,
        approvedBy: [...new Set(verdicts.flatMap(({ approvedBy }) => approvedBy))],
        whyNot: verdicts.flatMap(({ whyNot }) => whyNot),
        strangers: [...new Set(verdicts.flatMap(({ strangers }) => strangers))],
    };
}
function judge(pullRequest, required) {
    const writers = writersOf(pullRequest.commits.flatMap(({ people }) => people));
    const counted = pullRequest.reviews.filter((review) => objection(review, writers) === undefined);
    const approvedBy = counted.map(({ username }) => username);
    const { strangers } = writers;
    // Among the commits that GitHub does not list may be one of an approver.
    const satisfied = approvedBy.length >= required && (pullRequest.complete || required <= 0);
    if (satisfied)
        return { satisfied, approvedBy, whyNot: [], strangers };
    const name = `pull request #${pullRequest.number}`;
    const whyNot = [`${name} has ${approvedBy.length} of ${required} approvals by people who wrote none of it`];
    if (!pullRequest.complete)
        whyNot.push(`${name} has more commits than GitHub lists, so who wrote all of them is not known`);
    for (const review of pullRequest.reviews) {
        const why = objection(review, writers);
        // Authors comment on their own work when they answer their reviewers.
        const answered = review.state === "COMMENTED" && isWriter(review, writers);
        if (why !== undefined && !answered)
            whyNot.push(`${review.username} ${why}`);
    }
    return { satisfied, approvedBy, whyNot, strangers };
}
/** Why a review is no approval that counts. */
function objection(review, writers) {
    if (review.state === "CHANGES_REQUESTED")
        return "asked for changes";
    if (review.state === "DISMISSED")
        return "approved or asked for changes, but that was dismissed";
    if (review.state === "COMMENTED")
        return "only commented";
    if (review.bot)
        return "approved, but is a bot";
    if (review.username === GHOST)
        return "approved, but deleted the account, so who it was is not known";
    return isWriter(review, writers) ? "approved, but wrote some of the commits" : undefined;
}
function isWriter({ username }, { usernames }) {
    return usernames.has(username.toLowerCase());
}

// EXTERNAL MODULE: ./lib/actions/attest/data.js
var attest_data = __webpack_require__(9413);
// EXTERNAL MODULE: ./lib/actions/attest/submission.js
var submission = __webpack_require__(3737);
// EXTERNAL MODULE: ./lib/actions/attest/user-data.js
var user_data = __webpack_require__(5247);
;// CONCATENATED MODULE: ./lib/actions/attest/kinds/pull-request.js









/** Records the pull requests that the commit came by: as GitHub tells of them, or as they were given. */
async function recordPullRequest(attestation, context) {
    const { data, requireApprovals, redact } = attestation.values;
    if (data !== undefined)
        return recordGiven(attestation, data, context);
    const found = await pullRequestsOf(attestation, context);
    const judged = found.map((pullRequest) => ({
        pullRequest,
        counts: judgeApprovals([pullRequest], requireApprovals).satisfied,
    }));
    const counted = judged.filter(({ counts }) => counts).map(({ pullRequest }) => pullRequest);
    const { whyNot } = judgeApprovals(found, requireApprovals);
    const { to, fields, attachments, tables } = await (0,submission/* prepareSubmission */.U)(attestation, context);
    const body = {
        ...withUncounted(fields, judged, whyNot),
        gitProvider: "github",
        // The service takes any pull request for compliant: one that does not count must not be among them.
        pullRequests: counted.map((each) => describePullRequest(each, new Set(redact))),
    };
    // What is read with the token is as GitHub has it: no other input holds it.
    const inputs = { pull_requests: { within: "github-token" } };
    const reply = await context.call(attestation_kinds/* attestPullRequest */.AN, { ...to, body }, { fields: inputs });
    const none = found.length === 0 ? "GitHub knows of no pull request for the commit" : whyNot.join("; ");
    return {
        reply,
        attachments,
        compliant: counted.length > 0,
        reason: counted.length > 0 ? "" : none,
        tables: [tableOf(judged, requireApprovals), ...tables],
    };
}
async function recordGiven(attestation, data, context) {
    const names = ["git_provider", "pull_requests"];
    const given = await (0,attest_data/* fieldsOfData */.Pv)(data, attestation_kinds/* attestPullRequest */.AN, names, context);
    const { gitProvider = "github", pullRequests = [] } = given;
    const { to, fields, attachments, tables } = await (0,submission/* prepareSubmission */.U)(attestation, context);
    const body = { ...fields, gitProvider, pullRequests };
    const inputs = { git_provider: { within: "data" }, pull_requests: { within: "data" } };
    const reply = await context.call(attestation_kinds/* attestPullRequest */.AN, { ...to, body }, { fields: inputs });
    const reason = pullRequests.length > 0 ? "" : "no pull request is given";
    return { reply, attachments, compliant: reason === "", reason, tables };
}
async function pullRequestsOf({ values, origin }, context) {
    const { runner, signal } = context;
    const sha = origin.gitCommitInfo?.sha1;
    const { githubToken: token } = values;
    if (sha === undefined || runner.repository === undefined)
        throw problemWith("commit", "is required outside of a workflow run: whose pull requests?");
    if (!token)
        throw problemWith("github-token", "is required: GitHub is asked for the pull requests");
    const { apiUrl, repository, childEnv: env } = runner;
    const number = pullRequestOfEvent(runner, sha);
    const told = await readPullRequests({ apiUrl, repository, token, signal, env, sha, number });
    if ("answer" in told)
        return told.answer;
    const so = "Without them there is nothing to attest.";
    throw problemWith("github-token", told.fault.explain(apiUrl, `no pull requests of commit ${sha}`, so));
}
function problemWith(input, problem) {
    return new errors/* InputError */.dz([{ input, problem }]);
}
/** What was found but does not count is told in the user's data: the interface has no field for it. */
function withUncounted(fields, judged, whyNot) {
    const left = judged.filter(({ counts }) => !counts).map(({ pullRequest }) => pullRequest.url);
    return left.length === 0 ? fields : (0,user_data/* withFacts */.Q)(fields, { pull_requests_not_counted: left, why_not: whyNot });
}
function tableOf(judged, required) {
    const rows = judged.map(({ pullRequest: { number, title, state, reviews }, counts }) => {
        const approvals = reviews.filter((review) => review.state === "APPROVED");
        const approvedBy = approvals.map(({ username }) => username).join(", ");
        return [`#${number} ${title}`, state.toLowerCase(), approvedBy, counts ? "yes" : "no"];
    });
    const columns = ["Pull request", "State", "Approved by", "Approvals suffice"];
    // Without a rule nothing is to be said of it.
    const width = required > 0 ? columns.length : columns.length - 1;
    return { columns: columns.slice(0, width), rows: rows.map((row) => row.slice(0, width)) };
}


/***/ }),

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
