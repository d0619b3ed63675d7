export const id = 834;
export const ids = [834,947];
export const modules = {

/***/ 947:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   explainFault: () => (/* binding */ explainFault)
/* harmony export */ });
const REACHABLE = "Check that base-url is right and that the runner may reach it.";
const SCHEME = "If this goes on, check whether base-url should begin with https:// or name another port.";
const CERTIFICATE = "If the service uses a private certificate authority, name its certificate in NODE_EXTRA_CA_CERTS.";
/** Faults of making the connection: nothing of the request was sent. */
const CONNECTING = {
    ECONNREFUSED: { reason: "connection refused", advice: REACHABLE },
    ENOTFOUND: { reason: "the host name is not known", advice: REACHABLE },
    EAI_AGAIN: { reason: "the name server did not answer", advice: "Check the runner's DNS." },
    EHOSTUNREACH: { reason: "no route to the host", advice: REACHABLE },
    ENETUNREACH: { reason: "the network cannot be reached", advice: REACHABLE },
    UND_ERR_CONNECT_TIMEOUT: { reason: "no connection was made in time", advice: REACHABLE },
};
/** Faults of the TLS handshake: they stay until someone changes something. */
const TLS = {
    SELF_SIGNED_CERT_IN_CHAIN: {
        reason: "the certificate is signed by an unknown authority",
        advice: CERTIFICATE,
    },
    DEPTH_ZERO_SELF_SIGNED_CERT: { reason: "the certificate is self-signed", advice: CERTIFICATE },
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: { reason: "the certificate cannot be verified", advice: CERTIFICATE },
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { reason: "the certificate's issuer is not known", advice: CERTIFICATE },
    CERT_HAS_EXPIRED: {
        reason: "the certificate has expired",
        advice: "The service must renew its certificate.",
    },
    ERR_TLS_CERT_ALTNAME_INVALID: { reason: "the certificate is for another host", advice: REACHABLE },
    ERR_SSL_WRONG_VERSION_NUMBER: {
        reason: "the server does not speak TLS on this port",
        advice: "Check whether base-url should begin with http:// or name another port.",
    },
    ERR_SSL_PACKET_LENGTH_TOO_LONG: {
        reason: "the server does not speak TLS on this port",
        advice: "Check whether base-url should begin with http:// or name another port.",
    },
    UND_ERR_PRX_TLS: {
        reason: "the secure connection to the proxy failed",
        advice: "Check the proxy's address.",
    },
};
/** Faults of a connection that was made: the request may have arrived. */
const BROKEN = {
    ECONNRESET: { reason: "the connection was reset", advice: SCHEME },
    UND_ERR_SOCKET: { reason: "the other side closed the connection", advice: SCHEME },
};
const NOT_HTTP = { reason: "what answered does not speak HTTP", advice: SCHEME };
/** The names that OpenSSL and Node give to faults of TLS and of certificates. */
const TLS_CODE = /^(ERR_SSL_|ERR_TLS_|ERR_OSSL_|CERT_|CRL_|UNABLE_TO_|ERROR_IN_|EPROTO$|HOSTNAME_MISMATCH$|INVALID_(CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$)/;
/** What a failed exchange was. Unknown faults count as broken connections: they are tried again. */
function explainFault(error) {
    const code = codeOf(error);
    const proxyStatus = proxyAnswer(error);
    if (proxyStatus !== undefined)
        return proxyFault(proxyStatus);
    const connecting = CONNECTING[code];
    if (connecting)
        return { code, ...connecting, retried: true, mayHaveArrived: false };
    const tls = TLS[code] ?? (TLS_CODE.test(code) ? { reason: code, advice: "" } : undefined);
    if (tls)
        return { code, ...tls, retried: false, mayHaveArrived: false };
    const broken = BROKEN[code] ??
        (code.startsWith("HPE_")
            ? NOT_HTTP
            : { reason: `the connection broke (${code || describe(error)})`, advice: "" });
    return { code, ...broken, retried: true, mayHaveArrived: true };
}
function proxyFault(status) {
    const authentication = status === 407;
    return {
        code: "PROXY",
        reason: authentication ? "the proxy requires authentication (407)" : `the proxy answered ${status}`,
        advice: authentication
            ? "Put the user and password into the proxy variable: http://user:password@host:port."
            : "Check the proxy variables and that the proxy allows this host.",
        retried: !authentication && status >= 500,
        mayHaveArrived: false,
    };
}
/** undici gives a proxy's status only in its text: of an abort for a refused CONNECT, of an argument for http://. */
function proxyAnswer(error) {
    for (const { message } of chain(error)) {
        const status = /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(message)?.[1];
        if (status !== undefined)
            return Number(status);
    }
    return undefined;
}
/** The innermost name: a wrapper says less than what it wraps, unless it says that the proxy was meant. */
function codeOf(error) {
    let code = "";
    for (const link of chain(error)) {
        if (link.code)
            code = link.code;
        if (code === "UND_ERR_PRX_TLS")
            break;
    }
    return code;
}
function describe(error) {
    return error instanceof Error ? error.message : String(error);
}
function* chain(error) {
    let link = error;
    for (let depth = 0; link instanceof Error && depth < 5; depth++) {
        yield { code: ownCode(link), message: link.message };
        link = link.cause;
    }
}
/** The parser of HTTP names its faults `HPE_…`, but not all of them. */
function ownCode(error) {
    if ("code" in error && typeof error.code === "string")
        return error.code;
    return error.name === "HTTPParserError" ? "HPE_UNKNOWN" : "";
}


/***/ }),

/***/ 3013:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Gv: () => (/* binding */ isObject),
/* harmony export */   e1: () => (/* binding */ asText),
/* harmony export */   eB: () => (/* binding */ asObject)
/* harmony export */ });
/* unused harmony export asObjects */
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

/***/ 3082:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   c: () => (/* binding */ exchange),
/* harmony export */   r: () => (/* binding */ headerOf)
/* harmony export */ });
/* harmony import */ var undici_lib_api_api_request_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4043);
/* harmony import */ var _api_errors_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8937);
/* harmony import */ var _api_failed_exchange_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(8493);
/* harmony import */ var _api_transport_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3541);




/** The most that is read of an answer, in bytes: what registries allow a manifest. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/**
 * Sends one request and reads its whole answer, whatever its status.
 *
 * @throws {ProtocolError} for an answer that is too large
 * @throws the signal's reason when it aborts; else the fault of the connection as undici gives it
 */
async function exchange(dispatcher, { method, url, headers, form }, signal) {
    const body = form && Buffer.from(form.toString());
    const answer = undici_lib_api_api_request_js__WEBPACK_IMPORTED_MODULE_0__.call(dispatcher, {
        method,
        origin: url.origin,
        path: url.pathname + url.search,
        headers: {
            "user-agent": "delivery-evidence",
            ...headers,
            ...(body && {
                "content-type": "application/x-www-form-urlencoded",
                "content-length": String(body.byteLength),
            }),
        },
        ...(body && { body: once(body) }),
        signal,
    });
    const { statusCode: status, headers: answered, body: content } = await (0,_api_transport_js__WEBPACK_IMPORTED_MODULE_2__/* .unlessEnded */ .l8)(answer, signal);
    const chunks = [];
    let size = 0;
    for await (const chunk of content) {
        size += chunk.byteLength;
        if (size > MAX_ANSWER_BYTES) {
            content.destroy();
            throw new _api_errors_js__WEBPACK_IMPORTED_MODULE_1__/* .ProtocolError */ .bd({ what: (0,_api_failed_exchange_js__WEBPACK_IMPORTED_MODULE_3__/* .failed */ .g)("the answer is larger than 4 MB", { host: url.host, status }) });
        }
        chunks.push(chunk);
    }
    return { status, headers: answered, bytes: Buffer.concat(chunks) };
}
/** The one value of a header; undefined when it is absent or repeated. */
function headerOf({ headers }, name) {
    const value = headers[name];
    return typeof value === "string" ? value.trim() : undefined;
}
async function* once(bytes) {
    yield bytes;
}


/***/ }),

/***/ 4138:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Xb: () => (/* binding */ DOCKER_HUB),
/* harmony export */   o_: () => (/* binding */ parseImageReference),
/* harmony export */   tO: () => (/* binding */ imageName)
/* harmony export */ });
/* harmony import */ var _api_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8937);

const DOCKER_HUB = "docker.io";
/** What Docker's tools take for Docker Hub as well. */
const OLD_HUB = "index.docker.io";
const DEFAULT_TAG = "latest";
const MAX_REPOSITORY_LENGTH = 255;
/** Longer than any reference can be. */
const MAX_LENGTH = 1000;
const REFERENCE = /^(?<name>[^@]+?)(?::(?<tag>\w[\w.-]{0,127}))?(?:@(?<digest>.*))?$/;
const LABEL = "[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?";
const REGISTRY = new RegExp(`^(?:${LABEL}(?:\\.${LABEL})*|\\[[a-fA-F0-9:]+\\])(?::\\d+)?$`);
const COMPONENT = "[a-z0-9]+(?:(?:\\.|__?|-+)[a-z0-9]+)*";
const REPOSITORY = new RegExp(`^${COMPONENT}(?:/${COMPONENT})*$`);
/**
 * Reads an image's name by the rules of Docker's tools: `nginx` is `docker.io/library/nginx:latest`. The prefix
 * `http://` is ours, for a registry without TLS.
 *
 * @throws {InputError} (`artifact`) for what those tools would refuse as well
 */
function parseImageReference(text) {
    const given = text.trim();
    const plainHttp = given.startsWith("http://");
    const image = plainHttp ? given.slice("http://".length) : given;
    const shown = given.length > 100 ? `${given.slice(0, 100)}…` : given;
    if (/^https:\/\//i.test(image))
        throw refused(shown, "is an address; name the image without https://");
    if (/^(?:sha256:)?[0-9a-f]{64}$/i.test(image)) {
        throw refused(shown, "is a digest alone, not the name of an image", "A digest that is known needs no artifact: give it as `fingerprint`.");
    }
    const parts = image.length > MAX_LENGTH ? undefined : REFERENCE.exec(image)?.groups;
    if (!parts)
        throw refused(shown, "is not the name of an image, such as ghcr.io/owner/app:1.2");
    const { registry, repository } = placeOf(parts["name"] ?? "");
    if (!REGISTRY.test(registry) || !URL.canParse(`https://${registry}`)) {
        throw refused(shown, `names no registry: '${registry}' is not a host`);
    }
    if (!REPOSITORY.test(repository) || repository.length > MAX_REPOSITORY_LENGTH) {
        throw REPOSITORY.test(repository.toLowerCase()) && repository !== repository.toLowerCase()
            ? refused(shown, "must be in lower case, all but its tag")
            : refused(shown, "is not the name of an image, such as ghcr.io/owner/app:1.2");
    }
    const digest = parts["digest"] === undefined ? undefined : sha256Of(parts["digest"], shown);
    const tag = parts["tag"] ?? (digest === undefined ? DEFAULT_TAG : undefined);
    return { registry, repository, tag, digest, plainHttp };
}
/** The whole name, as Docker's tools take it. */
function imageName({ registry, repository, tag, digest }) {
    const version = tag === undefined ? "" : `:${tag}`;
    return `${registry}/${repository}${version}${digest === undefined ? "" : `@sha256:${digest}`}`;
}
/** The first part is a registry when it could be a host: anything else belongs to a name at Docker Hub. */
function placeOf(name) {
    const slash = name.indexOf("/");
    const first = name.slice(0, Math.max(slash, 0));
    const hasRegistry = first === "localhost" || /[.:]/.test(first);
    const registry = hasRegistry && first !== OLD_HUB ? first : DOCKER_HUB;
    const repository = hasRegistry ? name.slice(slash + 1) : name;
    const official = registry === DOCKER_HUB && !repository.includes("/");
    return { registry, repository: official ? `library/${repository}` : repository };
}
function sha256Of(digest, shown) {
    const digits = /^sha256:([0-9a-f]{64})$/i.exec(digest)?.[1];
    if (digits === undefined)
        throw refused(shown, "has a digest that is not a sha256 of 64 hex digits");
    return digits.toLowerCase();
}
function refused(shown, problem, advice = "") {
    return new _api_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz([{ input: "artifact", problem: `'${shown}' ${problem}` }], { advice });
}


/***/ }),

/***/ 834:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  fingerprintImage: () => (/* binding */ fingerprintImage)
});

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: ./lib/api/deadline.js
var api_deadline = __webpack_require__(5630);
// EXTERNAL MODULE: ./lib/api/errors.js
var errors = __webpack_require__(8937);
// EXTERNAL MODULE: ./lib/api/json.js
var json = __webpack_require__(6192);
// EXTERNAL MODULE: ./lib/api/proxy.js
var api_proxy = __webpack_require__(6280);
// EXTERNAL MODULE: ./lib/api/untyped.js
var untyped = __webpack_require__(3013);
;// CONCATENATED MODULE: ./lib/evidence/oci/challenge.js
const SCHEME = /[\s,]*([A-Za-z][\w.~+-]*)(?=\s|,|$)(?!\s*=)/y;
const PARAM = /[\s,]*([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/y;
/**
 * The challenges of a `WWW-Authenticate` header (RFC 9110, 11.6.1), which may hold several in one line. What cannot
 * be read ends the line.
 */
function parseChallenges(header) {
    return [header ?? []].flat().flatMap((line) => challengesOf(line));
}
function challengesOf(line) {
    const found = [];
    let at = 0;
    const next = (pattern) => {
        pattern.lastIndex = at;
        const match = pattern.exec(line);
        if (match)
            at = pattern.lastIndex;
        return match;
    };
    for (let scheme = next(SCHEME); scheme; scheme = next(SCHEME)) {
        const params = new Map();
        for (let param = next(PARAM); param; param = next(PARAM)) {
            const [, name = "", quoted, bare = ""] = param;
            params.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, "$1") ?? bare);
        }
        found.push({ scheme: (scheme[1] ?? "").toLowerCase(), params });
    }
    return found;
}

// EXTERNAL MODULE: ./lib/api/failed-exchange.js
var failed_exchange = __webpack_require__(8493);
// EXTERNAL MODULE: ./lib/api/network-fault.js
var network_fault = __webpack_require__(947);
// EXTERNAL MODULE: ./lib/api/retry.js + 1 modules
var retry = __webpack_require__(3716);
// EXTERNAL MODULE: ./lib/api/transport.js
var transport = __webpack_require__(3541);
// EXTERNAL MODULE: ./lib/evidence/oci/exchange.js
var exchange = __webpack_require__(3082);
;// CONCATENATED MODULE: ./lib/evidence/oci/connections.js








/** How often one request is made at most. */
const ATTEMPTS = 3;
const REACHABLE = "Check the name of the registry in `artifact`, and that the runner may reach it.";
/** Faults by which a server shows that it speaks plain HTTP where TLS was expected. */
const NO_TLS = /^(?:ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG))$/;
const SPEAK_HTTP = "If this registry knows no TLS, write http:// before its name in `artifact` and set allow-http: true.";
/** The connections to a registry and to those it sends us to, each by the proxy that is right for it. */
class Connections {
    #options;
    #dispatchers = new Map();
    constructor(options) {
        this.#options = options;
    }
    /**
     * Sends a request, again where that can help, and gives the last answer, whatever its status.
     *
     * @throws {NetworkError} when no attempt brought an answer
     * @throws {TimeoutError} when the deadline passed
     * @throws the signal's reason when the work is interrupted
     */
    async send(asked) {
        const { deadline, env, pause } = this.#options;
        const proxy = (0,api_proxy/* proxyFor */.i)(asked.url, env);
        const { outcome } = await (0,retry/* retry */.L)(() => this.#attempt(asked, proxy), {
            attempts: ATTEMPTS,
            deadline,
            pause,
        }).catch((error) => {
            throw deadline.signal.aborted ? this.#endOf(asked.url) : error;
        });
        if ("answer" in outcome)
            return outcome.answer;
        const { code, reason, advice } = outcome.fault;
        const what = (0,failed_exchange/* failed */.g)(reason, { host: asked.url.host, proxy: proxy?.host });
        throw new errors/* NetworkError */.Dr({ what, advice: adviceFor(code, advice), code, cause: outcome.cause });
    }
    /** Closes every connection at once. */
    async [Symbol.asyncDispose]() {
        const dispatchers = await Promise.all(this.#dispatchers.values());
        await Promise.all(dispatchers.map((dispatcher) => dispatcher.destroy()));
    }
    async #attempt(asked, proxy) {
        const { signal } = this.#options.deadline;
        try {
            return { answer: await (0,exchange/* exchange */.c)(await this.#dispatcher(proxy), asked, signal) };
        }
        catch (error) {
            if (signal.aborted || (0,errors/* isEvidenceError */.sg)(error))
                throw error;
            return { fault: (0,network_fault.explainFault)(error), cause: error };
        }
    }
    #dispatcher(proxy) {
        const key = proxy?.href ?? "";
        const made = this.#dispatchers.get(key) ?? (0,transport/* makeDispatcher */.u9)(proxy, this.#options.deadline.signal);
        this.#dispatchers.set(key, made);
        return made;
    }
    /** Why the work has ended, if it has. */
    #endOf({ host }) {
        const { signal, seconds } = this.#options.deadline;
        if (!(signal.reason instanceof api_deadline/* DeadlinePassed */.X))
            return signal.reason;
        return new errors/* TimeoutError */.MU({
            what: (0,failed_exchange/* failed */.g)(`no complete answer within ${seconds} s`, { host }),
            advice: "Try again later, or give the image's digest as `fingerprint`: then no registry is asked.",
            cause: signal.reason,
        });
    }
}
/** The advice for the service names its input, which has nothing to do with a registry. */
function adviceFor(code, advice) {
    if (NO_TLS.test(code))
        return SPEAK_HTTP;
    return advice === "" || advice.includes("base-url") ? REACHABLE : advice;
}

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./lib/evidence/unusable-path.js
var unusable_path = __webpack_require__(832);
// EXTERNAL MODULE: ./lib/evidence/oci/reference.js
var oci_reference = __webpack_require__(4138);
;// CONCATENATED MODULE: ./lib/evidence/oci/credential-files.js







/**
 * The files there are, in the order in which they are asked: the one that podman's variable names, Docker's own,
 * podman's own.
 *
 * @throws {InputError} for a file that is there and cannot be used: asking without a login would only hide why
 */
async function* credentialFiles(env) {
    for (const path of pathsOf(env)) {
        const content = await contentOf(path);
        if (content !== undefined)
            yield readCredentialFile(content);
    }
}
function pathsOf(env) {
    const home = env["HOME"] || env["USERPROFILE"];
    const docker = env["DOCKER_CONFIG"] || (home && (0,external_node_path_.join)(home, ".docker"));
    const podman = (folder) => folder && (0,external_node_path_.join)(folder, "containers", "auth.json");
    return [
        env["REGISTRY_AUTH_FILE"],
        docker && (0,external_node_path_.join)(docker, "config.json"),
        podman(env["XDG_RUNTIME_DIR"]),
        podman(home && (0,external_node_path_.join)(home, ".config")),
    ].filter((path) => path !== undefined && path !== "");
}
async function contentOf(path) {
    const unusable = (why, cause) => new errors/* InputError */.dz([{ input: "artifact", problem: `the file with its registry's login, '${path}', ${why}` }], {
        advice: "Log in to the registry in an earlier step, which writes the file anew.",
        cause,
    });
    let text;
    try {
        text = await (0,promises_.readFile)(path, "utf8");
    }
    catch (error) {
        if ((0,unusable_path/* isMissing */.b2)(error))
            return undefined;
        throw unusable((0,unusable_path/* whyUnusable */.II)(error), error);
    }
    // The parser's own words would show a part of it, and it holds secrets.
    const value = text.trim() === "" ? {} : (0,json/* parseJson */.q)(text)?.value;
    if (!(0,untyped/* isObject */.Gv)(value))
        throw unusable("is not a JSON object");
    return value;
}
function readCredentialFile(content) {
    const auths = byPlace((0,untyped/* asObject */.eB)(content["auths"]));
    const helpers = byPlace((0,untyped/* asObject */.eB)(content["credHelpers"]));
    return {
        helperFor: (reference) => (0,untyped/* asText */.e1)(mostSpecific(helpers, reference)) || (0,untyped/* asText */.e1)(content["credsStore"]) || undefined,
        entryFor(reference) {
            const entry = mostSpecific(auths, reference);
            return (0,untyped/* isObject */.Gv)(entry) ? readEntry(entry) : undefined;
        },
    };
}
/** `auth` is the base64 of `user:password`; older files write both out. */
function readEntry(entry) {
    const pair = Buffer.from((0,untyped/* asText */.e1)(entry["auth"]), "base64").toString();
    const colon = pair.indexOf(":");
    return {
        username: colon < 0 ? (0,untyped/* asText */.e1)(entry["username"]) : pair.slice(0, colon),
        // Docker's own tools cut these zeros off as well.
        password: colon < 0 ? (0,untyped/* asText */.e1)(entry["password"]) : pair.slice(colon + 1).replace(/\0+$/, ""),
        identityToken: (0,untyped/* asText */.e1)(entry["identitytoken"]),
    };
}
function byPlace(entries) {
    return new Map(Object.entries(entries).map(([key, value]) => [placeOf(key), value]));
}
/**
 * What a key speaks of. Docker writes a registry as a host or as an address (`https://index.docker.io/v1/`), podman
 * also a part of one (`quay.io/owner`).
 */
function placeOf(key) {
    const address = /^https?:\/\/([^/]*)/i.exec(key)?.[1];
    const [host = "", ...path] = (address ?? key.replace(/\/(?:v[12]\/?)?$/, "")).split("/");
    const isHub = /^(?:index\.|registry-1\.)?docker\.io$/i.test(host);
    return [isHub ? oci_reference/* DOCKER_HUB */.Xb : host.toLowerCase(), ...path].join("/");
}
/** The entry of the image's repository, else of what it is a part of, up to its registry. */
function mostSpecific(entries, { registry, repository }) {
    const path = [registry.toLowerCase(), ...repository.split("/")];
    for (let length = path.length; length > 0; length--) {
        const entry = entries.get(path.slice(0, length).join("/"));
        if (entry !== undefined)
            return entry;
    }
    return undefined;
}

// EXTERNAL MODULE: external "node:child_process"
var external_node_child_process_ = __webpack_require__(1421);
// EXTERNAL MODULE: external "node:timers/promises"
var external_node_timers_promises_ = __webpack_require__(8500);
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
        await Promise.race([gone, (0,external_node_timers_promises_.setTimeout)(GRACE_MS, undefined, { ref: false })]);
    }
    // A program that waits for a dead disk outlives even SIGKILL. It must not keep this process alive.
    closeOutput(child);
    child.unref();
}
function closeOutput({ stdout, stderr }) {
    stdout?.destroy();
    stderr?.destroy();
}

;// CONCATENATED MODULE: ./lib/evidence/oci/credential-helper.js




/** How helpers say that they keep nothing for a server, which is no failure. */
const UNKNOWN_SERVER = /credentials not found/i;
/** A login is a few kilobytes. What goes beyond this is not one. */
const MAX_OUTPUT_BYTES = 256 * 1024;
/**
 * Asks `docker-credential-<name>` for the login of a server; undefined when it keeps none. Nothing it prints is
 * shown, since that could be the secret.
 *
 * @throws {InputError} (`artifact`) for a helper that is missing or fails
 * @throws the signal's reason when it aborts
 */
async function askHelper(name, server, { env, signal }) {
    const program = `docker-credential-${name}`;
    const failed = (why, advice, cause) => new errors/* InputError */.dz([{ input: "artifact", problem: `the login to its registry is kept by '${program}', which ${why}` }], { advice, cause });
    const missing = (cause) => failed("cannot be started", "Install it and have it on PATH, or log in without it: it is named in Docker's config.json.", cause);
    // The name comes from a file: it must not lead to a program elsewhere.
    if (!/^[\w.-]+$/.test(name))
        throw missing();
    const { exitCode, output } = await run(program, server, { env, signal }).catch((error) => {
        throw error instanceof ProgramNotStarted ? missing(error) : error;
    });
    if (exitCode !== 0 && UNKNOWN_SERVER.test(output))
        return undefined;
    // Not with 'get': that would print the secret.
    const advice = `Run '${program} list' in this job to see the failure alone.`;
    if (exitCode === null)
        throw failed("was ended by the system", advice);
    if (exitCode !== 0)
        throw failed(`failed with exit status ${exitCode}`, advice);
    const answer = (0,json/* parseJson */.q)(output)?.value;
    if (!(0,untyped/* isObject */.Gv)(answer))
        throw failed("gave no answer that can be read", advice);
    return { username: (0,untyped/* asText */.e1)(answer["Username"]), secret: (0,untyped/* asText */.e1)(answer["Secret"]) };
}
async function run(program, server, { env, signal }) {
    const chunks = [];
    let size = 0;
    const onStdout = (chunk) => {
        size += chunk.length;
        if (size <= MAX_OUTPUT_BYTES)
            chunks.push(chunk);
    };
    const { exitCode } = await runProgram({ program, args: ["get"], input: server, env, signal, onStdout });
    return { exitCode, output: Buffer.concat(chunks).toString() };
}

;// CONCATENATED MODULE: ./lib/evidence/oci/credentials.js



/** Under this address Docker's tools keep what belongs to Docker Hub. */
const HUB_SERVER = "https://index.docker.io/v1/";
/** The user name by which a helper says that its secret is an identity token. */
const TOKEN_USER = "<token>";
/**
 * The credentials for an image, as Docker's tools and podman find them: in their files, or by the helper that a file
 * names. Undefined when there are none: most images can be read without.
 *
 * @throws {InputError} for a file that cannot be read and a helper that fails
 */
async function credentialsFor(reference, surroundings) {
    for await (const file of credentialFiles(surroundings.env)) {
        const found = await credentialsIn(file, reference, surroundings);
        if (found)
            return found;
    }
    return undefined;
}
async function credentialsIn(file, reference, surroundings) {
    const helper = file.helperFor(reference);
    if (helper !== undefined) {
        const server = reference.registry === oci_reference/* DOCKER_HUB */.Xb ? HUB_SERVER : reference.registry;
        const answer = await askHelper(helper, server, surroundings);
        if (answer)
            return asCredentials(answer.username, answer.secret);
    }
    const entry = file.entryFor(reference);
    if (entry === undefined)
        return undefined;
    if (entry.identityToken !== "")
        return { kind: "identity-token", token: entry.identityToken };
    return asCredentials(entry.username, entry.password);
}
function asCredentials(username, password) {
    if (username === TOKEN_USER)
        return { kind: "identity-token", token: password };
    return username === "" && password === "" ? undefined : { kind: "password", username, password };
}

;// CONCATENATED MODULE: ./lib/evidence/oci/refusal.js



/** The error for an answer other than success. It never holds what the other side said: that could be a secret. */
function refusal({ reference, host, status, loggedIn }) {
    const image = (0,oci_reference/* imageName */.tO)(reference);
    const problem = (text, advice) => new errors/* InputError */.dz([{ input: "artifact", problem: `'${image}' ${text}` }], { advice });
    const logIn = `Log in to ${reference.registry} in an earlier step, with docker/login-action or docker login.`;
    switch (status) {
        case 401:
            return loggedIn
                ? problem(`cannot be read: ${host} does not accept the login for ${reference.registry} (401)`, logIn)
                : problem(`cannot be read: ${host} asks for a login (401), and none was found`, logIn);
        case 403:
            return problem(`may not be read ${loggedIn ? "with the login that was found" : "without a login"}, or does not exist (403 of ${host})`, loggedIn ? "Check its name, and that this login may pull it." : `Check its name. ${logIn}`);
        case 404:
            return problem(`was not found in ${host}, or is hidden ${loggedIn ? "from the login that was found" : "without a login"} (404)`, "Check its name and tag, and that it was pushed before this step.");
        case 429:
            return new errors/* NetworkError */.Dr({
                what: (0,failed_exchange/* failed */.g)(`too many requests for now: the digest of '${image}' is not known`, { host, status }),
                advice: loggedIn ? "Try again later." : rateAdvice(reference, logIn),
                code: "REGISTRY",
            });
        default:
            return new errors/* NetworkError */.Dr({
                what: (0,failed_exchange/* failed */.g)(`the digest of '${image}' is not known`, { host, status }),
                advice: status >= 500 ? "Try again later." : "Check that the first part of the name is an image registry.",
                code: "REGISTRY",
            });
    }
}
function rateAdvice({ registry }, logIn) {
    return registry === oci_reference/* DOCKER_HUB */.Xb
        ? `Without a login all jobs behind one address share Docker Hub's limit. ${logIn}`
        : `Try again later, or with a login. ${logIn}`;
}

;// CONCATENATED MODULE: ./lib/evidence/oci/token.js






const CLIENT_ID = "delivery-evidence";
/**
 * The `Authorization` that meets a registry's challenge: a token for reading the image, without credentials too, or
 * the credentials themselves. Undefined when we have nothing that it would take.
 *
 * @throws {InputError} (`artifact`) when no token is given, and for a token server that must not have the credentials
 * @throws {ProtocolError} when the token server's answer holds none
 */
async function authorizationFor(login, connections) {
    const bearer = login.challenges.find(({ scheme }) => scheme === "bearer");
    if (bearer)
        return `Bearer ${await fetchToken(login, bearer, connections)}`;
    const basic = login.challenges.some(({ scheme }) => scheme === "basic");
    return basic && login.credentials?.kind === "password" ? basicOf(login.credentials) : undefined;
}
async function fetchToken(login, { params }, connections) {
    const { reference, credentials } = login;
    const realm = realmOf(params.get("realm") ?? "", login);
    const answer = await connections.send(tokenRequest(realm, params, login));
    const { host } = realm;
    if (answer.status >= 300 && answer.status < 400) {
        throw new errors/* ProtocolError */.bd({
            what: `${host}, where ${reference.registry} gives its tokens, redirected the request (${answer.status})`,
            advice: "This is not followed, since credentials could go astray.",
        });
    }
    if (answer.status !== 200) {
        throw refusal({ reference, host, status: answer.status, loggedIn: credentials !== undefined });
    }
    const content = (0,untyped/* asObject */.eB)((0,json/* parseJson */.q)(answer.bytes.toString())?.value);
    const token = (0,untyped/* asText */.e1)(content["token"]) || (0,untyped/* asText */.e1)(content["access_token"]);
    if (/^[\x21-\x7e]+$/.test(token))
        return token;
    throw new errors/* ProtocolError */.bd({ what: `${host}, where ${reference.registry} gives its tokens, gave none` });
}
/** By the two ways of the token protocol: a GET with the password or nothing, a POST for an identity token. */
function tokenRequest(realm, params, login) {
    const { reference, credentials } = login;
    const service = params.get("service");
    const wanted = {
        ...(service !== undefined && { service }),
        scope: params.get("scope") ?? `repository:${reference.repository}:pull`,
    };
    const headers = { accept: "application/json" };
    if (credentials?.kind === "identity-token") {
        const grant = { grant_type: "refresh_token", client_id: CLIENT_ID, refresh_token: credentials.token };
        return { method: "POST", url: realm, headers, form: new URLSearchParams({ ...wanted, ...grant }) };
    }
    const url = new URL(realm);
    for (const [name, value] of Object.entries(wanted))
        url.searchParams.set(name, value);
    return {
        method: "GET",
        url,
        headers: { ...headers, ...(credentials && { authorization: basicOf(credentials) }) },
    };
}
/**
 * The token server may be another host, as Docker Hub's is. It is spoken to in clear only by a registry that is
 * itself, and then only on this machine unless more is allowed.
 */
function realmOf(realm, { reference, registry, allowHttp }) {
    const refuse = (why) => new errors/* InputError */.dz([
        { input: "artifact", problem: `the registry of '${(0,oci_reference/* imageName */.tO)(reference)}' gives tokens ${why}` },
    ]);
    if (!URL.canParse(realm))
        throw refuse("at no address");
    const url = new URL(realm);
    if (url.username !== "" || url.password !== "")
        throw refuse("at an address with a password of its own");
    const mayBePlain = registry.protocol === "http:" && ((0,api_proxy/* isLoopback */.U)(url.hostname) || allowHttp);
    if (url.protocol === "https:" || (url.protocol === "http:" && mayBePlain))
        return url;
    throw refuse(`at ${url.origin}, where the login would travel in clear`);
}
function basicOf({ username, password }) {
    return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

;// CONCATENATED MODULE: ./lib/evidence/oci/registry.js
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













const TIME_LIMIT_SECONDS = 60;
/** How often a registry may send us on. Some have their images in another: registry.k8s.io is one. */
const MAX_REDIRECTS = 3;
/** What a tag may stand for: an index of images for several platforms, or one image; in OCI's form or Docker's. */
const MANIFESTS = [
    "application/vnd.oci.image.index.v1+json",
    "application/vnd.docker.distribution.manifest.list.v2+json",
    "application/vnd.oci.image.manifest.v1+json",
    "application/vnd.docker.distribution.manifest.v2+json",
].join(", ");
/**
 * The fingerprint of an image in a registry, in lower-case hex: the digest of its manifest, or of the index when it
 * is made for several platforms. A digest in the name is taken as it is, and nobody is asked.
 *
 * @param image as Docker's tools take it: `nginx`, `ghcr.io/owner/app:1.2`
 * @throws {InputError} (`artifact`) for what the author of the workflow can cure: a wrong name, a missing login
 * @throws {NetworkError} when the registry cannot be reached or cannot serve
 * @throws {TimeoutError} when it does not answer in time
 * @throws {ProtocolError} when its answer is not one of a registry
 */
async function fingerprintImage(image, options) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const reference = (0,oci_reference/* parseImageReference */.o_)(image);
        if (reference.digest !== undefined)
            return reference.digest;
        const { env, timeLimit = TIME_LIMIT_SECONDS, pause, allowHttp } = options;
        const registry = registryAddress(reference, allowHttp);
        const deadline = __addDisposableResource(env_1, new api_deadline/* Deadline */.B(timeLimit, options.signal), false);
        const connections = __addDisposableResource(env_1, new Connections({ env, deadline, ...(pause && { pause }) }), true);
        const inquiry = new Inquiry(reference, registry, connections, { ...options, signal: deadline.signal });
        const head = await inquiry.ask("HEAD");
        // Some registries know no HEAD, and some do not name the digest.
        if (head.status === 405 || head.status === 501)
            return digestOfContent(await inquiry.read(), registry);
        inquiry.check(head);
        return reportedDigest(head, registry) ?? digestOfContent(await inquiry.read(), registry);
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
/** @throws {InputError} (`artifact`) for a plain registry elsewhere: who listens in could answer in its place */
function registryAddress({ registry, plainHttp }, allowHttp) {
    const host = registry === oci_reference/* DOCKER_HUB */.Xb ? "registry-1.docker.io" : registry;
    const url = new URL(`https://${host}`);
    const local = (0,api_proxy/* isLoopback */.U)(url.hostname);
    if (plainHttp && !local && !allowHttp) {
        throw new errors/* InputError */.dz([
            {
                input: "artifact",
                problem: `'${registry}' is written with http://, where anyone on the way could answer in its place; use https, or set allow-http: true`,
            },
        ]);
    }
    // Docker's own tools take it that a registry on this machine needs no TLS.
    return local || plainHttp ? new URL(`http://${host}`) : url;
}
/** Asks one registry for one manifest, and logs in when it is told to. */
class Inquiry {
    #reference;
    #registry;
    #connections;
    #options;
    #credentials;
    #authorization;
    constructor(reference, registry, connections, options) {
        this.#reference = reference;
        this.#registry = registry;
        this.#connections = connections;
        this.#options = options;
    }
    /** The registry's answer; after a login when it asked for one. */
    async ask(method) {
        const { answer, own } = await this.#send(method);
        if (answer.status !== 401 || !own || this.#authorization !== undefined)
            return answer;
        this.#credentials = await credentialsFor(this.#reference, this.#options);
        this.#authorization = await authorizationFor({
            reference: this.#reference,
            registry: this.#registry,
            challenges: parseChallenges(answer.headers["www-authenticate"]),
            credentials: this.#credentials,
            allowHttp: this.#options.allowHttp,
        }, this.#connections);
        return this.#authorization === undefined ? answer : (await this.#send(method)).answer;
    }
    /** The manifest itself. */
    async read() {
        const answer = await this.ask("GET");
        this.check(answer);
        return answer;
    }
    /** @throws for every answer but success */
    check({ status }) {
        if (status === 200)
            return;
        const loggedIn = this.#credentials !== undefined;
        throw refusal({ reference: this.#reference, host: this.#registry.host, status, loggedIn });
    }
    /** Follows redirects, without the login as soon as they leave the registry. `own` says that they did not. */
    async #send(method) {
        const { repository, tag = "" } = this.#reference;
        let url = new URL(`/v2/${repository}/manifests/${tag}`, this.#registry);
        let own = true;
        for (let redirects = 0;; redirects++) {
            const login = own && this.#authorization !== undefined ? { authorization: this.#authorization } : {};
            const answer = await this.#connections.send({ method, url, headers: { accept: MANIFESTS, ...login } });
            if (![301, 302, 303, 307, 308].includes(answer.status))
                return { answer, own };
            url = this.#redirected(url, answer, redirects);
            own &&= url.origin === this.#registry.origin;
        }
    }
    #redirected(from, answer, redirects) {
        const location = (0,exchange/* headerOf */.r)(answer, "location") ?? "";
        const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
        const mayBePlain = from.protocol === "http:" && to && ((0,api_proxy/* isLoopback */.U)(to.hostname) || this.#options.allowHttp);
        const secure = to?.protocol === "https:" || (to?.protocol === "http:" && mayBePlain);
        if (to && secure && to.username === "" && to.password === "" && redirects < MAX_REDIRECTS)
            return to;
        const where = to ? to.origin : "nowhere";
        const why = redirects < MAX_REDIRECTS ? `to ${where}` : `more than ${MAX_REDIRECTS} times`;
        throw new errors/* ProtocolError */.bd({
            what: `${from.host} redirected the request for '${(0,oci_reference/* imageName */.tO)(this.#reference)}' ${why} (${answer.status})`,
            advice: "Name the registry in `artifact` that has the image itself.",
        });
    }
}
/** What `Docker-Content-Digest` says. */
function reportedDigest(answer, { host }) {
    const told = (0,exchange/* headerOf */.r)(answer, "docker-content-digest");
    if (told === undefined || told === "")
        return undefined;
    const digits = /^sha256:([0-9a-f]{64})$/.exec(told)?.[1];
    if (digits !== undefined)
        return digits;
    throw new errors/* ProtocolError */.bd({
        what: `${host} names the image by something other than a sha256: '${told.slice(0, 100)}'`,
    });
}
/** The digest of a manifest that was read whole. What the registry says of it has to agree. */
function digestOfContent(answer, registry) {
    const { host } = registry;
    // A page that a proxy or portal answers with has a digest too.
    const content = (0,untyped/* asObject */.eB)((0,json/* parseJson */.q)(answer.bytes.toString())?.value);
    if ((0,exchange/* headerOf */.r)(answer, "content-encoding") !== undefined || content["schemaVersion"] !== 2) {
        throw new errors/* ProtocolError */.bd({
            what: `${host} answered with something other than the manifest of an image`,
            advice: "Check that the first part of the name is an image registry.",
        });
    }
    const digest = (0,external_node_crypto_.hash)("sha256", answer.bytes);
    const told = reportedDigest(answer, registry);
    if (told === undefined || told === digest)
        return digest;
    throw new errors/* ProtocolError */.bd({
        what: `${host} calls the manifest sha256:${told}, but its bytes are sha256:${digest}`,
        advice: "It was damaged on the way or in the registry: try again, or push the image anew.",
    });
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
