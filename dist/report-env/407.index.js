export const id = 407;
export const ids = [407];
export const modules = {

/***/ 6407:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  reportEach: () => (/* binding */ reportEach)
});

// EXTERNAL MODULE: ./lib/api/errors.js
var errors = __webpack_require__(8937);
;// CONCATENATED MODULE: ./lib/actions/few-at-a-time.js
/** What work gives for each item, in their order, at most `limit` of them under way at a time. */
async function fewAtATime(limit, items, work) {
    const results = [];
    const waiting = items.entries();
    const worker = async () => {
        for (const [index, item] of waiting)
            results[index] = await work(item);
    };
    await Promise.all(Array.from({ length: limit }, worker));
    return results;
}

// EXTERNAL MODULE: ./lib/actions/report-env/report.js + 4 modules
var report = __webpack_require__(4076);
;// CONCATENATED MODULE: ./lib/actions/report-env/several.js



/** Environments under way at a time: each may have a kubectl process, and its pods in memory. */
const AT_A_TIME = 4;
/**
 * Reports several environments; each has its outcome. All clusters are read before anything is sent, because the time
 * for the service begins with that.
 */
async function reportEach(targets, delivery, context) {
    const read = await fewAtATime(AT_A_TIME, targets, (target) => attempt(target, context, async (own) => ({ target, pods: await (0,report/* readPods */.z)(target, own) })));
    return fewAtATime(AT_A_TIME, read, (found) => "error" in found
        ? Promise.resolve(found)
        : attempt(found.target, context, (own) => send(found, delivery, own)));
}
async function send({ target, pods }, delivery, context) {
    return { target, report: await (0,report/* sendReport */.N)(target, pods, delivery, context) };
}
/** Does work for one environment, whose warnings say which it is; a fault that a user can meet is a result. */
async function attempt(target, context, work) {
    const warn = (text) => context.warn(`${target.environment}: ${text}`);
    try {
        return await work({ ...context, warn });
    }
    catch (error) {
        context.signal.throwIfAborted();
        if (!(0,errors/* isEvidenceError */.sg)(error))
            throw error;
        return { target, error: [error.message, ...error.details, error.advice].filter(Boolean).join("\n") };
    }
}


/***/ })

};
