export const id = 89;
export const ids = [89];
export const modules = {

/***/ 3089:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  archiveAttachments: () => (/* binding */ archiveAttachments)
});

// EXTERNAL MODULE: external "node:buffer"
var external_node_buffer_ = __webpack_require__(4573);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: external "node:stream/promises"
var external_node_stream_promises_ = __webpack_require__(6466);
// EXTERNAL MODULE: external "node:zlib"
var external_node_zlib_ = __webpack_require__(8522);
// EXTERNAL MODULE: ./node_modules/modern-tar/dist/web/index.js + 1 modules
var web = __webpack_require__(1942);
// EXTERNAL MODULE: ./lib/api/errors.js
var errors = __webpack_require__(8937);
// EXTERNAL MODULE: ./lib/api/operation.js
var operation = __webpack_require__(2441);
// EXTERNAL MODULE: ./lib/evidence/attachment-selection.js
var attachment_selection = __webpack_require__(2315);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: ./lib/evidence/workspace.js
var evidence_workspace = __webpack_require__(9844);
;// CONCATENATED MODULE: ./lib/evidence/checked-bytes.js
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



const CHUNK_BYTES = 64 * 1024;
/** A link or a FIFO that took the place of a checked file is neither followed nor waited for. Windows has neither flag. */
const FLAGS = external_node_fs_.constants.O_RDONLY | (external_node_fs_.constants.O_NOFOLLOW ?? 0) | (external_node_fs_.constants.O_NONBLOCK ?? 0);
/**
 * The bytes of a file that was checked, all of one state of it.
 *
 * @throws when another file has taken its place, or it was written to since it was checked
 */
async function* checkedBytes({ realPath, stats }) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const file = __addDisposableResource(env_1, await (0,promises_.open)(realPath, FLAGS), true);
        let left = stats.size;
        for (;;) {
            if (!(0,evidence_workspace/* isSameFile */.Dl)(stats, await file.stat()))
                throw new Error("The file changed");
            if (left === 0)
                return;
            const chunk = Buffer.allocUnsafe(Math.min(left, CHUNK_BYTES));
            const { bytesRead } = await file.read(chunk, 0, chunk.length);
            if (bytesRead === 0)
                throw new Error("The file ended early");
            left -= bytesRead;
            yield chunk.subarray(0, bytesRead);
        }
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

// EXTERNAL MODULE: ./lib/evidence/file-limit.js
var file_limit = __webpack_require__(3165);
// EXTERNAL MODULE: ./lib/evidence/file-selection.js + 1 modules
var file_selection = __webpack_require__(1479);
// EXTERNAL MODULE: ./lib/evidence/unusable-path.js
var unusable_path = __webpack_require__(832);
;// CONCATENATED MODULE: ./lib/evidence/archive.js














const ARCHIVE_NAME = "evidence.tgz";
/** What every entry says of itself: neither the clock nor the machine may show in the bytes. */
const ENTRY = { type: "file", mode: 0o644, mtime: new Date(0), uid: 0, gid: 0 };
/** Gzip makes nothing smaller than by this: what is larger than the limit by more than this can never fit. */
const MOST_COMPRESSION = 1032;
/** An archive over the limit is packed on to say how large it would be, but no further than this. */
const GIVE_UP_BYTES = 10 * operation/* MAX_FILE_BYTES */.gZ;
/** Where a gzip header names the operating system, and its code for "unknown". */
const GZIP_SYSTEM = { offset: 9, unknown: 255 };
/**
 * Packs what the patterns name into one gzip tar, `evidence.tgz`. Directories are packed with all they hold, except
 * `.git`; a link is packed as what it points to. The same files give the same bytes.
 *
 * @throws InputError (`attachments`) with everything that is wrong, or when the archive is over the size limit.
 */
async function archiveAttachments(request) {
    const selection = await (0,attachment_selection/* selectAttachments */.P)(request);
    const { findings } = selection;
    const entries = new Map();
    for (const path of selection.selected) {
        const problems = findings.problems.length;
        await addEntries(path, selection, [], entries);
        const isSound = findings.problems.length === problems;
        if (isSound && path.stats.isDirectory() && !holdsAny(path, entries)) {
            findings.missing(`there is no file in '${path.shown}'`);
        }
    }
    (0,file_selection/* refuseProblems */.n)(findings);
    if (entries.size === 0)
        return { files: [], warnings: findings.warnings };
    const inOrder = [...entries].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const bytes = inOrder.reduce((sum, [, { stats }]) => sum + stats.size, 0);
    if (bytes > operation/* MAX_FILE_BYTES */.gZ * MOST_COMPRESSION) {
        throw refused((0,file_limit/* oversize */.A)(`what is to be packed into ${ARCHIVE_NAME}`, bytes));
    }
    const content = await pack(inOrder);
    return { files: [{ name: ARCHIVE_NAME, content }], warnings: findings.warnings };
}
function holdsAny(directory, entries) {
    return [...entries.values()].some(({ path }) => (0,evidence_workspace/* isInside */.FK)(path, directory.path));
}
async function addEntries(found, selection, ancestors, entries) {
    const { findings, workspace, isExcluded } = selection;
    if (found.stats.isFile()) {
        entries.set(entryName(found.path, workspace), found);
        return;
    }
    if (ancestors.includes(found.realPath)) {
        findings.problems.push(`'${found.shown}' is a link to a directory that it lies in`);
        return;
    }
    const names = await (0,promises_.readdir)(found.realPath).catch((error) => {
        findings.problems.push(`'${found.shown}' ${(0,unusable_path/* whyUnusable */.II)(error)}`);
        return [];
    });
    for (const name of names) {
        const path = (0,external_node_path_.join)(found.path, name);
        if (name === ".git" || isExcluded(path))
            continue;
        const checked = await (0,evidence_workspace/* checkPath */.Cg)(path, workspace);
        if ("problem" in checked)
            findings.problems.push(checked.problem);
        else
            await addEntries(checked, selection, [...ancestors, found.realPath], entries);
    }
}
/** Relative to the workspace, else to the root of the file system: never with `..`, which would unpack elsewhere. */
function entryName(path, { root }) {
    return (0,external_node_path_.relative)((0,evidence_workspace/* isInside */.FK)(path, root) ? root : (0,external_node_path_.parse)(path).root, path).replaceAll(external_node_path_.sep, "/");
}
async function pack(entries) {
    const { readable, controller } = (0,web/* createTarPacker */.al)();
    const chunks = [];
    let size = 0;
    const gathering = (0,external_node_stream_promises_.pipeline)(readable, (0,external_node_zlib_.createGzip)({ level: 9 }), async (compressed) => {
        for await (const chunk of compressed) {
            size += chunk.length;
            if (size <= operation/* MAX_FILE_BYTES */.gZ)
                chunks.push(chunk);
        }
    });
    async function* bytesOf(file) {
        for await (const chunk of checkedBytes(file)) {
            if (size > GIVE_UP_BYTES)
                throw tooLarge("a part of", size, entries.length);
            yield chunk;
        }
    }
    const writing = async () => {
        for (const [name, file] of entries) {
            try {
                const entry = controller.add({ ...ENTRY, name, size: file.stats.size });
                await ReadableStream.from(bytesOf(file)).pipeTo(entry);
            }
            catch (cause) {
                if (cause instanceof errors/* InputError */.dz)
                    throw cause;
                throw refused(`'${file.shown}' changed or vanished while it was packed`, cause);
            }
        }
        controller.finalize();
    };
    const written = writing().catch((error) => {
        controller.error(error);
        throw error;
    });
    const outcomes = await Promise.allSettled([written, gathering]);
    for (const outcome of outcomes)
        if (outcome.status === "rejected")
            throw outcome.reason;
    if (size > operation/* MAX_FILE_BYTES */.gZ)
        throw tooLarge("", size, entries.length);
    const bytes = Buffer.concat(chunks);
    bytes[GZIP_SYSTEM.offset] = GZIP_SYSTEM.unknown;
    return new external_node_buffer_.Blob([bytes], { type: "application/gzip" });
}
function tooLarge(part, size, files) {
    const from = `${part} ${files} ${files === 1 ? "file" : "files"}`.trim();
    return refused((0,file_limit/* oversize */.A)(`${ARCHIVE_NAME}, packed from ${from},`, size));
}
function refused(problem, cause) {
    return new errors/* InputError */.dz([{ input: "attachments", problem }], { cause });
}


/***/ }),

/***/ 2315:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   P: () => (/* binding */ selectAttachments)
/* harmony export */ });
/* harmony import */ var _file_selection_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1479);

/** Finds what the patterns of `attachments` name. */
async function selectAttachments(request) {
    return await (0,_file_selection_js__WEBPACK_IMPORTED_MODULE_0__/* .selectFiles */ .A)({ ...request, input: "attachments" });
}


/***/ }),

/***/ 3165:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   A: () => (/* binding */ oversize)
/* harmony export */ });
/* harmony import */ var _api_operation_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2441);

const MEGABYTE = 1024 * 1024;
/** Says that something is over the limit of a file. Sizes are rounded up, so none reads as the limit itself. */
function oversize(what, bytes, limit = _api_operation_js__WEBPACK_IMPORTED_MODULE_0__/* .MAX_FILE_BYTES */ .gZ) {
    const megabytes = Math.ceil((bytes / MEGABYTE) * 10) / 10;
    return `${what} is ${megabytes.toFixed(1)} MB; the limit is ${limit / MEGABYTE} MB`;
}


/***/ }),

/***/ 1479:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  n: () => (/* binding */ refuseProblems),
  A: () => (/* binding */ selectFiles)
});

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./lib/api/errors.js
var errors = __webpack_require__(8937);
// EXTERNAL MODULE: ./lib/evidence/name-pattern.js
var name_pattern = __webpack_require__(7973);
// EXTERNAL MODULE: ./lib/evidence/unusable-path.js
var unusable_path = __webpack_require__(832);
;// CONCATENATED MODULE: ./lib/evidence/glob-pattern.js




/** More than anybody writes on purpose. Each is searched for by itself, and nested braces multiply them. */
const MAX_ALTERNATIVES = 1_000;
const MAGIC = /[*?[{(]/;
/** The number of patterns that the braces of a pattern stand for, or more; it is never fewer. */
function mayHaveAlternatives(pattern) {
    const open = [];
    let all = 1;
    for (const [sign] of pattern.matchAll(/\\.|[{},]/gs)) {
        if (sign === "{")
            open.push(1);
        if (sign === "," && open.length > 0)
            open.push((open.pop() ?? 0) + 1);
        if (sign === "}")
            all *= open.pop() ?? 1;
    }
    for (const [, from, to] of pattern.matchAll(/\{(-?\d+)\.\.(-?\d+)/g)) {
        all *= Math.abs(Number(to) - Number(from)) + 1;
    }
    return all;
}
/**
 * The folders that a glob has to look into and may not: it passes over them without a word, and over all they hold.
 * A pattern with braces or other groups is followed only as far as these leave its folders alone.
 */
async function closedFolders(pattern, root, isExcluded) {
    const parts = pattern.split("/").filter((part) => part !== "");
    const first = parts.findIndex((part) => MAGIC.test(part));
    const closed = [];
    await look((0,external_node_path_.resolve)(root, pattern.startsWith("/") ? "/" : "", parts.slice(0, first).join("/")), parts.slice(first));
    return closed;
    async function look(folder, [part = "", ...rest]) {
        let entries;
        try {
            entries = await (0,promises_.readdir)(folder, { withFileTypes: true });
        }
        catch (error) {
            if (["EACCES", "EPERM"].includes((0,unusable_path/* faultCode */.Ie)(error)))
                closed.push(folder);
            return;
        }
        const anywhere = part === "**";
        if (!anywhere && rest.length === 0)
            return;
        const matches = anywhere ? () => true : (0,name_pattern/* compileNamePattern */.t)(part);
        for (const entry of entries) {
            const { name } = entry;
            const path = (0,external_node_path_.join)(folder, name);
            if (!entry.isDirectory() || name === ".git" || isExcluded(path))
                continue;
            if (name.startsWith(".") && !part.startsWith("."))
                continue;
            if (matches?.(name))
                await look(path, anywhere ? [part, ...rest] : rest);
        }
    }
}

// EXTERNAL MODULE: ./lib/evidence/workspace.js
var evidence_workspace = __webpack_require__(9844);
;// CONCATENATED MODULE: ./lib/evidence/file-selection.js






/**
 * Finds what the patterns name. A path that exists is taken as it is, whatever wildcards its name holds; any other
 * pattern with wildcards is a glob, which matches files only, no dot files unless the pattern spells the dot, and never
 * `.git`.
 */
async function selectFiles(request) {
    const workspace = await (0,evidence_workspace/* openWorkspace */.OH)(request.workspace, request.allowOutsideWorkspace);
    const findings = startFindings(request);
    const taken = request.patterns.filter((pattern) => !pattern.startsWith("!"));
    const takenBack = request.patterns
        .filter((pattern) => pattern.startsWith("!"))
        .map((pattern) => pattern.slice(1));
    const excluded = new Set();
    for (const pattern of takenBack) {
        const { paths, problem } = await expand(pattern, workspace);
        if (problem !== undefined)
            findings.problems.push(problem);
        for (const path of paths)
            excluded.add(path);
    }
    const isExcluded = (path) => excluded.has(path) || ((0,external_node_path_.dirname)(path) !== path && isExcluded((0,external_node_path_.dirname)(path)));
    if (taken.length === 0 && takenBack.length > 0)
        findings.missing("there are only patterns that start with '!'");
    const selected = new Map();
    const repeated = [];
    for (const pattern of taken) {
        const { paths, isGlob, problem } = await expand(pattern, workspace);
        if (problem !== undefined)
            findings.problems.push(problem);
        let found = problem === undefined ? 0 : 1;
        if (isGlob && problem === undefined) {
            for (const folder of await closedFolders(pattern, workspace.root, isExcluded)) {
                const shown = (0,evidence_workspace/* shownIn */.fz)(workspace, folder);
                const cure = `take it back with '!${shown}' if nothing in it is wanted`;
                findings.problems.push(`'${shown}' cannot be looked into for '${pattern}': ${cure}`);
                found++;
            }
        }
        for (const path of paths) {
            if (isExcluded(path))
                continue;
            const checked = await (0,evidence_workspace/* checkPath */.Cg)(path, workspace);
            if (!("problem" in checked)) {
                if (isGlob && checked.stats.isDirectory())
                    continue;
                const first = selected.get(checked.realPath);
                if (first === undefined)
                    selected.set(checked.realPath, checked);
                else
                    repeated.push({ again: checked, first });
                // What a glob has found was there a moment ago.
            }
            else if (checked.missing && !isGlob)
                findings.missing(checked.problem);
            else
                findings.problems.push(checked.problem);
            found++;
        }
        if (found === 0)
            findings.missing(`no file matches '${pattern}'`);
    }
    return { selected: [...selected.values()], repeated, findings, workspace, isExcluded };
}
function startFindings({ input, ifNoFilesFound }) {
    const problems = [];
    const warnings = [];
    const missing = (problem) => {
        if (ifNoFilesFound === "error")
            problems.push(problem);
        if (ifNoFilesFound === "warn")
            warnings.push(problem);
    };
    return { input, problems, warnings, missing };
}
/** @throws InputError with every problem found, when there is one. */
function refuseProblems({ input, problems }) {
    if (problems.length === 0)
        return;
    throw new errors/* InputError */.dz(problems.map((problem) => ({ input, problem })));
}
async function expand(pattern, workspace) {
    const path = (0,external_node_path_.resolve)(workspace.root, pattern);
    if (!/[*?[{(]/.test(pattern) || (await exists(path)))
        return { paths: [path], isGlob: false };
    if (!workspace.allowOutside && ![workspace.root, workspace.realRoot].some((root) => (0,evidence_workspace/* isInside */.FK)(path, root))) {
        const problem = `'${pattern}' is outside the workspace: '${path}' is not in '${workspace.realRoot}'`;
        return { paths: [], isGlob: true, problem };
    }
    if (mayHaveAlternatives(pattern) > MAX_ALTERNATIVES) {
        const problem = `'${cut(pattern)}' stands for more than ${MAX_ALTERNATIVES} patterns: use wildcards or several lines`;
        return { paths: [], isGlob: true, problem };
    }
    const paths = [];
    for await (const match of (0,promises_.glob)(pattern, { cwd: workspace.root })) {
        const matched = (0,external_node_path_.resolve)(workspace.root, match);
        if (!(0,evidence_workspace/* isInGit */.aR)((0,evidence_workspace/* shownIn */.fz)(workspace, matched)))
            paths.push(matched);
    }
    return { paths: paths.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))), isGlob: true };
}
function cut(pattern) {
    return pattern.length > 100 ? `${pattern.slice(0, 100)}…` : pattern;
}
/** False only when nothing is there: any other fault is told when the path is checked. */
async function exists(path) {
    return await (0,promises_.lstat)(path).then(() => true, (error) => !(0,unusable_path/* isMissing */.b2)(error));
}


/***/ }),

/***/ 7973:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   r: () => (/* binding */ hasWildcard),
/* harmony export */   t: () => (/* binding */ compileNamePattern)
/* harmony export */ });
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


/***/ }),

/***/ 9844:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Cg: () => (/* binding */ checkPath),
/* harmony export */   Dl: () => (/* binding */ isSameFile),
/* harmony export */   FK: () => (/* binding */ isInside),
/* harmony export */   OH: () => (/* binding */ openWorkspace),
/* harmony export */   aR: () => (/* binding */ isInGit),
/* harmony export */   fz: () => (/* binding */ shownIn)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6760);
/* harmony import */ var _api_errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8937);
/* harmony import */ var _unusable_path_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(832);
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
    const root = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.resolve)(directory);
    try {
        return { root, realRoot: await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.realpath)(root), allowOutside };
    }
    catch (cause) {
        throw new _api_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz([{ input: "workspace", problem: `'${root}' ${(0,_unusable_path_js__WEBPACK_IMPORTED_MODULE_3__/* .whyUnusable */ .II)(cause)}` }], { cause });
    }
}
function isInside(path, directory) {
    const way = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.relative)(directory, path);
    return way !== ".." && !way.startsWith(`..${node_path__WEBPACK_IMPORTED_MODULE_1__.sep}`) && !(0,node_path__WEBPACK_IMPORTED_MODULE_1__.isAbsolute)(way);
}
function shownIn({ root }, path) {
    return isInside(path, root) ? (0,node_path__WEBPACK_IMPORTED_MODULE_1__.relative)(root, path) || "." : path;
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
        const own = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.lstat)(path);
        isLink = own.isSymbolicLink();
        const realPath = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.realpath)(path);
        if (!workspace.allowOutside && !isInside(realPath, workspace.realRoot)) {
            return unusable(`is outside the workspace: '${realPath}' is not in '${workspace.realRoot}'`);
        }
        const stats = isLink ? await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.stat)(realPath) : own;
        if (!stats.isFile() && !stats.isDirectory())
            return unusable(`is ${(0,_unusable_path_js__WEBPACK_IMPORTED_MODULE_3__/* .kindOf */ .I)(stats)}, which cannot be sent`);
        if (isInGit(realPath) && !isInGit(path))
            return unusable(`is a link into .git: '${realPath}'`);
        if (stats.isFile() && (await holdsUnstatedBytes(realPath, stats))) {
            return unusable("gives no size, so it cannot be sent: copy it to a file first");
        }
        return { path, shown, realPath, stats };
    }
    catch (error) {
        // The system has the name in bytes, of which a text can only hold those that are UTF-8.
        if (!isLink && (0,_unusable_path_js__WEBPACK_IMPORTED_MODULE_3__/* .isMissing */ .b2)(error) && path.includes("\ufffd"))
            return unusable("has a name that is not UTF-8, so it cannot be read: rename it");
        if (!isLink || !(0,_unusable_path_js__WEBPACK_IMPORTED_MODULE_3__/* .isMissing */ .b2)(error))
            return unusable((0,_unusable_path_js__WEBPACK_IMPORTED_MODULE_3__/* .whyUnusable */ .II)(error), (0,_unusable_path_js__WEBPACK_IMPORTED_MODULE_3__/* .isMissing */ .b2)(error));
        const target = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.readlink)(path).catch(() => "");
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
        const file = __addDisposableResource(env_1, await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.open)(path, "r"), true);
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
    return path.split(node_path__WEBPACK_IMPORTED_MODULE_1__.sep).includes(".git");
}


/***/ })

};
