export const id = 501;
export const ids = [501];
export const modules = {

/***/ 5501:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   recordJira: () => (/* binding */ recordJira)
/* harmony export */ });
/* harmony import */ var _api_attestation_kinds_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3540);
/* harmony import */ var _data_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9413);
/* harmony import */ var _submission_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3737);



/** Records the Jira issues that a change refers to, as they were looked up. */
async function recordJira(attestation, context) {
    const { jiraResults } = await (0,_data_js__WEBPACK_IMPORTED_MODULE_1__/* .dataOf */ .qu)(attestation.values.data, _api_attestation_kinds_js__WEBPACK_IMPORTED_MODULE_0__/* .attestJira */ ._M, "jira_results", context);
    const { to, fields, attachments, tables } = await (0,_submission_js__WEBPACK_IMPORTED_MODULE_2__/* .prepareSubmission */ .U)(attestation, context);
    const reply = await context.call(_api_attestation_kinds_js__WEBPACK_IMPORTED_MODULE_0__/* .attestJira */ ._M, {
        ...to,
        body: { ...fields, jiraResults },
    });
    const absent = jiraResults.filter(({ issueExists }) => !issueExists).map(({ issueId }) => issueId);
    const reason = jiraResults.length === 0
        ? "no issue is named"
        : absent.length > 0
            ? `no such issue: ${absent.join(", ")}`
            : "";
    return {
        reply,
        attachments,
        compliant: reason === "",
        reason,
        tables: [
            {
                columns: ["Issue", "Exists"],
                rows: jiraResults
                    .toSorted((a, b) => Number(a.issueExists) - Number(b.issueExists))
                    .map(({ issueId, issueExists }) => [issueId, issueExists ? "yes" : "no"]),
            },
            ...tables,
        ],
    };
}


/***/ })

};
