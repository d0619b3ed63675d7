export const id = 709;
export const ids = [709];
export const modules = {

/***/ 3013:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Gv: () => (/* binding */ isObject),
/* harmony export */   Nt: () => (/* binding */ asObjects),
/* harmony export */   e1: () => (/* binding */ asText),
/* harmony export */   eB: () => (/* binding */ asObject)
/* harmony export */ });
/* Reading values whose shape nobody promised. Written by hand, not as a schema: there may be 150,000 of them. */
const NOTHING = Object.freeze({});
function isObject(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
/** The object, or an empty one when the value is anything else. */
function asObject(value) {
    return isObject(value) ? value : NOTHING;
}
/** The objects of a list; none when the value is anything else. */
function asObjects(value) {
    return Array.isArray(value) ? value.filter(isObject) : [];
}
/** The text, or an empty one when the value is anything else. */
function asText(value) {
    return typeof value === "string" ? value : "";
}


/***/ }),

/***/ 5709:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  readCluster: () => (/* binding */ readCluster)
});

// EXTERNAL MODULE: ./lib/api/errors.js
var errors = __webpack_require__(8937);
// EXTERNAL MODULE: ./lib/api/untyped.js
var untyped = __webpack_require__(3013);
;// CONCATENATED MODULE: ./lib/kubernetes/contexts.js
/** A kubeconfig can hold hundreds; a message with these many can still be read. */
const MOST_NAMED = 10;
/**
 * What to do about a context that the kubeconfig does not hold: the names that it holds, where kubectl tells them.
 * Kubectl has read the file a moment ago, so this takes no time worth a limit.
 */
async function contextAdvice(kubectl) {
    const names = await contextNames(kubectl).catch(() => []);
    if (names.length === 0)
        return "`kubectl config get-contexts` lists what the kubeconfig holds.";
    const named = names.slice(0, MOST_NAMED).map((name) => `'${name}'`);
    const more = names.length - named.length;
    return `The kubeconfig holds ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}
async function contextNames({ program, kubeconfig, env }) {
    const { getExecOutput } = await __webpack_require__.e(/* import() */ 260).then(__webpack_require__.bind(__webpack_require__, 1260));
    const file = kubeconfig ? [`--kubeconfig=${kubeconfig}`] : [];
    const args = ["config", "get-contexts", "--output=name", ...file];
    const options = { env: { ...env }, silent: true, ignoreReturnCode: true };
    const { exitCode, stdout } = await getExecOutput(`"${program}"`, args, options);
    return exitCode === 0 ? stdout.split(/\r?\n/).filter((name) => name !== "") : [];
}

;// CONCATENATED MODULE: ./lib/kubernetes/kubectl-error.js



/** kubectl, or the API server through it, did not give what was asked for. */
class ClusterFault extends Error {
    /** It may be gone a moment later, as a lost connection is. */
    transient;
    /** The list took so long that the API server no longer knows where it was: it must begin again. */
    expired;
    /** The address is not one of a cluster's. */
    notFound;
    constructor(said, kind = {}) {
        super(said);
        this.transient = kind.transient ?? false;
        this.expired = kind.expired ?? false;
        this.notFound = kind.notFound ?? false;
    }
}
/** Of what kubectl or the API server says, this much is quoted: the end, where the reason stands. */
const QUOTED = 2_000;
const FORBIDDEN = /cannot (\w+) resource "([^"]+)"[^\n]*?(at the cluster scope|in the namespace "[^"]+")/;
const TRANSIENT = /\((InternalError|ServiceUnavailable|Timeout|ServerTimeout|TooManyRequests)\)|connection (refused|reset)|timeout|timed out|deadline exceeded|\bEOF\b/i;
/** Without a kubeconfig, kubectl tries `localhost:8080`. */
const NO_CLUSTER = /localhost:8080|no configuration has been provided|stat .*no such file|loading config file|x509:|no such host/;
/** The fault that kubectl's words on stderr describe. */
function faultFromStderr(stderr) {
    return new ClusterFault(stderr, {
        transient: TRANSIENT.test(stderr) && !NO_CLUSTER.test(stderr),
        expired: /\((Expired|Gone)\)/.test(stderr),
        notFound: /\(NotFound\)/.test(stderr),
    });
}
/** The fault that an answer of the API server other than 200 describes, in the words kubectl has for it. */
function faultFromAnswer(status, body) {
    const { reason, message } = (0,untyped/* asObject */.eB)(jsonOrUndefined(body));
    const said = typeof message === "string"
        ? `Error from server (${(0,untyped/* asText */.e1)(reason) || status}): ${message}`
        : `the API server answered ${status}: ${body.slice(0, 200)}`;
    return new ClusterFault(said, {
        transient: status === 408 || status === 429 || status >= 500,
        expired: status === 410,
        notFound: status === 404,
    });
}
function jsonOrUndefined(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
/** The error for a kubectl that did not start. */
function kubectlMissing(program, cause) {
    const why = cause.absent ? "is not there" : `cannot be started: ${cause.message}`;
    const problem = `K8S is read with '${program}', which ${why}`;
    return new errors/* InputError */.dz([{ input: "type", problem }], {
        advice: "Install kubectl, or put the folder that holds it on PATH before this step.",
        cause,
    });
}
/**
 * A fault as its user sees it. What the author of the workflow can cure names the input; anything else is a
 * failure on the way to the cluster, with the code `KUBECTL`.
 */
async function explainFault(fault, kubectl) {
    const text = fault.message.trim();
    const quoted = theEnd(text) || "nothing";
    const because = (input, advice) => new errors/* InputError */.dz([{ input, problem: `the pods could not be read; kubectl said: ${quoted}` }], { advice });
    const forbidden = FORBIDDEN.exec(text);
    if (forbidden || /\(?Forbidden\)?:|is forbidden/.test(text)) {
        const [, verb = "list", resource = "pods", scope = "at the cluster scope"] = forbidden ?? [];
        const right = `Grant the verb '${verb}' on the resource '${resource}' ${scope}`;
        const other = scope.startsWith("at") ? ", or list in `namespaces` those it may read" : "";
        return because("namespaces", `${right}${other}.`);
    }
    if (/\(Unauthorized\)|You must be logged in|provide credentials/.test(text)) {
        return because("kubeconfig", "Its credentials are not accepted, or no longer: log in to the cluster in this job.");
    }
    if (/executable .* not found|getting credentials/.test(text)) {
        return because("kubeconfig", "Its login plugin failed: install it and log in before this step.");
    }
    if (kubectl.context && text.includes(`context "${kubectl.context}" does not exist`)) {
        return because("context", await contextAdvice(kubectl));
    }
    if (NO_CLUSTER.test(text)) {
        return because("kubeconfig", "Give the path of a kubeconfig that is valid for this cluster.");
    }
    return new errors/* NetworkError */.Dr({
        what: `the pods could not be read from the cluster; kubectl said: ${quoted}`,
        advice: "Nothing was reported. Run `kubectl get pods` in this job to see the failure alone.",
        code: "KUBECTL",
    });
}
function theEnd(said) {
    const text = said.trim();
    return text.length > QUOTED ? `…${text.slice(-QUOTED)}` : text;
}

// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(8500);
// EXTERNAL MODULE: external "node:child_process"
var external_node_child_process_ = __webpack_require__(1421);
;// CONCATENATED MODULE: ./lib/process/run-program.js


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
        return (0,external_node_child_process_.spawn)(program, args, { env: { ...env }, stdio: [...stdio], windowsHide: true });
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
        await Promise.race([gone, (0,promises_.setTimeout)(GRACE_MS, undefined, { ref: false })]);
    }
    // A program that waits for a dead disk outlives even SIGKILL. It must not keep this process alive.
    closeOutput(child);
    child.unref();
}
function closeOutput({ stdout, stderr }) {
    stdout?.destroy();
    stderr?.destroy();
}

;// CONCATENATED MODULE: ./lib/kubernetes/kubectl.js


/** What kubectl is given for the answer, and for a login before it that may wait for a person who is not there. */
const ANSWER_TIMEOUT_S = 60;
const RUN_TIMEOUT_MS = 120_000;
/** A page is a few megabytes. A text of four times this could not be held at all. */
const MAX_PAGE_BYTES = 128 * 1024 * 1024;
const TOO_LARGE = `one page of the list of pods has more than ${MAX_PAGE_BYTES / 1024 / 1024} MB`;
/**
 * Runs kubectl to its end, or until it is given up or the work is interrupted.
 *
 * @param givenUp ends this process alone
 * @throws {InputError} when there is no kubectl.
 * @throws the reason of the signal that ended it.
 */
async function runKubectl(kubectl, args, { givenUp, onStdout }) {
    const { program, kubeconfig, context, env } = kubectl;
    const signal = AbortSignal.any([kubectl.signal, givenUp]);
    const all = [
        ...args,
        ...(kubeconfig ? [`--kubeconfig=${kubeconfig}`] : []),
        ...(context ? [`--context=${context}`] : []),
    ];
    try {
        return await runProgram({ program, args: all, env, signal, onStdout });
    }
    catch (error) {
        throw error instanceof ProgramNotStarted ? kubectlMissing(program, error) : error;
    }
}
/**
 * What the API server answers to a GET of `path`, as kubectl gets it.
 *
 * @throws {ClusterFault} with what kubectl said.
 * @throws {InputError} when there is no kubectl.
 */
async function getRaw(kubectl, path) {
    const chunks = [];
    let size = 0;
    const controller = new AbortController();
    const giveUp = (why) => controller.abort(new ClusterFault(why));
    const args = ["get", `--raw=${path}`, `--request-timeout=${ANSWER_TIMEOUT_S}s`];
    const onStdout = (chunk) => {
        size += chunk.length;
        if (size <= MAX_PAGE_BYTES)
            chunks.push(chunk);
        else
            giveUp(TOO_LARGE);
    };
    const { timeoutMs = RUN_TIMEOUT_MS } = kubectl;
    const timer = setTimeout(giveUp, timeoutMs, `kubectl did not end within ${timeoutMs / 1000} s`);
    try {
        const { exitCode, stderr } = await runKubectl(kubectl, args, { givenUp: controller.signal, onStdout });
        if (exitCode !== 0)
            throw faultFromStderr(stderr);
    }
    finally {
        clearTimeout(timer);
    }
    return Buffer.concat(chunks).toString();
}

// EXTERNAL MODULE: external "node:fs/promises"
var external_node_fs_promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./node_modules/undici/lib/api/api-request.js
var api_request = __webpack_require__(4043);
// EXTERNAL MODULE: ./node_modules/undici/lib/dispatcher/agent.js
var dispatcher_agent = __webpack_require__(7405);
;// CONCATENATED MODULE: ./lib/kubernetes/proxy.js






/** What the address of a unix socket can hold on every system, with its final zero. */
const SOCKET_PATH_LIMIT = 104;
const FOLDER_PREFIX = "kubectl-";
const SOCKET = "proxy.sock";
const START_TIMEOUT_MS = 30_000;
const ANSWER_TIMEOUT_MS = 60_000;
/*
 * The socket gives whoever can open it the rights of the kubeconfig, so it does no more than is needed:
 * lists of pods, and no method but GET. Both flags are comma-separated expressions of a kind without lookahead,
 * hence the spelling of "anything that is not GET".
 */
const POD_LISTS = "^/api/v1/pods$,^/api/v1/namespaces/[^/]+/pods$";
const NOT_GET = "^[^G],^G[^E],^GE[^T],^GET.,^GE?$";
/** False where there are no unix sockets, or the folder's path is too long to hold one. */
function canProxy(tempDir) {
    const path = (0,external_node_path_.join)(tempDir, `${FOLDER_PREFIX}XXXXXX`, SOCKET);
    return process.platform !== "win32" && Buffer.byteLength(path) < SOCKET_PATH_LIMIT;
}
/**
 * Starts `kubectl proxy` on a socket in a folder of its own, which only this user can enter.
 *
 * @throws {ClusterFault} when kubectl ends before it serves.
 * @throws {InputError} when there is no kubectl.
 */
async function openProxy(kubectl, tempDir) {
    const folder = await (0,external_node_fs_promises_.mkdtemp)((0,external_node_path_.join)(tempDir, FOLDER_PREFIX));
    const socketPath = (0,external_node_path_.join)(folder, SOCKET);
    const serving = Promise.withResolvers();
    const closing = new AbortController();
    let stdout = "";
    const ended = runKubectl(kubectl, [
        "proxy",
        `--unix-socket=${socketPath}`,
        `--accept-paths=${POD_LISTS}`,
        `--reject-methods=${NOT_GET}`,
        // Some clusters are served below a path, as Rancher's are.
        "--append-server-path=true",
    ], {
        givenUp: closing.signal,
        onStdout: (chunk) => {
            stdout = (stdout + chunk.toString()).slice(-1000);
            if (stdout.includes("Starting to serve"))
                serving.resolve();
        },
    });
    const close = async () => {
        closing.abort();
        await ended.catch(() => { });
        await (0,external_node_fs_promises_.rm)(folder, { recursive: true, force: true });
    };
    // Once it serves, its end shows in the requests it no longer answers.
    const endedEarly = ended.then(({ stderr }) => {
        throw faultFromStderr(stderr);
    });
    const late = new ClusterFault(`kubectl proxy did not serve within ${START_TIMEOUT_MS} ms`);
    const timer = setTimeout(() => closing.abort(late), START_TIMEOUT_MS);
    try {
        await Promise.race([serving.promise, endedEarly]);
    }
    catch (error) {
        await close();
        throw error;
    }
    finally {
        clearTimeout(timer);
    }
    const timeouts = { headersTimeout: ANSWER_TIMEOUT_MS, bodyTimeout: ANSWER_TIMEOUT_MS };
    const agent = new dispatcher_agent({ connect: { socketPath }, ...timeouts, maxResponseSize: MAX_PAGE_BYTES });
    return {
        get: (path) => get(agent, path, kubectl.signal),
        close: () => agent.destroy().then(close),
    };
}
async function get(agent, path, signal) {
    const { status, text } = await answer(agent, path, signal).catch((error) => {
        signal.throwIfAborted();
        if (error instanceof Error && "code" in error && error.code === "UND_ERR_RES_EXCEEDED_MAX_SIZE")
            throw new ClusterFault(TOO_LARGE);
        const why = error instanceof Error ? error.message : String(error);
        throw new ClusterFault(`the connection to kubectl proxy failed: ${why}`, { transient: true });
    });
    if (status !== 200)
        throw faultFromAnswer(status, text);
    return text;
}
async function answer(agent, path, signal) {
    const options = { origin: "http://localhost", method: "GET", path, signal };
    const { statusCode, body } = await api_request.call(agent, options);
    return { status: statusCode, text: await body.text() };
}

;// CONCATENATED MODULE: ./lib/kubernetes/pages.js





/** Pods in a page: what kubectl itself asks for. */
const PAGE_SIZE = 500;
/** Enough for a million pods. What goes on after that repeats itself. */
const MAX_PAGES = 2_000;
const RETRIES = 3;
/**
 * Gets lists page by page: the first page of all with a kubectl of its own, which is all a small cluster needs, the
 * others by a proxy.
 */
class PageReader {
    #kubectl;
    #options;
    #answered = false;
    #proxy;
    constructor(kubectl, options) {
        this.#kubectl = kubectl;
        this.#options = options;
    }
    /** The items of the list at `path`, a page at a time. @throws {ClusterFault} when a page cannot be had. */
    async *list(path) {
        const seen = new Set();
        for (let token = "";;) {
            const { items, next } = await this.#read(path, token);
            yield items;
            if (next === "")
                return;
            if (seen.has(next))
                throw new ClusterFault("the list of pods leads back to a page it has given already");
            if (seen.size === MAX_PAGES)
                throw new ClusterFault(`the list of pods has not ended after ${MAX_PAGES} pages`);
            seen.add(next);
            token = next;
        }
    }
    async #read(list, token) {
        for (let failures = 0;; failures++) {
            try {
                const page = parsePage(await this.#get(pagePath(list, token)));
                this.#answered = true;
                return page;
            }
            catch (error) {
                if (!(error instanceof ClusterFault && error.transient) || failures === RETRIES)
                    throw error;
                const { signal } = this.#kubectl;
                await (0,promises_.setTimeout)((this.#options.retryDelay ?? 500) * 2 ** failures, undefined, { signal });
            }
        }
    }
    async #get(path) {
        if (this.#proxy)
            return this.#proxy.get(path);
        const { tempDir, pagesBy = canProxy(tempDir) ? "proxy" : "raw" } = this.#options;
        if (pagesBy === "raw" || !this.#answered) {
            try {
                return await getRaw(this.#kubectl, path);
            }
            catch (error) {
                // `--raw` leaves out the path below which some clusters are served, as Rancher's are; the proxy does not.
                if (pagesBy === "raw" || !(error instanceof ClusterFault && error.notFound))
                    throw error;
            }
        }
        this.#proxy = await openProxy(this.#kubectl, tempDir);
        return this.#proxy.get(path);
    }
    /** Leaves no process behind. */
    async [Symbol.asyncDispose]() {
        await this.#proxy?.close();
    }
}
function pagePath(list, token) {
    return `${list}?limit=${PAGE_SIZE}${token && `&continue=${encodeURIComponent(token)}`}`;
}
/** An answer cut short, or one that is no list, is never taken for a cluster without pods. */
function parsePage(text) {
    const page = parseObject(text);
    const { items, metadata } = page;
    if (!Array.isArray(items))
        throw new ClusterFault(`a list of pods was expected, not ${(0,untyped/* asText */.e1)(page["kind"])}`);
    return { items, next: (0,untyped/* asText */.e1)((0,untyped/* asObject */.eB)(metadata)["continue"]) };
}
function parseObject(text) {
    try {
        const value = JSON.parse(text);
        return (0,untyped/* asObject */.eB)(value);
    }
    catch {
        throw new ClusterFault("the list of pods broke off or was not JSON", { transient: true });
    }
}

// EXTERNAL MODULE: ./lib/kubernetes/pod.js + 1 modules
var pod = __webpack_require__(9787);
// EXTERNAL MODULE: ./lib/kubernetes/pod-collector.js
var pod_collector = __webpack_require__(6205);
;// CONCATENATED MODULE: ./lib/kubernetes/cluster.js
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





/**
 * Reads the pods of a cluster with kubectl, which holds every kind of login a cluster can ask for. Pods are
 * reduced page by page; a page that fails is repeated up to 3 times, and a list that has expired begins again once.
 * No process and no socket is left when this returns, fails, or is aborted.
 *
 * @throws {InputError} for what the author of the workflow can cure: no kubectl, no such context, no rights.
 * @throws {NetworkError} with the code `KUBECTL` when the cluster could not be read for any other reason.
 * @throws {ProtocolError} when the list holds something other than pods.
 * @throws the signal's reason when it aborts.
 */
async function readCluster(options) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const { kubectl: program = "kubectl", kubeconfig, context, env, signal, timeoutMs } = options;
        const kubectl = { program, kubeconfig, context, env, signal, timeoutMs };
        const pages = __addDisposableResource(env_1, new PageReader(kubectl, options), true);
        try {
            return await listPods(pages, options).catch((error) => {
                if (error instanceof ClusterFault && error.expired)
                    return listPods(pages, options);
                throw error;
            });
        }
        catch (error) {
            signal.throwIfAborted();
            if (error instanceof pod/* NotAPod */.s)
                throw new errors/* ProtocolError */.bd({ what: `the cluster's list of pods: ${error.message}` });
            throw error instanceof ClusterFault ? await explainFault(error, kubectl) : error;
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
async function listPods(pages, { selection, onWarning }) {
    const collector = new pod_collector/* PodCollector */.V(selection);
    const empty = [];
    if (selection.exactly === undefined)
        await collect(pages.list("/api/v1/pods"), collector);
    for (const namespace of selection.exactly ?? []) {
        const pods = await collect(pages.list(`/api/v1/namespaces/${namespace}/pods`), collector);
        if (pods === 0)
            empty.push(namespace);
    }
    // The API server has an empty list for a namespace that does not exist: the name may be misspelt.
    for (const namespace of empty)
        onWarning(`namespace '${namespace}' holds no pods, or does not exist`);
    return collector.report(onWarning);
}
async function collect(list, collector) {
    let pods = 0;
    for await (const page of list) {
        for (const pod of page)
            collector.add(pod);
        pods += page.length;
    }
    return pods;
}


/***/ }),

/***/ 6205:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   V: () => (/* binding */ PodCollector)
/* harmony export */ });
/* harmony import */ var _api_untyped_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3013);
/* harmony import */ var _pod_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9787);


/** A cluster full of images without digests is one problem, not thousands: these many pods are named. */
const NAMED_PODS = 10;
/** Takes pods one by one and keeps only what a report says of them, each once. */
class PodCollector {
    #selection;
    #reported = new Map();
    #leftOut = new Map();
    constructor(selection) {
        this.#selection = selection;
    }
    /** @throws {NotAPod} */
    add(pod) {
        const reduction = (0,_pod_js__WEBPACK_IMPORTED_MODULE_1__/* .reducePod */ .O)(pod);
        const { uid, name, namespace } = (0,_api_untyped_js__WEBPACK_IMPORTED_MODULE_0__/* .asObject */ .eB)((0,_api_untyped_js__WEBPACK_IMPORTED_MODULE_0__/* .asObject */ .eB)(pod)["metadata"]);
        if (!this.#selection.includes(String(namespace)))
            return;
        // Pods of two clusters may share a name; a pod in two lists has one uid. What is written by hand may have none.
        if ("entry" in reduction)
            this.#reported.set((0,_api_untyped_js__WEBPACK_IMPORTED_MODULE_0__/* .asText */ .e1)(uid) || `${namespace}/${name}`, reduction);
        else
            this.#leftOut.set(reduction.leftOut, (this.#leftOut.get(reduction.leftOut) ?? 0) + 1);
    }
    /** The report, in an order that does not depend on the order of the pods. Warns of images without a digest. */
    report(onWarning) {
        const reported = [...this.#reported.values()].sort((a, b) => byNamespaceAndName(a.entry, b.entry));
        const incomplete = reported.filter(({ unknownImages }) => unknownImages.length > 0);
        for (const { entry, unknownImages } of incomplete.slice(0, NAMED_PODS)) {
            onWarning(`pod ${entry.namespace}/${entry.podName} is reported without ${unknownImages.map(described).join(", ")}`);
        }
        const others = incomplete.length - NAMED_PODS;
        if (others > 0)
            onWarning(`${others} more pods are reported without the digest of an image`);
        return { entries: reported.map(({ entry }) => entry), leftOut: Object.fromEntries(this.#leftOut) };
    }
}
function described({ container, image, imageID }) {
    const why = imageID === "" ? "has no image ID yet" : `has the image ID '${imageID}', which is not a repo digest`;
    return `the digest of '${image}' (container ${container} ${why})`;
}
function byNamespaceAndName(a, b) {
    return (compare(a.namespace, b.namespace) ||
        compare(a.podName, b.podName) ||
        a.creationTimestamp - b.creationTimestamp);
}
/** By code unit: a locale's order would differ from machine to machine. */
function compare(a, b) {
    return a < b ? -1 : a > b ? 1 : 0;
}


/***/ }),

/***/ 9787:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  s: () => (/* binding */ NotAPod),
  O: () => (/* binding */ reducePod)
});

// EXTERNAL MODULE: ./lib/api/untyped.js
var untyped = __webpack_require__(3013);
;// CONCATENATED MODULE: ./lib/kubernetes/image.js
/*
 * How container runtimes write images. The registry's digest of an image is what a fingerprint is compared with;
 * the digest of an image's configuration, which some runtimes give instead, is not.
 *
 * | imageID                            | digest                                                        |
 * |------------------------------------|---------------------------------------------------------------|
 * | `r/i@sha256:<64>`                  | the 64 digits                                                 |
 * | `docker-pullable://r/i@sha256:<64>`| the 64 digits                                                 |
 * | either in upper case               | the 64 digits in lower case: the same number                  |
 * | `docker://sha256:<64>`             | none: the configuration of an image that was never in a registry |
 * | `sha256:<64>`, `<64>`              | none, for the same reason                                     |
 * | `r/i@sha512:<128>`                 | none: not a sha256, and its end is not one either             |
 * | shorter or longer, empty, no digest| none                                                          |
 */
const REPO_DIGEST = /^[^@]+@sha256:([a-f0-9]{64})$/i;
const BARE_DIGEST = /^(?:[a-z0-9]+:)?[a-f0-9]{32,}$/i;
const DEFAULT_REGISTRY = "docker.io";
/** The sha256 in lower-case hex by which a registry knows the image, or undefined when `imageID` does not say. */
function repoDigest(imageID) {
    return REPO_DIGEST.exec(withoutRuntime(imageID))?.[1]?.toLowerCase();
}
/**
 * The name an image is reported under: what the runtime calls it. A runtime that pulled by digest knows no tagged
 * name; then it is the tagged name of the pod's specification, written as the runtime would (`nginx:1.27` is
 * `docker.io/library/nginx:1.27`), so that one image has one name on every node; then the image ID itself.
 */
function imageName(images) {
    if (isNamed(images.runtime))
        return images.runtime;
    const imageID = withoutRuntime(images.imageID);
    const tagged = isNamed(images.specified) ? fullTaggedName(images.specified) : undefined;
    return tagged ?? (isNamed(imageID) ? imageID : images.runtime || images.specified || imageID);
}
/** `docker-pullable://` and `docker://` stand before what Docker's own runtime reports. */
function withoutRuntime(imageID) {
    const scheme = imageID.indexOf("://");
    return scheme < 0 ? imageID : imageID.slice(scheme + 3);
}
function isNamed(image) {
    return image !== "" && !BARE_DIGEST.test(image);
}
/** The name with its registry and tag and without a digest; undefined for a name without a tag. */
function fullTaggedName(image) {
    const [reference = ""] = image.split("@", 1);
    const colon = reference.lastIndexOf(":");
    if (colon <= reference.lastIndexOf("/"))
        return undefined;
    const slash = reference.indexOf("/");
    const first = reference.slice(0, Math.max(slash, 0));
    // The first part is a registry when it could be a host: anything else belongs to a name at Docker Hub.
    const hasRegistry = first === "localhost" || /[.:A-Z]/.test(first);
    if (hasRegistry && first !== "index.docker.io")
        return reference;
    const path = hasRegistry ? reference.slice(slash + 1) : reference;
    return `${DEFAULT_REGISTRY}/${path.includes("/") ? "" : "library/"}${path}`;
}

;// CONCATENATED MODULE: ./lib/kubernetes/pod.js


/** The value is not a pod as the API server gives them. The message says what is wrong with it. */
class NotAPod extends Error {
}
/**
 * Reduces a Kubernetes Pod to what a report says of it.
 *
 * | pod                                                     | reported                                            |
 * |---------------------------------------------------------|-----------------------------------------------------|
 * | Running, also while crash-looping or being deleted      | yes                                                 |
 * | Running, an image without a repo digest                 | yes, without that image, which is in `unknownImages`|
 * | Running, a container still being created or pulled      | yes, without its image, in the same way             |
 * | Failed                                                  | yes: what ran is evidence                           |
 * | Failed before any container had an image (evicted)      | no: nothing is known to have run                    |
 * | Pending (also ContainerCreating, ImagePullBackOff)      | no: nothing runs yet                                |
 * | Succeeded (a finished job)                              | no: nothing runs any more                           |
 * | Unknown, or no phase                                    | no: the node has not been heard of                  |
 * | a static pod, or any other without owners               | as above, with no owners                            |
 *
 * Of its containers count those of `containerStatuses`, and init containers with `restartPolicy: Always`, which
 * run beside them (sidecars). Other init containers have ended by then, and ephemeral containers are somebody's
 * debugging session rather than what was deployed.
 *
 * Two containers of one image are one digest. Two digests under one name are both kept: the second under
 * `name@sha256:digest`.
 *
 * @throws {NotAPod} when the value has no name, namespace or creation time, or is of another kind.
 */
function reducePod(value) {
    if (!(0,untyped/* isObject */.Gv)(value))
        throw new NotAPod(`expected a Pod, found ${kindOfValue(value)}`);
    const kind = value["kind"] ?? "Pod";
    if (kind !== "Pod")
        throw new NotAPod(`expected a Pod, found ${(0,untyped/* asText */.e1)(kind) || "another kind"}`);
    const metadata = (0,untyped/* asObject */.eB)(value["metadata"]);
    const podName = required(metadata, "name");
    const namespace = required(metadata, "namespace");
    const status = (0,untyped/* asObject */.eB)(value["status"]);
    const phase = (0,untyped/* asText */.e1)(status["phase"]);
    if (phase === "Pending" || phase === "Succeeded")
        return { leftOut: phase };
    if (phase !== "Running" && phase !== "Failed")
        return { leftOut: "Unknown" };
    const containers = runningContainers((0,untyped/* asObject */.eB)(value["spec"]), status);
    if (phase === "Failed" && containers.every(({ imageID }) => imageID === ""))
        return { leftOut: "never started" };
    const { digests, unknownImages } = digestsOf(containers);
    const creationTimestamp = unixSeconds(metadata["creationTimestamp"]) ?? unixSeconds(status["startTime"]);
    if (creationTimestamp === undefined)
        throw new NotAPod("metadata.creationTimestamp is not a time");
    const owners = (0,untyped/* asObjects */.Nt)(metadata["ownerReferences"]).map(ownerReference);
    return { entry: { podName, namespace, digests, creationTimestamp, owners }, unknownImages };
}
function runningContainers(spec, status) {
    const specified = (0,untyped/* asObjects */.Nt)(spec["containers"]);
    const sidecars = (0,untyped/* asObjects */.Nt)(spec["initContainers"]).filter(({ restartPolicy }) => restartPolicy === "Always");
    const sidecarStatuses = (0,untyped/* asObjects */.Nt)(status["initContainerStatuses"]).filter(({ name }) => sidecars.some((sidecar) => sidecar["name"] === name));
    const described = (states, specs) => states.map((state) => ({
        name: (0,untyped/* asText */.e1)(state["name"]),
        runtimeImage: (0,untyped/* asText */.e1)(state["image"]),
        specifiedImage: (0,untyped/* asText */.e1)(specs.find(({ name }) => name === state["name"])?.["image"]),
        imageID: (0,untyped/* asText */.e1)(state["imageID"]),
    }));
    return [
        ...described((0,untyped/* asObjects */.Nt)(status["containerStatuses"]), specified),
        ...described(sidecarStatuses, sidecars),
    ];
}
function digestsOf(containers) {
    const digests = new Map();
    const unknownImages = [];
    for (const { name, runtimeImage, specifiedImage, imageID } of containers) {
        const image = imageName({ runtime: runtimeImage, specified: specifiedImage, imageID });
        const digest = repoDigest(imageID);
        if (digest === undefined)
            unknownImages.push({ container: name, image, imageID });
        else if ((digests.get(image) ?? digest) === digest)
            digests.set(image, digest);
        else
            digests.set(`${image.split("@", 1)[0]}@sha256:${digest}`, digest);
    }
    return { digests: Object.fromEntries(digests), unknownImages };
}
/** Only what the report knows; a flag that is absent stays absent. */
function ownerReference(owner) {
    const { controller, blockOwnerDeletion } = owner;
    return {
        apiVersion: (0,untyped/* asText */.e1)(owner["apiVersion"]),
        kind: (0,untyped/* asText */.e1)(owner["kind"]),
        name: (0,untyped/* asText */.e1)(owner["name"]),
        uid: (0,untyped/* asText */.e1)(owner["uid"]),
        ...(typeof controller === "boolean" && { controller }),
        ...(typeof blockOwnerDeletion === "boolean" && { blockOwnerDeletion }),
    };
}
function unixSeconds(time) {
    if (typeof time !== "string" || !/^\d{4}-\d\d-\d\dT/.test(time))
        return undefined;
    const milliseconds = Date.parse(time);
    return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000);
}
function required(metadata, field) {
    const value = (0,untyped/* asText */.e1)(metadata[field]);
    if (value === "")
        throw new NotAPod(`expected a Pod, found an object without metadata.${field}`);
    return value;
}
function kindOfValue(value) {
    if (value === null)
        return "null";
    return Array.isArray(value) ? "a list" : typeof value;
}


/***/ })

};
