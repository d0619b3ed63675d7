export const id = 260;
export const ids = [260,4];
export const modules = {

/***/ 3672:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   DO: () => (/* binding */ plainNumbers),
/* harmony export */   Ic: () => (/* binding */ keepDigits)
/* harmony export */ });
/* unused harmony export plainNumber */
/* harmony import */ var _innermost_schema_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(27);

/*
 * Numbers that keep their digits. In data of the user `1.10` may be a version, and `9007199254740993` an identifier:
 * both go on as they were written. Where a schema wants a number it gets one.
 */
/**
 * A reviver for `JSON.parse`: a number that `JSON.stringify` would write in another way than its source becomes a
 * value that is written as the source.
 */
function keepDigits(_key, value, { source }) {
    return typeof value === "number" && source !== undefined && source !== String(value)
        ? JSON.rawJSON(source)
        : value;
}
const untouched = (value) => value;
const plans = new WeakMap();
/**
 * A value of the wire with plain numbers wherever the schema names a number; where it takes anything, digits are kept.
 * What has nothing to change is given back as it is, not as a copy.
 */
function plainNumbers(schema, value) {
    return planOf(schema)(value);
}
function planOf(schema) {
    const known = plans.get(schema);
    if (known)
        return known;
    const plan = makePlan(schema);
    plans.set(schema, plan);
    return plan;
}
function makePlan(schema) {
    const inner = (0,_innermost_schema_js__WEBPACK_IMPORTED_MODULE_0__/* .innermost */ .O)(schema);
    if (inner !== schema)
        return planOf(inner);
    const { def } = inner._zod;
    switch (def.type) {
        case "number":
        case "literal":
            return plainNumber;
        case "object": {
            const fields = new Map(Object.entries(def.shape).map(([name, field]) => [name, planOf(field)]));
            if ([...fields.values()].every((plan) => plan === untouched))
                return untouched;
            return (value) => changed(value, (name) => fields.get(name) ?? untouched);
        }
        case "record": {
            const plan = planOf(def.valueType);
            return plan === untouched ? untouched : (value) => changed(value, () => plan);
        }
        case "array": {
            const plan = planOf(def.element);
            if (plan === untouched)
                return untouched;
            return (value) => {
                if (!Array.isArray(value))
                    return value;
                const items = value.map(plan);
                return items.some((item, index) => item !== value[index]) ? items : value;
            };
        }
        case "union": {
            const members = def.options.map(planOf).filter((plan) => plan !== untouched);
            return members.length === 0 ? untouched : (value) => members.reduce((v, plan) => plan(v), value);
        }
        default:
            return untouched;
    }
}
/** A number that keeps its digits as a plain one, which may have fewer; anything else as it is. */
function plainNumber(value) {
    return JSON.isRawJSON(value) ? Number(JSON.stringify(value)) : value;
}
function changed(value, planFor) {
    if (typeof value !== "object" || value === null || Array.isArray(value) || JSON.isRawJSON(value))
        return value;
    let isChanged = false;
    const entries = Object.entries(value).map(([name, item]) => {
        const plain = planFor(name)(item);
        isChanged ||= plain !== item;
        return [name, plain];
    });
    return isChanged ? Object.fromEntries(entries) : value;
}


/***/ }),

/***/ 8258:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Y: () => (/* binding */ editDistance),
/* harmony export */   p: () => (/* binding */ nearest)
/* harmony export */ });
/** More suggestions than this confuse. */
const MOST = 3;
/**
 * The names that somebody who wrote this word may have meant, the likeliest first: those that hold it, then those
 * that few changes of a letter lead to. The case of letters does not matter.
 */
function nearest(word, names) {
    const wanted = word.toLowerCase();
    const ranked = [...names].map((name) => ({ name, distance: farness(wanted, name.toLowerCase()) }));
    const tolerable = Math.max(2, Math.floor(wanted.length / 2));
    return ranked
        .filter(({ distance }) => distance <= tolerable)
        .sort((a, b) => a.distance - b.distance || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
        .slice(0, MOST)
        .map(({ name }) => name);
}
/** A part of a name is nearer than anything misspelt, unless it is next to nothing. */
function farness(wanted, name) {
    const distance = editDistance(wanted, name);
    return wanted.length >= 3 && name.includes(wanted) ? Math.min(distance, 0.5) : distance;
}
/** Levenshtein's: how many letters must be added, left out or replaced to turn one text into the other. */
function editDistance(one, other) {
    let row = Array.from({ length: other.length + 1 }, (_, column) => column);
    for (const [index, letter] of Array.from(one).entries()) {
        const next = [index + 1];
        for (let column = 1; column <= other.length; column++) {
            const replaced = (row[column - 1] ?? 0) + (letter === other[column - 1] ? 0 : 1);
            next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
        }
        row = next;
    }
    return row.at(-1) ?? 0;
}


/***/ }),

/***/ 9004:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   S: () => (/* binding */ parseJsonData),
/* harmony export */   readJsonData: () => (/* binding */ readJsonData)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6760);
/* harmony import */ var _api_errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8937);
/* harmony import */ var _api_exact_numbers_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3672);
/* harmony import */ var _api_operation_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(2441);
/* harmony import */ var _json_syntax_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(4019);
/* harmony import */ var _workspace_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(9844);







/**
 * Data given as JSON (it starts with `{` or `[`) or as the path of a JSON file. Numbers keep their digits: `1.10` or a
 * 64-bit integer becomes a value that `JSON.stringify` writes as it was.
 *
 * @throws InputError, under the name of `input`, when the file cannot be used or the text is not a JSON object or
 * array; with line and column where the text breaks the rules.
 */
async function readJsonData(text, { input, workspace }) {
    if (/^\ufeff?[ \t\r\n]*[{[]/.test(text))
        return parseJsonData(text, input);
    const path = text.trim();
    if (path === "")
        throw new _api_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz([{ input, problem: "is empty" }]);
    const given = await readJsonFile(path, workspace);
    if ("problem" in given)
        throw new _api_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz([{ input, problem: given.problem }]);
    return parseJsonData(given.json, input, path);
}
/** Parses text that was read already; `path` is where it was, for messages. */
function parseJsonData(json, input, path) {
    const fault = (0,_json_syntax_js__WEBPACK_IMPORTED_MODULE_5__/* .findJsonFault */ .W)(json);
    if (fault !== undefined) {
        const { line, column, problem } = fault;
        const place = path === undefined ? "" : `'${path}', `;
        const found = path === undefined ? {} : { place: { file: path, line } };
        throw new _api_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz([
            { input, problem: `${place}line ${line}, column ${column}: the JSON ${problem}`, ...found },
        ]);
    }
    const data = JSON.parse(json, _api_exact_numbers_js__WEBPACK_IMPORTED_MODULE_3__/* .keepDigits */ .Ic);
    if (isData(data))
        return data;
    const holder = path === undefined ? "" : `'${path}' `;
    throw new _api_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz([{ input, problem: `${holder}must hold a JSON object or array, not a single value` }]);
}
function isData(value) {
    return typeof value === "object" && value !== null && !JSON.isRawJSON(value);
}
async function readJsonFile(path, workspace) {
    const checked = await (0,_workspace_js__WEBPACK_IMPORTED_MODULE_6__/* .checkPath */ .Cg)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.resolve)(workspace, path), await (0,_workspace_js__WEBPACK_IMPORTED_MODULE_6__/* .openWorkspace */ .OH)(workspace));
    if ("problem" in checked) {
        const meaning = "it should be JSON that starts with { or [, or the path of a JSON file";
        return { problem: checked.missing ? `${checked.problem}; ${meaning}` : checked.problem };
    }
    if (checked.stats.isDirectory())
        return { problem: `'${path}' is a directory, not a JSON file` };
    if (checked.stats.size > _api_operation_js__WEBPACK_IMPORTED_MODULE_4__/* .MAX_JSON_PART_BYTES */ .ey) {
        return { problem: `'${path}' has ${checked.stats.size} bytes; the limit is ${_api_operation_js__WEBPACK_IMPORTED_MODULE_4__/* .MAX_JSON_PART_BYTES */ .ey}` };
    }
    const bytes = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.readFile)(checked.realPath);
    try {
        return { json: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
    }
    catch {
        return { problem: `'${path}' is not UTF-8 text` };
    }
}


/***/ }),

/***/ 4019:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   W: () => (/* binding */ findJsonFault)
/* harmony export */ });
/** Deep enough for any data a person or tool writes, and far from the depth at which the parser runs out of stack. */
const MAX_NESTING = 500;
const SPACE = /[ \t\r\n]*/y;
const SCALAR = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const WORD = /[^\s,:[\]{}"]{1,30}|[^\s]/uy;
/**
 * The first place where a text breaks the rules of JSON. `JSON.parse` often does not say where, and it silently keeps
 * only the last of two members with one name, so a repeated name counts as a fault too.
 */
function findJsonFault(text) {
    try {
        new Scanner(text).scan();
        return undefined;
    }
    catch (fault) {
        if (fault instanceof Fault)
            return { ...positionOf(text, fault.offset), problem: fault.message };
        throw fault;
    }
}
class Fault extends Error {
    offset;
    constructor(offset, problem) {
        super(problem);
        this.offset = offset;
    }
}
function positionOf(text, offset) {
    let line = 1;
    let start = 0;
    for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", start)) {
        line += 1;
        start = at + 1;
    }
    let column = 1;
    // Tools write tens of megabytes in one line, so its characters are counted where they are.
    for (let at = start; at < offset; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
        column += 1;
    return { line, column };
}
class Scanner {
    #text;
    #open = [];
    #at = 0;
    #expected = "value";
    constructor(text) {
        this.#text = text;
    }
    scan() {
        if (this.#text.startsWith("\ufeff"))
            throw new Fault(0, "starts with a byte order mark: save it as UTF-8 without one");
        for (;;) {
            this.#take(SPACE);
            const container = this.#open.at(-1);
            const next = this.#text[this.#at];
            if (next === undefined) {
                if (container === undefined && this.#expected === "separator")
                    return;
                throw new Fault(this.#at, "ends too early");
            }
            const mayClose = this.#expected === "separator" || this.#expected.startsWith("first");
            if (mayClose && next === container?.close) {
                this.#at++;
                this.#open.pop();
                this.#expected = "separator";
            }
            else if (this.#expected === "separator") {
                this.#separator(container);
            }
            else if (container?.close === "}" && this.#expected !== "value") {
                this.#name(container);
            }
            else {
                this.#value(next);
            }
        }
    }
    #separator(container) {
        if (container === undefined)
            throw this.#unexpected("after the end of the JSON");
        if (this.#text[this.#at] !== ",")
            throw this.#unexpected(`where ',' or '${container.close}' should be`);
        this.#at++;
        this.#expected = container.close === "}" ? "name" : "value";
    }
    #name({ names }) {
        const start = this.#at;
        if (this.#text[start] !== '"')
            throw this.#unexpected("where a name in double quotes should be");
        this.#string();
        const name = JSON.parse(this.#text.slice(start, this.#at));
        if (names.has(String(name)))
            throw new Fault(start, `has the name ${JSON.stringify(name)} twice`);
        names.add(String(name));
        this.#take(SPACE);
        if (this.#text[this.#at] !== ":")
            throw this.#unexpected("where ':' should be");
        this.#at++;
        this.#expected = "value";
    }
    #value(next) {
        if (next === "{" || next === "[") {
            if (this.#open.length === MAX_NESTING)
                throw new Fault(this.#at, `is nested deeper than ${MAX_NESTING} levels`);
            this.#at++;
            this.#open.push({ close: next === "{" ? "}" : "]", names: new Set() });
            this.#expected = next === "{" ? "first name" : "first value";
            return;
        }
        if (next === '"')
            this.#string();
        else if (!this.#take(SCALAR))
            throw this.#unexpected("where a value should be");
        this.#expected = "separator";
    }
    #string() {
        this.#at++;
        for (;;) {
            // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what JSON strings may not hold
            const special = /["\\\u0000-\u001f]/g;
            special.lastIndex = this.#at;
            const found = special.exec(this.#text);
            this.#at = found?.index ?? this.#text.length;
            if (found === null)
                throw new Fault(this.#at, "ends inside a string");
            if (found[0] === '"') {
                this.#at++;
                return;
            }
            if (found[0] !== "\\")
                throw new Fault(this.#at, "has a line break or other control character in a string");
            if (!this.#take(ESCAPE))
                throw new Fault(this.#at, "has an unknown escape in a string");
        }
    }
    /** Moves past what the pattern matches here; false when it does not match. */
    #take(pattern) {
        pattern.lastIndex = this.#at;
        const found = pattern.exec(this.#text);
        if (found === null)
            return false;
        this.#at += found[0].length;
        return true;
    }
    #unexpected(where) {
        WORD.lastIndex = this.#at;
        return new Fault(this.#at, `has '${WORD.exec(this.#text)?.[0] ?? ""}' ${where}`);
    }
}


/***/ }),

/***/ 579:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   j: () => (/* binding */ parseStructured)
/* harmony export */ });
/* harmony import */ var _api_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8937);
/* harmony import */ var _json_data_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9004);


const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
/**
 * Data written as JSON or YAML (1.2, core schema). Numbers keep their digits: `1.10` or a 64-bit integer becomes
 * a value that `JSON.stringify` writes as it was, and a key is the text that was written.
 *
 * @throws {InputError} under the name of `input`, with line and column
 */
async function parseStructured(text, { input, path, textsOnly = false }) {
    if (!textsOnly && isJson(text))
        return (0,_json_data_js__WEBPACK_IMPORTED_MODULE_1__/* .parseJsonData */ .S)(text, input, path);
    // Loaded only here: most data is JSON.
    const { isScalar, parseDocument, Scalar, visit } = await __webpack_require__.e(/* import() */ 815).then(__webpack_require__.t.bind(__webpack_require__, 8815, 19));
    const document = parseDocument(text, {
        schema: textsOnly ? "failsafe" : "core",
        intAsBigInt: true,
        prettyErrors: true,
        uniqueKeys: (a, b) => a === b || (isScalar(a) && isScalar(b) && a.source === b.source),
    });
    const [fault] = document.errors;
    if (fault) {
        throw new _api_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz([{ input, problem: describe(fault, path), ...placeOf(fault, path) }]);
    }
    // A scalar may be a key in one place and a value in another, so an alias of it becomes a scalar of its own.
    const named = new Map();
    visit(document, {
        Scalar(key, node) {
            const { anchor, value, source } = node;
            if (anchor !== undefined)
                named.set(anchor, { value, ...(source !== undefined && { source }) });
            node.value = key === "key" ? (source ?? value) : exactNumber(value, source);
        },
        Collection(_key, { anchor }) {
            if (anchor !== undefined)
                named.delete(anchor);
        },
        // What is given back is visited in its turn.
        Alias(_key, { source: anchor }) {
            const scalar = named.get(anchor);
            return scalar && Object.assign(new Scalar(scalar.value), scalar);
        },
    });
    try {
        return withoutBigInts(document.toJS());
    }
    catch (cause) {
        // Aliases that would blow up what little they stand for.
        const place = path === undefined ? {} : { place: { file: path } };
        throw new _api_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz([{ input, problem: "the YAML repeats its aliases too often", ...place }], { cause });
    }
}
function isJson(text) {
    if (!/^\s*[{[]/.test(text))
        return false;
    try {
        JSON.parse(text);
        return true;
    }
    catch {
        return false;
    }
}
/** The parser's message goes on to show the text around, which may be a secret. */
function describe({ message, linePos }, path) {
    const [start] = linePos ?? [];
    const place = start ? `line ${start.line}, column ${start.col}: ` : "";
    const said = (message.split("\n")[0] ?? "").replace(/ at line \d+, column \d+:?$/, "");
    const what = said.startsWith("Maximum call stack") ? "is nested too deeply" : said;
    return `${path === undefined ? "" : `'${path}', `}${place}${what}`;
}
function placeOf({ linePos }, path) {
    const [start] = linePos ?? [];
    return path === undefined ? {} : { place: { file: path, ...(start && { line: start.line }) } };
}
/** A number as it was written, where JSON can write it so: `0x1F` and `.5` become what they mean. */
function exactNumber(value, source) {
    if (typeof value !== "number" && typeof value !== "bigint")
        return value;
    if (source === undefined || !JSON_NUMBER.test(source) || source === String(Number(value)))
        return value;
    return JSON.rawJSON(source);
}
function withoutBigInts(value) {
    if (typeof value === "bigint") {
        return Number.isSafeInteger(Number(value)) ? Number(value) : JSON.rawJSON(String(value));
    }
    if (Array.isArray(value))
        return value.map(withoutBigInts);
    if (typeof value !== "object" || value === null || JSON.isRawJSON(value))
        return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutBigInts(item)]));
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


/***/ }),

/***/ 9844:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Cg: () => (/* binding */ checkPath),
/* harmony export */   Dl: () => (/* binding */ isSameFile),
/* harmony export */   FK: () => (/* binding */ isInside),
/* harmony export */   OH: () => (/* binding */ openWorkspace),
/* harmony export */   aR: () => (/* binding */ isInGit),
/* harmony export */   fz: () => (/* binding */ shownIn)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6760);
/* harmony import */ var _api_errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8937);
/* harmony import */ var _unusable_path_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(832);
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




/** @throws InputError (`workspace`) when there is no such directory. */
async function openWorkspace(directory, allowOutside = false) {
    const root = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.resolve)(directory);
    try {
        return { root, realRoot: await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.realpath)(root), allowOutside };
    }
    catch (cause) {
        throw new _api_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz([{ input: "workspace", problem: `'${root}' ${(0,_unusable_path_js__WEBPACK_IMPORTED_MODULE_3__/* .whyUnusable */ .II)(cause)}` }], { cause });
    }
}
function isInside(path, directory) {
    const way = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.relative)(directory, path);
    return way !== ".." && !way.startsWith(`..${node_path__WEBPACK_IMPORTED_MODULE_1__.sep}`) && !(0,node_path__WEBPACK_IMPORTED_MODULE_1__.isAbsolute)(way);
}
function shownIn({ root }, path) {
    return isInside(path, root) ? (0,node_path__WEBPACK_IMPORTED_MODULE_1__.relative)(root, path) || "." : path;
}
/**
 * Says whether a path may be read and sent: a regular file or directory, readable, in the workspace once every link
 * is followed, and not reached through a link into `.git`, where checkouts keep their token. Only what has proved to be
 * a regular file is opened: a FIFO would hang, a device would pour.
 */
async function checkPath(path, workspace) {
    const shown = shownIn(workspace, path);
    const unusable = (problem, missing = false) => ({
        problem: `'${shown}' ${problem}`,
        missing,
    });
    let isLink = false;
    try {
        const own = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.lstat)(path);
        isLink = own.isSymbolicLink();
        const realPath = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.realpath)(path);
        if (!workspace.allowOutside && !isInside(realPath, workspace.realRoot)) {
            return unusable(`is outside the workspace: '${realPath}' is not in '${workspace.realRoot}'`);
        }
        const stats = isLink ? await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.stat)(realPath) : own;
        if (!stats.isFile() && !stats.isDirectory())
            return unusable(`is ${(0,_unusable_path_js__WEBPACK_IMPORTED_MODULE_3__/* .kindOf */ .I)(stats)}, which cannot be sent`);
        if (isInGit(realPath) && !isInGit(path))
            return unusable(`is a link into .git: '${realPath}'`);
        if (stats.isFile() && (await holdsUnstatedBytes(realPath, stats))) {
            return unusable("gives no size, so it cannot be sent: copy it to a file first");
        }
        return { path, shown, realPath, stats };
    }
    catch (error) {
        // The system has the name in bytes, of which a text can only hold those that are UTF-8.
        if (!isLink && (0,_unusable_path_js__WEBPACK_IMPORTED_MODULE_3__/* .isMissing */ .b2)(error) && path.includes("\ufffd"))
            return unusable("has a name that is not UTF-8, so it cannot be read: rename it");
        if (!isLink || !(0,_unusable_path_js__WEBPACK_IMPORTED_MODULE_3__/* .isMissing */ .b2)(error))
            return unusable((0,_unusable_path_js__WEBPACK_IMPORTED_MODULE_3__/* .whyUnusable */ .II)(error), (0,_unusable_path_js__WEBPACK_IMPORTED_MODULE_3__/* .isMissing */ .b2)(error));
        const target = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.readlink)(path).catch(() => "");
        return unusable(`is a link to '${target}', which does not exist`);
    }
}
/** Whether what is found now is still the very file that was checked, with nothing written to it since. */
function isSameFile(one, other) {
    const facts = ["dev", "ino", "size", "mtimeMs"];
    return other.isFile() && facts.every((fact) => one[fact] === other[fact]);
}
/** Files of `/proc` say that they hold 0 bytes and would be sent as nothing. */
async function holdsUnstatedBytes(path, { size }) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const file = __addDisposableResource(env_1, await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.open)(path, "r"), true);
        if (size > 0)
            return false;
        const { bytesRead } = await file.read(Buffer.alloc(1));
        return bytesRead > 0;
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
function isInGit(path) {
    return path.split(node_path__WEBPACK_IMPORTED_MODULE_1__.sep).includes(".git");
}


/***/ })

};
