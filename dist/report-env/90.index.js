export const id = 90;
export const ids = [90];
export const modules = {

/***/ 4090:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   selectNamespaces: () => (/* binding */ selectNamespaces)
/* harmony export */ });
/* harmony import */ var _api_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8937);

/** What Kubernetes accepts as the name of a namespace: a DNS label. */
const NAMESPACE = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/**
 * A namespace is included when it is listed or matches one of the expressions. An expression matches anywhere in
 * the name unless it is anchored: `^team-` for those that begin so. Nothing given includes every namespace.
 *
 * @throws {InputError} naming every input at fault: no such name is possible, the expression is invalid, or
 * namespaces are both included and excluded.
 */
function selectNamespaces(inputs) {
    const problems = [];
    const included = namesAndPatterns(["namespaces", inputs.namespaces ?? []], ["namespaces-regex", inputs.namespacesRegex ?? []], problems);
    const excluded = namesAndPatterns(["exclude-namespaces", inputs.excludeNamespaces ?? []], ["exclude-namespaces-regex", inputs.excludeNamespacesRegex ?? []], problems);
    if (included.given.length > 0 && excluded.given.length > 0) {
        const problem = `cannot be used together with ${excluded.given.join(" and ")}: include namespaces or exclude them`;
        problems.push(...included.given.map((input) => ({ input, problem })));
    }
    if (problems.length > 0)
        throw new _api_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(problems);
    if (included.given.length > 0) {
        const exactly = included.patterns.length === 0 ? [...included.names].sort() : undefined;
        return { includes: included.match, exactly };
    }
    return { includes: (namespace) => !excluded.match(namespace), exactly: undefined };
}
function namesAndPatterns(names, expressions, problems) {
    for (const name of names[1]) {
        if (!NAMESPACE.test(name))
            problems.push({ input: names[0], problem: `'${name}' cannot be a namespace` });
    }
    const patterns = [];
    for (const expression of expressions[1]) {
        try {
            patterns.push(new RegExp(expression));
        }
        catch (cause) {
            const why = cause instanceof Error ? cause.message : String(cause);
            problems.push({
                input: expressions[0],
                problem: `'${expression}' is not a regular expression: ${why}`,
            });
        }
    }
    const listed = new Set(names[1]);
    return {
        given: [names, expressions].filter(([, values]) => values.length > 0).map(([input]) => input),
        names: listed,
        patterns,
        match: (namespace) => listed.has(namespace) || patterns.some((pattern) => pattern.test(namespace)),
    };
}


/***/ })

};
