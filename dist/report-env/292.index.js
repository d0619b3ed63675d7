export const id = 292;
export const ids = [292];
export const modules = {

/***/ 6292:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   reportEach: () => (/* binding */ reportEach)
/* harmony export */ });
/* harmony import */ var _api_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8937);
/* harmony import */ var _report_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9053);


/** Clusters read at once: each may have a kubectl process and its pages in memory. */
const READERS = 4;
/**
 * Reports several environments. One that fails does not keep the others from being reported. All clusters are read
 * before the first report is sent, because the time for the service begins with that.
 *
 * @throws the reason of the interruption when the step is interrupted
 */
async function reportEach(targets, delivery, context) {
    const read = await settle(targets, (target) => (0,_report_js__WEBPACK_IMPORTED_MODULE_1__/* .readPods */ .z)(target, speakingOf(target, context)));
    context.signal.throwIfAborted();
    const sent = await settle(read, async (pods, index) => {
        const target = targets[index];
        if (pods.status === "rejected")
            throw pods.reason;
        if (target === undefined)
            throw new Error("There is a report for each environment");
        return (0,_report_js__WEBPACK_IMPORTED_MODULE_1__/* .sendReport */ .N)(target, pods.value, delivery, speakingOf(target, context));
    });
    context.signal.throwIfAborted();
    return targets.map((target, index) => {
        const outcome = sent[index];
        return outcome?.status === "fulfilled"
            ? { target, report: outcome.value }
            : { target, reason: reasonOf(outcome?.reason) };
    });
}
/** Warnings that say which environment they are about. */
function speakingOf({ environment }, context) {
    return { ...context, warn: (text) => context.warn(`${environment}: ${text}`) };
}
/** What came of each item, in their order, a few of them worked on at once. */
async function settle(items, work) {
    const outcomes = [];
    const queue = items.entries();
    const worker = async () => {
        for (const [index, item] of queue) {
            const [outcome] = await Promise.allSettled([work(item, index)]);
            outcomes[index] = outcome;
        }
    };
    await Promise.all(Array.from({ length: READERS }, worker));
    return outcomes;
}
function reasonOf(error) {
    if (!(0,_api_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .isEvidenceError */ .sg)(error))
        return error instanceof Error ? error.message : String(error);
    return [error.message, ...error.details, error.advice].filter(Boolean).join("\n");
}


/***/ })

};
