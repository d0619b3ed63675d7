export const id = 28;
export const ids = [28];
export const modules = {

/***/ 1028:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   scanData: () => (/* binding */ scanData)
/* harmony export */ });
const MAX_LISTED = 10;
const MAX_CHARACTERS = 300;
/** What a scan came to in the names of the interface, to stand in `user_data`. */
function scanData({ runs, counts, suppressed }) {
    const tools = new Map(runs.map(({ tool }) => [`${tool.name}\n${tool.version}`, tool]));
    const faults = new Set(runs.map(({ fault }) => fault).filter(Boolean));
    return {
        tools: [...tools.values()]
            .slice(0, MAX_LISTED)
            .map(({ name, version }) => ({ name: short(name), version: short(version) })),
        findings: counts,
        accepted: suppressed,
        ...(faults.size > 0 && { not_completed: [...faults].slice(0, MAX_LISTED).map(short) }),
    };
}
function short(text) {
    return text.slice(0, MAX_CHARACTERS);
}


/***/ })

};
