export const id = 949;
export const ids = [949];
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

/***/ 1949:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  requestProblems: () => (/* binding */ requestProblems)
});

;// CONCATENATED MODULE: ./lib/api/findings.js
/** Longer values are cut: an error message is for reading. */
const MAX_SHOWN = 100;
const SECRET_NAME = /webhook|secret|token|password|api_?key|authorization/i;
const SECRET_VALUE = /hooks\.slack\.com|\/api\/webhooks\/|^de_|^gh[a-z]_|^github_pat_|^xox|:\/\/[^/]*@/i;
/** Everything that is wrong with an input, down to the fields. */
function findingsOf(issues, input) {
    return issues.flatMap((issue) => findings(issue, input, []));
}
function findings(issue, input, base) {
    const path = [...base, ...issue.path];
    const value = valueAt(input, path);
    if (value === undefined)
        return [{ path, fault: "missing", value }];
    if (issue.code === "unrecognized_keys") {
        return issue.keys.map((key) => {
            const at = [...path, key];
            return { path: at, fault: "unknown", value: valueAt(input, at) };
        });
    }
    if (issue.code === "invalid_key") {
        const key = path.at(-1);
        return issue.issues.map((problem) => ({ path, fault: problem, value: key }));
    }
    if (issue.code === "invalid_union") {
        const branch = bestBranch(issue.errors);
        if (branch)
            return branch.flatMap((inner) => findings(inner, input, path));
    }
    return [{ path, fault: issue, value }];
}
/** The member of a union that the author meant: one whose type fits, so that only its content is wrong. */
function bestBranch(branches) {
    return branches.find((branch) => !branch.some((i) => i.path.length === 0 && i.code === "invalid_type"));
}
/** A field by its path: `artifacts[0].digests`. */
function fieldName(path) {
    return path
        .map((step, index) => typeof step === "number" ? `[${step}]` : `${index === 0 ? "" : "."}${String(step)}`)
        .join("");
}
/** `a, b or c` */
function alternatives(words) {
    return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
/** A value as a message may show it; undefined for one that looks like a secret. */
function shownValue(path, value) {
    if (path.some((step) => SECRET_NAME.test(String(step))))
        return undefined;
    if (value === undefined || value === null)
        return "None";
    if (Array.isArray(value))
        return "[...]";
    const isExact = JSON.isRawJSON(value);
    if (typeof value === "object" && !isExact)
        return "{...}";
    const text = isExact ? JSON.stringify(value) : String(value);
    if (SECRET_VALUE.test(text))
        return undefined;
    return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
function valueAt(input, path) {
    let value = input;
    for (const step of path) {
        if (typeof value !== "object" || value === null || !Object.hasOwn(value, step))
            return undefined;
        value = Reflect.get(value, step);
    }
    return value;
}

// EXTERNAL MODULE: ./lib/api/parsing.js
var parsing = __webpack_require__(4028);
// EXTERNAL MODULE: ./lib/api/pattern-words.js
var pattern_words = __webpack_require__(3990);
;// CONCATENATED MODULE: ./lib/api/request-problems.js



/** What is wrong with a request, by field and in plain words: `must be a list, not 'web'`. */
function requestProblems(issues, request) {
    const problems = new Map();
    for (const finding of findingsOf(issues, request)) {
        const input = finding.path.length === 0 ? "body" : fieldName(finding.path);
        if (!problems.has(input))
            problems.set(input, { input, ...problemOf(finding) });
    }
    return [...problems.values()];
}
function problemOf({ fault, path, value }) {
    if (fault === "missing")
        return { problem: "is required", missing: true };
    if (fault === "unknown")
        return { problem: "is not known here" };
    const shown = typeof value === "object" ? undefined : shownValue(path, value);
    return { problem: shown === undefined ? wordsFor(fault) : `${wordsFor(fault)}, not '${shown}'` };
}
function wordsFor(issue) {
    switch (issue.code) {
        case "invalid_type":
            return `must be ${issue.message === parsing/* INTEGER_WANTED */.N ? "a whole number" : typeName(issue.expected)}`;
        case "invalid_value":
            return `must be ${alternatives(issue.values.map((value) => `'${String(value)}'`))}`;
        case "invalid_format":
            return formatWords(issue);
        case "too_small":
            return boundWords("at least", issue.minimum, issue.origin);
        case "too_big":
            return boundWords("at most", issue.maximum, issue.origin);
        case "invalid_union":
            return unionWords(issue);
        case "custom":
            return issue.message;
        default:
            return "cannot be used";
    }
}
const TYPE_NAMES = {
    array: "a list",
    boolean: "true or false",
    number: "a number",
    object: "a mapping",
    record: "a mapping",
    string: "a text",
};
function typeName(expected) {
    return TYPE_NAMES[expected] ?? `of the type ${expected}`;
}
function formatWords({ format, pattern = "" }) {
    if (format === "url")
        return "must be an http:// or https:// address";
    if (format === "email")
        return "must be an e-mail address";
    // Zod gives a pattern as a literal, `/^a$/`.
    const source = pattern.replace(/^\/(.*)\/[a-z]*$/s, "$1");
    return (0,pattern_words/* allowedBy */.Q)(source) ?? `must match ${source || format}`;
}
function boundWords(word, bound, origin) {
    const count = (noun) => `must have ${word} ${bound} ${noun}${Number(bound) === 1 ? "" : "s"}`;
    if (origin === "string")
        return count("character");
    return origin === "array" ? count("item") : `must be ${word} ${bound}`;
}
/** Each member of a union says what it takes: the value may be any of these. */
function unionWords(issue) {
    const options = "options" in issue && Array.isArray(issue.options) ? issue.options : [];
    if (options.length > 0)
        return `must be ${alternatives(options.map((option) => `'${String(option)}'`))}`;
    const words = new Set(issue.errors.flatMap((branch) => branch.slice(0, 1).map(wordsFor)));
    const [first = "cannot be used", ...rest] = words;
    return [first, ...rest.map((text) => text.replace("must be ", ""))].join(" or ");
}


/***/ })

};
