export const id = 408;
export const ids = [408];
export const modules = {

/***/ 8408:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   linesOf: () => (/* binding */ linesOf)
/* harmony export */ });
/* unused harmony export dataPath */
/**
 * Where values stand in a text in YAML, or in JSON, which is YAML as well. Parsing it once more costs nothing where it
 * matters: it is done only to tell a fault.
 *
 * @returns the line of a value, or of the nearest that holds it; undefined for a text that cannot be read
 */
async function linesOf(text) {
    const { isNode, LineCounter, parseDocument } = await __webpack_require__.e(/* import() */ 815).then(__webpack_require__.t.bind(__webpack_require__, 8815, 19));
    const lineCounter = new LineCounter();
    const document = parseDocument(text, { lineCounter, uniqueKeys: false, logLevel: "silent" });
    if (document.errors.length > 0)
        return () => undefined;
    return (path) => {
        for (let depth = path.length; depth >= 0; depth--) {
            const node = document.getIn(path.slice(0, depth), true);
            if (isNode(node) && node.range)
                return lineCounter.linePos(node.range[0]).line;
        }
        return undefined;
    };
}
/** The path that a message writes as `trail.attestations[0].type`, or as `trail.attestations.0.type`. */
function dataPath(text) {
    const steps = text.split(/[.[\]]/).filter((step) => step !== "");
    return steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}


/***/ })

};
