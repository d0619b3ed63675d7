export const id = 179;
export const ids = [179];
export const modules = {

/***/ 179:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   recordArtifact: () => (/* binding */ recordArtifact)
/* harmony export */ });
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6760);
/* harmony import */ var _api_artifact_report_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9047);
/* harmony import */ var _api_errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8937);



/** Reports that an artifact was built. */
async function recordArtifact(attestation, context) {
    const { values, trail, fingerprint, origin } = attestation;
    const { flow, name } = values;
    const { gitCommitInfo, repoInfo, originUrl, ...rest } = origin;
    const problems = [];
    if (originUrl === undefined)
        problems.push({
            input: "origin-url",
            problem: "is required outside of a workflow run",
            missing: true,
        });
    if (!gitCommitInfo?.url)
        problems.push({
            input: "commit",
            problem: "is required: an artifact is built from a commit of a known repository",
            missing: true,
        });
    if (originUrl === undefined || !gitCommitInfo?.url)
        throw new _api_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz(problems);
    const reply = await context.call(_api_artifact_report_js__WEBPACK_IMPORTED_MODULE_1__/* .reportArtifact */ .x, {
        flowName: flow,
        body: {
            fingerprint,
            filename: values.artifact === undefined ? name : (0,node_path__WEBPACK_IMPORTED_MODULE_0__.basename)(values.artifact),
            trailName: trail,
            templateReferenceName: name,
            buildUrl: originUrl,
            commitUrl: gitCommitInfo.url,
            gitCommit: gitCommitInfo.sha1,
            gitCommitInfo,
            ...(repoInfo && { repoInfo, repoUrl: repoInfo.url }),
            ...(Object.keys(values.annotations).length > 0 && { annotations: values.annotations }),
            ...rest,
        },
    });
    return { reply, attachments: [], compliant: undefined, reason: "", tables: [] };
}


/***/ }),

/***/ 9047:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   x: () => (/* binding */ reportArtifact)
/* harmony export */ });
/* unused harmony export artifactReport */
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(4343);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(3759);
/* harmony import */ var _names_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7780);
/* harmony import */ var _operation_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2441);
/* harmony import */ var _provenance_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3981);
/* harmony import */ var _submission_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(9418);
/* harmony import */ var _template_match_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(6584);
/* harmony import */ var _texts_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(6268);







const artifactReport = zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .looseObject */ ._H3({
    fingerprint: _names_js__WEBPACK_IMPORTED_MODULE_0__/* .fingerprint */ .Rj,
    /** The name people know it by: a file name, an image reference. */
    filename: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os.check(zod_mini__WEBPACK_IMPORTED_MODULE_6__/* ._minLength */ .m9(1)),
    build_url: _names_js__WEBPACK_IMPORTED_MODULE_0__/* .webAddress */ .Dy,
    commit_url: _names_js__WEBPACK_IMPORTED_MODULE_0__/* .webAddress */ .Dy,
    trail_name: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(_names_js__WEBPACK_IMPORTED_MODULE_0__/* .trailName */ .gZ),
    /** Its name in the flow template. */
    template_reference_name: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(_names_js__WEBPACK_IMPORTED_MODULE_0__/* .artifactName */ .Cs),
    git_commit: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(_names_js__WEBPACK_IMPORTED_MODULE_0__/* .commitSha */ .mJ),
    commits_list: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .array */ .YOg(_provenance_js__WEBPACK_IMPORTED_MODULE_2__/* .gitCommitInfo */ .Or)),
    repo_url: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .union */ .KCZ([_names_js__WEBPACK_IMPORTED_MODULE_0__/* .webAddress */ .Dy, zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .literal */ .euz("")])),
    is_compliant: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .boolean */ .zMY()),
    annotations: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .record */ .g1P(_texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os, zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .unknown */ .L5J())),
    ..._submission_js__WEBPACK_IMPORTED_MODULE_3__/* .originFields */ .uL,
});
const reportArtifact = (0,_operation_js__WEBPACK_IMPORTED_MODULE_1__/* .defineOperation */ .h9)({
    name: "reportArtifact",
    summary: "Report an artifact that was built",
    method: "POST",
    path: "/artifacts/{org}/{flow_name}",
    access: "write",
    params: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .object */ .Ikc({ flow_name: _names_js__WEBPACK_IMPORTED_MODULE_0__/* .reference */ .ir }),
    body: { kind: "json", schema: artifactReport },
    responses: { 201: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .union */ .KCZ([zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .looseObject */ ._H3({ message: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .string */ .YjP() }), zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .string */ .YjP()]) },
    answerHeaders: [_template_match_js__WEBPACK_IMPORTED_MODULE_7__/* .TEMPLATE_MATCH_HEADER */ .hr],
    takesIdempotencyKey: true,
});


/***/ })

};
