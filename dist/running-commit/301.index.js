export const id = 301;
export const ids = [301];
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

/***/ 4301:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   readLocalHistory: () => (/* binding */ readLocalHistory)
/* harmony export */ });
/* harmony import */ var _commit_facts_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6236);
/* harmony import */ var _git_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1623);


/** Of each commit: name, author, Unix time, subject; NUL stands in none of them. */
const FORMAT = "%H%x00%an%x00%at%x00%s%x00";
/**
 * Compares two commits by the history of the clone in the workspace. Undefined when the clone does not have both of
 * them with all that came before: a shallow clone would make a descendant look like a stranger.
 */
async function readLocalHistory(question) {
    const base = (0,_commit_facts_js__WEBPACK_IMPORTED_MODULE_1__/* .asCommitSha */ .MG)(question.base);
    const head = (0,_commit_facts_js__WEBPACK_IMPORTED_MODULE_1__/* .asCommitSha */ .MG)(question.head);
    if (base === undefined || head === undefined)
        return undefined;
    const shallow = await (0,_git_js__WEBPACK_IMPORTED_MODULE_0__/* .git */ .$)(question, ["rev-parse", "--is-shallow-repository"]);
    if (shallow?.toString().trim() !== "false")
        return undefined;
    const counts = await (0,_git_js__WEBPACK_IMPORTED_MODULE_0__/* .git */ .$)(question, ["rev-list", "--left-right", "--count", `${base}...${head}`]);
    const [behindBy, aheadBy] = (counts?.toString().trim().split("\t") ?? []).map(Number);
    if (behindBy === undefined || aheadBy === undefined)
        return undefined;
    // The plumbing of `git log`: the clone's configuration cannot make it check signatures with a program of its own.
    const options = [`--max-count=${question.limit}`, "--reverse", "--encoding=UTF-8", `--format=${FORMAT}`];
    const listed = await (0,_git_js__WEBPACK_IMPORTED_MODULE_0__/* .git */ .$)(question, ["rev-list", ...options, `${base}..${head}`]);
    if (listed === undefined)
        return undefined;
    return { aheadBy, behindBy, commits: parseCommits(listed.toString()) };
}
function parseCommits(listed) {
    const values = listed.split("\0");
    const commits = [];
    for (let at = 0; at + 4 < values.length; at += 4) {
        const [sha = "", author = "", timestamp = "", subject = ""] = values.slice(at, at + 4);
        // Before it stands the line `commit SHA`, which older releases of git cannot leave out.
        commits.push({ sha: sha.slice(-40), author, timestamp: Number(timestamp), subject });
    }
    return commits;
}


/***/ })

};
