export const id = 790;
export const ids = [790];
export const modules = {

/***/ 6790:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   describeCycloneDxXml: () => (/* binding */ describeCycloneDxXml)
/* harmony export */ });
/* harmony import */ var _report_fault_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4606);
/* harmony import */ var _xml_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1992);


const NAMESPACE = /^https?:\/\/cyclonedx\.org\/schema\/bom\/(\d{1,3}\.\d{1,3})$/;
const COMPONENT = /^bom(?:\/components\/component)+$/;
const TOOL = /^bom\/metadata\/tools\/(?:tool|components\/component|services\/service)$/;
const SUBJECT = "bom/metadata/component";
const MAX_NAME_CHARACTERS = 50;
/** No name or version is longer. */
const MAX_TEXT_CHARACTERS = 1000;
/** @throws ReportFault when the XML is not well-formed, or not CycloneDX. */
async function describeCycloneDxXml(bytes) {
    const reader = new BomReader();
    await (0,_xml_js__WEBPACK_IMPORTED_MODULE_1__/* .readXml */ .k)([bytes], reader);
    return reader.bom();
}
class BomReader {
    /** The names of the open elements, each after those around it. */
    #paths = [];
    #tools = [];
    #subject = { name: "", version: "" };
    #specVersion;
    #id = "";
    #components = 0;
    open(name, attributes) {
        const around = this.#paths.at(-1);
        // Names that are longer are none that matter here.
        const path = around === undefined ? name : `${around}/${name.slice(0, MAX_NAME_CHARACTERS)}`;
        if (around === undefined) {
            if (name !== "bom")
                throw new _report_fault_js__WEBPACK_IMPORTED_MODULE_0__/* .ReportFault */ .p("is not CycloneDX");
            const namespaces = [...attributes.values()].map((value) => NAMESPACE.exec(value)?.[1]);
            this.#specVersion = namespaces.find((version) => version !== undefined);
            this.#id = attributes.get("serialNumber") ?? "";
        }
        if (COMPONENT.test(path))
            this.#components += 1;
        if (TOOL.test(path))
            this.#tools.push({ name: "", version: "" });
        this.#paths.push(path);
    }
    text(part) {
        const path = this.#paths.at(-1) ?? "";
        const field = /\/(name|version)$/.exec(path)?.[1];
        const named = this.#namedAt(path.slice(0, path.lastIndexOf("/")));
        if (field !== "name" && field !== "version")
            return;
        if (named !== undefined)
            named[field] = `${named[field]}${part}`.slice(0, MAX_TEXT_CHARACTERS);
    }
    close() {
        this.#paths.pop();
    }
    bom() {
        if (this.#specVersion === undefined)
            return undefined;
        return {
            format: "CycloneDX",
            serialization: "XML",
            specVersion: this.#specVersion,
            tools: this.#tools,
            components: this.#components,
            subject: this.#subject,
            id: this.#id,
        };
    }
    #namedAt(path) {
        if (path === SUBJECT)
            return this.#subject;
        return TOOL.test(path) ? this.#tools.at(-1) : undefined;
    }
}


/***/ }),

/***/ 1992:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   k: () => (/* binding */ readXml)
/* harmony export */ });
/* harmony import */ var sax__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2560);
/* harmony import */ var _report_fault_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4606);
/* harmony import */ var _text_encoding_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2878);



/** Far more than any report nests, and little to keep. */
const MAX_DEPTH = 200;
const MAX_ATTRIBUTES = 500;
/** The longest name, attribute value or comment. Only texts may be longer: they come in parts. */
const MAX_TOKEN_CHARACTERS = 4 * 1024 * 1024;
const OPTIONS = { position: true, strictEntities: true };
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what XML may not hold
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
// The parser knows this limit only as one for all parsers.
Object.assign(sax__WEBPACK_IMPORTED_MODULE_0__, { MAX_BUFFER_LENGTH: MAX_TOKEN_CHARACTERS });
/**
 * Reads XML from parts of its bytes, none of which is kept. A DOCTYPE, which could make more of the text than it says,
 * is refused, and so is every entity but the five of XML.
 *
 * @throws ReportFault, with line and column, for what is not well-formed or beyond a limit.
 */
async function readXml(parts, handler) {
    const reader = new XmlReader(handler);
    let decoder;
    for await (const part of parts) {
        decoder ??= (0,_text_encoding_js__WEBPACK_IMPORTED_MODULE_2__/* .decoderFor */ .o)(part);
        reader.write(decoder.decode(part));
    }
    if (decoder !== undefined)
        reader.write(decoder.end());
    reader.end();
}
class XmlReader {
    #parser = sax__WEBPACK_IMPORTED_MODULE_0__.parser(true, OPTIONS);
    #depth = 0;
    #attributes = 0;
    #sawRoot = false;
    constructor(handler) {
        const parser = this.#parser;
        parser.onopentagstart = () => {
            this.#attributes = 0;
        };
        parser.onattribute = ({ name }) => this.#attribute(name);
        parser.onopentag = ({ name, attributes }) => {
            this.#open();
            const get = (key) => (Object.hasOwn(attributes, key) ? String(attributes[key]) : undefined);
            handler.open(localName(name), { get, values: () => Object.values(attributes).map(String) });
        };
        parser.onclosetag = () => {
            this.#depth -= 1;
            handler.close();
        };
        parser.ontext = (part) => handler.text(part);
        parser.oncdata = (part) => handler.text(part);
        parser.ondoctype = () => this.#refuseDoctype();
        parser.onsgmldeclaration = () => {
            throw this.#fault("is not well-formed: a declaration stands where none may be");
        };
        parser.onerror = (error) => {
            throw this.#fault(describe(error.message));
        };
    }
    write(text) {
        const forbidden = FORBIDDEN.exec(text);
        this.#parser.write(forbidden === null ? text : text.slice(0, forbidden.index));
        if (forbidden === null)
            return;
        const code = forbidden[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
        this.#parser.column += 1;
        throw this.#fault(`holds the control character U+${code}, which XML may not`);
    }
    end() {
        this.#parser.close();
        if (!this.#sawRoot)
            throw new _report_fault_js__WEBPACK_IMPORTED_MODULE_1__/* .ReportFault */ .p("holds no XML element");
    }
    #attribute(name) {
        this.#attributes += 1;
        if (this.#attributes > MAX_ATTRIBUTES)
            throw this.#fault(`has an element with more than ${MAX_ATTRIBUTES} attributes`);
        // The parser calls this method of what it gathers the attributes in.
        if (name === "hasOwnProperty")
            throw this.#fault(`has an attribute '${name}', which is refused`);
    }
    #open() {
        // The event of a DOCTYPE comes at its end, which elements within it can keep from coming.
        if ("doctype" in this.#parser && this.#parser.doctype !== "")
            this.#refuseDoctype();
        if (this.#depth === 0 && this.#sawRoot)
            throw this.#fault("is not well-formed: a second root element follows the first");
        this.#sawRoot = true;
        this.#depth += 1;
        if (this.#depth > MAX_DEPTH)
            throw this.#fault(`is nested deeper than ${MAX_DEPTH} elements`);
    }
    #refuseDoctype() {
        throw this.#fault("has a DOCTYPE, which is refused: it could define entities and name other files");
    }
    #fault(problem) {
        const { line, column } = this.#parser;
        return new _report_fault_js__WEBPACK_IMPORTED_MODULE_1__/* .ReportFault */ .p(problem, { line: line + 1, column: Math.max(column, 1) });
    }
}
function localName(name) {
    return name.slice(name.lastIndexOf(":") + 1);
}
/** The parser's message goes on to say where, and what stands there. */
function describe(message) {
    const [what = ""] = message.split("\n");
    if (/doctype/i.test(what))
        return "has a DOCTYPE where none may be";
    if (what.startsWith("Max buffer length"))
        return `has a name, value or comment longer than ${MAX_TOKEN_CHARACTERS} characters`;
    if (/entity/i.test(what))
        return "is not well-formed: XML knows no such entity or character reference";
    if (/^(?:Unclosed root tag|Unexpected end)/.test(what))
        return "ends too early";
    return `is not well-formed: ${what.charAt(0).toLowerCase()}${what.slice(1).replace(/\.$/, "")}`;
}


/***/ })

};
