export const id = 651;
export const ids = [651];
export const modules = {

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


/***/ }),

/***/ 3540:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   AN: () => (/* binding */ attestPullRequest),
/* harmony export */   Dl: () => (/* binding */ attestSystem),
/* harmony export */   FU: () => (/* binding */ overrideAttestation),
/* harmony export */   Fd: () => (/* binding */ attestSonar),
/* harmony export */   XJ: () => (/* binding */ attestSnyk),
/* harmony export */   _M: () => (/* binding */ attestJira),
/* harmony export */   s3: () => (/* binding */ attestJunit),
/* harmony export */   tt: () => (/* binding */ attestCustom)
/* harmony export */ });
/* unused harmony exports junitSubmission, snykSubmission, pullRequestSubmission, jiraSubmission, sonarSubmission, customSubmission, systemSubmission, overrideSubmission */
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(4343);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(3759);
/* harmony import */ var _attestation_fields_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5194);
/* harmony import */ var _names_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7780);
/* harmony import */ var _operation_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2441);
/* harmony import */ var _provenance_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3981);
/* harmony import */ var _texts_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(6268);






const count = zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .int */ .Whr().check(zod_mini__WEBPACK_IMPORTED_MODULE_6__/* ._gte */ .qm(0));
const junitResult = zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .strictObject */ .rej({
    name: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os,
    failures: count,
    errors: count,
    skipped: count,
    total: count,
    /** Seconds. */
    duration: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .number */ .aig(),
    /** Unix seconds. */
    timestamp: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .number */ .aig()),
});
const junitSubmission = zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .strictObject */ .rej({ ..._attestation_fields_js__WEBPACK_IMPORTED_MODULE_0__/* .attestationFields */ .WW, junit_results: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .array */ .YOg(junitResult) });
/** Compliant when tests ran, and none failed or broke. */
const attestJunit = (0,_attestation_fields_js__WEBPACK_IMPORTED_MODULE_0__/* .attestOperation */ .tI)({
    name: "attestJunit",
    kind: "junit",
    summary: "Record the results of tests",
    schema: junitSubmission,
});
const snykIssue = zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .looseObject */ ._H3({
    id: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os,
    message: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .longText */ .SW,
    locations: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .looseObject */ ._H3({ uri: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .addressText */ .GI, lines: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .longText */ .SW }))), []),
    priority_score: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .number */ .aig()),
});
const snykIssues = zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .array */ .YOg(snykIssue));
const snykProject = zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .strictObject */ .rej({
    low_count: count,
    medium_count: count,
    high_count: count,
    low: snykIssues,
    medium: snykIssues,
    high: snykIssues,
});
const snykSubmission = zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .strictObject */ .rej({
    ..._attestation_fields_js__WEBPACK_IMPORTED_MODULE_0__/* .attestationFields */ .WW,
    snyk_results: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .strictObject */ .rej({
        schema_version: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .int */ .Whr(), 1),
        tool: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .strictObject */ .rej({ name: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os, version: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os }),
        results: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .array */ .YOg(snykProject),
    }),
});
/** Compliant when nothing was found, of whatever severity. */
const attestSnyk = (0,_attestation_fields_js__WEBPACK_IMPORTED_MODULE_0__/* .attestOperation */ .tI)({
    name: "attestSnyk",
    kind: "snyk",
    summary: "Record what a scan for vulnerabilities found",
    schema: snykSubmission,
});
const pullRequest = zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .strictObject */ .rej({
    url: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .addressText */ .GI,
    /** In the words of the provider: `MERGED`, `OPEN`, `CLOSED` … */
    state: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os,
    author: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os,
    title: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os,
    /** Unix seconds. */
    created_at: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .number */ .aig(),
    merged_at: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .number */ .aig()),
    head_ref: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os,
    base_ref: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(_texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os),
    merge_commit: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(_names_js__WEBPACK_IMPORTED_MODULE_1__/* .commitSha */ .mJ),
    approvers: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .looseObject */ ._H3({
        username: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os,
        state: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(_texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os),
        timestamp: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .number */ .aig()),
    }))),
    commits: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .array */ .YOg(_provenance_js__WEBPACK_IMPORTED_MODULE_3__/* .gitCommitInfo */ .Or),
});
/** The shape of older clients. */
const briefPullRequest = zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .strictObject */ .rej({
    url: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .addressText */ .GI,
    state: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os,
    merge_commit: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .union */ .KCZ([zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .literal */ .euz(""), _names_js__WEBPACK_IMPORTED_MODULE_1__/* .commitSha */ .mJ]),
    approvers: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .array */ .YOg(_texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os)),
});
const pullRequestSubmission = zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .strictObject */ .rej({
    ..._attestation_fields_js__WEBPACK_IMPORTED_MODULE_0__/* .attestationFields */ .WW,
    git_provider: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* ["enum"] */ .k5n(["github", "gitlab", "bitbucket", "azure"]),
    pull_requests: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .union */ .KCZ([pullRequest, briefPullRequest])),
});
/** Compliant when there is a pull request, in whatever state. */
const attestPullRequest = (0,_attestation_fields_js__WEBPACK_IMPORTED_MODULE_0__/* .attestOperation */ .tI)({
    name: "attestPullRequest",
    kind: "pull_request",
    summary: "Record the pull requests of a commit",
    schema: pullRequestSubmission,
});
const jiraSubmission = zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .strictObject */ .rej({
    ..._attestation_fields_js__WEBPACK_IMPORTED_MODULE_0__/* .attestationFields */ .WW,
    jira_results: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .strictObject */ .rej({
        issue_id: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os,
        issue_url: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .addressText */ .GI,
        issue_exists: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .boolean */ .zMY(),
        issue_fields: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .record */ .g1P(_texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os, zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .unknown */ .L5J())),
    })),
});
/** Compliant when there is an issue, and all of them exist. */
const attestJira = (0,_attestation_fields_js__WEBPACK_IMPORTED_MODULE_0__/* .attestOperation */ .tI)({
    name: "attestJira",
    kind: "jira",
    summary: "Record the Jira issues that a commit refers to",
    schema: jiraSubmission,
});
const qualityGate = zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .looseObject */ ._H3({
    name: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(_texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os),
    /** `OK` when the gate was passed. */
    status: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os,
    conditions: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .looseObject */ ._H3({
        metric: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os,
        errorThreshold: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os,
        operator: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os,
        status: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os,
        value: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(_texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os),
        onLeakPeriod: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .boolean */ .zMY()),
    })),
});
const sonarSubmission = zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .strictObject */ .rej({
    ..._attestation_fields_js__WEBPACK_IMPORTED_MODULE_0__/* .attestationFields */ .WW,
    /** As the scanner reports them, so in its names. */
    sonar_results: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .looseObject */ ._H3({
        serverUrl: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(_texts_js__WEBPACK_IMPORTED_MODULE_4__/* .addressText */ .GI),
        taskId: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(_texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os),
        status: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(_texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os),
        analysedAt: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os,
        revision: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os,
        changedAt: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(_texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os),
        project: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .looseObject */ ._H3({ key: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os, url: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .addressText */ .GI, name: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(_texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os), "") }),
        qualityGate: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(qualityGate),
    }),
});
/** Compliant when the quality gate was passed. */
const attestSonar = (0,_attestation_fields_js__WEBPACK_IMPORTED_MODULE_0__/* .attestOperation */ .tI)({
    name: "attestSonar",
    kind: "sonar",
    summary: "Record a Sonar analysis",
    schema: sonarSubmission,
});
/** What is attested, as the type describes it: JSON, or JSON text. */
const attestationData = zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .union */ .KCZ([
    zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .record */ .g1P(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .string */ .YjP(), zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .unknown */ .L5J()),
    zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .unknown */ .L5J()),
    zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_6__/* ._minLength */ .m9(1), zod_mini__WEBPACK_IMPORTED_MODULE_6__/* ._maxLength */ .Eb(_operation_js__WEBPACK_IMPORTED_MODULE_2__/* .MAX_JSON_PART_BYTES */ .ey)),
]);
const customSubmission = zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .strictObject */ .rej({
    ..._attestation_fields_js__WEBPACK_IMPORTED_MODULE_0__/* .attestationFields */ .WW,
    type_name: _names_js__WEBPACK_IMPORTED_MODULE_1__/* .customTypeName */ .Fm,
    attestation_data: attestationData,
});
/**
 * Compliant when every rule of the type holds for the data.
 *
 * @example
 * await client.attestCustom({
 *   flowName: "web",
 *   trailName: sha,
 *   body: { attestationName: "coverage", typeName: "coverage", attestationData: { percent: 81 } },
 * });
 */
const attestCustom = (0,_attestation_fields_js__WEBPACK_IMPORTED_MODULE_0__/* .attestOperation */ .tI)({
    name: "attestCustom",
    kind: "custom",
    summary: "Record an attestation of a custom type",
    schema: customSubmission,
});
const systemSubmission = zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .looseObject */ ._H3({
    ..._attestation_fields_js__WEBPACK_IMPORTED_MODULE_0__/* .attestationFields */ .WW,
    type_name: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* ["enum"] */ .k5n(["decision"]),
    /** The identifier of the control that is decided about. It need not exist yet. */
    control: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(_texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os),
    /** For a decision `{"is_compliant": true}` or false, and what else there is to say. */
    attestation_data: attestationData,
});
/** Compliant as its data says. */
const attestSystem = (0,_attestation_fields_js__WEBPACK_IMPORTED_MODULE_0__/* .attestOperation */ .tI)({
    name: "attestSystem",
    kind: "system",
    summary: "Record an attestation of a type that the service defines: a decision about a control",
    schema: systemSubmission,
});
const overrideSubmission = zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .strictObject */ .rej({
    ..._attestation_fields_js__WEBPACK_IMPORTED_MODULE_0__/* .attestationFields */ .WW,
    reason: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .longText */ .SW.check(zod_mini__WEBPACK_IMPORTED_MODULE_6__/* ._minLength */ .m9(1)),
    new_compliance_status: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .boolean */ .zMY(),
    /** The type of the attestation that is overridden, or that the template asks for and nobody attested. */
    original_attestation_type: _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os.check(zod_mini__WEBPACK_IMPORTED_MODULE_6__/* ._regex */ .Fk(/^(generic|junit|snyk|pull_request|jira|sonar|custom:.*|system:.*)$/)),
});
/** What the template asks for may be overridden before anything was attested. */
const overrideAttestation = (0,_operation_js__WEBPACK_IMPORTED_MODULE_2__/* .defineOperation */ .h9)({
    name: "overrideAttestation",
    summary: "Override the compliance of the latest attestation of a name, with a reason",
    method: "POST",
    path: "/attestations/{org}/{flow_name}/trail/{trail_name}/override",
    access: "write",
    params: _attestation_fields_js__WEBPACK_IMPORTED_MODULE_0__/* .trailParams */ .X$,
    body: { kind: "json", schema: overrideSubmission },
    responses: { 200: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .string */ .YjP(), 201: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .string */ .YjP() },
    answerHeaders: _attestation_fields_js__WEBPACK_IMPORTED_MODULE_0__/* .attestationAnswerHeaders */ .ZL,
    errors: { 404: "There is no such flow, trail or artifact, or the name is of no attestation here" },
    takesIdempotencyKey: true,
});


/***/ }),

/***/ 7098:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   D7: () => (/* binding */ itemsPerPage),
/* harmony export */   PW: () => (/* binding */ pageNumber),
/* harmony export */   X$: () => (/* binding */ pagination)
/* harmony export */ });
/* unused harmony export MAX_PER_PAGE */
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4343);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3759);

/** The most items of a page, where the interface sets no other bound. */
const MAX_PER_PAGE = 100;
/** Pages count from 1. One past the last is empty. */
const pageNumber = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .int */ .Whr().check(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* ._gte */ .qm(1));
const itemsPerPage = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .int */ .Whr().check(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* ._gte */ .qm(1), zod_mini__WEBPACK_IMPORTED_MODULE_1__/* ._lte */ .Zm(MAX_PER_PAGE));
/** Where a page stands among all. */
const pagination = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    total: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .int */ .Whr(),
    page: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .int */ .Whr(),
    per_page: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .int */ .Whr(),
    page_count: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .int */ .Whr(),
});


/***/ }),

/***/ 6516:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Bt: () => (/* binding */ complianceState),
/* harmony export */   _B: () => (/* binding */ trailRecord)
/* harmony export */ });
/* unused harmony exports artifactStatus, trailStatus */
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4343);
/* harmony import */ var _provenance_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3981);
/* harmony import */ var _submission_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9418);



const complianceState = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ["enum"] */ .k5n(["INCOMPLETE", "COMPLIANT", "NON-COMPLIANT"]);
const attestationStatus = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .looseObject */ ._H3({
    attestation_name: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(),
    /** A kind of attestation; while missing, the one that is asked for, `*` for any. */
    attestation_type: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP()),
    attestation_id: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP()),
    /** The attestation that this one overrides. */
    overridden_attestation_id: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP()),
    status: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ["enum"] */ .k5n(["MISSING", "COMPLETE"])),
    /** Null while missing. */
    is_compliant: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .boolean */ .zMY()),
    /** Not asked for by the template. */
    unexpected: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .boolean */ .zMY()),
});
const artifactStatus = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .looseObject */ ._H3({
    artifact_fingerprint: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP()),
    artifact_id: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP()),
    status: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ["enum"] */ .k5n(["MISSING", "INCOMPLETE", "COMPLIANT", "NON-COMPLIANT"]),
    is_compliant: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .boolean */ .zMY()),
    attestations_statuses: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .array */ .YOg(attestationStatus)),
    unexpected: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .boolean */ .zMY()),
    /** Unix seconds. */
    evaluated_at: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .number */ .aig()),
    flow_template_id: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP()),
});
/** What a trail holds of what is asked of it. */
const trailStatus = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .looseObject */ ._H3({
    status: complianceState,
    is_compliant: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .boolean */ .zMY()),
    attestations_statuses: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .array */ .YOg(attestationStatus)),
    /** By the name in the template. */
    artifacts_statuses: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .record */ .g1P(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(), artifactStatus)),
    /** Unix seconds. */
    evaluated_at: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .number */ .aig()),
    flow_template_id: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP()),
});
const trailRecord = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .looseObject */ ._H3({
    name: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(),
    description: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP()),
    git_commit_info: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(_provenance_js__WEBPACK_IMPORTED_MODULE_0__/* .gitCommitInfo */ .Or),
    origin_url: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP()),
    user_data: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .unknown */ .L5J()),
    repo_ids: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP())),
    /** Unix seconds, fractional. */
    last_modified_at: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .number */ .aig(),
    created_at: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .number */ .aig(),
    compliance_status: trailStatus,
    template: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .looseObject */ ._H3({
        version: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .number */ .aig()),
        trail: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .record */ .g1P(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(), zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .unknown */ .L5J())),
        /** The template as its author wrote it. */
        content: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP()),
    }),
    compliance_state: complianceState,
    is_compliant: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .boolean */ .zMY(),
    /** What happened to it, oldest first. Lists leave it out: there may be any number of events. */
    events: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .record */ .g1P(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(), zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .unknown */ .L5J()))),
    created_by: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(),
    flow: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .looseObject */ ._H3({ name: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(), tags: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .record */ .g1P(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(), zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP())) }),
    external_urls: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .record */ .g1P(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(), _submission_js__WEBPACK_IMPORTED_MODULE_1__/* .externalUrl */ .z)),
    html_url: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(),
});


/***/ }),

/***/ 2151:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   GE: () => (/* binding */ listFlowTrails),
/* harmony export */   Gv: () => (/* binding */ beginTrail),
/* harmony export */   PH: () => (/* binding */ getTrail),
/* harmony export */   ao: () => (/* binding */ listTrails),
/* harmony export */   i: () => (/* binding */ getTrailAuditPackage)
/* harmony export */ });
/* unused harmony export MAX_TRAILS */
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(4343);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(3759);
/* harmony import */ var _names_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7780);
/* harmony import */ var _operation_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2441);
/* harmony import */ var _paging_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7098);
/* harmony import */ var _submission_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(9418);
/* harmony import */ var _texts_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(6268);
/* harmony import */ var _trail_record_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(6516);







const beginTrail = (0,_operation_js__WEBPACK_IMPORTED_MODULE_1__/* .defineOperation */ .h9)({
    name: "beginTrail",
    summary: "Begin a trail, or update the fields that are given",
    method: "PUT",
    path: "/trails/{org}/{flow_name}",
    access: "write",
    params: zod_mini__WEBPACK_IMPORTED_MODULE_6__/* .object */ .Ikc({ flow_name: _names_js__WEBPACK_IMPORTED_MODULE_0__/* .reference */ .ir }),
    body: {
        kind: "multipart",
        part: "data_json",
        schema: zod_mini__WEBPACK_IMPORTED_MODULE_6__/* .object */ .Ikc({ name: _names_js__WEBPACK_IMPORTED_MODULE_0__/* .trailName */ .gZ, ..._submission_js__WEBPACK_IMPORTED_MODULE_3__/* .originFields */ .uL, origin_url: zod_mini__WEBPACK_IMPORTED_MODULE_6__/* .nullish */ .cl6(_names_js__WEBPACK_IMPORTED_MODULE_0__/* .webAddress */ .Dy) }),
        files: { template_file: { count: "one" } },
    },
    responses: { 200: zod_mini__WEBPACK_IMPORTED_MODULE_6__/* .unknown */ .L5J(), 201: zod_mini__WEBPACK_IMPORTED_MODULE_6__/* .unknown */ .L5J() },
    errors: { 404: "No such flow" },
});
const trailPage = zod_mini__WEBPACK_IMPORTED_MODULE_6__/* .looseObject */ ._H3({ data: zod_mini__WEBPACK_IMPORTED_MODULE_6__/* .array */ .YOg(_trail_record_js__WEBPACK_IMPORTED_MODULE_5__/* .trailRecord */ ._B), pagination: zod_mini__WEBPACK_IMPORTED_MODULE_6__/* .nullish */ .cl6(_paging_js__WEBPACK_IMPORTED_MODULE_2__/* .pagination */ .X$) });
/** The most trails of an answer, be it asked for in pages or not: the interface sets no bound. */
const MAX_TRAILS = 1_000;
const trailsPerPage = zod_mini__WEBPACK_IMPORTED_MODULE_6__/* .int */ .Whr().check(zod_mini__WEBPACK_IMPORTED_MODULE_7__/* ._gte */ .qm(1), zod_mini__WEBPACK_IMPORTED_MODULE_7__/* ._lte */ .Zm(MAX_TRAILS));
/** `key=value` */
const flowTag = _texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os.check(zod_mini__WEBPACK_IMPORTED_MODULE_7__/* ._regex */ .Fk(/^[a-zA-Z0-9][a-zA-Z0-9\-_.~]*=.*$/s));
const getTrail = (0,_operation_js__WEBPACK_IMPORTED_MODULE_1__/* .defineOperation */ .h9)({
    name: "getTrail",
    summary: "Get a trail with its compliance and its events",
    method: "GET",
    path: "/trails/{org}/{flow_name}/{trail_name}",
    access: "read",
    params: zod_mini__WEBPACK_IMPORTED_MODULE_6__/* .object */ .Ikc({ flow_name: _names_js__WEBPACK_IMPORTED_MODULE_0__/* .reference */ .ir, trail_name: _names_js__WEBPACK_IMPORTED_MODULE_0__/* .reference */ .ir }),
    responses: { 200: _trail_record_js__WEBPACK_IMPORTED_MODULE_5__/* .trailRecord */ ._B },
    errors: { 404: "No such flow or trail" },
});
/** Without `per_page` the answer is a plain list, of at most {@link MAX_TRAILS} trails a page. */
const listFlowTrails = (0,_operation_js__WEBPACK_IMPORTED_MODULE_1__/* .defineOperation */ .h9)({
    name: "listFlowTrails",
    summary: "List the trails of a flow, newest first",
    method: "GET",
    path: "/trails/{org}/{flow_name}",
    access: "read",
    params: zod_mini__WEBPACK_IMPORTED_MODULE_6__/* .object */ .Ikc({ flow_name: _names_js__WEBPACK_IMPORTED_MODULE_0__/* .reference */ .ir }),
    query: zod_mini__WEBPACK_IMPORTED_MODULE_6__/* .object */ .Ikc({
        /** What the trails are. */
        compliance_state: zod_mini__WEBPACK_IMPORTED_MODULE_6__/* .optional */ .lqM(_trail_record_js__WEBPACK_IMPORTED_MODULE_5__/* .complianceState */ .Bt),
        page: zod_mini__WEBPACK_IMPORTED_MODULE_6__/* ._default */ .Rvf(_paging_js__WEBPACK_IMPORTED_MODULE_2__/* .pageNumber */ .PW, 1),
        per_page: zod_mini__WEBPACK_IMPORTED_MODULE_6__/* .optional */ .lqM(trailsPerPage),
    }),
    responses: { 200: zod_mini__WEBPACK_IMPORTED_MODULE_6__/* .union */ .KCZ([zod_mini__WEBPACK_IMPORTED_MODULE_6__/* .array */ .YOg(_trail_record_js__WEBPACK_IMPORTED_MODULE_5__/* .trailRecord */ ._B), trailPage]) },
    errors: { 404: "No such flow" },
});
const listTrails = (0,_operation_js__WEBPACK_IMPORTED_MODULE_1__/* .defineOperation */ .h9)({
    name: "listTrails",
    summary: "List the trails of all flows, newest first",
    method: "GET",
    path: "/trails/{org}",
    access: "read",
    query: zod_mini__WEBPACK_IMPORTED_MODULE_6__/* .object */ .Ikc({
        /** The name of a flow. */
        flow: zod_mini__WEBPACK_IMPORTED_MODULE_6__/* .optional */ .lqM(_names_js__WEBPACK_IMPORTED_MODULE_0__/* .reference */ .ir),
        /** Of flows with this tag: `key=value`. */
        flow_tag: zod_mini__WEBPACK_IMPORTED_MODULE_6__/* .optional */ .lqM(flowTag),
        /** That an artifact of this fingerprint was reported to. */
        fingerprint: zod_mini__WEBPACK_IMPORTED_MODULE_6__/* .optional */ .lqM(_names_js__WEBPACK_IMPORTED_MODULE_0__/* .fingerprintPrefix */ .h5),
        /** What the trails are. */
        compliance_state: zod_mini__WEBPACK_IMPORTED_MODULE_6__/* .optional */ .lqM(_trail_record_js__WEBPACK_IMPORTED_MODULE_5__/* .complianceState */ .Bt),
        page: zod_mini__WEBPACK_IMPORTED_MODULE_6__/* ._default */ .Rvf(_paging_js__WEBPACK_IMPORTED_MODULE_2__/* .pageNumber */ .PW, 1),
        per_page: zod_mini__WEBPACK_IMPORTED_MODULE_6__/* ._default */ .Rvf(trailsPerPage, 20),
    }),
    responses: { 200: trailPage },
    errors: { 404: "No such flow" },
});
/**
 * A gzip tar of the trail, its artifacts, its attestations and every file attached to them. `manifest.json` in it
 * gives the sha256 of each. Packing the same records twice gives the same bytes.
 */
const getTrailAuditPackage = (0,_operation_js__WEBPACK_IMPORTED_MODULE_1__/* .defineOperation */ .h9)({
    name: "getTrailAuditPackage",
    summary: "Download all that a trail holds as one archive",
    method: "GET",
    path: "/trails/{org}/{flow_name}/{trail_name}/audit_package",
    access: "read",
    params: zod_mini__WEBPACK_IMPORTED_MODULE_6__/* .object */ .Ikc({ flow_name: _names_js__WEBPACK_IMPORTED_MODULE_0__/* .reference */ .ir, trail_name: _names_js__WEBPACK_IMPORTED_MODULE_0__/* .reference */ .ir }),
    responses: { 200: _operation_js__WEBPACK_IMPORTED_MODULE_1__/* .fileAnswer */ .HL },
    errors: { 404: "No such flow or trail" },
});


/***/ }),

/***/ 3013:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Gv: () => (/* binding */ isObject),
/* harmony export */   Nt: () => (/* binding */ asObjects),
/* harmony export */   e1: () => (/* binding */ asText),
/* harmony export */   eB: () => (/* binding */ asObject)
/* harmony export */ });
/* Reading values whose shape nobody promised. Written by hand, not as a schema: there may be 150,000 of them. */
const NOTHING = Object.freeze({});
function isObject(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
/** The object, or an empty one when the value is anything else. */
function asObject(value) {
    return isObject(value) ? value : NOTHING;
}
/** The objects of a list; none when the value is anything else. */
function asObjects(value) {
    return Array.isArray(value) ? value.filter(isObject) : [];
}
/** The text, or an empty one when the value is anything else. */
function asText(value) {
    return typeof value === "string" ? value : "";
}


/***/ }),

/***/ 4651:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  Outbox: () => (/* binding */ Outbox)
});

// EXTERNAL MODULE: ./lib/api/errors.js
var errors = __webpack_require__(8937);
// EXTERNAL MODULE: ./lib/api/call.js + 3 modules
var call = __webpack_require__(5145);
// EXTERNAL MODULE: ./lib/api/wire-names.js
var wire_names = __webpack_require__(1798);
;// CONCATENATED MODULE: ./lib/api/prepared.js


/**
 * Makes a request ready to be kept or sent.
 *
 * @param request what `call` takes for the operation
 * @throws {InputError} when it cannot be right
 */
async function prepare(connection, operation, request) {
    // The same faults are found in the same order as when it is sent at once.
    await (0,call/* addressOf */.ci)(connection, operation, request);
    return { params: wireParameters(operation, request), ...(await (0,call/* partsOf */.CI)(operation, request)) };
}
/** Sends what was prepared. Throws as `call` does. */
async function sendPrepared(connection, operation, prepared, options = {}) {
    const entries = Object.entries(prepared.params).map(([name, value]) => [(0,wire_names/* camelName */.yp)(name), value]);
    const url = await (0,call/* addressOf */.ci)(connection, operation, Object.fromEntries(entries));
    const body = (0,call/* bodyOf */.EN)(operation, prepared);
    return (0,call/* exchange */.cv)(connection, operation, { url, body, size: (0,call/* sizeOf */.$d)(prepared), options });
}
function wireParameters({ params, query }, request) {
    const names = Object.keys({ ...params?._zod.def.shape, ...query?._zod.def.shape });
    const entries = names.map((name) => [name, request[(0,wire_names/* camelName */.yp)(name)]]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

// EXTERNAL MODULE: ./lib/api/untyped.js
var untyped = __webpack_require__(3013);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: external "node:stream/promises"
var external_node_stream_promises_ = __webpack_require__(6466);
// EXTERNAL MODULE: ./node_modules/zod/v4/core/parse.js + 1 modules
var parse = __webpack_require__(3945);
// EXTERNAL MODULE: ./lib/api/json.js
var api_json = __webpack_require__(6192);
// EXTERNAL MODULE: ./lib/api/operation.js
var operation = __webpack_require__(2441);
// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js
var mini_schemas = __webpack_require__(4343);
// EXTERNAL MODULE: ./lib/api/names.js
var names = __webpack_require__(7780);
// EXTERNAL MODULE: ./lib/api/texts.js
var texts = __webpack_require__(6268);
;// CONCATENATED MODULE: ./lib/api/allowlists.js




const allowance = mini_schemas/* strictObject */.rej({
    artifact_name: texts/* shortText */.os,
    artifact_fingerprint: names/* fingerprint */.Rj,
    /** Why it may run. */
    description: texts/* longText */.SW,
});
const allowArtifact = (0,operation/* defineOperation */.h9)({
    name: "allowArtifact",
    summary: "Let an artifact count as compliant in an environment whatever its policies say",
    method: "PUT",
    path: "/allowlists/{org}/{env_name}",
    access: "write",
    params: mini_schemas/* object */.Ikc({ env_name: names/* reference */.ir }),
    body: { kind: "json", schema: allowance },
    responses: { 201: mini_schemas/* union */.KCZ([mini_schemas/* looseObject */._H3(allowance.shape), mini_schemas/* string */.YjP()]) },
    errors: { 404: "No such environment" },
});
const listAllowlists = (0,operation/* defineOperation */.h9)({
    name: "listAllowlists",
    summary: "List the artifacts that are allowed in environments, newest first",
    method: "GET",
    path: "/allowlists/{org}",
    access: "read",
    responses: {
        200: mini_schemas/* array */.YOg(mini_schemas/* looseObject */._H3({
            artifact_name: mini_schemas/* string */.YjP(),
            fingerprint: mini_schemas/* string */.YjP(),
            environment_name: mini_schemas/* string */.YjP(),
            /** Unix seconds. */
            timestamp: mini_schemas/* number */.aig(),
            user_name: mini_schemas/* string */.YjP(),
            description: mini_schemas/* string */.YjP(),
        })),
    },
});

// EXTERNAL MODULE: ./node_modules/zod/v4/core/api.js
var api = __webpack_require__(3759);
;// CONCATENATED MODULE: ./lib/api/api-keys.js



/** The latest expiry there is, in Unix seconds: the start of 2100. */
const MAX_EXPIRY = 4_102_444_800;
/** How long a rotated key goes on working, in hours. */
const MAX_GRACE_HOURS = 720;
const DEFAULT_GRACE_HOURS = 24;
/** Unix seconds; 0 is never. */
const expiry = mini_schemas/* nullish */.cl6(mini_schemas/* int */.Whr().check(api/* _gte */.qm(0), api/* _lte */.Zm(MAX_EXPIRY)));
const apiKey = mini_schemas/* looseObject */._H3({
    id: mini_schemas/* string */.YjP(),
    description: mini_schemas/* string */.YjP(),
    /** Unix seconds, like all times here. */
    created_at: mini_schemas/* number */.aig(),
    /** 0 is never. */
    expires_at: mini_schemas/* number */.aig(),
    /** To the minute or so. Null when it was not used yet. */
    last_used_at: mini_schemas/* nullish */.cl6(mini_schemas/* number */.aig()),
});
const createdKey = mini_schemas/* looseObject */._H3({
    id: mini_schemas/* string */.YjP(),
    /** The key itself. It is answered this once. */
    key: mini_schemas/* string */.YjP(),
    description: mini_schemas/* string */.YjP(),
    created_at: mini_schemas/* number */.aig(),
    expires_at: mini_schemas/* number */.aig(),
});
const accountParam = { name: names/* reference */.ir };
const keyParams = mini_schemas/* object */.Ikc({ ...accountParam, key_id: names/* reference */.ir });
const NO_ACCOUNT = { 404: "No such service account" };
const NO_KEY = { 404: "No such service account or API key" };
/**
 * @example
 * const { body } = await client.createApiKey({ name: "ci", body: { description: "for the pipelines" } });
 * keep(body.key);
 */
const createApiKey = (0,operation/* defineOperation */.h9)({
    name: "createApiKey",
    summary: "Create an API key of a service account; the answer is the one place where it can be seen",
    method: "POST",
    path: "/service-accounts/{org}/{name}/api-keys",
    access: "manage accounts",
    params: mini_schemas/* object */.Ikc(accountParam),
    body: {
        kind: "json",
        schema: mini_schemas/* object */.Ikc({
            description: mini_schemas/* string */.YjP().check(api/* _minLength */.m9(1), api/* _maxLength */.Eb(256)),
            expires_at: expiry,
        }),
    },
    responses: { 201: createdKey },
    errors: NO_ACCOUNT,
});
const listApiKeys = (0,operation/* defineOperation */.h9)({
    name: "listApiKeys",
    summary: "List the API keys of a service account that are not revoked, oldest first",
    method: "GET",
    path: "/service-accounts/{org}/{name}/api-keys",
    access: "manage accounts",
    params: mini_schemas/* object */.Ikc(accountParam),
    responses: { 200: mini_schemas/* array */.YOg(apiKey) },
    errors: NO_ACCOUNT,
});
const getApiKey = (0,operation/* defineOperation */.h9)({
    name: "getApiKey",
    summary: "Get what is known of an API key",
    method: "GET",
    path: "/service-accounts/{org}/{name}/api-keys/{key_id}",
    access: "manage accounts",
    params: keyParams,
    responses: { 200: apiKey },
    errors: NO_KEY,
});
const rotateApiKey = (0,operation/* defineOperation */.h9)({
    name: "rotateApiKey",
    summary: "Replace an API key by a new one; the old one works for a while longer",
    method: "POST",
    path: "/service-accounts/{org}/{name}/api-keys/{key_id}/rotate",
    access: "manage accounts",
    params: keyParams,
    body: {
        kind: "json",
        schema: mini_schemas/* object */.Ikc({
            grace_period_hours: mini_schemas/* _default */.Rvf(mini_schemas/* int */.Whr().check(api/* _gte */.qm(1), api/* _lte */.Zm(MAX_GRACE_HOURS)), DEFAULT_GRACE_HOURS),
            /** Of the new key. */
            expires_at: expiry,
        }),
    },
    responses: {
        /** The end of the grace period is when the old key stops working. */
        201: mini_schemas/* looseObject */._H3({ ...createdKey.shape, grace_period_expires_at: mini_schemas/* number */.aig() }),
    },
    errors: NO_KEY,
});
const revokeApiKey = (0,operation/* defineOperation */.h9)({
    name: "revokeApiKey",
    summary: "Revoke an API key at once and for good",
    method: "DELETE",
    path: "/service-accounts/{org}/{name}/api-keys/{key_id}",
    access: "manage accounts",
    params: keyParams,
    responses: { 200: mini_schemas/* string */.YjP() },
    errors: { 404: "No such service account or API key, or it was revoked before" },
});

// EXTERNAL MODULE: ./lib/api/paging.js
var paging = __webpack_require__(7098);
// EXTERNAL MODULE: ./lib/api/submission.js
var submission = __webpack_require__(9418);
;// CONCATENATED MODULE: ./lib/api/approvals.js






const reviewFields = {
    state: mini_schemas/* enum */.k5n(["APPROVED", "UNAPPROVED"]),
    comment: texts/* longText */.SW,
    approved_by: texts/* shortText */.os,
    approval_url: texts/* addressText */.GI,
};
const approvalSubmission = mini_schemas/* strictObject */.rej({
    artifact_fingerprint: names/* fingerprint */.Rj,
    description: texts/* longText */.SW,
    /** Where the artifact may go; anywhere unless given. */
    environment: mini_schemas/* nullish */.cl6(texts/* shortText */.os),
    /** The commits that are approved. */
    src_commit_list: mini_schemas/* array */.YOg(names/* commitSha */.mJ),
    /** The commit that the approved ones come after, such as that of the artifact that runs now. */
    oldest_commit: mini_schemas/* nullish */.cl6(names/* commitSha */.mJ),
    /** None makes it a request for approval. The last one decides. */
    approvals: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* object */.Ikc(reviewFields))),
    user_data: mini_schemas/* nullish */.cl6(submission/* userData */.sw),
});
const approvalFields = {
    /** Counts from 1 in each flow, without gaps. */
    release_number: mini_schemas/* int */.Whr(),
    /** The fingerprint of the artifact that the commits start from; empty when none is known. */
    base_artifact: mini_schemas/* string */.YjP(),
    artifact_name: mini_schemas/* string */.YjP(),
    /** The fingerprint of what is approved. */
    target_artifact: mini_schemas/* string */.YjP(),
    environment: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    description: mini_schemas/* string */.YjP(),
    /** Unix seconds. */
    created_at: mini_schemas/* number */.aig(),
    last_modified_at: mini_schemas/* number */.aig(),
    /** `PENDING` until somebody reviewed it, then what the last review said. */
    state: mini_schemas/* enum */.k5n(["APPROVED", "UNAPPROVED", "PENDING"]),
    approvals: mini_schemas/* array */.YOg(mini_schemas/* looseObject */._H3({ ...reviewFields, timestamp: mini_schemas/* number */.aig() })),
    user_data: mini_schemas/* nullish */.cl6(mini_schemas/* unknown */.L5J()),
};
const approvalOfCommits = mini_schemas/* looseObject */._H3({ ...approvalFields, src_commit_list: mini_schemas/* array */.YOg(mini_schemas/* string */.YjP()) });
const approvalWithArtifacts = mini_schemas/* looseObject */._H3({
    ...approvalFields,
    src_commit_list: mini_schemas/* array */.YOg(mini_schemas/* looseObject */._H3({
        commit_sha: mini_schemas/* string */.YjP(),
        /** The artifacts of the flow that were built from it. */
        artifact_fingerprints: mini_schemas/* array */.YOg(mini_schemas/* string */.YjP()),
    })),
});
const flowParam = { flow_name: names/* reference */.ir };
/**
 * @example
 * await client.recordApproval({
 *   flowName: "web",
 *   body: {
 *     artifactFingerprint,
 *     description: "release 12",
 *     environment: "prod",
 *     srcCommitList: [commit],
 *     approvals: [{ state: "APPROVED", comment: "", approvedBy: "ada", approvalUrl: "https://ci.example/7" }],
 *   },
 * });
 */
const recordApproval = (0,operation/* defineOperation */.h9)({
    name: "recordApproval",
    summary: "Record the approval of an artifact, or ask for one",
    method: "POST",
    path: "/approvals/{org}/{flow_name}",
    access: "write",
    params: mini_schemas/* object */.Ikc(flowParam),
    body: { kind: "json", schema: approvalSubmission },
    /** Some services answer with what they were sent. */
    responses: { 201: mini_schemas/* union */.KCZ([mini_schemas/* string */.YjP(), mini_schemas/* looseObject */._H3({})]) },
    errors: { 404: "No such flow, artifact or environment" },
    takesIdempotencyKey: true,
});
const listApprovals = (0,operation/* defineOperation */.h9)({
    name: "listApprovals",
    summary: "List the approvals of a flow, newest first",
    method: "GET",
    path: "/approvals/{org}/{flow_name}",
    access: "read",
    params: mini_schemas/* object */.Ikc(flowParam),
    query: mini_schemas/* object */.Ikc({
        page: mini_schemas/* _default */.Rvf(paging/* pageNumber */.PW, 1),
        per_page: mini_schemas/* _default */.Rvf(paging/* itemsPerPage */.D7, 20),
    }),
    responses: { 200: mini_schemas/* array */.YOg(approvalOfCommits) },
    errors: { 404: "No such flow" },
});
const getApproval = (0,operation/* defineOperation */.h9)({
    name: "getApproval",
    summary: "Get an approval by its number; negative numbers count from the end, so that -1 is the latest",
    method: "GET",
    path: "/approvals/{org}/{flow_name}/{approval_number}",
    access: "read",
    params: mini_schemas/* object */.Ikc({ ...flowParam, approval_number: mini_schemas/* int */.Whr() }),
    responses: { 200: approvalWithArtifacts },
    errors: { 404: "No such flow or approval" },
});
const listArtifactApprovals = (0,operation/* defineOperation */.h9)({
    name: "listArtifactApprovals",
    summary: "List the approvals of an artifact, oldest first: the last one decides",
    method: "GET",
    path: "/artifacts/{org}/{flow_name}/{fingerprint}/approvals",
    access: "read",
    params: mini_schemas/* object */.Ikc({ ...flowParam, fingerprint: names/* fingerprint */.Rj }),
    responses: { 200: mini_schemas/* array */.YOg(approvalOfCommits) },
    errors: { 404: "No such flow or artifact" },
});
const getArtifactCommit = (0,operation/* defineOperation */.h9)({
    name: "getArtifactCommit",
    summary: "Get the commit of the artifact of a flow that runs in an environment",
    method: "GET",
    path: "/approvals/{org}/{flow_name}/artifact-commit/{env_name}",
    access: "read",
    params: mini_schemas/* object */.Ikc({ ...flowParam, env_name: names/* reference */.ir }),
    /** Null when nothing of the flow runs there, or its commit is not known. */
    responses: { 200: mini_schemas/* looseObject */._H3({ commit_sha: mini_schemas/* nullable */.mee(mini_schemas/* string */.YjP()) }) },
    errors: { 404: "No such flow or environment" },
});

// EXTERNAL MODULE: ./lib/api/artifact-report.js
var artifact_report = __webpack_require__(9047);
// EXTERNAL MODULE: ./lib/api/provenance.js
var provenance = __webpack_require__(3981);
;// CONCATENATED MODULE: ./lib/api/attestation-record.js


/*
 * What is read of attestations. Services of other ages leave fields out or add some, and one odd record must not make
 * a whole list unreadable: so what was checked when it was sent is not checked again here, only named.
 */
const attestation_record_text = mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP());
const number = mini_schemas/* nullish */.cl6(mini_schemas/* number */.aig());
/** Links by label, as records show them: older services may give plain addresses. */
const linksByLabel = mini_schemas/* nullish */.cl6(mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* union */.KCZ([mini_schemas/* looseObject */._H3({ href: mini_schemas/* string */.YjP(), fingerprint: attestation_record_text }), mini_schemas/* string */.YjP()])));
const attestation_record_link = mini_schemas/* nullish */.cl6(mini_schemas/* looseObject */._H3({ href: mini_schemas/* string */.YjP() }));
/** A commit as records show it. */
const commitRecord = mini_schemas/* looseObject */._H3({ ...provenance/* gitCommitInfo */.Or.def.shape, sha1: attestation_record_text });
const testResult = mini_schemas/* looseObject */._H3({
    name: attestation_record_text,
    failures: number,
    errors: number,
    skipped: number,
    total: number,
    /** Seconds. */
    duration: number,
    /** Unix seconds. */
    timestamp: number,
});
const vulnerabilities = mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* looseObject */._H3({
    id: attestation_record_text,
    message: attestation_record_text,
    locations: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* looseObject */._H3({ uri: attestation_record_text, lines: mini_schemas/* optional */.lqM(mini_schemas/* unknown */.L5J()) }))),
    priority_score: number,
})));
const scanResults = mini_schemas/* looseObject */._H3({
    schema_version: number,
    tool: mini_schemas/* nullish */.cl6(mini_schemas/* looseObject */._H3({ name: attestation_record_text, version: attestation_record_text })),
    results: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* looseObject */._H3({
        low_count: number,
        medium_count: number,
        high_count: number,
        low: vulnerabilities,
        medium: vulnerabilities,
        high: vulnerabilities,
    }))),
});
const pullRequest = mini_schemas/* looseObject */._H3({
    url: attestation_record_text,
    /** In the words of the provider: `MERGED`, `OPEN`, `CLOSED` … */
    state: attestation_record_text,
    author: attestation_record_text,
    title: attestation_record_text,
    /** Unix seconds. */
    created_at: number,
    merged_at: number,
    head_ref: attestation_record_text,
    base_ref: attestation_record_text,
    merge_commit: attestation_record_text,
    /** Names alone where an older client sent them. */
    approvers: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* union */.KCZ([mini_schemas/* string */.YjP(), mini_schemas/* looseObject */._H3({ username: attestation_record_text, state: attestation_record_text, timestamp: number })]))),
    commits: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(commitRecord)),
});
const issue = mini_schemas/* looseObject */._H3({
    issue_id: attestation_record_text,
    issue_url: attestation_record_text,
    issue_exists: mini_schemas/* nullish */.cl6(mini_schemas/* boolean */.zMY()),
    issue_fields: mini_schemas/* nullish */.cl6(mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* unknown */.L5J())),
});
/** What some kinds say beyond the others, where artifacts show it as well. */
const kindResults = {
    junit_results: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(testResult)),
    git_provider: attestation_record_text,
    pull_requests: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(pullRequest)),
    jira_results: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(issue)),
};
const snykResults = mini_schemas/* nullish */.cl6(scanResults);
/** An attestation as it was recorded. Which fields it has beyond those of all goes by its type. */
const attestationRecord = mini_schemas/* looseObject */._H3({
    attestation_id: mini_schemas/* string */.YjP(),
    attestation_name: mini_schemas/* string */.YjP(),
    /** A built-in kind, `custom:<name>` or `system:<name>`. */
    attestation_type: mini_schemas/* string */.YjP(),
    is_compliant: mini_schemas/* nullish */.cl6(mini_schemas/* boolean */.zMY()),
    /** Unix seconds, fractional. */
    created_at: mini_schemas/* number */.aig(),
    description: attestation_record_text,
    /** Whether evidence files are stored with it. */
    has_audit_package: mini_schemas/* nullish */.cl6(mini_schemas/* boolean */.zMY()),
    html_url: attestation_record_text,
    origin_url: attestation_record_text,
    reported_by: attestation_record_text,
    schema_version: number,
    user_data: mini_schemas/* optional */.lqM(mini_schemas/* unknown */.L5J()),
    flow_name: attestation_record_text,
    trail_name: attestation_record_text,
    /** The artifact it is about. */
    artifact_fingerprint: attestation_record_text,
    /** Names of artifacts in the template that it is for. */
    target_artifacts: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* string */.YjP())),
    git_commit_info: mini_schemas/* nullish */.cl6(commitRecord),
    external_urls: linksByLabel,
    annotations: mini_schemas/* nullish */.cl6(mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* unknown */.L5J())),
    /** Where the service keeps the evidence file; its own business. */
    evidence_archive_path: attestation_record_text,
    /** The sha256 of the one evidence file. */
    evidence_archive_fingerprint: attestation_record_text,
    _links: mini_schemas/* nullish */.cl6(mini_schemas/* looseObject */._H3({ self: attestation_record_link, evidence: attestation_record_link })),
    ...kindResults,
    /** Of `snyk`. */
    processed_snyk_results: snykResults,
    /** Of `sonar`, in the scanner's names. */
    sonar_results: mini_schemas/* nullish */.cl6(mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* unknown */.L5J())),
    /** Of custom and system types: their name, and the version that judged the data. */
    type_name: attestation_record_text,
    type_version: number,
    attestation_data: mini_schemas/* optional */.lqM(mini_schemas/* unknown */.L5J()),
    /** Why no verdict could be reached, so that it is not compliant. */
    evaluation_error: attestation_record_text,
    /** Of a decision: the identifier of the control. */
    control: attestation_record_text,
    /** Of an override: the attestation whose verdict it replaces, and why. */
    overridden_attestation_id: attestation_record_text,
    original_attestation_type: attestation_record_text,
    new_compliance_status: mini_schemas/* nullish */.cl6(mini_schemas/* boolean */.zMY()),
    reason: attestation_record_text,
});

// EXTERNAL MODULE: ./lib/api/trail-record.js
var trail_record = __webpack_require__(6516);
;// CONCATENATED MODULE: ./lib/api/artifact-record.js



/** What was attested about an artifact under one name. */
const artifactEvidence = mini_schemas/* looseObject */._H3({
    evidence_type: mini_schemas/* string */.YjP(),
    is_compliant: mini_schemas/* nullable */.mee(mini_schemas/* boolean */.zMY()),
    build_url: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    evidence_archive_fingerprint: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    user_data: mini_schemas/* optional */.lqM(mini_schemas/* unknown */.L5J()),
    /** Unix seconds as text. */
    created_at: mini_schemas/* string */.YjP(),
    description: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    /** Whether evidence files are stored with it. */
    has_audit_package: mini_schemas/* boolean */.zMY(),
    evidence_url: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    evidence_fingerprint: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    commit_sha: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    snyk_results: snykResults,
    ...kindResults,
});
/** Providers come to be supported that are not known here. */
const repoRecord = mini_schemas/* looseObject */._H3({
    name: mini_schemas/* string */.YjP(),
    url: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    id: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    description: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    provider: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
});
const artifactFields = {
    /** Of this report: an artifact that is reported again has another. */
    id: mini_schemas/* string */.YjP(),
    trail_name: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    /** Its name in the flow template. */
    template_reference_name: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    fingerprint: mini_schemas/* string */.YjP(),
    filename: mini_schemas/* string */.YjP(),
    description: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    git_commit: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    git_commit_info: mini_schemas/* nullish */.cl6(commitRecord),
    repo_info: mini_schemas/* nullish */.cl6(repoRecord),
    commit_url: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    build_url: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    repo_url: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    html_url: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    api_url: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    /** Unix seconds as text. */
    created_at: mini_schemas/* string */.YjP(),
    last_modified_at: mini_schemas/* string */.YjP(),
    user_data: mini_schemas/* optional */.lqM(mini_schemas/* unknown */.L5J()),
    external_urls: linksByLabel,
    annotations: mini_schemas/* nullish */.cl6(mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* unknown */.L5J())),
    state: mini_schemas/* nullish */.cl6(trail_record/* complianceState */.Bt),
    deployments: mini_schemas/* optional */.lqM(mini_schemas/* array */.YOg(mini_schemas/* unknown */.L5J())),
    releases: mini_schemas/* optional */.lqM(mini_schemas/* array */.YOg(mini_schemas/* unknown */.L5J())),
    /** The latest attestation of each name. */
    evidence: mini_schemas/* optional */.lqM(mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), artifactEvidence)),
};
const artifactListItem = mini_schemas/* looseObject */._H3(artifactFields);
/** A snapshot of an environment, by its number. */
const runningInstance = mini_schemas/* looseObject */._H3({ environment_name: mini_schemas/* string */.YjP(), snapshot_index: mini_schemas/* int */.Whr() });
const artifactRecord = mini_schemas/* looseObject */._H3({
    ...artifactFields,
    flow_name: mini_schemas/* string */.YjP(),
    /** The names of the attestations that the template asks for. */
    template: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* string */.YjP())),
    /** Why it is in its state. */
    state_info: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    approvals: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* unknown */.L5J())),
    /** Where it runs, by the latest snapshots. */
    running: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(runningInstance)),
    /** Where it ran, each with the last snapshot that had it. */
    exited: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(runningInstance)),
    history: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* looseObject */._H3({ event: mini_schemas/* string */.YjP(), timestamp: mini_schemas/* number */.aig() }))),
    commit_lead_times: mini_schemas/* optional */.lqM(mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* unknown */.L5J())),
    build_lead_times: mini_schemas/* optional */.lqM(mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* unknown */.L5J())),
});

;// CONCATENATED MODULE: ./lib/api/artifacts.js






const artifactPath = mini_schemas/* object */.Ikc({ flow_name: names/* flowName */.Eo, fingerprint: names/* fingerprintPrefix */.h5 });
const getArtifact = (0,operation/* defineOperation */.h9)({
    name: "getArtifact",
    summary: "Get an artifact of a flow, as it was last reported",
    method: "GET",
    path: "/artifacts/{org}/{flow_name}/fingerprint/{fingerprint}",
    access: "read",
    params: artifactPath,
    query: mini_schemas/* object */.Ikc({
        /** As it was last reported to this trail. */
        trail: mini_schemas/* optional */.lqM(names/* reference */.ir),
        /** As it was last reported to the trail of this attestation. */
        attestation_id: mini_schemas/* optional */.lqM(names/* recordId */.Re),
    }),
    responses: { 200: artifactRecord },
    errors: { 404: "No such flow, trail or artifact" },
});
const getArtifactsByCommit = (0,operation/* defineOperation */.h9)({
    name: "getArtifactsByCommit",
    summary: "Get the artifacts of a flow that were built from a commit, newest first",
    method: "GET",
    path: "/artifacts/{org}/{flow_name}/commit_sha/{commit_sha}",
    access: "read",
    params: mini_schemas/* object */.Ikc({ flow_name: names/* flowName */.Eo, commit_sha: names/* commitShaPrefix */.Ym }),
    query: mini_schemas/* object */.Ikc({ trail: mini_schemas/* optional */.lqM(names/* reference */.ir) }),
    responses: { 200: mini_schemas/* array */.YOg(artifactRecord) },
    errors: { 404: "No such flow or trail" },
});
const artifactPaging = { page: mini_schemas/* _default */.Rvf(paging/* pageNumber */.PW, 1), per_page: mini_schemas/* _default */.Rvf(paging/* itemsPerPage */.D7, 15) };
const listArtifacts = (0,operation/* defineOperation */.h9)({
    name: "listArtifacts",
    summary: "List the artifacts, newest first",
    method: "GET",
    path: "/artifacts/{org}",
    access: "read",
    query: mini_schemas/* object */.Ikc({
        flow_name: mini_schemas/* optional */.lqM(names/* flowName */.Eo),
        /** Empty means all, as if it were not given. */
        repo_name: mini_schemas/* optional */.lqM(texts/* shortText */.os),
        ...artifactPaging,
    }),
    responses: { 200: mini_schemas/* array */.YOg(artifactListItem) },
    errors: { 404: "No such flow or repository" },
});
/** Kept for older clients: `listArtifacts` with a `flow_name` answers the same. */
const listFlowArtifacts = (0,operation/* defineOperation */.h9)({
    name: "listFlowArtifacts",
    summary: "List the artifacts of a flow, newest first (deprecated: use listArtifacts)",
    method: "GET",
    path: "/artifacts/{org}/{flow_name}",
    access: "read",
    params: mini_schemas/* object */.Ikc({ flow_name: names/* flowName */.Eo }),
    query: mini_schemas/* object */.Ikc(artifactPaging),
    responses: { 200: mini_schemas/* array */.YOg(artifactListItem) },
    errors: { 404: "No such flow" },
});
/**
 * From here to the artifact's own commit are the commits that it adds. The artifact need not be reported yet.
 */
const getLatestCommit = (0,operation/* defineOperation */.h9)({
    name: "getLatestCommit",
    summary: "Get the commit of the latest other artifact of a flow, from before this one",
    method: "GET",
    path: "/artifacts/{org}/{flow_name}/{fingerprint}/latest_commit",
    access: "read",
    params: artifactPath,
    query: mini_schemas/* object */.Ikc({
        /** Among the artifacts built on this branch. */
        branch: mini_schemas/* optional */.lqM(names/* reference */.ir),
    }),
    responses: { 200: mini_schemas/* object */.Ikc({ latest_commit: mini_schemas/* nullable */.mee(mini_schemas/* string */.YjP()) }) },
    errors: { 404: "No such flow" },
});
/** An audit package of one artifact: `manifest.json`, the artifact and its attestations. */
const getArtifactAuditPackage = (0,operation/* defineOperation */.h9)({
    name: "getArtifactAuditPackage",
    summary: "Download an artifact and its evidence as one archive",
    method: "GET",
    path: "/artifacts/{org}/{flow_name}/{fingerprint}/audit_package",
    access: "read",
    params: artifactPath,
    responses: { 200: operation/* fileAnswer */.HL },
    errors: { 404: "No such flow or artifact" },
});

;// CONCATENATED MODULE: ./lib/api/policy-evaluations.js

/** A condition in the expression language of policies, without the `${{ }}` around it. */
const policyExpression = mini_schemas/* looseObject */._H3({ text: mini_schemas/* string */.YjP() });
/** What a rule asks for: the fields of its type. */
const ruleDefinition = mini_schemas/* looseObject */._H3({
    /** Of `provenance` and `trail-compliance`. */
    required: mini_schemas/* optional */.lqM(mini_schemas/* boolean */.zMY()),
    exceptions: mini_schemas/* optional */.lqM(mini_schemas/* array */.YOg(mini_schemas/* looseObject */._H3({ if: policyExpression }))),
    /** Of `attestation`: for which artifacts it holds; null for every one. */
    if: mini_schemas/* nullish */.cl6(policyExpression),
    /** The name of the attestation, or `*` for any. */
    name: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    /** The kind of attestation, or `*` for any. */
    type: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    must_be_compliant: mini_schemas/* nullish */.cl6(mini_schemas/* boolean */.zMY()),
    /** The identifier of the control that a decision must be about. */
    for_control: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
});
/** What one rule came to for one flow and trail of the artifact. */
const ruleResolution = mini_schemas/* looseObject */._H3({
    /**
     * `rule_satisfied`, `rule_not_applicable`, or why it fails: `missing_provenance`, `no_provenance`,
     * `non_compliant_in_trail`, `missing_attestation`, `non_compliant_attestation`, `legacy_flow`.
     */
    type: mini_schemas/* string */.YjP(),
    context: mini_schemas/* nullish */.cl6(mini_schemas/* looseObject */._H3({
        flow_name: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
        trail_name: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
        /** The status of the artifact in the trail, for rules about it. */
        artifact_status: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
        for_control: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    })),
});
const ruleEvaluation = mini_schemas/* looseObject */._H3({
    rule: mini_schemas/* looseObject */._H3({
        /** `provenance`, `trail-compliance` or `attestation` */
        type: mini_schemas/* string */.YjP(),
        definition: ruleDefinition,
    }),
    /** Null when the rule asks for nothing here. */
    satisfied: mini_schemas/* nullish */.cl6(mini_schemas/* boolean */.zMY()),
    ignored: mini_schemas/* nullish */.cl6(mini_schemas/* boolean */.zMY()),
    resolutions: mini_schemas/* optional */.lqM(mini_schemas/* array */.YOg(ruleResolution)),
});
/** What one policy came to for one artifact. */
const policyEvaluation = mini_schemas/* looseObject */._H3({
    policy_name: mini_schemas/* string */.YjP(),
    policy_version: mini_schemas/* optional */.lqM(mini_schemas/* int */.Whr()),
    /** `COMPLIANT` or `NON-COMPLIANT` */
    status: mini_schemas/* string */.YjP(),
    /** In the order of the policy: provenance, trail compliance, then each attestation it asks for. */
    rule_evaluations: mini_schemas/* optional */.lqM(mini_schemas/* array */.YOg(ruleEvaluation)),
});

;// CONCATENATED MODULE: ./lib/api/asserts.js





const attestationStatus = mini_schemas/* looseObject */._H3({
    attestation_name: mini_schemas/* string */.YjP(),
    attestation_type: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    /** `MISSING` or `COMPLETE` */
    status: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    is_compliant: mini_schemas/* nullish */.cl6(mini_schemas/* boolean */.zMY()),
    /** Not asked for by the template. */
    unexpected: mini_schemas/* optional */.lqM(mini_schemas/* boolean */.zMY()),
});
const complianceStatus = mini_schemas/* looseObject */._H3({
    artifact_fingerprint: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    /** `MISSING`, `INCOMPLETE`, `COMPLIANT` or `NON-COMPLIANT` */
    status: mini_schemas/* optional */.lqM(mini_schemas/* string */.YjP()),
    is_compliant: mini_schemas/* nullish */.cl6(mini_schemas/* boolean */.zMY()),
    attestations_statuses: mini_schemas/* optional */.lqM(mini_schemas/* array */.YOg(attestationStatus)),
    evaluated_at: mini_schemas/* nullish */.cl6(mini_schemas/* number */.aig()),
    unexpected: mini_schemas/* optional */.lqM(mini_schemas/* boolean */.zMY()),
});
const flowVerdict = mini_schemas/* looseObject */._H3({
    flow: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    trail: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    compliant: mini_schemas/* boolean */.zMY(),
    compliance_status: mini_schemas/* nullish */.cl6(complianceStatus),
    html_url: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
});
const allowListing = mini_schemas/* looseObject */._H3({
    allowlist_id: mini_schemas/* optional */.lqM(mini_schemas/* string */.YjP()),
    allowed_by_user_id: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    /** Unix seconds. */
    timestamp: mini_schemas/* optional */.lqM(mini_schemas/* number */.aig()),
    description: mini_schemas/* optional */.lqM(mini_schemas/* string */.YjP()),
});
const assertion = mini_schemas/* looseObject */._H3({
    fingerprint: mini_schemas/* string */.YjP(),
    /** Flow, trail and address are of the flow that the artifact was first reported to, or of the one asked about. */
    ...flowVerdict.shape,
    /** In the order in which the artifact came to them. */
    flows: mini_schemas/* nullish */.cl6(mini_schemas/* union */.KCZ([mini_schemas/* array */.YOg(flowVerdict), flowVerdict])),
    scope: mini_schemas/* enum */.k5n(["flow", "environment", "policy"]),
    environment: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    /** In the order in which the policies were asked for, or by name for those of an environment. */
    policy_evaluations: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(policyEvaluation)),
    /** That the artifact is allowed in the environment whatever the policies say. */
    allow_listing: mini_schemas/* nullish */.cl6(allowListing),
});
const assertArtifact = (0,operation/* defineOperation */.h9)({
    name: "assertArtifact",
    summary: "Say whether an artifact is compliant: in its flows, in an environment or by policies",
    method: "GET",
    path: "/asserts/{org}/fingerprint/{fingerprint}",
    access: "read",
    params: mini_schemas/* object */.Ikc({ fingerprint: names/* fingerprint */.Rj }),
    query: mini_schemas/* object */.Ikc({
        flow_name: mini_schemas/* optional */.lqM(texts/* shortText */.os),
        /** Not together with `policy_name`. */
        environment_name: mini_schemas/* optional */.lqM(texts/* shortText */.os),
        policy_name: mini_schemas/* optional */.lqM(mini_schemas/* array */.YOg(texts/* shortText */.os)),
    }),
    /** 200 for both verdicts: `compliant` holds it. */
    responses: { 200: assertion },
    errors: { 404: "No such artifact, flow, environment or policy" },
});

// EXTERNAL MODULE: ./lib/api/attestation-kinds.js
var attestation_kinds = __webpack_require__(3540);
// EXTERNAL MODULE: ./lib/api/attestation-fields.js
var attestation_fields = __webpack_require__(5194);
;// CONCATENATED MODULE: ./lib/api/attestations.js






const getArtifactAttestation = (0,operation/* defineOperation */.h9)({
    name: "getArtifactAttestation",
    summary: "Get the attestations of one name on an artifact, newest first",
    method: "GET",
    path: "/attestations/{org}/{flow_name}/artifact/{fingerprint}/{attestation_name}",
    access: "read",
    params: mini_schemas/* object */.Ikc({ flow_name: names/* reference */.ir, fingerprint: names/* fingerprintPrefix */.h5, attestation_name: names/* reference */.ir }),
    responses: { 200: mini_schemas/* array */.YOg(attestationRecord) },
    errors: { 404: "No such flow or artifact" },
});
const listTrailAttestations = (0,operation/* defineOperation */.h9)({
    name: "listTrailAttestations",
    summary: "Get the attestations of one name on a trail, newest first",
    method: "GET",
    path: "/attestations/{org}/{flow_name}/trail/{trail_name}/{attestation_name}",
    access: "read",
    params: mini_schemas/* object */.Ikc({ ...attestation_fields/* trailParams */.X$.def.shape, attestation_name: names/* reference */.ir }),
    responses: { 200: mini_schemas/* array */.YOg(attestationRecord) },
    errors: { 404: "No such flow or trail" },
});
const pagination = mini_schemas/* nullish */.cl6(mini_schemas/* looseObject */._H3({ total: mini_schemas/* int */.Whr(), page: mini_schemas/* int */.Whr(), per_page: mini_schemas/* int */.Whr(), page_count: mini_schemas/* int */.Whr() }));
const perPage = mini_schemas/* _default */.Rvf(mini_schemas/* int */.Whr().check(api/* _gte */.qm(1), api/* _lte */.Zm(100)), 20);
const period = {
    /** Unix seconds; recorded then or later. */
    from_timestamp: mini_schemas/* optional */.lqM(mini_schemas/* int */.Whr()),
    /** Unix seconds; recorded before then. */
    to_timestamp: mini_schemas/* optional */.lqM(mini_schemas/* int */.Whr()),
};
/**
 * With `attestation_id` the one record of that id, or none. Else all that pass the filters.
 *
 * @example
 * let after: string | undefined;
 * do {
 *   const { body } = await client.listAttestations({ name: "unit", isCompliant: false, ...(after && { after }) });
 *   for (const record of body.data) report(record);
 *   after = body._links?.next?.after;
 * } while (after !== undefined);
 */
const listAttestations = (0,operation/* defineOperation */.h9)({
    name: "listAttestations",
    summary: "List the attestations of an organization, newest first",
    method: "GET",
    path: "/attestations/{org}",
    access: "read",
    query: mini_schemas/* object */.Ikc({
        attestation_id: mini_schemas/* optional */.lqM(texts/* shortText */.os),
        name: mini_schemas/* optional */.lqM(names/* attestationName */.kA),
        name_regex: mini_schemas/* optional */.lqM(texts/* shortText */.os.check(mini_schemas/* meta */.mIj({
            description: "Found anywhere in the name; the syntax of RE2, up to 1,000 characters and 2,000 states. Not together with `name`.",
        }))),
        flow: mini_schemas/* optional */.lqM(mini_schemas/* array */.YOg(texts/* shortText */.os)),
        type: mini_schemas/* optional */.lqM(mini_schemas/* array */.YOg(names/* attestationType */.ZW)),
        is_compliant: mini_schemas/* optional */.lqM(mini_schemas/* boolean */.zMY()),
        ...period,
        /** Where the page before ended: `_links.next.after` of its answer. */
        after: mini_schemas/* optional */.lqM(texts/* shortText */.os),
        per_page: perPage,
    }),
    responses: {
        200: mini_schemas/* looseObject */._H3({
            data: mini_schemas/* array */.YOg(attestationRecord),
            _links: mini_schemas/* nullish */.cl6(mini_schemas/* looseObject */._H3({
                /** Absent on the last page. */
                next: mini_schemas/* nullish */.cl6(mini_schemas/* looseObject */._H3({ href: mini_schemas/* optional */.lqM(mini_schemas/* string */.YjP()), after: mini_schemas/* optional */.lqM(mini_schemas/* string */.YjP()) })),
            })),
            pagination,
        }),
    },
});
const listFlowAttestations = (0,operation/* defineOperation */.h9)({
    name: "listFlowAttestations",
    summary: "List the attestations of a flow, newest first",
    method: "GET",
    path: "/attestations/{org}/{flow_name}",
    access: "read",
    params: mini_schemas/* object */.Ikc({ flow_name: names/* reference */.ir }),
    query: mini_schemas/* object */.Ikc({ page: mini_schemas/* _default */.Rvf(mini_schemas/* int */.Whr().check(api/* _gte */.qm(1)), 1), per_page: perPage, ...period }),
    responses: { 200: mini_schemas/* looseObject */._H3({ data: mini_schemas/* array */.YOg(attestationRecord), pagination }) },
    errors: { 404: "No such flow" },
});
const listAttestationsForCriteria = (0,operation/* defineOperation */.h9)({
    name: "listAttestationsForCriteria",
    summary: "List the attestations that were made for commits, by commit",
    method: "GET",
    path: "/attestations/{org}/list_attestations_for_criteria",
    access: "read",
    query: mini_schemas/* object */.Ikc({
        commit_list: mini_schemas/* optional */.lqM(mini_schemas/* array */.YOg(names/* commitSha */.mJ)),
        attestation_type: mini_schemas/* optional */.lqM(texts/* shortText */.os),
        attestation_name: mini_schemas/* optional */.lqM(texts/* shortText */.os),
        flow_name: mini_schemas/* optional */.lqM(texts/* shortText */.os),
        /** Has no effect. */
        attestation_id: mini_schemas/* optional */.lqM(texts/* shortText */.os),
    }),
    responses: { 200: mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* array */.YOg(attestationRecord)) },
    errors: { 422: "The attestation type is not one there is" },
});
const listSystemAttestationTypes = (0,operation/* defineOperation */.h9)({
    name: "listSystemAttestationTypes",
    summary: "List the attestation types that the service defines",
    method: "GET",
    path: "/attestations/system-attestation-types",
    access: "read",
    responses: {
        200: mini_schemas/* array */.YOg(mini_schemas/* looseObject */._H3({
            name: mini_schemas/* string */.YjP(),
            description: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
            versions: mini_schemas/* array */.YOg(mini_schemas/* looseObject */._H3({ version: mini_schemas/* int */.Whr(), type_schema: mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* unknown */.L5J()) })),
        })),
    },
});
const downloadEvidence = (0,operation/* defineOperation */.h9)({
    name: "downloadEvidence",
    summary: "Download the evidence of an attestation: its file, or a gzip tar of its files",
    method: "GET",
    path: "/attestations/{org}/{flow_name}/trail/{trail_name}/attestation/{attestation_id}/evidence",
    access: "read",
    params: mini_schemas/* object */.Ikc({ ...attestation_fields/* trailParams */.X$.def.shape, attestation_id: names/* reference */.ir }),
    responses: { 200: operation/* fileAnswer */.HL },
    errors: {
        404: "No such attestation, or it has no evidence",
        500: "The service failed, or the evidence was changed or is missing where the service keeps it",
    },
});

;// CONCATENATED MODULE: ./lib/api/controls.js




/* What an organization has set itself to do. Policies may ask for decisions about controls. */
const named = mini_schemas/* object */.Ikc({ identifier: names/* reference */.ir });
const controls_errors = { 404: "No such control" };
const unknownLinks = mini_schemas/* nullish */.cl6(mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* unknown */.L5J()));
const pages = {
    page: mini_schemas/* _default */.Rvf(mini_schemas/* int */.Whr().check(api/* _gte */.qm(1)), 1),
    per_page: mini_schemas/* _default */.Rvf(mini_schemas/* int */.Whr().check(api/* _gte */.qm(1), api/* _lte */.Zm(100)), 15),
};
const controls_paging = {
    _links: unknownLinks,
    page: mini_schemas/* int */.Whr(),
    per_page: mini_schemas/* int */.Whr(),
    total_pages: mini_schemas/* int */.Whr(),
    total_count: mini_schemas/* int */.Whr(),
};
const control = mini_schemas/* looseObject */._H3({
    identifier: mini_schemas/* string */.YjP(),
    name: mini_schemas/* string */.YjP(),
    description: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    /** Addresses by label. */
    links: mini_schemas/* nullish */.cl6(mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* unknown */.L5J())),
    /** Counts from 1, up with each change. */
    version: mini_schemas/* optional */.lqM(mini_schemas/* int */.Whr()),
    /** Unix seconds. */
    created_at: mini_schemas/* optional */.lqM(mini_schemas/* number */.aig()),
    created_by: mini_schemas/* optional */.lqM(mini_schemas/* string */.YjP()),
    tags: mini_schemas/* nullish */.cl6(mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* unknown */.L5J())),
    /** Only where one control is asked for. */
    archived: mini_schemas/* optional */.lqM(mini_schemas/* boolean */.zMY()),
    /** The names of the policies whose latest version asks for decisions about it; only where one is asked for. */
    policies_referencing: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* unknown */.L5J())),
});
const controlVersion = mini_schemas/* looseObject */._H3({
    identifier: mini_schemas/* string */.YjP(),
    version: mini_schemas/* int */.Whr(),
    name: mini_schemas/* string */.YjP(),
    description: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    links: mini_schemas/* nullish */.cl6(mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* unknown */.L5J())),
    created_at: mini_schemas/* optional */.lqM(mini_schemas/* number */.aig()),
    created_by: mini_schemas/* optional */.lqM(mini_schemas/* string */.YjP()),
    /** What made it: `created`, `edited`, `archived` or `unarchived`. */
    status: mini_schemas/* optional */.lqM(mini_schemas/* string */.YjP()),
});
const decision = mini_schemas/* looseObject */._H3({
    /** The attestation that it was recorded as. */
    decision_id: mini_schemas/* optional */.lqM(mini_schemas/* string */.YjP()),
    control: mini_schemas/* string */.YjP(),
    is_compliant: mini_schemas/* boolean */.zMY(),
    timestamp: mini_schemas/* number */.aig(),
    attestation_name: mini_schemas/* optional */.lqM(mini_schemas/* string */.YjP()),
    evidence_files: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* looseObject */._H3({ filename: mini_schemas/* string */.YjP(), download_url: mini_schemas/* string */.YjP() }))),
    /** The version that the control had then; null when it did not exist yet. */
    control_version: mini_schemas/* nullish */.cl6(mini_schemas/* int */.Whr()),
    flow_name: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    trail_name: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    artifact_fingerprint: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    artifact_name: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    description: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    origin_url: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    user_data: mini_schemas/* unknown */.L5J(),
});
const links = mini_schemas/* record */.g1P(texts/* shortText */.os.check(api/* _minLength */.m9(1)), names/* webAddress */.Dy);
/**
 * @example
 * ```ts
 * await client.createControl({ body: { identifier: "SDLC-7", name: "Code is reviewed" } });
 * ```
 */
const createControl = (0,operation/* defineOperation */.h9)({
    name: "createControl",
    summary: "Create a control",
    method: "POST",
    path: "/controls/{org}",
    access: "administer",
    body: {
        kind: "json",
        schemaName: "ControlPostInput",
        schema: mini_schemas/* strictObject */.rej({
            identifier: names/* controlIdentifier */.xi,
            name: texts/* shortText */.os.check(api/* _minLength */.m9(1)),
            description: mini_schemas/* nullish */.cl6(texts/* longText */.SW),
            links: mini_schemas/* nullish */.cl6(links),
        }),
    },
    responses: { 201: control },
    errors: { 409: "A control with that identifier exists already" },
    conflictIsFinal: true,
    takesIdempotencyKey: true,
});
const updateControl = (0,operation/* defineOperation */.h9)({
    name: "updateControl",
    summary: "Change the given fields of a control, which makes a new version of it",
    method: "PUT",
    path: "/controls/{org}/{identifier}",
    access: "administer",
    params: named,
    body: {
        kind: "json",
        schema: mini_schemas/* strictObject */.rej({
            name: mini_schemas/* nullish */.cl6(texts/* shortText */.os.check(api/* _minLength */.m9(1))),
            description: mini_schemas/* nullish */.cl6(texts/* longText */.SW),
            /** Replaces all links. */
            links: mini_schemas/* nullish */.cl6(links),
        }),
    },
    responses: { 200: control },
    errors: controls_errors,
});
const listControls = (0,operation/* defineOperation */.h9)({
    name: "listControls",
    summary: "List the controls, sorted by identifier",
    method: "GET",
    path: "/controls/{org}",
    access: "read",
    query: mini_schemas/* object */.Ikc({
        ...pages,
        sort_direction: mini_schemas/* _default */.Rvf(mini_schemas/* enum */.k5n(["asc", "desc"]), "asc"),
        /** Part of the identifier or the name, in any letter case. */
        search: mini_schemas/* optional */.lqM(texts/* shortText */.os),
        /** Each `key:value`, or `key` for any value; a control must have all of them. */
        tag: mini_schemas/* optional */.lqM(mini_schemas/* array */.YOg(texts/* shortText */.os.check(api/* _minLength */.m9(1)))),
        /** The archived controls instead of the others. */
        archived: mini_schemas/* _default */.Rvf(mini_schemas/* boolean */.zMY(), false),
    }),
    responses: { 200: mini_schemas/* looseObject */._H3({ ...controls_paging, controls: mini_schemas/* array */.YOg(control) }) },
});
const getControl = (0,operation/* defineOperation */.h9)({
    name: "getControl",
    summary: "Get a control, archived or not",
    method: "GET",
    path: "/controls/{org}/{identifier}",
    access: "read",
    params: named,
    responses: { 200: control },
    errors: controls_errors,
});
const archiveControl = (0,operation/* defineOperation */.h9)({
    name: "archiveControl",
    summary: "Archive a control: it is no longer listed",
    method: "POST",
    path: "/controls/{org}/{identifier}/archive",
    access: "administer",
    params: named,
    responses: { 200: mini_schemas/* union */.KCZ([mini_schemas/* string */.YjP(), control]) },
    errors: controls_errors,
});
const unarchiveControl = (0,operation/* defineOperation */.h9)({
    name: "unarchiveControl",
    summary: "Take a control out of the archive",
    method: "POST",
    path: "/controls/{org}/{identifier}/unarchive",
    access: "administer",
    params: named,
    responses: { 200: mini_schemas/* union */.KCZ([mini_schemas/* string */.YjP(), control]) },
    errors: controls_errors,
});
const listControlVersions = (0,operation/* defineOperation */.h9)({
    name: "listControlVersions",
    summary: "List the versions of a control, newest first",
    method: "GET",
    path: "/controls/{org}/{identifier}/versions",
    access: "read",
    params: named,
    responses: { 200: mini_schemas/* array */.YOg(controlVersion) },
    errors: controls_errors,
});
const getControlVersion = (0,operation/* defineOperation */.h9)({
    name: "getControlVersion",
    summary: "Get one version of a control",
    method: "GET",
    path: "/controls/{org}/{identifier}/versions/{version_number}",
    access: "read",
    params: mini_schemas/* object */.Ikc({ identifier: names/* reference */.ir, version_number: mini_schemas/* int */.Whr().check(api/* _gte */.qm(1)) }),
    responses: { 200: controlVersion },
    errors: { 404: "No such control, or no such version of it" },
});
/**
 * @example
 * ```ts
 * const { body } = await client.listControlDecisions({ identifier: "SDLC-7", isCompliant: false });
 * ```
 */
const listControlDecisions = (0,operation/* defineOperation */.h9)({
    name: "listControlDecisions",
    summary: "List the decisions about a control, newest first",
    method: "GET",
    path: "/controls/{org}/{identifier}/decisions",
    access: "read",
    params: named,
    query: mini_schemas/* object */.Ikc({
        ...pages,
        is_compliant: mini_schemas/* optional */.lqM(mini_schemas/* boolean */.zMY()),
        /** Unix seconds, inclusive. */
        from_timestamp: mini_schemas/* optional */.lqM(mini_schemas/* number */.aig()),
        /** Unix seconds, inclusive. */
        to_timestamp: mini_schemas/* optional */.lqM(mini_schemas/* number */.aig()),
        /** Flows by their name or id. */
        flow_id: mini_schemas/* optional */.lqM(mini_schemas/* array */.YOg(texts/* shortText */.os)),
        sort_direction: mini_schemas/* _default */.Rvf(mini_schemas/* enum */.k5n(["asc", "desc"]), "desc"),
    }),
    responses: { 200: mini_schemas/* looseObject */._H3({ ...controls_paging, decisions: mini_schemas/* array */.YOg(decision) }) },
    errors: controls_errors,
});
const getControlDecision = (0,operation/* defineOperation */.h9)({
    name: "getControlDecision",
    summary: "Get one decision about a control",
    method: "GET",
    path: "/controls/{org}/{identifier}/decisions/{decision_id}",
    access: "read",
    params: mini_schemas/* object */.Ikc({ identifier: names/* reference */.ir, decision_id: names/* reference */.ir }),
    responses: { 200: decision },
    errors: { 404: "No such control, or no such decision about it" },
});

;// CONCATENATED MODULE: ./lib/api/custom-attestation-types.js




const evaluator = mini_schemas/* union */.KCZ([
    mini_schemas/* looseObject */._H3({
        content_type: mini_schemas/* _default */.Rvf(mini_schemas/* literal */.euz("jq"), "jq"),
        rules: mini_schemas/* array */.YOg(mini_schemas/* string */.YjP().check(api/* _maxLength */.Eb(10_000))).check(api/* _maxLength */.Eb(100), mini_schemas/* meta */.mIj({
            description: "jq expressions over the attestation data. Each must give true. With the schema they have 2 seconds of processor time and 256 MB; an attestation that needs more is not compliant.",
        })),
    }),
    /** No rules: data that fits the schema is compliant. */
    mini_schemas/* looseObject */._H3({ content_type: mini_schemas/* _default */.Rvf(mini_schemas/* literal */.euz("default"), "default") }),
]);
/**
 * @example
 * await client.createCustomAttestationType({
 *   body: { name: "coverage", evaluator: { contentType: "jq", rules: [".percent >= 80"] } },
 *   files: { typeSchema: { name: "coverage.json", content: new Blob([JSON.stringify(schema)]) } },
 * });
 */
const createCustomAttestationType = (0,operation/* defineOperation */.h9)({
    name: "createCustomAttestationType",
    summary: "Create a custom attestation type, or add a version to it",
    method: "POST",
    path: "/custom-attestation-types/{org}",
    access: "write",
    body: {
        kind: "multipart",
        part: "data_json",
        schema: mini_schemas/* strictObject */.rej({
            name: names/* customTypeName */.Fm,
            description: mini_schemas/* nullish */.cl6(texts/* longText */.SW),
            evaluator: mini_schemas/* nullish */.cl6(evaluator),
            /** What to show of an attestation: jq expressions by name. */
            summary: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* strictObject */.rej({ name: texts/* shortText */.os, expression: texts/* longText */.SW }))),
        }),
        /** A JSON Schema, draft 2020-12 or draft-07, that the data of each attestation must match. */
        files: { type_schema: { count: "one" } },
    },
    responses: { 201: mini_schemas/* string */.YjP() },
});
const customType = mini_schemas/* looseObject */._H3({
    name: mini_schemas/* string */.YjP(),
    /** Absent when it was never given. */
    description: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    archived: mini_schemas/* optional */.lqM(mini_schemas/* boolean */.zMY()),
    org: mini_schemas/* optional */.lqM(mini_schemas/* string */.YjP()),
    created_by: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    /** Unix seconds. */
    created_at: mini_schemas/* optional */.lqM(mini_schemas/* number */.aig()),
    last_modified_at: mini_schemas/* optional */.lqM(mini_schemas/* number */.aig()),
    /** Newest first. */
    versions: mini_schemas/* optional */.lqM(mini_schemas/* array */.YOg(mini_schemas/* looseObject */._H3({
        version: mini_schemas/* int */.Whr(),
        /** Unix seconds. */
        timestamp: mini_schemas/* optional */.lqM(mini_schemas/* number */.aig()),
        /** Older services give it as text. */
        type_schema: mini_schemas/* nullish */.cl6(mini_schemas/* union */.KCZ([mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* unknown */.L5J()), mini_schemas/* string */.YjP()])),
        evaluator: mini_schemas/* nullish */.cl6(mini_schemas/* looseObject */._H3({ content_type: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()), rules: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* string */.YjP())) })),
        summary: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* looseObject */._H3({ name: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()), expression: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()) }))),
        created_by: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    }))),
});
const listCustomAttestationTypes = (0,operation/* defineOperation */.h9)({
    name: "listCustomAttestationTypes",
    summary: "List the custom attestation types that are not archived, by name",
    method: "GET",
    path: "/custom-attestation-types/{org}",
    access: "read",
    responses: { 200: mini_schemas/* array */.YOg(customType) },
});
/** With a version only that one, and of the type no more than its name, organization and whether it is archived. */
const getCustomAttestationType = (0,operation/* defineOperation */.h9)({
    name: "getCustomAttestationType",
    summary: "Get a custom attestation type with all its versions, or with one",
    method: "GET",
    path: "/custom-attestation-types/{org}/{custom_attestation_type_name}",
    access: "read",
    params: mini_schemas/* object */.Ikc({ custom_attestation_type_name: names/* reference */.ir }),
    query: mini_schemas/* object */.Ikc({ version: mini_schemas/* optional */.lqM(mini_schemas/* int */.Whr()) }),
    responses: { 200: customType },
    errors: { 404: "No such type, or no such version of it" },
});
const archiveCustomAttestationType = (0,operation/* defineOperation */.h9)({
    name: "archiveCustomAttestationType",
    summary: "Archive a custom attestation type: it takes no more attestations",
    method: "PUT",
    path: "/custom-attestation-types/{org}/{custom_attestation_type_name}/archive",
    access: "write",
    params: mini_schemas/* object */.Ikc({ custom_attestation_type_name: names/* reference */.ir }),
    responses: { 200: mini_schemas/* string */.YjP() },
    errors: { 404: "No such type" },
});

;// CONCATENATED MODULE: ./lib/api/environment-events.js




const environment_events_links = mini_schemas/* nullish */.cl6(mini_schemas/* looseObject */._H3({ self: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()), html: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()) }));
const environmentEvent = mini_schemas/* looseObject */._H3({
    environment_name: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    snapshot_index: mini_schemas/* nullish */.cl6(mini_schemas/* int */.Whr()),
    artifact_name: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    sha256: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    /** `2 instances started running (from 0 to 2)` */
    description: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    /** Unix seconds. */
    reported_at: mini_schemas/* nullish */.cl6(mini_schemas/* number */.aig()),
    /** The first of its flows; empty when nobody knows where it was built. */
    pipeline: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    deployments: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* unknown */.L5J())),
    flows: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* looseObject */._H3({ flow_name: mini_schemas/* string */.YjP(), deployments: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* unknown */.L5J())) }))),
    artifact_compliance: mini_schemas/* nullish */.cl6(mini_schemas/* boolean */.zMY()),
    snapshot_compliance: mini_schemas/* nullish */.cl6(mini_schemas/* boolean */.zMY()),
    /** `started-compliant`, `started-non-compliant`, `changed`, `scaled`, `updated-provenance`, `exited` */
    type: mini_schemas/* string */.YjP(),
    /** Where to see what changed in the code. */
    code_diff: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    _links: mini_schemas/* nullish */.cl6(mini_schemas/* looseObject */._H3({ artifact: environment_events_links, snapshot: environment_events_links })),
});
/**
 * Newest first, unless `reverse` is set. How many there are is in the headers `X-Total-Count`, `X-Total-Pages`,
 * `X-Current-Page`, `X-Per-Page` and `Link`.
 *
 * @example
 * const { body } = await client.listEnvironmentEvents({ envName: "prod", from: "2026-01-01", perPage: 100 });
 */
const listEnvironmentEvents = (0,operation/* defineOperation */.h9)({
    name: "listEnvironmentEvents",
    summary: "List what started, stopped or changed in an environment",
    method: "GET",
    path: "/environments/{org}/{env_name}/events",
    access: "read",
    params: mini_schemas/* object */.Ikc({ env_name: names/* reference */.ir }),
    query: mini_schemas/* object */.Ikc({
        page: mini_schemas/* _default */.Rvf(mini_schemas/* int */.Whr().check(api/* _gte */.qm(1)), 1),
        per_page: mini_schemas/* _default */.Rvf(mini_schemas/* int */.Whr().check(api/* _gte */.qm(1), api/* _lte */.Zm(100)), 15),
        reverse: mini_schemas/* _default */.Rvf(mini_schemas/* boolean */.zMY(), false),
        /** Only artifacts that were built from these repositories. */
        repo_name: mini_schemas/* optional */.lqM(mini_schemas/* array */.YOg(texts/* shortText */.os)),
        /** Deprecated: `5..10`, or `5` for 5 to now. Given, `start` and `end` are ignored; empty counts as not given. */
        interval: mini_schemas/* optional */.lqM(texts/* shortText */.os),
        /** A snapshot number, counted from the end when negative; `NOW`; or how long ago: `2days`. */
        start: mini_schemas/* _default */.Rvf(texts/* shortText */.os, "1"),
        end: mini_schemas/* _default */.Rvf(texts/* shortText */.os, "NOW"),
        /** Unix seconds or ISO 8601, UTC without a zone. Events at this time are in the list. */
        from: mini_schemas/* optional */.lqM(texts/* shortText */.os),
        /** Likewise; events at this time are not in the list. */
        to: mini_schemas/* optional */.lqM(texts/* shortText */.os),
        /** `from` in Unix seconds, which may have a fraction. Given, `start` is ignored. */
        start_ts: mini_schemas/* optional */.lqM(mini_schemas/* number */.aig()),
        /** `to` likewise. Given, `end` is ignored. */
        end_ts: mini_schemas/* optional */.lqM(mini_schemas/* number */.aig()),
    }),
    responses: { 200: mini_schemas/* array */.YOg(environmentEvent) },
    errors: { 404: "No such environment or repository" },
});
/** Oldest first, one event in a line. */
const getEnvironmentAuditLog = (0,operation/* defineOperation */.h9)({
    name: "getEnvironmentAuditLog",
    summary: "Download what started, stopped or changed in an environment as CSV",
    method: "GET",
    path: "/environments/{org}/{env_name}/auditlog",
    access: "read",
    params: mini_schemas/* object */.Ikc({ env_name: names/* reference */.ir }),
    query: mini_schemas/* object */.Ikc({
        /** Unix seconds. Events at this time are in the log. */
        from_timestamp: mini_schemas/* optional */.lqM(mini_schemas/* number */.aig()),
        /** Likewise. */
        to_timestamp: mini_schemas/* optional */.lqM(mini_schemas/* number */.aig()),
        /** Any of `started`, `exited`, `changed`, comma separated. */
        event_types: mini_schemas/* optional */.lqM(texts/* longText */.SW),
        /** Comma separated; `no provenance` for what nobody here has built. */
        flow_names: mini_schemas/* optional */.lqM(texts/* longText */.SW),
        /** Comma separated. */
        repo_names: mini_schemas/* optional */.lqM(texts/* longText */.SW),
    }),
    responses: { 200: operation/* fileAnswer */.HL },
    errors: { 404: "No such environment or repository" },
});

;// CONCATENATED MODULE: ./lib/api/environments.js




const environmentType = mini_schemas/* enum */.k5n([
    "K8S",
    "ECS",
    "S3",
    "lambda",
    "server",
    "docker",
    "azure-apps",
    "cloud-run",
    "logical",
]);
/** The most names that one request may give: each is looked up. */
const MAX_NAMES = 1_000;
/** The most tags that a list may be filtered by. */
const MAX_TAG_FILTERS = 100;
const environmentNames = mini_schemas/* array */.YOg(names/* environmentName */.VE).check(api/* _maxLength */.Eb(MAX_NAMES));
const policyNames = mini_schemas/* array */.YOg(names/* policyName */.ct).check(api/* _maxLength */.Eb(MAX_NAMES));
const environments_named = mini_schemas/* object */.Ikc({ env_name: names/* reference */.ir });
const environments_errors = { 404: "No such environment, or it is archived" };
const environment = mini_schemas/* looseObject */._H3({
    org: mini_schemas/* string */.YjP(),
    name: mini_schemas/* string */.YjP(),
    type: mini_schemas/* string */.YjP(),
    description: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    /** Unix seconds, fractional, as the other times. */
    last_modified_at: mini_schemas/* optional */.lqM(mini_schemas/* number */.aig()),
    last_reported_at: mini_schemas/* nullish */.cl6(mini_schemas/* number */.aig()),
    /** When what runs in it, or whether that is compliant, last changed. */
    last_changed_at: mini_schemas/* nullish */.cl6(mini_schemas/* number */.aig()),
    /** Whether what runs satisfies the policies; null when there are none, or nothing was reported yet. */
    state: mini_schemas/* nullish */.cl6(mini_schemas/* boolean */.zMY()),
    include_scaling: mini_schemas/* optional */.lqM(mini_schemas/* boolean */.zMY()),
    tags: mini_schemas/* optional */.lqM(mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* unknown */.L5J())),
    policies: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* string */.YjP())),
    /** What a logical environment is made of; null for a physical one. */
    included_environments: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* string */.YjP())),
});
const createEnvironment = (0,operation/* defineOperation */.h9)({
    name: "createEnvironment",
    summary: "Create or update an environment",
    method: "PUT",
    path: "/environments/{org}",
    access: "report",
    body: {
        kind: "json",
        schemaName: "CreateEnvironmentPutInput",
        schema: mini_schemas/* strictObject */.rej({
            name: names/* environmentName */.VE,
            type: environmentType,
            /** On an update, an empty description leaves the stored one. */
            description: texts/* longText */.SW,
            include_scaling: mini_schemas/* nullish */.cl6(mini_schemas/* boolean */.zMY()),
            require_provenance: mini_schemas/* nullish */.cl6(mini_schemas/* boolean */.zMY()),
            included_environments: mini_schemas/* nullish */.cl6(environmentNames),
            policies: mini_schemas/* nullish */.cl6(policyNames),
        }),
    },
    responses: { 200: mini_schemas/* string */.YjP(), 201: mini_schemas/* string */.YjP() },
});
/**
 * With `page` or `per_page` the answer is a page of the list, without them all of it.
 *
 * @example
 * const { body } = await client.listEnvironments({ type: ["K8S"], tag: ["team:web"] });
 */
const listEnvironments = (0,operation/* defineOperation */.h9)({
    name: "listEnvironments",
    summary: "List the environments that are not archived",
    method: "GET",
    path: "/environments/{org}",
    access: "read",
    query: mini_schemas/* object */.Ikc({
        page: mini_schemas/* optional */.lqM(mini_schemas/* int */.Whr().check(api/* _gte */.qm(1))),
        per_page: mini_schemas/* optional */.lqM(mini_schemas/* int */.Whr().check(api/* _gte */.qm(1), api/* _lte */.Zm(50))),
        sort: mini_schemas/* _default */.Rvf(mini_schemas/* enum */.k5n(["name", "last_modified_at", "last_changed_at"]), "name"),
        sort_direction: mini_schemas/* _default */.Rvf(mini_schemas/* enum */.k5n(["asc", "desc"]), "asc"),
        /** Part of the name, in any letter case. */
        name: mini_schemas/* optional */.lqM(texts/* shortText */.os),
        type: mini_schemas/* optional */.lqM(mini_schemas/* array */.YOg(environmentType)),
        /** Each `key=value`, or `key` for any value; an environment must have all of them. */
        tag: mini_schemas/* optional */.lqM(mini_schemas/* array */.YOg(texts/* shortText */.os.check(api/* _minLength */.m9(1))).check(api/* _maxLength */.Eb(MAX_TAG_FILTERS))),
        /** Spaces of an organization. A service that keeps none finds nothing in any; empty counts as not given. */
        space_id: mini_schemas/* optional */.lqM(mini_schemas/* array */.YOg(texts/* shortText */.os)),
    }),
    responses: {
        200: mini_schemas/* union */.KCZ([
            mini_schemas/* array */.YOg(environment),
            mini_schemas/* looseObject */._H3({
                _links: mini_schemas/* nullish */.cl6(mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* unknown */.L5J())),
                page: mini_schemas/* int */.Whr(),
                per_page: mini_schemas/* int */.Whr(),
                total_pages: mini_schemas/* int */.Whr(),
                total_count: mini_schemas/* int */.Whr(),
                environments: mini_schemas/* array */.YOg(environment),
            }),
        ]),
    },
});
const getEnvironment = (0,operation/* defineOperation */.h9)({
    name: "getEnvironment",
    summary: "Get an environment",
    method: "GET",
    path: "/environments/{org}/{env_name}",
    access: "read",
    params: environments_named,
    responses: { 200: environment },
    errors: environments_errors,
});
const updateEnvironment = (0,operation/* defineOperation */.h9)({
    name: "updateEnvironment",
    summary: "Change the given fields of an environment",
    method: "PATCH",
    path: "/environments/{org}/{env_name}",
    access: "write",
    params: environments_named,
    body: {
        kind: "json",
        schema: mini_schemas/* strictObject */.rej({
            /** Empty clears it. */
            description: mini_schemas/* nullish */.cl6(texts/* longText */.SW),
            include_scaling: mini_schemas/* nullish */.cl6(mini_schemas/* boolean */.zMY()),
            included_environments: mini_schemas/* nullish */.cl6(environmentNames),
            policies: mini_schemas/* nullish */.cl6(policyNames),
        }),
    },
    responses: { 200: mini_schemas/* unknown */.L5J() },
    errors: { 404: "No such environment or policy" },
});
const renameEnvironment = (0,operation/* defineOperation */.h9)({
    name: "renameEnvironment",
    summary: "Rename an environment",
    method: "PUT",
    path: "/environments/{org}/{env_name}/rename",
    access: "write",
    params: environments_named,
    body: { kind: "json", schema: mini_schemas/* strictObject */.rej({ new_name: names/* newEnvironmentName */.rv }) },
    responses: { 200: mini_schemas/* string */.YjP() },
    errors: environments_errors,
});
const archiveEnvironment = (0,operation/* defineOperation */.h9)({
    name: "archiveEnvironment",
    summary: "Archive an environment: what it recorded stays, but it is no longer shown",
    method: "PUT",
    path: "/environments/{org}/{env_name}/archive",
    access: "administer",
    params: environments_named,
    responses: { 200: mini_schemas/* string */.YjP() },
    errors: environments_errors,
});
const joinEnvironment = (0,operation/* defineOperation */.h9)({
    name: "joinEnvironment",
    summary: "Add a physical environment to a logical one",
    method: "PUT",
    path: "/environments/{org}/{env_name}/join",
    access: "write",
    params: environments_named,
    body: { kind: "json", schema: mini_schemas/* strictObject */.rej({ physical_env_name: texts/* shortText */.os }) },
    responses: { 200: mini_schemas/* string */.YjP() },
    errors: environments_errors,
});
const chosenPolicies = {
    kind: "json",
    schema: mini_schemas/* strictObject */.rej({ policy_names: policyNames.check(api/* _minLength */.m9(1)) }),
};
/** What runs is judged again at once, in a new snapshot. */
const attachPolicies = (0,operation/* defineOperation */.h9)({
    name: "attachPolicies",
    summary: "Attach policies to an environment",
    method: "POST",
    path: "/environments/{org}/{env_name}/policies",
    access: "write",
    params: environments_named,
    body: chosenPolicies,
    responses: { 200: mini_schemas/* string */.YjP() },
    errors: { 404: "No such environment or policy" },
});
/** What runs is judged again at once, in a new snapshot. */
const detachPolicies = (0,operation/* defineOperation */.h9)({
    name: "detachPolicies",
    summary: "Detach policies from an environment",
    method: "DELETE",
    path: "/environments/{org}/{env_name}/policies",
    access: "write",
    params: environments_named,
    body: chosenPolicies,
    responses: { 200: mini_schemas/* string */.YjP() },
    errors: { 404: "No such environment or policy" },
});

;// CONCATENATED MODULE: ./lib/api/flows.js






const visibility = mini_schemas/* enum */.k5n(["public", "private"]);
const flowFields = {
    name: names/* flowName */.Eo,
    /** May be empty. */
    description: texts/* longText */.SW,
    visibility: mini_schemas/* _default */.Rvf(visibility, "private"),
};
const createFlow = (0,operation/* defineOperation */.h9)({
    name: "createFlow",
    summary: "Create or update a flow",
    method: "PUT",
    path: "/flows/{org}",
    access: "write",
    body: {
        kind: "json",
        schema: mini_schemas/* object */.Ikc({
            ...flowFields,
            /** Names of the attestations a trail needs; the word `artifact` stands for the artifact itself. */
            template: mini_schemas/* array */.YOg(texts/* shortText */.os.check(api/* _minLength */.m9(1))),
            repo_url: mini_schemas/* nullish */.cl6(mini_schemas/* union */.KCZ([names/* webAddress */.Dy, mini_schemas/* literal */.euz("")])),
        }),
    },
    responses: { 200: mini_schemas/* string */.YjP(), 201: mini_schemas/* string */.YjP() },
});
const createFlowWithTemplate = (0,operation/* defineOperation */.h9)({
    name: "createFlowWithTemplate",
    summary: "Create or update a flow with a template file",
    method: "PUT",
    path: "/flows/{org}/template_file",
    access: "write",
    body: {
        kind: "multipart",
        part: "data_json",
        schema: mini_schemas/* object */.Ikc(flowFields),
        files: { template_file: { count: "one" } },
    },
    responses: { 200: mini_schemas/* string */.YjP(), 201: mini_schemas/* string */.YjP() },
});
const flowRecord = mini_schemas/* looseObject */._H3({
    id: mini_schemas/* optional */.lqM(mini_schemas/* string */.YjP()),
    name: mini_schemas/* string */.YjP(),
    description: mini_schemas/* string */.YjP(),
    visibility,
    /** The name of its organization. */
    org: mini_schemas/* string */.YjP(),
    /** The YAML text of its template; a list of names for a flow that was made with one. */
    template: mini_schemas/* unknown */.L5J(),
    repo_url: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    tags: mini_schemas/* nullish */.cl6(mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* string */.YjP())),
    /** Unix seconds: when something was last added to one of its trails. */
    latest_activity_at: mini_schemas/* nullish */.cl6(mini_schemas/* number */.aig()),
    /** The state of the trail that something was last added to. */
    latest_state: mini_schemas/* nullish */.cl6(trail_record/* complianceState */.Bt),
});
const listFlows = (0,operation/* defineOperation */.h9)({
    name: "listFlows",
    summary: "List the flows in use, sorted by name",
    method: "GET",
    path: "/flows/{org}",
    access: "read",
    query: mini_schemas/* object */.Ikc({
        /** A part of the name. */
        search_by_name: mini_schemas/* optional */.lqM(texts/* shortText */.os),
        case_sensitive: mini_schemas/* _default */.Rvf(mini_schemas/* boolean */.zMY(), true),
        /** Each `key` or `key:value`; a flow has all of them. */
        tag: mini_schemas/* optional */.lqM(mini_schemas/* array */.YOg(texts/* shortText */.os.check(api/* _minLength */.m9(1)))),
        sort: mini_schemas/* _default */.Rvf(mini_schemas/* enum */.k5n(["name", "latest_activity"]), "name"),
        sort_direction: mini_schemas/* _default */.Rvf(mini_schemas/* enum */.k5n(["asc", "desc"]), "asc"),
        /** With `page` or `per_page` the answer is one page, without either it is all flows. */
        page: mini_schemas/* optional */.lqM(paging/* pageNumber */.PW),
        per_page: mini_schemas/* optional */.lqM(paging/* itemsPerPage */.D7),
    }),
    responses: {
        200: mini_schemas/* union */.KCZ([
            mini_schemas/* array */.YOg(flowRecord),
            mini_schemas/* looseObject */._H3({ data: mini_schemas/* array */.YOg(flowRecord), pagination: mini_schemas/* nullish */.cl6(paging/* pagination */.X$) }),
        ]),
    },
});
const getFlow = (0,operation/* defineOperation */.h9)({
    name: "getFlow",
    summary: "Get a flow",
    method: "GET",
    path: "/flows/{org}/{flow_name}",
    access: "read",
    params: mini_schemas/* object */.Ikc({ flow_name: names/* reference */.ir }),
    responses: { 200: flowRecord },
    errors: { 404: "No such flow" },
});
const renameFlow = (0,operation/* defineOperation */.h9)({
    name: "renameFlow",
    summary: "Rename a flow; its old name goes on leading to it until another flow takes it",
    method: "PUT",
    path: "/flows/{org}/{flow_name}/rename",
    access: "write",
    params: mini_schemas/* object */.Ikc({ flow_name: names/* reference */.ir }),
    body: { kind: "json", schema: mini_schemas/* object */.Ikc({ new_name: names/* newFlowName */.Oj }) },
    responses: { 200: mini_schemas/* string */.YjP() },
    errors: { 404: "No such flow" },
});
/**
 * An archived flow is in no list and takes no more trails, artifacts and attestations. What it holds can still be
 * read. Creating a flow of its name takes it into use again, with all that it holds.
 */
const archiveFlow = (0,operation/* defineOperation */.h9)({
    name: "archiveFlow",
    summary: "Take a flow out of use, keeping all that it holds",
    method: "PUT",
    path: "/flows/{org}/{flow_name}/archive",
    access: "write",
    params: mini_schemas/* object */.Ikc({ flow_name: names/* reference */.ir }),
    responses: { 200: mini_schemas/* string */.YjP() },
    errors: { 404: "No such flow" },
});
const getFlowTemplateSchema = (0,operation/* defineOperation */.h9)({
    name: "getFlowTemplateSchema",
    summary: "Get the JSON Schema of flow templates, version 1",
    method: "GET",
    path: "/schemas/flow-template/v1",
    access: "read",
    responses: { 200: mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* unknown */.L5J()) },
});

// EXTERNAL MODULE: ./lib/api/generic-attestation.js
var generic_attestation = __webpack_require__(482);
;// CONCATENATED MODULE: ./lib/api/notification-targets.js



/** Unix seconds. The service says when it last reached a target; what a request says of that is not stored. */
const deliveryTimes = { last_success_at: mini_schemas/* nullish */.cl6(mini_schemas/* number */.aig()), last_failure_at: mini_schemas/* nullish */.cl6(mini_schemas/* number */.aig()) };
/** No mail server takes a longer one (RFC 5321). */
const emailAddress = mini_schemas/* email */.Rpp().check(api/* _maxLength */.Eb(320));
const slackTarget = mini_schemas/* strictObject */.rej({
    type: mini_schemas/* literal */.euz("SLACK"),
    webhook: names/* webAddress */.Dy,
    /** The channel, for a webhook that a Slack app was given. */
    context: mini_schemas/* nullish */.cl6(mini_schemas/* strictObject */.rej({ channel_id: texts/* shortText */.os, channel_name: texts/* shortText */.os, team_id: texts/* shortText */.os })),
    ...deliveryTimes,
});
const webhookTarget = mini_schemas/* strictObject */.rej({
    type: mini_schemas/* literal */.euz("WEBHOOK"),
    webhook: names/* webAddress */.Dy,
    payload_version: mini_schemas/* _default */.Rvf(mini_schemas/* literal */.euz("1.0"), "1.0"),
    ...deliveryTimes,
});
const emailTarget = mini_schemas/* strictObject */.rej({
    type: mini_schemas/* literal */.euz("EMAIL"),
    emails: mini_schemas/* array */.YOg(emailAddress).check(api/* _minLength */.m9(1)),
    ...deliveryTimes,
});
/** Where a notification goes. The addresses of Slack and webhook targets are secrets. */
const notificationTarget = mini_schemas/* discriminatedUnion */.gMt("type", [slackTarget, webhookTarget, emailTarget]);
/**
 * A target as it is answered: another service may know more kinds, and say more of each. Readers are shown less of the
 * address of a webhook.
 */
const storedTarget = mini_schemas/* looseObject */._H3({
    type: mini_schemas/* string */.YjP(),
    webhook: mini_schemas/* optional */.lqM(mini_schemas/* string */.YjP()),
    emails: mini_schemas/* optional */.lqM(mini_schemas/* array */.YOg(mini_schemas/* string */.YjP())),
    payload_version: mini_schemas/* optional */.lqM(mini_schemas/* string */.YjP()),
    context: mini_schemas/* nullish */.cl6(mini_schemas/* looseObject */._H3({ channel_id: mini_schemas/* string */.YjP(), channel_name: mini_schemas/* string */.YjP(), team_id: mini_schemas/* string */.YjP() })),
    ...deliveryTimes,
});

;// CONCATENATED MODULE: ./lib/api/notifications.js




const FLOW_TRIGGERS = [
    "ON_STARTED_TRAIL",
    "ON_ATTESTED_PROVENANCE",
    "ON_ATTESTATION",
    "ON_APPROVAL",
    "ON_RELEASE",
];
const ENVIRONMENT_TRIGGERS = [
    "ON_STARTED_ARTIFACT",
    "ON_EXITED_ARTIFACT",
    "ON_SCALED_ARTIFACT",
    "ON_ALLOWED_ARTIFACT",
    "ON_NON_COMPLIANT_ENV",
    "ON_COMPLIANT_ENV",
];
const notifications_name = names/* actionName */.aM;
const targets = mini_schemas/* array */.YOg(notificationTarget).check(api/* _minLength */.m9(1));
const environmentAction = mini_schemas/* strictObject */.rej({
    name: notifications_name,
    targets,
    type: mini_schemas/* _default */.Rvf(mini_schemas/* literal */.euz("env"), "env"),
    /** None means every environment. */
    environments: mini_schemas/* array */.YOg(names/* environmentName */.VE),
    /** None means every trigger. */
    triggers: mini_schemas/* array */.YOg(mini_schemas/* enum */.k5n(ENVIRONMENT_TRIGGERS)),
});
const storedFields = {
    name: mini_schemas/* string */.YjP(),
    /** `flow` or `env` */
    type: mini_schemas/* string */.YjP(),
    /** Counts up in the organization; the number of a deleted one is not given again. */
    number: mini_schemas/* int */.Whr(),
    targets: mini_schemas/* array */.YOg(storedTarget),
    triggers: mini_schemas/* array */.YOg(mini_schemas/* string */.YjP()),
    created_by: mini_schemas/* string */.YjP(),
    is_created_from_slack_app: mini_schemas/* boolean */.zMY(),
    /** Whether the latest delivery failed; null while nothing was delivered. */
    is_failing: mini_schemas/* nullish */.cl6(mini_schemas/* boolean */.zMY()),
    /** Unix seconds, like all times here. */
    last_success_timestamp: mini_schemas/* nullish */.cl6(mini_schemas/* number */.aig()),
    last_failure_timestamp: mini_schemas/* nullish */.cl6(mini_schemas/* number */.aig()),
    created_at: mini_schemas/* nullish */.cl6(mini_schemas/* number */.aig()),
    last_modified_at: mini_schemas/* number */.aig(),
};
/** What is told to whom: of flows or of environments, as its type says. */
const action = mini_schemas/* looseObject */._H3({
    ...storedFields,
    flows: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* string */.YjP())),
    environments: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* string */.YjP())),
});
const environmentNotification = mini_schemas/* looseObject */._H3({
    ...storedFields,
    environments: mini_schemas/* array */.YOg(mini_schemas/* string */.YjP()),
});
const NO_ACTION = { 404: "No such action" };
const putFlowAction = (0,operation/* defineOperation */.h9)({
    name: "putFlowAction",
    summary: "Create or update a flow action: who is told of what happens in which flows",
    method: "PUT",
    path: "/actions/{org}/flows",
    access: "write",
    body: {
        kind: "json",
        schema: mini_schemas/* strictObject */.rej({
            name: notifications_name,
            targets,
            type: mini_schemas/* _default */.Rvf(mini_schemas/* literal */.euz("flow"), "flow"),
            /** None means every flow. */
            flows: mini_schemas/* _default */.Rvf(mini_schemas/* array */.YOg(names/* flowName */.Eo), []),
            /** None means every trigger. */
            triggers: mini_schemas/* _default */.Rvf(mini_schemas/* array */.YOg(mini_schemas/* enum */.k5n(FLOW_TRIGGERS)), []),
        }),
    },
    responses: { 200: mini_schemas/* string */.YjP(), 201: mini_schemas/* string */.YjP() },
});
const putEnvironmentAction = (0,operation/* defineOperation */.h9)({
    name: "putEnvironmentAction",
    summary: "Create or update an environment action: who is told of what happens in which environments",
    method: "PUT",
    path: "/actions/{org}/environments",
    access: "write",
    body: { kind: "json", schema: environmentAction },
    responses: { 200: mini_schemas/* string */.YjP(), 201: mini_schemas/* string */.YjP() },
});
const listActions = (0,operation/* defineOperation */.h9)({
    name: "listActions",
    summary: "List the actions of flows and environments, by number",
    method: "GET",
    path: "/actions/{org}",
    access: "read",
    responses: { 200: mini_schemas/* array */.YOg(action) },
});
const actionNumber = mini_schemas/* object */.Ikc({ action_number: mini_schemas/* int */.Whr() });
const getAction = (0,operation/* defineOperation */.h9)({
    name: "getAction",
    summary: "Get an action of flows or environments",
    method: "GET",
    path: "/actions/{org}/{action_number}",
    access: "read",
    params: actionNumber,
    responses: { 200: action },
    errors: NO_ACTION,
});
const deleteAction = (0,operation/* defineOperation */.h9)({
    name: "deleteAction",
    summary: "Delete an action of flows or environments",
    method: "DELETE",
    path: "/actions/{org}/{action_number}",
    access: "write",
    params: actionNumber,
    responses: { 200: mini_schemas/* string */.YjP() },
    errors: NO_ACTION,
});
/** What is refused about an environment notification, whatever the field. */
const invalidBodyMessage = "Invalid notification payload";
const listEnvironmentNotifications = (0,operation/* defineOperation */.h9)({
    name: "listEnvironmentNotifications",
    summary: "List the environment actions, by number",
    method: "GET",
    path: "/organizations/{org}/environments_notifications",
    access: "read",
    responses: { 200: mini_schemas/* array */.YOg(environmentNotification) },
});
const putEnvironmentNotification = (0,operation/* defineOperation */.h9)({
    name: "putEnvironmentNotification",
    summary: "Create or update an environment action by its name",
    method: "PUT",
    path: "/organizations/{org}/environments_notifications",
    access: "write",
    body: { kind: "json", schema: environmentAction },
    invalidBodyMessage,
    responses: { 200: mini_schemas/* string */.YjP(), 201: mini_schemas/* string */.YjP() },
});
const notificationNumber = mini_schemas/* object */.Ikc({ notification_number: mini_schemas/* int */.Whr() });
const getEnvironmentNotification = (0,operation/* defineOperation */.h9)({
    name: "getEnvironmentNotification",
    summary: "Get an environment action",
    method: "GET",
    path: "/organizations/{org}/environments_notifications/{notification_number}",
    access: "read",
    params: notificationNumber,
    responses: { 200: environmentNotification },
    errors: NO_ACTION,
});
const updateEnvironmentNotification = (0,operation/* defineOperation */.h9)({
    name: "updateEnvironmentNotification",
    summary: "Replace what an environment action says, its name included",
    method: "PUT",
    path: "/organizations/{org}/environments_notifications/{notification_number}",
    access: "write",
    params: notificationNumber,
    body: { kind: "json", schema: environmentAction },
    invalidBodyMessage,
    responses: { 200: mini_schemas/* string */.YjP() },
    errors: NO_ACTION,
});
const deleteEnvironmentNotification = (0,operation/* defineOperation */.h9)({
    name: "deleteEnvironmentNotification",
    summary: "Delete an environment action",
    method: "DELETE",
    path: "/organizations/{org}/environments_notifications/{notification_number}",
    access: "write",
    params: notificationNumber,
    responses: { 200: mini_schemas/* string */.YjP() },
    errors: NO_ACTION,
});

;// CONCATENATED MODULE: ./lib/api/organizations.js


const getOrganization = (0,operation/* defineOperation */.h9)({
    name: "getOrganization",
    summary: "Get the organization",
    method: "GET",
    path: "/organizations/{org}",
    access: "read",
    responses: {
        200: mini_schemas/* looseObject */._H3({
            name: mini_schemas/* string */.YjP(),
            /** `shared` or `personal`. */
            kind: mini_schemas/* string */.YjP(),
            experimental_features_enabled: mini_schemas/* optional */.lqM(mini_schemas/* boolean */.zMY()),
            /** Unix seconds. */
            created_at: mini_schemas/* number */.aig(),
            last_modified_at: mini_schemas/* number */.aig(),
        }),
    },
});
const getDefaultOrg = (0,operation/* defineOperation */.h9)({
    name: "getDefaultOrg",
    summary: "Get the organization that the key's owner works in by default",
    method: "GET",
    path: "/user/default-org",
    access: "read",
    responses: { 200: mini_schemas/* looseObject */._H3({ default_org_name: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()) }) },
});
const setDefaultOrg = (0,operation/* defineOperation */.h9)({
    name: "setDefaultOrg",
    summary: "Set the organization that the key's owner works in by default",
    method: "PUT",
    path: "/user/{org}",
    deniesUnknownOrg: true,
    access: "read",
    responses: { 200: mini_schemas/* unknown */.L5J() },
});

;// CONCATENATED MODULE: ./lib/api/policies.js





const policyVersion = mini_schemas/* looseObject */._H3({
    /** Counts from 1. */
    version: mini_schemas/* int */.Whr(),
    /** Why it was changed, as its author said. */
    comment: mini_schemas/* optional */.lqM(mini_schemas/* string */.YjP()),
    /** Unix seconds. */
    timestamp: mini_schemas/* number */.aig(),
    created_by: mini_schemas/* string */.YjP(),
    /** The file as it was uploaded. Empty in lists, and for early versions where all would be more than 10 MB. */
    policy_yaml: mini_schemas/* string */.YjP(),
});
const policyEvent = mini_schemas/* looseObject */._H3({
    /** `creation`, `metadata_update`, `new_version`, `renaming` or `archiving` */
    type: mini_schemas/* string */.YjP(),
    timestamp: mini_schemas/* number */.aig(),
    user: mini_schemas/* string */.YjP(),
    data: mini_schemas/* optional */.lqM(mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* unknown */.L5J())),
});
const policy = mini_schemas/* looseObject */._H3({
    name: mini_schemas/* string */.YjP(),
    description: mini_schemas/* string */.YjP(),
    created_by: mini_schemas/* string */.YjP(),
    created_at: mini_schemas/* nullish */.cl6(mini_schemas/* number */.aig()),
    last_modified_at: mini_schemas/* nullish */.cl6(mini_schemas/* number */.aig()),
    archived: mini_schemas/* optional */.lqM(mini_schemas/* boolean */.zMY()),
    /** Oldest first. */
    versions: mini_schemas/* optional */.lqM(mini_schemas/* array */.YOg(policyVersion)),
    /** Oldest first. */
    events: mini_schemas/* optional */.lqM(mini_schemas/* array */.YOg(policyEvent)),
    /** The environments that the policy is attached to. */
    consuming_envs: mini_schemas/* optional */.lqM(mini_schemas/* array */.YOg(mini_schemas/* string */.YjP())),
});
const conditional = mini_schemas/* looseObject */._H3({ if_condition: policyExpression });
const booleanRule = mini_schemas/* looseObject */._H3({ required: mini_schemas/* boolean */.zMY(), exceptions: mini_schemas/* array */.YOg(conditional) });
/** What a version of a policy asks for, as snapshots show it. */
const policyDump = mini_schemas/* looseObject */._H3({
    schema_version: mini_schemas/* string */.YjP(),
    artifacts: mini_schemas/* looseObject */._H3({
        provenance: booleanRule,
        trail_compliance: booleanRule,
        attestations: mini_schemas/* array */.YOg(mini_schemas/* looseObject */._H3({
            if_condition: mini_schemas/* nullish */.cl6(policyExpression),
            name: mini_schemas/* string */.YjP(),
            type: mini_schemas/* string */.YjP(),
            must_be_compliant: mini_schemas/* boolean */.zMY(),
            for_control: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
        })),
    }),
});
/**
 * @example
 * ```ts
 * await client.putPolicy({
 *   body: { name: "production", comment: "scans are asked for" },
 *   files: { policyFile: { name: "production.yml", content: await openAsBlob("production.yml") } },
 * });
 * ```
 */
const putPolicy = (0,operation/* defineOperation */.h9)({
    name: "putPolicy",
    summary: "Create or update an environment policy; a changed file is a new version of it",
    method: "PUT",
    path: "/policies/{org}",
    access: "write",
    body: {
        kind: "multipart",
        part: "payload",
        schema: mini_schemas/* strictObject */.rej({
            name: names/* policyName */.ct,
            description: mini_schemas/* _default */.Rvf(texts/* longText */.SW, ""),
            type: mini_schemas/* _default */.Rvf(mini_schemas/* literal */.euz("env"), "env"),
            /** Why the file was changed. */
            comment: mini_schemas/* _default */.Rvf(texts/* longText */.SW, ""),
        }),
        /** YAML. A new policy needs it; without it an existing one changes its description alone. */
        files: { policy_file: { count: "one" } },
    },
    responses: { 200: policy, 201: policy },
    errors: { 413: "The file is larger than 10 MB" },
});
/** The policies with all that is known of them but the texts of their files: `getPolicy` has those. */
const listPolicies = (0,operation/* defineOperation */.h9)({
    name: "listPolicies",
    summary: "List the policies, sorted by name",
    method: "GET",
    path: "/policies/{org}",
    access: "read",
    responses: { 200: mini_schemas/* array */.YOg(policy) },
});
const getPolicy = (0,operation/* defineOperation */.h9)({
    name: "getPolicy",
    summary: "Read a policy with its versions",
    method: "GET",
    path: "/policies/{org}/{policy_name}",
    access: "read",
    params: mini_schemas/* object */.Ikc({ policy_name: names/* reference */.ir }),
    responses: { 200: policy },
    errors: { 404: "No such policy" },
});
const getPolicySchema = (0,operation/* defineOperation */.h9)({
    name: "getPolicySchema",
    summary: "Read the JSON Schema of the environment policy file, version 1",
    method: "GET",
    path: "/schemas/environment-policy/v1",
    access: "read",
    responses: { 200: mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* unknown */.L5J()) },
});

;// CONCATENATED MODULE: ./lib/api/reports.js




/* What runs in environments, reported type by type in one shape. */
const params = mini_schemas/* object */.Ikc({ env_name: names/* reference */.ir });
/** 201 when a snapshot was created, 200 when the latest one still holds. */
const responses = { 200: mini_schemas/* string */.YjP(), 201: mini_schemas/* string */.YjP() };
const reports_errors = { 404: "No such environment" };
/** sha256 in hex by artifact name. */
const digests = mini_schemas/* record */.g1P(texts/* shortText */.os, names/* fingerprint */.Rj);
/** Empty for an artifact whose digest could not be found out. */
const digestsIfKnown = mini_schemas/* record */.g1P(texts/* shortText */.os, mini_schemas/* union */.KCZ([names/* fingerprint */.Rj, mini_schemas/* literal */.euz("")]));
/** Unix seconds. */
const creationTimestamp = mini_schemas/* int */.Whr();
const plainEntry = mini_schemas/* strictObject */.rej({ digests, creationTimestamp });
/** An artifact of a plain list: there is nothing to tell but what it is and since when it runs. */
const plainReport = (kind) => ({
    kind: "json",
    schema: mini_schemas/* strictObject */.rej({ type: mini_schemas/* _default */.Rvf(mini_schemas/* literal */.euz(kind), kind), artifacts: mini_schemas/* array */.YOg(plainEntry) }),
});
const ownerReference = mini_schemas/* looseObject */._H3({
    apiVersion: texts/* shortText */.os,
    kind: texts/* shortText */.os,
    name: texts/* shortText */.os,
    uid: texts/* shortText */.os,
    controller: mini_schemas/* nullish */.cl6(mini_schemas/* boolean */.zMY()),
    blockOwnerDeletion: mini_schemas/* nullish */.cl6(mini_schemas/* boolean */.zMY()),
});
const podEntry = mini_schemas/* strictObject */.rej({
    podName: texts/* shortText */.os,
    namespace: texts/* shortText */.os,
    /** sha256 in hex by image name. */
    digests: mini_schemas/* record */.g1P(texts/* shortText */.os, names/* fingerprint */.Rj),
    /** Unix seconds. */
    creationTimestamp: mini_schemas/* int */.Whr(),
    owners: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(ownerReference)),
});
const taskEntry = mini_schemas/* strictObject */.rej({
    taskArn: texts/* shortText */.os,
    digests: digestsIfKnown,
    cluster_name: mini_schemas/* nullish */.cl6(texts/* shortText */.os),
    service_name: mini_schemas/* nullish */.cl6(texts/* shortText */.os),
    creationTimestamp,
});
const appEntry = mini_schemas/* strictObject */.rej({
    app_name: texts/* shortText */.os,
    app_kind: texts/* shortText */.os,
    /** Where the digests were found. */
    digests_source: mini_schemas/* enum */.k5n(["acr", "logs", "kosli-cli"]),
    digests: digestsIfKnown,
    creationTimestamp,
});
const runEntry = mini_schemas/* strictObject */.rej({
    kind: texts/* shortText */.os,
    serviceName: mini_schemas/* nullish */.cl6(texts/* shortText */.os),
    revisionName: mini_schemas/* nullish */.cl6(texts/* shortText */.os),
    jobName: mini_schemas/* nullish */.cl6(texts/* shortText */.os),
    digests: digestsIfKnown,
    creationTimestamp,
});
/** What a report is told whose body is not one. */
const INVALID_REPORT = "Invalid report data";
const reportK8S = (0,operation/* defineOperation */.h9)({
    name: "reportK8S",
    invalidBodyMessage: INVALID_REPORT,
    summary: "Report the pods that run in a Kubernetes environment",
    method: "PUT",
    path: "/environments/{org}/{env_name}/report/K8S",
    access: "report",
    params,
    body: {
        kind: "json",
        schema: mini_schemas/* strictObject */.rej({ type: mini_schemas/* _default */.Rvf(mini_schemas/* literal */.euz("K8S"), "K8S"), artifacts: mini_schemas/* array */.YOg(podEntry) }),
    },
    responses,
    errors: reports_errors,
});
const reportECS = (0,operation/* defineOperation */.h9)({
    name: "reportECS",
    invalidBodyMessage: INVALID_REPORT,
    summary: "Report the tasks that run in an Amazon ECS environment",
    method: "PUT",
    path: "/environments/{org}/{env_name}/report/ECS",
    access: "report",
    params,
    body: {
        kind: "json",
        schema: mini_schemas/* strictObject */.rej({ type: mini_schemas/* _default */.Rvf(mini_schemas/* literal */.euz("ECS"), "ECS"), artifacts: mini_schemas/* array */.YOg(taskEntry) }),
    },
    responses,
    errors: reports_errors,
});
const reportS3 = (0,operation/* defineOperation */.h9)({
    name: "reportS3",
    invalidBodyMessage: INVALID_REPORT,
    summary: "Report what an Amazon S3 environment holds",
    method: "PUT",
    path: "/environments/{org}/{env_name}/report/S3",
    access: "report",
    params,
    body: plainReport("S3"),
    responses,
    errors: reports_errors,
});
const reportLambda = (0,operation/* defineOperation */.h9)({
    name: "reportLambda",
    invalidBodyMessage: INVALID_REPORT,
    summary: "Report the functions of an AWS Lambda environment",
    method: "PUT",
    path: "/environments/{org}/{env_name}/report/lambda",
    access: "report",
    params,
    body: plainReport("lambda"),
    responses,
    errors: reports_errors,
});
const reportServer = (0,operation/* defineOperation */.h9)({
    name: "reportServer",
    invalidBodyMessage: INVALID_REPORT,
    summary: "Report the files and folders that a server runs",
    method: "PUT",
    path: "/environments/{org}/{env_name}/report/server",
    access: "report",
    params,
    body: plainReport("server"),
    responses,
    errors: reports_errors,
});
const reportDocker = (0,operation/* defineOperation */.h9)({
    name: "reportDocker",
    invalidBodyMessage: INVALID_REPORT,
    summary: "Report the containers that run on a Docker host",
    method: "PUT",
    path: "/environments/{org}/{env_name}/report/docker",
    access: "report",
    params,
    body: plainReport("docker"),
    responses,
    errors: reports_errors,
});
const reportAzureApps = (0,operation/* defineOperation */.h9)({
    name: "reportAzureApps",
    invalidBodyMessage: INVALID_REPORT,
    summary: "Report the Azure web apps and function apps that run",
    method: "PUT",
    path: "/environments/{org}/{env_name}/report/azure-apps",
    access: "report",
    params,
    body: {
        kind: "json",
        schema: mini_schemas/* strictObject */.rej({
            type: mini_schemas/* _default */.Rvf(mini_schemas/* literal */.euz("azure-apps"), "azure-apps"),
            artifacts: mini_schemas/* array */.YOg(appEntry),
        }),
    },
    responses,
    errors: reports_errors,
});
const reportCloudRun = (0,operation/* defineOperation */.h9)({
    name: "reportCloudRun",
    invalidBodyMessage: INVALID_REPORT,
    summary: "Report the Google Cloud Run services and jobs that run",
    method: "PUT",
    path: "/environments/{org}/{env_name}/report/cloud-run",
    access: "report",
    params,
    body: {
        kind: "json",
        schema: mini_schemas/* strictObject */.rej({
            type: mini_schemas/* _default */.Rvf(mini_schemas/* literal */.euz("cloud-run"), "cloud-run"),
            artifacts: mini_schemas/* array */.YOg(runEntry),
        }),
    },
    responses,
    errors: reports_errors,
});

;// CONCATENATED MODULE: ./lib/api/repos.js





const repo = mini_schemas/* looseObject */._H3({
    /** The service's own id. */
    id: mini_schemas/* optional */.lqM(mini_schemas/* string */.YjP()),
    name: mini_schemas/* string */.YjP(),
    url: mini_schemas/* string */.YjP(),
    provider: mini_schemas/* nullish */.cl6(provenance/* repoProvider */.g5),
    /** The forge's own id: the stronger identifier, since names can change. */
    repo_id: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    description: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    latest_activity: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    tags: mini_schemas/* nullish */.cl6(mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* string */.YjP())),
    _links: mini_schemas/* nullish */.cl6(mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* unknown */.L5J())),
});
/** The most tags that a list may be filtered by. */
const repos_MAX_TAG_FILTERS = 100;
const listRepos = (0,operation/* defineOperation */.h9)({
    name: "listRepos",
    summary: "List the captured repositories, sorted by name",
    method: "GET",
    path: "/repos/{org}",
    access: "read",
    query: mini_schemas/* object */.Ikc({
        page: mini_schemas/* _default */.Rvf(mini_schemas/* int */.Whr().check(api/* _gte */.qm(1)), 1),
        per_page: mini_schemas/* _default */.Rvf(mini_schemas/* int */.Whr().check(api/* _gte */.qm(1), api/* _lte */.Zm(50)), 15),
        /** Exact match. Ignored when `repo_id` is given. */
        name: mini_schemas/* optional */.lqM(texts/* shortText */.os),
        provider: mini_schemas/* optional */.lqM(provenance/* repoProvider */.g5),
        /** Exact match on the forge's own id. */
        repo_id: mini_schemas/* optional */.lqM(texts/* shortText */.os),
        /** Part of the name, in any letter case. Not together with `name`. */
        search: mini_schemas/* optional */.lqM(texts/* shortText */.os),
        /** Each `key:value`, or `key` for any value; a repository must have all of them. */
        tag: mini_schemas/* optional */.lqM(mini_schemas/* array */.YOg(texts/* shortText */.os.check(api/* _minLength */.m9(1))).check(api/* _maxLength */.Eb(repos_MAX_TAG_FILTERS))),
        sort_direction: mini_schemas/* _default */.Rvf(mini_schemas/* enum */.k5n(["asc", "desc"]), "asc"),
    }),
    responses: {
        200: mini_schemas/* strictObject */.rej({
            _links: mini_schemas/* nullish */.cl6(mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* unknown */.L5J())),
            page: mini_schemas/* int */.Whr(),
            per_page: mini_schemas/* int */.Whr(),
            total_pages: mini_schemas/* int */.Whr(),
            total_count: mini_schemas/* int */.Whr(),
            repos: mini_schemas/* array */.YOg(repo),
        }),
    },
    errors: { 404: "No such organization" },
});
/**
 * With several repositories of the name, `provider` says which is meant.
 *
 * @example
 * const { body } = await client.getRepo({ repoName: "acme/web", provider: "github" });
 */
const getRepo = (0,operation/* defineOperation */.h9)({
    name: "getRepo",
    summary: "Get a captured repository by its name, or by the service's own id",
    method: "GET",
    path: "/repos/{org}/{repo_name}",
    slashesInLastParam: true,
    access: "read",
    params: mini_schemas/* object */.Ikc({ repo_name: names/* reference */.ir }),
    query: mini_schemas/* object */.Ikc({
        provider: mini_schemas/* optional */.lqM(provenance/* repoProvider */.g5),
        /** The service's own id. Given, the name in the path is ignored. */
        id: mini_schemas/* optional */.lqM(texts/* shortText */.os),
    }),
    responses: { 200: repo },
    errors: { 404: "No such repository" },
});
const repos_links = mini_schemas/* nullish */.cl6(mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* unknown */.L5J()));
/** With several repositories of the name, the one captured last is meant. */
const listLiveArtifacts = (0,operation/* defineOperation */.h9)({
    name: "listLiveArtifacts",
    summary: "List where the artifacts of a repository run",
    method: "GET",
    path: "/repos/{org}/live-artifacts/{repo_name}",
    slashesInLastParam: true,
    access: "read",
    params: mini_schemas/* object */.Ikc({ repo_name: names/* reference */.ir }),
    query: mini_schemas/* object */.Ikc({ provider: mini_schemas/* optional */.lqM(provenance/* repoProvider */.g5) }),
    responses: {
        200: mini_schemas/* looseObject */._H3({
            _links: repos_links,
            /** The artifacts and environments that `live_artifacts` names by their ids. */
            _embedded: mini_schemas/* nullish */.cl6(mini_schemas/* looseObject */._H3({
                artifacts: mini_schemas/* array */.YOg(mini_schemas/* looseObject */._H3({
                    id: mini_schemas/* string */.YjP(),
                    fingerprint: mini_schemas/* string */.YjP(),
                    commit_sha: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
                    commit_url: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
                    _links: repos_links,
                })),
                environments: mini_schemas/* array */.YOg(mini_schemas/* looseObject */._H3({ id: mini_schemas/* string */.YjP(), name: mini_schemas/* string */.YjP(), type: mini_schemas/* string */.YjP(), _links: repos_links })),
            })),
            live_artifacts: mini_schemas/* array */.YOg(mini_schemas/* looseObject */._H3({
                environment_id: mini_schemas/* string */.YjP(),
                artifact_id: mini_schemas/* string */.YjP(),
                artifact_name: mini_schemas/* string */.YjP(),
                snapshot_index: mini_schemas/* int */.Whr(),
                compliance: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
                /** Unix seconds: since when the environment has had it without a break. */
                started_at: mini_schemas/* number */.aig(),
                _links: repos_links,
            })),
        }),
    },
    errors: { 404: "No such repository" },
});

;// CONCATENATED MODULE: ./lib/api/search.js



const matches = mini_schemas/* looseObject */._H3({
    type: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    count: mini_schemas/* nullish */.cl6(mini_schemas/* int */.Whr()),
    matches: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* string */.YjP())),
});
const searchSha = (0,operation/* defineOperation */.h9)({
    name: "searchSha",
    summary: "Find artifacts by their fingerprint or commit, or by the start of either",
    method: "GET",
    path: "/search/{org}/sha/{search_value}",
    access: "read",
    params: mini_schemas/* object */.Ikc({ search_value: names/* shaPrefix */.xQ }),
    responses: {
        200: mini_schemas/* looseObject */._H3({
            resolved_to: mini_schemas/* nullish */.cl6(mini_schemas/* looseObject */._H3({
                /** `fingerprint`, `commit`, or `multiple` when the value is the start of several. */
                type: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
                /** The whole of what the value is the start of; null when there are several. */
                full_match: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
                fingerprints: mini_schemas/* nullish */.cl6(matches),
                commits: mini_schemas/* nullish */.cl6(matches),
            })),
            /** Newest first. */
            artifacts: mini_schemas/* array */.YOg(mini_schemas/* looseObject */._H3({
                fingerprint: mini_schemas/* string */.YjP(),
                name: mini_schemas/* string */.YjP(),
                has_provenance: mini_schemas/* boolean */.zMY(),
                git_commit: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
                flow: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
                trail: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
                template_reference_name: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
                build_url: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
                commit_url: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
                compliance_state: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
                /** Names of environments. */
                running_in: mini_schemas/* array */.YOg(mini_schemas/* string */.YjP()),
                exited_from: mini_schemas/* array */.YOg(mini_schemas/* string */.YjP()),
                html_url: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
                api_url: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
                history: mini_schemas/* array */.YOg(mini_schemas/* unknown */.L5J()),
            })),
        }),
    },
    errors: { 404: "Nothing starts with this value" },
});

;// CONCATENATED MODULE: ./lib/api/service-accounts.js



/** What an account may do, from most to least. */
const privilege = mini_schemas/* enum */.k5n(["admin", "member", "snapshotter", "reader"]);
const description = mini_schemas/* string */.YjP().check(api/* _maxLength */.Eb(512));
const serviceAccount = mini_schemas/* looseObject */._H3({
    name: mini_schemas/* string */.YjP(),
    display_name: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    privilege: mini_schemas/* string */.YjP(),
    description: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    /** Who made it: an account's name. Null when that account is gone, or it was made on the command line. */
    creating_user_id: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    /** Unix seconds. */
    created_at: mini_schemas/* nullish */.cl6(mini_schemas/* number */.aig()),
    for_webhook: mini_schemas/* nullish */.cl6(mini_schemas/* boolean */.zMY()),
});
const service_accounts_accountParam = mini_schemas/* object */.Ikc({ name: names/* reference */.ir });
const service_accounts_NO_ACCOUNT = { 404: "No such service account" };
const createServiceAccount = (0,operation/* defineOperation */.h9)({
    name: "createServiceAccount",
    summary: "Create a service account, with no more rights than one's own",
    method: "POST",
    path: "/service-accounts/{org}",
    access: "manage accounts",
    body: {
        kind: "json",
        schema: mini_schemas/* object */.Ikc({
            name: names/* serviceAccountName */.uY,
            description: mini_schemas/* nullish */.cl6(description),
            privilege: mini_schemas/* _default */.Rvf(privilege, "reader"),
        }),
    },
    responses: { 201: serviceAccount },
    takesIdempotencyKey: true,
});
const listServiceAccounts = (0,operation/* defineOperation */.h9)({
    name: "listServiceAccounts",
    summary: "List the service accounts by name; a snapshotter sees those it created",
    method: "GET",
    path: "/service-accounts/{org}",
    access: "manage accounts",
    responses: { 200: mini_schemas/* array */.YOg(serviceAccount) },
});
const getServiceAccount = (0,operation/* defineOperation */.h9)({
    name: "getServiceAccount",
    summary: "Get a service account",
    method: "GET",
    path: "/service-accounts/{org}/{name}",
    access: "manage accounts",
    params: service_accounts_accountParam,
    responses: { 200: serviceAccount },
    errors: service_accounts_NO_ACCOUNT,
});
const updateServiceAccount = (0,operation/* defineOperation */.h9)({
    name: "updateServiceAccount",
    summary: "Change a service account's description or, as an admin, its privilege",
    method: "PATCH",
    path: "/service-accounts/{org}/{name}",
    access: "write",
    params: service_accounts_accountParam,
    body: {
        kind: "json",
        /** Fields that are left out stay as they are; a null description clears it. */
        schema: mini_schemas/* object */.Ikc({ description: mini_schemas/* nullish */.cl6(description), privilege: mini_schemas/* optional */.lqM(privilege) }),
    },
    responses: { 200: serviceAccount },
    errors: service_accounts_NO_ACCOUNT,
});
const deleteServiceAccount = (0,operation/* defineOperation */.h9)({
    name: "deleteServiceAccount",
    summary: "Delete a service account; its keys stop working at once",
    method: "DELETE",
    path: "/service-accounts/{org}/{name}",
    access: "write",
    params: service_accounts_accountParam,
    responses: { 200: mini_schemas/* string */.YjP() },
    errors: service_accounts_NO_ACCOUNT,
});

;// CONCATENATED MODULE: ./lib/api/snapshots.js






/* What was seen to run: snapshots, what changed with each, and how two of them differ. */
const deploymentDiff = mini_schemas/* looseObject */._H3({
    /** Where to see what changed since the artifact that ran before. */
    diff_url: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    previous_git_commit: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    previous_fingerprint: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    previous_artifact_name: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    previous_artifact_compliance_state: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    /** Whether the artifact that ran before still runs beside this one. */
    previous_running: mini_schemas/* nullish */.cl6(mini_schemas/* boolean */.zMY()),
    previous_git_commit_url: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    previous_trail_name: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    previous_template_reference_name: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
});
const snapshotFlow = mini_schemas/* looseObject */._H3({
    flow_name: mini_schemas/* string */.YjP(),
    trail_name: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    template_reference_name: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    git_commit: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    commit_url: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    git_commit_info: mini_schemas/* nullish */.cl6(mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* unknown */.L5J())),
    html_url: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    flow_html_url: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    deployment_diff: mini_schemas/* nullish */.cl6(deploymentDiff),
    /** Seconds from the commit to when it started to run. */
    commit_lead_time: mini_schemas/* nullish */.cl6(mini_schemas/* number */.aig()),
    artifact_compliance_in_flow: mini_schemas/* nullish */.cl6(mini_schemas/* boolean */.zMY()),
    flow_reasons_for_non_compliance: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* unknown */.L5J())),
});
const snapshotArtifact = mini_schemas/* looseObject */._H3({
    name: mini_schemas/* string */.YjP(),
    fingerprint: mini_schemas/* string */.YjP(),
    /** Null without policies. */
    compliant: mini_schemas/* nullish */.cl6(mini_schemas/* boolean */.zMY()),
    deployments: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* unknown */.L5J())),
    policy_decisions: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(policyEvaluation)),
    reasons_for_incompliance: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* unknown */.L5J())),
    /** Unix seconds, one for each instance. */
    creationTimestamp: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* number */.aig())),
    /** By pod name. */
    pods: mini_schemas/* nullish */.cl6(mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* unknown */.L5J())),
    /** Of Azure apps and Cloud Run: each as it was reported. */
    instances: mini_schemas/* optional */.lqM(mini_schemas/* array */.YOg(mini_schemas/* looseObject */._H3({
        /** Unix seconds. */
        creationTimestamp: mini_schemas/* number */.aig(),
        app_name: mini_schemas/* optional */.lqM(mini_schemas/* string */.YjP()),
        app_kind: mini_schemas/* optional */.lqM(mini_schemas/* string */.YjP()),
        /** Where the digests were found. */
        digests_source: mini_schemas/* optional */.lqM(mini_schemas/* string */.YjP()),
        kind: mini_schemas/* optional */.lqM(mini_schemas/* string */.YjP()),
        serviceName: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
        revisionName: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
        jobName: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    }))),
    /** What changed with this snapshot; `now` is 0 for what stopped running. */
    annotation: mini_schemas/* nullish */.cl6(mini_schemas/* looseObject */._H3({ type: mini_schemas/* string */.YjP(), was: mini_schemas/* nullish */.cl6(mini_schemas/* int */.Whr()), now: mini_schemas/* nullish */.cl6(mini_schemas/* int */.Whr()) })),
    flow_name: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    git_commit: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    commit_url: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    html_url: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    flow_html_url: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    deployment_diff: mini_schemas/* nullish */.cl6(deploymentDiff),
    commit_lead_time: mini_schemas/* nullish */.cl6(mini_schemas/* number */.aig()),
    /** Where it was built; empty when nobody knows. */
    flows: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(snapshotFlow)),
    ecs_context: mini_schemas/* nullish */.cl6(mini_schemas/* looseObject */._H3({
        task_arn: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
        cluster_name: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
        service_name: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    })),
});
const snapshot = mini_schemas/* looseObject */._H3({
    /** Counts from 1 in each environment. */
    index: mini_schemas/* int */.Whr(),
    is_latest: mini_schemas/* boolean */.zMY(),
    /** Null for the latest. */
    next_snapshot_timestamp: mini_schemas/* nullish */.cl6(mini_schemas/* number */.aig()),
    /** By `true`, `false` and `null`. */
    artifact_compliance_count: mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* int */.Whr()),
    timestamp: mini_schemas/* number */.aig(),
    type: mini_schemas/* string */.YjP(),
    compliant: mini_schemas/* boolean */.zMY(),
    html_url: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    artifacts: mini_schemas/* array */.YOg(snapshotArtifact),
    applied_policies: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* unknown */.L5J()))),
});
/** The most artifacts of a snapshot that a page may have. */
const MAX_ARTIFACTS_PER_PAGE = 1_000;
const snapshots_pages = {
    page: mini_schemas/* _default */.Rvf(mini_schemas/* int */.Whr().check(api/* _gte */.qm(1)), 1),
    per_page: mini_schemas/* _default */.Rvf(mini_schemas/* int */.Whr().check(api/* _gte */.qm(1)), 15),
};
/**
 * Newest first, unless `reverse` is set.
 *
 * @example
 * const { body } = await client.listSnapshots({ envName: "prod", interval: "~5..NOW" });
 */
const listSnapshots = (0,operation/* defineOperation */.h9)({
    name: "listSnapshots",
    summary: "List the snapshots of an environment",
    method: "GET",
    path: "/snapshots/{org}/{env_name}",
    access: "read",
    params: mini_schemas/* object */.Ikc({ env_name: names/* reference */.ir }),
    query: mini_schemas/* object */.Ikc({
        ...snapshots_pages,
        /** `5..10`, `~5..NOW` or `@{2026-01-01T00:00:00}..@{now}`; one end alone, as in `~5`, goes on to now. */
        interval: mini_schemas/* _default */.Rvf(texts/* shortText */.os, "1..NOW"),
        reverse: mini_schemas/* _default */.Rvf(mini_schemas/* boolean */.zMY(), false),
    }),
    responses: {
        200: mini_schemas/* array */.YOg(mini_schemas/* looseObject */._H3({
            index: mini_schemas/* int */.Whr(),
            /** Unix seconds. */
            from: mini_schemas/* number */.aig(),
            /** 0 for the one that holds now. */
            to: mini_schemas/* number */.aig(),
            compliant: mini_schemas/* boolean */.zMY(),
            /** Seconds. */
            duration: mini_schemas/* number */.aig(),
        })),
    },
    errors: { 404: "No such environment" },
});
/**
 * A snapshot by its number (`12`), from the end (`-1` is the latest, `~1` the one before it) or by when it held
 * (`@{2026-01-31T12:00:00}`, `@{3.days.ago}`, `@{now}`).
 *
 * @example
 * const { body } = await client.getSnapshot({ envName: "prod", snapshotExpression: "-1" });
 */
const getSnapshot = (0,operation/* defineOperation */.h9)({
    name: "getSnapshot",
    summary: "Get what ran in an environment at a moment",
    method: "GET",
    path: "/snapshots/{org}/{env_name}/{snapshot_expression}",
    access: "read",
    params: mini_schemas/* object */.Ikc({ env_name: names/* reference */.ir, snapshot_expression: names/* reference */.ir }),
    /** Given, the answer has one page of the artifacts, and the header `Link` leads to the others. */
    query: mini_schemas/* object */.Ikc({
        page: mini_schemas/* optional */.lqM(paging/* pageNumber */.PW),
        per_page: mini_schemas/* optional */.lqM(mini_schemas/* int */.Whr().check(api/* _gte */.qm(1), api/* _lte */.Zm(MAX_ARTIFACTS_PER_PAGE))),
    }),
    responses: { 200: snapshot },
    errors: { 404: "No such environment or snapshot" },
});
const diffArtifact = mini_schemas/* looseObject */._H3({
    fingerprint: mini_schemas/* string */.YjP(),
    name: mini_schemas/* string */.YjP(),
    /** Unix seconds: when its youngest instance was created. */
    most_recent_timestamp: mini_schemas/* int */.Whr(),
    /** Empty when nobody knows where it was built. */
    flow: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    commit_url: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    instance_count: mini_schemas/* nullish */.cl6(mini_schemas/* int */.Whr()),
    s1_instance_count: mini_schemas/* nullish */.cl6(mini_schemas/* int */.Whr()),
    s2_instance_count: mini_schemas/* nullish */.cl6(mini_schemas/* int */.Whr()),
    pods: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(mini_schemas/* string */.YjP())),
});
const diffItem = mini_schemas/* looseObject */._H3({
    /** `prod#12` */
    snapshot_id: mini_schemas/* nullish */.cl6(mini_schemas/* string */.YjP()),
    artifacts: mini_schemas/* array */.YOg(diffArtifact),
});
/**
 * Snapshots are named by environment and expression: `staging`, `staging#10`, `staging~2`, `staging@{2.days.ago}`.
 *
 * @example
 * const { body } = await client.diffSnapshots({ snappish1: "staging", snappish2: "prod" });
 */
const diffSnapshots = (0,operation/* defineOperation */.h9)({
    name: "diffSnapshots",
    summary: "Compare what runs in two snapshots",
    method: "GET",
    path: "/env-diff/{org}",
    access: "read",
    query: mini_schemas/* object */.Ikc({ snappish1: names/* reference */.ir, snappish2: names/* reference */.ir }),
    responses: {
        200: mini_schemas/* looseObject */._H3({
            /** Runs in the first only. */
            snappish1: diffItem,
            /** Runs in the second only. */
            snappish2: diffItem,
            /** Runs in both, with another number of instances. */
            changed: diffItem,
            "not-changed": diffItem,
        }),
    },
    errors: { 404: "No such environment or snapshot" },
});

// EXTERNAL MODULE: ./node_modules/zod/v4/core/registries.js
var registries = __webpack_require__(9396);
;// CONCATENATED MODULE: ./lib/api/tags.js




/** The most tags that one resource may have. */
const MAX_TAGS = 200;
/** What can be tagged, in the singular or plural. */
const resourceType = mini_schemas/* enum */.k5n([
    "flow",
    "flows",
    "env",
    "envs",
    "environment",
    "environments",
    "control",
    "controls",
    "repo",
    "repos",
]);
/** Flows and environments are named, controls go by their identifier, repositories by the service's own id. */
const updateTags = (0,operation/* defineOperation */.h9)({
    name: "updateTags",
    summary: "Set and remove tags of a flow, an environment, a control or a repository",
    method: "PATCH",
    path: "/tags/{org}/{resource_type}/{resource_id}",
    access: "write",
    params: mini_schemas/* object */.Ikc({ resource_type: resourceType, resource_id: names/* reference */.ir }),
    body: {
        kind: "json",
        schema: mini_schemas/* strictObject */.rej({
            /** A resource has at most {@link MAX_TAGS} tags. */
            set_tags: mini_schemas/* nullish */.cl6(mini_schemas/* record */.g1P(names/* tagKey */.E4, texts/* shortText */.os).register(registries/* globalRegistry */.fd, { maxProperties: MAX_TAGS })),
            /** Keys. One that is set as well ends up removed; one that is not there changes nothing. */
            remove_tags: mini_schemas/* nullish */.cl6(mini_schemas/* array */.YOg(texts/* shortText */.os)),
        }),
    },
    example: { set_tags: { team: "web" }, remove_tags: ["draft"] },
    responses: { 200: mini_schemas/* string */.YjP() },
    errors: { 404: "No such resource" },
});

// EXTERNAL MODULE: ./lib/api/trails.js
var trails = __webpack_require__(2151);
;// CONCATENATED MODULE: ./lib/api/operations.js
























/** Every operation of the interface, by name. */
const operations = {
    allowArtifact: allowArtifact,
    archiveControl: archiveControl,
    archiveCustomAttestationType: archiveCustomAttestationType,
    archiveEnvironment: archiveEnvironment,
    archiveFlow: archiveFlow,
    assertArtifact: assertArtifact,
    attachPolicies: attachPolicies,
    attestCustom: attestation_kinds/* attestCustom */.tt,
    attestGeneric: generic_attestation/* attestGeneric */.z,
    attestJira: attestation_kinds/* attestJira */._M,
    attestJunit: attestation_kinds/* attestJunit */.s3,
    attestPullRequest: attestation_kinds/* attestPullRequest */.AN,
    attestSnyk: attestation_kinds/* attestSnyk */.XJ,
    attestSonar: attestation_kinds/* attestSonar */.Fd,
    attestSystem: attestation_kinds/* attestSystem */.Dl,
    beginTrail: trails/* beginTrail */.Gv,
    createApiKey: createApiKey,
    createControl: createControl,
    createCustomAttestationType: createCustomAttestationType,
    createEnvironment: createEnvironment,
    createFlow: createFlow,
    createFlowWithTemplate: createFlowWithTemplate,
    createServiceAccount: createServiceAccount,
    deleteAction: deleteAction,
    deleteEnvironmentNotification: deleteEnvironmentNotification,
    deleteServiceAccount: deleteServiceAccount,
    detachPolicies: detachPolicies,
    diffSnapshots: diffSnapshots,
    downloadEvidence: downloadEvidence,
    getAction: getAction,
    getApiKey: getApiKey,
    getApproval: getApproval,
    getArtifact: getArtifact,
    getArtifactAttestation: getArtifactAttestation,
    getArtifactAuditPackage: getArtifactAuditPackage,
    getArtifactCommit: getArtifactCommit,
    getArtifactsByCommit: getArtifactsByCommit,
    getControl: getControl,
    getControlDecision: getControlDecision,
    getControlVersion: getControlVersion,
    getCustomAttestationType: getCustomAttestationType,
    getDefaultOrg: getDefaultOrg,
    getEnvironment: getEnvironment,
    getEnvironmentAuditLog: getEnvironmentAuditLog,
    getEnvironmentNotification: getEnvironmentNotification,
    getFlow: getFlow,
    getFlowTemplateSchema: getFlowTemplateSchema,
    getLatestCommit: getLatestCommit,
    getOrganization: getOrganization,
    getPolicy: getPolicy,
    getPolicySchema: getPolicySchema,
    getRepo: getRepo,
    getServiceAccount: getServiceAccount,
    getSnapshot: getSnapshot,
    getTrail: trails/* getTrail */.PH,
    getTrailAuditPackage: trails/* getTrailAuditPackage */.i,
    joinEnvironment: joinEnvironment,
    listActions: listActions,
    listAllowlists: listAllowlists,
    listApiKeys: listApiKeys,
    listApprovals: listApprovals,
    listArtifactApprovals: listArtifactApprovals,
    listArtifacts: listArtifacts,
    listAttestations: listAttestations,
    listAttestationsForCriteria: listAttestationsForCriteria,
    listControlDecisions: listControlDecisions,
    listControlVersions: listControlVersions,
    listControls: listControls,
    listCustomAttestationTypes: listCustomAttestationTypes,
    listEnvironmentEvents: listEnvironmentEvents,
    listEnvironmentNotifications: listEnvironmentNotifications,
    listEnvironments: listEnvironments,
    listFlowArtifacts: listFlowArtifacts,
    listFlowAttestations: listFlowAttestations,
    listFlowTrails: trails/* listFlowTrails */.GE,
    listFlows: listFlows,
    listLiveArtifacts: listLiveArtifacts,
    listPolicies: listPolicies,
    listRepos: listRepos,
    listServiceAccounts: listServiceAccounts,
    listSnapshots: listSnapshots,
    listSystemAttestationTypes: listSystemAttestationTypes,
    listTrailAttestations: listTrailAttestations,
    listTrails: trails/* listTrails */.ao,
    overrideAttestation: attestation_kinds/* overrideAttestation */.FU,
    putEnvironmentAction: putEnvironmentAction,
    putEnvironmentNotification: putEnvironmentNotification,
    putFlowAction: putFlowAction,
    putPolicy: putPolicy,
    recordApproval: recordApproval,
    renameEnvironment: renameEnvironment,
    renameFlow: renameFlow,
    reportArtifact: artifact_report/* reportArtifact */.x,
    reportAzureApps: reportAzureApps,
    reportCloudRun: reportCloudRun,
    reportDocker: reportDocker,
    reportECS: reportECS,
    reportK8S: reportK8S,
    reportLambda: reportLambda,
    reportS3: reportS3,
    reportServer: reportServer,
    revokeApiKey: revokeApiKey,
    rotateApiKey: rotateApiKey,
    searchSha: searchSha,
    setDefaultOrg: setDefaultOrg,
    unarchiveControl: unarchiveControl,
    updateControl: updateControl,
    updateEnvironment: updateEnvironment,
    updateEnvironmentNotification: updateEnvironmentNotification,
    updateServiceAccount: updateServiceAccount,
    updateTags: updateTags,
};

// EXTERNAL MODULE: ./node_modules/zod/v4/core/core.js
var core_core = __webpack_require__(8532);
// EXTERNAL MODULE: ./node_modules/zod/v4/core/schemas.js + 2 modules
var core_schemas = __webpack_require__(1041);
;// CONCATENATED MODULE: ./node_modules/zod/v4/mini/iso.js


const ZodMiniISODateTime = /*@__PURE__*/ core_core/* $constructor */.xI("ZodMiniISODateTime", (inst, def) => {
    core_schemas/* $ZodISODateTime */.Ko.init(inst, def);
    mini_schemas/* ZodMiniStringFormat */.zUr.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function datetime(params) {
    return api/* _isoDateTime */.G1(ZodMiniISODateTime, params);
}
const ZodMiniISODate = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniISODate", (inst, def) => {
    core.$ZodISODate.init(inst, def);
    schemas.ZodMiniStringFormat.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function date(params) {
    return core._isoDate(ZodMiniISODate, params);
}
const ZodMiniISOTime = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniISOTime", (inst, def) => {
    core.$ZodISOTime.init(inst, def);
    schemas.ZodMiniStringFormat.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function time(params) {
    return core._isoTime(ZodMiniISOTime, params);
}
const ZodMiniISODuration = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniISODuration", (inst, def) => {
    core.$ZodISODuration.init(inst, def);
    schemas.ZodMiniStringFormat.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function duration(params) {
    return core._isoDuration(ZodMiniISODuration, params);
}

;// CONCATENATED MODULE: ./lib/spool/layout.js

/*
 * A spool is a folder with a folder for each submission:
 *
 *   20261121T203533123Z-000000-5f0c7a1e/
 *     submission.json   what is to be sent
 *     files/0, files/1  its files, in the order they are sent
 *     recorded.json     there once the service has proven that it is on record
 *
 * Files have numbers for names because a workflow artifact takes not every name. Nothing in it authorizes anything:
 * there are no headers.
 */
/** Another form gets another number, so that an older program leaves it alone. */
const FORMAT = "delivery-evidence-spool/1";
const SUBMISSION_FILE = "submission.json";
const FILES_FOLDER = "files";
const RECORDED_FILE = "recorded.json";
const sha256 = mini_schemas/* string */.YjP().check(api/* _regex */.Fk(/^[0-9a-f]{64}$/));
/** What `submission.json` holds. */
const submissionFile = mini_schemas/* strictObject */.rej({
    format: mini_schemas/* literal */.euz(FORMAT),
    id: mini_schemas/* string */.YjP().check(api/* _regex */.Fk(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
    operation: mini_schemas/* string */.YjP(),
    org: mini_schemas/* string */.YjP().check(api/* _minLength */.m9(1)),
    host: mini_schemas/* string */.YjP(),
    submitted_at: datetime(),
    run_url: mini_schemas/* nullable */.mee(mini_schemas/* string */.YjP()),
    params: mini_schemas/* record */.g1P(mini_schemas/* string */.YjP(), mini_schemas/* string */.YjP()),
    /** JSON as it is sent, as text: a parser in between could round its numbers. */
    body: mini_schemas/* string */.YjP(),
    files: mini_schemas/* array */.YOg(mini_schemas/* strictObject */.rej({
        part: mini_schemas/* string */.YjP(),
        name: mini_schemas/* string */.YjP(),
        media_type: mini_schemas/* string */.YjP(),
        size: mini_schemas/* int */.Whr().check(api/* _gte */.qm(0)),
        sha256,
    })),
});

// EXTERNAL MODULE: ./lib/spool/submission.js
var spool_submission = __webpack_require__(1043);
;// CONCATENATED MODULE: ./lib/spool/read.js











/** JSON in JSON: each of its quotes takes two characters, and there is a little around it. */
const MAX_SUBMISSION_BYTES = 2 * operation/* MAX_JSON_PART_BYTES */.ey + 1024 * 1024;
/** The largest file that a spool can hold. */
const MAX_KEPT_BYTES = Math.max(MAX_SUBMISSION_BYTES, operation/* MAX_FILE_BYTES */.gZ);
/**
 * The submissions of a spool in the order they were made; also of several spools side by side in one folder, as
 * downloading workflow artifacts leaves them.
 */
async function readSpool(folder) {
    const found = await submissionsIn(folder);
    for (const entry of await (0,promises_.readdir)(folder, { withFileTypes: true })) {
        if (!entry.isDirectory() || (0,spool_submission/* isSubmissionName */.Ac)(entry.name) || entry.name.startsWith("."))
            continue;
        found.push(...(await submissionsIn((0,external_node_path_.join)(folder, entry.name))));
    }
    return found.sort((a, b) => (a.name === b.name ? order(a.path, b.path) : order(a.name, b.name)));
}
async function submissionsIn(folder) {
    const entries = await (0,promises_.readdir)(folder, { withFileTypes: true });
    return entries
        .filter((entry) => entry.isDirectory() && (0,spool_submission/* isSubmissionName */.Ac)(entry.name))
        .map(({ name }) => ({ name, path: (0,external_node_path_.join)(folder, name) }));
}
function order(a, b) {
    return a < b ? -1 : Number(a > b);
}
/** Whether it was marked as recorded. */
async function isDone({ path }) {
    return (await sizeOf((0,external_node_path_.join)(path, RECORDED_FILE))) !== undefined;
}
/** Whether a spool, which need not be there, holds anything that is not on record. */
async function hasWaiting(folder) {
    if (!(await (0,promises_.lstat)(folder).catch(() => undefined)))
        return false;
    for (const kept of await readSpool(folder))
        if (!(await isDone(kept)))
            return true;
    return false;
}
/** Reads a submission and makes sure that it is what was kept. */
async function openSubmission({ path }) {
    const size = await sizeOf((0,external_node_path_.join)(path, SUBMISSION_FILE));
    if (size === undefined)
        return { damage: `it has no ${SUBMISSION_FILE}` };
    if (size > MAX_SUBMISSION_BYTES)
        return { damage: `${SUBMISSION_FILE} is too large to be one` };
    const json = (0,api_json/* parseJson */.q)(await (0,promises_.readFile)((0,external_node_path_.join)(path, SUBMISSION_FILE), "utf8"));
    const read = parse/* safeParse */.xL(submissionFile, json?.value);
    if (!read.success) {
        const field = read.error.issues[0]?.path.join(".");
        return { damage: `${SUBMISSION_FILE} is not one of this version${field ? `: see '${field}'` : ""}` };
    }
    const { operation: name, files: kept, ...content } = read.data;
    const known = operations;
    const operation = Object.hasOwn(known, name) ? known[name] : undefined;
    // A spool may have passed through many hands, and it is replayed with a key that may do much more.
    if (!operation || !(0,spool_submission/* isSpoolable */.Md)(operation))
        return { damage: `'${name}' is nothing that is kept for later` };
    if (!(0,api_json/* parseJson */.q)(content.body))
        return { damage: "its body is not JSON" };
    const files = [];
    let damage;
    for (const [index, file] of kept.entries()) {
        const at = (0,external_node_path_.join)(path, FILES_FOLDER, String(index));
        damage ??= await damageOf(at, file);
        if (damage === undefined) {
            const blob = await (0,external_node_fs_.openAsBlob)(at, { type: file.media_type });
            files.push([file.part, { name: file.name, path: at, content: blob }]);
        }
    }
    const submission = {
        id: content.id,
        operation,
        org: content.org,
        host: content.host,
        submittedAt: new Date(content.submitted_at),
        runUrl: content.run_url ?? undefined,
        prepared: { params: content.params, json: content.body, files },
    };
    return damage === undefined ? { submission } : { submission, damage };
}
async function damageOf(path, { name, size, sha256 }) {
    const found = await sizeOf(path);
    if (found === undefined)
        return `its file '${name}' is missing`;
    if (found !== size)
        return `its file '${name}' has ${found} bytes, not ${size}`;
    if (found > operation/* MAX_FILE_BYTES */.gZ)
        return `its file '${name}' is over the limit of ${operation/* MAX_FILE_BYTES */.gZ} bytes`;
    const hash = (0,external_node_crypto_.createHash)("sha256");
    await (0,external_node_stream_promises_.pipeline)((0,external_node_fs_.createReadStream)(path), hash);
    return hash.digest("hex") === sha256
        ? undefined
        : `its file '${name}' is not what was kept: sha256 differs`;
}
/** The size of a file in bytes; undefined when there is none. A link is none: it could lead anywhere. */
async function sizeOf(path) {
    const stats = await (0,promises_.lstat)(path).catch(() => undefined);
    return stats?.isFile() ? stats.size : undefined;
}

;// CONCATENATED MODULE: ./lib/spool/subject.js


function subjectOf({ prepared }) {
    const { params, json = "" } = prepared;
    const body = (0,untyped/* asObject */.eB)((0,api_json/* parseJson */.q)(json)?.value);
    const attestation = textOf(body["attestation_name"]);
    return {
        flow: textOf(params["flow_name"]) ?? "",
        trail: textOf(params["trail_name"]) ?? textOf(body["trail_name"]),
        fingerprint: textOf(body[attestation === undefined ? "fingerprint" : "artifact_fingerprint"]),
        targets: Array.isArray(body["target_artifacts"]) ? body["target_artifacts"].map(String) : [],
        attestation,
    };
}
function textOf(value) {
    return typeof value === "string" ? value : undefined;
}

;// CONCATENATED MODULE: ./lib/spool/dependence.js

/**
 * What is missing because a submission before was not recorded. An attestation of an artifact needs its report; an
 * override is about the attestation of its name before it, and would hit an older one.
 */
class Missing {
    #by = new Map();
    /** The name of the submission that has to be recorded before this one; undefined when none has. */
    heldBy(submission) {
        return needs(submission)
            .map((thing) => this.#by.get(thing))
            .find((name) => name !== undefined);
    }
    left(submission, name) {
        this.#by.set(gives(submission), name);
    }
    recorded(submission) {
        this.#by.delete(gives(submission));
    }
}
function gives({ org, ...submission }) {
    const { flow, trail, fingerprint, attestation } = subjectOf(submission);
    if (attestation === undefined)
        return thing("artifact", org, flow, fingerprint);
    return thing("attestation", org, flow, trail, attestation);
}
function needs({ org, operation, ...submission }) {
    const { flow, trail, fingerprint, attestation } = subjectOf(submission);
    if (attestation === undefined)
        return [];
    return [
        ...(fingerprint === undefined ? [] : [thing("artifact", org, flow, fingerprint)]),
        ...(operation.name === "overrideAttestation"
            ? [thing("attestation", org, flow, trail, attestation)]
            : []),
    ];
}
function thing(...names) {
    return JSON.stringify(names);
}

;// CONCATENATED MODULE: ./lib/spool/durable.js



/** Writes a new file that only its owner may read, to the disk and not only to the system's memory. */
async function writeDurably(path, content) {
    const hash = (0,external_node_crypto_.createHash)("sha256");
    let size = 0;
    const file = await (0,promises_.open)(path, "wx", 0o600);
    try {
        for await (const chunk of content) {
            hash.update(chunk);
            size += chunk.byteLength;
            await file.appendFile(chunk);
        }
        await file.sync();
    }
    finally {
        await file.close();
    }
    return { size, sha256: hash.digest("hex") };
}
/** Puts something in its place at once: whoever looks finds all of it or nothing. */
async function moveDurably(from, to) {
    await (0,promises_.rename)(from, to);
    await syncFolder((0,external_node_path_.dirname)(to));
}
/** Writes a small file that is there whole or not at all, whoever else writes the same. */
async function putDurably(path, text) {
    const draft = (0,external_node_path_.join)((0,external_node_path_.dirname)(path), `.writing-${crypto.randomUUID()}`);
    await writeDurably(draft, [Buffer.from(text)]);
    await moveDurably(draft, path);
}
/** What a folder lists is data of its own. Windows has no way to sync it, and needs none. */
async function syncFolder(path) {
    if (process.platform === "win32")
        return;
    const folder = await (0,promises_.open)(path, "r");
    try {
        await folder.sync();
    }
    finally {
        await folder.close();
    }
}

;// CONCATENATED MODULE: ./lib/spool/on-record.js






/** How far the clock of the machine that submitted may have been ahead of the service's. */
const CLOCK_DIFFERENCE_MS = 86_400_000;
const PER_PAGE = 100;
/**
 * Whether the service has a submission on record. It is asked before each replay, because what a service remembers of
 * an `Idempotency-Key` ends after a day and with the API key, and some services remember nothing.
 */
async function isOnRecord(connection, submission) {
    const subject = subjectOf(submission);
    try {
        return subject.attestation === undefined
            ? await isReported(connection, submission, subject)
            : await isAttested(connection, submission, { ...subject, name: subject.attestation });
    }
    catch (error) {
        // The flow, trail or artifact is not there, and so nothing on it.
        if (error instanceof errors/* ApiError */.hD && error.status === 404)
            return false;
        throw error;
    }
}
/**
 * An artifact shows only its latest report. One that was reported to the trail since counts as well: to report it
 * again would put older facts over newer ones.
 */
async function isReported(connection, { id, submittedAt }, { flow, trail, fingerprint = "" }) {
    const { body } = await (0,call/* call */.T1)(connection, getArtifact, {
        flowName: flow,
        fingerprint,
        ...(trail !== undefined && { trail }),
    });
    return body.annotations?.[spool_submission/* MARK */.M$] === id || Number(body.createdAt) * 1000 >= submittedAt.getTime();
}
/** Each list holds what is bound to its own: the trail's knows nothing of what is attested of an artifact. */
async function isAttested(connection, submission, { flow, trail = "", fingerprint, targets, name }) {
    if (fingerprint === undefined && targets.length > 0)
        return isAmongAll(connection, submission, { flow, name });
    const about = { flowName: flow, attestationName: name };
    const { body } = fingerprint === undefined
        ? await (0,call/* call */.T1)(connection, listTrailAttestations, { ...about, trailName: trail })
        : await (0,call/* call */.T1)(connection, getArtifactAttestation, { ...about, fingerprint });
    return body.some(({ annotations }) => annotations?.[spool_submission/* MARK */.M$] === submission.id);
}
/** What is for an artifact of the template is on no other list before that artifact is reported. */
async function isAmongAll(connection, { id, submittedAt }, { flow, name }) {
    const fromTimestamp = Math.floor((submittedAt.getTime() - CLOCK_DIFFERENCE_MS) / 1000);
    const query = { name, flow: [flow], fromTimestamp, perPage: PER_PAGE };
    for (let after;;) {
        const { body } = await (0,call/* call */.T1)(connection, listAttestations, {
            ...query,
            ...(after !== undefined && { after }),
        });
        if (body.data.some(({ annotations }) => annotations?.[spool_submission/* MARK */.M$] === id))
            return true;
        after = body._links?.next?.after ?? undefined;
        if (after === undefined)
            return false;
    }
}

;// CONCATENATED MODULE: ./lib/spool/replay.js









/**
 * Records what is in a spool, in order, each once, however often this is done, interrupted, or done twice at the same
 * time. There is no lock, which could be left behind: two replays at once send the same `Idempotency-Key`, and each
 * sends a submission only after the one before is proven to be on record. A submission is marked only after that.
 *
 * @param tell is told of each as it is done
 */
async function replay(folder, connection, tell = () => { }) {
    const missing = new Missing();
    const waiting = await notDone(await readSpool(folder));
    const count = { recorded: 0, found: 0, left: 0 };
    for (const [index, kept] of waiting.entries()) {
        const opened = await openSubmission(kept);
        const { submission } = opened;
        const what = submission ? describe(submission) : kept.name;
        let done;
        try {
            done =
                opened.damage === undefined
                    ? await attempt(opened.submission, missing, connection)
                    : { result: "left", reason: `it is damaged: ${opened.damage}` };
        }
        catch (error) {
            // What keeps one from being sent keeps all from it: no service, no right, no answer that can be read.
            if (!(0,errors/* isEvidenceError */.sg)(error))
                throw error;
            return { ...count, left: count.left + waiting.length - index, stopped: error, missing };
        }
        if (done.result !== "left")
            done = { ...done, warnings: [...done.warnings, ...(await markDone(kept, done))] };
        if (submission && done.result === "left")
            missing.left(submission, kept.name);
        else if (submission)
            missing.recorded(submission);
        count[done.result]++;
        tell({ ...kept, what, ...done });
    }
    return { ...count, missing };
}
async function attempt(submission, missing, connection) {
    const { org, operation, prepared, id } = submission;
    if (org !== connection.org)
        return { result: "left", reason: `it belongs to the organization '${org}'` };
    const held = missing.heldBy(submission);
    if (held !== undefined)
        return { result: "left", reason: `it needs ${held}, which is not on record` };
    try {
        if (await isOnRecord(connection, submission))
            return { result: "found", warnings: [] };
        const { warnings } = await sendPrepared(connection, operation, prepared, { idempotencyKey: id });
        return { result: "recorded", warnings };
    }
    catch (error) {
        if (!isRefusal(error))
            throw error;
        return { result: "left", reason: [error.message, ...error.details].join("; ") };
    }
}
/** Whether only this submission is at fault. A key that is not accepted concerns all of them. */
function isRefusal(error) {
    if (error instanceof errors/* InputError */.dz)
        return true;
    return error instanceof errors/* ApiError */.hD && !error.unavailable && error.status !== 401 && error.status !== 403;
}
async function notDone(all) {
    const waiting = [];
    for (const kept of all)
        if (!(await isDone(kept)))
            waiting.push(kept);
    return waiting;
}
/** Marks a submission that is on record; gives what to warn of when that fails, since it is on record all the same. */
async function markDone({ path }, { result: how }) {
    const mark = { how, at: new Date().toISOString() };
    try {
        await putDurably((0,external_node_path_.join)(path, RECORDED_FILE), `${JSON.stringify(mark)}\n`);
        return [];
    }
    catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return [`it is on record, but cannot be marked as that (${why}): the next replay will ask for it again`];
    }
}
function describe(submission) {
    const { flow, trail, fingerprint = "", attestation } = subjectOf(submission);
    const subject = attestation === undefined ? `artifact ${fingerprint.slice(0, 12)}` : `'${attestation}'`;
    return `${submission.operation.name} ${subject} on ${trail === undefined ? flow : `${flow}/${trail}`}`;
}

;// CONCATENATED MODULE: ./lib/spool/spool.js






/**
 * Keeps a submission in a spool. It is written under another name, which no reader looks at, and given its own only
 * when all of it is on the disk.
 *
 * @returns the name of its folder
 * @throws {InputError} when a file to be attached changed or vanished meanwhile
 */
async function spool(folder, submission) {
    await (0,promises_.mkdir)(folder, { recursive: true, mode: 0o700 });
    const draft = await (0,promises_.mkdtemp)((0,external_node_path_.join)(folder, ".writing-"));
    try {
        const files = await keepFiles((0,external_node_path_.join)(draft, FILES_FOLDER), submission.prepared.files);
        const text = JSON.stringify(contentOf(submission, files), null, 2);
        await writeDurably((0,external_node_path_.join)(draft, SUBMISSION_FILE), [Buffer.from(text)]);
        await syncFolder(draft);
        const name = (0,spool_submission/* submissionName */.sg)(await (0,promises_.readdir)(folder), submission.submittedAt, submission.id.slice(0, 8));
        await moveDurably(draft, (0,external_node_path_.join)(folder, name));
        return name;
    }
    catch (error) {
        await (0,promises_.rm)(draft, { recursive: true, force: true });
        throw error;
    }
}
function contentOf({ prepared, ...submission }, files) {
    const { id, operation, org, host, submittedAt, runUrl } = submission;
    const params = Object.entries(prepared.params).map(([name, value]) => [name, String(value)]);
    return {
        format: FORMAT,
        id,
        operation: operation.name,
        org,
        host,
        submitted_at: submittedAt.toISOString(),
        run_url: runUrl ?? null,
        params: Object.fromEntries(params),
        body: prepared.json ?? "",
        files: [...files],
    };
}
async function keepFiles(folder, files) {
    if (files.length === 0)
        return [];
    await (0,promises_.mkdir)(folder);
    const kept = [];
    for (const [index, [part, file]] of files.entries()) {
        const written = await writeDurably((0,external_node_path_.join)(folder, String(index)), bytesOf(file));
        kept.push({ part, name: file.name, media_type: file.content.type, ...written });
    }
    await syncFolder(folder);
    return kept;
}
async function* bytesOf(file) {
    try {
        yield* file.content.stream();
    }
    catch (cause) {
        throw new errors/* InputError */.dz([{ input: file.path ?? file.name, problem: "changed or vanished while it was being kept for later" }], { advice: "Attach files only after the step that writes them has ended.", cause });
    }
}

;// CONCATENATED MODULE: ./lib/spool/outbox.js







/** Sends submissions, and keeps in a spool what the service is not there to take. */
class Outbox {
    #options;
    /** What waited from before, and what became of it: it is tried once. */
    #before;
    /** Why the service takes nothing any more. */
    #unavailable;
    constructor(options) {
        this.#options = options;
    }
    /**
     * Sends a submission, after those that wait from before. When the service is unavailable it is kept behind them,
     * and so is one that needs what waits.
     *
     * @throws what `call` throws for a request or an answer that no later attempt would change
     */
    async submit(operation, request) {
        const { connection, runUrl } = this.#options;
        const id = crypto.randomUUID();
        const submission = {
            id,
            operation,
            org: connection.org,
            host: new URL(connection.baseUrl).host,
            submittedAt: new Date(),
            runUrl,
            prepared: await prepare(connection, operation, marked(request, id)),
        };
        const { prepared } = submission;
        const waits = await this.#reasonToWait(submission);
        if (waits !== undefined)
            return this.#keep(submission, waits);
        try {
            return { reply: await sendPrepared(connection, operation, prepared, { idempotencyKey: id }) };
        }
        catch (error) {
            if (!(0,errors/* isUnavailable */.Pd)(error))
                throw error;
            this.#unavailable = messageOf(error);
            return this.#keep(submission, this.#unavailable);
        }
    }
    async #reasonToWait(submission) {
        const { folder, connection } = this.#options;
        if (this.#unavailable !== undefined)
            return this.#unavailable;
        this.#before ??= hasWaiting(folder).then((any) => (any ? replay(folder, connection) : undefined));
        const before = await this.#before;
        const needed = before?.missing.heldBy(submission);
        return before?.stopped?.message ?? (needed && `it needs ${needed}, which is not on record`);
    }
    async #keep(submission, reason) {
        try {
            return { kept: await spool(this.#options.folder, submission), reason };
        }
        catch (cause) {
            if (cause instanceof errors/* InputError */.dz)
                throw cause;
            const problem = `nothing was recorded (${reason}), and it cannot be kept for later either: ${messageOf(cause)}`;
            throw new errors/* InputError */.dz([{ input: "on-unavailable", problem }], { cause });
        }
    }
}
function messageOf(error) {
    return error instanceof Error ? error.message : String(error);
}
/** The request with the annotation by which its record is known again. */
function marked(request, id) {
    const body = (0,untyped/* asObject */.eB)(request["body"]);
    return { ...request, body: { ...body, annotations: { ...(0,untyped/* asObject */.eB)(body["annotations"]), [spool_submission/* MARK */.M$]: id } } };
}


/***/ })

};
