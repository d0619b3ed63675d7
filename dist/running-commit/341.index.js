export const id = 341;
export const ids = [341];
export const modules = {

/***/ 1623:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $: () => (/* binding */ git)
/* harmony export */ });
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3024);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6760);


/** In milliseconds. Git answers in a few, and in seconds about a long history, unless its files are on a dead disk. */
const TIME_LIMIT_MS = 20_000;
/**
 * What a git command says of the clone in the workspace. Undefined when there is no clone or no git, and when the
 * command fails or does not end. Only for commands that run nothing which the clone's configuration names.
 */
async function git(clone, command, timeLimitMs = TIME_LIMIT_MS) {
    const gitDir = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.resolve)(clone.workspace), ".git");
    if (!(0,node_fs__WEBPACK_IMPORTED_MODULE_0__.existsSync)(gitDir))
        return undefined;
    const limits = [AbortSignal.timeout(timeLimitMs), ...(clone.signal ? [clone.signal] : [])];
    const chunks = [];
    try {
        const { runProgram } = await __webpack_require__.e(/* import() */ 769).then(__webpack_require__.bind(__webpack_require__, 3769));
        const { exitCode } = await runProgram({
            program: "git",
            args: ["--no-replace-objects", ...command],
            env: gitEnv(gitDir, clone.env),
            signal: AbortSignal.any(limits),
            onStdout: (chunk) => chunks.push(chunk),
        });
        return exitCode === 0 ? Buffer.concat(chunks) : undefined;
    }
    catch {
        return undefined; // Git is not installed, or was ended by the limit or with the step.
    }
}
/**
 * Git's own variables could point it at another repository. With GIT_DIR it neither searches the folders above
 * nor minds that the clone belongs to another user, as it does in a container. A clone without all objects must
 * not fetch them: it may say by which program. Releases of git that know nothing of the first variable heed the second.
 */
function gitEnv(gitDir, env) {
    const kept = Object.entries(env).filter(([name]) => !/^GIT_(?!EXEC_PATH$)/i.test(name));
    const offline = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none", GIT_TERMINAL_PROMPT: "0" };
    return { ...Object.fromEntries(kept), GIT_DIR: gitDir, ...offline };
}


/***/ }),

/***/ 9341:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   readLocalCommit: () => (/* binding */ readLocalCommit)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var _commit_facts_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6236);
/* harmony import */ var _git_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1623);



/** In milliseconds. It is one object; GitHub is not waited for longer. */
const TIME_LIMIT_MS = 5_000;
/**
 * Reads a commit from the clone in the workspace. Undefined when there is no clone, no git, or no such commit
 * in the clone.
 *
 * The commit's own object is read instead of git's log of it: in a shallow clone the log shows the oldest commit
 * without its parents.
 */
async function readLocalCommit(place) {
    const sha = (0,_commit_facts_js__WEBPACK_IMPORTED_MODULE_2__/* .asCommitSha */ .MG)(place.sha);
    if (sha === undefined)
        return undefined;
    const object = await (0,_git_js__WEBPACK_IMPORTED_MODULE_1__/* .git */ .$)(place, ["cat-file", "commit", sha], TIME_LIMIT_MS);
    if (object === undefined || nameOf(object) !== sha)
        return undefined;
    return parseCommit(object);
}
/** A name that does not fit means that another object was read: what an annotated tag points at. */
function nameOf(object) {
    return (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)("sha1").update(`commit ${object.length}\0`).update(object).digest("hex");
}
/** Header lines, continued by lines that begin with a blank, then an empty line and the message. */
function parseCommit(object) {
    const end = object.indexOf("\n\n");
    const head = end < 0 ? object : object.subarray(0, end);
    const decode = decoderOf(head);
    const headers = decode(head).split("\n");
    const values = (name) => headers.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
    const { author, timestamp } = parseAuthor(values("author")[0]);
    return {
        message: end < 0 ? "" : decode(object.subarray(end + 2)),
        author,
        timestamp,
        parents: values("parent"),
    };
}
/** `Name <email> 1700000000 +0100` */
function parseAuthor(line = "") {
    const parts = /^(?<name>[^<]*)<(?<email>[^>]*)> (?<seconds>-?\d+) [+-]\d+$/.exec(line)?.groups;
    if (!parts)
        return {};
    return { author: (0,_commit_facts_js__WEBPACK_IMPORTED_MODULE_2__/* .signature */ .vl)(parts["name"], parts["email"]), timestamp: Number(parts["seconds"]) };
}
/** Text is UTF-8 unless the commit says otherwise. */
function decoderOf(head) {
    const encoding = /^encoding (.+)$/m.exec(head.toString("latin1"))?.[1] ?? "utf-8";
    try {
        const decoder = new TextDecoder(encoding);
        return (bytes) => decoder.decode(bytes);
    }
    catch {
        return (bytes) => bytes.toString("utf8");
    }
}


/***/ })

};
