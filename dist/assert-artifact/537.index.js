export const id = 537;
export const ids = [537];
export const modules = {

/***/ 3990:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Q: () => (/* binding */ allowedBy)
/* harmony export */ });
/*
 * What the patterns of the interface allow, in words for people. They stand apart from the patterns themselves, as they
 * are read only when something was refused.
 */
const WITH_DOTS = "must consist of letters, digits, dots, hyphens, underscores and tildes, and begin with a letter or digit";
const HEX = "digits and the letters a to f";
/** By pattern, without its backslashes: services differ in what they escape. */
const WORDS = new Map([
    ["^[a-zA-Z0-9][a-zA-Z0-9.-_~]*$", WITH_DOTS],
    ["^[a-zA-Z0-9][a-zA-Z0-9-_.~]*$", WITH_DOTS],
    [
        "^[a-zA-Z0-9][a-zA-Z0-9.-_]*$",
        "must consist of letters, digits, dots, hyphens and underscores, and begin with a letter or digit",
    ],
    ["^[a-zA-Z0-9-_]+$", "must consist of letters, digits, hyphens and underscores"],
    ["^[a-zA-Z0-9-_,]+$", "must consist of letters, digits, hyphens, underscores and commas"],
    [
        "^[a-zA-Z0-9][a-zA-Z0-9-_.~/]*$",
        "must consist of letters, digits, hyphens, underscores, dots, tildes and slashes, and begin with a letter or digit",
    ],
    ["^[a-zA-Z0-9-._~]+$", "must consist of letters, digits, hyphens, dots, underscores and tildes"],
    [
        "^[a-zA-Z0-9][a-zA-Z0-9-_~]*$",
        "must consist of letters, digits, hyphens, underscores and tildes, and begin with a letter or digit",
    ],
    [
        "^(generic|junit|snyk|pull_request|jira|sonar|decision|custom:.+|system:.+)$",
        "must be generic, junit, snyk, pull_request, jira, sonar, decision, or custom: and the name of a type",
    ],
    ["^[a-zA-Z0-9-]+$", "must consist of letters, digits and hyphens"],
    ["^[a-f0-9]{64}$", `must be 64 ${HEX}`],
    ["^[a-f0-9]{5,64}$", `must be 5 to 64 ${HEX}`],
    ["^[a-f0-9]{40}$", `must be 40 ${HEX}`],
    ["^[a-f0-9]{5,40}$", `must be 5 to 40 ${HEX}`],
    ["^[a-fA-F0-9]{5,64}$", `must be 5 to 64 ${HEX}`],
    ["^[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{8}$", "must be an id as the service gives it"],
    ["^[^=.]+$", "must not hold an equals sign or a dot"],
    ["^[A-Za-z0-9_-]+$", "must consist of letters, digits, underscores and hyphens"],
    ["^[a-zA-Z0-9][a-zA-Z0-9-_.~]*=.*$", "must be key=value"],
    [
        "^(generic|junit|snyk|pull_request|jira|sonar|custom:.*|system:.*)$",
        "must be generic, junit, snyk, pull_request, jira, sonar, or custom: and the name of a type",
    ],
]);
/** What a pattern allows, in words; undefined for one that is not the interface's. */
function allowedBy(pattern) {
    return WORDS.get(pattern.replaceAll("\\", ""));
}


/***/ }),

/***/ 7537:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   byInputs: () => (/* binding */ byInputs)
/* harmony export */ });
/* harmony import */ var _api_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8937);
/* harmony import */ var _api_pattern_words_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3990);


/** A fault of a request by the inputs that its user knows; any other error as it is. */
function byInputs(error, fields) {
    if (error instanceof _api_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz) {
        const problems = error.problems.map(({ input: field, problem, ...more }) => {
            const { input, part } = originOf(field, fields);
            return { ...more, input, problem: part === undefined ? problem : `${part} ${problem}` };
        });
        return new _api_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(problems, { advice: error.advice, cause: error });
    }
    if (!(error instanceof _api_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .ApiError */ .hD) || Object.keys(error.fieldErrors).length === 0)
        return error;
    const details = Object.entries(error.fieldErrors).map(([field, text]) => {
        const { input, part } = originOf(field, fields);
        return [input, part, plain(text)].filter((word) => word !== undefined).join(": ");
    });
    return error.explained({ details });
}
/** `external_urls.docs` is the part `docs` of the input `external-urls`. */
function originOf(field, fields) {
    const holders = Object.keys(fields).filter((name) => isWithin(field, name));
    const [holder = ""] = holders.sort((a, b) => b.length - a.length);
    const input = fields[holder];
    if (input === undefined)
        return { input: field };
    if (typeof input === "object")
        return { input: input.within, part: `'${field}'` };
    const rest = field.slice(holder.length).replace(/^\./, "");
    if (rest === "")
        return { input };
    const item = /^\[(\d+)\]$/.exec(rest)?.[1];
    if (item !== undefined)
        return { input, part: `item ${Number(item) + 1}` };
    return { input, part: `'${holder.replaceAll("_", "-") === input ? rest : field}'` };
}
function isWithin(field, holder) {
    return field.startsWith(holder) && /^(?:[.[]|$)/.test(field.slice(holder.length));
}
/** Without a pattern, which says little to people. */
function plain(text) {
    const [, pattern = "", value] = /^String should match pattern '(.*)'(?: \[input: (.*)\])?$/s.exec(text) ?? [];
    const allowed = (0,_api_pattern_words_js__WEBPACK_IMPORTED_MODULE_1__/* .allowedBy */ .Q)(pattern);
    if (allowed === undefined)
        return text;
    return value === undefined ? allowed : `${allowed}, not '${value}'`;
}


/***/ })

};
