export const id = 401;
export const ids = [401,447];
export const modules = {

/***/ 9401:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  recordSnyk: () => (/* binding */ recordSnyk)
});

// EXTERNAL MODULE: ./lib/api/attestation-kinds.js
var attestation_kinds = __webpack_require__(3540);
;// CONCATENATED MODULE: ./lib/evidence/scan-results/snyk-fields.js
/**
 * The field `snyk_results` of a `snyk` attestation. The interface knows no critical findings, so they count as high; and
 * none without severity, so they are left out.
 */
function snyk_fields_snykResults({ runs }) {
    const tools = new Map(runs.map(({ tool }) => [`${tool.name}\n${tool.version}`, tool]));
    const joined = (values) => [...new Set(values.filter(Boolean))].join(", ");
    return {
        schemaVersion: 1,
        tool: {
            name: joined([...tools.values()].map(({ name }) => name)),
            version: joined([...tools.values()].map(({ version }) => version)),
        },
        results: runs.map(({ counts, findings }) => ({
            lowCount: counts.low,
            mediumCount: counts.medium,
            highCount: counts.high + counts.critical,
            low: issuesOf(findings, "low"),
            medium: issuesOf(findings, "medium"),
            high: issuesOf(findings, "critical", "high"),
        })),
    };
}
function issuesOf(findings, ...severities) {
    return findings
        .filter(({ severity }) => severities.includes(severity))
        .map(({ ruleId, message, location, uri }) => ({
        id: ruleId,
        message,
        locations: uri === "" ? [] : [{ uri: location?.file ?? uri, lines: String(location?.line ?? "") }],
    }));
}

// EXTERNAL MODULE: ./lib/actions/attest/data.js
var data = __webpack_require__(9413);
// EXTERNAL MODULE: ./lib/actions/attest/parcel.js
var parcel = __webpack_require__(1472);
// EXTERNAL MODULE: ./lib/actions/attest/results.js
var results = __webpack_require__(6447);
;// CONCATENATED MODULE: ./lib/actions/attest/kinds/snyk.js





/** Records what a scan for vulnerabilities found: read from SARIF, or given as the interface wants it. */
async function recordSnyk(claim, context) {
    const scan = claim.values.data === undefined ? await (0,results.scanResults)(claim.values, context) : undefined;
    const { snykResults } = scan
        ? { snykResults: snyk_fields_snykResults(scan) }
        : await (0,data/* dataOf */.qu)(claim, attestation_kinds/* attestSnyk */.XJ, "snyk_results", context);
    const { to, fields, attachments, tables } = await (0,parcel/* pack */.q)(claim, context, scan?.reports ?? []);
    const reply = await context.call(attestation_kinds/* attestSnyk */.XJ, {
        ...to,
        body: { ...fields, snykResults },
    });
    const found = snykResults.results.reduce((sum, { lowCount, mediumCount, highCount }) => sum + lowCount + mediumCount + highCount, 0);
    return {
        requestId: reply?.requestId,
        attachments,
        compliant: found === 0,
        reason: found === 0 ? "" : `${found} found`,
        tables: [...(scan ? [(0,results.scanTable)(scan)] : []), ...tables],
    };
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
