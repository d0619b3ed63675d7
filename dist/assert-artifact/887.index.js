export const id = 887;
export const ids = [887];
export const modules = {

/***/ 8887:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  explainedByTrails: () => (/* binding */ explainedByTrails)
});

// EXTERNAL MODULE: ./lib/actions/assert-failures.js
var assert_failures = __webpack_require__(9301);
// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 3 modules
var schemas = __webpack_require__(3619);
// EXTERNAL MODULE: ./node_modules/zod/v4/core/parse.js + 1 modules
var parse = __webpack_require__(3945);
// EXTERNAL MODULE: ./node_modules/zod/v4/core/api.js + 1 modules
var api = __webpack_require__(3305);
// EXTERNAL MODULE: ./lib/api/names.js
var names = __webpack_require__(7780);
// EXTERNAL MODULE: ./lib/api/operation.js
var operation = __webpack_require__(2441);
;// CONCATENATED MODULE: ./lib/api/paging.js

/** The most items of a page, where the interface sets no other bound. */
const MAX_PER_PAGE = 100;
/** Pages count from 1. One past the last is empty. */
const pageNumber = schemas/* int */.Whr().check(api/* _gte */.qm(1));
const itemsPerPage = schemas/* int */.Whr().check(api/* _gte */.qm(1), api/* _lte */.Zm(MAX_PER_PAGE));
/** Where a page stands among all. */
const pagination = schemas/* object */.Ikc({
    total: schemas/* int */.Whr(),
    page: schemas/* int */.Whr(),
    per_page: schemas/* int */.Whr(),
    page_count: schemas/* int */.Whr(),
});

// EXTERNAL MODULE: ./lib/api/texts.js
var texts = __webpack_require__(6268);
;// CONCATENATED MODULE: ./lib/api/provenance.js



/** The commit that a submission speaks of. What is not known is absent. */
const gitCommitInfo = schemas/* looseObject */._H3({
    sha1: names/* reference */.ir,
    message: schemas/* nullish */.cl6(texts/* longText */.SW),
    /** `Name <email>` */
    author: schemas/* nullish */.cl6(texts/* shortText */.os),
    author_username: schemas/* nullish */.cl6(texts/* shortText */.os),
    /** The head branch, never a pull request's merge ref. */
    branch: schemas/* nullish */.cl6(texts/* shortText */.os),
    /** Unix seconds. */
    timestamp: schemas/* nullish */.cl6(schemas/* number */.aig()),
    url: schemas/* nullish */.cl6(texts/* addressText */.GI),
    parents: schemas/* nullish */.cl6(schemas/* array */.YOg(texts/* shortText */.os)),
    /** Whether the forge has verified the signature. */
    verified: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
    /** GitHub's enum names: `VALID`, `UNSIGNED`, `UNKNOWN_KEY` … */
    signature_state: schemas/* nullish */.cl6(texts/* shortText */.os),
});
const repoProvider = schemas/* enum */.k5n(["github", "gitlab", "bitbucket", "azure-devops", "circleci"]);
/** The repository that a submission speaks of; it creates or updates the captured repository. */
const repoInfo = schemas/* looseObject */._H3({
    name: names/* reference */.ir,
    url: names/* webAddress */.Dy,
    /** The forge's own id: it outlives a rename. */
    id: schemas/* nullish */.cl6(texts/* shortText */.os),
    description: schemas/* nullish */.cl6(texts/* longText */.SW),
    provider: schemas/* nullish */.cl6(repoProvider),
});

;// CONCATENATED MODULE: ./lib/api/submission.js




/** An address with, where it is known, the sha256 of what it holds. */
const externalUrl = schemas/* strictObject */.rej({ href: names/* webAddress */.Dy, fingerprint: schemas/* nullish */.cl6(names/* fingerprint */.Rj) });
/** Links by label. A plain address is accepted in place of an object. */
const externalUrls = schemas/* record */.g1P(texts/* shortText */.os.check(api/* _regex */.Fk(/^[^=.]+$/)), schemas/* union */.KCZ([externalUrl, names/* webAddress */.Dy]));
const annotations = schemas/* record */.g1P(texts/* shortText */.os.check(api/* _regex */.Fk(/^[A-Za-z0-9_-]+$/)), texts/* longText */.SW);
/** The author's own data, stored as it is. */
const userData = schemas/* union */.KCZ([schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J()), schemas/* array */.YOg(schemas/* unknown */.L5J())]);
/** What trails, artifacts and attestations have in common: where they come from and what they point at. */
const originFields = {
    description: schemas/* nullish */.cl6(texts/* longText */.SW),
    git_commit_info: schemas/* nullish */.cl6(gitCommitInfo),
    repo_info: schemas/* nullish */.cl6(repoInfo),
    external_urls: schemas/* nullish */.cl6(externalUrls),
    user_data: schemas/* nullish */.cl6(userData),
};

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
    git_commit_info: schemas/* nullish */.cl6(gitCommitInfo),
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
    external_urls: schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), externalUrl)),
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
        schema: schemas/* object */.Ikc({ name: names/* trailName */.gZ, ...originFields, origin_url: schemas/* nullish */.cl6(names/* webAddress */.Dy) }),
        files: { template_file: { count: "one" } },
    },
    responses: { 200: schemas/* unknown */.L5J(), 201: schemas/* unknown */.L5J() },
    errors: { 404: "No such flow" },
});
const trailPage = schemas/* looseObject */._H3({ data: schemas/* array */.YOg(trailRecord), pagination: schemas/* nullish */.cl6(pagination) });
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
        page: schemas/* _default */.Rvf(pageNumber, 1),
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
        page: schemas/* _default */.Rvf(pageNumber, 1),
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

// EXTERNAL MODULE: ./lib/api/errors.js
var errors = __webpack_require__(8937);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
;// CONCATENATED MODULE: ./lib/api/exact-numbers.js

/*
 * Numbers that keep their digits. In data of the user `1.10` may be a version, and `9007199254740993` an identifier:
 * both go on as they were written. Where a schema wants a number it gets one.
 */
/**
 * A reviver for `JSON.parse`: a number that `JSON.stringify` would write in another way than its source becomes a
 * value that is written as the source.
 */
function keepDigits(_key, value, { source }) {
    return typeof value === "number" && source !== undefined && source !== String(value)
        ? JSON.rawJSON(source)
        : value;
}
const untouched = (value) => value;
const plans = new WeakMap();
/**
 * A value of the wire with plain numbers wherever the schema names a number; where it takes anything, digits are kept.
 * What has nothing to change is given back as it is, not as a copy.
 */
function plainNumbers(schema, value) {
    return planOf(schema)(value);
}
function planOf(schema) {
    const known = plans.get(schema);
    if (known)
        return known;
    const plan = makePlan(schema);
    plans.set(schema, plan);
    return plan;
}
function makePlan(schema) {
    const inner = innermost(schema);
    if (inner !== schema)
        return planOf(inner);
    const { def } = inner._zod;
    switch (def.type) {
        case "number":
        case "literal":
            return plainNumber;
        case "object": {
            const fields = new Map(Object.entries(def.shape).map(([name, field]) => [name, planOf(field)]));
            if ([...fields.values()].every((plan) => plan === untouched))
                return untouched;
            return (value) => changed(value, (name) => fields.get(name) ?? untouched);
        }
        case "record": {
            const plan = planOf(def.valueType);
            return plan === untouched ? untouched : (value) => changed(value, () => plan);
        }
        case "array": {
            const plan = planOf(def.element);
            if (plan === untouched)
                return untouched;
            return (value) => {
                if (!Array.isArray(value))
                    return value;
                const items = value.map(plan);
                return items.some((item, index) => item !== value[index]) ? items : value;
            };
        }
        case "union": {
            const members = def.options.map(planOf).filter((plan) => plan !== untouched);
            return members.length === 0 ? untouched : (value) => members.reduce((v, plan) => plan(v), value);
        }
        default:
            return untouched;
    }
}
/** A number that keeps its digits as a plain one, which may have fewer; anything else as it is. */
function plainNumber(value) {
    return JSON.isRawJSON(value) ? Number(JSON.stringify(value)) : value;
}
function changed(value, planFor) {
    if (typeof value !== "object" || value === null || Array.isArray(value) || JSON.isRawJSON(value))
        return value;
    let isChanged = false;
    const entries = Object.entries(value).map(([name, item]) => {
        const plain = planFor(name)(item);
        isChanged ||= plain !== item;
        return [name, plain];
    });
    return isChanged ? Object.fromEntries(entries) : value;
}

;// CONCATENATED MODULE: ./lib/evidence/json-syntax.js
/** Deep enough for any data a person or tool writes, and far from the depth at which the parser runs out of stack. */
const MAX_NESTING = 500;
const SPACE = /[ \t\r\n]*/y;
const SCALAR = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const WORD = /[^\s,:[\]{}"]{1,30}|[^\s]/uy;
/**
 * The first place where a text breaks the rules of JSON. `JSON.parse` often does not say where, and it silently keeps
 * only the last of two members with one name, so a repeated name counts as a fault too.
 */
function findJsonFault(text) {
    try {
        new Scanner(text).scan();
        return undefined;
    }
    catch (fault) {
        if (fault instanceof Fault)
            return { ...positionOf(text, fault.offset), problem: fault.message };
        throw fault;
    }
}
class Fault extends Error {
    offset;
    constructor(offset, problem) {
        super(problem);
        this.offset = offset;
    }
}
function positionOf(text, offset) {
    let line = 1;
    let start = 0;
    for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", start)) {
        line += 1;
        start = at + 1;
    }
    let column = 1;
    // Tools write tens of megabytes in one line, so its characters are counted where they are.
    for (let at = start; at < offset; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
        column += 1;
    return { line, column };
}
class Scanner {
    #text;
    #open = [];
    #at = 0;
    #expected = "value";
    constructor(text) {
        this.#text = text;
    }
    scan() {
        if (this.#text.startsWith("\ufeff"))
            throw new Fault(0, "starts with a byte order mark: save it as UTF-8 without one");
        for (;;) {
            this.#take(SPACE);
            const container = this.#open.at(-1);
            const next = this.#text[this.#at];
            if (next === undefined) {
                if (container === undefined && this.#expected === "separator")
                    return;
                throw new Fault(this.#at, "ends too early");
            }
            const mayClose = this.#expected === "separator" || this.#expected.startsWith("first");
            if (mayClose && next === container?.close) {
                this.#at++;
                this.#open.pop();
                this.#expected = "separator";
            }
            else if (this.#expected === "separator") {
                this.#separator(container);
            }
            else if (container?.close === "}" && this.#expected !== "value") {
                this.#name(container);
            }
            else {
                this.#value(next);
            }
        }
    }
    #separator(container) {
        if (container === undefined)
            throw this.#unexpected("after the end of the JSON");
        if (this.#text[this.#at] !== ",")
            throw this.#unexpected(`where ',' or '${container.close}' should be`);
        this.#at++;
        this.#expected = container.close === "}" ? "name" : "value";
    }
    #name({ names }) {
        const start = this.#at;
        if (this.#text[start] !== '"')
            throw this.#unexpected("where a name in double quotes should be");
        this.#string();
        const name = JSON.parse(this.#text.slice(start, this.#at));
        if (names.has(String(name)))
            throw new Fault(start, `has the name ${JSON.stringify(name)} twice`);
        names.add(String(name));
        this.#take(SPACE);
        if (this.#text[this.#at] !== ":")
            throw this.#unexpected("where ':' should be");
        this.#at++;
        this.#expected = "value";
    }
    #value(next) {
        if (next === "{" || next === "[") {
            if (this.#open.length === MAX_NESTING)
                throw new Fault(this.#at, `is nested deeper than ${MAX_NESTING} levels`);
            this.#at++;
            this.#open.push({ close: next === "{" ? "}" : "]", names: new Set() });
            this.#expected = next === "{" ? "first name" : "first value";
            return;
        }
        if (next === '"')
            this.#string();
        else if (!this.#take(SCALAR))
            throw this.#unexpected("where a value should be");
        this.#expected = "separator";
    }
    #string() {
        this.#at++;
        for (;;) {
            // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what JSON strings may not hold
            const special = /["\\\u0000-\u001f]/g;
            special.lastIndex = this.#at;
            const found = special.exec(this.#text);
            this.#at = found?.index ?? this.#text.length;
            if (found === null)
                throw new Fault(this.#at, "ends inside a string");
            if (found[0] === '"') {
                this.#at++;
                return;
            }
            if (found[0] !== "\\")
                throw new Fault(this.#at, "has a line break or other control character in a string");
            if (!this.#take(ESCAPE))
                throw new Fault(this.#at, "has an unknown escape in a string");
        }
    }
    /** Moves past what the pattern matches here; false when it does not match. */
    #take(pattern) {
        pattern.lastIndex = this.#at;
        const found = pattern.exec(this.#text);
        if (found === null)
            return false;
        this.#at += found[0].length;
        return true;
    }
    #unexpected(where) {
        WORD.lastIndex = this.#at;
        return new Fault(this.#at, `has '${WORD.exec(this.#text)?.[0] ?? ""}' ${where}`);
    }
}

// EXTERNAL MODULE: ./lib/evidence/unusable-path.js
var unusable_path = __webpack_require__(832);
;// CONCATENATED MODULE: ./lib/evidence/workspace.js
var __addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});




/** @throws InputError (`workspace`) when there is no such directory. */
async function workspace_openWorkspace(directory, allowOutside = false) {
    const root = resolve(directory);
    try {
        return { root, realRoot: await realpath(root), allowOutside };
    }
    catch (cause) {
        throw new InputError([{ input: "workspace", problem: `'${root}' ${whyUnusable(cause)}` }], { cause });
    }
}
function isInside(path, directory) {
    const way = relative(directory, path);
    return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
function shownIn({ root }, path) {
    return isInside(path, root) ? relative(root, path) || "." : path;
}
/**
 * Says whether a path may be read and sent: a regular file or directory, readable, in the workspace once every link
 * is followed, and not reached through a link into `.git`, where checkouts keep their token. Only what has proved to be
 * a regular file is opened: a FIFO would hang, a device would pour.
 */
async function workspace_checkPath(path, workspace) {
    const shown = shownIn(workspace, path);
    const unusable = (problem, missing = false) => ({
        problem: `'${shown}' ${problem}`,
        missing,
    });
    let isLink = false;
    try {
        const own = await lstat(path);
        isLink = own.isSymbolicLink();
        const realPath = await realpath(path);
        if (!workspace.allowOutside && !isInside(realPath, workspace.realRoot)) {
            return unusable(`is outside the workspace: '${realPath}' is not in '${workspace.realRoot}'`);
        }
        const stats = isLink ? await stat(realPath) : own;
        if (!stats.isFile() && !stats.isDirectory())
            return unusable(`is ${kindOf(stats)}, which cannot be sent`);
        if (isInGit(realPath) && !isInGit(path))
            return unusable(`is a link into .git: '${realPath}'`);
        if (stats.isFile() && (await holdsUnstatedBytes(realPath, stats))) {
            return unusable("gives no size, so it cannot be sent: copy it to a file first");
        }
        return { path, shown, realPath, stats };
    }
    catch (error) {
        // The system has the name in bytes, of which a text can only hold those that are UTF-8.
        if (!isLink && isMissing(error) && path.includes("\ufffd"))
            return unusable("has a name that is not UTF-8, so it cannot be read: rename it");
        if (!isLink || !isMissing(error))
            return unusable(whyUnusable(error), isMissing(error));
        const target = await readlink(path).catch(() => "");
        return unusable(`is a link to '${target}', which does not exist`);
    }
}
/** Whether what is found now is still the very file that was checked, with nothing written to it since. */
function isSameFile(one, other) {
    const facts = ["dev", "ino", "size", "mtimeMs"];
    return other.isFile() && facts.every((fact) => one[fact] === other[fact]);
}
/** Files of `/proc` say that they hold 0 bytes and would be sent as nothing. */
async function holdsUnstatedBytes(path, { size }) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const file = __addDisposableResource(env_1, await open(path, "r"), true);
        if (size > 0)
            return false;
        const { bytesRead } = await file.read(Buffer.alloc(1));
        return bytesRead > 0;
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        const result_1 = __disposeResources(env_1);
        if (result_1)
            await result_1;
    }
}
function isInGit(path) {
    return path.split(sep).includes(".git");
}

;// CONCATENATED MODULE: ./lib/evidence/json-data.js







/**
 * Data given as JSON (it starts with `{` or `[`) or as the path of a JSON file. Numbers keep their digits: `1.10` or a
 * 64-bit integer becomes a value that `JSON.stringify` writes as it was.
 *
 * @throws InputError, under the name of `input`, when the file cannot be used or the text is not a JSON object or
 * array; with line and column where the text breaks the rules.
 */
async function readJsonData(text, { input, workspace }) {
    if (/^\ufeff?[ \t\r\n]*[{[]/.test(text))
        return parseJsonData(text, input);
    const path = text.trim();
    if (path === "")
        throw new InputError([{ input, problem: "is empty" }]);
    const given = await readJsonFile(path, workspace);
    if ("problem" in given)
        throw new InputError([{ input, problem: given.problem }]);
    return parseJsonData(given.json, input, path);
}
/** Parses text that was read already; `path` is where it was, for messages. */
function parseJsonData(json, input, path) {
    const fault = findJsonFault(json);
    if (fault !== undefined) {
        const { line, column, problem } = fault;
        const place = path === undefined ? "" : `'${path}', `;
        const found = path === undefined ? {} : { place: { file: path, line } };
        throw new errors/* InputError */.dz([
            { input, problem: `${place}line ${line}, column ${column}: the JSON ${problem}`, ...found },
        ]);
    }
    const data = JSON.parse(json, keepDigits);
    if (isData(data))
        return data;
    const holder = path === undefined ? "" : `'${path}' `;
    throw new errors/* InputError */.dz([{ input, problem: `${holder}must hold a JSON object or array, not a single value` }]);
}
function isData(value) {
    return typeof value === "object" && value !== null && !JSON.isRawJSON(value);
}
async function readJsonFile(path, workspace) {
    const checked = await checkPath(resolve(workspace, path), await openWorkspace(workspace));
    if ("problem" in checked) {
        const meaning = "it should be JSON that starts with { or [, or the path of a JSON file";
        return { problem: checked.missing ? `${checked.problem}; ${meaning}` : checked.problem };
    }
    if (checked.stats.isDirectory())
        return { problem: `'${path}' is a directory, not a JSON file` };
    if (checked.stats.size > MAX_JSON_PART_BYTES) {
        return { problem: `'${path}' has ${checked.stats.size} bytes; the limit is ${MAX_JSON_PART_BYTES}` };
    }
    const bytes = await readFile(checked.realPath);
    try {
        return { json: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
    }
    catch {
        return { problem: `'${path}' is not UTF-8 text` };
    }
}

;// CONCATENATED MODULE: ./lib/evidence/structured-data.js


const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
/**
 * Data written as JSON or YAML (1.2, core schema). Numbers keep their digits: `1.10` or a 64-bit integer becomes
 * a value that `JSON.stringify` writes as it was, and a key is the text that was written.
 *
 * @throws {InputError} under the name of `input`, with line and column
 */
async function parseStructured(text, { input, path, textsOnly = false }) {
    if (!textsOnly && isJson(text))
        return parseJsonData(text, input, path);
    // Loaded only here: most data is JSON.
    const { isScalar, parseDocument, Scalar, visit } = await __webpack_require__.e(/* import() */ 815).then(__webpack_require__.t.bind(__webpack_require__, 8815, 19));
    const document = parseDocument(text, {
        schema: textsOnly ? "failsafe" : "core",
        intAsBigInt: true,
        prettyErrors: true,
        uniqueKeys: (a, b) => a === b || (isScalar(a) && isScalar(b) && a.source === b.source),
    });
    const [fault] = document.errors;
    if (fault) {
        throw new errors/* InputError */.dz([{ input, problem: describe(fault, path), ...placeOf(fault, path) }]);
    }
    // A scalar may be a key in one place and a value in another, so an alias of it becomes a scalar of its own.
    const named = new Map();
    visit(document, {
        Scalar(key, node) {
            const { anchor, value, source } = node;
            if (anchor !== undefined)
                named.set(anchor, { value, ...(source !== undefined && { source }) });
            node.value = key === "key" ? (source ?? value) : exactNumber(value, source);
        },
        Collection(_key, { anchor }) {
            if (anchor !== undefined)
                named.delete(anchor);
        },
        // What is given back is visited in its turn.
        Alias(_key, { source: anchor }) {
            const scalar = named.get(anchor);
            return scalar && Object.assign(new Scalar(scalar.value), scalar);
        },
    });
    try {
        return withoutBigInts(document.toJS());
    }
    catch (cause) {
        // Aliases that would blow up what little they stand for.
        const place = path === undefined ? {} : { place: { file: path } };
        throw new errors/* InputError */.dz([{ input, problem: "the YAML repeats its aliases too often", ...place }], { cause });
    }
}
function isJson(text) {
    if (!/^\s*[{[]/.test(text))
        return false;
    try {
        JSON.parse(text);
        return true;
    }
    catch {
        return false;
    }
}
/** The parser's message goes on to show the text around, which may be a secret. */
function describe({ message, linePos }, path) {
    const [start] = linePos ?? [];
    const place = start ? `line ${start.line}, column ${start.col}: ` : "";
    const said = (message.split("\n")[0] ?? "").replace(/ at line \d+, column \d+:?$/, "");
    const what = said.startsWith("Maximum call stack") ? "is nested too deeply" : said;
    return `${path === undefined ? "" : `'${path}', `}${place}${what}`;
}
function placeOf({ linePos }, path) {
    const [start] = linePos ?? [];
    return path === undefined ? {} : { place: { file: path, ...(start && { line: start.line }) } };
}
/** A number as it was written, where JSON can write it so: `0x1F` and `.5` become what they mean. */
function exactNumber(value, source) {
    if (typeof value !== "number" && typeof value !== "bigint")
        return value;
    if (source === undefined || !JSON_NUMBER.test(source) || source === String(Number(value)))
        return value;
    return JSON.rawJSON(source);
}
function withoutBigInts(value) {
    if (typeof value === "bigint") {
        return Number.isSafeInteger(Number(value)) ? Number(value) : JSON.rawJSON(String(value));
    }
    if (Array.isArray(value))
        return value.map(withoutBigInts);
    if (typeof value !== "object" || value === null || JSON.isRawJSON(value))
        return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutBigInts(item)]));
}

;// CONCATENATED MODULE: ./lib/actions/trail-template.js



/** Reads each trail once, however often it is asked for. */
function trailReader({ call }) {
    const known = new Map();
    return ({ flow, trail }) => {
        const key = JSON.stringify([flow, trail]);
        const found = known.get(key) ?? call(getTrail, { flowName: flow, trailName: trail }).then((reply) => reply?.body);
        known.set(key, found);
        return found;
    };
}
const rules = schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* looseObject */._H3({ name: schemas/* string */.YjP(), type: schemas/* nullish */.cl6(schemas/* string */.YjP()) })));
/** Nothing is asked for where it says `null`; where it is left out, nobody knows. */
const asked = schemas/* nullable */.mee(schemas/* looseObject */._H3({
    attestations: rules,
    artifacts: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* looseObject */._H3({ name: schemas/* string */.YjP(), attestations: rules }))),
}));
/** What the template of a trail asks for; undefined when the answer does not tell it in a form known here. */
function templateOfTrail({ template }) {
    return slotsIn(template.trail);
}
const listOfNames = schemas/* array */.YOg(schemas/* string */.YjP());
const templateFile = schemas/* looseObject */._H3({ trail: schemas/* unknown */.L5J() });
/** A file of comments only, or one that gives the version of its form and stops there. */
const emptyFile = schemas/* nullable */.mee(schemas/* strictObject */.rej({ version: schemas/* optional */.lqM(schemas/* literal */.euz(1)) }));
/**
 * What the template of a flow asks for: of what is reported without a trail there is no other. Undefined when the
 * answer does not tell it in a form known here.
 *
 * @throws {InputError} when it is not YAML
 */
async function templateOfFlow({ name, template, }) {
    const names = listOfNames.safeParse(template);
    if (names.success)
        return namedOnly(names.data);
    if (typeof template !== "string")
        return undefined;
    const file = await parseStructured(template, { input: `template of flow '${name}'` });
    if (emptyFile.safeParse(file).success)
        return slotsIn(null);
    const { data } = templateFile.safeParse(file);
    return slotsIn(data?.trail);
}
/** A list of names of attestations of any type; with the word `artifact` among them they are about one of that name. */
function namedOnly(names) {
    const attestations = names.filter((name) => name !== "artifact").map((name) => ({ name, type: "*" }));
    return names.includes("artifact")
        ? { attestations: [], artifacts: [{ name: "artifact", attestations }] }
        : { attestations, artifacts: [] };
}
function slotsIn(value) {
    const { success, data } = parse/* safeParse */.xL(asked, value);
    if (!success)
        return undefined;
    return {
        attestations: rulesOf(data?.attestations),
        artifacts: (data?.artifacts ?? []).map(({ name, attestations }) => ({
            name,
            attestations: rulesOf(attestations),
        })),
    };
}
function rulesOf(given) {
    return (given ?? []).map(({ name, type }) => ({ name, type: type ?? "*" }));
}
/** The names by which an artifact is known in a trail. */
function namesInTrail({ complianceStatus }, fingerprint) {
    const artifacts = Object.entries(complianceStatus.artifactsStatuses ?? {});
    return artifacts.filter(([, status]) => status.artifactFingerprint === fingerprint).map(([name]) => name);
}

;// CONCATENATED MODULE: ./lib/api/attestation-type.js
/**
 * Whether a type of attestation is the one that is asked for: `*` asks for any, and types that the service defines
 * are asked for by their short name, so that `system:decision` is a `decision`.
 */
function isOfType(type, asked) {
    return asked === "*" || type === asked || type === `system:${asked}`;
}

;// CONCATENATED MODULE: ./lib/api/nearest.js
/** More suggestions than this confuse. */
const MOST = 3;
/**
 * The names that somebody who wrote this word may have meant, the likeliest first: those that hold it, then those
 * that few changes of a letter lead to. The case of letters does not matter.
 */
function nearest(word, names) {
    const wanted = word.toLowerCase();
    const ranked = [...names].map((name) => ({ name, distance: farness(wanted, name.toLowerCase()) }));
    const tolerable = Math.max(2, Math.floor(wanted.length / 2));
    return ranked
        .filter(({ distance }) => distance <= tolerable)
        .sort((a, b) => a.distance - b.distance || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
        .slice(0, MOST)
        .map(({ name }) => name);
}
/** A part of a name is nearer than anything misspelt, unless it is next to nothing. */
function farness(wanted, name) {
    const distance = editDistance(wanted, name);
    return wanted.length >= 3 && name.includes(wanted) ? Math.min(distance, 0.5) : distance;
}
/** Levenshtein's: how many letters must be added, left out or replaced to turn one text into the other. */
function editDistance(one, other) {
    let row = Array.from({ length: other.length + 1 }, (_, column) => column);
    for (const [index, letter] of Array.from(one).entries()) {
        const next = [index + 1];
        for (let column = 1; column <= other.length; column++) {
            const replaced = (row[column - 1] ?? 0) + (letter === other[column - 1] ? 0 : 1);
            next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
        }
        row = next;
    }
    return row.at(-1) ?? 0;
}

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

;// CONCATENATED MODULE: ./lib/actions/assert-artifact/recorded-instead.js






/**
 * Tells of a missing attestation what was recorded that may have been meant for it. A trail that cannot be read
 * leaves the verdict as it is: it is only less well explained.
 */
async function recordedInstead(assertion, readTrail) {
    const extras = new Map();
    for (const { flow, trail, complianceStatus } of (0,assert_failures/* flowsOf */.z)(assertion)) {
        if (!flow || !trail || !complianceStatus?.attestationsStatuses?.some(assert_failures/* isMissing */.b2))
            continue;
        const read = await readTrail({ flow, trail }).catch(ignored);
        if (read)
            extras.set(keyOf(flow, trail), extrasOf(read, assertion.fingerprint));
    }
    return ({ flow, trail }, slot) => likeliest(slot, extras.get(keyOf(flow, trail)) ?? []);
}
function ignored(error) {
    if (!(0,errors/* isEvidenceError */.sg)(error))
        throw error;
}
function keyOf(flow, trail) {
    return JSON.stringify([flow, trail]);
}
/** What was recorded beyond the template, about the artifact first. */
function extrasOf(trail, fingerprint) {
    const { attestationsStatuses, artifactsStatuses = {} } = trail.complianceStatus;
    const own = new Set(namesInTrail(trail, fingerprint));
    const byArtifact = Object.entries(artifactsStatuses).map(([artifact, status]) => ({
        isOwn: own.has(artifact),
        extras: extrasAmong(status.attestationsStatuses, artifact),
    }));
    return [
        ...byArtifact.flatMap(({ isOwn, extras }) => (isOwn ? extras : [])),
        ...extrasAmong(attestationsStatuses, undefined),
        ...byArtifact.flatMap(({ isOwn, extras }) => (isOwn ? [] : extras)),
    ];
}
function extrasAmong(statuses, artifact) {
    return (statuses ?? [])
        .filter(({ status, unexpected }) => status !== "MISSING" && unexpected === true)
        .map(({ attestationName, attestationType }) => ({
        artifact,
        attestation: attestationName,
        type: attestationType ?? "",
    }));
}
/** One of its name but of another type or about something else, or one of its type with a name much like it. */
function likeliest({ attestationName, attestationType }, extras) {
    const ofType = extras.filter(({ type }) => isOfType(type, attestationType ?? "*"));
    const [near] = nearest(attestationName, ofType.map(({ attestation }) => attestation));
    const found = extras.find(({ attestation }) => attestation === attestationName) ??
        ofType.find(({ attestation }) => attestation === near);
    return found && `'${nameOfSlot(found)}'${found.type === "" ? "" : ` (${found.type})`}`;
}

;// CONCATENATED MODULE: ./lib/api/attestation-record.js


/*
 * What is read of attestations. Services of other ages leave fields out or add some, and one odd record must not make
 * a whole list unreadable: so what was checked when it was sent is not checked again here, only named.
 */
const attestation_record_text = schemas/* nullish */.cl6(schemas/* string */.YjP());
const number = schemas/* nullish */.cl6(schemas/* number */.aig());
/** Links by label, as records show them: older services may give plain addresses. */
const linksByLabel = schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* union */.KCZ([schemas/* looseObject */._H3({ href: schemas/* string */.YjP(), fingerprint: attestation_record_text }), schemas/* string */.YjP()])));
const attestation_record_link = schemas/* nullish */.cl6(schemas/* looseObject */._H3({ href: schemas/* string */.YjP() }));
/** A commit as records show it. */
const commitRecord = schemas/* looseObject */._H3({ ...gitCommitInfo.def.shape, sha1: attestation_record_text });
const testResult = schemas/* looseObject */._H3({
    name: attestation_record_text,
    failures: number,
    errors: number,
    skipped: number,
    total: number,
    /** Seconds. */
    duration: number,
    /** Unix seconds. */
    timestamp: number,
});
const vulnerabilities = schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* looseObject */._H3({
    id: attestation_record_text,
    message: attestation_record_text,
    locations: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* looseObject */._H3({ uri: attestation_record_text, lines: schemas/* optional */.lqM(schemas/* unknown */.L5J()) }))),
    priority_score: number,
})));
const scanResults = schemas/* looseObject */._H3({
    schema_version: number,
    tool: schemas/* nullish */.cl6(schemas/* looseObject */._H3({ name: attestation_record_text, version: attestation_record_text })),
    results: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* looseObject */._H3({
        low_count: number,
        medium_count: number,
        high_count: number,
        low: vulnerabilities,
        medium: vulnerabilities,
        high: vulnerabilities,
    }))),
});
const pullRequest = schemas/* looseObject */._H3({
    url: attestation_record_text,
    /** In the words of the provider: `MERGED`, `OPEN`, `CLOSED` … */
    state: attestation_record_text,
    author: attestation_record_text,
    title: attestation_record_text,
    /** Unix seconds. */
    created_at: number,
    merged_at: number,
    head_ref: attestation_record_text,
    base_ref: attestation_record_text,
    merge_commit: attestation_record_text,
    /** Names alone where an older client sent them. */
    approvers: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* union */.KCZ([schemas/* string */.YjP(), schemas/* looseObject */._H3({ username: attestation_record_text, state: attestation_record_text, timestamp: number })]))),
    commits: schemas/* nullish */.cl6(schemas/* array */.YOg(commitRecord)),
});
const issue = schemas/* looseObject */._H3({
    issue_id: attestation_record_text,
    issue_url: attestation_record_text,
    issue_exists: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
    issue_fields: schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())),
});
/** What some kinds say beyond the others, where artifacts show it as well. */
const kindResults = {
    junit_results: schemas/* nullish */.cl6(schemas/* array */.YOg(testResult)),
    git_provider: attestation_record_text,
    pull_requests: schemas/* nullish */.cl6(schemas/* array */.YOg(pullRequest)),
    jira_results: schemas/* nullish */.cl6(schemas/* array */.YOg(issue)),
};
const snykResults = schemas/* nullish */.cl6(scanResults);
/** An attestation as it was recorded. Which fields it has beyond those of all goes by its type. */
const attestationRecord = schemas/* looseObject */._H3({
    attestation_id: schemas/* string */.YjP(),
    attestation_name: schemas/* string */.YjP(),
    /** A built-in kind, `custom:<name>` or `system:<name>`. */
    attestation_type: schemas/* string */.YjP(),
    is_compliant: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
    /** Unix seconds, fractional. */
    created_at: schemas/* number */.aig(),
    description: attestation_record_text,
    /** Whether evidence files are stored with it. */
    has_audit_package: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
    html_url: attestation_record_text,
    origin_url: attestation_record_text,
    reported_by: attestation_record_text,
    schema_version: number,
    user_data: schemas/* optional */.lqM(schemas/* unknown */.L5J()),
    flow_name: attestation_record_text,
    trail_name: attestation_record_text,
    /** The artifact it is about. */
    artifact_fingerprint: attestation_record_text,
    /** Names of artifacts in the template that it is for. */
    target_artifacts: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* string */.YjP())),
    git_commit_info: schemas/* nullish */.cl6(commitRecord),
    external_urls: linksByLabel,
    annotations: schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())),
    /** Where the service keeps the evidence file; its own business. */
    evidence_archive_path: attestation_record_text,
    /** The sha256 of the one evidence file. */
    evidence_archive_fingerprint: attestation_record_text,
    _links: schemas/* nullish */.cl6(schemas/* looseObject */._H3({ self: attestation_record_link, evidence: attestation_record_link })),
    ...kindResults,
    /** Of `snyk`. */
    processed_snyk_results: snykResults,
    /** Of `sonar`, in the scanner's names. */
    sonar_results: schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())),
    /** Of custom and system types: their name, and the version that judged the data. */
    type_name: attestation_record_text,
    type_version: number,
    attestation_data: schemas/* optional */.lqM(schemas/* unknown */.L5J()),
    /** Why no verdict could be reached, so that it is not compliant. */
    evaluation_error: attestation_record_text,
    /** Of a decision: the identifier of the control. */
    control: attestation_record_text,
    /** Of an override: the attestation whose verdict it replaces, and why. */
    overridden_attestation_id: attestation_record_text,
    original_attestation_type: attestation_record_text,
    new_compliance_status: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
    reason: attestation_record_text,
});

;// CONCATENATED MODULE: ./lib/api/artifact-record.js



/** What was attested about an artifact under one name. */
const artifactEvidence = schemas/* looseObject */._H3({
    evidence_type: schemas/* string */.YjP(),
    is_compliant: schemas/* nullable */.mee(schemas/* boolean */.zMY()),
    build_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    evidence_archive_fingerprint: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    user_data: schemas/* optional */.lqM(schemas/* unknown */.L5J()),
    /** Unix seconds as text. */
    created_at: schemas/* string */.YjP(),
    description: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    /** Whether evidence files are stored with it. */
    has_audit_package: schemas/* boolean */.zMY(),
    evidence_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    evidence_fingerprint: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    commit_sha: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    snyk_results: snykResults,
    ...kindResults,
});
/** Providers come to be supported that are not known here. */
const repoRecord = schemas/* looseObject */._H3({
    name: schemas/* string */.YjP(),
    url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    id: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    description: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    provider: schemas/* nullish */.cl6(schemas/* string */.YjP()),
});
const artifactFields = {
    /** Of this report: an artifact that is reported again has another. */
    id: schemas/* string */.YjP(),
    trail_name: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    /** Its name in the flow template. */
    template_reference_name: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    fingerprint: schemas/* string */.YjP(),
    filename: schemas/* string */.YjP(),
    description: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    git_commit: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    git_commit_info: schemas/* nullish */.cl6(commitRecord),
    repo_info: schemas/* nullish */.cl6(repoRecord),
    commit_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    build_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    repo_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    html_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    api_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    /** Unix seconds as text. */
    created_at: schemas/* string */.YjP(),
    last_modified_at: schemas/* string */.YjP(),
    user_data: schemas/* optional */.lqM(schemas/* unknown */.L5J()),
    external_urls: linksByLabel,
    annotations: schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())),
    state: schemas/* nullish */.cl6(complianceState),
    deployments: schemas/* optional */.lqM(schemas/* array */.YOg(schemas/* unknown */.L5J())),
    releases: schemas/* optional */.lqM(schemas/* array */.YOg(schemas/* unknown */.L5J())),
    /** The latest attestation of each name. */
    evidence: schemas/* optional */.lqM(schemas/* record */.g1P(schemas/* string */.YjP(), artifactEvidence)),
};
const artifactListItem = schemas/* looseObject */._H3(artifactFields);
/** A snapshot of an environment, by its number. */
const runningInstance = schemas/* looseObject */._H3({ environment_name: schemas/* string */.YjP(), snapshot_index: schemas/* int */.Whr() });
const artifactRecord = schemas/* looseObject */._H3({
    ...artifactFields,
    flow_name: schemas/* string */.YjP(),
    /** The names of the attestations that the template asks for. */
    template: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* string */.YjP())),
    /** Why it is in its state. */
    state_info: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    approvals: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* unknown */.L5J())),
    /** Where it runs, by the latest snapshots. */
    running: schemas/* nullish */.cl6(schemas/* array */.YOg(runningInstance)),
    /** Where it ran, each with the last snapshot that had it. */
    exited: schemas/* nullish */.cl6(schemas/* array */.YOg(runningInstance)),
    history: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* looseObject */._H3({ event: schemas/* string */.YjP(), timestamp: schemas/* number */.aig() }))),
    commit_lead_times: schemas/* optional */.lqM(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())),
    build_lead_times: schemas/* optional */.lqM(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())),
});

;// CONCATENATED MODULE: ./lib/api/artifacts.js






const artifactPath = schemas/* object */.Ikc({ flow_name: names/* flowName */.Eo, fingerprint: names/* fingerprintPrefix */.h5 });
const getArtifact = (0,operation/* defineOperation */.h9)({
    name: "getArtifact",
    summary: "Get an artifact of a flow, as it was last reported",
    method: "GET",
    path: "/artifacts/{org}/{flow_name}/fingerprint/{fingerprint}",
    access: "read",
    params: artifactPath,
    query: schemas/* object */.Ikc({
        /** As it was last reported to this trail. */
        trail: schemas/* optional */.lqM(names/* reference */.ir),
        /** As it was last reported to the trail of this attestation. */
        attestation_id: schemas/* optional */.lqM(names/* recordId */.Re),
    }),
    responses: { 200: artifactRecord },
    errors: { 404: "No such flow, trail or artifact" },
});
const getArtifactsByCommit = (0,operation/* defineOperation */.h9)({
    name: "getArtifactsByCommit",
    summary: "Get the artifacts of a flow that were built from a commit, newest first",
    method: "GET",
    path: "/artifacts/{org}/{flow_name}/commit_sha/{commit_sha}",
    access: "read",
    params: schemas/* object */.Ikc({ flow_name: names/* flowName */.Eo, commit_sha: names/* commitShaPrefix */.Ym }),
    query: schemas/* object */.Ikc({ trail: schemas/* optional */.lqM(names/* reference */.ir) }),
    responses: { 200: schemas/* array */.YOg(artifactRecord) },
    errors: { 404: "No such flow or trail" },
});
const artifactPaging = { page: schemas/* _default */.Rvf(pageNumber, 1), per_page: schemas/* _default */.Rvf(itemsPerPage, 15) };
const listArtifacts = (0,operation/* defineOperation */.h9)({
    name: "listArtifacts",
    summary: "List the artifacts, newest first",
    method: "GET",
    path: "/artifacts/{org}",
    access: "read",
    query: schemas/* object */.Ikc({
        flow_name: schemas/* optional */.lqM(names/* flowName */.Eo),
        /** Empty means all, as if it were not given. */
        repo_name: schemas/* optional */.lqM(texts/* shortText */.os),
        ...artifactPaging,
    }),
    responses: { 200: schemas/* array */.YOg(artifactListItem) },
    errors: { 404: "No such flow or repository" },
});
/** Kept for older clients: `listArtifacts` with a `flow_name` answers the same. */
const listFlowArtifacts = (0,operation/* defineOperation */.h9)({
    name: "listFlowArtifacts",
    summary: "List the artifacts of a flow, newest first (deprecated: use listArtifacts)",
    method: "GET",
    path: "/artifacts/{org}/{flow_name}",
    access: "read",
    params: schemas/* object */.Ikc({ flow_name: names/* flowName */.Eo }),
    query: schemas/* object */.Ikc(artifactPaging),
    responses: { 200: schemas/* array */.YOg(artifactListItem) },
    errors: { 404: "No such flow" },
});
/**
 * From here to the artifact's own commit are the commits that it adds. The artifact need not be reported yet.
 */
const getLatestCommit = (0,operation/* defineOperation */.h9)({
    name: "getLatestCommit",
    summary: "Get the commit of the latest other artifact of a flow, from before this one",
    method: "GET",
    path: "/artifacts/{org}/{flow_name}/{fingerprint}/latest_commit",
    access: "read",
    params: artifactPath,
    query: schemas/* object */.Ikc({
        /** Among the artifacts built on this branch. */
        branch: schemas/* optional */.lqM(names/* reference */.ir),
    }),
    responses: { 200: schemas/* object */.Ikc({ latest_commit: schemas/* nullable */.mee(schemas/* string */.YjP()) }) },
    errors: { 404: "No such flow" },
});
/** An audit package of one artifact: `manifest.json`, the artifact and its attestations. */
const getArtifactAuditPackage = (0,operation/* defineOperation */.h9)({
    name: "getArtifactAuditPackage",
    summary: "Download an artifact and its evidence as one archive",
    method: "GET",
    path: "/artifacts/{org}/{flow_name}/{fingerprint}/audit_package",
    access: "read",
    params: artifactPath,
    responses: { 200: operation/* fileAnswer */.HL },
    errors: { 404: "No such flow or artifact" },
});

;// CONCATENATED MODULE: ./lib/api/flows.js






const visibility = schemas/* enum */.k5n(["public", "private"]);
const flowFields = {
    name: names/* flowName */.Eo,
    /** May be empty. */
    description: texts/* longText */.SW,
    visibility: schemas/* _default */.Rvf(visibility, "private"),
};
const createFlow = (0,operation/* defineOperation */.h9)({
    name: "createFlow",
    summary: "Create or update a flow",
    method: "PUT",
    path: "/flows/{org}",
    access: "write",
    body: {
        kind: "json",
        schema: schemas/* object */.Ikc({
            ...flowFields,
            /** Names of the attestations a trail needs; the word `artifact` stands for the artifact itself. */
            template: schemas/* array */.YOg(texts/* shortText */.os.check(api/* _minLength */.m9(1))),
            repo_url: schemas/* nullish */.cl6(schemas/* union */.KCZ([names/* webAddress */.Dy, schemas/* literal */.euz("")])),
        }),
    },
    responses: { 200: schemas/* string */.YjP(), 201: schemas/* string */.YjP() },
});
const createFlowWithTemplate = (0,operation/* defineOperation */.h9)({
    name: "createFlowWithTemplate",
    summary: "Create or update a flow with a template file",
    method: "PUT",
    path: "/flows/{org}/template_file",
    access: "write",
    body: {
        kind: "multipart",
        part: "data_json",
        schema: schemas/* object */.Ikc(flowFields),
        files: { template_file: { count: "one" } },
    },
    responses: { 200: schemas/* string */.YjP(), 201: schemas/* string */.YjP() },
});
const flowRecord = schemas/* looseObject */._H3({
    id: schemas/* optional */.lqM(schemas/* string */.YjP()),
    name: schemas/* string */.YjP(),
    description: schemas/* string */.YjP(),
    visibility,
    /** The name of its organization. */
    org: schemas/* string */.YjP(),
    /** The YAML text of its template; a list of names for a flow that was made with one. */
    template: schemas/* unknown */.L5J(),
    repo_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    tags: schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* string */.YjP())),
    /** Unix seconds: when something was last added to one of its trails. */
    latest_activity_at: schemas/* nullish */.cl6(schemas/* number */.aig()),
    /** The state of the trail that something was last added to. */
    latest_state: schemas/* nullish */.cl6(complianceState),
});
const listFlows = (0,operation/* defineOperation */.h9)({
    name: "listFlows",
    summary: "List the flows in use, sorted by name",
    method: "GET",
    path: "/flows/{org}",
    access: "read",
    query: schemas/* object */.Ikc({
        /** A part of the name. */
        search_by_name: schemas/* optional */.lqM(texts/* shortText */.os),
        case_sensitive: schemas/* _default */.Rvf(schemas/* boolean */.zMY(), true),
        /** Each `key` or `key:value`; a flow has all of them. */
        tag: schemas/* optional */.lqM(schemas/* array */.YOg(texts/* shortText */.os.check(api/* _minLength */.m9(1)))),
        sort: schemas/* _default */.Rvf(schemas/* enum */.k5n(["name", "latest_activity"]), "name"),
        sort_direction: schemas/* _default */.Rvf(schemas/* enum */.k5n(["asc", "desc"]), "asc"),
        /** With `page` or `per_page` the answer is one page, without either it is all flows. */
        page: schemas/* optional */.lqM(pageNumber),
        per_page: schemas/* optional */.lqM(itemsPerPage),
    }),
    responses: {
        200: schemas/* union */.KCZ([
            schemas/* array */.YOg(flowRecord),
            schemas/* looseObject */._H3({ data: schemas/* array */.YOg(flowRecord), pagination: schemas/* nullish */.cl6(pagination) }),
        ]),
    },
});
const getFlow = (0,operation/* defineOperation */.h9)({
    name: "getFlow",
    summary: "Get a flow",
    method: "GET",
    path: "/flows/{org}/{flow_name}",
    access: "read",
    params: schemas/* object */.Ikc({ flow_name: names/* reference */.ir }),
    responses: { 200: flowRecord },
    errors: { 404: "No such flow" },
});
const renameFlow = (0,operation/* defineOperation */.h9)({
    name: "renameFlow",
    summary: "Rename a flow; its old name goes on leading to it until another flow takes it",
    method: "PUT",
    path: "/flows/{org}/{flow_name}/rename",
    access: "write",
    params: schemas/* object */.Ikc({ flow_name: names/* reference */.ir }),
    body: { kind: "json", schema: schemas/* object */.Ikc({ new_name: names/* newFlowName */.Oj }) },
    responses: { 200: schemas/* string */.YjP() },
    errors: { 404: "No such flow" },
});
/**
 * An archived flow is in no list and takes no more trails, artifacts and attestations. What it holds can still be
 * read. Creating a flow of its name takes it into use again, with all that it holds.
 */
const archiveFlow = (0,operation/* defineOperation */.h9)({
    name: "archiveFlow",
    summary: "Take a flow out of use, keeping all that it holds",
    method: "PUT",
    path: "/flows/{org}/{flow_name}/archive",
    access: "write",
    params: schemas/* object */.Ikc({ flow_name: names/* reference */.ir }),
    responses: { 200: schemas/* string */.YjP() },
    errors: { 404: "No such flow" },
});
const getFlowTemplateSchema = (0,operation/* defineOperation */.h9)({
    name: "getFlowTemplateSchema",
    summary: "Get the JSON Schema of flow templates, version 1",
    method: "GET",
    path: "/schemas/flow-template/v1",
    access: "read",
    responses: { 200: schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J()) },
});

;// CONCATENATED MODULE: ./lib/actions/few-at-a-time.js
/** What work gives for each item, in their order, at most `limit` of them under way at a time. */
async function fewAtATime(limit, items, work) {
    const results = [];
    const waiting = items.entries();
    const worker = async () => {
        for (const [index, item] of waiting)
            results[index] = await work(item);
    };
    await Promise.all(Array.from({ length: limit }, worker));
    return results;
}

;// CONCATENATED MODULE: ./lib/actions/assert-artifact/unexpected.js





/** An artifact that many flows know is rare, and one that many of them do not expect is rarer. */
const AT_A_TIME = 4;
/**
 * The flows that know an artifact by a name that their template does not have. Nothing is asked of such an artifact,
 * so it is compliant without any evidence. A template that names no artifact expects none: it judges whatever comes.
 *
 * @throws what a call throws: a gate that cannot tell stays shut
 */
async function unexpectedIn(assertion, readTrail, context) {
    const suspects = (0,assert_failures/* flowsOf */.z)(assertion).filter(assert_failures/* isUnexpected */.QW);
    const failures = await fewAtATime(AT_A_TIME, suspects, async (verdict) => {
        const { asked, reportedAs } = await reportIn(verdict, assertion.fingerprint, readTrail, context);
        const names = asked?.artifacts.map(({ name }) => name);
        return names?.length === 0 ? [] : [failureOf(verdict, names, reportedAs)];
    });
    return failures.flat();
}
async function reportIn({ flow, trail }, fingerprint, readTrail, context) {
    if (!flow)
        return { asked: undefined, reportedAs: [] };
    if (!trail) {
        const inFlow = await context.call(getFlow, { flowName: flow });
        const asked = inFlow && (await templateOfFlow(inFlow.body));
        if (asked?.artifacts.length === 0)
            return { asked, reportedAs: [] };
        const reply = await context.call(getArtifact, { flowName: flow, fingerprint });
        const name = reply?.body.templateReferenceName ?? reply?.body.filename;
        return { asked, reportedAs: name === undefined ? [] : [name] };
    }
    const read = await readTrail({ flow, trail });
    return {
        asked: read && templateOfTrail(read),
        reportedAs: read ? namesInTrail(read, fingerprint) : [],
    };
}
/** A template may name many. */
const MOST_NAMES = 10;
function failureOf({ flow, trail }, names, reportedAs) {
    const where = (0,assert_failures/* placeOf */.$t)(flow, trail);
    const has = names
        ? `the template${where} has the ${names.length === 1 ? "artifact" : "artifacts"} ${quoted(names)}`
        : `the template${where} cannot be read, and the service calls the artifact unexpected there`;
    const how = reportedAs.length > 0 ? `; this one was reported as ${quoted(reportedAs)}` : "";
    const advice = "report it under a name that the template has (attest, kind: artifact), or set allow-unexpected: true";
    return {
        reason: "unexpected",
        text: `${has}${how}${trail || !flow ? "" : ", without a trail"}: ${advice}`,
        ...(flow && { flow }),
        ...(trail && { trail }),
    };
}
function quoted(names) {
    const further = names.length - MOST_NAMES;
    const shown = names.slice(0, MOST_NAMES).map((name) => `'${name}'`);
    return shown.join(", ") + (further > 0 ? ` and ${further} more` : "");
}

;// CONCATENATED MODULE: ./lib/actions/assert-artifact/explained-by-trails.js




/** Why the gate stays shut, with what only the trails can tell of it. Each is read once. */
async function explainedByTrails(assertion, { allowUnexpected }, context) {
    const readTrail = trailReader(context);
    // Who puts an artifact on the allowlist of an environment has named this very one.
    const mayBeUnexpected = allowUnexpected || Boolean(assertion.allowListing);
    const unexpected = mayBeUnexpected ? [] : await unexpectedIn(assertion, readTrail, context);
    const failures = (0,assert_failures/* failuresOf */.dJ)(assertion);
    if (!failures.some(({ reason }) => reason === "missing"))
        return [...unexpected, ...failures];
    const insteadOf = await recordedInstead(assertion, readTrail);
    return [...unexpected, ...(0,assert_failures/* failuresOf */.dJ)(assertion, insteadOf)];
}


/***/ }),

/***/ 832:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   I: () => (/* binding */ kindOf),
/* harmony export */   II: () => (/* binding */ whyUnusable),
/* harmony export */   Ie: () => (/* binding */ faultCode),
/* harmony export */   b2: () => (/* binding */ isMissing)
/* harmony export */ });
/** What something that is not a regular file is, for messages: `a FIFO`. */
function kindOf(stats) {
    if (stats.isDirectory())
        return "a directory";
    if (stats.isFIFO())
        return "a FIFO";
    if (stats.isSocket())
        return "a socket";
    if (stats.isCharacterDevice())
        return "a character device";
    if (stats.isBlockDevice())
        return "a block device";
    return stats.isSymbolicLink() ? "a link" : "a file";
}
const REASONS = new Map([
    ["ENOENT", "does not exist"],
    ["ENOTDIR", "does not exist"],
    ["EACCES", "cannot be read: permission denied"],
    ["EPERM", "cannot be read: permission denied"],
    ["ELOOP", "is a link that leads back to itself"],
    ["ENAMETOOLONG", "is too long for a path"],
]);
/** The system's name of a file system fault, such as `ENOENT`; empty when the error carries none. */
function faultCode(error) {
    return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
function isMissing(error) {
    return ["ENOENT", "ENOTDIR"].includes(faultCode(error));
}
/** Why a path could not be used, to stand after its name: `does not exist`. */
function whyUnusable(error) {
    const code = faultCode(error);
    return REASONS.get(code) ?? `cannot be read (${code === "" ? String(error) : code})`;
}


/***/ })

};
