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


/** Environments under way at a time: each may have a kubectl process, and its pods in memory. */
const AT_A_TIME = 4;
/**
 * Reports several environments; each has its outcome. All clusters are read before anything is sent, because the time
 * for the service begins with that.
 */
async function reportEach(targets, delivery, context) {
    const read = await eachOf(targets, (target) => attempt(target, context, async (own) => ({ target, pods: await (0,_report_js__WEBPACK_IMPORTED_MODULE_1__/* .readPods */ .z)(target, own) })));
    return eachOf(read, (found) => "error" in found
        ? Promise.resolve(found)
        : attempt(found.target, context, (own) => send(found, delivery, own)));
}
async function send({ target, pods }, delivery, context) {
    return { target, report: await (0,_report_js__WEBPACK_IMPORTED_MODULE_1__/* .sendReport */ .N)(target, pods, delivery, context) };
}
/** Does work for one environment, whose warnings say which it is; a fault that a user can meet is a result. */
async function attempt(target, context, work) {
    const warn = (text) => context.warn(`${target.environment}: ${text}`);
    try {
        return await work({ ...context, warn });
    }
    catch (error) {
        context.signal.throwIfAborted();
        if (!(0,_api_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .isEvidenceError */ .sg)(error))
            throw error;
        return { target, error: [error.message, ...error.details, error.advice].filter(Boolean).join("\n") };
    }
}
/** What work gives for each item, in their order, a few of them under way at a time. */
async function eachOf(items, work) {
    const results = [];
    const waiting = items.entries();
    const worker = async () => {
        for (const [index, item] of waiting)
            results[index] = await work(item);
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, worker));
    return results;
}


/***/ })

};
