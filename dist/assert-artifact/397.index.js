export const id = 397;
export const ids = [397,57];
export const modules = {

/***/ 5397:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  fingerprintDirectory: () => (/* binding */ fingerprintDirectory)
});

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: ./lib/api/errors.js
var errors = __webpack_require__(8937);
;// CONCATENATED MODULE: ./lib/evidence/directory-tree.js

const SLASH = Buffer.from("/");
/** Lists everything below a directory; links are listed and not followed. */
async function readTree(directory) {
    const root = Buffer.from(directory);
    return await readDirectory(Buffer.alloc(0), root, "/");
}
async function readDirectory(name, location, path) {
    const directory = { name, location, path, kind: "directory" };
    let listed;
    try {
        listed = await (0,promises_.readdir)(location, { encoding: "buffer", withFileTypes: true });
    }
    catch (fault) {
        return { ...directory, entries: [], fault };
    }
    const parent = path === "/" ? "" : path;
    const entries = listed
        .sort((a, b) => Buffer.compare(a.name, b.name))
        .map((entry) => {
        const below = Buffer.concat([location, SLASH, entry.name]);
        const at = `${parent}/${entry.name.toString()}`;
        if (entry.isDirectory())
            return readDirectory(entry.name, below, at);
        const kind = entry.isSymbolicLink() ? "link" : entry.isFile() ? "file" : "special";
        return { name: entry.name, location: below, path: at, kind, entries: [] };
    });
    return { ...directory, entries: await Promise.all(entries) };
}

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
;// CONCATENATED MODULE: ./lib/evidence/name-pattern.js
function hasWildcard(pattern) {
    return /[*?[\\]/.test(pattern);
}
/** A matcher for a pattern without slashes, or undefined when the pattern is malformed. */
function compileNamePattern(pattern) {
    const tokens = [];
    const characters = [...pattern];
    let at = 0;
    while (at < characters.length) {
        const character = characters[at++];
        if (character === "*") {
            tokens.push("any characters");
        }
        else if (character === "?") {
            tokens.push(() => true);
        }
        else if (character === "[") {
            const found = readClass(characters, at);
            if (found === undefined)
                return undefined;
            tokens.push(found.matches);
            at = found.end;
        }
        else {
            const literal = character === "\\" ? characters[at++] : character;
            if (literal === undefined)
                return undefined;
            tokens.push((candidate) => candidate === literal);
        }
    }
    return (name) => matchTokens(tokens, [...name]);
}
/** Reads `[a-z]` or `[^a-z]`, from just after its bracket. */
function readClass(characters, start) {
    const negated = characters[start] === "^";
    const ranges = [];
    let at = negated ? start + 1 : start;
    const readBound = () => {
        let bound = characters[at++];
        if (bound === undefined || bound === "-" || bound === "]")
            return undefined;
        if (bound === "\\")
            bound = characters[at++];
        // A class always goes on after a bound, at least with its closing bracket.
        return at < characters.length ? bound?.codePointAt(0) : undefined;
    };
    while (characters[at] !== "]" || ranges.length === 0) {
        const low = readBound();
        if (low === undefined)
            return undefined;
        let high = low;
        if (characters[at] === "-") {
            at++;
            high = readBound();
            if (high === undefined)
                return undefined;
        }
        ranges.push({ low, high });
    }
    const matches = (character) => {
        const code = character.codePointAt(0) ?? -1;
        return ranges.some(({ low, high }) => low <= code && code <= high) !== negated;
    };
    return { matches, end: at + 1 };
}
/** Greedy, going back only to the last star: the time grows with pattern times name, whatever the pattern. */
function matchTokens(tokens, name) {
    let token = 0;
    let position = 0;
    let star = -1;
    let starPosition = 0;
    while (position < name.length) {
        const current = tokens[token];
        const character = name[position] ?? "";
        if (current === "any characters") {
            star = token++;
            starPosition = position;
        }
        else if (current?.(character)) {
            token++;
            position++;
        }
        else if (star >= 0) {
            token = star + 1;
            position = ++starPosition;
        }
        else {
            return false;
        }
    }
    return tokens.slice(token).every((rest) => rest === "any characters");
}

;// CONCATENATED MODULE: ./lib/evidence/exclusions.js



/** White space as Go trims it; JavaScript's own idea would also drop a byte order mark. */
const SPACE = "[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const SURROUNDING_SPACE = new RegExp(`^${SPACE}+|${SPACE}+$`, "g");
/** The patterns in an ignore file: one a line; `#` starts a comment wherever it stands. */
function parseIgnoreFile(text) {
    return text
        .split("\n")
        .map((line) => line.replace(/#.*$/s, "").replace(SURROUNDING_SPACE, ""))
        .filter((pattern) => pattern !== "");
}
/**
 * The paths in a tree that patterns leave out. A directory left out takes everything below it along.
 *
 * Names match as in Go's `filepath.Match`, slash by slash. `**` is expanded as the shared rule does: the pattern is cut
 * at each `**`, and each piece is appended to every path found so far and to every path below those. Since pieces are
 * appended as text, a double star at the start followed by a plain name does not match that name at the root itself
 * (the text has two slashes), only what it holds; before a name with a wildcard it does match there. Other clients do
 * exactly so, and a kinder reading would give other fingerprints.
 *
 * @throws InputError, under the name of `input`, for a malformed pattern.
 */
function findExcluded(root, patterns, input) {
    const malformed = patterns.filter((pattern) => !isWellFormed(pattern));
    if (malformed.length > 0) {
        throw new errors/* InputError */.dz(malformed.map((pattern) => ({ input, problem: `the pattern '${pattern}' is malformed` })), { advice: "In a pattern, '[' opens a class of characters such as [a-z]: write '\\[' for the bracket." });
    }
    const excluded = new Set();
    if (patterns.length === 0)
        return excluded;
    const byPath = new Map();
    addWithDescendants(root, (entry) => byPath.set(entry.path, entry));
    for (const pattern of patterns) {
        for (const path of expandPattern(pattern, byPath))
            excluded.add(path);
    }
    return excluded;
}
function isWellFormed(pattern) {
    return pattern
        .split("**")
        .flatMap((piece) => piece.split("/"))
        .every((segment) => compileNamePattern(segment) !== undefined);
}
function expandPattern(pattern, byPath) {
    const fromRoot = external_node_path_.posix.normalize(`./${pattern}`);
    const leavesTheTree = fromRoot === ".." || fromRoot.startsWith("../");
    const whole = external_node_path_.posix.join("/", fromRoot).replace(/\/$/, "");
    if (leavesTheTree || whole === "")
        return [];
    const pieces = whole.split("**");
    if (pieces.length === 1)
        return expandWildcards(whole, byPath);
    let found = new Set([""]);
    for (const piece of pieces) {
        const next = new Set();
        for (const start of found) {
            for (const path of expandWildcards(start + piece, byPath)) {
                next.add(path);
                const entry = lookUp(path, byPath);
                for (const child of entry?.entries ?? [])
                    addWithDescendants(child, ({ path }) => next.add(path));
            }
        }
        found = next;
    }
    return found;
}
/** The paths a pattern without `**` matches. One without any wildcard is given back as it is written. */
function expandWildcards(pattern, byPath) {
    if (!hasWildcard(pattern))
        return lookUp(pattern, byPath) === undefined ? [] : [pattern];
    const slash = pattern.lastIndexOf("/");
    const parent = pattern.slice(0, Math.max(slash, 1));
    const parents = hasWildcard(parent) ? expandWildcards(parent, byPath) : [parent];
    // Names of real files may have become part of the pattern, so it can be malformed through no fault of the user's.
    const matches = compileNamePattern(pattern.slice(slash + 1)) ?? (() => false);
    return parents
        .flatMap((directory) => lookUp(directory, byPath)?.entries ?? [])
        .filter((entry) => matches(entry.name.toString()))
        .map((entry) => entry.path);
}
function lookUp(path, byPath) {
    return byPath.get(path) ?? byPath.get(external_node_path_.posix.normalize(path).replace(/(?<=.)\/$/, ""));
}
function addWithDescendants(entry, add) {
    add(entry);
    for (const child of entry.entries)
        addWithDescendants(child, add);
}

// EXTERNAL MODULE: ./lib/evidence/fingerprint.js
var fingerprint = __webpack_require__(4057);
// EXTERNAL MODULE: ./lib/evidence/unusable-path.js
var unusable_path = __webpack_require__(832);
;// CONCATENATED MODULE: ./lib/evidence/directory-fingerprint.js








/** The file in a directory that lists what its fingerprint leaves out. */
const IGNORE_FILE = ".kosli_ignore";
/**
 * The fingerprint of a directory, in lower-case hex: the sha256 of one string that holds, for every entry below it,
 * depth first and in byte order of the names at each level, the hex sha256 of the entry's name, followed for a file
 * (or a link to one) by the hex sha256 of its content and for a link to a directory by that of the link's text.
 *
 * `exclude` and the directory's `.kosli_ignore` leave entries out. `.kosli_ignore` itself counts like any other file
 * unless one of these patterns matches it, which is what other clients do.
 *
 * @throws InputError when the path is not a directory, or something in it cannot be read or is not a file, directory
 * or link; a FIFO or device is never opened.
 */
async function fingerprintDirectory(path, { exclude = [] } = {}) {
    await requireDirectory(path);
    const root = await readTree(path);
    const excluded = findExcluded(root, exclude, "exclude");
    const ignoreFile = root.entries.find(({ name, kind }) => name.toString() === IGNORE_FILE && kind !== "directory");
    if (ignoreFile !== undefined) {
        for (const left of findExcluded(root, readIgnoreFile(ignoreFile), IGNORE_FILE))
            excluded.add(left);
    }
    const sum = (0,external_node_crypto_.createHash)("sha256");
    await addEntries(root, excluded, sum);
    return sum.digest("hex");
}
async function requireDirectory(path) {
    try {
        const stats = await (0,promises_.stat)(path);
        if (stats.isDirectory())
            return;
        throw refused(`'${path}' is ${(0,unusable_path/* kindOf */.I)(stats)}, not a directory`, {
            advice: stats.isFile() ? "Set artifact-type: file to fingerprint a file." : "",
        });
    }
    catch (error) {
        throw error instanceof errors/* InputError */.dz ? error : refused(`'${path}' ${(0,unusable_path/* whyUnusable */.II)(error)}`, { cause: error });
    }
}
function readIgnoreFile(entry) {
    try {
        const isFile = (0,external_node_fs_.statSync)(entry.location).isFile();
        return isFile ? parseIgnoreFile((0,external_node_fs_.readFileSync)(entry.location, "utf8")) : [];
    }
    catch (error) {
        throw unreadable(entry, error);
    }
}
async function addEntries(directory, excluded, sum) {
    if (directory.fault !== undefined)
        throw unreadable(directory, directory.fault);
    for (const entry of directory.entries) {
        if (excluded.has(entry.path))
            continue;
        sum.update((0,external_node_crypto_.hash)("sha256", entry.name));
        if (entry.kind === "directory")
            await addEntries(entry, excluded, sum);
        else
            sum.update(await digestOfLeaf(entry));
    }
}
async function digestOfLeaf(entry) {
    try {
        const stats = (0,external_node_fs_.statSync)(entry.location);
        if (stats.isFile())
            return await (0,fingerprint/* digestOfFile */.M)(entry.location, stats.size);
        if (stats.isDirectory())
            return (0,external_node_crypto_.hash)("sha256", (0,external_node_fs_.readlinkSync)(entry.location, "buffer"));
        throw refused(`'${entry.location}' is ${(0,unusable_path/* kindOf */.I)(stats)} and has no content to fingerprint`, {
            advice: `Leave it out with a line in ${IGNORE_FILE}.`,
        });
    }
    catch (error) {
        throw error instanceof errors/* InputError */.dz ? error : unreadable(entry, error);
    }
}
function unreadable(entry, cause) {
    const what = entry.kind === "link" ? "points to something that" : "";
    return refused([`'${entry.location}'`, what, (0,unusable_path/* whyUnusable */.II)(cause)].filter(Boolean).join(" "), { cause });
}
function refused(problem, options) {
    return new errors/* InputError */.dz([{ input: "artifact", problem }], options);
}


/***/ }),

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
