export const id = 460;
export const ids = [460,496,55];
export const modules = {

/***/ 4055:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   A: () => (/* binding */ remarksOnScan),
/* harmony export */   E: () => (/* binding */ remarksOnTests),
/* harmony export */   annotate: () => (/* binding */ annotate)
/* harmony export */ });
/* harmony import */ var _evidence_scan_results_severity_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6621);
/* harmony import */ var _github_neutral_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1068);


/** The runner shows no more of a kind for one step. */
const MAX_ANNOTATIONS = 10;
/** A title is one line above a text that says more. */
const MAX_TITLE = 200;
/** The failed tests, each on its line where the report tells it. */
function remarksOnTests({ failures, furtherFailures }) {
    const first = failures.map(({ className, name, message, kind, location }) => ({
        title: [className, name].filter(Boolean).join(" › "),
        text: message || (kind === "error" ? "The test broke" : "The test failed"),
        ...(location && { place: location }),
    }));
    return { first, further: furtherFailures };
}
/** The findings that count, each on its line where the scanner tells it. */
function remarksOnScan({ findings, counts, failLevel }) {
    const first = findings
        .filter(({ severity }) => (0,_evidence_scan_results_severity_js__WEBPACK_IMPORTED_MODULE_0__/* .failsAt */ .ZN)(severity, failLevel))
        .map(({ severity, ruleId, tool, message, location }) => ({
        title: `${tool}: ${[severity, ruleId].filter(Boolean).join(" ")}`,
        text: message,
        ...(location && { place: location }),
    }));
    const severities = ["critical", "high", "medium", "low"];
    const all = severities
        .filter((severity) => (0,_evidence_scan_results_severity_js__WEBPACK_IMPORTED_MODULE_0__/* .failsAt */ .ZN)(severity, failLevel))
        .reduce((sum, severity) => sum + counts[severity], 0);
    return { first, further: all - first.length };
}
/**
 * Shows remarks at their places in the sources, as many as the runner lets through.
 *
 * @param reserved how many of those the step needs for itself
 */
function annotate(remarks, { error, info }, reserved = 0) {
    const all = remarks.flatMap(({ first }) => first);
    const shown = all.slice(0, MAX_ANNOTATIONS - reserved);
    for (const { title, text, place } of shown)
        error(text, (0,_github_neutral_js__WEBPACK_IMPORTED_MODULE_1__/* .cut */ .Jj)(title.replace(/\s+/g, " "), MAX_TITLE), place);
    const further = all.length - shown.length + remarks.reduce((sum, each) => sum + each.further, 0);
    if (further > 0)
        info(`… and ${further} more of what failed or was found.`);
}


/***/ }),

/***/ 6460:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  attestManifest: () => (/* binding */ attestManifest)
});

// EXTERNAL MODULE: ./lib/api/errors.js
var errors = __webpack_require__(8937);
// EXTERNAL MODULE: ./lib/github/commit.js + 2 modules
var commit = __webpack_require__(5732);
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

// EXTERNAL MODULE: ./lib/actions/attest/attest-one.js + 4 modules
var attest_one = __webpack_require__(2697);
// EXTERNAL MODULE: ./lib/api/untyped.js
var untyped = __webpack_require__(3013);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./lib/api/operation.js
var operation = __webpack_require__(2441);
// EXTERNAL MODULE: ./lib/evidence/file-limit.js
var file_limit = __webpack_require__(3165);
// EXTERNAL MODULE: ./lib/evidence/workspace.js
var evidence_workspace = __webpack_require__(9844);
;// CONCATENATED MODULE: ./lib/evidence/file-to-send.js







/**
 * One file to send, by its path. Its bytes are read only while they are sent.
 *
 * @throws {InputError} under the name of `input`
 */
async function openFileToSend(path, file) {
    const { realPath, shown } = await regularFile(path, file);
    const content = await openAsBlob(realPath, file.type === undefined ? {} : { type: file.type });
    return { name: basename(path), path: shown, content };
}
/**
 * The text of a file, without the byte order mark some editors begin it with.
 *
 * @throws {InputError} under the name of `input`
 */
async function readTextFile(path, file) {
    const { realPath, shown } = await regularFile(path, file);
    const bytes = await (0,promises_.readFile)(realPath);
    try {
        return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    }
    catch (cause) {
        throw unusable(file, `'${shown}' is not UTF-8 text`, cause);
    }
}
async function regularFile(path, file) {
    const workspace = await (0,evidence_workspace/* openWorkspace */.OH)(file.workspace, file.allowOutside);
    const checked = await (0,evidence_workspace/* checkPath */.Cg)((0,external_node_path_.resolve)(workspace.root, path), workspace);
    if ("problem" in checked)
        throw unusable(file, checked.problem);
    if (checked.stats.isDirectory())
        throw unusable(file, `'${checked.shown}' is a directory, not a file`);
    if (checked.stats.size > operation/* MAX_FILE_BYTES */.gZ) {
        throw unusable(file, (0,file_limit/* oversize */.A)(`'${checked.shown}'`, checked.stats.size));
    }
    return checked;
}
function unusable({ input }, problem, cause) {
    return new errors/* InputError */.dz([{ input, problem }], { cause });
}

// EXTERNAL MODULE: ./lib/evidence/structured-data.js
var structured_data = __webpack_require__(579);
// EXTERNAL MODULE: ./lib/github/action.js
var action = __webpack_require__(1013);
// EXTERNAL MODULE: ./lib/github/inputs.js
var inputs = __webpack_require__(6174);
// EXTERNAL MODULE: ./lib/api/nearest.js
var nearest = __webpack_require__(8258);
;// CONCATENATED MODULE: ./lib/actions/listed-entries.js




/** Enough for any build and any team; more is a mistake. */
const MAX_ENTRIES = 200;
/**
 * The entries of a file: a list by itself, or below the one key that says what is listed.
 *
 * @param what is listed, such as `attestations`
 * @throws {InputError} for anything else
 */
function entriesOf(data, file) {
    const { input, path, what } = file;
    const list = (0,untyped/* isObject */.Gv)(data) && Object.keys(data).join() === what ? data[what] : data;
    if (Array.isArray(list) && list.length > 0 && list.length <= MAX_ENTRIES)
        return list;
    const problem = `'${path}' must list 1 to ${MAX_ENTRIES} ${what}, at the top or below '${what}:'`;
    throw new errors/* InputError */.dz([{ input, problem, place: { file: path } }]);
}
/** The problems of all entries, each with where it is. The file is parsed once more, for the lines. */
async function inEntries(entries, file) {
    if (entries.every(({ problems }) => problems.length === 0))
        return [];
    const { linesOf } = await __webpack_require__.e(/* import() */ 408).then(__webpack_require__.bind(__webpack_require__, 8408));
    const lineOf = await linesOf(file.text);
    const base = Array.isArray(file.data) ? [] : [file.what];
    return entries.flatMap(({ index, name, problems }) => {
        const where = `${file.input}, entry ${index + 1}${name === "" ? "" : ` (${name})`}`;
        return problems.map(({ input: field, problem, missing }) => {
            const line = lineOf([...base, index, field.replace(/^'|'$/g, "")]);
            return {
                input: line === undefined ? where : `${where}, line ${line}`,
                problem: `${field} ${problem}`,
                ...(missing && { missing }),
                place: { file: file.path, ...(line !== undefined && { line }) },
            };
        });
    });
}
/** What is wrong with a field that no entry has, with the one that may be meant. */
function unknownField(name, known) {
    const [best] = (0,nearest/* nearest */.p)(name, known);
    return `is not known here${best === undefined ? "" : `; is '${best}' meant?`}`;
}
/**
 * What an entry takes from the step: the values of inputs that it does not name itself.
 *
 * @param names the inputs that may be taken
 * @param together inputs that say one thing: an entry that names one of them takes none
 */
function inherited(defaults, { names, own, together, }) {
    const hasOwn = [...together].some((name) => own.has(name));
    const keys = new Set(names.filter((name) => !own.has(name) && !(hasOwn && together.has(name))).map(inputs/* inputKey */.sM));
    return Object.fromEntries(Object.entries(defaults).filter(([key]) => keys.has(key)));
}

// EXTERNAL MODULE: ./lib/actions/subject.js
var subject = __webpack_require__(3891);
// EXTERNAL MODULE: ./lib/actions/attest/inputs.js
var attest_inputs = __webpack_require__(9764);
;// CONCATENATED MODULE: ./lib/actions/attest/manifest-file.js









const INPUT = "manifest";
/** Whose values are data of any shape. All others are texts, so that a version `1.10` stays what it is. */
const DATA = new Set(["data", "user-data"]);
/**
 * The attestations that a manifest lists, each with what it does not say itself taken from the step.
 *
 * @throws {InputError} with everything that is wrong with any of them
 */
async function readManifest({ path, workspace, defaults, }) {
    const text = await readTextFile(path, { input: INPUT, workspace });
    const file = { input: INPUT, path, what: "attestations" };
    const data = await (0,structured_data/* parseStructured */.j)(text, file);
    const typed = entriesOf(data, file);
    const texts = entriesOf(await (0,structured_data/* parseStructured */.j)(text, { ...file, textsOnly: true }), file);
    const entries = await Promise.all(texts.map((entry, index) => readEntry(entry, typed[index], defaults)));
    const found = entries.map(({ values: { name = "" }, problems: own }, index) => {
        return { index, name, problems: [...own, ...twinProblems(entries, index)] };
    });
    const problems = await inEntries(found, { ...file, text, data });
    if (problems.length > 0)
        throw new errors/* InputError */.dz(problems);
    return entries.flatMap(({ complete }) => complete ?? []);
}
/**
 * @param entry with every value as the text it is
 * @param typed the same with numbers and the like
 */
async function readEntry(entry, typed, defaults) {
    if (!(0,untyped/* isObject */.Gv)(entry) || !(0,untyped/* isObject */.Gv)(typed))
        return {
            values: { ...defaults, name: undefined },
            problems: [{ input: "it", problem: "is not a mapping" }],
        };
    const problems = [];
    const texts = {};
    for (const [name, value] of Object.entries(entry)) {
        const misplaced = whyNotHere(name);
        if (misplaced !== undefined)
            problems.push({ input: `'${name}'`, problem: misplaced });
        // What is left empty counts as not given, as with the inputs of a step.
        if (misplaced !== undefined || typed[name] === null)
            continue;
        const text = DATA.has(name) ? dataText(typed[name]) : textOf(value);
        if (text === undefined)
            problems.push({ input: name, problem: "must be a text or a list of texts" });
        else if (text.length > 0)
            texts[name] = text;
    }
    const own = (0,inputs/* readInputs */.Ko)(attest_inputs/* attestInputs */.PR, texts, {});
    const named = new Set(Object.keys(texts));
    const values = { ...own.values, ...inherited(defaults, { names: TAKEN, own: named, together: SUBJECT }) };
    const subject = ["fingerprint", "artifact"];
    const given = new Set([...own.given, ...subject.filter((name) => values[name] !== undefined)]);
    const checked = await (0,attest_inputs/* checkAttestation */.Xe)(values, given);
    problems.push(...own.problems);
    return "problems" in checked
        ? { values, problems: [...problems, ...checked.problems] }
        : { values, problems, complete: checked.values };
}
const SECRETS = ["api-key", "github-token"];
function whyNotHere(name) {
    if (SECRETS.includes(name))
        return "has no place in a file: give it to the step";
    if (Object.hasOwn(action/* sharedInputs */.dO, name) || Object.hasOwn(attest_inputs/* stepInputs */.af, name))
        return "is for all of them: give it to the step";
    if (Object.hasOwn(attest_inputs/* attestInputs */.PR, name))
        return undefined;
    return unknownField(name, Object.keys(attest_inputs/* attestInputs */.PR).filter((known) => !SECRETS.includes(known)));
}
/** The text of a value, the items of a list, or a mapping as `name=value` items; undefined for what is deeper. */
function textOf(value) {
    if (typeof value === "string")
        return value;
    const list = Array.isArray(value) ? value.map((item) => [item]) : undefined;
    const items = (0,untyped/* isObject */.Gv)(value) ? Object.entries(value) : list;
    if (!items?.flat().every((part) => typeof part === "string"))
        return undefined;
    return items.map((parts) => parts.join("="));
}
function dataText(value) {
    return typeof value === "string" ? value : JSON.stringify(value ?? "");
}
/** The subject is one thing in several inputs: an entry that names its own takes nothing of the step's. */
const SUBJECT = new Set(Object.keys(subject/* subjectInputs */.CB));
const TAKEN = Object.keys(attest_inputs/* attestInputs */.PR).filter((name) => !attest_inputs/* OF_ONE_ATTESTATION */.Ym.includes(name));
/** Of two attestations of one name and subject only the later would count, and which that is would be chance. */
function twinProblems(entries, index) {
    const own = identity(entries[index]);
    const twin = own === undefined ? -1 : entries.slice(0, index).findIndex((entry) => identity(entry) === own);
    return twin < 0
        ? []
        : [{ input: "name", problem: `is that of entry ${twin + 1}, which is of the same subject` }];
}
function identity(entry) {
    if (entry?.values.name === undefined)
        return undefined;
    const { kind, flow, trail, name, fingerprint, artifact, targetArtifacts } = entry.values;
    const what = kind === "artifact" || kind === "override" ? kind : "";
    return JSON.stringify([what, flow, trail, name, fingerprint, artifact, targetArtifacts]);
}

// EXTERNAL MODULE: ./lib/actions/spool-folder.js
var spool_folder = __webpack_require__(4637);
// EXTERNAL MODULE: ./lib/actions/attest/annotations.js
var annotations = __webpack_require__(4055);
// EXTERNAL MODULE: ./lib/actions/attest/non-compliance.js
var non_compliance = __webpack_require__(8496);
// EXTERNAL MODULE: ./lib/actions/attest/summary.js
var summary = __webpack_require__(2361);
// EXTERNAL MODULE: ./lib/actions/attest/template-check.js
var template_check = __webpack_require__(7790);
;// CONCATENATED MODULE: ./lib/actions/attest/manifest-outcome.js





/** From the least to the most: what several came to is what holds for all of them. */
const STATUSES = ["failed", "dry-run", "skipped", "spooled", "recorded"];
/** The step's outcome: one line for each entry, and a failure when any of them failed. */
function manifestOutcome(results, { expectations, failOnNonCompliant }, context) {
    const done = results.flatMap((result) => ("done" in result ? result.done : []));
    const failed = results.flatMap((result) => ("error" in result ? result : []));
    for (const { values, error } of failed)
        context.info(`'${values.name}' was not recorded: ${error}`);
    const status = STATUSES.find((each) => results.some((result) => statusOf(result) === each)) ?? "failed";
    const remarks = done.flatMap((one) => one.remarks);
    const failure = failureOf(results, failOnNonCompliant ? (0,non_compliance.nonCompliance)(done, context) : undefined);
    // The failure of the step is an annotation too, and must not be the one too many.
    (0,annotations.annotate)(remarks, context, failure ? 1 : 0);
    const compliant = verdictOfAll(results);
    const url = same(done, ({ trailUrl }) => trailUrl);
    return {
        outputs: {
            status,
            compliant,
            expected: expectedOfAll(results, expectations),
            fingerprint: same(done, ({ fingerprint }) => fingerprint ?? ""),
            trail: same(done, ({ trail }) => trail),
            "trail-url": url,
            "request-id": "",
            results: JSON.stringify(results.map((result) => outputOf(result, expectations))),
            ...(0,spool_folder/* spoolOutputs */.AU)(done.some((one) => one.status === "spooled"), context.runner),
        },
        summary: {
            heading: headingOf(results, status),
            mark: compliant === "false" ? "failed" : status === "recorded" ? "passed" : "neutral",
            columns: ["Attestation", "Kind", "Status", "Compliant", "Remarks"],
            // What needs somebody's attention first.
            rows: results.toSorted((a, b) => urgency(b) - urgency(a)).map((result) => rowOf(result, expectations)),
            link: url === "" ? undefined : { text: "Open the trail", url },
        },
        ...(failure && { failure }),
    };
}
/** What failed comes before what is on record and not compliant. */
function failureOf(results, nonCompliant) {
    const failed = results.flatMap((result) => ("error" in result ? result : []));
    if (failed.length === 0)
        return nonCompliant;
    const lines = failed.map(({ values, error }) => `- ${values.name}: ${error}`);
    return {
        title: `${failed.length} of ${results.length} attestations failed`,
        text: [...lines, ...(nonCompliant ? [nonCompliant.text] : [])].join("\n"),
    };
}
/** `false` when the template does not ask for one of them, else `true` only when it is known to ask for all. */
function expectedOfAll(results, expectations) {
    const each = results.map((result) => "done" in result ? expectations.get(result.done)?.expected : undefined);
    if (each.includes(false))
        return "false";
    return each.includes(undefined) ? "" : "true";
}
/** What all have in common; empty when they differ. */
function same(done, of) {
    const [only, ...others] = new Set(done.map(of));
    return others.length === 0 ? (only ?? "") : "";
}
function statusOf(result) {
    return "done" in result ? result.done.status : "failed";
}
/** `true` only when it is known of all; what has no verdict, like an artifact, has no part in it. */
function verdictOfAll(results) {
    const attestations = results.filter((result) => "error" in result || result.values.kind !== "artifact");
    if (attestations.some((result) => "error" in result || result.done.compliant === false))
        return "false";
    const unknown = attestations.some((result) => verdictOf(result) === "");
    return unknown || attestations.length === 0 ? "" : "true";
}
function verdictOf(result) {
    return "done" in result && result.done.compliant !== undefined ? String(result.done.compliant) : "";
}
function outputOf(result, expectations) {
    const { name, kind } = result.values;
    const done = "done" in result ? result.done : undefined;
    return {
        name,
        kind,
        status: statusOf(result),
        compliant: verdictOf(result),
        expected: done ? (0,template_check/* expectedText */.G)(expectations.get(done)) : "",
        fingerprint: done?.fingerprint ?? "",
        trail: done?.trail ?? "",
        "request-id": done?.requestId ?? "",
        error: "error" in result ? result.error : "",
    };
}
function urgency(result) {
    if ("error" in result)
        return 2;
    return result.done.compliant === false ? 1 : 0;
}
/** `8 attestations: recorded, 3 not compliant` */
function headingOf(results, status) {
    const failed = results.filter((result) => "error" in result).length;
    const bad = results.filter((result) => "done" in result && result.done.compliant === false).length;
    const what = failed === 0 ? status : `${failed} failed`;
    const count = `${results.length} ${results.length === 1 ? "attestation" : "attestations"}`;
    return `${count}: ${what}${bad === 0 ? "" : `, ${bad} not compliant`}`;
}
function rowOf(result, expectations) {
    const { name, kind } = result.values;
    if ("error" in result)
        return [name, kind, "failed", "", result.error];
    const { compliant, reason, attachments, status } = result.done;
    const advice = expectations.get(result.done)?.advice;
    const remarks = [reason, advice, (0,summary/* namesText */.cb)(attachments)].filter(Boolean).join("\n");
    return [name, kind, status, (0,summary/* verdictText */.nt)({ compliant, reason: "" }), remarks];
}

;// CONCATENATED MODULE: ./lib/actions/attest/manifest.js







/** Attestations under way at a time: each may hold files of 200 MB open. */
const AT_A_TIME = 8;
/**
 * Records all that a manifest lists: artifacts first, because attestations may be about them, overrides last, because
 * they are about attestations, and all else at once between them. Each has its outcome.
 *
 * @throws {InputError} before anything is sent, with everything that is wrong with any entry
 */
async function attestManifest(path, defaults, context) {
    const workspace = context.runner.workspace ?? process.cwd();
    const entries = await readManifest({ path, workspace, defaults });
    const describe = shared((question) => (0,commit/* describeCommit */.XT)({ ...question, warn: context.warn }));
    const results = new Map();
    for (const wave of inWaves(entries)) {
        await fewAtATime(AT_A_TIME, wave, async (values) => results.set(values, await attempt(values, context, describe)));
    }
    const inOrder = entries.flatMap((values) => results.get(values) ?? []);
    // After all of them: by then the artifacts are known that the attestations are about.
    const made = inOrder.flatMap((result) => ("done" in result ? result : []));
    const expectations = await (0,template_check/* expectationsOf */.x)(made, defaults, context);
    return manifestOutcome(inOrder, { expectations, failOnNonCompliant: defaults.failOnNonCompliant }, context);
}
function inWaves(entries) {
    const artifacts = entries.filter(({ kind }) => kind === "artifact");
    const overrides = entries.filter(({ kind }) => kind === "override");
    return [artifacts, entries.filter((entry) => ![...artifacts, ...overrides].includes(entry)), overrides];
}
async function attempt(values, context, describe) {
    const warn = (text) => context.warn(`${values.name}: ${text}`);
    try {
        return { values, done: await (0,attest_one/* attestOne */.I)(values, { ...context, warn }, describe) };
    }
    catch (error) {
        context.signal.throwIfAborted();
        return { values, error: reasonOf(error) };
    }
}
function reasonOf(error) {
    if (!(0,errors/* isEvidenceError */.sg)(error))
        return error instanceof Error ? error.message : String(error);
    return [error.message, ...error.details, error.advice].filter(Boolean).join("\n");
}
/** Asks once for each commit, however many attestations speak of it. */
function shared(describe) {
    const known = new Map();
    return (question) => {
        const key = JSON.stringify([question.sha, question.token, [...question.redact].sort()]);
        const found = known.get(key) ?? describe(question);
        known.set(key, found);
        return found;
    };
}


/***/ }),

/***/ 8496:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   nonCompliance: () => (/* binding */ nonCompliance)
/* harmony export */ });
/** The failure of a step that was told to fail for what is not compliant; undefined when nothing is. */
function nonCompliance(done, { warn }) {
    for (const { name, kind, status, compliant } of done) {
        if (status === "recorded" && kind !== "artifact" && compliant === undefined)
            warn(`The service does not say how it judges '${name}', so fail-on-non-compliant cannot tell: ask with the action assert-artifact.`);
    }
    const bad = done.filter(({ compliant }) => compliant === false);
    const [first] = bad;
    if (!first)
        return undefined;
    return bad.length === 1
        ? { title: "Not compliant", text: sentence(first) }
        : {
            title: `${bad.length} attestations are not compliant`,
            text: bad.map((one) => `- ${sentence(one)}`).join("\n"),
        };
}
function sentence({ name, reason }) {
    return `'${name}' is not compliant${reason === "" ? "" : `: ${reason}`}`;
}


/***/ }),

/***/ 3013:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Gv: () => (/* binding */ isObject),
/* harmony export */   Nt: () => (/* binding */ asObjects),
/* harmony export */   e1: () => (/* binding */ asText),
/* harmony export */   eB: () => (/* binding */ asObject)
/* harmony export */ });
/* Reading values whose shape nobody promised. Written by hand, not as a schema: there may be 150,000 of them. */
const NOTHING = Object.freeze({});
function isObject(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
/** The object, or an empty one when the value is anything else. */
function asObject(value) {
    return isObject(value) ? value : NOTHING;
}
/** The objects of a list; none when the value is anything else. */
function asObjects(value) {
    return Array.isArray(value) ? value.filter(isObject) : [];
}
/** The text, or an empty one when the value is anything else. */
function asText(value) {
    return typeof value === "string" ? value : "";
}


/***/ }),

/***/ 3165:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   A: () => (/* binding */ oversize)
/* harmony export */ });
/* harmony import */ var _api_operation_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2441);

const MEGABYTE = 1024 * 1024;
/** Says that something is over the limit of a file. Sizes are rounded up, so none reads as the limit itself. */
function oversize(what, bytes, limit = _api_operation_js__WEBPACK_IMPORTED_MODULE_0__/* .MAX_FILE_BYTES */ .gZ) {
    const megabytes = Math.ceil((bytes / MEGABYTE) * 10) / 10;
    return `${what} is ${megabytes.toFixed(1)} MB; the limit is ${limit / MEGABYTE} MB`;
}


/***/ }),

/***/ 6621:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   FL: () => (/* binding */ severityOfScore),
/* harmony export */   XN: () => (/* binding */ sumOf),
/* harmony export */   ZN: () => (/* binding */ failsAt),
/* harmony export */   ng: () => (/* binding */ countSeverities),
/* harmony export */   oC: () => (/* binding */ SEVERITIES),
/* harmony export */   v_: () => (/* binding */ severityOfLevel)
/* harmony export */ });
/** The most severe first. */
const SEVERITIES = ["critical", "high", "medium", "low", "none"];
/** The bands of CVSS 3, which the property `security-severity` of a rule follows. */
function severityOfScore(score) {
    if (score >= 9)
        return "critical";
    if (score >= 7)
        return "high";
    if (score >= 4)
        return "medium";
    return score > 0 ? "low" : "none";
}
const OF_LEVEL = new Map([
    ["error", "high"],
    ["warning", "medium"],
    ["note", "low"],
    ["none", "none"],
]);
/** Of a SARIF level; undefined for what is none. */
function severityOfLevel(level) {
    return OF_LEVEL.get(level);
}
function failsAt(severity, failLevel) {
    return failLevel !== "none" && SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(failLevel);
}
function countSeverities(findings) {
    const counts = { critical: 0, high: 0, medium: 0, low: 0, none: 0 };
    for (const { severity } of findings)
        counts[severity] += 1;
    return counts;
}
function sumOf(counts) {
    const sum = { critical: 0, high: 0, medium: 0, low: 0, none: 0 };
    for (const each of counts)
        for (const severity of SEVERITIES)
            sum[severity] += each[severity];
    return sum;
}


/***/ })

};
