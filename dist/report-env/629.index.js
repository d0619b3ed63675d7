export const id = 629;
export const ids = [629];
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


/***/ }),

/***/ 3629:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   readPodsFile: () => (/* binding */ readPodsFile)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1455);
/* harmony import */ var _streamparser_json__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5497);
/* harmony import */ var _api_errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8937);
/* harmony import */ var _api_untyped_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3013);
/* harmony import */ var _pod_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(9787);
/* harmony import */ var _pod_collector_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(6205);






const ADVICE = "Write the file with `kubectl get pods --all-namespaces -o json`.";
const CHUNK_SIZE = 256 * 1024;
/** What begins a file that Windows PowerShell wrote with `>`. */
const UTF16_MARKS = ["fffe", "feff"];
/**
 * Reads pods from a file of `kubectl get pods -o json`: a list of pods, one pod, or several of either one after
 * the other. The file is read as a stream and never held whole: 10,000 pods of 97 MB take about 2 s and 140 MiB.
 *
 * @throws {InputError} when the path is not a regular file, or any of it is not JSON, not complete or not a pod.
 */
async function readPodsFile(options) {
    await refuseUnlessRegular(options.path);
    const file = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.open)(options.path);
    try {
        return await collect(file, options);
    }
    finally {
        await file.close();
    }
}
/** Opening a pipe would wait for a writer, for ever if none comes: what the path is, is asked before. */
async function refuseUnlessRegular(path) {
    const found = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.stat)(path).catch((cause) => {
        const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
        throw fault(`'${path}' ${isMissing ? "does not exist" : "cannot be read"}`, cause);
    });
    if (!found.isFile())
        throw fault(`'${path}' is ${found.isDirectory() ? "a directory" : "not a regular file"}`);
}
async function collect(file, { path, selection, onWarning }) {
    const collector = new _pod_collector_js__WEBPACK_IMPORTED_MODULE_5__/* .PodCollector */ .V(selection);
    const documents = new PodDocuments((pod) => collector.add(pod));
    try {
        for await (const chunk of chunksOf(file))
            documents.write(chunk);
        documents.end();
    }
    catch (error) {
        if (!(error instanceof _pod_js__WEBPACK_IMPORTED_MODULE_4__/* .NotAPod */ .s))
            throw fault(`'${path}' cannot be read`, error);
        throw fault(`'${path}': ${error.message} (near byte ${documents.position})`);
    }
    return collector.report(onWarning);
}
/** One buffer for all of the file: a chunk is gone when the next one is asked for. */
async function* chunksOf(file) {
    const buffer = Buffer.alloc(CHUNK_SIZE);
    for (let first = true;; first = false) {
        const { bytesRead } = await file.read(buffer, 0, CHUNK_SIZE);
        if (bytesRead === 0)
            return;
        if (first && UTF16_MARKS.includes(buffer.toString("hex", 0, 2))) {
            throw new _pod_js__WEBPACK_IMPORTED_MODULE_4__/* .NotAPod */ .s("expected UTF-8, found UTF-16 (in PowerShell, `| Out-File -Encoding utf8` writes UTF-8)");
        }
        yield buffer.subarray(0, bytesRead);
    }
}
/** Finds the pods in a stream of JSON documents. An item of a list is handed on as it ends, and forgotten. */
class PodDocuments {
    /** Where the last token began, in bytes from the start. */
    position = 0;
    #count = 0;
    #inside = false;
    #tokenizer = new _streamparser_json__WEBPACK_IMPORTED_MODULE_1__/* .Tokenizer */ ._F({ separator: "" });
    #onPod;
    constructor(onPod) {
        this.#onPod = onPod;
        const parser = new _streamparser_json__WEBPACK_IMPORTED_MODULE_1__/* .TokenParser */ .zb({ paths: ["$", "$.items.*"], separator: "" });
        this.#tokenizer.onToken = (token) => {
            this.position = token.offset;
            // Any other value would be held whole before it could be refused.
            if (!this.#inside && token.value !== "{")
                throw new _pod_js__WEBPACK_IMPORTED_MODULE_4__/* .NotAPod */ .s(`expected an object, found ${token.value}`);
            this.#inside = true;
            parser.write(token);
        };
        this.#tokenizer.onEnd = () => parser.end();
        parser.onValue = ({ value, parent, stack }) => {
            if (stack.length === 0)
                this.#endDocument(value);
            else
                onPod(value);
            if (Array.isArray(parent))
                parent.length -= 1;
        };
    }
    /** @throws {NotAPod} */
    write(bytes) {
        orNotJson(() => this.#tokenizer.write(bytes));
    }
    /** @throws {NotAPod} when the last document is not complete, or there was none. */
    end() {
        if (this.#inside)
            throw new _pod_js__WEBPACK_IMPORTED_MODULE_4__/* .NotAPod */ .s("expected more, found the end of the file");
        orNotJson(() => this.#tokenizer.end());
        if (this.#count === 0)
            throw new _pod_js__WEBPACK_IMPORTED_MODULE_4__/* .NotAPod */ .s("expected a list of pods, found an empty file");
    }
    #endDocument(document) {
        this.#count += 1;
        this.#inside = false;
        if (!(0,_api_untyped_js__WEBPACK_IMPORTED_MODULE_3__/* .isObject */ .Gv)(document) || !("items" in document)) {
            this.#onPod(document);
            return;
        }
        const { items, kind, metadata } = document;
        if (kind !== "PodList" && kind !== "List")
            throw new _pod_js__WEBPACK_IMPORTED_MODULE_4__/* .NotAPod */ .s(`expected a list of pods, found ${(0,_api_untyped_js__WEBPACK_IMPORTED_MODULE_3__/* .asText */ .e1)(kind)}`);
        if (!Array.isArray(items))
            throw new _pod_js__WEBPACK_IMPORTED_MODULE_4__/* .NotAPod */ .s("expected a list of pods, found `items` that is not a list");
        if ((0,_api_untyped_js__WEBPACK_IMPORTED_MODULE_3__/* .asObject */ .eB)(metadata)["continue"]) {
            throw new _pod_js__WEBPACK_IMPORTED_MODULE_4__/* .NotAPod */ .s("expected a whole list, found one page of a longer one (metadata.continue is set)");
        }
    }
}
/** The parser's own words quote the file, which holds the environment of every container: they go no further. */
function orNotJson(parse) {
    try {
        parse();
    }
    catch (error) {
        if (error instanceof _streamparser_json__WEBPACK_IMPORTED_MODULE_1__/* .TokenizerError */ .S0 || error instanceof _streamparser_json__WEBPACK_IMPORTED_MODULE_1__/* .TokenParserError */ .Z) {
            throw new _pod_js__WEBPACK_IMPORTED_MODULE_4__/* .NotAPod */ .s("expected JSON, found something else");
        }
        throw error;
    }
}
function fault(problem, cause) {
    return new _api_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz([{ input: "pods-file", problem }], {
        advice: ADVICE,
        ...(cause !== undefined && { cause }),
    });
}


/***/ })

};
