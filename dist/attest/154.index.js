export const id = 154;
export const ids = [154,947];
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

/***/ 6154:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  fingerprintLocalImage: () => (/* binding */ fingerprintLocalImage)
});

// EXTERNAL MODULE: ./node_modules/undici/lib/dispatcher/agent.js
var dispatcher_agent = __webpack_require__(7405);
// EXTERNAL MODULE: ./lib/api/deadline.js
var api_deadline = __webpack_require__(5630);
// EXTERNAL MODULE: ./lib/api/errors.js
var errors = __webpack_require__(8937);
// EXTERNAL MODULE: ./lib/api/failed-exchange.js
var failed_exchange = __webpack_require__(8493);
// EXTERNAL MODULE: ./lib/api/json.js
var json = __webpack_require__(6192);
// EXTERNAL MODULE: ./lib/api/network-fault.js
var network_fault = __webpack_require__(947);
// EXTERNAL MODULE: ./lib/api/untyped.js
var untyped = __webpack_require__(3013);
// EXTERNAL MODULE: ./lib/evidence/oci/exchange.js
var exchange = __webpack_require__(3082);
// EXTERNAL MODULE: ./lib/evidence/oci/reference.js
var oci_reference = __webpack_require__(4138);
// EXTERNAL MODULE: ./lib/evidence/unusable-path.js
var unusable_path = __webpack_require__(832);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
;// CONCATENATED MODULE: ./lib/evidence/docker/engine-address.js




const UNIX_SOCKET = "/var/run/docker.sock";
const WINDOWS_PIPE = "//./pipe/docker_engine";
/**
 * The engine that `DOCKER_HOST` names, else the one of this machine.
 *
 * @throws {InputError} (`artifact-type`) for an address that only the docker command can use
 */
async function engineAddress(env, platform = process.platform) {
    const standard = platform === "win32" ? `npipe://${WINDOWS_PIPE}` : `unix://${UNIX_SOCKET}`;
    const name = env["DOCKER_HOST"]?.trim() || standard;
    const [, scheme = "", rest = ""] = /^(\w+):\/\/(.+)$/.exec(name) ?? [];
    const local = new URL("http://localhost");
    if (scheme === "unix")
        return { name, origin: local, socketPath: rest };
    if (scheme === "npipe")
        return { name, origin: local, socketPath: rest.replaceAll("/", "\\") };
    if ((scheme === "tcp" || scheme === "http" || scheme === "https") && URL.canParse(`http://${rest}`)) {
        const secure = scheme === "https" || Boolean(env["DOCKER_TLS_VERIFY"]);
        const origin = new URL(new URL(`${secure ? "https" : "http"}://${rest}`).origin);
        return secure ? { name, origin, tls: await certificates(env) } : { name, origin };
    }
    throw new errors/* InputError */.dz([
        {
            input: "artifact-type",
            problem: `docker asks the engine at DOCKER_HOST, '${name}', which is not unix://, tcp:// or npipe://`,
        },
    ], { advice: "Push the image and use artifact-type: oci, or give its digest as `fingerprint`." });
}
async function certificates(env) {
    const home = env["HOME"] || env["USERPROFILE"] || "";
    const folder = env["DOCKER_CERT_PATH"] || (0,external_node_path_.join)(home, ".docker");
    const read = (file) => (0,promises_.readFile)((0,external_node_path_.join)(folder, file)).catch((cause) => {
        const problem = `docker needs the certificate '${(0,external_node_path_.join)(folder, file)}', which ${(0,unusable_path/* whyUnusable */.II)(cause)}`;
        throw new errors/* InputError */.dz([{ input: "artifact-type", problem }], {
            advice: "DOCKER_CERT_PATH names the folder that holds ca.pem, cert.pem and key.pem.",
            cause,
        });
    });
    // One after the other, so that of several that are missing the same is named each time.
    return { ca: await read("ca.pem"), cert: await read("cert.pem"), key: await read("key.pem") };
}

;// CONCATENATED MODULE: ./lib/evidence/docker/repo-digest.js


/**
 * The digest of an image in the repository it was asked for by. An engine lists one for each repository that the
 * image was pushed to or pulled from, and the same image may have another digest in another one.
 *
 * @param repoDigests as the engine lists them: `nginx@sha256:…`, `ghcr.io/owner/app@sha256:…`
 * @throws {InputError} (`artifact`) when there is none, or more than one
 */
function chooseRepoDigest(reference, repoDigests) {
    const known = repoDigests.flatMap((text) => parsed(text) ?? []);
    const digests = new Set(known.filter((other) => isSameRepository(other, reference)).map((o) => o.digest));
    const [digest, another] = digests;
    const refuse = (why, advice) => new errors/* InputError */.dz([{ input: "artifact", problem: `'${(0,oci_reference/* imageName */.tO)(reference)}' ${why}` }], { advice });
    if (digest === undefined) {
        const others = [...new Set(known.map((other) => `${other.registry}/${other.repository}`))];
        const elsewhere = others.length > 0 ? `; it has one in ${others.join(", ")}` : "";
        throw refuse(`has no digest in that repository yet${elsewhere}`, "The registry gives it one: push it first, or give the digest that docker/build-push-action puts out as `fingerprint`.");
    }
    if (another !== undefined) {
        throw refuse(`has ${digests.size} digests in that repository, and the engine does not tell which is of this tag`, "Use artifact-type: oci, which asks the registry, or give the digest as `fingerprint`.");
    }
    return digest;
}
/** Old engines list `<none>@<none>`, which is no image. */
function parsed(repoDigest) {
    try {
        const reference = (0,oci_reference/* parseImageReference */.o_)(repoDigest);
        const { digest } = reference;
        return digest === undefined ? undefined : [{ ...reference, digest }];
    }
    catch (error) {
        if (error instanceof errors/* InputError */.dz)
            return undefined;
        throw error;
    }
}
function isSameRepository(one, other) {
    return one.registry.toLowerCase() === other.registry.toLowerCase() && one.repository === other.repository;
}

;// CONCATENATED MODULE: ./lib/evidence/docker/local-image.js
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












const TIME_LIMIT_SECONDS = 30;
/** Of what the engine says of a failure, this much is quoted. */
const QUOTED = 300;
/**
 * The fingerprint of an image of the local Docker engine, in lower-case hex: the digest by which its registry knows
 * it. The engine learns it when the image is pushed or pulled.
 *
 * @param image as Docker's tools take it: `nginx`, `ghcr.io/owner/app:1.2`
 * @throws {InputError} (`artifact`, `artifact-type`) for an image that is not there or has no digest, and when there
 * is no engine that this user may ask
 * @throws {NetworkError}, {TimeoutError}, {ProtocolError} when the engine does not answer as it should
 */
async function fingerprintLocalImage(image, options) {
    const reference = (0,oci_reference/* parseImageReference */.o_)(image);
    if (reference.digest !== undefined)
        return reference.digest;
    const address = await engineAddress(options.env);
    const answer = await inspect(reference, address, options);
    if (answer.headers["libpod-api-version"] !== undefined)
        throw podmanAnswered(address);
    const { status, bytes } = answer;
    const content = (0,json/* parseJson */.q)(bytes.toString())?.value;
    if (status === 404) {
        throw new errors/* InputError */.dz([{ input: "artifact", problem: `the Docker engine has no image '${(0,oci_reference/* imageName */.tO)(reference)}'` }], { advice: "Build or pull it in an earlier step, or use artifact-type: oci for one in a registry." });
    }
    if (status !== 200 || !(0,untyped/* isObject */.Gv)(content))
        throw notAnEngine(address, status, content);
    return chooseRepoDigest(reference, textsOf(content));
}
function textsOf(image) {
    const digests = image["RepoDigests"];
    return Array.isArray(digests) ? digests.map(untyped/* asText */.e1).filter((text) => text !== "") : [];
}
async function inspect(reference, address, { signal, timeLimit = TIME_LIMIT_SECONDS }) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const deadline = __addDisposableResource(env_1, new api_deadline/* Deadline */.B(timeLimit, signal), false);
        const { socketPath, tls, origin, name } = address;
        const connect = { signal: deadline.signal, ...(socketPath && { socketPath }), ...tls };
        const agent = new dispatcher_agent({ connect, headersTimeout: 0, bodyTimeout: 0, allowH2: false });
        const url = new URL(`/images/${(0,oci_reference/* imageName */.tO)(reference)}/json`, origin);
        try {
            return await (0,exchange/* exchange */.c)(agent, { method: "GET", url, headers: {} }, deadline.signal);
        }
        catch (error) {
            if (deadline.signal.reason instanceof api_deadline/* DeadlinePassed */.X) {
                const host = `the Docker engine at ${name}`;
                const what = (0,failed_exchange/* failed */.g)(`no complete answer within ${timeLimit} s`, { host });
                throw new errors/* TimeoutError */.MU({ what, cause: error });
            }
            signal.throwIfAborted();
            throw (0,errors/* isEvidenceError */.sg)(error) ? error : notReached(error, name);
        }
        finally {
            await agent.destroy();
        }
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        __disposeResources(env_1);
    }
}
function notReached(error, name) {
    const because = (why, advice) => new errors/* InputError */.dz([{ input: "artifact-type", problem: `docker needs the Docker engine at ${name}, ${why}` }], { advice, cause: error });
    const other = "or push the image and use artifact-type: oci.";
    switch ((0,unusable_path/* faultCode */.Ie)(error)) {
        case "EACCES":
        case "EPERM":
            return because("which this user may not ask (permission denied)", `Add the user to the group docker, ${other}`);
        case "ENOENT":
        case "ENOTDIR":
        case "ECONNREFUSED":
            return because("where none answers", `Start it, name its address in DOCKER_HOST, ${other}`);
        default: {
            const { reason, code } = (0,network_fault.explainFault)(error);
            return new errors/* NetworkError */.Dr({
                what: (0,failed_exchange/* failed */.g)(reason, { host: `the Docker engine at ${name}` }),
                code,
                cause: error,
            });
        }
    }
}
/**
 * Podman lists a digest for an image that it built and never pushed, and the registry makes another one of it as soon
 * as the layers are compressed on their way there.
 */
function podmanAnswered({ name }) {
    const problem = `docker needs a Docker engine, and podman answers at ${name}: the digests it lists need not be those of a registry`;
    return new errors/* InputError */.dz([{ input: "artifact-type", problem }], {
        advice: "Push the image and use artifact-type: oci, or give as `fingerprint` what podman push --digestfile wrote.",
    });
}
function notAnEngine({ name }, status, content) {
    const said = (0,untyped/* isObject */.Gv)(content) ? (0,untyped/* asText */.e1)(content["message"]).slice(0, QUOTED) : "";
    return new errors/* ProtocolError */.bd({
        what: (0,failed_exchange/* failed */.g)(said || "no answer that can be read", { host: `the Docker engine at ${name}`, status }),
        advice: "Run `docker image inspect` in this job to see the failure alone.",
    });
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
