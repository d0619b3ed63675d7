export const id = 57;
export const ids = [57];
export const modules = {

/***/ 4057:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   M: () => (/* binding */ digestOfFile),
/* harmony export */   fingerprintFile: () => (/* binding */ fingerprintFile),
/* harmony export */   normalizeFingerprint: () => (/* binding */ normalizeFingerprint)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3024);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(1455);
/* harmony import */ var _api_errors_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(8937);
/* harmony import */ var _unusable_path_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(832);
var __addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});





/** Two buffers of this size keep the disk and the hash busy at the same time. */
const READ_BYTES = 4 * 1024 * 1024;
/**
 * Up to this size a file is read in one blocking call. It takes well under a millisecond, where the four round trips
 * of an asynchronous read make a tree of many small files seven times slower.
 */
const SMALL_FILE_BYTES = 256 * 1024;
/**
 * The sha256 of a file's bytes, in lower-case hex. A link to a file is followed.
 *
 * @throws InputError (`artifact`) when the path is missing, unreadable or not a regular file; a FIFO or device is
 * never opened.
 */
async function fingerprintFile(path) {
    try {
        const stats = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.stat)(path);
        if (stats.isFile())
            return await digestOfFile(path, stats.size);
        throw new _api_errors_js__WEBPACK_IMPORTED_MODULE_3__/* .InputError */ .dz([{ input: "artifact", problem: `'${path}' is ${(0,_unusable_path_js__WEBPACK_IMPORTED_MODULE_4__/* .kindOf */ .I)(stats)}, not a file` }], {
            advice: stats.isDirectory() ? "Set artifact-type: dir to fingerprint a directory." : "",
        });
    }
    catch (error) {
        if (error instanceof _api_errors_js__WEBPACK_IMPORTED_MODULE_3__/* .InputError */ .dz)
            throw error;
        throw new _api_errors_js__WEBPACK_IMPORTED_MODULE_3__/* .InputError */ .dz([{ input: "artifact", problem: `'${path}' ${(0,_unusable_path_js__WEBPACK_IMPORTED_MODULE_4__/* .whyUnusable */ .II)(error)}` }], {
            cause: error,
        });
    }
}
/** The sha256 of what a regular file holds. `size` only chooses the way to read it: a growing file is read to its end. */
async function digestOfFile(path, size) {
    return size <= SMALL_FILE_BYTES ? (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.hash)("sha256", (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.readFileSync)(path)) : await digestOfLargeFile(path);
}
async function digestOfLargeFile(path) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const sum = (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)("sha256");
        const file = __addDisposableResource(env_1, await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.open)(path, "r"), true);
        let filled = Buffer.allocUnsafe(READ_BYTES);
        let spare = Buffer.allocUnsafe(READ_BYTES);
        let { bytesRead } = await file.read(filled);
        while (bytesRead > 0) {
            const next = file.read(spare);
            sum.update(filled.subarray(0, bytesRead));
            ({ bytesRead } = await next);
            [filled, spare] = [spare, filled];
        }
        return sum.digest("hex");
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        const result_1 = __disposeResources(env_1);
        if (result_1)
            await result_1;
    }
}
/**
 * A fingerprint as people write it (`sha256:…`, `name@sha256:…`, upper case) in the one form the interface takes:
 * 64 lower-case hex digits.
 *
 * @throws InputError, under the name of `input`, for anything else.
 */
function normalizeFingerprint(text, input = "fingerprint") {
    const given = text.trim();
    const digits = /^(?:(?:[^\s@]+@)?sha256:)?([0-9a-f]{64})$/i.exec(given)?.[1];
    if (digits !== undefined)
        return digits.toLowerCase();
    const shown = given.length > 100 ? `${given.slice(0, 100)}…` : given;
    throw new _api_errors_js__WEBPACK_IMPORTED_MODULE_3__/* .InputError */ .dz([{ input, problem: `must be a sha256 of 64 hex digits, not '${shown}'` }]);
}


/***/ }),

/***/ 832:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   I: () => (/* binding */ kindOf),
/* harmony export */   II: () => (/* binding */ whyUnusable),
/* harmony export */   Ie: () => (/* binding */ faultCode),
/* harmony export */   b2: () => (/* binding */ isMissing)
/* harmony export */ });
/** What something that is not a regular file is, for messages: `a FIFO`. */
function kindOf(stats) {
    if (stats.isDirectory())
        return "a directory";
    if (stats.isFIFO())
        return "a FIFO";
    if (stats.isSocket())
        return "a socket";
    if (stats.isCharacterDevice())
        return "a character device";
    if (stats.isBlockDevice())
        return "a block device";
    return stats.isSymbolicLink() ? "a link" : "a file";
}
const REASONS = new Map([
    ["ENOENT", "does not exist"],
    ["ENOTDIR", "does not exist"],
    ["EACCES", "cannot be read: permission denied"],
    ["EPERM", "cannot be read: permission denied"],
    ["ELOOP", "is a link that leads back to itself"],
    ["ENAMETOOLONG", "is too long for a path"],
]);
/** The system's name of a file system fault, such as `ENOENT`; empty when the error carries none. */
function faultCode(error) {
    return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
function isMissing(error) {
    return ["ENOENT", "ENOTDIR"].includes(faultCode(error));
}
/** Why a path could not be used, to stand after its name: `does not exist`. */
function whyUnusable(error) {
    const code = faultCode(error);
    return REASONS.get(code) ?? `cannot be read (${code === "" ? String(error) : code})`;
}


/***/ })

};
