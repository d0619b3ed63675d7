export const id = 841;
export const ids = [841];
export const modules = {

/***/ 7841:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  withLines: () => (/* binding */ withLines)
});

// EXTERNAL MODULE: ./lib/api/errors.js
var errors = __webpack_require__(8937);
;// CONCATENATED MODULE: ./lib/evidence/yaml-lines.js
/**
 * Where values stand in a text in YAML, or in JSON, which is YAML as well. Parsing it once more costs nothing where it
 * matters: it is done only to tell a fault.
 *
 * @returns the line of a value, or of the nearest that holds it; undefined for a text that cannot be read
 */
async function linesOf(text) {
    const { isNode, LineCounter, parseDocument } = await __webpack_require__.e(/* import() */ 815).then(__webpack_require__.t.bind(__webpack_require__, 8815, 19));
    const lineCounter = new LineCounter();
    const document = parseDocument(text, { lineCounter, uniqueKeys: false, logLevel: "silent" });
    if (document.errors.length > 0)
        return () => undefined;
    return (path) => {
        for (let depth = path.length; depth >= 0; depth--) {
            const node = document.getIn(path.slice(0, depth), true);
            if (isNode(node) && node.range)
                return lineCounter.linePos(node.range[0]).line;
        }
        return undefined;
    };
}
/** The path that a message writes as `trail.attestations[0].type`, or as `trail.attestations.0.type`. */
function dataPath(text) {
    const steps = text.split(/[.[\]]/).filter((step) => step !== "");
    return steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

;// CONCATENATED MODULE: ./lib/actions/template-fault.js


/** The part of a request that a template is sent as. */
const PART = "template_file";
/**
 * A service's refusal of a template, with the lines of the file that it speaks of; any other error as it is.
 *
 * @param input that names the template
 */
async function withLines(error, template, input) {
    if (!(error instanceof errors/* ApiError */.hD) || error.status !== 400)
        return error;
    const complaints = complaintsOf(error);
    if (complaints.length === 0)
        return error;
    const lineOf = await linesOf(await template.content.text());
    const told = complaints.map(({ field, text }) => {
        // What is no YAML has no fields; the service says where that begins.
        const [, line = field === "" ? undefined : lineOf(dataPath(field))] = /\bline (\d+)/.exec(text) ?? [];
        return {
            line: line === undefined ? undefined : Number(line),
            text: [field, text].filter(Boolean).join(": "),
        };
    });
    const first = told.find(({ line }) => line !== undefined)?.line;
    return error.explained({
        details: told.map(({ line, text }) => `${input}${line === undefined ? "" : `, line ${line}`}: ${text}`),
        place: { file: template.path ?? template.name, ...(first !== undefined && { line: first }) },
    });
}
/** Services give them as field errors, or as a message in lines: the field, and below it the text, indented. */
function complaintsOf({ fieldErrors, details }) {
    const fields = Object.entries(fieldErrors).filter(([field]) => /^template_file\b/.test(field));
    if (fields.length > 0) {
        return fields.map(([field, text]) => ({ field: field.slice(PART.length).replace(/^\./, ""), text }));
    }
    return details.flatMap((line, index) => {
        const text = details[index + 1] ?? "";
        return /^[a-z]\w*(?:[.[]\w+\]?)*$/.test(line) && text.startsWith("  ")
            ? [{ field: line, text: text.trim() }]
            : [];
    });
}


/***/ })

};
