export const id = 37;
export const ids = [37];
export const modules = {

/***/ 1037:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  matchReader: () => (/* binding */ matchReader)
});

// EXTERNAL MODULE: ./lib/api/attestation-type.js
var attestation_type = __webpack_require__(4627);
// EXTERNAL MODULE: ./lib/api/errors.js
var errors = __webpack_require__(8937);
// EXTERNAL MODULE: ./lib/api/nearest.js
var nearest = __webpack_require__(8258);
;// CONCATENATED MODULE: ./lib/api/match-template.js


/** Whether a template asks for a record and, when it asks for others in its place, which of them comes nearest. */
function matchTemplate(template, record) {
    return "attestation" in record
        ? judge(attestationSlots(template), (slot) => meets(record, slot), farnessFrom(record))
        : judge(template.artifacts.map(({ name }) => ({ artifact: name })), ({ artifact }) => artifact === record.artifact, ({ artifact }) => nameDistance(artifact, record.artifact));
}
/** More slots than this are not compared, so that no template makes each record slow. */
const MOST_COMPARED = 500;
function judge(slots, meetsIt, farness) {
    if (slots.length === 0)
        return { result: "nothing-asked" };
    if (slots.some(meetsIt))
        return { result: "met" };
    const ranked = slots.slice(0, MOST_COMPARED).map((slot) => ({ slot, far: farness(slot) }));
    const [nearest] = ranked.sort((a, b) => a.far - b.far);
    return { result: "unmet", ...(nearest && { nearest: nearest.slot }) };
}
function attestationSlots({ attestations, artifacts }) {
    const slotOf = (artifact) => (rule) => ({
        artifact,
        attestation: rule.name,
        type: rule.type,
    });
    return [
        ...attestations.map(slotOf(undefined)),
        ...artifacts.flatMap(({ name, attestations: own }) => own.map(slotOf(name))),
    ];
}
function meets(record, slot) {
    const { artifact, attestation } = slot;
    if (artifact !== undefined && record.elsewhere?.includes(artifact))
        return false;
    return record.attestation === attestation && hasType(record, slot) && isAboutThat(record, slot);
}
function hasType({ type }, slot) {
    return type === undefined || (0,attestation_type/* isOfType */.g)(type, slot.type);
}
function isAboutThat({ artifacts }, { artifact }) {
    return artifact === undefined ? artifacts.length === 0 : artifacts.includes(artifact);
}
/** From here on names have nothing in common, and the type tells more. */
const UNLIKE = 4;
/** A slip in the name is likelier than another type, and that is likelier than another subject. */
function farnessFrom(record) {
    return (slot) => {
        const names = nameDistance(record.attestation, slot.attestation);
        // The rest only orders what is equally unlike.
        const name = names < UNLIKE ? names : UNLIKE + names / 1_000;
        return name + (hasType(record, slot) ? 0 : 1.5) + (isAboutThat(record, slot) ? 0 : 0.5);
    };
}
/** Names that agree for so many letters and differ later are near enough. */
const MOST_LETTERS = 64;
function nameDistance(one, other) {
    const start = (name) => name.slice(0, MOST_LETTERS).toLowerCase();
    return (0,nearest/* editDistance */.Y)(start(one), start(other));
}

// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js
var schemas = __webpack_require__(4343);
// EXTERNAL MODULE: ./node_modules/zod/v4/core/parse.js + 1 modules
var parse = __webpack_require__(3945);
// EXTERNAL MODULE: ./lib/api/trails.js
var trails = __webpack_require__(2151);
// EXTERNAL MODULE: ./lib/evidence/structured-data.js
var structured_data = __webpack_require__(579);
;// CONCATENATED MODULE: ./lib/actions/trail-template.js



/** Reads each trail once, however often it is asked for. */
function trailReader({ call }) {
    const known = new Map();
    return ({ flow, trail }) => {
        const key = JSON.stringify([flow, trail]);
        const found = known.get(key) ?? call(trails/* getTrail */.PH, { flowName: flow, trailName: trail }).then((reply) => reply?.body);
        known.set(key, found);
        return found;
    };
}
const rules = schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* looseObject */._H3({ name: schemas/* string */.YjP(), type: schemas/* nullish */.cl6(schemas/* string */.YjP()) })));
/** Nothing is asked for where it says `null`; where it is left out, nobody knows. */
const asked = schemas/* nullable */.mee(schemas/* looseObject */._H3({
    attestations: rules,
    artifacts: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* looseObject */._H3({ name: schemas/* string */.YjP(), attestations: rules }))),
}));
/** What the template of a trail asks for; undefined when the answer does not tell it in a form known here. */
function templateOfTrail({ template }) {
    return slotsIn(template.trail);
}
const listOfNames = schemas/* array */.YOg(schemas/* string */.YjP());
const templateFile = schemas/* looseObject */._H3({ trail: schemas/* unknown */.L5J() });
/** A file of comments only, or one that gives the version of its form and stops there. */
const emptyFile = schemas/* nullable */.mee(schemas/* strictObject */.rej({ version: schemas/* optional */.lqM(schemas/* literal */.euz(1)) }));
/**
 * What the template of a flow asks for: of what is reported without a trail there is no other. Undefined when the
 * answer does not tell it in a form known here.
 *
 * @throws {InputError} when it is not YAML
 */
async function templateOfFlow({ name, template, }) {
    const names = listOfNames.safeParse(template);
    if (names.success)
        return namedOnly(names.data);
    if (typeof template !== "string")
        return undefined;
    const file = await parseStructured(template, { input: `template of flow '${name}'` });
    if (emptyFile.safeParse(file).success)
        return slotsIn(null);
    const { data } = templateFile.safeParse(file);
    return slotsIn(data?.trail);
}
/** A list of names of attestations of any type; with the word `artifact` among them they are about one of that name. */
function namedOnly(names) {
    const attestations = names.filter((name) => name !== "artifact").map((name) => ({ name, type: "*" }));
    return names.includes("artifact")
        ? { attestations: [], artifacts: [{ name: "artifact", attestations }] }
        : { attestations, artifacts: [] };
}
function slotsIn(value) {
    const { success, data } = parse/* safeParse */.xL(asked, value);
    if (!success)
        return undefined;
    return {
        attestations: rulesOf(data?.attestations),
        artifacts: (data?.artifacts ?? []).map(({ name, attestations }) => ({
            name,
            attestations: rulesOf(attestations),
        })),
    };
}
function rulesOf(given) {
    return (given ?? []).map(({ name, type }) => ({ name, type: type ?? "*" }));
}
/** The names by which an artifact is known in a trail. */
function namesInTrail({ complianceStatus }, fingerprint) {
    const artifacts = Object.entries(complianceStatus.artifactsStatuses ?? {});
    return artifacts.filter(([, status]) => status.artifactFingerprint === fingerprint).map(([name]) => name);
}

// EXTERNAL MODULE: ./lib/actions/attest/attestation-request.js
var attestation_request = __webpack_require__(1319);
;// CONCATENATED MODULE: ./lib/actions/attest/read-match.js





/** For services that do not say it themselves: reads the trail of a record and compares the two. */
function matchReader(context) {
    const readTrail = trailReader(context);
    const told = new Set();
    return async (made) => {
        try {
            const trail = await readTrail(made.done);
            const template = trail && templateOfTrail(trail);
            const record = trail && recordOf(made, trail);
            return template && record && matchTemplate(template, record);
        }
        catch (error) {
            context.signal.throwIfAborted();
            if (!(0,errors/* isEvidenceError */.sg)(error))
                throw error;
            const { trail } = made.done;
            if (!told.has(trail))
                context.info(`Recorded; whether the template of trail '${trail}' asks for it is not known: ${error.message}`);
            told.add(trail);
            return undefined;
        }
    };
}
/** Undefined when the trail does not tell which artifact of the template it is about. */
function recordOf({ values, done }, trail) {
    if (values.kind === "artifact")
        return { artifact: done.name };
    const { attestationName: attestation, targets } = values;
    const type = (0,attestation_request/* typeOf */.Q)(values);
    if (done.fingerprint === undefined) {
        const elsewhere = targets.filter((target) => isStillMissing(trail, target, { attestation, type }));
        return { attestation, type, artifacts: targets, elsewhere };
    }
    const artifacts = namesInTrail(trail, done.fingerprint);
    return artifacts.length > 0 ? { attestation, type, artifacts } : undefined;
}
/** Whether a trail has an artifact and misses an attestation that was just recorded for its name: at another commit. */
function isStillMissing({ complianceStatus }, artifact, { attestation, type }) {
    const reported = complianceStatus.artifactsStatuses?.[artifact];
    if (!reported?.artifactFingerprint)
        return false;
    return (reported.attestationsStatuses ?? []).some(({ attestationName, attestationType, status }) => status === "MISSING" &&
        attestationName === attestation &&
        (type === undefined || (0,attestation_type/* isOfType */.g)(type, attestationType ?? "*")));
}


/***/ }),

/***/ 4627:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   g: () => (/* binding */ isOfType)
/* harmony export */ });
/**
 * Whether a type of attestation is the one that is asked for: `*` asks for any, and types that the service defines
 * are asked for by their short name, so that `system:decision` is a `decision`.
 */
function isOfType(type, asked) {
    return asked === "*" || type === asked || type === `system:${asked}`;
}


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


/***/ })

};
