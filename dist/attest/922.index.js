export const id = 922;
export const ids = [922];
export const modules = {

/***/ 4922:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   recordSonar: () => (/* binding */ recordSonar)
/* harmony export */ });
/* harmony import */ var _api_attestation_kinds_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3540);
/* harmony import */ var _data_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9413);
/* harmony import */ var _submission_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3737);



/** Records a Sonar analysis, as its webhook tells of it. */
async function recordSonar(attestation, context) {
    const { sonarResults } = await (0,_data_js__WEBPACK_IMPORTED_MODULE_1__/* .dataOf */ .qu)(attestation.values.data, _api_attestation_kinds_js__WEBPACK_IMPORTED_MODULE_0__/* .attestSonar */ .Fd, "sonar_results", context);
    const { to, fields, attachments, tables } = await (0,_submission_js__WEBPACK_IMPORTED_MODULE_2__/* .prepareSubmission */ .U)(attestation, context);
    const reply = await context.call(_api_attestation_kinds_js__WEBPACK_IMPORTED_MODULE_0__/* .attestSonar */ .Fd, {
        ...to,
        body: { ...fields, sonarResults },
    });
    const status = sonarResults.qualityGate?.status;
    return {
        reply,
        attachments,
        compliant: status === "OK",
        reason: status === "OK" ? "" : `the quality gate is ${status ?? "not part of the analysis"}`,
        tables,
    };
}


/***/ })

};
