export const id = 423;
export const ids = [423];
export const modules = {

/***/ 7423:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  openFileToSend: () => (/* binding */ openFileToSend)
});

// UNUSED EXPORTS: readTextFile

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./lib/api/errors.js
var errors = __webpack_require__(8937);
// EXTERNAL MODULE: ./lib/api/operation.js
var operation = __webpack_require__(2441);
;// CONCATENATED MODULE: ./lib/evidence/file-limit.js

const MEGABYTE = 1024 * 1024;
/** Says that something is over the limit of a file. Sizes are rounded up, so none reads as the limit itself. */
function oversize(what, bytes, limit = operation/* MAX_FILE_BYTES */.gZ) {
    const megabytes = Math.ceil((bytes / MEGABYTE) * 10) / 10;
    return `${what} is ${megabytes.toFixed(1)} MB; the limit is ${limit / MEGABYTE} MB`;
}

// EXTERNAL MODULE: ./lib/evidence/workspace.js + 1 modules
var evidence_workspace = __webpack_require__(2127);
;// CONCATENATED MODULE: ./lib/evidence/file-to-send.js







/**
 * One file to send, by its path. Its bytes are read only while they are sent.
 *
 * @throws {InputError} under the name of `input`
 */
async function openFileToSend(path, file) {
    const { realPath, shown } = await regularFile(path, file);
    const content = await (0,external_node_fs_.openAsBlob)(realPath, file.type === undefined ? {} : { type: file.type });
    return { name: (0,external_node_path_.basename)(path), path: shown, content };
}
/**
 * The text of a file, without the byte order mark some editors begin it with.
 *
 * @throws {InputError} under the name of `input`
 */
async function readTextFile(path, file) {
    const { realPath, shown } = await regularFile(path, file);
    const bytes = await readFile(realPath);
    try {
        return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    }
    catch (cause) {
        throw unusable(file, `'${shown}' is not UTF-8 text`, cause);
    }
}
async function regularFile(path, file) {
    const workspace = await (0,evidence_workspace/* openWorkspace */.OH)(file.workspace, file.allowOutside);
    const checked = await (0,evidence_workspace/* checkPath */.Cg)((0,external_node_path_.resolve)(workspace.root, path), workspace);
    if ("problem" in checked)
        throw unusable(file, checked.problem);
    if (checked.stats.isDirectory())
        throw unusable(file, `'${checked.shown}' is a directory, not a file`);
    if (checked.stats.size > operation/* MAX_FILE_BYTES */.gZ) {
        throw unusable(file, oversize(`'${checked.shown}'`, checked.stats.size));
    }
    return checked;
}
function unusable({ input }, problem, cause) {
    return new errors/* InputError */.dz([{ input, problem }], { cause });
}


/***/ }),

/***/ 2127:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  Cg: () => (/* binding */ checkPath),
  OH: () => (/* binding */ openWorkspace)
});

// UNUSED EXPORTS: isInGit, isInside, isSameFile, shownIn

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./lib/api/errors.js
var errors = __webpack_require__(8937);
;// CONCATENATED MODULE: ./lib/evidence/unusable-path.js
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

;// CONCATENATED MODULE: ./lib/evidence/workspace.js
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




/** @throws InputError (`workspace`) when there is no such directory. */
async function openWorkspace(directory, allowOutside = false) {
    const root = (0,external_node_path_.resolve)(directory);
    try {
        return { root, realRoot: await (0,promises_.realpath)(root), allowOutside };
    }
    catch (cause) {
        throw new errors/* InputError */.dz([{ input: "workspace", problem: `'${root}' ${whyUnusable(cause)}` }], { cause });
    }
}
function isInside(path, directory) {
    const way = (0,external_node_path_.relative)(directory, path);
    return way !== ".." && !way.startsWith(`..${external_node_path_.sep}`) && !(0,external_node_path_.isAbsolute)(way);
}
function shownIn({ root }, path) {
    return isInside(path, root) ? (0,external_node_path_.relative)(root, path) || "." : path;
}
/**
 * Says whether a path may be read and sent: a regular file or directory, readable, in the workspace once every link
 * is followed, and not reached through a link into `.git`, where checkouts keep their token. Only what has proved to be
 * a regular file is opened: a FIFO would hang, a device would pour.
 */
async function checkPath(path, workspace) {
    const shown = shownIn(workspace, path);
    const unusable = (problem, missing = false) => ({
        problem: `'${shown}' ${problem}`,
        missing,
    });
    let isLink = false;
    try {
        const own = await (0,promises_.lstat)(path);
        isLink = own.isSymbolicLink();
        const realPath = await (0,promises_.realpath)(path);
        if (!workspace.allowOutside && !isInside(realPath, workspace.realRoot)) {
            return unusable(`is outside the workspace: '${realPath}' is not in '${workspace.realRoot}'`);
        }
        const stats = isLink ? await (0,promises_.stat)(realPath) : own;
        if (!stats.isFile() && !stats.isDirectory())
            return unusable(`is ${kindOf(stats)}, which cannot be sent`);
        if (isInGit(realPath) && !isInGit(path))
            return unusable(`is a link into .git: '${realPath}'`);
        if (stats.isFile() && (await holdsUnstatedBytes(realPath, stats))) {
            return unusable("gives no size, so it cannot be sent: copy it to a file first");
        }
        return { path, shown, realPath, stats };
    }
    catch (error) {
        // The system has the name in bytes, of which a text can only hold those that are UTF-8.
        if (!isLink && isMissing(error) && path.includes("\ufffd"))
            return unusable("has a name that is not UTF-8, so it cannot be read: rename it");
        if (!isLink || !isMissing(error))
            return unusable(whyUnusable(error), isMissing(error));
        const target = await (0,promises_.readlink)(path).catch(() => "");
        return unusable(`is a link to '${target}', which does not exist`);
    }
}
/** Whether what is found now is still the very file that was checked, with nothing written to it since. */
function isSameFile(one, other) {
    const facts = ["dev", "ino", "size", "mtimeMs"];
    return other.isFile() && facts.every((fact) => one[fact] === other[fact]);
}
/** Files of `/proc` say that they hold 0 bytes and would be sent as nothing. */
async function holdsUnstatedBytes(path, { size }) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const file = __addDisposableResource(env_1, await (0,promises_.open)(path, "r"), true);
        if (size > 0)
            return false;
        const { bytesRead } = await file.read(Buffer.alloc(1));
        return bytesRead > 0;
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
function isInGit(path) {
    return path.split(external_node_path_.sep).includes(".git");
}


/***/ })

};
