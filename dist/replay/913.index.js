export const id = 913;
export const ids = [913,102];
export const modules = {

/***/ 6340:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Z2: () => (/* binding */ putDurably),
/* harmony export */   v8: () => (/* binding */ writeDurably)
/* harmony export */ });
/* unused harmony exports moveDurably, syncFolder */
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6760);



/** Writes a new file that only its owner may read, to the disk and not only to the system's memory. */
async function writeDurably(path, content) {
    const hash = (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)("sha256");
    let size = 0;
    const file = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.open)(path, "wx", 0o600);
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
    await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.rename)(from, to);
    await syncFolder((0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(to));
}
/** Writes a small file that is there whole or not at all, whoever else writes the same. */
async function putDurably(path, text) {
    const draft = (0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)((0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(path), `.writing-${crypto.randomUUID()}`);
    await writeDurably(draft, [Buffer.from(text)]);
    await moveDurably(draft, path);
}
/** What a folder lists is data of its own. Windows has no way to sync it, and needs none. */
async function syncFolder(path) {
    if (process.platform === "win32")
        return;
    const folder = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.open)(path, "r");
    try {
        await folder.sync();
    }
    finally {
        await folder.close();
    }
}


/***/ }),

/***/ 650:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  replay: () => (/* binding */ replay)
});

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./lib/api/errors.js
var errors = __webpack_require__(8937);
// EXTERNAL MODULE: ./lib/api/call.js + 3 modules
var call = __webpack_require__(5145);
// EXTERNAL MODULE: ./lib/api/wire-names.js + 1 modules
var wire_names = __webpack_require__(4062);
;// CONCATENATED MODULE: ./lib/api/prepared.js


/**
 * Makes a request ready to be kept or sent.
 *
 * @param request what `call` takes for the operation
 * @throws {InputError} when it cannot be right
 */
async function prepare(connection, operation, request) {
    // The same faults are found in the same order as when it is sent at once.
    await addressOf(connection, operation, request);
    return { params: wireParameters(operation, request), ...(await partsOf(operation, request)) };
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
    const entries = names.map((name) => [name, request[camelName(name)]]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

// EXTERNAL MODULE: ./lib/api/json.js
var api_json = __webpack_require__(6192);
;// CONCATENATED MODULE: ./lib/api/untyped.js
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

;// CONCATENATED MODULE: ./lib/spool/subject.js


function subjectOf({ prepared }) {
    const { params, json = "" } = prepared;
    const body = asObject((0,api_json/* parseJson */.q)(json)?.value);
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

// EXTERNAL MODULE: ./lib/spool/durable.js
var durable = __webpack_require__(6340);
// EXTERNAL MODULE: ./lib/spool/layout.js
var layout = __webpack_require__(953);
// EXTERNAL MODULE: ./lib/api/artifacts.js + 1 modules
var artifacts = __webpack_require__(4445);
// EXTERNAL MODULE: ./lib/api/attestations.js
var attestations = __webpack_require__(409);
// EXTERNAL MODULE: ./lib/spool/submission.js
var spool_submission = __webpack_require__(1043);
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
    const { body } = await (0,call/* call */.T1)(connection, artifacts/* getArtifact */.jZ, {
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
        ? await (0,call/* call */.T1)(connection, attestations/* listTrailAttestations */.I1, { ...about, trailName: trail })
        : await (0,call/* call */.T1)(connection, attestations/* getArtifactAttestation */["do"], { ...about, fingerprint });
    return body.some(({ annotations }) => annotations?.[spool_submission/* MARK */.M$] === submission.id);
}
/** What is for an artifact of the template is on no other list before that artifact is reported. */
async function isAmongAll(connection, { id, submittedAt }, { flow, name }) {
    const fromTimestamp = Math.floor((submittedAt.getTime() - CLOCK_DIFFERENCE_MS) / 1000);
    const query = { name, flow: [flow], fromTimestamp, perPage: PER_PAGE };
    for (let after;;) {
        const { body } = await (0,call/* call */.T1)(connection, attestations/* listAttestations */.el, {
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

// EXTERNAL MODULE: ./lib/spool/read.js + 25 modules
var read = __webpack_require__(1543);
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
    const waiting = await notDone(await (0,read.readSpool)(folder));
    const count = { recorded: 0, found: 0, left: 0 };
    for (const [index, kept] of waiting.entries()) {
        const opened = await (0,read/* openSubmission */.Jg)(kept);
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
        if (!(await (0,read/* isDone */.$L)(kept)))
            waiting.push(kept);
    return waiting;
}
/** Marks a submission that is on record; gives what to warn of when that fails, since it is on record all the same. */
async function markDone({ path }, { result: how }) {
    const mark = { how, at: new Date().toISOString() };
    try {
        await (0,durable/* putDurably */.Z2)((0,external_node_path_.join)(path, layout/* RECORDED_FILE */.yK), `${JSON.stringify(mark)}\n`);
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


/***/ }),

/***/ 3102:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   w$: () => (/* binding */ datetime)
/* harmony export */ });
/* unused harmony exports ZodMiniISODateTime, ZodMiniISODate, date, ZodMiniISOTime, time, ZodMiniISODuration, duration */
/* harmony import */ var _core_index_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8532);
/* harmony import */ var _core_index_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1041);
/* harmony import */ var _core_index_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3759);
/* harmony import */ var _schemas_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4343);


const ZodMiniISODateTime = /*@__PURE__*/ _core_index_js__WEBPACK_IMPORTED_MODULE_0__/* .$constructor */ .xI("ZodMiniISODateTime", (inst, def) => {
    _core_index_js__WEBPACK_IMPORTED_MODULE_1__/* .$ZodISODateTime */ .Ko.init(inst, def);
    _schemas_js__WEBPACK_IMPORTED_MODULE_2__/* .ZodMiniStringFormat */ .zUr.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function datetime(params) {
    return _core_index_js__WEBPACK_IMPORTED_MODULE_3__/* ._isoDateTime */ .G1(ZodMiniISODateTime, params);
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


/***/ })

};
