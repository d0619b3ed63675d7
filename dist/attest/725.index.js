export const id = 725;
export const ids = [725,57];
export const modules = {

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

/***/ 4606:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $: () => (/* binding */ readingReport),
/* harmony export */   p: () => (/* binding */ ReportFault)
/* harmony export */ });
/* harmony import */ var _api_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8937);
/* harmony import */ var _unusable_path_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(832);


/** Why a report cannot be read, to stand after the word that names it: `is not UTF-8 text`. */
class ReportFault extends Error {
    position;
    constructor(problem, position) {
        super(problem);
        this.position = position;
    }
}
/**
 * Runs what reads the file that users know as `shown`.
 *
 * @throws InputError, under the name of `input`, when the file cannot be read or is not the report it should be.
 */
async function readingReport(input, shown, read) {
    try {
        return await read();
    }
    catch (cause) {
        const line = cause instanceof ReportFault ? cause.position?.line : undefined;
        const place = { file: shown, ...(line !== undefined && { line }) };
        throw new _api_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz([{ input, problem: `'${shown}'${problemOf(cause)}`, place }], { cause });
    }
}
function problemOf(cause) {
    if (cause instanceof ReportFault) {
        const { position, message } = cause;
        return position === undefined
            ? ` ${message}`
            : `, line ${position.line}, column ${position.column}: it ${message}`;
    }
    if ((0,_unusable_path_js__WEBPACK_IMPORTED_MODULE_1__/* .faultCode */ .Ie)(cause) === "")
        throw cause;
    return ` ${(0,_unusable_path_js__WEBPACK_IMPORTED_MODULE_1__/* .whyUnusable */ .II)(cause)}`;
}


/***/ }),

/***/ 733:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   O: () => (/* binding */ selectReports)
/* harmony export */ });
/* harmony import */ var _file_limit_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3165);
/* harmony import */ var _file_selection_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1479);
/* harmony import */ var _fingerprint_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4057);
/* harmony import */ var _unusable_path_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(832);




/**
 * The files that the patterns name, each once: a file that two patterns or a link lead to, and a copy of another one,
 * would count its results twice.
 *
 * @throws InputError, under the name of the input, with everything that is wrong with any of them.
 */
async function selectReports({ maxBytes, ...request }) {
    const { selected, repeated, findings, workspace } = await (0,_file_selection_js__WEBPACK_IMPORTED_MODULE_1__/* .selectFiles */ .A)({
        ...request,
        ifNoFilesFound: "error",
    });
    for (const file of selected) {
        const { shown, stats } = file;
        if (stats.isDirectory())
            findings.problems.push(adviseOnDirectory(shown));
        else if (stats.size > maxBytes)
            findings.problems.push((0,_file_limit_js__WEBPACK_IMPORTED_MODULE_0__/* .oversize */ .A)(`'${shown}'`, stats.size, maxBytes));
    }
    if (selected.length === 0 && findings.problems.length === 0)
        findings.problems.push("names no file");
    (0,_file_selection_js__WEBPACK_IMPORTED_MODULE_1__/* .refuseProblems */ .n)(findings);
    const warnings = repeated
        .filter(({ again, first }) => again.path !== first.path)
        .map(({ again, first }) => `'${again.shown}' leads to '${first.shown}', which is counted once`);
    const named = new Set(repeated.filter(({ again, first }) => again.path === first.path).map(({ first }) => first.shown));
    for (const shown of named)
        warnings.push(`'${shown}' is named by several patterns and counted once`);
    const { files, copies } = await withoutCopies(selected, findings);
    return { files, workspace, warnings: [...warnings, ...copies] };
}
function adviseOnDirectory(shown) {
    return `'${shown}' is a directory: use a glob such as '${shown === "." ? "" : `${shown}/`}**/*'`;
}
/** Only files of one size can be copies, so most are never read for this. */
async function withoutCopies(selected, findings) {
    const ofSize = Map.groupBy(selected, ({ stats }) => stats.size);
    const firstOf = new Map();
    const files = [];
    const copies = [];
    for (const file of selected) {
        const digest = ofSize.get(file.stats.size)?.length === 1 ? undefined : await digestOf(file, findings);
        const first = digest === undefined ? undefined : firstOf.get(digest);
        if (first === undefined)
            files.push(file);
        else
            copies.push(`'${file.shown}' is a copy of '${first.shown}', so it is not counted again`);
        if (digest !== undefined && first === undefined)
            firstOf.set(digest, file);
    }
    (0,_file_selection_js__WEBPACK_IMPORTED_MODULE_1__/* .refuseProblems */ .n)(findings);
    return { files, copies };
}
async function digestOf(file, findings) {
    try {
        return await (0,_fingerprint_js__WEBPACK_IMPORTED_MODULE_2__/* .digestOfFile */ .M)(file.realPath, file.stats.size);
    }
    catch (error) {
        findings.problems.push(`'${file.shown}' ${(0,_unusable_path_js__WEBPACK_IMPORTED_MODULE_3__/* .whyUnusable */ .II)(error)}`);
        return undefined;
    }
}


/***/ }),

/***/ 3850:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   e: () => (/* binding */ findInWorkspace)
/* harmony export */ });
/* unused harmony export workspacePath */
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6760);


const ABSOLUTE = /^(?:[A-Za-z]:)?[\\/]/;
const MAX_PATH_CHARACTERS = 1000;
/** Where GitHub's runners keep a repository: a report may come from another job, on another system. */
const RUNNER_WORKSPACE = /^(?:\/home\/runner\/work|\/Users\/runner\/work|\/__w|[A-Za-z]:\/a)\/([^/]+)\/\1\//;
/** What stands in workspaces but is nobody's to mend here. */
const FOREIGN = /(?:^|\/)(?:node_modules|site-packages|dist-packages|\.git|\.venv|\.gradle|\.m2)(?:\/|$)/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: no path worth showing holds them
const UNLIKELY = /[\u0000-\u001f\u007f<>|"*?]/;
/**
 * A path as a tool wrote it, relative to the workspace; undefined for what is not in it. Nothing is looked up: a report
 * may be read where its sources are not.
 */
function workspacePath(written, { root, realRoot }) {
    if (written === "" || written.length > MAX_PATH_CHARACTERS || UNLIKELY.test(written))
        return undefined;
    // In a `file:` address, a drive of Windows comes after a slash.
    const path = written.replaceAll("\\", "/").replace(/^\/(?=[A-Za-z]:\/)/, "");
    const inRunner = path.replace(RUNNER_WORKSPACE, "");
    const within = [root, realRoot]
        .map((folder) => `${folder.replaceAll("\\", "/").replace(/\/$/, "")}/`)
        .find((folder) => path.startsWith(folder));
    const relative = within === undefined ? inRunner : path.slice(within.length);
    if (relative.startsWith("/") || /^[A-Za-z][A-Za-z0-9+.-]*:/.test(relative))
        return undefined;
    const tidy = node_path__WEBPACK_IMPORTED_MODULE_1__.posix.normalize(relative);
    if (tidy === "." || tidy.endsWith("/") || tidy.startsWith("../") || tidy === "..")
        return undefined;
    return FOREIGN.test(tidy) ? undefined : tidy;
}
/**
 * The first of the places that is in the workspace: one whose file exists there, else one that may. A relative path is
 * looked for beside the report and in each folder above it, because tools run in the folder of a package.
 */
async function findInWorkspace(places, workspace, report) {
    let plausible;
    for (const place of places) {
        const path = workspacePath(place.file, workspace);
        if (path === undefined)
            continue;
        const line = place.line === undefined || place.line < 1 ? {} : { line: place.line };
        for (const folder of ABSOLUTE.test(place.file) ? [""] : foldersAbove(report)) {
            const file = node_path__WEBPACK_IMPORTED_MODULE_1__.posix.join(folder, path);
            if (await isFile((0,node_path__WEBPACK_IMPORTED_MODULE_1__.resolve)(workspace.root, file)))
                return { file, ...line };
        }
        if (place.mustExist !== true)
            plausible ??= { file: path, ...line };
    }
    return plausible;
}
/** The folder of a report, those above it and, last, the workspace itself. */
function foldersAbove(report) {
    const parts = report.replaceAll("\\", "/").split("/").slice(0, -1);
    if (report.startsWith("/") || /^[A-Za-z]:/.test(report))
        return [""];
    return [...parts.map((_, dropped) => parts.slice(0, parts.length - dropped).join("/")), ""];
}
async function isFile(path) {
    return await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.stat)(path).then((stats) => stats.isFile(), () => false);
}


/***/ }),

/***/ 2878:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   g: () => (/* binding */ decodeText),
/* harmony export */   o: () => (/* binding */ decoderFor)
/* harmony export */ });
/* harmony import */ var node_util__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7975);
/* harmony import */ var _report_fault_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4606);


/** How far an XML declaration may reach into a file. */
const DECLARATION_BYTES = 512;
/**
 * A decoder for a text, by how it begins: its byte order mark, else zero bytes around its first character, else its
 * XML declaration, else UTF-8.
 *
 * @throws ReportFault when the XML declaration names an encoding that is not known.
 */
function decoderFor(start) {
    const decoder = strictDecoder(wideEncoding(start) ?? declaredEncoding(start) ?? "utf-8");
    const decode = (part) => {
        try {
            return decoder.decode(part, { stream: part !== undefined });
        }
        catch {
            throw new _report_fault_js__WEBPACK_IMPORTED_MODULE_1__/* .ReportFault */ .p(`is not ${decoder.encoding.toUpperCase()} text`);
        }
    };
    return { decode, end: () => decode() };
}
/**
 * All of a text, without its byte order mark.
 *
 * @throws ReportFault when the bytes are not of the encoding that they begin with.
 */
function decodeText(bytes) {
    const decoder = decoderFor(bytes);
    return decoder.decode(bytes) + decoder.end();
}
function strictDecoder(label) {
    try {
        return new node_util__WEBPACK_IMPORTED_MODULE_0__.TextDecoder(label, { fatal: true });
    }
    catch {
        throw new _report_fault_js__WEBPACK_IMPORTED_MODULE_1__/* .ReportFault */ .p(`says that its encoding is '${label}', which is not known: save it as UTF-8`);
    }
}
function wideEncoding([first, second, third, fourth]) {
    if (first === 0xff && second === 0xfe)
        return "utf-16le";
    if (first === 0xfe && second === 0xff)
        return "utf-16be";
    if (first === 0x3c && second === 0 && third !== 0 && fourth === 0)
        return "utf-16le";
    if (first === 0 && second === 0x3c && third === 0 && fourth !== 0)
        return "utf-16be";
    return undefined;
}
/** What can be read as single bytes is not UTF-16, though .NET declares that of texts it then saves as UTF-8. */
function declaredEncoding(start) {
    const text = Buffer.from(start.subarray(0, DECLARATION_BYTES)).toString("latin1");
    const [, label] = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'<>]{1,40})["']/.exec(text) ?? [];
    return label !== undefined && /^(?:utf-?16|ucs-?2|unicode)/i.test(label) ? undefined : label;
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
