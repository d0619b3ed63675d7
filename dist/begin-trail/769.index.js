export const id = 769;
export const ids = [769];
export const modules = {

/***/ 3769:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   runProgram: () => (/* binding */ runProgram)
/* harmony export */ });
/* unused harmony export ProgramNotStarted */
/* harmony import */ var node_child_process__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1421);
/* harmony import */ var node_timers_promises__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8500);


/** The program could not be started. */
class ProgramNotStarted extends Error {
    /** There is none of this name. */
    absent;
    constructor(cause) {
        super(cause instanceof Error ? cause.message : String(cause), { cause });
        this.absent = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    }
}
/** Enough for the last line that says why, after pages of warnings. In characters. */
const STDERR_KEPT = 16_384;
/** How long a program may take to heed SIGTERM, and then to be gone; most take a few milliseconds. */
const GRACE_MS = 300;
/** A program may leave another running with its output still open: that is not waited for any longer. */
const OUTPUT_GRACE_MS = 1_000;
/**
 * Runs a program to its end, or to the signal's. Nothing it prints reaches our own output.
 *
 * @throws {ProgramNotStarted}
 * @throws the signal's reason when it aborts; by then the program is gone, or does not heed even SIGKILL
 */
async function runProgram({ program, args, env, signal, input, onStdout, }) {
    signal.throwIfAborted();
    const child = start(program, args, { env, reads: input !== undefined });
    let stderr = "";
    child.stdout?.on("data", onStdout);
    child.stderr?.setEncoding("utf8").on("data", (text) => {
        stderr = (stderr + text).slice(-STDERR_KEPT);
    });
    // A program may end without reading its input: its exit code says what that means.
    child.stdin?.on("error", () => { }).end(input);
    const ended = endOf(child);
    const stopped = Promise.withResolvers();
    const stop = () => stopChild(child, ended).then(() => stopped.reject(signal.reason));
    signal.addEventListener("abort", stop, { once: true });
    try {
        const exitCode = await Promise.race([ended, stopped.promise]);
        signal.throwIfAborted();
        return { exitCode, stderr };
    }
    finally {
        signal.removeEventListener("abort", stop);
    }
}
function start(program, args, { env, reads }) {
    try {
        const stdio = [reads ? "pipe" : "ignore", "pipe", "pipe"];
        return (0,node_child_process__WEBPACK_IMPORTED_MODULE_0__.spawn)(program, args, { env: { ...env }, stdio: [...stdio], windowsHide: true });
    }
    catch (cause) {
        throw new ProgramNotStarted(cause);
    }
}
/** The exit code once the program has ended and its output is read. */
function endOf(child) {
    return new Promise((resolve, reject) => {
        child.on("error", (cause) => {
            // With a process id it is a signal that could not be sent.
            if (child.pid === undefined)
                reject(new ProgramNotStarted(cause));
        });
        child.once("exit", () => {
            // However busy this process was: what has been printed is read before the output is closed.
            setTimeout(() => setImmediate(closeOutput, child), OUTPUT_GRACE_MS).unref();
        });
        child.once("close", resolve);
    });
}
async function stopChild(child, ended) {
    const gone = ended.catch(() => { });
    for (const signal of ["SIGTERM", "SIGKILL"]) {
        child.kill(signal);
        await Promise.race([gone, (0,node_timers_promises__WEBPACK_IMPORTED_MODULE_1__.setTimeout)(GRACE_MS, undefined, { ref: false })]);
    }
    // A program that waits for a dead disk outlives even SIGKILL. It must not keep this process alive.
    closeOutput(child);
    child.unref();
}
function closeOutput({ stdout, stderr }) {
    stdout?.destroy();
    stderr?.destroy();
}


/***/ })

};
