export const id = 357;
export const ids = [357,447];
export const modules = {

/***/ 7357:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   recordJunit: () => (/* binding */ recordJunit)
/* harmony export */ });
/* harmony import */ var _api_attestation_kinds_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3540);
/* harmony import */ var _data_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9413);
/* harmony import */ var _parcel_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(1472);
/* harmony import */ var _results_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6447);




/** Records what came of tests: read from their reports, or given as the interface wants it. */
async function recordJunit(claim, context) {
    if (claim.values.data !== undefined)
        return recordGiven(claim, context);
    const results = await (0,_results_js__WEBPACK_IMPORTED_MODULE_2__.testResults)(claim.values, context);
    const { to, fields, attachments, tables } = await (0,_parcel_js__WEBPACK_IMPORTED_MODULE_3__/* .pack */ .q)(claim, context, results.reports);
    const reply = await context.call(_api_attestation_kinds_js__WEBPACK_IMPORTED_MODULE_0__/* .attestJunit */ .s3, {
        ...to,
        body: { ...fields, junitResults: [...results.suites] },
    });
    return {
        requestId: reply?.requestId,
        attachments,
        compliant: results.compliant,
        reason: results.reason,
        tables: [(0,_results_js__WEBPACK_IMPORTED_MODULE_2__.testTable)(results), ...tables],
    };
}
async function recordGiven(claim, context) {
    const { junitResults } = await (0,_data_js__WEBPACK_IMPORTED_MODULE_1__/* .dataOf */ .qu)(claim, _api_attestation_kinds_js__WEBPACK_IMPORTED_MODULE_0__/* .attestJunit */ .s3, "junit_results", context);
    const { to, fields, attachments, tables } = await (0,_parcel_js__WEBPACK_IMPORTED_MODULE_3__/* .pack */ .q)(claim, context);
    const reply = await context.call(_api_attestation_kinds_js__WEBPACK_IMPORTED_MODULE_0__/* .attestJunit */ .s3, {
        ...to,
        body: { ...fields, junitResults },
    });
    const sum = (field) => junitResults.reduce((total, suite) => total + suite[field], 0);
    const failed = sum("failures") + sum("errors");
    const ran = sum("total") - sum("skipped");
    const reason = failed > 0 ? `${failed} of ${sum("total")} tests failed` : ran > 0 ? "" : "no test ran";
    return { requestId: reply?.requestId, attachments, compliant: reason === "", reason, tables };
}


/***/ }),

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
