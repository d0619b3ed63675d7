export const id = 803;
export const ids = [803];
export const modules = {

/***/ 2803:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  readLocalCommit: () => (/* binding */ readLocalCommit)
});

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: ./lib/github/commit-facts.js
var commit_facts = __webpack_require__(6236);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(8500);
;// CONCATENATED MODULE: ./lib/github/git.js



const WINDOWS = process.platform === "win32";
/** The shell tells its process id and becomes git: there is no other way to learn whom to end. */
const TELL_PID = 'echo "$$" >&2; exec git "$@"';
/** In milliseconds. Git answers in a few, and in seconds about a long history, unless its files are on a dead disk. */
const TIME_LIMIT_MS = 20_000;
/** How long git may take to be gone after it was ended. */
const GRACE_MS = 300;
/**
 * What a git command says of the clone in the workspace. Undefined when there is no clone or no git, and when the
 * command fails or does not end. Only for commands that run nothing which the clone's configuration names.
 */
async function git(clone, command, timeLimitMs = TIME_LIMIT_MS) {
    const gitDir = (0,external_node_path_.join)((0,external_node_path_.resolve)(clone.workspace), ".git");
    if (!(0,external_node_fs_.existsSync)(gitDir))
        return undefined;
    const { signal } = clone;
    const limit = AbortSignal.any([AbortSignal.timeout(timeLimitMs), ...(signal ? [signal] : [])]);
    const chunks = [];
    let pid = "";
    /** Then its id may by now be somebody else's. */
    let ended = false;
    const end = () => {
        // Zero would be our own process group.
        if (!ended && Number(pid) > 1)
            process.kill(Number(pid), "SIGKILL");
    };
    try {
        const { exec } = await __webpack_require__.e(/* import() */ 879).then(__webpack_require__.bind(__webpack_require__, 1260));
        const args = ["--no-replace-objects", ...command];
        const running = exec(WINDOWS ? "git" : "/bin/sh", WINDOWS ? args : ["-c", TELL_PID, "sh", ...args], {
            env: gitEnv(gitDir, clone.env),
            silent: true,
            ignoreReturnCode: true,
            listeners: {
                stdout: (chunk) => chunks.push(chunk),
                errline: (line) => {
                    if (pid === "")
                        pid = line;
                    if (limit.aborted)
                        end();
                },
            },
        });
        running
            .finally(() => {
            ended = true;
        })
            .catch(() => { });
        limit.addEventListener("abort", end, { once: true });
        const exitCode = await Promise.race([running, goneAfter(limit)]);
        limit.removeEventListener("abort", end);
        return exitCode === 0 && !limit.aborted ? Buffer.concat(chunks) : undefined;
    }
    catch {
        return undefined; // git is not installed
    }
}
/** Settles a moment after the signal: what was ended by it has gone by then. */
async function goneAfter(signal) {
    if (!signal.aborted)
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    await (0,promises_.setTimeout)(GRACE_MS, undefined, { ref: false });
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

;// CONCATENATED MODULE: ./lib/github/local-git.js



/** In milliseconds. It is one object; GitHub is not waited for longer. */
const local_git_TIME_LIMIT_MS = 5_000;
/**
 * Reads a commit from the clone in the workspace. Undefined when there is no clone, no git, or no such commit
 * in the clone.
 *
 * The commit's own object is read instead of git's log of it: in a shallow clone the log shows the oldest commit
 * without its parents.
 */
async function readLocalCommit(place) {
    const sha = (0,commit_facts/* asCommitSha */.MG)(place.sha);
    if (sha === undefined)
        return undefined;
    const object = await git(place, ["cat-file", "commit", sha], local_git_TIME_LIMIT_MS);
    if (object === undefined || nameOf(object) !== sha)
        return undefined;
    return parseCommit(object);
}
/** A name that does not fit means that another object was read: what an annotated tag points at. */
function nameOf(object) {
    return (0,external_node_crypto_.createHash)("sha1").update(`commit ${object.length}\0`).update(object).digest("hex");
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
    return { author: (0,commit_facts/* signature */.vl)(parts["name"], parts["email"]), timestamp: Number(parts["seconds"]) };
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
