export const id = 739;
export const ids = [739];
export const modules = {

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

/***/ 7739:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  readScanResults: () => (/* binding */ readScanResults)
});

// UNUSED EXPORTS: MAX_FINDINGS, MAX_SCAN_RESULTS_BYTES

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: ./lib/evidence/report-fault.js
var report_fault = __webpack_require__(4606);
// EXTERNAL MODULE: ./lib/evidence/report-files.js
var report_files = __webpack_require__(733);
// EXTERNAL MODULE: ./lib/evidence/source-location.js
var source_location = __webpack_require__(3850);
// EXTERNAL MODULE: ./lib/evidence/text-encoding.js
var text_encoding = __webpack_require__(2878);
// EXTERNAL MODULE: ./lib/api/untyped.js
var untyped = __webpack_require__(3013);
// EXTERNAL MODULE: ./lib/evidence/json-syntax.js
var json_syntax = __webpack_require__(4019);
;// CONCATENATED MODULE: ./lib/evidence/scan-results/sarif-location.js

/** Bases may refer to one another; more than a few do so in a circle. */
const MAX_BASES = 8;
const MAX_URI_CHARACTERS = 1000;
/** Where a result is: the file and line of its first location in a file. */
function locationOf(result, run) {
    const physical = (0,untyped/* asObjects */.Nt)(result["locations"])
        .map((location) => (0,untyped/* asObject */.eB)(location["physicalLocation"]))
        .find((candidate) => "artifactLocation" in candidate);
    if (physical === undefined)
        return { uri: "", places: [] };
    const artifact = artifactOf((0,untyped/* asObject */.eB)(physical["artifactLocation"]), run);
    const uri = (0,untyped/* asText */.e1)(artifact["uri"]).slice(0, MAX_URI_CHARACTERS);
    if (uri === "")
        return { uri, places: [] };
    const startLine = (0,untyped/* asObject */.eB)(physical["region"])["startLine"];
    const line = typeof startLine === "number" && Number.isSafeInteger(startLine) ? { line: startLine } : {};
    const base = baseOf((0,untyped/* asText */.e1)(artifact["uriBaseId"]), run);
    const files = [base === "" ? "" : `${base.replace(/\/$/, "")}/${uri}`, uri].filter((file) => file !== "");
    return { uri, places: files.map((file) => ({ file: pathOf(file), ...line })) };
}
function artifactOf(location, run) {
    const { index } = location;
    if ((0,untyped/* asText */.e1)(location["uri"]) !== "" || typeof index !== "number")
        return location;
    const artifacts = run["artifacts"];
    return (0,untyped/* asObject */.eB)((0,untyped/* asObject */.eB)(Array.isArray(artifacts) ? artifacts[index] : undefined)["location"]);
}
/** The absolute address of a base, when the run tells it: `file:///home/runner/work/shop/shop/`. */
function baseOf(id, run) {
    const bases = (0,untyped/* asObject */.eB)(run["originalUriBaseIds"]);
    let path = "";
    let name = id;
    for (let depth = 0; depth < MAX_BASES && name !== ""; depth++) {
        const base = (0,untyped/* asObject */.eB)(Object.hasOwn(bases, name) ? bases[name] : undefined);
        const uri = (0,untyped/* asText */.e1)(base["uri"]);
        if (uri !== "")
            path = path === "" ? uri : `${uri.replace(/\/$/, "")}/${path}`;
        name = (0,untyped/* asText */.e1)(base["uriBaseId"]);
    }
    return path.startsWith("file:") ? path : "";
}
/** The path that a URI writes: without `file:` and with its percent signs resolved. */
function pathOf(uri) {
    const path = uri.replace(/^file:(?:\/\/(?:localhost)?)?(?=\/)/, "");
    try {
        return decodeURIComponent(path);
    }
    catch {
        return path;
    }
}

;// CONCATENATED MODULE: ./lib/evidence/scan-results/sarif-message.js

const MAX_MESSAGE_CHARACTERS = 1000;
const LINK = /\[([^\][\\]{0,500})\]\((?:\d{1,9}|https?:\/\/[^\s()]{1,2000})\)/g;
/** What a result says: its own text, else the text of its rule that it refers to, else what its rule is about. */
function messageOf(result, { id, rule, messageStrings }) {
    const message = (0,untyped/* asObject */.eB)(result["message"]);
    const key = (0,untyped/* asText */.e1)(message["id"]);
    const shared = (0,untyped/* asObject */.eB)((0,untyped/* asObject */.eB)(rule["messageStrings"])[key] ?? messageStrings[key]);
    const written = (0,untyped/* asText */.e1)(message["text"]) ||
        (0,untyped/* asText */.e1)(message["markdown"]) ||
        (0,untyped/* asText */.e1)(shared["text"]) ||
        (0,untyped/* asText */.e1)(shared["markdown"]);
    const text = withArguments(written, message["arguments"]) || aboutRule(rule) || id || "has no message";
    return text.replace(LINK, "$1").trim().slice(0, MAX_MESSAGE_CHARACTERS);
}
/** `{0}` stands for the first argument, and `{{` for a brace; without arguments a text is what it is. */
function withArguments(text, values) {
    if (!Array.isArray(values) || values.length === 0)
        return text;
    return text.replace(/\{\{|\}\}|\{(\d{1,3})\}/g, (found, index) => {
        if (index === undefined)
            return found.charAt(0);
        const value = values[Number(index)];
        return typeof value === "string" ? value : found;
    });
}
function aboutRule(rule) {
    return ((0,untyped/* asText */.e1)((0,untyped/* asObject */.eB)(rule["shortDescription"])["text"]) || (0,untyped/* asText */.e1)((0,untyped/* asObject */.eB)(rule["fullDescription"])["text"]));
}

;// CONCATENATED MODULE: ./lib/evidence/scan-results/sarif-rules.js

/** The rules of a run: those of the tool itself and of its extensions, where CodeQL and others keep them. */
class SarifRules {
    #components;
    constructor(tool) {
        this.#components = [(0,untyped/* asObject */.eB)(tool["driver"]), ...(0,untyped/* asObjects */.Nt)(tool["extensions"])].map(readComponent);
    }
    /** The rule of a result, by `rule`, `ruleIndex` or `ruleId`. An index that leads to another rule is not believed. */
    find(result) {
        const reference = (0,untyped/* asObject */.eB)(result["rule"]);
        const id = (0,untyped/* asText */.e1)(result["ruleId"]) || (0,untyped/* asText */.e1)(reference["id"]);
        const component = this.#component((0,untyped/* asObject */.eB)(reference["toolComponent"]));
        const index = reference["index"] ?? result["ruleIndex"];
        const rule = typeof index === "number" ? component?.rules[index] : undefined;
        if (component !== undefined && rule !== undefined && isNamed(rule, id)) {
            return { id: id || (0,untyped/* asText */.e1)(rule["id"]), rule, messageStrings: component.messageStrings };
        }
        for (const name of namesOf(id)) {
            for (const { byId, messageStrings } of this.#components) {
                const named = byId.get(name);
                if (named !== undefined)
                    return { id, rule: named, messageStrings };
            }
        }
        return { id, rule: {}, messageStrings: component?.messageStrings ?? {} };
    }
    #component({ index, guid, name }) {
        const [driver, ...extensions] = this.#components;
        if (typeof index === "number" && index >= 0)
            return extensions[index];
        return (this.#components.find((component) => component.guid !== "" && component.guid === guid) ??
            this.#components.find((component) => component.name !== "" && component.name === name) ??
            driver);
    }
}
function readComponent(component) {
    const list = component["rules"];
    const rules = Array.isArray(list) ? list.map(untyped/* asObject */.eB) : [];
    return {
        name: (0,untyped/* asText */.e1)(component["name"]),
        guid: (0,untyped/* asText */.e1)(component["guid"]),
        rules,
        byId: new Map(rules.map((rule) => [(0,untyped/* asText */.e1)(rule["id"]), rule])),
        messageStrings: (0,untyped/* asObject */.eB)(component["globalMessageStrings"]),
    };
}
function isNamed(rule, id) {
    return id === "" || namesOf(id).includes((0,untyped/* asText */.e1)(rule["id"]));
}
/** `CA1711/1` is a kind of `CA1711`. */
function namesOf(id) {
    if (id === "")
        return [];
    const parts = id.split("/");
    return parts.map((_, dropped) => parts.slice(0, parts.length - dropped).join("/"));
}

// EXTERNAL MODULE: ./lib/evidence/scan-results/severity.js
var scan_results_severity = __webpack_require__(6621);
;// CONCATENATED MODULE: ./lib/evidence/scan-results/snyk-json.js

/** Whether a document is what `snyk … --json` writes: an object for one project, or a list of them. */
function isSnykJson(document) {
    const { ok, vulnerabilities, infrastructureAsCodeIssues, error } = (0,untyped/* asObject */.eB)(Array.isArray(document) ? document[0] : document);
    const holdsResults = Array.isArray(vulnerabilities) || Array.isArray(infrastructureAsCodeIssues);
    return typeof ok === "boolean" && (holdsResults || typeof error === "string");
}

;// CONCATENATED MODULE: ./lib/evidence/scan-results/sarif.js








const VERSION = "2.1.0";
const MAX_RULE_CHARACTERS = 300;
/**
 * The runs of a SARIF 2.1.0 log. What is not a finding is left out: a test that passed, or a result that is gone since
 * the baseline.
 *
 * @throws ReportFault when the text is not such a log.
 */
function parseSarif(text) {
    const log = parseLog(text);
    if (isSnykJson(log)) {
        throw new report_fault/* ReportFault */.p("is Snyk's own JSON, not SARIF: let `snyk test --sarif-file-output=snyk.sarif` write the file");
    }
    if (!(0,untyped/* isObject */.Gv)(log) || !("version" in log) || !("runs" in log)) {
        throw new report_fault/* ReportFault */.p("is not SARIF: it should be an object with `version` and `runs`");
    }
    if (log["version"] !== VERSION) {
        const found = JSON.stringify(log["version"])?.slice(0, 50);
        throw new report_fault/* ReportFault */.p(`is SARIF of version ${found}; only ${VERSION} is understood`);
    }
    const runs = objectsOf(log["runs"], "runs");
    if (runs.length === 0)
        throw new report_fault/* ReportFault */.p("holds no runs, which proves nothing");
    return runs.map((run, index) => readRun(run, `runs[${index}]`));
}
function parseLog(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        if (text.trim() === "")
            throw new report_fault/* ReportFault */.p("is empty");
        const { problem, ...position } = (0,json_syntax/* findJsonFault */.W)(text) ?? { problem: "is not JSON", line: 1, column: 1 };
        throw new report_fault/* ReportFault */.p(`is not SARIF: the JSON ${problem}`, position);
    }
}
function objectsOf(list, name) {
    if (!Array.isArray(list))
        throw new report_fault/* ReportFault */.p(`is not SARIF: \`${name}\` is not a list`);
    return list.map((item, index) => {
        if ((0,untyped/* isObject */.Gv)(item))
            return item;
        throw new report_fault/* ReportFault */.p(`is not SARIF: \`${name}[${index}]\` is not an object`);
    });
}
function readRun(run, name) {
    const driver = (0,untyped/* asObject */.eB)((0,untyped/* asObject */.eB)(run["tool"])["driver"]);
    const tool = {
        name: (0,untyped/* asText */.e1)(driver["name"]) || "an unnamed tool",
        version: (0,untyped/* asText */.e1)(driver["semanticVersion"]) || (0,untyped/* asText */.e1)(driver["version"]),
    };
    const given = run["results"] ?? undefined;
    const results = given === undefined ? [] : objectsOf(given, `${name}.results`);
    const rules = new SarifRules((0,untyped/* asObject */.eB)(run["tool"]));
    const open = results.filter(isFinding);
    const findings = open
        .filter((result) => !isSuppressed(result))
        .map((result) => readFinding(result, { run, rules, tool }));
    const suppressed = open.length - findings.length;
    return { tool, findings, suppressed, fault: faultOf(run, tool.name, given !== undefined) };
}
function isFinding({ kind, baselineState }) {
    return (kind === undefined || kind === "fail") && baselineState !== "absent";
}
/** A suppression that is still under review, or was rejected, leaves the finding as it is. */
function isSuppressed(result) {
    const suppressions = (0,untyped/* asObjects */.Nt)(result["suppressions"]);
    return (suppressions.length > 0 &&
        suppressions.every(({ status }) => status === undefined || status === "accepted"));
}
function readFinding(result, { run, rules, tool }) {
    const found = rules.find(result);
    return {
        severity: severityOf(result, found),
        ruleId: found.id.slice(0, MAX_RULE_CHARACTERS),
        message: messageOf(result, found),
        tool: tool.name,
        ...locationOf(result, run),
    };
}
function severityOf(result, { rule }) {
    const score = scoreOf(result) ?? scoreOf(rule);
    if (score !== undefined)
        return (0,scan_results_severity/* severityOfScore */.FL)(score);
    const byDefault = (0,untyped/* asObject */.eB)(rule["defaultConfiguration"])["level"];
    return (0,scan_results_severity/* severityOfLevel */.v_)(result["level"]) ?? (0,scan_results_severity/* severityOfLevel */.v_)(byDefault) ?? "medium";
}
function scoreOf(described) {
    const written = (0,untyped/* asObject */.eB)(described["properties"])["security-severity"];
    if (typeof written === "string" && !/^\s*\d+(?:\.\d+)?\s*$/.test(written))
        return undefined;
    const score = typeof written === "string" || typeof written === "number" ? Number(written) : Number.NaN;
    return score >= 0 && score <= 10 ? score : undefined;
}
function faultOf(run, tool, hasResults) {
    for (const invocation of (0,untyped/* asObjects */.Nt)(run["invocations"])) {
        if (invocation["executionSuccessful"] === false) {
            const why = whyItFailed(invocation);
            return `the scan by ${tool} did not succeed${why === "" ? "" : `: ${why}`}`;
        }
    }
    if (hasResults)
        return "";
    const elsewhere = "results" in (0,untyped/* asObject */.eB)(run["externalPropertyFileReferences"]);
    return elsewhere
        ? `${tool} keeps its results in other files, which are not read`
        : `the run of ${tool} has no list of results, so nothing was scanned`;
}
function whyItFailed(invocation) {
    const notifications = [
        ...(0,untyped/* asObjects */.Nt)(invocation["toolExecutionNotifications"]),
        ...(0,untyped/* asObjects */.Nt)(invocation["toolConfigurationNotifications"]),
    ];
    const errors = notifications.filter(({ level }) => level === "error");
    const texts = [...errors, ...notifications].map(({ message }) => (0,untyped/* asText */.e1)((0,untyped/* asObject */.eB)(message)["text"]));
    const said = (0,untyped/* asText */.e1)(invocation["exitCodeDescription"]) || texts.find((text) => text !== "") || "";
    return said.trim().slice(0, MAX_RULE_CHARACTERS);
}

;// CONCATENATED MODULE: ./lib/evidence/scan-results/read-scan-results.js







const INPUT = "scan-results";
/**
 * A file is held whole, because the rules that say how severe its results are may follow them: 64 MB take half a
 * gigabyte. GitHub itself takes no SARIF of more than 10 MB compressed.
 */
const MAX_SCAN_RESULTS_BYTES = 64 * 1024 * 1024;
/** Each is an object in one request, which has a limit of its own. */
const MAX_FINDINGS = 500;
/**
 * Reads SARIF 2.1.0 files of any tool, and counts what they found.
 *
 * @throws InputError (`scan-results`) when a pattern finds nothing, or a file is not such a log, or has no run.
 */
async function readScanResults({ failLevel, ...request }) {
    const { files, workspace, warnings } = await (0,report_files/* selectReports */.O)({
        ...request,
        input: INPUT,
        maxBytes: MAX_SCAN_RESULTS_BYTES,
    });
    const counted = [];
    for (const { realPath, shown } of files) {
        const runs = await (0,report_fault/* readingReport */.$)(INPUT, shown, async () => parseSarif((0,text_encoding/* decodeText */.g)(await (0,promises_.readFile)(realPath))));
        for (const run of runs) {
            counted.push({ ...run, report: shown, counts: (0,scan_results_severity/* countSeverities */.ng)(run.findings) });
        }
    }
    const runs = await withLocations(counted, workspace);
    const counts = (0,scan_results_severity/* sumOf */.XN)(runs.map((run) => run.counts));
    const findings = mostSevere(runs.flatMap((run) => run.findings));
    return {
        runs,
        counts,
        suppressed: runs.reduce((sum, run) => sum + run.suppressed, 0),
        findings,
        furtherFindings: scan_results_severity/* SEVERITIES */.oC.reduce((sum, severity) => sum + counts[severity], 0) - findings.length,
        reports: files.map(({ shown }) => shown),
        failLevel,
        ...verdict(runs, counts, failLevel),
        warnings,
    };
}
/** Keeps the most severe findings of all runs, each in its run, and looks up where they are. */
async function withLocations(counted, workspace) {
    const kept = new Set(mostSevere(counted.flatMap(({ findings }) => findings)).slice(0, MAX_FINDINGS));
    const runs = [];
    for (const run of counted) {
        const findings = [];
        for (const finding of mostSevere(run.findings)) {
            if (kept.has(finding))
                findings.push(await located(finding, run.report, workspace));
        }
        runs.push({ ...run, findings });
    }
    return runs;
}
function mostSevere(findings) {
    return scan_results_severity/* SEVERITIES */.oC.flatMap((severity) => findings.filter((finding) => finding.severity === severity));
}
async function located({ places, ...finding }, report, workspace) {
    const location = await (0,source_location/* findInWorkspace */.e)(places, workspace, report);
    return location === undefined ? finding : { ...finding, location };
}
function verdict(runs, counts, failLevel) {
    const reasons = runs.map(({ fault }) => fault).filter((fault) => fault !== "");
    const severe = scan_results_severity/* SEVERITIES */.oC.filter((severity) => (0,scan_results_severity/* failsAt */.ZN)(severity, failLevel) && counts[severity] > 0);
    if (severe.length > 0) {
        const found = severe.map((severity) => `${counts[severity]} ${severity}`).join(", ");
        reasons.push(`found ${found}, where ${failLevel} or worse fails`);
    }
    return { compliant: reasons.length === 0, reason: [...new Set(reasons)].join("; ") };
}


/***/ })

};
