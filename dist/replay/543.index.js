export const id = 543;
export const ids = [543];
export const modules = {

/***/ 4445:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  jZ: () => (/* binding */ getArtifact),
  of: () => (/* binding */ getArtifactAuditPackage),
  Q4: () => (/* binding */ getArtifactsByCommit),
  rJ: () => (/* binding */ getLatestCommit),
  wn: () => (/* binding */ listArtifacts),
  is: () => (/* binding */ listFlowArtifacts)
});

// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js
var schemas = __webpack_require__(4343);
// EXTERNAL MODULE: ./lib/api/attestation-record.js
var attestation_record = __webpack_require__(6514);
// EXTERNAL MODULE: ./lib/api/trail-record.js
var trail_record = __webpack_require__(6516);
;// CONCATENATED MODULE: ./lib/api/artifact-record.js



/** What was attested about an artifact under one name. */
const artifactEvidence = schemas/* looseObject */._H3({
    evidence_type: schemas/* string */.YjP(),
    is_compliant: schemas/* nullable */.mee(schemas/* boolean */.zMY()),
    build_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    evidence_archive_fingerprint: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    user_data: schemas/* optional */.lqM(schemas/* unknown */.L5J()),
    /** Unix seconds as text. */
    created_at: schemas/* string */.YjP(),
    description: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    /** Whether evidence files are stored with it. */
    has_audit_package: schemas/* boolean */.zMY(),
    evidence_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    evidence_fingerprint: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    commit_sha: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    snyk_results: attestation_record/* snykResults */.U,
    ...attestation_record/* kindResults */.lz,
});
/** Providers come to be supported that are not known here. */
const repoRecord = schemas/* looseObject */._H3({
    name: schemas/* string */.YjP(),
    url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    id: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    description: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    provider: schemas/* nullish */.cl6(schemas/* string */.YjP()),
});
const artifactFields = {
    /** Of this report: an artifact that is reported again has another. */
    id: schemas/* string */.YjP(),
    trail_name: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    /** Its name in the flow template. */
    template_reference_name: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    fingerprint: schemas/* string */.YjP(),
    filename: schemas/* string */.YjP(),
    description: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    git_commit: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    git_commit_info: schemas/* nullish */.cl6(attestation_record/* commitRecord */.RG),
    repo_info: schemas/* nullish */.cl6(repoRecord),
    commit_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    build_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    repo_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    html_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    api_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    /** Unix seconds as text. */
    created_at: schemas/* string */.YjP(),
    last_modified_at: schemas/* string */.YjP(),
    user_data: schemas/* optional */.lqM(schemas/* unknown */.L5J()),
    external_urls: attestation_record/* linksByLabel */.Rl,
    annotations: schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())),
    state: schemas/* nullish */.cl6(trail_record/* complianceState */.Bt),
    deployments: schemas/* optional */.lqM(schemas/* array */.YOg(schemas/* unknown */.L5J())),
    releases: schemas/* optional */.lqM(schemas/* array */.YOg(schemas/* unknown */.L5J())),
    /** The latest attestation of each name. */
    evidence: schemas/* optional */.lqM(schemas/* record */.g1P(schemas/* string */.YjP(), artifactEvidence)),
};
const artifactListItem = schemas/* looseObject */._H3(artifactFields);
/** A snapshot of an environment, by its number. */
const runningInstance = schemas/* looseObject */._H3({ environment_name: schemas/* string */.YjP(), snapshot_index: schemas/* int */.Whr() });
const artifactRecord = schemas/* looseObject */._H3({
    ...artifactFields,
    flow_name: schemas/* string */.YjP(),
    /** The names of the attestations that the template asks for. */
    template: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* string */.YjP())),
    /** Why it is in its state. */
    state_info: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    approvals: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* unknown */.L5J())),
    /** Where it runs, by the latest snapshots. */
    running: schemas/* nullish */.cl6(schemas/* array */.YOg(runningInstance)),
    /** Where it ran, each with the last snapshot that had it. */
    exited: schemas/* nullish */.cl6(schemas/* array */.YOg(runningInstance)),
    history: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* looseObject */._H3({ event: schemas/* string */.YjP(), timestamp: schemas/* number */.aig() }))),
    commit_lead_times: schemas/* optional */.lqM(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())),
    build_lead_times: schemas/* optional */.lqM(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())),
});

// EXTERNAL MODULE: ./lib/api/names.js
var names = __webpack_require__(7780);
// EXTERNAL MODULE: ./lib/api/operation.js
var operation = __webpack_require__(2441);
// EXTERNAL MODULE: ./lib/api/paging.js
var paging = __webpack_require__(7098);
// EXTERNAL MODULE: ./lib/api/texts.js
var texts = __webpack_require__(6268);
;// CONCATENATED MODULE: ./lib/api/artifacts.js






const artifactPath = schemas/* object */.Ikc({ flow_name: names/* flowName */.Eo, fingerprint: names/* fingerprintPrefix */.h5 });
const getArtifact = (0,operation/* defineOperation */.h9)({
    name: "getArtifact",
    summary: "Get an artifact of a flow, as it was last reported",
    method: "GET",
    path: "/artifacts/{org}/{flow_name}/fingerprint/{fingerprint}",
    access: "read",
    params: artifactPath,
    query: schemas/* object */.Ikc({
        /** As it was last reported to this trail. */
        trail: schemas/* optional */.lqM(names/* reference */.ir),
        /** As it was last reported to the trail of this attestation. */
        attestation_id: schemas/* optional */.lqM(names/* recordId */.Re),
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
    params: schemas/* object */.Ikc({ flow_name: names/* flowName */.Eo, commit_sha: names/* commitShaPrefix */.Ym }),
    query: schemas/* object */.Ikc({ trail: schemas/* optional */.lqM(names/* reference */.ir) }),
    responses: { 200: schemas/* array */.YOg(artifactRecord) },
    errors: { 404: "No such flow or trail" },
});
const artifactPaging = { page: schemas/* _default */.Rvf(paging/* pageNumber */.PW, 1), per_page: schemas/* _default */.Rvf(paging/* itemsPerPage */.D7, 15) };
const listArtifacts = (0,operation/* defineOperation */.h9)({
    name: "listArtifacts",
    summary: "List the artifacts, newest first",
    method: "GET",
    path: "/artifacts/{org}",
    access: "read",
    query: schemas/* object */.Ikc({
        flow_name: schemas/* optional */.lqM(names/* flowName */.Eo),
        /** Empty means all, as if it were not given. */
        repo_name: schemas/* optional */.lqM(texts/* shortText */.os),
        ...artifactPaging,
    }),
    responses: { 200: schemas/* array */.YOg(artifactListItem) },
    errors: { 404: "No such flow or repository" },
});
/** Kept for older clients: `listArtifacts` with a `flow_name` answers the same. */
const listFlowArtifacts = (0,operation/* defineOperation */.h9)({
    name: "listFlowArtifacts",
    summary: "List the artifacts of a flow, newest first (deprecated: use listArtifacts)",
    method: "GET",
    path: "/artifacts/{org}/{flow_name}",
    access: "read",
    params: schemas/* object */.Ikc({ flow_name: names/* flowName */.Eo }),
    query: schemas/* object */.Ikc(artifactPaging),
    responses: { 200: schemas/* array */.YOg(artifactListItem) },
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
    query: schemas/* object */.Ikc({
        /** Among the artifacts built on this branch. */
        branch: schemas/* optional */.lqM(names/* reference */.ir),
    }),
    responses: { 200: schemas/* object */.Ikc({ latest_commit: schemas/* nullable */.mee(schemas/* string */.YjP()) }) },
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


/***/ }),

/***/ 5194:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   WW: () => (/* binding */ attestationFields),
/* harmony export */   X$: () => (/* binding */ trailParams),
/* harmony export */   ZL: () => (/* binding */ attestationAnswerHeaders),
/* harmony export */   tI: () => (/* binding */ attestOperation)
/* harmony export */ });
/* unused harmony exports COMPLIANT_HEADER, anySubmission */
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4343);
/* harmony import */ var _names_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7780);
/* harmony import */ var _operation_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2441);
/* harmony import */ var _submission_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9418);
/* harmony import */ var _template_match_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(6584);





/** What an attestation of any kind may say. */
const attestationFields = {
    attestation_name: _names_js__WEBPACK_IMPORTED_MODULE_0__/* .attestationName */ .kA,
    ..._submission_js__WEBPACK_IMPORTED_MODULE_2__/* .originFields */ .uL,
    origin_url: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .nullish */ .cl6(_names_js__WEBPACK_IMPORTED_MODULE_0__/* .webAddress */ .Dy),
    /** The artifact it is about; it must have been reported to the trail. */
    artifact_fingerprint: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .nullish */ .cl6(_names_js__WEBPACK_IMPORTED_MODULE_0__/* .fingerprint */ .Rj),
    /** Names of artifacts in the template that the attestation is for, before or after they are reported. */
    target_artifacts: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .array */ .YOg(_names_js__WEBPACK_IMPORTED_MODULE_0__/* .attestationName */ .kA)),
    annotations: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .nullish */ .cl6(_submission_js__WEBPACK_IMPORTED_MODULE_2__/* .annotations */ .hk),
};
/** The header of an answer that says how the attestation was judged. */
const COMPLIANT_HEADER = "X-Compliant";
const anySubmission = zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .object */ .Ikc(attestationFields);
const attestationAnswerHeaders = [_template_match_js__WEBPACK_IMPORTED_MODULE_4__/* .TEMPLATE_MATCH_HEADER */ .hr, COMPLIANT_HEADER];
const trailParams = zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .object */ .Ikc({ flow_name: _names_js__WEBPACK_IMPORTED_MODULE_0__/* .reference */ .ir, trail_name: _names_js__WEBPACK_IMPORTED_MODULE_0__/* .reference */ .ir });
/** Declares the operation that records attestations of one kind. */
function attestOperation({ name, kind, summary, schema, }) {
    return (0,_operation_js__WEBPACK_IMPORTED_MODULE_1__/* .defineOperation */ .h9)({
        name,
        summary,
        method: "POST",
        path: `/attestations/{org}/{flow_name}/trail/{trail_name}/${kind}`,
        access: "write",
        params: trailParams,
        body: { kind: "multipart", part: "data_json", schema, files: { attachment_file: { count: "many" } } },
        responses: { 201: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .string */ .YjP() },
        answerHeaders: attestationAnswerHeaders,
        errors: { 404: "The artifact is not known in that trail", 413: "An attachment is over 10 MB" },
        takesIdempotencyKey: true,
    });
}


/***/ }),

/***/ 6514:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   RG: () => (/* binding */ commitRecord),
/* harmony export */   Rl: () => (/* binding */ linksByLabel),
/* harmony export */   U: () => (/* binding */ snykResults),
/* harmony export */   k9: () => (/* binding */ attestationRecord),
/* harmony export */   lz: () => (/* binding */ kindResults)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4343);
/* harmony import */ var _provenance_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3981);


/*
 * What is read of attestations. Services of other ages leave fields out or add some, and one odd record must not make
 * a whole list unreadable: so what was checked when it was sent is not checked again here, only named.
 */
const text = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP());
const number = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig());
/** Links by label, as records show them: older services may give plain addresses. */
const linksByLabel = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .record */ .g1P(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(), zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .union */ .KCZ([zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .looseObject */ ._H3({ href: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(), fingerprint: text }), zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()])));
const link = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .looseObject */ ._H3({ href: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP() }));
/** A commit as records show it. */
const commitRecord = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .looseObject */ ._H3({ ..._provenance_js__WEBPACK_IMPORTED_MODULE_0__/* .gitCommitInfo */ .Or.def.shape, sha1: text });
const testResult = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .looseObject */ ._H3({
    name: text,
    failures: number,
    errors: number,
    skipped: number,
    total: number,
    /** Seconds. */
    duration: number,
    /** Unix seconds. */
    timestamp: number,
});
const vulnerabilities = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .looseObject */ ._H3({
    id: text,
    message: text,
    locations: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .looseObject */ ._H3({ uri: text, lines: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .unknown */ .L5J()) }))),
    priority_score: number,
})));
const scanResults = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .looseObject */ ._H3({
    schema_version: number,
    tool: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .looseObject */ ._H3({ name: text, version: text })),
    results: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .looseObject */ ._H3({
        low_count: number,
        medium_count: number,
        high_count: number,
        low: vulnerabilities,
        medium: vulnerabilities,
        high: vulnerabilities,
    }))),
});
const pullRequest = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .looseObject */ ._H3({
    url: text,
    /** In the words of the provider: `MERGED`, `OPEN`, `CLOSED` … */
    state: text,
    author: text,
    title: text,
    /** Unix seconds. */
    created_at: number,
    merged_at: number,
    head_ref: text,
    base_ref: text,
    merge_commit: text,
    /** Names alone where an older client sent them. */
    approvers: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .union */ .KCZ([zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(), zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .looseObject */ ._H3({ username: text, state: text, timestamp: number })]))),
    commits: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(commitRecord)),
});
const issue = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .looseObject */ ._H3({
    issue_id: text,
    issue_url: text,
    issue_exists: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .boolean */ .zMY()),
    issue_fields: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .record */ .g1P(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(), zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .unknown */ .L5J())),
});
/** What some kinds say beyond the others, where artifacts show it as well. */
const kindResults = {
    junit_results: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(testResult)),
    git_provider: text,
    pull_requests: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(pullRequest)),
    jira_results: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(issue)),
};
const snykResults = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(scanResults);
/** An attestation as it was recorded. Which fields it has beyond those of all goes by its type. */
const attestationRecord = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .looseObject */ ._H3({
    attestation_id: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    attestation_name: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    /** A built-in kind, `custom:<name>` or `system:<name>`. */
    attestation_type: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    is_compliant: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .boolean */ .zMY()),
    /** Unix seconds, fractional. */
    created_at: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig(),
    description: text,
    /** Whether evidence files are stored with it. */
    has_audit_package: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .boolean */ .zMY()),
    html_url: text,
    origin_url: text,
    reported_by: text,
    schema_version: number,
    user_data: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .unknown */ .L5J()),
    flow_name: text,
    trail_name: text,
    /** The artifact it is about. */
    artifact_fingerprint: text,
    /** Names of artifacts in the template that it is for. */
    target_artifacts: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP())),
    git_commit_info: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(commitRecord),
    external_urls: linksByLabel,
    annotations: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .record */ .g1P(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(), zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .unknown */ .L5J())),
    /** Where the service keeps the evidence file; its own business. */
    evidence_archive_path: text,
    /** The sha256 of the one evidence file. */
    evidence_archive_fingerprint: text,
    _links: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .looseObject */ ._H3({ self: link, evidence: link })),
    ...kindResults,
    /** Of `snyk`. */
    processed_snyk_results: snykResults,
    /** Of `sonar`, in the scanner's names. */
    sonar_results: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .record */ .g1P(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(), zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .unknown */ .L5J())),
    /** Of custom and system types: their name, and the version that judged the data. */
    type_name: text,
    type_version: number,
    attestation_data: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .unknown */ .L5J()),
    /** Why no verdict could be reached, so that it is not compliant. */
    evaluation_error: text,
    /** Of a decision: the identifier of the control. */
    control: text,
    /** Of an override: the attestation whose verdict it replaces, and why. */
    overridden_attestation_id: text,
    original_attestation_type: text,
    new_compliance_status: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .boolean */ .zMY()),
    reason: text,
});


/***/ }),

/***/ 409:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   An: () => (/* binding */ downloadEvidence),
/* harmony export */   I1: () => (/* binding */ listTrailAttestations),
/* harmony export */   NZ: () => (/* binding */ listFlowAttestations),
/* harmony export */   Pc: () => (/* binding */ listSystemAttestationTypes),
/* harmony export */   "do": () => (/* binding */ getArtifactAttestation),
/* harmony export */   el: () => (/* binding */ listAttestations),
/* harmony export */   gt: () => (/* binding */ listAttestationsForCriteria)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(4343);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(3759);
/* harmony import */ var _attestation_fields_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5194);
/* harmony import */ var _attestation_record_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6514);
/* harmony import */ var _names_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7780);
/* harmony import */ var _operation_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(2441);
/* harmony import */ var _texts_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(6268);






const getArtifactAttestation = (0,_operation_js__WEBPACK_IMPORTED_MODULE_3__/* .defineOperation */ .h9)({
    name: "getArtifactAttestation",
    summary: "Get the attestations of one name on an artifact, newest first",
    method: "GET",
    path: "/attestations/{org}/{flow_name}/artifact/{fingerprint}/{attestation_name}",
    access: "read",
    params: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .object */ .Ikc({ flow_name: _names_js__WEBPACK_IMPORTED_MODULE_2__/* .reference */ .ir, fingerprint: _names_js__WEBPACK_IMPORTED_MODULE_2__/* .fingerprintPrefix */ .h5, attestation_name: _names_js__WEBPACK_IMPORTED_MODULE_2__/* .reference */ .ir }),
    responses: { 200: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .array */ .YOg(_attestation_record_js__WEBPACK_IMPORTED_MODULE_1__/* .attestationRecord */ .k9) },
    errors: { 404: "No such flow or artifact" },
});
const listTrailAttestations = (0,_operation_js__WEBPACK_IMPORTED_MODULE_3__/* .defineOperation */ .h9)({
    name: "listTrailAttestations",
    summary: "Get the attestations of one name on a trail, newest first",
    method: "GET",
    path: "/attestations/{org}/{flow_name}/trail/{trail_name}/{attestation_name}",
    access: "read",
    params: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .object */ .Ikc({ ..._attestation_fields_js__WEBPACK_IMPORTED_MODULE_0__/* .trailParams */ .X$.def.shape, attestation_name: _names_js__WEBPACK_IMPORTED_MODULE_2__/* .reference */ .ir }),
    responses: { 200: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .array */ .YOg(_attestation_record_js__WEBPACK_IMPORTED_MODULE_1__/* .attestationRecord */ .k9) },
    errors: { 404: "No such flow or trail" },
});
const pagination = zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .looseObject */ ._H3({ total: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .int */ .Whr(), page: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .int */ .Whr(), per_page: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .int */ .Whr(), page_count: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .int */ .Whr() }));
const perPage = zod_mini__WEBPACK_IMPORTED_MODULE_5__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .int */ .Whr().check(zod_mini__WEBPACK_IMPORTED_MODULE_6__/* ._gte */ .qm(1), zod_mini__WEBPACK_IMPORTED_MODULE_6__/* ._lte */ .Zm(100)), 20);
const period = {
    /** Unix seconds; recorded then or later. */
    from_timestamp: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .int */ .Whr()),
    /** Unix seconds; recorded before then. */
    to_timestamp: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .int */ .Whr()),
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
const listAttestations = (0,_operation_js__WEBPACK_IMPORTED_MODULE_3__/* .defineOperation */ .h9)({
    name: "listAttestations",
    summary: "List the attestations of an organization, newest first",
    method: "GET",
    path: "/attestations/{org}",
    access: "read",
    query: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .object */ .Ikc({
        attestation_id: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .optional */ .lqM(_texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os),
        name: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .optional */ .lqM(_names_js__WEBPACK_IMPORTED_MODULE_2__/* .attestationName */ .kA),
        name_regex: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .optional */ .lqM(_texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os.check(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .meta */ .mIj({
            description: "Found anywhere in the name; the syntax of RE2, up to 1,000 characters and 2,000 states. Not together with `name`.",
        }))),
        flow: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .array */ .YOg(_texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os)),
        type: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .array */ .YOg(_names_js__WEBPACK_IMPORTED_MODULE_2__/* .attestationType */ .ZW)),
        is_compliant: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .boolean */ .zMY()),
        ...period,
        /** Where the page before ended: `_links.next.after` of its answer. */
        after: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .optional */ .lqM(_texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os),
        per_page: perPage,
    }),
    responses: {
        200: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .looseObject */ ._H3({
            data: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .array */ .YOg(_attestation_record_js__WEBPACK_IMPORTED_MODULE_1__/* .attestationRecord */ .k9),
            _links: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .looseObject */ ._H3({
                /** Absent on the last page. */
                next: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .looseObject */ ._H3({ href: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .string */ .YjP()), after: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .string */ .YjP()) })),
            })),
            pagination,
        }),
    },
});
const listFlowAttestations = (0,_operation_js__WEBPACK_IMPORTED_MODULE_3__/* .defineOperation */ .h9)({
    name: "listFlowAttestations",
    summary: "List the attestations of a flow, newest first",
    method: "GET",
    path: "/attestations/{org}/{flow_name}",
    access: "read",
    params: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .object */ .Ikc({ flow_name: _names_js__WEBPACK_IMPORTED_MODULE_2__/* .reference */ .ir }),
    query: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .object */ .Ikc({ page: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .int */ .Whr().check(zod_mini__WEBPACK_IMPORTED_MODULE_6__/* ._gte */ .qm(1)), 1), per_page: perPage, ...period }),
    responses: { 200: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .looseObject */ ._H3({ data: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .array */ .YOg(_attestation_record_js__WEBPACK_IMPORTED_MODULE_1__/* .attestationRecord */ .k9), pagination }) },
    errors: { 404: "No such flow" },
});
const listAttestationsForCriteria = (0,_operation_js__WEBPACK_IMPORTED_MODULE_3__/* .defineOperation */ .h9)({
    name: "listAttestationsForCriteria",
    summary: "List the attestations that were made for commits, by commit",
    method: "GET",
    path: "/attestations/{org}/list_attestations_for_criteria",
    access: "read",
    query: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .object */ .Ikc({
        commit_list: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .array */ .YOg(_names_js__WEBPACK_IMPORTED_MODULE_2__/* .commitSha */ .mJ)),
        attestation_type: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .optional */ .lqM(_texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os),
        attestation_name: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .optional */ .lqM(_texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os),
        flow_name: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .optional */ .lqM(_texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os),
        /** Has no effect. */
        attestation_id: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .optional */ .lqM(_texts_js__WEBPACK_IMPORTED_MODULE_4__/* .shortText */ .os),
    }),
    responses: { 200: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .record */ .g1P(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .string */ .YjP(), zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .array */ .YOg(_attestation_record_js__WEBPACK_IMPORTED_MODULE_1__/* .attestationRecord */ .k9)) },
    errors: { 422: "The attestation type is not one there is" },
});
const listSystemAttestationTypes = (0,_operation_js__WEBPACK_IMPORTED_MODULE_3__/* .defineOperation */ .h9)({
    name: "listSystemAttestationTypes",
    summary: "List the attestation types that the service defines",
    method: "GET",
    path: "/attestations/system-attestation-types",
    access: "read",
    responses: {
        200: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .looseObject */ ._H3({
            name: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .string */ .YjP(),
            description: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .string */ .YjP()),
            versions: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .looseObject */ ._H3({ version: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .int */ .Whr(), type_schema: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .record */ .g1P(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .string */ .YjP(), zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .unknown */ .L5J()) })),
        })),
    },
});
const downloadEvidence = (0,_operation_js__WEBPACK_IMPORTED_MODULE_3__/* .defineOperation */ .h9)({
    name: "downloadEvidence",
    summary: "Download the evidence of an attestation: its file, or a gzip tar of its files",
    method: "GET",
    path: "/attestations/{org}/{flow_name}/trail/{trail_name}/attestation/{attestation_id}/evidence",
    access: "read",
    params: zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .object */ .Ikc({ ..._attestation_fields_js__WEBPACK_IMPORTED_MODULE_0__/* .trailParams */ .X$.def.shape, attestation_id: _names_js__WEBPACK_IMPORTED_MODULE_2__/* .reference */ .ir }),
    responses: { 200: _operation_js__WEBPACK_IMPORTED_MODULE_3__/* .fileAnswer */ .HL },
    errors: {
        404: "No such attestation, or it has no evidence",
        500: "The service failed, or the evidence was changed or is missing where the service keeps it",
    },
});


/***/ }),

/***/ 7780:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Cs: () => (/* binding */ artifactName),
/* harmony export */   Dy: () => (/* binding */ webAddress),
/* harmony export */   E4: () => (/* binding */ tagKey),
/* harmony export */   Eo: () => (/* binding */ flowName),
/* harmony export */   Fm: () => (/* binding */ customTypeName),
/* harmony export */   Oj: () => (/* binding */ newFlowName),
/* harmony export */   Re: () => (/* binding */ recordId),
/* harmony export */   Rj: () => (/* binding */ fingerprint),
/* harmony export */   VE: () => (/* binding */ environmentName),
/* harmony export */   Ym: () => (/* binding */ commitShaPrefix),
/* harmony export */   ZW: () => (/* binding */ attestationType),
/* harmony export */   aM: () => (/* binding */ actionName),
/* harmony export */   ct: () => (/* binding */ policyName),
/* harmony export */   gZ: () => (/* binding */ trailName),
/* harmony export */   h5: () => (/* binding */ fingerprintPrefix),
/* harmony export */   ir: () => (/* binding */ reference),
/* harmony export */   kA: () => (/* binding */ attestationName),
/* harmony export */   mJ: () => (/* binding */ commitSha),
/* harmony export */   rv: () => (/* binding */ newEnvironmentName),
/* harmony export */   uY: () => (/* binding */ serviceAccountName),
/* harmony export */   xQ: () => (/* binding */ shaPrefix),
/* harmony export */   xi: () => (/* binding */ controlIdentifier)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4343);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3759);
/* harmony import */ var _texts_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6268);


/** The name patterns of the interface, and the identifiers it uses. */
/** The longest a name may be, in characters: so that it fits into an address several times. */
const MAX_NAME = 255;
const named = (pattern) => zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._regex */ .Fk(pattern), zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._maxLength */ .Eb(MAX_NAME));
const flowName = named(/^[a-zA-Z0-9][a-zA-Z0-9.\-_~]*$/);
const trailName = named(/^[a-zA-Z0-9][a-zA-Z0-9\-_.~]*$/);
const environmentName = named(/^[a-zA-Z0-9][a-zA-Z0-9.\-_~]*$/);
/*
 * What a new name is refused with shows its pattern as it stands here, and clients look for the backslashes. A new
 * name of an environment has no tilde, which older names may have.
 */
// biome-ignore lint/complexity/noUselessEscapeInRegex: shown to users as it is written
const newFlowName = named(/^[a-zA-Z0-9][a-zA-Z0-9\.\-_~]*$/);
const newEnvironmentName = named(
// biome-ignore lint/complexity/noUselessEscapeInRegex: shown to users as it is written
/^[a-zA-Z0-9][a-zA-Z0-9\.\-_]*$/);
/** The name of an artifact in a flow template. */
const artifactName = named(/^[a-zA-Z0-9\-_]+$/);
const attestationName = named(/^[a-zA-Z0-9\-_,]+$/);
const actionName = named(/^[a-zA-Z0-9][a-zA-Z0-9\-_.~/]*$/);
const policyName = named(/^[a-zA-Z0-9][a-zA-Z0-9\-_.~]*$/);
const controlIdentifier = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()
    .check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._regex */ .Fk(/^[a-zA-Z0-9\-._~]+$/))
    .check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._minLength */ .m9(1), zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._maxLength */ .Eb(256));
const customTypeName = named(/^[a-zA-Z0-9][a-zA-Z0-9\-_~]*$/);
/** What an attestation is: a built-in kind, or a custom or system type by its name. */
const attestationType = named(/^(generic|junit|snyk|pull_request|jira|sonar|decision|custom:.+|system:.+)$/);
const serviceAccountName = named(/^[a-zA-Z0-9-]+$/).check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._maxLength */ .Eb(64));
/** A sha256 in lower-case hex. */
const fingerprint = named(/^[a-f0-9]{64}$/);
/** A fingerprint, or enough of its start to tell it from the others. */
const fingerprintPrefix = named(/^[a-f0-9]{5,64}$/);
const commitSha = named(/^[a-f0-9]{40}$/);
/** A commit, or enough of its start to tell it from the others. */
const commitShaPrefix = named(/^[a-f0-9]{5,40}$/);
/** A fingerprint or a commit, or enough of its start, in any letter case. */
const shaPrefix = named(/^[a-fA-F0-9]{5,64}$/);
/** The form of the ids that the service gives to its records. */
const recordId = named(/^[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{8}$/);
const tagKey = named(/^[a-zA-Z0-9][a-zA-Z0-9\-_.~]*$/);
/** A path parameter that names something: the service says whether it exists. */
const reference = _texts_js__WEBPACK_IMPORTED_MODULE_0__/* .shortText */ .os.check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._minLength */ .m9(1));
/** Only web addresses: they are shown as links, where `javascript:` would run. */
const webAddress = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .url */ .OZ5({ protocol: /^https?$/ }).check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._maxLength */ .Eb(_texts_js__WEBPACK_IMPORTED_MODULE_0__/* .MAX_ADDRESS */ .wm));


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

/***/ 3981:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Lt: () => (/* binding */ repoInfo),
/* harmony export */   Or: () => (/* binding */ gitCommitInfo),
/* harmony export */   g5: () => (/* binding */ repoProvider)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4343);
/* harmony import */ var _names_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7780);
/* harmony import */ var _texts_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6268);



/** The commit that a submission speaks of. What is not known is absent. */
const gitCommitInfo = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .looseObject */ ._H3({
    sha1: _names_js__WEBPACK_IMPORTED_MODULE_0__/* .reference */ .ir,
    message: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(_texts_js__WEBPACK_IMPORTED_MODULE_1__/* .longText */ .SW),
    /** `Name <email>` */
    author: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(_texts_js__WEBPACK_IMPORTED_MODULE_1__/* .shortText */ .os),
    author_username: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(_texts_js__WEBPACK_IMPORTED_MODULE_1__/* .shortText */ .os),
    /** The head branch, never a pull request's merge ref. */
    branch: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(_texts_js__WEBPACK_IMPORTED_MODULE_1__/* .shortText */ .os),
    /** Unix seconds. */
    timestamp: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .number */ .aig()),
    url: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(_texts_js__WEBPACK_IMPORTED_MODULE_1__/* .addressText */ .GI),
    parents: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .array */ .YOg(_texts_js__WEBPACK_IMPORTED_MODULE_1__/* .shortText */ .os)),
    /** Whether the forge has verified the signature. */
    verified: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .boolean */ .zMY()),
    /** GitHub's enum names: `VALID`, `UNSIGNED`, `UNKNOWN_KEY` … */
    signature_state: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(_texts_js__WEBPACK_IMPORTED_MODULE_1__/* .shortText */ .os),
});
const repoProvider = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ["enum"] */ .k5n(["github", "gitlab", "bitbucket", "azure-devops", "circleci"]);
/** The repository that a submission speaks of; it creates or updates the captured repository. */
const repoInfo = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .looseObject */ ._H3({
    name: _names_js__WEBPACK_IMPORTED_MODULE_0__/* .reference */ .ir,
    url: _names_js__WEBPACK_IMPORTED_MODULE_0__/* .webAddress */ .Dy,
    /** The forge's own id: it outlives a rename. */
    id: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(_texts_js__WEBPACK_IMPORTED_MODULE_1__/* .shortText */ .os),
    description: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(_texts_js__WEBPACK_IMPORTED_MODULE_1__/* .longText */ .SW),
    provider: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(repoProvider),
});


/***/ }),

/***/ 9418:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   hk: () => (/* binding */ annotations),
/* harmony export */   sw: () => (/* binding */ userData),
/* harmony export */   uL: () => (/* binding */ originFields),
/* harmony export */   z: () => (/* binding */ externalUrl)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4343);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(3759);
/* harmony import */ var _names_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7780);
/* harmony import */ var _provenance_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3981);
/* harmony import */ var _texts_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6268);




/** An address with, where it is known, the sha256 of what it holds. */
const externalUrl = zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .strictObject */ .rej({ href: _names_js__WEBPACK_IMPORTED_MODULE_0__/* .webAddress */ .Dy, fingerprint: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .nullish */ .cl6(_names_js__WEBPACK_IMPORTED_MODULE_0__/* .fingerprint */ .Rj) });
/** Links by label. A plain address is accepted in place of an object. */
const externalUrls = zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .record */ .g1P(_texts_js__WEBPACK_IMPORTED_MODULE_2__/* .shortText */ .os.check(zod_mini__WEBPACK_IMPORTED_MODULE_4__/* ._regex */ .Fk(/^[^=.]+$/)), zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .union */ .KCZ([externalUrl, _names_js__WEBPACK_IMPORTED_MODULE_0__/* .webAddress */ .Dy]));
const annotations = zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .record */ .g1P(_texts_js__WEBPACK_IMPORTED_MODULE_2__/* .shortText */ .os.check(zod_mini__WEBPACK_IMPORTED_MODULE_4__/* ._regex */ .Fk(/^[A-Za-z0-9_-]+$/)), _texts_js__WEBPACK_IMPORTED_MODULE_2__/* .longText */ .SW);
/** The author's own data, stored as it is. */
const userData = zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .union */ .KCZ([zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .record */ .g1P(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .string */ .YjP(), zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .unknown */ .L5J()), zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .unknown */ .L5J())]);
/** What trails, artifacts and attestations have in common: where they come from and what they point at. */
const originFields = {
    description: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .nullish */ .cl6(_texts_js__WEBPACK_IMPORTED_MODULE_2__/* .longText */ .SW),
    git_commit_info: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .nullish */ .cl6(_provenance_js__WEBPACK_IMPORTED_MODULE_1__/* .gitCommitInfo */ .Or),
    repo_info: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .nullish */ .cl6(_provenance_js__WEBPACK_IMPORTED_MODULE_1__/* .repoInfo */ .Lt),
    external_urls: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .nullish */ .cl6(externalUrls),
    user_data: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .nullish */ .cl6(userData),
};


/***/ }),

/***/ 6584:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   hr: () => (/* binding */ TEMPLATE_MATCH_HEADER)
/* harmony export */ });
/* unused harmony exports formatTemplateMatch, readTemplateMatch, nameOfSlot */
/** The header of an answer that says it. */
const TEMPLATE_MATCH_HEADER = "X-Template-Match";
/** Parsers of HTTP take some kilobytes of headers in all. Names are short, but what a template says of types need not be. */
const MAX_HEADER = 2_000;
/** The header's text. It is ASCII whatever the names are. */
function formatTemplateMatch(match) {
    const { result } = match;
    const nearest = match.result === "unmet" ? Object.entries(match.nearest ?? {}) : [];
    const fields = nearest.filter(([, value]) => value !== undefined);
    const text = new URLSearchParams([["result", result], ...fields]).toString();
    return text.length <= MAX_HEADER ? text : `result=${result}`;
}
/** What the header says; undefined when the service does not send it. */
function readTemplateMatch(header) {
    if (typeof header !== "string")
        return undefined;
    const fields = new URLSearchParams(header);
    const result = fields.get("result");
    if (result === "met" || result === "nothing-asked")
        return { result };
    if (result !== "unmet")
        return undefined;
    const nearest = slotOf(fields);
    return { result, ...(nearest && { nearest }) };
}
function slotOf(fields) {
    const artifact = fields.get("artifact") ?? undefined;
    const attestation = fields.get("attestation");
    const type = fields.get("type");
    if (attestation !== null && type !== null)
        return { artifact, attestation, type };
    return attestation === null && artifact !== undefined ? { artifact } : undefined;
}
/** A slot as users name it: `unit-test`, `app.unit-test`, or `app` for an artifact. */
function nameOfSlot(slot) {
    if (!("attestation" in slot))
        return slot.artifact;
    return slot.artifact === undefined ? slot.attestation : `${slot.artifact}.${slot.attestation}`;
}


/***/ }),

/***/ 6268:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   GI: () => (/* binding */ addressText),
/* harmony export */   SW: () => (/* binding */ longText),
/* harmony export */   os: () => (/* binding */ shortText),
/* harmony export */   wm: () => (/* binding */ MAX_ADDRESS)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4343);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3759);

/*
 * The limits of texts that are free in every other way, in characters. They are far above what people write: longer
 * texts belong into an attachment.
 */
const MAX_SHORT = 4 * 1024;
const MAX_ADDRESS = 8 * 1024;
const MAX_LONG = 64 * 1024;
/** A name that somebody else gave, a word, a line. */
const shortText = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* ._maxLength */ .Eb(MAX_SHORT));
/** A description, a message, a reason. */
const longText = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* ._maxLength */ .Eb(MAX_LONG));
/** An address of any kind: it is shown as text, not as a link. */
const addressText = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* ._maxLength */ .Eb(MAX_ADDRESS));


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

/***/ 953:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Bl: () => (/* binding */ submissionFile),
/* harmony export */   Ku: () => (/* binding */ SUBMISSION_FILE),
/* harmony export */   rv: () => (/* binding */ FILES_FOLDER),
/* harmony export */   yK: () => (/* binding */ RECORDED_FILE)
/* harmony export */ });
/* unused harmony export FORMAT */
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4343);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3759);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3102);

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
const sha256 = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* ._regex */ .Fk(/^[0-9a-f]{64}$/));
/** What `submission.json` holds. */
const submissionFile = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .strictObject */ .rej({
    format: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .literal */ .euz(FORMAT),
    id: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* ._regex */ .Fk(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
    operation: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    org: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* ._minLength */ .m9(1)),
    host: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    submitted_at: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .datetime */ .w$(),
    run_url: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP()),
    params: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .record */ .g1P(zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP()),
    /** JSON as it is sent, as text: a parser in between could round its numbers. */
    body: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    files: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .strictObject */ .rej({
        part: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
        name: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
        media_type: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
        size: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .int */ .Whr().check(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* ._gte */ .qm(0)),
        sha256,
    })),
});


/***/ }),

/***/ 1543:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  iN: () => (/* binding */ MAX_KEPT_BYTES),
  $L: () => (/* binding */ isDone),
  Jg: () => (/* binding */ openSubmission),
  readSpool: () => (/* binding */ readSpool)
});

// UNUSED EXPORTS: hasWaiting

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
var schemas = __webpack_require__(4343);
// EXTERNAL MODULE: ./lib/api/names.js
var names = __webpack_require__(7780);
// EXTERNAL MODULE: ./lib/api/texts.js
var texts = __webpack_require__(6268);
;// CONCATENATED MODULE: ./lib/api/allowlists.js




const allowance = schemas/* strictObject */.rej({
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
    params: schemas/* object */.Ikc({ env_name: names/* reference */.ir }),
    body: { kind: "json", schema: allowance },
    responses: { 201: schemas/* union */.KCZ([schemas/* looseObject */._H3(allowance.shape), schemas/* string */.YjP()]) },
    errors: { 404: "No such environment" },
});
const listAllowlists = (0,operation/* defineOperation */.h9)({
    name: "listAllowlists",
    summary: "List the artifacts that are allowed in environments, newest first",
    method: "GET",
    path: "/allowlists/{org}",
    access: "read",
    responses: {
        200: schemas/* array */.YOg(schemas/* looseObject */._H3({
            artifact_name: schemas/* string */.YjP(),
            fingerprint: schemas/* string */.YjP(),
            environment_name: schemas/* string */.YjP(),
            /** Unix seconds. */
            timestamp: schemas/* number */.aig(),
            user_name: schemas/* string */.YjP(),
            description: schemas/* string */.YjP(),
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
const expiry = schemas/* nullish */.cl6(schemas/* int */.Whr().check(api/* _gte */.qm(0), api/* _lte */.Zm(MAX_EXPIRY)));
const apiKey = schemas/* looseObject */._H3({
    id: schemas/* string */.YjP(),
    description: schemas/* string */.YjP(),
    /** Unix seconds, like all times here. */
    created_at: schemas/* number */.aig(),
    /** 0 is never. */
    expires_at: schemas/* number */.aig(),
    /** To the minute or so. Null when it was not used yet. */
    last_used_at: schemas/* nullish */.cl6(schemas/* number */.aig()),
});
const createdKey = schemas/* looseObject */._H3({
    id: schemas/* string */.YjP(),
    /** The key itself. It is answered this once. */
    key: schemas/* string */.YjP(),
    description: schemas/* string */.YjP(),
    created_at: schemas/* number */.aig(),
    expires_at: schemas/* number */.aig(),
});
const accountParam = { name: names/* reference */.ir };
const keyParams = schemas/* object */.Ikc({ ...accountParam, key_id: names/* reference */.ir });
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
    params: schemas/* object */.Ikc(accountParam),
    body: {
        kind: "json",
        schema: schemas/* object */.Ikc({
            description: schemas/* string */.YjP().check(api/* _minLength */.m9(1), api/* _maxLength */.Eb(256)),
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
    params: schemas/* object */.Ikc(accountParam),
    responses: { 200: schemas/* array */.YOg(apiKey) },
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
        schema: schemas/* object */.Ikc({
            grace_period_hours: schemas/* _default */.Rvf(schemas/* int */.Whr().check(api/* _gte */.qm(1), api/* _lte */.Zm(MAX_GRACE_HOURS)), DEFAULT_GRACE_HOURS),
            /** Of the new key. */
            expires_at: expiry,
        }),
    },
    responses: {
        /** The end of the grace period is when the old key stops working. */
        201: schemas/* looseObject */._H3({ ...createdKey.shape, grace_period_expires_at: schemas/* number */.aig() }),
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
    responses: { 200: schemas/* string */.YjP() },
    errors: { 404: "No such service account or API key, or it was revoked before" },
});

// EXTERNAL MODULE: ./lib/api/paging.js
var paging = __webpack_require__(7098);
// EXTERNAL MODULE: ./lib/api/submission.js
var submission = __webpack_require__(9418);
;// CONCATENATED MODULE: ./lib/api/approvals.js






const reviewFields = {
    state: schemas/* enum */.k5n(["APPROVED", "UNAPPROVED"]),
    comment: texts/* longText */.SW,
    approved_by: texts/* shortText */.os,
    approval_url: texts/* addressText */.GI,
};
const approvalSubmission = schemas/* strictObject */.rej({
    artifact_fingerprint: names/* fingerprint */.Rj,
    description: texts/* longText */.SW,
    /** Where the artifact may go; anywhere unless given. */
    environment: schemas/* nullish */.cl6(texts/* shortText */.os),
    /** The commits that are approved. */
    src_commit_list: schemas/* array */.YOg(names/* commitSha */.mJ),
    /** The commit that the approved ones come after, such as that of the artifact that runs now. */
    oldest_commit: schemas/* nullish */.cl6(names/* commitSha */.mJ),
    /** None makes it a request for approval. The last one decides. */
    approvals: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* object */.Ikc(reviewFields))),
    user_data: schemas/* nullish */.cl6(submission/* userData */.sw),
});
const approvalFields = {
    /** Counts from 1 in each flow, without gaps. */
    release_number: schemas/* int */.Whr(),
    /** The fingerprint of the artifact that the commits start from; empty when none is known. */
    base_artifact: schemas/* string */.YjP(),
    artifact_name: schemas/* string */.YjP(),
    /** The fingerprint of what is approved. */
    target_artifact: schemas/* string */.YjP(),
    environment: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    description: schemas/* string */.YjP(),
    /** Unix seconds. */
    created_at: schemas/* number */.aig(),
    last_modified_at: schemas/* number */.aig(),
    /** `PENDING` until somebody reviewed it, then what the last review said. */
    state: schemas/* enum */.k5n(["APPROVED", "UNAPPROVED", "PENDING"]),
    approvals: schemas/* array */.YOg(schemas/* looseObject */._H3({ ...reviewFields, timestamp: schemas/* number */.aig() })),
    user_data: schemas/* nullish */.cl6(schemas/* unknown */.L5J()),
};
const approvalOfCommits = schemas/* looseObject */._H3({ ...approvalFields, src_commit_list: schemas/* array */.YOg(schemas/* string */.YjP()) });
const approvalWithArtifacts = schemas/* looseObject */._H3({
    ...approvalFields,
    src_commit_list: schemas/* array */.YOg(schemas/* looseObject */._H3({
        commit_sha: schemas/* string */.YjP(),
        /** The artifacts of the flow that were built from it. */
        artifact_fingerprints: schemas/* array */.YOg(schemas/* string */.YjP()),
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
    params: schemas/* object */.Ikc(flowParam),
    body: { kind: "json", schema: approvalSubmission },
    /** Some services answer with what they were sent. */
    responses: { 201: schemas/* union */.KCZ([schemas/* string */.YjP(), schemas/* looseObject */._H3({})]) },
    errors: { 404: "No such flow, artifact or environment" },
    takesIdempotencyKey: true,
});
const listApprovals = (0,operation/* defineOperation */.h9)({
    name: "listApprovals",
    summary: "List the approvals of a flow, newest first",
    method: "GET",
    path: "/approvals/{org}/{flow_name}",
    access: "read",
    params: schemas/* object */.Ikc(flowParam),
    query: schemas/* object */.Ikc({
        page: schemas/* _default */.Rvf(paging/* pageNumber */.PW, 1),
        per_page: schemas/* _default */.Rvf(paging/* itemsPerPage */.D7, 20),
    }),
    responses: { 200: schemas/* array */.YOg(approvalOfCommits) },
    errors: { 404: "No such flow" },
});
const getApproval = (0,operation/* defineOperation */.h9)({
    name: "getApproval",
    summary: "Get an approval by its number; negative numbers count from the end, so that -1 is the latest",
    method: "GET",
    path: "/approvals/{org}/{flow_name}/{approval_number}",
    access: "read",
    params: schemas/* object */.Ikc({ ...flowParam, approval_number: schemas/* int */.Whr() }),
    responses: { 200: approvalWithArtifacts },
    errors: { 404: "No such flow or approval" },
});
const listArtifactApprovals = (0,operation/* defineOperation */.h9)({
    name: "listArtifactApprovals",
    summary: "List the approvals of an artifact, oldest first: the last one decides",
    method: "GET",
    path: "/artifacts/{org}/{flow_name}/{fingerprint}/approvals",
    access: "read",
    params: schemas/* object */.Ikc({ ...flowParam, fingerprint: names/* fingerprint */.Rj }),
    responses: { 200: schemas/* array */.YOg(approvalOfCommits) },
    errors: { 404: "No such flow or artifact" },
});
const getArtifactCommit = (0,operation/* defineOperation */.h9)({
    name: "getArtifactCommit",
    summary: "Get the commit of the artifact of a flow that runs in an environment",
    method: "GET",
    path: "/approvals/{org}/{flow_name}/artifact-commit/{env_name}",
    access: "read",
    params: schemas/* object */.Ikc({ ...flowParam, env_name: names/* reference */.ir }),
    /** Null when nothing of the flow runs there, or its commit is not known. */
    responses: { 200: schemas/* looseObject */._H3({ commit_sha: schemas/* nullable */.mee(schemas/* string */.YjP()) }) },
    errors: { 404: "No such flow or environment" },
});

// EXTERNAL MODULE: ./lib/api/provenance.js
var provenance = __webpack_require__(3981);
// EXTERNAL MODULE: ./lib/api/template-match.js
var template_match = __webpack_require__(6584);
;// CONCATENATED MODULE: ./lib/api/artifact-report.js







const artifactReport = schemas/* looseObject */._H3({
    fingerprint: names/* fingerprint */.Rj,
    /** The name people know it by: a file name, an image reference. */
    filename: texts/* shortText */.os.check(api/* _minLength */.m9(1)),
    build_url: names/* webAddress */.Dy,
    commit_url: names/* webAddress */.Dy,
    trail_name: schemas/* nullish */.cl6(names/* trailName */.gZ),
    /** Its name in the flow template. */
    template_reference_name: schemas/* nullish */.cl6(names/* artifactName */.Cs),
    git_commit: schemas/* nullish */.cl6(names/* commitSha */.mJ),
    commits_list: schemas/* nullish */.cl6(schemas/* array */.YOg(provenance/* gitCommitInfo */.Or)),
    repo_url: schemas/* nullish */.cl6(schemas/* union */.KCZ([names/* webAddress */.Dy, schemas/* literal */.euz("")])),
    is_compliant: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
    annotations: schemas/* nullish */.cl6(schemas/* record */.g1P(texts/* shortText */.os, schemas/* unknown */.L5J())),
    ...submission/* originFields */.uL,
});
const reportArtifact = (0,operation/* defineOperation */.h9)({
    name: "reportArtifact",
    summary: "Report an artifact that was built",
    method: "POST",
    path: "/artifacts/{org}/{flow_name}",
    access: "write",
    params: schemas/* object */.Ikc({ flow_name: names/* reference */.ir }),
    body: { kind: "json", schema: artifactReport },
    responses: { 201: schemas/* union */.KCZ([schemas/* looseObject */._H3({ message: schemas/* string */.YjP() }), schemas/* string */.YjP()]) },
    answerHeaders: [template_match/* TEMPLATE_MATCH_HEADER */.hr],
    takesIdempotencyKey: true,
});

// EXTERNAL MODULE: ./lib/api/artifacts.js + 1 modules
var artifacts = __webpack_require__(4445);
;// CONCATENATED MODULE: ./lib/api/policy-evaluations.js

/** A condition in the expression language of policies, without the `${{ }}` around it. */
const policyExpression = schemas/* looseObject */._H3({ text: schemas/* string */.YjP() });
/** What a rule asks for: the fields of its type. */
const ruleDefinition = schemas/* looseObject */._H3({
    /** Of `provenance` and `trail-compliance`. */
    required: schemas/* optional */.lqM(schemas/* boolean */.zMY()),
    exceptions: schemas/* optional */.lqM(schemas/* array */.YOg(schemas/* looseObject */._H3({ if: policyExpression }))),
    /** Of `attestation`: for which artifacts it holds; null for every one. */
    if: schemas/* nullish */.cl6(policyExpression),
    /** The name of the attestation, or `*` for any. */
    name: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    /** The kind of attestation, or `*` for any. */
    type: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    must_be_compliant: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
    /** The identifier of the control that a decision must be about. */
    for_control: schemas/* nullish */.cl6(schemas/* string */.YjP()),
});
/** What one rule came to for one flow and trail of the artifact. */
const ruleResolution = schemas/* looseObject */._H3({
    /**
     * `rule_satisfied`, `rule_not_applicable`, or why it fails: `missing_provenance`, `no_provenance`,
     * `non_compliant_in_trail`, `missing_attestation`, `non_compliant_attestation`, `legacy_flow`.
     */
    type: schemas/* string */.YjP(),
    context: schemas/* nullish */.cl6(schemas/* looseObject */._H3({
        flow_name: schemas/* nullish */.cl6(schemas/* string */.YjP()),
        trail_name: schemas/* nullish */.cl6(schemas/* string */.YjP()),
        /** The status of the artifact in the trail, for rules about it. */
        artifact_status: schemas/* nullish */.cl6(schemas/* string */.YjP()),
        for_control: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    })),
});
const ruleEvaluation = schemas/* looseObject */._H3({
    rule: schemas/* looseObject */._H3({
        /** `provenance`, `trail-compliance` or `attestation` */
        type: schemas/* string */.YjP(),
        definition: ruleDefinition,
    }),
    /** Null when the rule asks for nothing here. */
    satisfied: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
    ignored: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
    resolutions: schemas/* optional */.lqM(schemas/* array */.YOg(ruleResolution)),
});
/** What one policy came to for one artifact. */
const policyEvaluation = schemas/* looseObject */._H3({
    policy_name: schemas/* string */.YjP(),
    policy_version: schemas/* optional */.lqM(schemas/* int */.Whr()),
    /** `COMPLIANT` or `NON-COMPLIANT` */
    status: schemas/* string */.YjP(),
    /** In the order of the policy: provenance, trail compliance, then each attestation it asks for. */
    rule_evaluations: schemas/* optional */.lqM(schemas/* array */.YOg(ruleEvaluation)),
});

;// CONCATENATED MODULE: ./lib/api/asserts.js





const attestationStatus = schemas/* looseObject */._H3({
    attestation_name: schemas/* string */.YjP(),
    attestation_type: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    /** `MISSING` or `COMPLETE` */
    status: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    is_compliant: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
    /** Not asked for by the template. */
    unexpected: schemas/* optional */.lqM(schemas/* boolean */.zMY()),
});
const complianceStatus = schemas/* looseObject */._H3({
    artifact_fingerprint: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    /** `MISSING`, `INCOMPLETE`, `COMPLIANT` or `NON-COMPLIANT` */
    status: schemas/* optional */.lqM(schemas/* string */.YjP()),
    is_compliant: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
    attestations_statuses: schemas/* optional */.lqM(schemas/* array */.YOg(attestationStatus)),
    evaluated_at: schemas/* nullish */.cl6(schemas/* number */.aig()),
    unexpected: schemas/* optional */.lqM(schemas/* boolean */.zMY()),
});
const flowVerdict = schemas/* looseObject */._H3({
    flow: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    trail: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    compliant: schemas/* boolean */.zMY(),
    compliance_status: schemas/* nullish */.cl6(complianceStatus),
    html_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
});
const allowListing = schemas/* looseObject */._H3({
    allowlist_id: schemas/* optional */.lqM(schemas/* string */.YjP()),
    allowed_by_user_id: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    /** Unix seconds. */
    timestamp: schemas/* optional */.lqM(schemas/* number */.aig()),
    description: schemas/* optional */.lqM(schemas/* string */.YjP()),
});
const assertion = schemas/* looseObject */._H3({
    fingerprint: schemas/* string */.YjP(),
    /** Flow, trail and address are of the flow that the artifact was first reported to, or of the one asked about. */
    ...flowVerdict.shape,
    /** In the order in which the artifact came to them. */
    flows: schemas/* nullish */.cl6(schemas/* union */.KCZ([schemas/* array */.YOg(flowVerdict), flowVerdict])),
    scope: schemas/* enum */.k5n(["flow", "environment", "policy"]),
    environment: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    /** In the order in which the policies were asked for, or by name for those of an environment. */
    policy_evaluations: schemas/* nullish */.cl6(schemas/* array */.YOg(policyEvaluation)),
    /** That the artifact is allowed in the environment whatever the policies say. */
    allow_listing: schemas/* nullish */.cl6(allowListing),
});
const assertArtifact = (0,operation/* defineOperation */.h9)({
    name: "assertArtifact",
    summary: "Say whether an artifact is compliant: in its flows, in an environment or by policies",
    method: "GET",
    path: "/asserts/{org}/fingerprint/{fingerprint}",
    access: "read",
    params: schemas/* object */.Ikc({ fingerprint: names/* fingerprint */.Rj }),
    query: schemas/* object */.Ikc({
        flow_name: schemas/* optional */.lqM(texts/* shortText */.os),
        /** Not together with `policy_name`. */
        environment_name: schemas/* optional */.lqM(texts/* shortText */.os),
        policy_name: schemas/* optional */.lqM(schemas/* array */.YOg(texts/* shortText */.os)),
    }),
    /** 200 for both verdicts: `compliant` holds it. */
    responses: { 200: assertion },
    errors: { 404: "No such artifact, flow, environment or policy" },
});

// EXTERNAL MODULE: ./lib/api/attestation-fields.js
var attestation_fields = __webpack_require__(5194);
;// CONCATENATED MODULE: ./lib/api/attestation-kinds.js






const count = schemas/* int */.Whr().check(api/* _gte */.qm(0));
const junitResult = schemas/* strictObject */.rej({
    name: texts/* shortText */.os,
    failures: count,
    errors: count,
    skipped: count,
    total: count,
    /** Seconds. */
    duration: schemas/* number */.aig(),
    /** Unix seconds. */
    timestamp: schemas/* nullish */.cl6(schemas/* number */.aig()),
});
const junitSubmission = schemas/* strictObject */.rej({ ...attestation_fields/* attestationFields */.WW, junit_results: schemas/* array */.YOg(junitResult) });
/** Compliant when tests ran, and none failed or broke. */
const attestJunit = (0,attestation_fields/* attestOperation */.tI)({
    name: "attestJunit",
    kind: "junit",
    summary: "Record the results of tests",
    schema: junitSubmission,
});
const snykIssue = schemas/* looseObject */._H3({
    id: texts/* shortText */.os,
    message: texts/* longText */.SW,
    locations: schemas/* _default */.Rvf(schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* looseObject */._H3({ uri: texts/* addressText */.GI, lines: texts/* longText */.SW }))), []),
    priority_score: schemas/* nullish */.cl6(schemas/* number */.aig()),
});
const snykIssues = schemas/* nullish */.cl6(schemas/* array */.YOg(snykIssue));
const snykProject = schemas/* strictObject */.rej({
    low_count: count,
    medium_count: count,
    high_count: count,
    low: snykIssues,
    medium: snykIssues,
    high: snykIssues,
});
const snykSubmission = schemas/* strictObject */.rej({
    ...attestation_fields/* attestationFields */.WW,
    snyk_results: schemas/* strictObject */.rej({
        schema_version: schemas/* _default */.Rvf(schemas/* int */.Whr(), 1),
        tool: schemas/* strictObject */.rej({ name: texts/* shortText */.os, version: texts/* shortText */.os }),
        results: schemas/* array */.YOg(snykProject),
    }),
});
/** Compliant when nothing was found, of whatever severity. */
const attestSnyk = (0,attestation_fields/* attestOperation */.tI)({
    name: "attestSnyk",
    kind: "snyk",
    summary: "Record what a scan for vulnerabilities found",
    schema: snykSubmission,
});
const pullRequest = schemas/* strictObject */.rej({
    url: texts/* addressText */.GI,
    /** In the words of the provider: `MERGED`, `OPEN`, `CLOSED` … */
    state: texts/* shortText */.os,
    author: texts/* shortText */.os,
    title: texts/* shortText */.os,
    /** Unix seconds. */
    created_at: schemas/* number */.aig(),
    merged_at: schemas/* nullish */.cl6(schemas/* number */.aig()),
    head_ref: texts/* shortText */.os,
    base_ref: schemas/* nullish */.cl6(texts/* shortText */.os),
    merge_commit: schemas/* nullish */.cl6(names/* commitSha */.mJ),
    approvers: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* looseObject */._H3({
        username: texts/* shortText */.os,
        state: schemas/* nullish */.cl6(texts/* shortText */.os),
        timestamp: schemas/* nullish */.cl6(schemas/* number */.aig()),
    }))),
    commits: schemas/* array */.YOg(provenance/* gitCommitInfo */.Or),
});
/** The shape of older clients. */
const briefPullRequest = schemas/* strictObject */.rej({
    url: texts/* addressText */.GI,
    state: texts/* shortText */.os,
    merge_commit: schemas/* union */.KCZ([schemas/* literal */.euz(""), names/* commitSha */.mJ]),
    approvers: schemas/* nullish */.cl6(schemas/* array */.YOg(texts/* shortText */.os)),
});
const pullRequestSubmission = schemas/* strictObject */.rej({
    ...attestation_fields/* attestationFields */.WW,
    git_provider: schemas/* enum */.k5n(["github", "gitlab", "bitbucket", "azure"]),
    pull_requests: schemas/* array */.YOg(schemas/* union */.KCZ([pullRequest, briefPullRequest])),
});
/** Compliant when there is a pull request, in whatever state. */
const attestPullRequest = (0,attestation_fields/* attestOperation */.tI)({
    name: "attestPullRequest",
    kind: "pull_request",
    summary: "Record the pull requests of a commit",
    schema: pullRequestSubmission,
});
const jiraSubmission = schemas/* strictObject */.rej({
    ...attestation_fields/* attestationFields */.WW,
    jira_results: schemas/* array */.YOg(schemas/* strictObject */.rej({
        issue_id: texts/* shortText */.os,
        issue_url: texts/* addressText */.GI,
        issue_exists: schemas/* boolean */.zMY(),
        issue_fields: schemas/* nullish */.cl6(schemas/* record */.g1P(texts/* shortText */.os, schemas/* unknown */.L5J())),
    })),
});
/** Compliant when there is an issue, and all of them exist. */
const attestJira = (0,attestation_fields/* attestOperation */.tI)({
    name: "attestJira",
    kind: "jira",
    summary: "Record the Jira issues that a commit refers to",
    schema: jiraSubmission,
});
const qualityGate = schemas/* looseObject */._H3({
    name: schemas/* nullish */.cl6(texts/* shortText */.os),
    /** `OK` when the gate was passed. */
    status: texts/* shortText */.os,
    conditions: schemas/* array */.YOg(schemas/* looseObject */._H3({
        metric: texts/* shortText */.os,
        errorThreshold: texts/* shortText */.os,
        operator: texts/* shortText */.os,
        status: texts/* shortText */.os,
        value: schemas/* nullish */.cl6(texts/* shortText */.os),
        onLeakPeriod: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
    })),
});
const sonarSubmission = schemas/* strictObject */.rej({
    ...attestation_fields/* attestationFields */.WW,
    /** As the scanner reports them, so in its names. */
    sonar_results: schemas/* looseObject */._H3({
        serverUrl: schemas/* nullish */.cl6(texts/* addressText */.GI),
        taskId: schemas/* nullish */.cl6(texts/* shortText */.os),
        status: schemas/* nullish */.cl6(texts/* shortText */.os),
        analysedAt: texts/* shortText */.os,
        revision: texts/* shortText */.os,
        changedAt: schemas/* nullish */.cl6(texts/* shortText */.os),
        project: schemas/* looseObject */._H3({ key: texts/* shortText */.os, url: texts/* addressText */.GI, name: schemas/* _default */.Rvf(schemas/* nullish */.cl6(texts/* shortText */.os), "") }),
        qualityGate: schemas/* nullish */.cl6(qualityGate),
    }),
});
/** Compliant when the quality gate was passed. */
const attestSonar = (0,attestation_fields/* attestOperation */.tI)({
    name: "attestSonar",
    kind: "sonar",
    summary: "Record a Sonar analysis",
    schema: sonarSubmission,
});
/** What is attested, as the type describes it: JSON, or JSON text. */
const attestationData = schemas/* union */.KCZ([
    schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J()),
    schemas/* array */.YOg(schemas/* unknown */.L5J()),
    schemas/* string */.YjP().check(api/* _minLength */.m9(1), api/* _maxLength */.Eb(operation/* MAX_JSON_PART_BYTES */.ey)),
]);
const customSubmission = schemas/* strictObject */.rej({
    ...attestation_fields/* attestationFields */.WW,
    type_name: names/* customTypeName */.Fm,
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
const attestCustom = (0,attestation_fields/* attestOperation */.tI)({
    name: "attestCustom",
    kind: "custom",
    summary: "Record an attestation of a custom type",
    schema: customSubmission,
});
const systemSubmission = schemas/* looseObject */._H3({
    ...attestation_fields/* attestationFields */.WW,
    type_name: schemas/* enum */.k5n(["decision"]),
    /** The identifier of the control that is decided about. It need not exist yet. */
    control: schemas/* nullish */.cl6(texts/* shortText */.os),
    /** For a decision `{"is_compliant": true}` or false, and what else there is to say. */
    attestation_data: attestationData,
});
/** Compliant as its data says. */
const attestSystem = (0,attestation_fields/* attestOperation */.tI)({
    name: "attestSystem",
    kind: "system",
    summary: "Record an attestation of a type that the service defines: a decision about a control",
    schema: systemSubmission,
});
const overrideSubmission = schemas/* strictObject */.rej({
    ...attestation_fields/* attestationFields */.WW,
    reason: texts/* longText */.SW.check(api/* _minLength */.m9(1)),
    new_compliance_status: schemas/* boolean */.zMY(),
    /** The type of the attestation that is overridden, or that the template asks for and nobody attested. */
    original_attestation_type: texts/* shortText */.os.check(api/* _regex */.Fk(/^(generic|junit|snyk|pull_request|jira|sonar|custom:.*|system:.*)$/)),
});
/** What the template asks for may be overridden before anything was attested. */
const overrideAttestation = (0,operation/* defineOperation */.h9)({
    name: "overrideAttestation",
    summary: "Override the compliance of the latest attestation of a name, with a reason",
    method: "POST",
    path: "/attestations/{org}/{flow_name}/trail/{trail_name}/override",
    access: "write",
    params: attestation_fields/* trailParams */.X$,
    body: { kind: "json", schema: overrideSubmission },
    responses: { 200: schemas/* string */.YjP(), 201: schemas/* string */.YjP() },
    answerHeaders: attestation_fields/* attestationAnswerHeaders */.ZL,
    errors: { 404: "There is no such flow, trail or artifact, or the name is of no attestation here" },
    takesIdempotencyKey: true,
});

// EXTERNAL MODULE: ./lib/api/attestations.js
var attestations = __webpack_require__(409);
;// CONCATENATED MODULE: ./lib/api/controls.js




/* What an organization has set itself to do. Policies may ask for decisions about controls. */
const named = schemas/* object */.Ikc({ identifier: names/* reference */.ir });
const errors = { 404: "No such control" };
const unknownLinks = schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J()));
const pages = {
    page: schemas/* _default */.Rvf(schemas/* int */.Whr().check(api/* _gte */.qm(1)), 1),
    per_page: schemas/* _default */.Rvf(schemas/* int */.Whr().check(api/* _gte */.qm(1), api/* _lte */.Zm(100)), 15),
};
const controls_paging = {
    _links: unknownLinks,
    page: schemas/* int */.Whr(),
    per_page: schemas/* int */.Whr(),
    total_pages: schemas/* int */.Whr(),
    total_count: schemas/* int */.Whr(),
};
const control = schemas/* looseObject */._H3({
    identifier: schemas/* string */.YjP(),
    name: schemas/* string */.YjP(),
    description: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    /** Addresses by label. */
    links: schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())),
    /** Counts from 1, up with each change. */
    version: schemas/* optional */.lqM(schemas/* int */.Whr()),
    /** Unix seconds. */
    created_at: schemas/* optional */.lqM(schemas/* number */.aig()),
    created_by: schemas/* optional */.lqM(schemas/* string */.YjP()),
    tags: schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())),
    /** Only where one control is asked for. */
    archived: schemas/* optional */.lqM(schemas/* boolean */.zMY()),
    /** The names of the policies whose latest version asks for decisions about it; only where one is asked for. */
    policies_referencing: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* unknown */.L5J())),
});
const controlVersion = schemas/* looseObject */._H3({
    identifier: schemas/* string */.YjP(),
    version: schemas/* int */.Whr(),
    name: schemas/* string */.YjP(),
    description: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    links: schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())),
    created_at: schemas/* optional */.lqM(schemas/* number */.aig()),
    created_by: schemas/* optional */.lqM(schemas/* string */.YjP()),
    /** What made it: `created`, `edited`, `archived` or `unarchived`. */
    status: schemas/* optional */.lqM(schemas/* string */.YjP()),
});
const decision = schemas/* looseObject */._H3({
    /** The attestation that it was recorded as. */
    decision_id: schemas/* optional */.lqM(schemas/* string */.YjP()),
    control: schemas/* string */.YjP(),
    is_compliant: schemas/* boolean */.zMY(),
    timestamp: schemas/* number */.aig(),
    attestation_name: schemas/* optional */.lqM(schemas/* string */.YjP()),
    evidence_files: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* looseObject */._H3({ filename: schemas/* string */.YjP(), download_url: schemas/* string */.YjP() }))),
    /** The version that the control had then; null when it did not exist yet. */
    control_version: schemas/* nullish */.cl6(schemas/* int */.Whr()),
    flow_name: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    trail_name: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    artifact_fingerprint: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    artifact_name: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    description: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    origin_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    user_data: schemas/* unknown */.L5J(),
});
const links = schemas/* record */.g1P(texts/* shortText */.os.check(api/* _minLength */.m9(1)), names/* webAddress */.Dy);
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
        schema: schemas/* strictObject */.rej({
            identifier: names/* controlIdentifier */.xi,
            name: texts/* shortText */.os.check(api/* _minLength */.m9(1)),
            description: schemas/* nullish */.cl6(texts/* longText */.SW),
            links: schemas/* nullish */.cl6(links),
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
        schema: schemas/* strictObject */.rej({
            name: schemas/* nullish */.cl6(texts/* shortText */.os.check(api/* _minLength */.m9(1))),
            description: schemas/* nullish */.cl6(texts/* longText */.SW),
            /** Replaces all links. */
            links: schemas/* nullish */.cl6(links),
        }),
    },
    responses: { 200: control },
    errors,
});
const listControls = (0,operation/* defineOperation */.h9)({
    name: "listControls",
    summary: "List the controls, sorted by identifier",
    method: "GET",
    path: "/controls/{org}",
    access: "read",
    query: schemas/* object */.Ikc({
        ...pages,
        sort_direction: schemas/* _default */.Rvf(schemas/* enum */.k5n(["asc", "desc"]), "asc"),
        /** Part of the identifier or the name, in any letter case. */
        search: schemas/* optional */.lqM(texts/* shortText */.os),
        /** Each `key:value`, or `key` for any value; a control must have all of them. */
        tag: schemas/* optional */.lqM(schemas/* array */.YOg(texts/* shortText */.os.check(api/* _minLength */.m9(1)))),
        /** The archived controls instead of the others. */
        archived: schemas/* _default */.Rvf(schemas/* boolean */.zMY(), false),
    }),
    responses: { 200: schemas/* looseObject */._H3({ ...controls_paging, controls: schemas/* array */.YOg(control) }) },
});
const getControl = (0,operation/* defineOperation */.h9)({
    name: "getControl",
    summary: "Get a control, archived or not",
    method: "GET",
    path: "/controls/{org}/{identifier}",
    access: "read",
    params: named,
    responses: { 200: control },
    errors,
});
const archiveControl = (0,operation/* defineOperation */.h9)({
    name: "archiveControl",
    summary: "Archive a control: it is no longer listed",
    method: "POST",
    path: "/controls/{org}/{identifier}/archive",
    access: "administer",
    params: named,
    responses: { 200: schemas/* union */.KCZ([schemas/* string */.YjP(), control]) },
    errors,
});
const unarchiveControl = (0,operation/* defineOperation */.h9)({
    name: "unarchiveControl",
    summary: "Take a control out of the archive",
    method: "POST",
    path: "/controls/{org}/{identifier}/unarchive",
    access: "administer",
    params: named,
    responses: { 200: schemas/* union */.KCZ([schemas/* string */.YjP(), control]) },
    errors,
});
const listControlVersions = (0,operation/* defineOperation */.h9)({
    name: "listControlVersions",
    summary: "List the versions of a control, newest first",
    method: "GET",
    path: "/controls/{org}/{identifier}/versions",
    access: "read",
    params: named,
    responses: { 200: schemas/* array */.YOg(controlVersion) },
    errors,
});
const getControlVersion = (0,operation/* defineOperation */.h9)({
    name: "getControlVersion",
    summary: "Get one version of a control",
    method: "GET",
    path: "/controls/{org}/{identifier}/versions/{version_number}",
    access: "read",
    params: schemas/* object */.Ikc({ identifier: names/* reference */.ir, version_number: schemas/* int */.Whr().check(api/* _gte */.qm(1)) }),
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
    query: schemas/* object */.Ikc({
        ...pages,
        is_compliant: schemas/* optional */.lqM(schemas/* boolean */.zMY()),
        /** Unix seconds, inclusive. */
        from_timestamp: schemas/* optional */.lqM(schemas/* number */.aig()),
        /** Unix seconds, inclusive. */
        to_timestamp: schemas/* optional */.lqM(schemas/* number */.aig()),
        /** Flows by their name or id. */
        flow_id: schemas/* optional */.lqM(schemas/* array */.YOg(texts/* shortText */.os)),
        sort_direction: schemas/* _default */.Rvf(schemas/* enum */.k5n(["asc", "desc"]), "desc"),
    }),
    responses: { 200: schemas/* looseObject */._H3({ ...controls_paging, decisions: schemas/* array */.YOg(decision) }) },
    errors,
});
const getControlDecision = (0,operation/* defineOperation */.h9)({
    name: "getControlDecision",
    summary: "Get one decision about a control",
    method: "GET",
    path: "/controls/{org}/{identifier}/decisions/{decision_id}",
    access: "read",
    params: schemas/* object */.Ikc({ identifier: names/* reference */.ir, decision_id: names/* reference */.ir }),
    responses: { 200: decision },
    errors: { 404: "No such control, or no such decision about it" },
});

;// CONCATENATED MODULE: ./lib/api/custom-attestation-types.js




const evaluator = schemas/* union */.KCZ([
    schemas/* looseObject */._H3({
        content_type: schemas/* _default */.Rvf(schemas/* literal */.euz("jq"), "jq"),
        rules: schemas/* array */.YOg(schemas/* string */.YjP().check(api/* _maxLength */.Eb(10_000))).check(api/* _maxLength */.Eb(100), schemas/* meta */.mIj({
            description: "jq expressions over the attestation data. Each must give true. With the schema they have 2 seconds of processor time and 256 MB; an attestation that needs more is not compliant.",
        })),
    }),
    /** No rules: data that fits the schema is compliant. */
    schemas/* looseObject */._H3({ content_type: schemas/* _default */.Rvf(schemas/* literal */.euz("default"), "default") }),
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
        schema: schemas/* strictObject */.rej({
            name: names/* customTypeName */.Fm,
            description: schemas/* nullish */.cl6(texts/* longText */.SW),
            evaluator: schemas/* nullish */.cl6(evaluator),
            /** What to show of an attestation: jq expressions by name. */
            summary: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* strictObject */.rej({ name: texts/* shortText */.os, expression: texts/* longText */.SW }))),
        }),
        /** A JSON Schema, draft 2020-12 or draft-07, that the data of each attestation must match. */
        files: { type_schema: { count: "one" } },
    },
    responses: { 201: schemas/* string */.YjP() },
});
const customType = schemas/* looseObject */._H3({
    name: schemas/* string */.YjP(),
    /** Absent when it was never given. */
    description: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    archived: schemas/* optional */.lqM(schemas/* boolean */.zMY()),
    org: schemas/* optional */.lqM(schemas/* string */.YjP()),
    created_by: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    /** Unix seconds. */
    created_at: schemas/* optional */.lqM(schemas/* number */.aig()),
    last_modified_at: schemas/* optional */.lqM(schemas/* number */.aig()),
    /** Newest first. */
    versions: schemas/* optional */.lqM(schemas/* array */.YOg(schemas/* looseObject */._H3({
        version: schemas/* int */.Whr(),
        /** Unix seconds. */
        timestamp: schemas/* optional */.lqM(schemas/* number */.aig()),
        /** Older services give it as text. */
        type_schema: schemas/* nullish */.cl6(schemas/* union */.KCZ([schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J()), schemas/* string */.YjP()])),
        evaluator: schemas/* nullish */.cl6(schemas/* looseObject */._H3({ content_type: schemas/* nullish */.cl6(schemas/* string */.YjP()), rules: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* string */.YjP())) })),
        summary: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* looseObject */._H3({ name: schemas/* nullish */.cl6(schemas/* string */.YjP()), expression: schemas/* nullish */.cl6(schemas/* string */.YjP()) }))),
        created_by: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    }))),
});
const listCustomAttestationTypes = (0,operation/* defineOperation */.h9)({
    name: "listCustomAttestationTypes",
    summary: "List the custom attestation types that are not archived, by name",
    method: "GET",
    path: "/custom-attestation-types/{org}",
    access: "read",
    responses: { 200: schemas/* array */.YOg(customType) },
});
/** With a version only that one, and of the type no more than its name, organization and whether it is archived. */
const getCustomAttestationType = (0,operation/* defineOperation */.h9)({
    name: "getCustomAttestationType",
    summary: "Get a custom attestation type with all its versions, or with one",
    method: "GET",
    path: "/custom-attestation-types/{org}/{custom_attestation_type_name}",
    access: "read",
    params: schemas/* object */.Ikc({ custom_attestation_type_name: names/* reference */.ir }),
    query: schemas/* object */.Ikc({ version: schemas/* optional */.lqM(schemas/* int */.Whr()) }),
    responses: { 200: customType },
    errors: { 404: "No such type, or no such version of it" },
});
const archiveCustomAttestationType = (0,operation/* defineOperation */.h9)({
    name: "archiveCustomAttestationType",
    summary: "Archive a custom attestation type: it takes no more attestations",
    method: "PUT",
    path: "/custom-attestation-types/{org}/{custom_attestation_type_name}/archive",
    access: "write",
    params: schemas/* object */.Ikc({ custom_attestation_type_name: names/* reference */.ir }),
    responses: { 200: schemas/* string */.YjP() },
    errors: { 404: "No such type" },
});

;// CONCATENATED MODULE: ./lib/api/environment-events.js




const environment_events_links = schemas/* nullish */.cl6(schemas/* looseObject */._H3({ self: schemas/* nullish */.cl6(schemas/* string */.YjP()), html: schemas/* nullish */.cl6(schemas/* string */.YjP()) }));
const environmentEvent = schemas/* looseObject */._H3({
    environment_name: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    snapshot_index: schemas/* nullish */.cl6(schemas/* int */.Whr()),
    artifact_name: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    sha256: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    /** `2 instances started running (from 0 to 2)` */
    description: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    /** Unix seconds. */
    reported_at: schemas/* nullish */.cl6(schemas/* number */.aig()),
    /** The first of its flows; empty when nobody knows where it was built. */
    pipeline: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    deployments: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* unknown */.L5J())),
    flows: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* looseObject */._H3({ flow_name: schemas/* string */.YjP(), deployments: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* unknown */.L5J())) }))),
    artifact_compliance: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
    snapshot_compliance: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
    /** `started-compliant`, `started-non-compliant`, `changed`, `scaled`, `updated-provenance`, `exited` */
    type: schemas/* string */.YjP(),
    /** Where to see what changed in the code. */
    code_diff: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    _links: schemas/* nullish */.cl6(schemas/* looseObject */._H3({ artifact: environment_events_links, snapshot: environment_events_links })),
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
    params: schemas/* object */.Ikc({ env_name: names/* reference */.ir }),
    query: schemas/* object */.Ikc({
        page: schemas/* _default */.Rvf(schemas/* int */.Whr().check(api/* _gte */.qm(1)), 1),
        per_page: schemas/* _default */.Rvf(schemas/* int */.Whr().check(api/* _gte */.qm(1), api/* _lte */.Zm(100)), 15),
        reverse: schemas/* _default */.Rvf(schemas/* boolean */.zMY(), false),
        /** Only artifacts that were built from these repositories. */
        repo_name: schemas/* optional */.lqM(schemas/* array */.YOg(texts/* shortText */.os)),
        /** Deprecated: `5..10`, or `5` for 5 to now. Given, `start` and `end` are ignored; empty counts as not given. */
        interval: schemas/* optional */.lqM(texts/* shortText */.os),
        /** A snapshot number, counted from the end when negative; `NOW`; or how long ago: `2days`. */
        start: schemas/* _default */.Rvf(texts/* shortText */.os, "1"),
        end: schemas/* _default */.Rvf(texts/* shortText */.os, "NOW"),
        /** Unix seconds or ISO 8601, UTC without a zone. Events at this time are in the list. */
        from: schemas/* optional */.lqM(texts/* shortText */.os),
        /** Likewise; events at this time are not in the list. */
        to: schemas/* optional */.lqM(texts/* shortText */.os),
        /** `from` in Unix seconds, which may have a fraction. Given, `start` is ignored. */
        start_ts: schemas/* optional */.lqM(schemas/* number */.aig()),
        /** `to` likewise. Given, `end` is ignored. */
        end_ts: schemas/* optional */.lqM(schemas/* number */.aig()),
    }),
    responses: { 200: schemas/* array */.YOg(environmentEvent) },
    errors: { 404: "No such environment or repository" },
});
/** Oldest first, one event in a line. */
const getEnvironmentAuditLog = (0,operation/* defineOperation */.h9)({
    name: "getEnvironmentAuditLog",
    summary: "Download what started, stopped or changed in an environment as CSV",
    method: "GET",
    path: "/environments/{org}/{env_name}/auditlog",
    access: "read",
    params: schemas/* object */.Ikc({ env_name: names/* reference */.ir }),
    query: schemas/* object */.Ikc({
        /** Unix seconds. Events at this time are in the log. */
        from_timestamp: schemas/* optional */.lqM(schemas/* number */.aig()),
        /** Likewise. */
        to_timestamp: schemas/* optional */.lqM(schemas/* number */.aig()),
        /** Any of `started`, `exited`, `changed`, comma separated. */
        event_types: schemas/* optional */.lqM(texts/* longText */.SW),
        /** Comma separated; `no provenance` for what nobody here has built. */
        flow_names: schemas/* optional */.lqM(texts/* longText */.SW),
        /** Comma separated. */
        repo_names: schemas/* optional */.lqM(texts/* longText */.SW),
    }),
    responses: { 200: operation/* fileAnswer */.HL },
    errors: { 404: "No such environment or repository" },
});

;// CONCATENATED MODULE: ./lib/api/environments.js




const environmentType = schemas/* enum */.k5n([
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
const environmentNames = schemas/* array */.YOg(names/* environmentName */.VE).check(api/* _maxLength */.Eb(MAX_NAMES));
const policyNames = schemas/* array */.YOg(names/* policyName */.ct).check(api/* _maxLength */.Eb(MAX_NAMES));
const environments_named = schemas/* object */.Ikc({ env_name: names/* reference */.ir });
const environments_errors = { 404: "No such environment, or it is archived" };
const environment = schemas/* looseObject */._H3({
    org: schemas/* string */.YjP(),
    name: schemas/* string */.YjP(),
    type: schemas/* string */.YjP(),
    description: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    /** Unix seconds, fractional, as the other times. */
    last_modified_at: schemas/* optional */.lqM(schemas/* number */.aig()),
    last_reported_at: schemas/* nullish */.cl6(schemas/* number */.aig()),
    /** When what runs in it, or whether that is compliant, last changed. */
    last_changed_at: schemas/* nullish */.cl6(schemas/* number */.aig()),
    /** Whether what runs satisfies the policies; null when there are none, or nothing was reported yet. */
    state: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
    include_scaling: schemas/* optional */.lqM(schemas/* boolean */.zMY()),
    tags: schemas/* optional */.lqM(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())),
    policies: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* string */.YjP())),
    /** What a logical environment is made of; null for a physical one. */
    included_environments: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* string */.YjP())),
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
        schema: schemas/* strictObject */.rej({
            name: names/* environmentName */.VE,
            type: environmentType,
            /** On an update, an empty description leaves the stored one. */
            description: texts/* longText */.SW,
            include_scaling: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
            require_provenance: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
            included_environments: schemas/* nullish */.cl6(environmentNames),
            policies: schemas/* nullish */.cl6(policyNames),
        }),
    },
    responses: { 200: schemas/* string */.YjP(), 201: schemas/* string */.YjP() },
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
    query: schemas/* object */.Ikc({
        page: schemas/* optional */.lqM(schemas/* int */.Whr().check(api/* _gte */.qm(1))),
        per_page: schemas/* optional */.lqM(schemas/* int */.Whr().check(api/* _gte */.qm(1), api/* _lte */.Zm(50))),
        sort: schemas/* _default */.Rvf(schemas/* enum */.k5n(["name", "last_modified_at", "last_changed_at"]), "name"),
        sort_direction: schemas/* _default */.Rvf(schemas/* enum */.k5n(["asc", "desc"]), "asc"),
        /** Part of the name, in any letter case. */
        name: schemas/* optional */.lqM(texts/* shortText */.os),
        type: schemas/* optional */.lqM(schemas/* array */.YOg(environmentType)),
        /** Each `key=value`, or `key` for any value; an environment must have all of them. */
        tag: schemas/* optional */.lqM(schemas/* array */.YOg(texts/* shortText */.os.check(api/* _minLength */.m9(1))).check(api/* _maxLength */.Eb(MAX_TAG_FILTERS))),
        /** Spaces of an organization. A service that keeps none finds nothing in any; empty counts as not given. */
        space_id: schemas/* optional */.lqM(schemas/* array */.YOg(texts/* shortText */.os)),
    }),
    responses: {
        200: schemas/* union */.KCZ([
            schemas/* array */.YOg(environment),
            schemas/* looseObject */._H3({
                _links: schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())),
                page: schemas/* int */.Whr(),
                per_page: schemas/* int */.Whr(),
                total_pages: schemas/* int */.Whr(),
                total_count: schemas/* int */.Whr(),
                environments: schemas/* array */.YOg(environment),
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
        schema: schemas/* strictObject */.rej({
            /** Empty clears it. */
            description: schemas/* nullish */.cl6(texts/* longText */.SW),
            include_scaling: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
            included_environments: schemas/* nullish */.cl6(environmentNames),
            policies: schemas/* nullish */.cl6(policyNames),
        }),
    },
    responses: { 200: schemas/* unknown */.L5J() },
    errors: { 404: "No such environment or policy" },
});
const renameEnvironment = (0,operation/* defineOperation */.h9)({
    name: "renameEnvironment",
    summary: "Rename an environment",
    method: "PUT",
    path: "/environments/{org}/{env_name}/rename",
    access: "write",
    params: environments_named,
    body: { kind: "json", schema: schemas/* strictObject */.rej({ new_name: names/* newEnvironmentName */.rv }) },
    responses: { 200: schemas/* string */.YjP() },
    errors: environments_errors,
});
const archiveEnvironment = (0,operation/* defineOperation */.h9)({
    name: "archiveEnvironment",
    summary: "Archive an environment: what it recorded stays, but it is no longer shown",
    method: "PUT",
    path: "/environments/{org}/{env_name}/archive",
    access: "administer",
    params: environments_named,
    responses: { 200: schemas/* string */.YjP() },
    errors: environments_errors,
});
const joinEnvironment = (0,operation/* defineOperation */.h9)({
    name: "joinEnvironment",
    summary: "Add a physical environment to a logical one",
    method: "PUT",
    path: "/environments/{org}/{env_name}/join",
    access: "write",
    params: environments_named,
    body: { kind: "json", schema: schemas/* strictObject */.rej({ physical_env_name: texts/* shortText */.os }) },
    responses: { 200: schemas/* string */.YjP() },
    errors: environments_errors,
});
const chosenPolicies = {
    kind: "json",
    schema: schemas/* strictObject */.rej({ policy_names: policyNames.check(api/* _minLength */.m9(1)) }),
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
    responses: { 200: schemas/* string */.YjP() },
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
    responses: { 200: schemas/* string */.YjP() },
    errors: { 404: "No such environment or policy" },
});

// EXTERNAL MODULE: ./lib/api/trail-record.js
var trail_record = __webpack_require__(6516);
;// CONCATENATED MODULE: ./lib/api/flows.js






const visibility = schemas/* enum */.k5n(["public", "private"]);
const flowFields = {
    name: names/* flowName */.Eo,
    /** May be empty. */
    description: texts/* longText */.SW,
    visibility: schemas/* _default */.Rvf(visibility, "private"),
};
const createFlow = (0,operation/* defineOperation */.h9)({
    name: "createFlow",
    summary: "Create or update a flow",
    method: "PUT",
    path: "/flows/{org}",
    access: "write",
    body: {
        kind: "json",
        schema: schemas/* object */.Ikc({
            ...flowFields,
            /** Names of the attestations a trail needs; the word `artifact` stands for the artifact itself. */
            template: schemas/* array */.YOg(texts/* shortText */.os.check(api/* _minLength */.m9(1))),
            repo_url: schemas/* nullish */.cl6(schemas/* union */.KCZ([names/* webAddress */.Dy, schemas/* literal */.euz("")])),
        }),
    },
    responses: { 200: schemas/* string */.YjP(), 201: schemas/* string */.YjP() },
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
        schema: schemas/* object */.Ikc(flowFields),
        files: { template_file: { count: "one" } },
    },
    responses: { 200: schemas/* string */.YjP(), 201: schemas/* string */.YjP() },
});
const flowRecord = schemas/* looseObject */._H3({
    id: schemas/* optional */.lqM(schemas/* string */.YjP()),
    name: schemas/* string */.YjP(),
    description: schemas/* string */.YjP(),
    visibility,
    /** The name of its organization. */
    org: schemas/* string */.YjP(),
    /** The YAML text of its template; a list of names for a flow that was made with one. */
    template: schemas/* unknown */.L5J(),
    repo_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    tags: schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* string */.YjP())),
    /** Unix seconds: when something was last added to one of its trails. */
    latest_activity_at: schemas/* nullish */.cl6(schemas/* number */.aig()),
    /** The state of the trail that something was last added to. */
    latest_state: schemas/* nullish */.cl6(trail_record/* complianceState */.Bt),
});
const listFlows = (0,operation/* defineOperation */.h9)({
    name: "listFlows",
    summary: "List the flows in use, sorted by name",
    method: "GET",
    path: "/flows/{org}",
    access: "read",
    query: schemas/* object */.Ikc({
        /** A part of the name. */
        search_by_name: schemas/* optional */.lqM(texts/* shortText */.os),
        case_sensitive: schemas/* _default */.Rvf(schemas/* boolean */.zMY(), true),
        /** Each `key` or `key:value`; a flow has all of them. */
        tag: schemas/* optional */.lqM(schemas/* array */.YOg(texts/* shortText */.os.check(api/* _minLength */.m9(1)))),
        sort: schemas/* _default */.Rvf(schemas/* enum */.k5n(["name", "latest_activity"]), "name"),
        sort_direction: schemas/* _default */.Rvf(schemas/* enum */.k5n(["asc", "desc"]), "asc"),
        /** With `page` or `per_page` the answer is one page, without either it is all flows. */
        page: schemas/* optional */.lqM(paging/* pageNumber */.PW),
        per_page: schemas/* optional */.lqM(paging/* itemsPerPage */.D7),
    }),
    responses: {
        200: schemas/* union */.KCZ([
            schemas/* array */.YOg(flowRecord),
            schemas/* looseObject */._H3({ data: schemas/* array */.YOg(flowRecord), pagination: schemas/* nullish */.cl6(paging/* pagination */.X$) }),
        ]),
    },
});
const getFlow = (0,operation/* defineOperation */.h9)({
    name: "getFlow",
    summary: "Get a flow",
    method: "GET",
    path: "/flows/{org}/{flow_name}",
    access: "read",
    params: schemas/* object */.Ikc({ flow_name: names/* reference */.ir }),
    responses: { 200: flowRecord },
    errors: { 404: "No such flow" },
});
const renameFlow = (0,operation/* defineOperation */.h9)({
    name: "renameFlow",
    summary: "Rename a flow; its old name goes on leading to it until another flow takes it",
    method: "PUT",
    path: "/flows/{org}/{flow_name}/rename",
    access: "write",
    params: schemas/* object */.Ikc({ flow_name: names/* reference */.ir }),
    body: { kind: "json", schema: schemas/* object */.Ikc({ new_name: names/* newFlowName */.Oj }) },
    responses: { 200: schemas/* string */.YjP() },
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
    params: schemas/* object */.Ikc({ flow_name: names/* reference */.ir }),
    responses: { 200: schemas/* string */.YjP() },
    errors: { 404: "No such flow" },
});
const getFlowTemplateSchema = (0,operation/* defineOperation */.h9)({
    name: "getFlowTemplateSchema",
    summary: "Get the JSON Schema of flow templates, version 1",
    method: "GET",
    path: "/schemas/flow-template/v1",
    access: "read",
    responses: { 200: schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J()) },
});

;// CONCATENATED MODULE: ./lib/api/generic-attestation.js


// What a step sends stands apart from what is read: building schemas that nobody uses costs each step start-up time.
const genericSubmission = schemas/* strictObject */.rej({ ...attestation_fields/* attestationFields */.WW, is_compliant: schemas/* boolean */.zMY() });
const attestGeneric = (0,attestation_fields/* attestOperation */.tI)({
    name: "attestGeneric",
    kind: "generic",
    summary: "Record a generic attestation on a trail or on an artifact of it",
    schema: genericSubmission,
});

;// CONCATENATED MODULE: ./lib/api/notification-targets.js



/** Unix seconds. The service says when it last reached a target; what a request says of that is not stored. */
const deliveryTimes = { last_success_at: schemas/* nullish */.cl6(schemas/* number */.aig()), last_failure_at: schemas/* nullish */.cl6(schemas/* number */.aig()) };
/** No mail server takes a longer one (RFC 5321). */
const emailAddress = schemas/* email */.Rpp().check(api/* _maxLength */.Eb(320));
const slackTarget = schemas/* strictObject */.rej({
    type: schemas/* literal */.euz("SLACK"),
    webhook: names/* webAddress */.Dy,
    /** The channel, for a webhook that a Slack app was given. */
    context: schemas/* nullish */.cl6(schemas/* strictObject */.rej({ channel_id: texts/* shortText */.os, channel_name: texts/* shortText */.os, team_id: texts/* shortText */.os })),
    ...deliveryTimes,
});
const webhookTarget = schemas/* strictObject */.rej({
    type: schemas/* literal */.euz("WEBHOOK"),
    webhook: names/* webAddress */.Dy,
    payload_version: schemas/* _default */.Rvf(schemas/* literal */.euz("1.0"), "1.0"),
    ...deliveryTimes,
});
const emailTarget = schemas/* strictObject */.rej({
    type: schemas/* literal */.euz("EMAIL"),
    emails: schemas/* array */.YOg(emailAddress).check(api/* _minLength */.m9(1)),
    ...deliveryTimes,
});
/** Where a notification goes. The addresses of Slack and webhook targets are secrets. */
const notificationTarget = schemas/* discriminatedUnion */.gMt("type", [slackTarget, webhookTarget, emailTarget]);
/**
 * A target as it is answered: another service may know more kinds, and say more of each. Readers are shown less of the
 * address of a webhook.
 */
const storedTarget = schemas/* looseObject */._H3({
    type: schemas/* string */.YjP(),
    webhook: schemas/* optional */.lqM(schemas/* string */.YjP()),
    emails: schemas/* optional */.lqM(schemas/* array */.YOg(schemas/* string */.YjP())),
    payload_version: schemas/* optional */.lqM(schemas/* string */.YjP()),
    context: schemas/* nullish */.cl6(schemas/* looseObject */._H3({ channel_id: schemas/* string */.YjP(), channel_name: schemas/* string */.YjP(), team_id: schemas/* string */.YjP() })),
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
const targets = schemas/* array */.YOg(notificationTarget).check(api/* _minLength */.m9(1));
const environmentAction = schemas/* strictObject */.rej({
    name: notifications_name,
    targets,
    type: schemas/* _default */.Rvf(schemas/* literal */.euz("env"), "env"),
    /** None means every environment. */
    environments: schemas/* array */.YOg(names/* environmentName */.VE),
    /** None means every trigger. */
    triggers: schemas/* array */.YOg(schemas/* enum */.k5n(ENVIRONMENT_TRIGGERS)),
});
const storedFields = {
    name: schemas/* string */.YjP(),
    /** `flow` or `env` */
    type: schemas/* string */.YjP(),
    /** Counts up in the organization; the number of a deleted one is not given again. */
    number: schemas/* int */.Whr(),
    targets: schemas/* array */.YOg(storedTarget),
    triggers: schemas/* array */.YOg(schemas/* string */.YjP()),
    created_by: schemas/* string */.YjP(),
    is_created_from_slack_app: schemas/* boolean */.zMY(),
    /** Whether the latest delivery failed; null while nothing was delivered. */
    is_failing: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
    /** Unix seconds, like all times here. */
    last_success_timestamp: schemas/* nullish */.cl6(schemas/* number */.aig()),
    last_failure_timestamp: schemas/* nullish */.cl6(schemas/* number */.aig()),
    created_at: schemas/* nullish */.cl6(schemas/* number */.aig()),
    last_modified_at: schemas/* number */.aig(),
};
/** What is told to whom: of flows or of environments, as its type says. */
const action = schemas/* looseObject */._H3({
    ...storedFields,
    flows: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* string */.YjP())),
    environments: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* string */.YjP())),
});
const environmentNotification = schemas/* looseObject */._H3({
    ...storedFields,
    environments: schemas/* array */.YOg(schemas/* string */.YjP()),
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
        schema: schemas/* strictObject */.rej({
            name: notifications_name,
            targets,
            type: schemas/* _default */.Rvf(schemas/* literal */.euz("flow"), "flow"),
            /** None means every flow. */
            flows: schemas/* _default */.Rvf(schemas/* array */.YOg(names/* flowName */.Eo), []),
            /** None means every trigger. */
            triggers: schemas/* _default */.Rvf(schemas/* array */.YOg(schemas/* enum */.k5n(FLOW_TRIGGERS)), []),
        }),
    },
    responses: { 200: schemas/* string */.YjP(), 201: schemas/* string */.YjP() },
});
const putEnvironmentAction = (0,operation/* defineOperation */.h9)({
    name: "putEnvironmentAction",
    summary: "Create or update an environment action: who is told of what happens in which environments",
    method: "PUT",
    path: "/actions/{org}/environments",
    access: "write",
    body: { kind: "json", schema: environmentAction },
    responses: { 200: schemas/* string */.YjP(), 201: schemas/* string */.YjP() },
});
const listActions = (0,operation/* defineOperation */.h9)({
    name: "listActions",
    summary: "List the actions of flows and environments, by number",
    method: "GET",
    path: "/actions/{org}",
    access: "read",
    responses: { 200: schemas/* array */.YOg(action) },
});
const actionNumber = schemas/* object */.Ikc({ action_number: schemas/* int */.Whr() });
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
    responses: { 200: schemas/* string */.YjP() },
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
    responses: { 200: schemas/* array */.YOg(environmentNotification) },
});
const putEnvironmentNotification = (0,operation/* defineOperation */.h9)({
    name: "putEnvironmentNotification",
    summary: "Create or update an environment action by its name",
    method: "PUT",
    path: "/organizations/{org}/environments_notifications",
    access: "write",
    body: { kind: "json", schema: environmentAction },
    invalidBodyMessage,
    responses: { 200: schemas/* string */.YjP(), 201: schemas/* string */.YjP() },
});
const notificationNumber = schemas/* object */.Ikc({ notification_number: schemas/* int */.Whr() });
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
    responses: { 200: schemas/* string */.YjP() },
    errors: NO_ACTION,
});
const deleteEnvironmentNotification = (0,operation/* defineOperation */.h9)({
    name: "deleteEnvironmentNotification",
    summary: "Delete an environment action",
    method: "DELETE",
    path: "/organizations/{org}/environments_notifications/{notification_number}",
    access: "write",
    params: notificationNumber,
    responses: { 200: schemas/* string */.YjP() },
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
        200: schemas/* looseObject */._H3({
            name: schemas/* string */.YjP(),
            /** `shared` or `personal`. */
            kind: schemas/* string */.YjP(),
            experimental_features_enabled: schemas/* optional */.lqM(schemas/* boolean */.zMY()),
            /** Unix seconds. */
            created_at: schemas/* number */.aig(),
            last_modified_at: schemas/* number */.aig(),
        }),
    },
});
const getDefaultOrg = (0,operation/* defineOperation */.h9)({
    name: "getDefaultOrg",
    summary: "Get the organization that the key's owner works in by default",
    method: "GET",
    path: "/user/default-org",
    access: "read",
    responses: { 200: schemas/* looseObject */._H3({ default_org_name: schemas/* nullish */.cl6(schemas/* string */.YjP()) }) },
});
const setDefaultOrg = (0,operation/* defineOperation */.h9)({
    name: "setDefaultOrg",
    summary: "Set the organization that the key's owner works in by default",
    method: "PUT",
    path: "/user/{org}",
    deniesUnknownOrg: true,
    access: "read",
    responses: { 200: schemas/* unknown */.L5J() },
});

;// CONCATENATED MODULE: ./lib/api/policies.js





const policyVersion = schemas/* looseObject */._H3({
    /** Counts from 1. */
    version: schemas/* int */.Whr(),
    /** Why it was changed, as its author said. */
    comment: schemas/* optional */.lqM(schemas/* string */.YjP()),
    /** Unix seconds. */
    timestamp: schemas/* number */.aig(),
    created_by: schemas/* string */.YjP(),
    /** The file as it was uploaded. Empty in lists, and for early versions where all would be more than 10 MB. */
    policy_yaml: schemas/* string */.YjP(),
});
const policyEvent = schemas/* looseObject */._H3({
    /** `creation`, `metadata_update`, `new_version`, `renaming` or `archiving` */
    type: schemas/* string */.YjP(),
    timestamp: schemas/* number */.aig(),
    user: schemas/* string */.YjP(),
    data: schemas/* optional */.lqM(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())),
});
const policy = schemas/* looseObject */._H3({
    name: schemas/* string */.YjP(),
    description: schemas/* string */.YjP(),
    created_by: schemas/* string */.YjP(),
    created_at: schemas/* nullish */.cl6(schemas/* number */.aig()),
    last_modified_at: schemas/* nullish */.cl6(schemas/* number */.aig()),
    archived: schemas/* optional */.lqM(schemas/* boolean */.zMY()),
    /** Oldest first. */
    versions: schemas/* optional */.lqM(schemas/* array */.YOg(policyVersion)),
    /** Oldest first. */
    events: schemas/* optional */.lqM(schemas/* array */.YOg(policyEvent)),
    /** The environments that the policy is attached to. */
    consuming_envs: schemas/* optional */.lqM(schemas/* array */.YOg(schemas/* string */.YjP())),
});
const conditional = schemas/* looseObject */._H3({ if_condition: policyExpression });
const booleanRule = schemas/* looseObject */._H3({ required: schemas/* boolean */.zMY(), exceptions: schemas/* array */.YOg(conditional) });
/** What a version of a policy asks for, as snapshots show it. */
const policyDump = schemas/* looseObject */._H3({
    schema_version: schemas/* string */.YjP(),
    artifacts: schemas/* looseObject */._H3({
        provenance: booleanRule,
        trail_compliance: booleanRule,
        attestations: schemas/* array */.YOg(schemas/* looseObject */._H3({
            if_condition: schemas/* nullish */.cl6(policyExpression),
            name: schemas/* string */.YjP(),
            type: schemas/* string */.YjP(),
            must_be_compliant: schemas/* boolean */.zMY(),
            for_control: schemas/* nullish */.cl6(schemas/* string */.YjP()),
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
        schema: schemas/* strictObject */.rej({
            name: names/* policyName */.ct,
            description: schemas/* _default */.Rvf(texts/* longText */.SW, ""),
            type: schemas/* _default */.Rvf(schemas/* literal */.euz("env"), "env"),
            /** Why the file was changed. */
            comment: schemas/* _default */.Rvf(texts/* longText */.SW, ""),
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
    responses: { 200: schemas/* array */.YOg(policy) },
});
const getPolicy = (0,operation/* defineOperation */.h9)({
    name: "getPolicy",
    summary: "Read a policy with its versions",
    method: "GET",
    path: "/policies/{org}/{policy_name}",
    access: "read",
    params: schemas/* object */.Ikc({ policy_name: names/* reference */.ir }),
    responses: { 200: policy },
    errors: { 404: "No such policy" },
});
const getPolicySchema = (0,operation/* defineOperation */.h9)({
    name: "getPolicySchema",
    summary: "Read the JSON Schema of the environment policy file, version 1",
    method: "GET",
    path: "/schemas/environment-policy/v1",
    access: "read",
    responses: { 200: schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J()) },
});

;// CONCATENATED MODULE: ./lib/api/reports.js




/* What runs in environments, reported type by type in one shape. */
const params = schemas/* object */.Ikc({ env_name: names/* reference */.ir });
/** 201 when a snapshot was created, 200 when the latest one still holds. */
const responses = { 200: schemas/* string */.YjP(), 201: schemas/* string */.YjP() };
const reports_errors = { 404: "No such environment" };
/** sha256 in hex by artifact name. */
const digests = schemas/* record */.g1P(texts/* shortText */.os, names/* fingerprint */.Rj);
/** Empty for an artifact whose digest could not be found out. */
const digestsIfKnown = schemas/* record */.g1P(texts/* shortText */.os, schemas/* union */.KCZ([names/* fingerprint */.Rj, schemas/* literal */.euz("")]));
/** Unix seconds. */
const creationTimestamp = schemas/* int */.Whr();
const plainEntry = schemas/* strictObject */.rej({ digests, creationTimestamp });
/** An artifact of a plain list: there is nothing to tell but what it is and since when it runs. */
const plainReport = (kind) => ({
    kind: "json",
    schema: schemas/* strictObject */.rej({ type: schemas/* _default */.Rvf(schemas/* literal */.euz(kind), kind), artifacts: schemas/* array */.YOg(plainEntry) }),
});
const ownerReference = schemas/* looseObject */._H3({
    apiVersion: texts/* shortText */.os,
    kind: texts/* shortText */.os,
    name: texts/* shortText */.os,
    uid: texts/* shortText */.os,
    controller: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
    blockOwnerDeletion: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
});
const podEntry = schemas/* strictObject */.rej({
    podName: texts/* shortText */.os,
    namespace: texts/* shortText */.os,
    /** sha256 in hex by image name. */
    digests: schemas/* record */.g1P(texts/* shortText */.os, names/* fingerprint */.Rj),
    /** Unix seconds. */
    creationTimestamp: schemas/* int */.Whr(),
    owners: schemas/* nullish */.cl6(schemas/* array */.YOg(ownerReference)),
});
const taskEntry = schemas/* strictObject */.rej({
    taskArn: texts/* shortText */.os,
    digests: digestsIfKnown,
    cluster_name: schemas/* nullish */.cl6(texts/* shortText */.os),
    service_name: schemas/* nullish */.cl6(texts/* shortText */.os),
    creationTimestamp,
});
const appEntry = schemas/* strictObject */.rej({
    app_name: texts/* shortText */.os,
    app_kind: texts/* shortText */.os,
    /** Where the digests were found. */
    digests_source: schemas/* enum */.k5n(["acr", "logs", "kosli-cli"]),
    digests: digestsIfKnown,
    creationTimestamp,
});
const runEntry = schemas/* strictObject */.rej({
    kind: texts/* shortText */.os,
    serviceName: schemas/* nullish */.cl6(texts/* shortText */.os),
    revisionName: schemas/* nullish */.cl6(texts/* shortText */.os),
    jobName: schemas/* nullish */.cl6(texts/* shortText */.os),
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
        schema: schemas/* strictObject */.rej({ type: schemas/* _default */.Rvf(schemas/* literal */.euz("K8S"), "K8S"), artifacts: schemas/* array */.YOg(podEntry) }),
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
        schema: schemas/* strictObject */.rej({ type: schemas/* _default */.Rvf(schemas/* literal */.euz("ECS"), "ECS"), artifacts: schemas/* array */.YOg(taskEntry) }),
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
        schema: schemas/* strictObject */.rej({
            type: schemas/* _default */.Rvf(schemas/* literal */.euz("azure-apps"), "azure-apps"),
            artifacts: schemas/* array */.YOg(appEntry),
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
        schema: schemas/* strictObject */.rej({
            type: schemas/* _default */.Rvf(schemas/* literal */.euz("cloud-run"), "cloud-run"),
            artifacts: schemas/* array */.YOg(runEntry),
        }),
    },
    responses,
    errors: reports_errors,
});

;// CONCATENATED MODULE: ./lib/api/repos.js





const repo = schemas/* looseObject */._H3({
    /** The service's own id. */
    id: schemas/* optional */.lqM(schemas/* string */.YjP()),
    name: schemas/* string */.YjP(),
    url: schemas/* string */.YjP(),
    provider: schemas/* nullish */.cl6(provenance/* repoProvider */.g5),
    /** The forge's own id: the stronger identifier, since names can change. */
    repo_id: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    description: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    latest_activity: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    tags: schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* string */.YjP())),
    _links: schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())),
});
/** The most tags that a list may be filtered by. */
const repos_MAX_TAG_FILTERS = 100;
const listRepos = (0,operation/* defineOperation */.h9)({
    name: "listRepos",
    summary: "List the captured repositories, sorted by name",
    method: "GET",
    path: "/repos/{org}",
    access: "read",
    query: schemas/* object */.Ikc({
        page: schemas/* _default */.Rvf(schemas/* int */.Whr().check(api/* _gte */.qm(1)), 1),
        per_page: schemas/* _default */.Rvf(schemas/* int */.Whr().check(api/* _gte */.qm(1), api/* _lte */.Zm(50)), 15),
        /** Exact match. Ignored when `repo_id` is given. */
        name: schemas/* optional */.lqM(texts/* shortText */.os),
        provider: schemas/* optional */.lqM(provenance/* repoProvider */.g5),
        /** Exact match on the forge's own id. */
        repo_id: schemas/* optional */.lqM(texts/* shortText */.os),
        /** Part of the name, in any letter case. Not together with `name`. */
        search: schemas/* optional */.lqM(texts/* shortText */.os),
        /** Each `key:value`, or `key` for any value; a repository must have all of them. */
        tag: schemas/* optional */.lqM(schemas/* array */.YOg(texts/* shortText */.os.check(api/* _minLength */.m9(1))).check(api/* _maxLength */.Eb(repos_MAX_TAG_FILTERS))),
        sort_direction: schemas/* _default */.Rvf(schemas/* enum */.k5n(["asc", "desc"]), "asc"),
    }),
    responses: {
        200: schemas/* strictObject */.rej({
            _links: schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())),
            page: schemas/* int */.Whr(),
            per_page: schemas/* int */.Whr(),
            total_pages: schemas/* int */.Whr(),
            total_count: schemas/* int */.Whr(),
            repos: schemas/* array */.YOg(repo),
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
    params: schemas/* object */.Ikc({ repo_name: names/* reference */.ir }),
    query: schemas/* object */.Ikc({
        provider: schemas/* optional */.lqM(provenance/* repoProvider */.g5),
        /** The service's own id. Given, the name in the path is ignored. */
        id: schemas/* optional */.lqM(texts/* shortText */.os),
    }),
    responses: { 200: repo },
    errors: { 404: "No such repository" },
});
const repos_links = schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J()));
/** With several repositories of the name, the one captured last is meant. */
const listLiveArtifacts = (0,operation/* defineOperation */.h9)({
    name: "listLiveArtifacts",
    summary: "List where the artifacts of a repository run",
    method: "GET",
    path: "/repos/{org}/live-artifacts/{repo_name}",
    slashesInLastParam: true,
    access: "read",
    params: schemas/* object */.Ikc({ repo_name: names/* reference */.ir }),
    query: schemas/* object */.Ikc({ provider: schemas/* optional */.lqM(provenance/* repoProvider */.g5) }),
    responses: {
        200: schemas/* looseObject */._H3({
            _links: repos_links,
            /** The artifacts and environments that `live_artifacts` names by their ids. */
            _embedded: schemas/* nullish */.cl6(schemas/* looseObject */._H3({
                artifacts: schemas/* array */.YOg(schemas/* looseObject */._H3({
                    id: schemas/* string */.YjP(),
                    fingerprint: schemas/* string */.YjP(),
                    commit_sha: schemas/* nullish */.cl6(schemas/* string */.YjP()),
                    commit_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
                    _links: repos_links,
                })),
                environments: schemas/* array */.YOg(schemas/* looseObject */._H3({ id: schemas/* string */.YjP(), name: schemas/* string */.YjP(), type: schemas/* string */.YjP(), _links: repos_links })),
            })),
            live_artifacts: schemas/* array */.YOg(schemas/* looseObject */._H3({
                environment_id: schemas/* string */.YjP(),
                artifact_id: schemas/* string */.YjP(),
                artifact_name: schemas/* string */.YjP(),
                snapshot_index: schemas/* int */.Whr(),
                compliance: schemas/* nullish */.cl6(schemas/* string */.YjP()),
                /** Unix seconds: since when the environment has had it without a break. */
                started_at: schemas/* number */.aig(),
                _links: repos_links,
            })),
        }),
    },
    errors: { 404: "No such repository" },
});

;// CONCATENATED MODULE: ./lib/api/search.js



const matches = schemas/* looseObject */._H3({
    type: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    count: schemas/* nullish */.cl6(schemas/* int */.Whr()),
    matches: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* string */.YjP())),
});
const searchSha = (0,operation/* defineOperation */.h9)({
    name: "searchSha",
    summary: "Find artifacts by their fingerprint or commit, or by the start of either",
    method: "GET",
    path: "/search/{org}/sha/{search_value}",
    access: "read",
    params: schemas/* object */.Ikc({ search_value: names/* shaPrefix */.xQ }),
    responses: {
        200: schemas/* looseObject */._H3({
            resolved_to: schemas/* nullish */.cl6(schemas/* looseObject */._H3({
                /** `fingerprint`, `commit`, or `multiple` when the value is the start of several. */
                type: schemas/* nullish */.cl6(schemas/* string */.YjP()),
                /** The whole of what the value is the start of; null when there are several. */
                full_match: schemas/* nullish */.cl6(schemas/* string */.YjP()),
                fingerprints: schemas/* nullish */.cl6(matches),
                commits: schemas/* nullish */.cl6(matches),
            })),
            /** Newest first. */
            artifacts: schemas/* array */.YOg(schemas/* looseObject */._H3({
                fingerprint: schemas/* string */.YjP(),
                name: schemas/* string */.YjP(),
                has_provenance: schemas/* boolean */.zMY(),
                git_commit: schemas/* nullish */.cl6(schemas/* string */.YjP()),
                flow: schemas/* nullish */.cl6(schemas/* string */.YjP()),
                trail: schemas/* nullish */.cl6(schemas/* string */.YjP()),
                template_reference_name: schemas/* nullish */.cl6(schemas/* string */.YjP()),
                build_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
                commit_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
                compliance_state: schemas/* nullish */.cl6(schemas/* string */.YjP()),
                /** Names of environments. */
                running_in: schemas/* array */.YOg(schemas/* string */.YjP()),
                exited_from: schemas/* array */.YOg(schemas/* string */.YjP()),
                html_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
                api_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
                history: schemas/* array */.YOg(schemas/* unknown */.L5J()),
            })),
        }),
    },
    errors: { 404: "Nothing starts with this value" },
});

;// CONCATENATED MODULE: ./lib/api/service-accounts.js



/** What an account may do, from most to least. */
const privilege = schemas/* enum */.k5n(["admin", "member", "snapshotter", "reader"]);
const description = schemas/* string */.YjP().check(api/* _maxLength */.Eb(512));
const serviceAccount = schemas/* looseObject */._H3({
    name: schemas/* string */.YjP(),
    display_name: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    privilege: schemas/* string */.YjP(),
    description: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    /** Who made it: an account's name. Null when that account is gone, or it was made on the command line. */
    creating_user_id: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    /** Unix seconds. */
    created_at: schemas/* nullish */.cl6(schemas/* number */.aig()),
    for_webhook: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
});
const service_accounts_accountParam = schemas/* object */.Ikc({ name: names/* reference */.ir });
const service_accounts_NO_ACCOUNT = { 404: "No such service account" };
const createServiceAccount = (0,operation/* defineOperation */.h9)({
    name: "createServiceAccount",
    summary: "Create a service account, with no more rights than one's own",
    method: "POST",
    path: "/service-accounts/{org}",
    access: "manage accounts",
    body: {
        kind: "json",
        schema: schemas/* object */.Ikc({
            name: names/* serviceAccountName */.uY,
            description: schemas/* nullish */.cl6(description),
            privilege: schemas/* _default */.Rvf(privilege, "reader"),
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
    responses: { 200: schemas/* array */.YOg(serviceAccount) },
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
        schema: schemas/* object */.Ikc({ description: schemas/* nullish */.cl6(description), privilege: schemas/* optional */.lqM(privilege) }),
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
    responses: { 200: schemas/* string */.YjP() },
    errors: service_accounts_NO_ACCOUNT,
});

;// CONCATENATED MODULE: ./lib/api/snapshots.js






/* What was seen to run: snapshots, what changed with each, and how two of them differ. */
const deploymentDiff = schemas/* looseObject */._H3({
    /** Where to see what changed since the artifact that ran before. */
    diff_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    previous_git_commit: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    previous_fingerprint: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    previous_artifact_name: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    previous_artifact_compliance_state: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    /** Whether the artifact that ran before still runs beside this one. */
    previous_running: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
    previous_git_commit_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    previous_trail_name: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    previous_template_reference_name: schemas/* nullish */.cl6(schemas/* string */.YjP()),
});
const snapshotFlow = schemas/* looseObject */._H3({
    flow_name: schemas/* string */.YjP(),
    trail_name: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    template_reference_name: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    git_commit: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    commit_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    git_commit_info: schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())),
    html_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    flow_html_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    deployment_diff: schemas/* nullish */.cl6(deploymentDiff),
    /** Seconds from the commit to when it started to run. */
    commit_lead_time: schemas/* nullish */.cl6(schemas/* number */.aig()),
    artifact_compliance_in_flow: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
    flow_reasons_for_non_compliance: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* unknown */.L5J())),
});
const snapshotArtifact = schemas/* looseObject */._H3({
    name: schemas/* string */.YjP(),
    fingerprint: schemas/* string */.YjP(),
    /** Null without policies. */
    compliant: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
    deployments: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* unknown */.L5J())),
    policy_decisions: schemas/* nullish */.cl6(schemas/* array */.YOg(policyEvaluation)),
    reasons_for_incompliance: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* unknown */.L5J())),
    /** Unix seconds, one for each instance. */
    creationTimestamp: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* number */.aig())),
    /** By pod name. */
    pods: schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())),
    /** Of Azure apps and Cloud Run: each as it was reported. */
    instances: schemas/* optional */.lqM(schemas/* array */.YOg(schemas/* looseObject */._H3({
        /** Unix seconds. */
        creationTimestamp: schemas/* number */.aig(),
        app_name: schemas/* optional */.lqM(schemas/* string */.YjP()),
        app_kind: schemas/* optional */.lqM(schemas/* string */.YjP()),
        /** Where the digests were found. */
        digests_source: schemas/* optional */.lqM(schemas/* string */.YjP()),
        kind: schemas/* optional */.lqM(schemas/* string */.YjP()),
        serviceName: schemas/* nullish */.cl6(schemas/* string */.YjP()),
        revisionName: schemas/* nullish */.cl6(schemas/* string */.YjP()),
        jobName: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    }))),
    /** What changed with this snapshot; `now` is 0 for what stopped running. */
    annotation: schemas/* nullish */.cl6(schemas/* looseObject */._H3({ type: schemas/* string */.YjP(), was: schemas/* nullish */.cl6(schemas/* int */.Whr()), now: schemas/* nullish */.cl6(schemas/* int */.Whr()) })),
    flow_name: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    git_commit: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    commit_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    html_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    flow_html_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    deployment_diff: schemas/* nullish */.cl6(deploymentDiff),
    commit_lead_time: schemas/* nullish */.cl6(schemas/* number */.aig()),
    /** Where it was built; empty when nobody knows. */
    flows: schemas/* nullish */.cl6(schemas/* array */.YOg(snapshotFlow)),
    ecs_context: schemas/* nullish */.cl6(schemas/* looseObject */._H3({
        task_arn: schemas/* nullish */.cl6(schemas/* string */.YjP()),
        cluster_name: schemas/* nullish */.cl6(schemas/* string */.YjP()),
        service_name: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    })),
});
const snapshot = schemas/* looseObject */._H3({
    /** Counts from 1 in each environment. */
    index: schemas/* int */.Whr(),
    is_latest: schemas/* boolean */.zMY(),
    /** Null for the latest. */
    next_snapshot_timestamp: schemas/* nullish */.cl6(schemas/* number */.aig()),
    /** By `true`, `false` and `null`. */
    artifact_compliance_count: schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* int */.Whr()),
    timestamp: schemas/* number */.aig(),
    type: schemas/* string */.YjP(),
    compliant: schemas/* boolean */.zMY(),
    html_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    artifacts: schemas/* array */.YOg(snapshotArtifact),
    applied_policies: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J()))),
});
/** The most artifacts of a snapshot that a page may have. */
const MAX_ARTIFACTS_PER_PAGE = 1_000;
const snapshots_pages = {
    page: schemas/* _default */.Rvf(schemas/* int */.Whr().check(api/* _gte */.qm(1)), 1),
    per_page: schemas/* _default */.Rvf(schemas/* int */.Whr().check(api/* _gte */.qm(1)), 15),
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
    params: schemas/* object */.Ikc({ env_name: names/* reference */.ir }),
    query: schemas/* object */.Ikc({
        ...snapshots_pages,
        /** `5..10`, `~5..NOW` or `@{2026-01-01T00:00:00}..@{now}`; one end alone, as in `~5`, goes on to now. */
        interval: schemas/* _default */.Rvf(texts/* shortText */.os, "1..NOW"),
        reverse: schemas/* _default */.Rvf(schemas/* boolean */.zMY(), false),
    }),
    responses: {
        200: schemas/* array */.YOg(schemas/* looseObject */._H3({
            index: schemas/* int */.Whr(),
            /** Unix seconds. */
            from: schemas/* number */.aig(),
            /** 0 for the one that holds now. */
            to: schemas/* number */.aig(),
            compliant: schemas/* boolean */.zMY(),
            /** Seconds. */
            duration: schemas/* number */.aig(),
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
    params: schemas/* object */.Ikc({ env_name: names/* reference */.ir, snapshot_expression: names/* reference */.ir }),
    /** Given, the answer has one page of the artifacts, and the header `Link` leads to the others. */
    query: schemas/* object */.Ikc({
        page: schemas/* optional */.lqM(paging/* pageNumber */.PW),
        per_page: schemas/* optional */.lqM(schemas/* int */.Whr().check(api/* _gte */.qm(1), api/* _lte */.Zm(MAX_ARTIFACTS_PER_PAGE))),
    }),
    responses: { 200: snapshot },
    errors: { 404: "No such environment or snapshot" },
});
const diffArtifact = schemas/* looseObject */._H3({
    fingerprint: schemas/* string */.YjP(),
    name: schemas/* string */.YjP(),
    /** Unix seconds: when its youngest instance was created. */
    most_recent_timestamp: schemas/* int */.Whr(),
    /** Empty when nobody knows where it was built. */
    flow: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    commit_url: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    instance_count: schemas/* nullish */.cl6(schemas/* int */.Whr()),
    s1_instance_count: schemas/* nullish */.cl6(schemas/* int */.Whr()),
    s2_instance_count: schemas/* nullish */.cl6(schemas/* int */.Whr()),
    pods: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* string */.YjP())),
});
const diffItem = schemas/* looseObject */._H3({
    /** `prod#12` */
    snapshot_id: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    artifacts: schemas/* array */.YOg(diffArtifact),
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
    query: schemas/* object */.Ikc({ snappish1: names/* reference */.ir, snappish2: names/* reference */.ir }),
    responses: {
        200: schemas/* looseObject */._H3({
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
const resourceType = schemas/* enum */.k5n([
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
    params: schemas/* object */.Ikc({ resource_type: resourceType, resource_id: names/* reference */.ir }),
    body: {
        kind: "json",
        schema: schemas/* strictObject */.rej({
            /** A resource has at most {@link MAX_TAGS} tags. */
            set_tags: schemas/* nullish */.cl6(schemas/* record */.g1P(names/* tagKey */.E4, texts/* shortText */.os).register(registries/* globalRegistry */.fd, { maxProperties: MAX_TAGS })),
            /** Keys. One that is set as well ends up removed; one that is not there changes nothing. */
            remove_tags: schemas/* nullish */.cl6(schemas/* array */.YOg(texts/* shortText */.os)),
        }),
    },
    example: { set_tags: { team: "web" }, remove_tags: ["draft"] },
    responses: { 200: schemas/* string */.YjP() },
    errors: { 404: "No such resource" },
});

;// CONCATENATED MODULE: ./lib/api/trails.js







const beginTrail = (0,operation/* defineOperation */.h9)({
    name: "beginTrail",
    summary: "Begin a trail, or update the fields that are given",
    method: "PUT",
    path: "/trails/{org}/{flow_name}",
    access: "write",
    params: schemas/* object */.Ikc({ flow_name: names/* reference */.ir }),
    body: {
        kind: "multipart",
        part: "data_json",
        schema: schemas/* object */.Ikc({ name: names/* trailName */.gZ, ...submission/* originFields */.uL, origin_url: schemas/* nullish */.cl6(names/* webAddress */.Dy) }),
        files: { template_file: { count: "one" } },
    },
    responses: { 200: schemas/* unknown */.L5J(), 201: schemas/* unknown */.L5J() },
    errors: { 404: "No such flow" },
});
const trailPage = schemas/* looseObject */._H3({ data: schemas/* array */.YOg(trail_record/* trailRecord */._B), pagination: schemas/* nullish */.cl6(paging/* pagination */.X$) });
/** The most trails of an answer, be it asked for in pages or not: the interface sets no bound. */
const MAX_TRAILS = 1_000;
const trailsPerPage = schemas/* int */.Whr().check(api/* _gte */.qm(1), api/* _lte */.Zm(MAX_TRAILS));
/** `key=value` */
const flowTag = texts/* shortText */.os.check(api/* _regex */.Fk(/^[a-zA-Z0-9][a-zA-Z0-9\-_.~]*=.*$/s));
const getTrail = (0,operation/* defineOperation */.h9)({
    name: "getTrail",
    summary: "Get a trail with its compliance and its events",
    method: "GET",
    path: "/trails/{org}/{flow_name}/{trail_name}",
    access: "read",
    params: schemas/* object */.Ikc({ flow_name: names/* reference */.ir, trail_name: names/* reference */.ir }),
    responses: { 200: trail_record/* trailRecord */._B },
    errors: { 404: "No such flow or trail" },
});
/** Without `per_page` the answer is a plain list, of at most {@link MAX_TRAILS} trails a page. */
const listFlowTrails = (0,operation/* defineOperation */.h9)({
    name: "listFlowTrails",
    summary: "List the trails of a flow, newest first",
    method: "GET",
    path: "/trails/{org}/{flow_name}",
    access: "read",
    params: schemas/* object */.Ikc({ flow_name: names/* reference */.ir }),
    query: schemas/* object */.Ikc({
        /** What the trails are. */
        compliance_state: schemas/* optional */.lqM(trail_record/* complianceState */.Bt),
        page: schemas/* _default */.Rvf(paging/* pageNumber */.PW, 1),
        per_page: schemas/* optional */.lqM(trailsPerPage),
    }),
    responses: { 200: schemas/* union */.KCZ([schemas/* array */.YOg(trail_record/* trailRecord */._B), trailPage]) },
    errors: { 404: "No such flow" },
});
const listTrails = (0,operation/* defineOperation */.h9)({
    name: "listTrails",
    summary: "List the trails of all flows, newest first",
    method: "GET",
    path: "/trails/{org}",
    access: "read",
    query: schemas/* object */.Ikc({
        /** The name of a flow. */
        flow: schemas/* optional */.lqM(names/* reference */.ir),
        /** Of flows with this tag: `key=value`. */
        flow_tag: schemas/* optional */.lqM(flowTag),
        /** That an artifact of this fingerprint was reported to. */
        fingerprint: schemas/* optional */.lqM(names/* fingerprintPrefix */.h5),
        /** What the trails are. */
        compliance_state: schemas/* optional */.lqM(trail_record/* complianceState */.Bt),
        page: schemas/* _default */.Rvf(paging/* pageNumber */.PW, 1),
        per_page: schemas/* _default */.Rvf(trailsPerPage, 20),
    }),
    responses: { 200: trailPage },
    errors: { 404: "No such flow" },
});
/**
 * A gzip tar of the trail, its artifacts, its attestations and every file attached to them. `manifest.json` in it
 * gives the sha256 of each. Packing the same records twice gives the same bytes.
 */
const getTrailAuditPackage = (0,operation/* defineOperation */.h9)({
    name: "getTrailAuditPackage",
    summary: "Download all that a trail holds as one archive",
    method: "GET",
    path: "/trails/{org}/{flow_name}/{trail_name}/audit_package",
    access: "read",
    params: schemas/* object */.Ikc({ flow_name: names/* reference */.ir, trail_name: names/* reference */.ir }),
    responses: { 200: operation/* fileAnswer */.HL },
    errors: { 404: "No such flow or trail" },
});

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
    attestCustom: attestCustom,
    attestGeneric: attestGeneric,
    attestJira: attestJira,
    attestJunit: attestJunit,
    attestPullRequest: attestPullRequest,
    attestSnyk: attestSnyk,
    attestSonar: attestSonar,
    attestSystem: attestSystem,
    beginTrail: beginTrail,
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
    downloadEvidence: attestations/* downloadEvidence */.An,
    getAction: getAction,
    getApiKey: getApiKey,
    getApproval: getApproval,
    getArtifact: artifacts/* getArtifact */.jZ,
    getArtifactAttestation: attestations/* getArtifactAttestation */["do"],
    getArtifactAuditPackage: artifacts/* getArtifactAuditPackage */.of,
    getArtifactCommit: getArtifactCommit,
    getArtifactsByCommit: artifacts/* getArtifactsByCommit */.Q4,
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
    getLatestCommit: artifacts/* getLatestCommit */.rJ,
    getOrganization: getOrganization,
    getPolicy: getPolicy,
    getPolicySchema: getPolicySchema,
    getRepo: getRepo,
    getServiceAccount: getServiceAccount,
    getSnapshot: getSnapshot,
    getTrail: getTrail,
    getTrailAuditPackage: getTrailAuditPackage,
    joinEnvironment: joinEnvironment,
    listActions: listActions,
    listAllowlists: listAllowlists,
    listApiKeys: listApiKeys,
    listApprovals: listApprovals,
    listArtifactApprovals: listArtifactApprovals,
    listArtifacts: artifacts/* listArtifacts */.wn,
    listAttestations: attestations/* listAttestations */.el,
    listAttestationsForCriteria: attestations/* listAttestationsForCriteria */.gt,
    listControlDecisions: listControlDecisions,
    listControlVersions: listControlVersions,
    listControls: listControls,
    listCustomAttestationTypes: listCustomAttestationTypes,
    listEnvironmentEvents: listEnvironmentEvents,
    listEnvironmentNotifications: listEnvironmentNotifications,
    listEnvironments: listEnvironments,
    listFlowArtifacts: artifacts/* listFlowArtifacts */.is,
    listFlowAttestations: attestations/* listFlowAttestations */.NZ,
    listFlowTrails: listFlowTrails,
    listFlows: listFlows,
    listLiveArtifacts: listLiveArtifacts,
    listPolicies: listPolicies,
    listRepos: listRepos,
    listServiceAccounts: listServiceAccounts,
    listSnapshots: listSnapshots,
    listSystemAttestationTypes: attestations/* listSystemAttestationTypes */.Pc,
    listTrailAttestations: attestations/* listTrailAttestations */.I1,
    listTrails: listTrails,
    overrideAttestation: overrideAttestation,
    putEnvironmentAction: putEnvironmentAction,
    putEnvironmentNotification: putEnvironmentNotification,
    putFlowAction: putFlowAction,
    putPolicy: putPolicy,
    recordApproval: recordApproval,
    renameEnvironment: renameEnvironment,
    renameFlow: renameFlow,
    reportArtifact: reportArtifact,
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

// EXTERNAL MODULE: ./lib/spool/layout.js
var layout = __webpack_require__(953);
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
    return (await sizeOf((0,external_node_path_.join)(path, layout/* RECORDED_FILE */.yK))) !== undefined;
}
/** Whether a spool, which need not be there, holds anything that is not on record. */
async function hasWaiting(folder) {
    if (!(await lstat(folder).catch(() => undefined)))
        return false;
    for (const kept of await readSpool(folder))
        if (!(await isDone(kept)))
            return true;
    return false;
}
/** Reads a submission and makes sure that it is what was kept. */
async function openSubmission({ path }) {
    const size = await sizeOf((0,external_node_path_.join)(path, layout/* SUBMISSION_FILE */.Ku));
    if (size === undefined)
        return { damage: `it has no ${layout/* SUBMISSION_FILE */.Ku}` };
    if (size > MAX_SUBMISSION_BYTES)
        return { damage: `${layout/* SUBMISSION_FILE */.Ku} is too large to be one` };
    const json = (0,api_json/* parseJson */.q)(await (0,promises_.readFile)((0,external_node_path_.join)(path, layout/* SUBMISSION_FILE */.Ku), "utf8"));
    const read = parse/* safeParse */.xL(layout/* submissionFile */.Bl, json?.value);
    if (!read.success) {
        const field = read.error.issues[0]?.path.join(".");
        return { damage: `${layout/* SUBMISSION_FILE */.Ku} is not one of this version${field ? `: see '${field}'` : ""}` };
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
        const at = (0,external_node_path_.join)(path, layout/* FILES_FOLDER */.rv, String(index));
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


/***/ }),

/***/ 1043:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ac: () => (/* binding */ isSubmissionName),
/* harmony export */   M$: () => (/* binding */ MARK),
/* harmony export */   Md: () => (/* binding */ isSpoolable)
/* harmony export */ });
/* unused harmony export submissionName */
/**
 * The annotation by which a record is known again. A service need remember an `Idempotency-Key` for a day only, and
 * one of another API key not at all; the record keeps its annotations for good.
 */
const MARK = "delivery-evidence-submission";
/**
 * Whether an operation can be kept for later: what it says stays true, it can be marked, and a service that was not
 * there to be asked is not needed to know what to say. A report of what runs is none: it would be old news as new.
 */
function isSpoolable({ method, path, takesIdempotencyKey }) {
    return (method === "POST" &&
        takesIdempotencyKey === true &&
        (path.startsWith("/attestations/{org}/") || path === "/artifacts/{org}/{flow_name}"));
}
/** Time, a number for those of one moment, and what tells apart the submissions of several machines. */
const NAME = /^(\d{8}T\d{9}Z)-(\d{6})-[0-9a-f]{8}$/;
function isSubmissionName(name) {
    return NAME.test(name);
}
/**
 * The name of a submission's folder. Names sort as the submissions were made, even when the clock was set back.
 *
 * @param names what is in the spool already
 * @param random eight hexadecimal digits
 */
function submissionName(names, now, random) {
    const [, lastTime = "", lastNumber = "0"] = NAME.exec(names.filter(isSubmissionName).sort().at(-1) ?? "") ?? [];
    const time = now.toISOString().replace(/[-:.]/g, "");
    const [from, number] = time > lastTime ? [time, 0] : [lastTime, Number(lastNumber) + 1];
    return `${from}-${String(number).padStart(6, "0")}-${random}`;
}


/***/ })

};
