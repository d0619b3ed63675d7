export const id = 601;
export const ids = [601];
export const modules = {

/***/ 2601:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   missingKey: () => (/* binding */ missingKey)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4343);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3945);
/* harmony import */ var _head_branch_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3878);
/* harmony import */ var _lenient_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8476);



const payload = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .object */ .Ikc({ pull_request: (0,_lenient_js__WEBPACK_IMPORTED_MODULE_1__/* .part */ .y_)({ head: _head_branch_js__WEBPACK_IMPORTED_MODULE_0__/* .pullRequestHead */ .Ju }) });
/** The events of a pull request that GitHub gives no secrets for when it comes from a fork. */
const WITHOUT_SECRETS = ["pull_request", "pull_request_review", "pull_request_review_comment"];
/** What to do about an API key that is not there, by what started the job. */
function missingKey(runner) {
    return { input: "api-key", problem: `is missing: ${wayOut(runner)}`, missing: true };
}
function wayOut(runner) {
    if (runner.actor === "dependabot[bot]") {
        return "runs that Dependabot started get no secrets but Dependabot's own; set `EVIDENCE_API_KEY` among those";
    }
    if (isOfFork(runner)) {
        return "GitHub gives no secrets to pull requests from forks; leave this step out for them";
    }
    return "set the secret `EVIDENCE_API_KEY`, or pass `api-key`";
}
/** A fork that was deleted since has no name any more. */
function isOfFork({ eventName = "", event, repository = "" }) {
    const { pull_request: pullRequest } = zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .parse */ .qg(payload, event);
    const from = pullRequest?.head?.repo?.full_name ?? "";
    return WITHOUT_SECRETS.includes(eventName) && from.toLowerCase() !== repository.toLowerCase();
}


/***/ })

};
