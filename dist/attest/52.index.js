export const id = 52;
export const ids = [52,55,4];
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

/***/ 2052:
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
var attest_one = __webpack_require__(959);
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

// EXTERNAL MODULE: ./lib/evidence/json-data.js
var json_data = __webpack_require__(9004);
;// CONCATENATED MODULE: ./lib/evidence/structured-data.js


/**
 * Data written as JSON or YAML (1.2, core schema). Whole numbers that a JavaScript number cannot hold keep their
 * digits: they become values that `JSON.stringify` writes as they were.
 *
 * @throws {InputError} under the name of `input`, with line and column
 */
async function parseStructured(text, { input, path, textsOnly = false }) {
    if (!textsOnly && isJson(text))
        return (0,json_data/* parseJsonData */.S)(text, input, path);
    // Loaded only here: most data is JSON.
    const { parseDocument } = await __webpack_require__.e(/* import() */ 815).then(__webpack_require__.t.bind(__webpack_require__, 8815, 19));
    const document = parseDocument(text, {
        schema: textsOnly ? "failsafe" : "core",
        intAsBigInt: true,
        prettyErrors: true,
    });
    const [fault] = document.errors;
    if (fault)
        throw new errors/* InputError */.dz([{ input, problem: describe(fault, path) }]);
    try {
        return withPlainNumbers(document.toJS());
    }
    catch (cause) {
        // Aliases that would blow up what little they stand for.
        throw new errors/* InputError */.dz([{ input, problem: "the YAML repeats its aliases too often" }], { cause });
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
function withPlainNumbers(value) {
    if (typeof value === "bigint") {
        return Number.isSafeInteger(Number(value)) ? Number(value) : JSON.rawJSON(String(value));
    }
    if (Array.isArray(value))
        return value.map(withPlainNumbers);
    if (typeof value !== "object" || value === null)
        return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withPlainNumbers(item)]));
}

// EXTERNAL MODULE: ./lib/github/action.js
var action = __webpack_require__(1013);
// EXTERNAL MODULE: ./lib/github/inputs.js
var inputs = __webpack_require__(6174);
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
    throw new errors/* InputError */.dz([{ input, problem }]);
}
/** The problems of one entry, each with where it is. */
function inEntry(problems, place) {
    const name = place.name === "" ? "" : ` (${place.name})`;
    const where = `${place.input}, entry ${place.index + 1}${name}`;
    return problems.map(({ input, problem }) => ({ input: where, problem: `${input} ${problem}` }));
}
/** What is wrong with a field that no entry has, with the one that may be meant. */
function unknownField(name, known) {
    const [best] = nearest(name, known);
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
async function readManifest({ path, workspace, defaults }) {
    const text = await readTextFile(path, { input: INPUT, workspace });
    const typed = await listIn(text, path, false);
    const entries = (await listIn(text, path, true)).map((entry, index) => readEntry(entry, typed[index], defaults));
    const problems = entries.flatMap(({ values: { name = "" }, problems: own }, index) => {
        return inEntry([...own, ...twinProblems(entries, index)], { input: INPUT, index, name });
    });
    if (problems.length > 0)
        throw new errors/* InputError */.dz(problems);
    return entries.map(({ values }) => values);
}
async function listIn(text, path, textsOnly) {
    const data = await parseStructured(text, { input: INPUT, path, textsOnly });
    return entriesOf(data, { input: INPUT, path, what: "attestations" });
}
/**
 * @param entry with every value as the text it is
 * @param typed the same with numbers and the like
 */
function readEntry(entry, typed, defaults) {
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
    const own = (0,inputs/* readInputs */.Ko)(attest_inputs/* claimInputs */.oW, texts, {});
    const named = new Set(Object.keys(texts));
    const values = { ...own.values, ...inherited(defaults, { names: TAKEN, own: named, together: SUBJECT }) };
    const subject = ["fingerprint", "artifact"];
    const given = new Set([...own.given, ...subject.filter((name) => values[name] !== undefined)]);
    return { values, problems: [...problems, ...own.problems, ...(0,attest_inputs/* claimProblems */.Lu)(values, given)] };
}
const SECRETS = ["api-key", "github-token"];
function whyNotHere(name) {
    if (SECRETS.includes(name))
        return "has no place in a file: give it to the step";
    if (Object.hasOwn(action/* sharedInputs */.dO, name))
        return "is for all of them: give it to the step";
    if (Object.hasOwn(attest_inputs/* claimInputs */.oW, name))
        return undefined;
    return unknownField(name, Object.keys(attest_inputs/* claimInputs */.oW).filter((known) => !SECRETS.includes(known)));
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
const TAKEN = Object.keys(attest_inputs/* claimInputs */.oW).filter((name) => !attest_inputs/* OF_ONE_ATTESTATION */.Ym.includes(name));
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
// EXTERNAL MODULE: ./lib/actions/attest/summary.js
var summary = __webpack_require__(2361);
;// CONCATENATED MODULE: ./lib/actions/attest/manifest-outcome.js



/** From the least to the most: what several came to is what holds for all of them. */
const STATUSES = ["failed", "dry-run", "skipped", "spooled", "recorded"];
/** The step's outcome: one line for each entry, and a failure when any of them failed. */
function manifestOutcome(results, context) {
    const done = results.flatMap((result) => ("done" in result ? result.done : []));
    const failed = results.flatMap((result) => ("error" in result ? result : []));
    for (const { values, error } of failed)
        context.info(`'${values.name ?? ""}' was not recorded: ${error}`);
    const status = STATUSES.find((each) => results.some((result) => statusOf(result) === each)) ?? "failed";
    const remarks = done.flatMap((one) => one.remarks);
    // The failure of the step is an annotation too, and must not be the one too many.
    (0,annotations.annotate)(remarks, context, failed.length > 0 ? 1 : 0);
    const compliant = verdictOfAll(results);
    const url = same(done, ({ trailUrl }) => trailUrl);
    return {
        outputs: {
            status,
            compliant,
            fingerprint: same(done, ({ fingerprint }) => fingerprint ?? ""),
            trail: same(done, ({ trail }) => trail),
            "trail-url": url,
            "request-id": "",
            results: JSON.stringify(results.map(outputOf)),
            ...(0,spool_folder/* spoolOutputs */.AU)(done.some((one) => one.status === "spooled"), context.runner),
        },
        summary: {
            heading: headingOf(results, status),
            mark: compliant === "false" ? "failed" : status === "recorded" ? "passed" : "neutral",
            columns: ["Attestation", "Kind", "Status", "Compliant", "Remarks"],
            // What needs somebody's attention first.
            rows: results.toSorted((a, b) => urgency(b) - urgency(a)).map(rowOf),
            link: url === "" ? undefined : { text: "Open the trail", url },
        },
        ...(failed.length > 0 && {
            failure: {
                title: `${failed.length} of ${results.length} attestations failed`,
                text: failed.map(({ values, error }) => `- ${values.name ?? ""}: ${error}`).join("\n"),
            },
        }),
    };
}
/** What all have in common; empty when they differ. */
function same(done, of) {
    const [only, ...others] = new Set(done.map(of));
    return others.length === 0 ? (only ?? "") : "";
}
function statusOf(result) {
    return "done" in result ? result.done.status : "failed";
}
/** `true` only when it is known of all; what is no claim, like an artifact, has no part in it. */
function verdictOfAll(results) {
    const claims = results.filter((result) => "error" in result || result.values.kind !== "artifact");
    if (claims.some((result) => "error" in result || result.done.compliant === false))
        return "false";
    const unknown = claims.some((result) => verdictOf(result) === "");
    return unknown || claims.length === 0 ? "" : "true";
}
function verdictOf(result) {
    return "done" in result && result.done.compliant !== undefined ? String(result.done.compliant) : "";
}
function outputOf(result) {
    const { name = "", kind } = result.values;
    const done = "done" in result ? result.done : undefined;
    return {
        name,
        kind,
        status: statusOf(result),
        compliant: verdictOf(result),
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
function rowOf(result) {
    const { name = "", kind } = result.values;
    if ("error" in result)
        return [name, kind, "failed", "", result.error];
    const { compliant, reason, attachments, status } = result.done;
    const remarks = [reason, (0,summary/* namesText */.cb)(attachments)].filter(Boolean).join("\n");
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
    return manifestOutcome(entries.flatMap((values) => results.get(values) ?? []), context);
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

/***/ 9004:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   S: () => (/* binding */ parseJsonData),
/* harmony export */   readJsonData: () => (/* binding */ readJsonData)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6760);
/* harmony import */ var _api_errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8937);
/* harmony import */ var _api_operation_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(2441);
/* harmony import */ var _json_syntax_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4019);
/* harmony import */ var _workspace_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(9844);






/**
 * Data given as JSON (it starts with `{` or `[`) or as the path of a JSON file. Numbers that a JavaScript number cannot
 * hold, such as 64-bit integers, keep their digits: they become values that `JSON.stringify` writes as they were.
 *
 * @throws InputError, under the name of `input`, when the file cannot be used or the text is not a JSON object or
 * array; with line and column where the text breaks the rules.
 */
async function readJsonData(text, { input, workspace }) {
    if (/^\ufeff?[ \t\r\n]*[{[]/.test(text))
        return parseJsonData(text, input);
    const path = text.trim();
    if (path === "")
        throw new _api_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz([{ input, problem: "is empty" }]);
    const given = await readJsonFile(path, workspace);
    if ("problem" in given)
        throw new _api_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz([{ input, problem: given.problem }]);
    return parseJsonData(given.json, input, path);
}
/** The same of text that was read already; `path` is where it was, for messages. */
function parseJsonData(json, input, path) {
    const fault = (0,_json_syntax_js__WEBPACK_IMPORTED_MODULE_4__/* .findJsonFault */ .W)(json);
    if (fault !== undefined) {
        const { line, column, problem } = fault;
        const place = path === undefined ? "" : `'${path}', `;
        throw new _api_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz([{ input, problem: `${place}line ${line}, column ${column}: the JSON ${problem}` }]);
    }
    const data = JSON.parse(json, (_key, value, { source }) => typeof value === "number" && source !== undefined && !isSameNumber(source, String(value))
        ? JSON.rawJSON(source)
        : value);
    if (isData(data))
        return data;
    const holder = path === undefined ? "" : `'${path}' `;
    throw new _api_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz([{ input, problem: `${holder}must hold a JSON object or array, not a single value` }]);
}
function isData(value) {
    return typeof value === "object" && value !== null && !JSON.isRawJSON(value);
}
async function readJsonFile(path, workspace) {
    const checked = await (0,_workspace_js__WEBPACK_IMPORTED_MODULE_5__/* .checkPath */ .Cg)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.resolve)(workspace, path), await (0,_workspace_js__WEBPACK_IMPORTED_MODULE_5__/* .openWorkspace */ .OH)(workspace));
    if ("problem" in checked) {
        const meaning = "it should be JSON that starts with { or [, or the path of a JSON file";
        return { problem: checked.missing ? `${checked.problem}; ${meaning}` : checked.problem };
    }
    if (checked.stats.isDirectory())
        return { problem: `'${path}' is a directory, not a JSON file` };
    if (checked.stats.size > _api_operation_js__WEBPACK_IMPORTED_MODULE_3__/* .MAX_JSON_PART_BYTES */ .ey) {
        return { problem: `'${path}' has ${checked.stats.size} bytes; the limit is ${_api_operation_js__WEBPACK_IMPORTED_MODULE_3__/* .MAX_JSON_PART_BYTES */ .ey}` };
    }
    const bytes = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.readFile)(checked.realPath);
    try {
        return { json: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
    }
    catch {
        return { problem: `'${path}' is not UTF-8 text` };
    }
}
/** True when two texts of JSON numbers mean the same value, such as `1.50` and `1.5`. */
function isSameNumber(one, other) {
    return one === other || canonicalNumber(one) === canonicalNumber(other);
}
/** The significant digits of a number and its power of ten; texts that are not JSON numbers stay as they are. */
function canonicalNumber(text) {
    const parts = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:e([+-]?[0-9]+))?$/i.exec(text);
    if (parts === null)
        return text;
    const [, sign = "", whole = "", fraction = "", power = "0"] = parts;
    const digits = `${whole}${fraction}`;
    let end = digits.length;
    while (digits[end - 1] === "0")
        end--;
    const significant = digits.slice(0, end).replace(/^0+/, "");
    if (significant === "")
        return "0";
    return `${sign}${significant}e${Number(power) - fraction.length + (digits.length - end)}`;
}


/***/ }),

/***/ 4019:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   W: () => (/* binding */ findJsonFault)
/* harmony export */ });
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


/***/ }),

/***/ 9844:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Cg: () => (/* binding */ checkPath),
/* harmony export */   Dl: () => (/* binding */ isSameFile),
/* harmony export */   FK: () => (/* binding */ isInside),
/* harmony export */   OH: () => (/* binding */ openWorkspace),
/* harmony export */   aR: () => (/* binding */ isInGit),
/* harmony export */   fz: () => (/* binding */ shownIn)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6760);
/* harmony import */ var _api_errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8937);
/* harmony import */ var _unusable_path_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(832);
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
async function openWorkspace(directory, allowOutside = false) {
    const root = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.resolve)(directory);
    try {
        return { root, realRoot: await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.realpath)(root), allowOutside };
    }
    catch (cause) {
        throw new _api_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz([{ input: "workspace", problem: `'${root}' ${(0,_unusable_path_js__WEBPACK_IMPORTED_MODULE_3__/* .whyUnusable */ .II)(cause)}` }], { cause });
    }
}
function isInside(path, directory) {
    const way = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.relative)(directory, path);
    return way !== ".." && !way.startsWith(`..${node_path__WEBPACK_IMPORTED_MODULE_1__.sep}`) && !(0,node_path__WEBPACK_IMPORTED_MODULE_1__.isAbsolute)(way);
}
function shownIn({ root }, path) {
    return isInside(path, root) ? (0,node_path__WEBPACK_IMPORTED_MODULE_1__.relative)(root, path) || "." : path;
}
/**
 * Says whether a path may be read and sent: a regular file or directory, readable, in the workspace once every link
 * is followed, and not reached through a link into `.git`, where checkouts keep their token. Only what has proved to be
 * a regular file is opened: a FIFO would hang, a device would pour.
 */
async function checkPath(path, workspace) {
    const shown = shownIn(workspace, path);
    const unusable = (problem, missing = false) => ({
        problem: `'${shown}' ${problem}`,
        missing,
    });
    let isLink = false;
    try {
        const own = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.lstat)(path);
        isLink = own.isSymbolicLink();
        const realPath = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.realpath)(path);
        if (!workspace.allowOutside && !isInside(realPath, workspace.realRoot)) {
            return unusable(`is outside the workspace: '${realPath}' is not in '${workspace.realRoot}'`);
        }
        const stats = isLink ? await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.stat)(realPath) : own;
        if (!stats.isFile() && !stats.isDirectory())
            return unusable(`is ${(0,_unusable_path_js__WEBPACK_IMPORTED_MODULE_3__/* .kindOf */ .I)(stats)}, which cannot be sent`);
        if (isInGit(realPath) && !isInGit(path))
            return unusable(`is a link into .git: '${realPath}'`);
        if (stats.isFile() && (await holdsUnstatedBytes(realPath, stats))) {
            return unusable("gives no size, so it cannot be sent: copy it to a file first");
        }
        return { path, shown, realPath, stats };
    }
    catch (error) {
        // The system has the name in bytes, of which a text can only hold those that are UTF-8.
        if (!isLink && (0,_unusable_path_js__WEBPACK_IMPORTED_MODULE_3__/* .isMissing */ .b2)(error) && path.includes("\ufffd"))
            return unusable("has a name that is not UTF-8, so it cannot be read: rename it");
        if (!isLink || !(0,_unusable_path_js__WEBPACK_IMPORTED_MODULE_3__/* .isMissing */ .b2)(error))
            return unusable((0,_unusable_path_js__WEBPACK_IMPORTED_MODULE_3__/* .whyUnusable */ .II)(error), (0,_unusable_path_js__WEBPACK_IMPORTED_MODULE_3__/* .isMissing */ .b2)(error));
        const target = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.readlink)(path).catch(() => "");
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
        const file = __addDisposableResource(env_1, await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.open)(path, "r"), true);
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
    return path.split(node_path__WEBPACK_IMPORTED_MODULE_1__.sep).includes(".git");
}


/***/ })

};
