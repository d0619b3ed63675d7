export const id = 722;
export const ids = [722];
export const modules = {

/***/ 5722:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  describeSboms: () => (/* binding */ describeSboms)
});

// EXTERNAL MODULE: ./lib/api/json.js
var json = __webpack_require__(6192);
// EXTERNAL MODULE: ./lib/api/untyped.js
var untyped = __webpack_require__(3013);
// EXTERNAL MODULE: ./lib/evidence/report-fault.js
var report_fault = __webpack_require__(4606);
// EXTERNAL MODULE: ./lib/evidence/text-encoding.js
var text_encoding = __webpack_require__(2878);
;// CONCATENATED MODULE: ./lib/evidence/sbom/cyclonedx.js

function describeCycloneDx(bom) {
    if (bom["bomFormat"] !== "CycloneDX")
        return undefined;
    const metadata = (0,untyped/* asObject */.eB)(bom["metadata"]);
    return {
        format: "CycloneDX",
        serialization: "JSON",
        specVersion: (0,untyped/* asText */.e1)(bom["specVersion"]),
        tools: toolsIn(metadata["tools"]),
        components: countComponents(bom),
        subject: namedIn((0,untyped/* asObject */.eB)(metadata["component"])),
        id: (0,untyped/* asText */.e1)(bom["serialNumber"]),
    };
}
/** A list until version 1.4, since then also an object of components and services. */
function toolsIn(tools) {
    const { components, services } = (0,untyped/* asObject */.eB)(tools);
    return [...(0,untyped/* asObjects */.Nt)(tools), ...(0,untyped/* asObjects */.Nt)(components), ...(0,untyped/* asObjects */.Nt)(services)].map(namedIn);
}
function namedIn({ name, version }) {
    return { name: (0,untyped/* asText */.e1)(name), version: (0,untyped/* asText */.e1)(version) };
}
/** Components may hold components, as deep as the text may nest. */
function countComponents(bom) {
    let count = 0;
    const open = [...(0,untyped/* asObjects */.Nt)(bom["components"])];
    for (let component = open.pop(); component !== undefined; component = open.pop()) {
        count += 1;
        for (const inner of (0,untyped/* asObjects */.Nt)(component["components"]))
            open.push(inner);
    }
    return count;
}

;// CONCATENATED MODULE: ./lib/evidence/sbom/in-toto.js


/**
 * What a document is about: the predicate of an in-toto statement, which may be in a DSSE envelope and that in a
 * Sigstore bundle; else the document itself. Signatures are not checked: this only describes.
 */
function contentOf(document) {
    const envelope = "dsseEnvelope" in document ? (0,untyped/* asObject */.eB)(document["dsseEnvelope"]) : document;
    const statement = "payloadType" in envelope ? payloadOf(envelope) : envelope;
    return "predicateType" in statement ? statement["predicate"] : statement;
}
function payloadOf(envelope) {
    const text = Buffer.from((0,untyped/* asText */.e1)(envelope["payload"]), "base64").toString();
    return (0,untyped/* asObject */.eB)((0,json/* parseJson */.q)(text)?.value);
}

;// CONCATENATED MODULE: ./lib/evidence/sbom/sbom.js
const MAX_TOOLS = 10;
const MAX_CHARACTERS = 300;
/** The description with all that is too long to show cut off, and each tool named once. */
function within({ subject, tools, ...sbom }) {
    const cut = ({ name, version }) => ({ name: sbom_short(name), version: sbom_short(version) });
    const byName = new Map(tools
        .filter(({ name }) => name.trim() !== "")
        .map(cut)
        .map((tool) => [`${tool.name}\n${tool.version}`, tool]));
    return {
        ...sbom,
        specVersion: sbom_short(sbom.specVersion),
        id: sbom_short(sbom.id),
        tools: [...byName.values()].slice(0, MAX_TOOLS),
        ...(subject !== undefined && subject.name.trim() !== "" && { subject: cut(subject) }),
    };
}
function sbom_short(text) {
    return text.trim().slice(0, MAX_CHARACTERS);
}
/** A description in the names of the interface, to stand in `user_data`. */
function sbomData(file, sbom) {
    const { format, serialization, specVersion, tools, components, subject, id } = sbom;
    return { file, format, serialization, spec_version: specVersion, tools, components, subject, id };
}

;// CONCATENATED MODULE: ./lib/evidence/sbom/spdx.js

const DOCUMENT = "SPDXRef-DOCUMENT";
function describeSpdx(document) {
    const version = (0,untyped/* asText */.e1)(document["spdxVersion"]);
    if (!version.startsWith("SPDX-"))
        return undefined;
    return fromSpdxDocument({
        version,
        namespace: (0,untyped/* asText */.e1)(document["documentNamespace"]),
        creators: textsOf((0,untyped/* asObject */.eB)(document["creationInfo"])["creators"]),
        packages: (0,untyped/* asObjects */.Nt)(document["packages"]).map(({ SPDXID: id, name, versionInfo }) => ({
            id: (0,untyped/* asText */.e1)(id),
            name: (0,untyped/* asText */.e1)(name),
            version: (0,untyped/* asText */.e1)(versionInfo),
        })),
        described: [
            ...textsOf(document["documentDescribes"]),
            ...(0,untyped/* asObjects */.Nt)(document["relationships"]).flatMap(describedBy),
        ],
    }, "JSON");
}
function fromSpdxDocument({ version, namespace, creators, packages, described }, serialization) {
    const subject = onlyOne(packages.filter(({ id }) => id !== "" && described.includes(id)));
    return {
        format: "SPDX",
        serialization,
        specVersion: version.slice("SPDX-".length),
        tools: creators.flatMap((creator) => {
            const [, tool] = /^Tool:\s*(.+)$/.exec(creator) ?? [];
            return tool === undefined ? [] : [toolNamed(tool)];
        }),
        components: packages.length - (subject === undefined ? 0 : 1),
        ...(subject !== undefined && { subject: { name: subject.name, version: subject.version } }),
        id: namespace,
    };
}
/** SPDX writes a tool as one word: `syft-1.34.2`. */
function toolNamed(text) {
    const [, name = text, version = ""] = /^(.{1,200}?)-(v?\d[\w.+-]*)$/.exec(text.trim()) ?? [];
    return { name, version };
}
function onlyOne(items) {
    return items.length === 1 ? items[0] : undefined;
}
function describedBy({ spdxElementId, relationshipType, relatedSpdxElement }) {
    if (relationshipType === "DESCRIBES" && spdxElementId === DOCUMENT)
        return [(0,untyped/* asText */.e1)(relatedSpdxElement)];
    if (relationshipType === "DESCRIBED_BY" && relatedSpdxElement === DOCUMENT)
        return [(0,untyped/* asText */.e1)(spdxElementId)];
    return [];
}
function textsOf(list) {
    return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
}

;// CONCATENATED MODULE: ./lib/evidence/sbom/spdx-tag-value.js

/** Before the first tag there may be comments and empty lines, and nothing else. */
const BEGINS = /^(?:\s|#[^\n]*\n)*SPDXVersion:[ \t]*SPDX-/;
const MAX_START_CHARACTERS = 10_000;
/** SPDX 2 as lines of a tag, a colon and a value, which may be a text of several lines between `<text>` and `</text>`. */
function describeSpdxTagValue(text) {
    if (!BEGINS.test(text.slice(0, MAX_START_CHARACTERS)))
        return undefined;
    const first = new Map();
    const creators = [];
    const described = [];
    const packages = [];
    // An SPDXID belongs to the package before it only until a file, a snippet or a license begins.
    let current;
    for (const [tag, value] of tagsIn(text)) {
        if (!first.has(tag))
            first.set(tag, value);
        if (tag === "Creator")
            creators.push(value);
        if (tag === "Relationship")
            described.push(...spdx_tag_value_describedBy(value));
        if (tag === "PackageName") {
            current = { id: "", name: value, version: "" };
            packages.push(current);
        }
        else if (["FileName", "SnippetSPDXID", "LicenseID"].includes(tag)) {
            current = undefined;
        }
        else if (current !== undefined && tag === "SPDXID") {
            current.id = value;
        }
        else if (current !== undefined && tag === "PackageVersion") {
            current.version = value;
        }
    }
    const version = first.get("SPDXVersion") ?? "";
    const namespace = first.get("DocumentNamespace") ?? "";
    return fromSpdxDocument({ version, namespace, creators, packages, described }, "tag-value");
}
function* tagsIn(text) {
    let isInText = false;
    for (const line of text.split(/\r?\n/)) {
        if (isInText) {
            isInText = !line.includes("</text>");
            continue;
        }
        const [, tag, value = ""] = /^([A-Za-z]+):[ \t]*(.*)$/.exec(line) ?? [];
        if (tag === undefined)
            continue;
        isInText = value.startsWith("<text>") && !value.includes("</text>");
        yield [tag, value.trim()];
    }
}
function spdx_tag_value_describedBy(relationship) {
    const [from, type, to] = relationship.split(/\s+/);
    if (from === "SPDXRef-DOCUMENT" && type === "DESCRIBES" && to !== undefined)
        return [to];
    if (to === "SPDXRef-DOCUMENT" && type === "DESCRIBED_BY" && from !== undefined)
        return [from];
    return [];
}

;// CONCATENATED MODULE: ./lib/evidence/sbom/spdx3.js


/** SPDX 3 is a flat list of elements that refer to one another. */
function describeSpdx3(document) {
    const contexts = [document["@context"]].flat().map(untyped/* asText */.e1);
    if (!contexts.some((context) => /^https?:\/\/spdx\.org\/rdf\/3\./.test(context)))
        return undefined;
    const elements = "@graph" in document ? (0,untyped/* asObjects */.Nt)(document["@graph"]) : [document];
    const byId = new Map(elements.map((element) => [idOf(element), element]));
    const ofType = (type) => elements.filter((element) => typeOf(element) === type);
    const [description = {}] = ofType("SpdxDocument");
    const packages = ofType("software_Package");
    const subject = subjectOf(description, byId);
    const creations = ofType("CreationInfo");
    return {
        format: "SPDX",
        serialization: "JSON-LD",
        specVersion: creations.map(({ specVersion }) => (0,untyped/* asText */.e1)(specVersion)).find(Boolean) ?? "",
        tools: creations
            .flatMap(({ createdUsing }) => [createdUsing].flat())
            .flatMap((id) => (0,untyped/* asObjects */.Nt)([byId.get((0,untyped/* asText */.e1)(id))]))
            .map(({ name }) => toolNamed((0,untyped/* asText */.e1)(name))),
        components: packages.length - (subject !== undefined && packages.includes(subject) ? 1 : 0),
        ...(subject !== undefined && { subject: spdx3_namedIn(subject) }),
        id: idOf(description),
    };
}
/** The root of the document may be an SBOM, whose root is what it is about. */
function subjectOf(description, byId) {
    const rootOf = (element) => byId.get((0,untyped/* asText */.e1)(onlyOne([element["rootElement"]].flat())));
    const root = rootOf(description);
    return root !== undefined && typeOf(root) === "software_Sbom" ? rootOf(root) : root;
}
function spdx3_namedIn({ name, software_packageVersion: version }) {
    return { name: (0,untyped/* asText */.e1)(name), version: (0,untyped/* asText */.e1)(version) };
}
function idOf(element) {
    return (0,untyped/* asText */.e1)(element["spdxId"]) || (0,untyped/* asText */.e1)(element["@id"]);
}
function typeOf(element) {
    return (0,untyped/* asText */.e1)(element["type"]) || (0,untyped/* asText */.e1)(element["@type"]);
}

;// CONCATENATED MODULE: ./lib/evidence/sbom/describe-sbom.js










/** How many bytes tell whether the rest is worth reading. */
const START_BYTES = 1024;
/** The first character of JSON, XML, or tags and values, which may have comments before them. */
const BEGINS_LIKE_ONE = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*(?:[{<#S]|$)/;
/** Whether bytes that begin like this may be a bill of materials: an archive or an image is none. */
function mayBeSbom(start) {
    return BEGINS_LIKE_ONE.test(Buffer.from(start).toString("latin1"));
}
/**
 * Describes a software bill of materials: CycloneDX in JSON or XML, SPDX 2 in JSON or as tags and values, SPDX 3 in
 * JSON-LD; bare, or as the predicate of an in-toto statement. Undefined when the bytes are none of these, or not whole.
 */
async function describeSbom(bytes) {
    try {
        const sbom = await describe(bytes, true);
        return sbom && within(sbom);
    }
    catch (fault) {
        if (fault instanceof report_fault/* ReportFault */.p)
            return undefined;
        throw fault;
    }
}
/** One of them stands in every JSON that is worth parsing; most attachments are other files. */
const JSON_MARKS = ['"bomFormat"', '"spdxVersion"', "spdx.org/rdf/3.", '"payloadType"', '"predicateType"'];
const XML_MARK = "cyclonedx.org/schema/bom/";
/** @param mayBeWrapped whether a document may be a statement about another one */
async function describe(bytes, mayBeWrapped) {
    const text = (0,text_encoding/* decodeText */.g)(bytes);
    const start = /\S/.exec(text)?.[0];
    if (start === "{") {
        if (!JSON_MARKS.some((mark) => text.includes(mark)))
            return undefined;
        const document = (0,json/* parseJson */.q)(text)?.value;
        if (!(0,untyped/* isObject */.Gv)(document))
            return undefined;
        const content = mayBeWrapped ? contentOf(document) : document;
        if (typeof content === "string")
            return describe(Buffer.from(content), false);
        if (!(0,untyped/* isObject */.Gv)(content))
            return undefined;
        return describeCycloneDx(content) ?? describeSpdx(content) ?? describeSpdx3(content);
    }
    if (start !== "<")
        return describeSpdxTagValue(text);
    if (!text.includes(XML_MARK))
        return undefined;
    // Loaded only here: most are JSON.
    const { describeCycloneDxXml } = await Promise.all(/* import() */[__webpack_require__.e(560), __webpack_require__.e(790)]).then(__webpack_require__.bind(__webpack_require__, 6790));
    return await describeCycloneDxXml(bytes);
}

// EXTERNAL MODULE: ./lib/actions/attest/user-data.js
var user_data = __webpack_require__(5247);
;// CONCATENATED MODULE: ./lib/actions/attest/sboms.js



/** How tools and people name software bills of materials. Of others nobody expects that they are described. */
const NAMED_LIKE_ONE = /bom|cyclonedx|cdx|spdx/i;
/**
 * Adds to the user's data what software bills of materials among the files say of themselves; the files go as they
 * are.
 */
async function describeSboms(files, fields, { info }) {
    const described = [];
    for (const { name, content } of files) {
        const sbom = await sbomIn(content);
        if (sbom)
            described.push({ name, sbom });
        else if (NAMED_LIKE_ONE.test(name))
            info(`'${name}' is not an SBOM of a format known here; it is attached as it is.`);
    }
    if (described.length === 0)
        return { fields, tables: [] };
    const table = { columns: ["SBOM", "Format", "Components", "Made by"], rows: described.map(rowOf) };
    const summaries = described.map(({ name, sbom }) => sbomData(name, sbom));
    return { fields: (0,user_data/* withFacts */.Q)(fields, { sbom: summaries }), tables: [table] };
}
async function sbomIn(content) {
    try {
        const start = await content.slice(0, START_BYTES).bytes();
        return mayBeSbom(start) ? await describeSbom(await content.bytes()) : undefined;
    }
    catch (error) {
        // The file changed or vanished since it was found. Sending it says so, with its name.
        if (error instanceof DOMException && error.name === "NotReadableError")
            return undefined;
        throw error;
    }
}
function rowOf({ name, sbom }) {
    const { format, specVersion, components, tools } = sbom;
    return [name, `${format} ${specVersion}`.trim(), String(components), tools.map(words).join(", ")];
}
function words({ name, version }) {
    return `${name} ${version}`.trim();
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


/***/ })

};
