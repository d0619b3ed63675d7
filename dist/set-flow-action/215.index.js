export const id = 215;
export const ids = [215];
export const modules = {

/***/ 2215:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Undecodable: () => (/* binding */ Undecodable),
/* harmony export */   decodeBody: () => (/* binding */ decodeBody)
/* harmony export */ });
/* harmony import */ var node_util__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7975);
/* harmony import */ var node_zlib__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8522);


/** More than any server adds, and each of them could be a bomb. */
const MAX_LAYERS = 4;
const gunzipped = (0,node_util__WEBPACK_IMPORTED_MODULE_0__.promisify)(node_zlib__WEBPACK_IMPORTED_MODULE_1__.gunzip);
const inflated = (0,node_util__WEBPACK_IMPORTED_MODULE_0__.promisify)(node_zlib__WEBPACK_IMPORTED_MODULE_1__.inflate);
const inflatedBare = (0,node_util__WEBPACK_IMPORTED_MODULE_0__.promisify)(node_zlib__WEBPACK_IMPORTED_MODULE_1__.inflateRaw);
const unbrotlied = (0,node_util__WEBPACK_IMPORTED_MODULE_0__.promisify)(node_zlib__WEBPACK_IMPORTED_MODULE_1__.brotliDecompress);
/** Why a body cannot be read, to stand by itself: `the answer has an unknown Content-Encoding: 'zstd'`. */
class Undecodable extends Error {
}
/**
 * A body as it was before a server or a gateway encoded it.
 *
 * @param encodings the header `Content-Encoding`: names in the order in which they were applied
 * @param maxBytes the most that it may become, at each step
 * @throws {Undecodable} for an encoding that is not known, bytes that are not what it says, or too many of them
 */
async function decodeBody(body, encodings, maxBytes) {
    const names = encodings.toLowerCase().split(",");
    const applied = names.map((name) => name.trim()).filter((name) => name !== "" && name !== "identity");
    if (applied.length > MAX_LAYERS)
        throw new Undecodable(`the answer is encoded ${applied.length} times over`);
    let bytes = body;
    for (const name of applied.toReversed())
        bytes = await decodeOnce(bytes, name, maxBytes);
    return bytes;
}
async function decodeOnce(bytes, name, maxOutputLength) {
    try {
        return await decoding(name, bytes, { maxOutputLength });
    }
    catch (cause) {
        if (cause instanceof Undecodable)
            throw cause;
        if (cause instanceof Error && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE") {
            throw new Undecodable(`the answer is larger than ${maxOutputLength / 1024 / 1024} MB`);
        }
        throw new Undecodable(`the answer is not the ${name} that its Content-Encoding says`, { cause });
    }
}
function decoding(name, bytes, options) {
    switch (name) {
        case "gzip":
        case "x-gzip":
            return gunzipped(bytes, options);
        case "deflate":
            // Some servers leave out the header that the standard has around it; its first byte says 8.
            return (bytes[0] ?? 0) % 16 === 8 ? inflated(bytes, options) : inflatedBare(bytes, options);
        case "br":
            return unbrotlied(bytes, options);
        default:
            throw new Undecodable(`the answer has an unknown Content-Encoding: '${name}'`);
    }
}


/***/ })

};
