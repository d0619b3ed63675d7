export const id = 526;
export const ids = [526];
export const modules = {

/***/ 526:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  recordArtifact: () => (/* binding */ recordArtifact)
});

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 3 modules
var schemas = __webpack_require__(3619);
// EXTERNAL MODULE: ./node_modules/zod/v4/core/api.js + 1 modules
var api = __webpack_require__(3305);
// EXTERNAL MODULE: ./lib/api/names.js
var names = __webpack_require__(7780);
// EXTERNAL MODULE: ./lib/api/operation.js
var operation = __webpack_require__(2441);
// EXTERNAL MODULE: ./lib/api/provenance.js
var provenance = __webpack_require__(3981);
// EXTERNAL MODULE: ./lib/api/submission.js
var submission = __webpack_require__(9418);
;// CONCATENATED MODULE: ./lib/api/artifact-report.js





const artifactReport = schemas/* looseObject */._H3({
    fingerprint: names/* fingerprint */.Rj,
    /** The name people know it by: a file name, an image reference. */
    filename: schemas/* string */.YjP().check(api/* _minLength */.m9(1)),
    build_url: names/* webAddress */.Dy,
    commit_url: names/* webAddress */.Dy,
    trail_name: schemas/* nullish */.cl6(names/* trailName */.gZ),
    /** Its name in the flow template. */
    template_reference_name: schemas/* nullish */.cl6(names/* artifactName */.Cs),
    git_commit: schemas/* nullish */.cl6(names/* commitSha */.mJ),
    commits_list: schemas/* nullish */.cl6(schemas/* array */.YOg(provenance/* gitCommitInfo */.Or)),
    repo_url: schemas/* nullish */.cl6(schemas/* union */.KCZ([names/* webAddress */.Dy, schemas/* literal */.euz("")])),
    is_compliant: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
    annotations: schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())),
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
    takesIdempotencyKey: true,
});

// EXTERNAL MODULE: ./lib/api/errors.js
var errors = __webpack_require__(8937);
;// CONCATENATED MODULE: ./lib/actions/attest/kinds/artifact.js



/** Reports that an artifact was built. */
async function recordArtifact(claim, context) {
    const { values, flow, trail, name, fingerprint, origin } = claim;
    const { gitCommitInfo, repoInfo, originUrl, ...rest } = origin;
    const problems = [];
    if (originUrl === undefined)
        problems.push({ input: "origin-url", problem: "is required outside of a workflow run" });
    if (!gitCommitInfo?.url)
        problems.push({
            input: "commit",
            problem: "is required: an artifact is built from a commit of a known repository",
        });
    if (originUrl === undefined || !gitCommitInfo?.url || fingerprint === undefined)
        throw new errors/* InputError */.dz(problems);
    const reply = await context.call(reportArtifact, {
        flowName: flow,
        body: {
            fingerprint,
            filename: values.artifact === undefined ? name : (0,external_node_path_.basename)(values.artifact),
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
    return { requestId: reply?.requestId, attachments: [], compliant: undefined, reason: "", tables: [] };
}


/***/ })

};
