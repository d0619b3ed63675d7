export const id = 177;
export const ids = [177];
export const modules = {

/***/ 3177:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   recordOverride: () => (/* binding */ recordOverride)
/* harmony export */ });
/* harmony import */ var _api_attestation_kinds_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3540);
/* harmony import */ var _api_errors_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8937);
/* harmony import */ var _attestation_request_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(1319);
/* harmony import */ var _data_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9413);




const FIELDS = ["reason", "original_attestation_type", "new_compliance_status"];
/** Records another verdict on the latest attestation of a name, with the reason. */
async function recordOverride(attestation, context) {
    const { values, trail } = attestation;
    const data = await (0,_data_js__WEBPACK_IMPORTED_MODULE_2__/* .fieldsOfData */ .Pv)(values.data, _api_attestation_kinds_js__WEBPACK_IMPORTED_MODULE_0__/* .overrideAttestation */ .FU, FIELDS, context);
    const { reason = "", originalAttestationType = "", newComplianceStatus = values.compliant } = data;
    const problems = [];
    if (newComplianceStatus === undefined)
        problems.push({ input: "compliant", problem: "is required, or new_compliance_status in data" });
    else if (values.compliant !== undefined && values.compliant !== newComplianceStatus)
        problems.push({ input: "compliant", problem: "is not what new_compliance_status in data says" });
    if (newComplianceStatus === undefined || problems.length > 0)
        throw new _api_errors_js__WEBPACK_IMPORTED_MODULE_1__/* .InputError */ .dz(problems);
    const reply = await context.call(_api_attestation_kinds_js__WEBPACK_IMPORTED_MODULE_0__/* .overrideAttestation */ .FU, {
        flowName: values.flow,
        trailName: trail,
        body: { ...(0,_attestation_request_js__WEBPACK_IMPORTED_MODULE_3__/* .commonFields */ .d)(attestation), reason, originalAttestationType, newComplianceStatus },
    });
    return {
        reply,
        attachments: [],
        compliant: newComplianceStatus,
        reason: newComplianceStatus ? "" : reason,
        tables: newComplianceStatus ? [{ columns: ["Reason"], rows: [[reason]] }] : [],
    };
}


/***/ })

};
