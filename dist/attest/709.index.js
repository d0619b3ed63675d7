export const id = 709;
export const ids = [709];
export const modules = {

/***/ 709:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   testsData: () => (/* binding */ testsData)
/* harmony export */ });
/** The counts of tests in the names of the interface, to stand in `user_data`. */
function testsData({ counts, suiteCount }) {
    const { total, passed, failures, errors, skipped, flaky, duration } = counts;
    return { suites: suiteCount, tests: total, passed, failures, errors, skipped, flaky, duration };
}


/***/ })

};
