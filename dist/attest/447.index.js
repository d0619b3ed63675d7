export const id = 447;
export const ids = [447];
export const modules = {

/***/ 6447:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   scanResults: () => (/* binding */ scanResults),
/* harmony export */   scanTable: () => (/* binding */ scanTable),
/* harmony export */   testResults: () => (/* binding */ testResults),
/* harmony export */   testTable: () => (/* binding */ testTable),
/* harmony export */   together: () => (/* binding */ together)
/* harmony export */ });
/** Reads `test-results`, and shows the first failures where they are in the sources. */
async function testResults(values, context) {
    const { readTestResults } = await Promise.all(/* import() */[__webpack_require__.e(560), __webpack_require__.e(725), __webpack_require__.e(634)]).then(__webpack_require__.bind(__webpack_require__, 4634));
    const results = await readTestResults({ patterns: values.testResults, ...placesOf(values, context) });
    for (const warning of results.warnings)
        context.warn(warning);
    const { annotateFailures } = await __webpack_require__.e(/* import() */ 55).then(__webpack_require__.bind(__webpack_require__, 4055));
    annotateFailures(results, context);
    return results;
}
/** Reads `scan-results`, and shows the findings that count where they are in the sources. */
async function scanResults(values, context) {
    const { readScanResults } = await Promise.all(/* import() */[__webpack_require__.e(725), __webpack_require__.e(684)]).then(__webpack_require__.bind(__webpack_require__, 684));
    // Whoever attests a scan as `snyk` is not compliant with any finding, so all of them are shown.
    const failLevel = values.kind === "snyk" ? "low" : values.failLevel;
    const request = { patterns: values.scanResults, failLevel, ...placesOf(values, context) };
    const results = await readScanResults(request);
    for (const warning of results.warnings)
        context.warn(warning);
    const { annotateFindings } = await __webpack_require__.e(/* import() */ 55).then(__webpack_require__.bind(__webpack_require__, 4055));
    annotateFindings(results, context);
    return results;
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
const MAX_SUITES_SHOWN = 8;
function testTable({ suites, counts }) {
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
    const total = suites.length > shown.length ? `All ${suites.length} suites` : "All";
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
        rows: runs
            .slice(0, MAX_SUITES_SHOWN)
            .map((run) => row(`${run.tool.name} ${run.tool.version}`.trim(), run.counts, run.suppressed)),
    };
}


/***/ })

};
