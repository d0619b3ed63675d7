export const id = 574;
export const ids = [574];
export const modules = {

/***/ 6193:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   recordCustom: () => (/* binding */ recordCustom)
/* harmony export */ });
/* harmony import */ var _api_attestation_kinds_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3540);
/* harmony import */ var _data_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9413);
/* harmony import */ var _submission_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3737);



/** Records data of a type that the organization defined. Its rules are the service's to judge by. */
async function recordCustom(attestation, context) {
    const { data, typeName } = attestation.values;
    const attestationData = await (0,_data_js__WEBPACK_IMPORTED_MODULE_1__/* .readData */ .v3)(data, context);
    const { to, fields, attachments, tables } = await (0,_submission_js__WEBPACK_IMPORTED_MODULE_2__/* .prepareSubmission */ .U)(attestation, context);
    const reply = await context.call(_api_attestation_kinds_js__WEBPACK_IMPORTED_MODULE_0__/* .attestCustom */ .tt, {
        ...to,
        body: { ...fields, typeName, attestationData },
    });
    return { reply, attachments, compliant: undefined, reason: "", tables };
}


/***/ })

};
