export const id = 55;
export const ids = [55];
export const modules = {

/***/ 4055:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   annotateFailures: () => (/* binding */ annotateFailures),
/* harmony export */   annotateFindings: () => (/* binding */ annotateFindings)
/* harmony export */ });
/* harmony import */ var _evidence_scan_results_severity_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6621);

/** The runner shows no more of a kind for one step. */
const MAX_ANNOTATIONS = 10;
/** The first failed tests, each on its line where the report tells it. */
function annotateFailures({ failures, furtherFailures }, { error, info }) {
    for (const { className, name, message, kind, location } of failures.slice(0, MAX_ANNOTATIONS)) {
        const title = [className, name].filter(Boolean).join(" › ");
        error(message || (kind === "error" ? "The test broke" : "The test failed"), title, location);
    }
    const further = Math.max(0, failures.length - MAX_ANNOTATIONS) + furtherFailures;
    if (further > 0)
        info(`… and ${further} more failed ${further === 1 ? "test" : "tests"}.`);
}
/** The first findings that count, each on its line where the scanner tells it. */
function annotateFindings(results, { error, info }) {
    const counted = results.findings.filter(({ severity }) => (0,_evidence_scan_results_severity_js__WEBPACK_IMPORTED_MODULE_0__/* .failsAt */ .ZN)(severity, results.failLevel));
    for (const { severity, ruleId, tool, message, location } of counted.slice(0, MAX_ANNOTATIONS)) {
        error(message, `${tool}: ${[severity, ruleId].filter(Boolean).join(" ")}`, location);
    }
    const further = counted.length - Math.min(counted.length, MAX_ANNOTATIONS) + results.furtherFindings;
    if (further > 0)
        info(`… and ${further} more ${further === 1 ? "finding" : "findings"}.`);
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
