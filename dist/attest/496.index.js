export const id = 496;
export const ids = [496];
export const modules = {

/***/ 8496:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   nonCompliance: () => (/* binding */ nonCompliance)
/* harmony export */ });
/** The failure of a step that was told to fail for what is not compliant; undefined when nothing is. */
function nonCompliance(done, { warn }) {
    for (const { name, kind, status, compliant } of done) {
        if (status === "recorded" && kind !== "artifact" && compliant === undefined)
            warn(`The service does not say how it judges '${name}', so fail-on-non-compliant cannot tell: ask with the action assert-artifact.`);
    }
    const bad = done.filter(({ compliant }) => compliant === false);
    const [first] = bad;
    if (!first)
        return undefined;
    return bad.length === 1
        ? { title: "Not compliant", text: sentence(first) }
        : {
            title: `${bad.length} attestations are not compliant`,
            text: bad.map((one) => `- ${sentence(one)}`).join("\n"),
        };
}
function sentence({ name, reason }) {
    return `'${name}' is not compliant${reason === "" ? "" : `: ${reason}`}`;
}


/***/ })

};
