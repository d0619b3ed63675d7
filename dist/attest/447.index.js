export const id = 447;
export const ids = [447,55];
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

/***/ 6447:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   readScan: () => (/* binding */ readScan),
/* harmony export */   readTests: () => (/* binding */ readTests),
/* harmony export */   together: () => (/* binding */ together)
/* harmony export */ });
/* unused harmony export testTable */
/* harmony import */ var _annotations_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4055);

/** Reads `test-results`. */
async function readTests(values, context) {
    const { readTestResults } = await Promise.all(/* import() */[__webpack_require__.e(560), __webpack_require__.e(725), __webpack_require__.e(737)]).then(__webpack_require__.bind(__webpack_require__, 5737));
    const { testsData } = await __webpack_require__.e(/* import() */ 709).then(__webpack_require__.bind(__webpack_require__, 709));
    const results = await readTestResults({ patterns: values.testResults, ...placesOf(values, context) });
    for (const warning of results.warnings)
        context.warn(warning);
    const facts = { tests: testsData(results) };
    return { results, facts, table: testTable(results), remarks: (0,_annotations_js__WEBPACK_IMPORTED_MODULE_0__/* .remarksOnTests */ .E)(results) };
}
/** Reads `scan-results`. */
async function readScan(values, context) {
    const { readScanResults } = await Promise.all(/* import() */[__webpack_require__.e(725), __webpack_require__.e(739)]).then(__webpack_require__.bind(__webpack_require__, 7739));
    const { scanData } = await __webpack_require__.e(/* import() */ 28).then(__webpack_require__.bind(__webpack_require__, 1028));
    // Whoever attests a scan as `snyk` is not compliant with any finding, so all of them are shown.
    const failLevel = values.kind === "snyk" ? "low" : values.failLevel;
    const request = { patterns: values.scanResults, failLevel, ...placesOf(values, context) };
    const results = await readScanResults(request);
    for (const warning of results.warnings)
        context.warn(warning);
    const facts = { scan: scanData(results) };
    return { results, facts, table: scanTable(results), remarks: (0,_annotations_js__WEBPACK_IMPORTED_MODULE_0__/* .remarksOnScan */ .A)(results) };
}
function placesOf({ allowOutsideWorkspace }, { runner }) {
    return { workspace: runner.workspace ?? process.cwd(), allowOutsideWorkspace };
}
/** One verdict of several: all must be good. */
function together(verdicts) {
    return {
        compliant: verdicts.every(({ compliant }) => compliant),
        reason: verdicts
            .map(({ reason }) => reason)
            .filter(Boolean)
            .join("; "),
    };
}
/** Suites in the table: those that failed come first, and the sums say the rest. */
const MAX_SUITES_SHOWN = 4;
/** The suites with the most failures, and the sums of all. */
function testTable({ suites, suiteCount, counts, }) {
    const failed = (suite) => suite.failures + suite.errors;
    const shown = suites.toSorted((a, b) => failed(b) - failed(a)).slice(0, MAX_SUITES_SHOWN);
    const row = (name, result) => [
        name,
        String(result.total - failed(result) - result.skipped),
        String(failed(result)),
        String(result.skipped),
        duration(result.duration),
    ];
    const rows = shown.map((suite) => row(suite.name || "(unnamed)", suite));
    const total = suiteCount > shown.length ? `All ${suiteCount} suites` : "All";
    return {
        columns: ["Tests", "Passed", "Failed", "Skipped", "Time"],
        rows: suites.length > 1 ? [...rows, row(total, counts)] : rows,
    };
}
/** @param seconds how long something took */
function duration(seconds) {
    if (seconds < 60)
        return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
    const whole = Math.round(seconds);
    return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
function scanTable({ runs, counts }) {
    const severities = ["critical", "high", "medium", "low"];
    const row = (name, found, suppressed) => [
        name,
        ...severities.map((severity) => String(found[severity])),
        String(suppressed),
    ];
    return {
        columns: ["Scan", "Critical", "High", "Medium", "Low", "Accepted"],
        rows: runs.map((run) => row(`${run.tool.name} ${run.tool.version}`.trim(), run.counts, run.suppressed)),
    };
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
