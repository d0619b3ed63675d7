export const id = 671;
export const ids = [671];
export const modules = {

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

/***/ 3671:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   collectAttachments: () => (/* binding */ collectAttachments)
/* harmony export */ });
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3024);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6760);
/* harmony import */ var _api_operation_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(2441);
/* harmony import */ var _attachment_selection_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(2315);
/* harmony import */ var _file_limit_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(3165);
/* harmony import */ var _file_selection_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(1479);
/* harmony import */ var _workspace_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(9844);








/**
 * The files to attach, each named once, however many patterns or links lead to it. Their bytes are read only while
 * they are sent; a file that changes, shrinks or vanishes until then fails to read with a `NotReadableError`.
 *
 * @throws InputError (`attachments`) with everything that is wrong with any of them.
 */
async function collectAttachments(request) {
    const { selected, findings } = await (0,_attachment_selection_js__WEBPACK_IMPORTED_MODULE_4__/* .selectAttachments */ .P)(request);
    const fitting = [];
    for (const file of selected) {
        const { shown, stats } = file;
        if (stats.isDirectory())
            findings.problems.push(adviseOnDirectory(file));
        // A Blob keeps 32 bits of a size, so that one of 4 GiB would seem to be empty.
        else if (stats.size > _api_operation_js__WEBPACK_IMPORTED_MODULE_3__/* .MAX_FILE_BYTES */ .gZ) {
            findings.problems.push((0,_file_limit_js__WEBPACK_IMPORTED_MODULE_5__/* .oversize */ .A)(`attachment '${shown}'`, stats.size));
        }
        else
            fitting.push(file);
    }
    if (fitting.length > _api_operation_js__WEBPACK_IMPORTED_MODULE_3__/* .MAX_ATTACHMENTS */ .qQ) {
        const tooMany = `there are ${fitting.length} files; at most ${_api_operation_js__WEBPACK_IMPORTED_MODULE_3__/* .MAX_ATTACHMENTS */ .qQ} can be attached`;
        findings.problems.push(`${tooMany}: set archive-attachments: true to send them as one archive`);
    }
    // Before any is opened: a glob may have found 100,000.
    (0,_file_selection_js__WEBPACK_IMPORTED_MODULE_6__/* .refuseProblems */ .n)(findings);
    const files = [];
    for (const file of fitting)
        files.push(...(await openFile(file, findings)));
    (0,_file_selection_js__WEBPACK_IMPORTED_MODULE_6__/* .refuseProblems */ .n)(findings);
    return { files, warnings: findings.warnings };
}
function adviseOnDirectory({ shown }) {
    const glob = shown === "." ? "**/*" : `${shown}/**/*`;
    return `'${shown}' is a directory: use a glob such as '${glob}', or set archive-attachments: true`;
}
async function openFile({ path, shown, realPath, stats }, findings) {
    try {
        const content = await (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.openAsBlob)(realPath);
        // Looked at again after it was opened: between the check and that, a link could have taken its place.
        if ((0,_workspace_js__WEBPACK_IMPORTED_MODULE_7__/* .isSameFile */ .Dl)(stats, await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.lstat)(realPath)))
            return [{ name: (0,node_path__WEBPACK_IMPORTED_MODULE_2__.basename)(path), content, path: shown }];
    }
    catch {
        // It is told below.
    }
    findings.problems.push(`'${shown}' changed or vanished while it was opened`);
    return [];
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
