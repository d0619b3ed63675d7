export const id = 199;
export const ids = [199];
export const modules = {

/***/ 8199:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   fetchCommit: () => (/* binding */ fetchCommit)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3619);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(3945);
/* harmony import */ var _commit_facts_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(6236);
/* harmony import */ var _commit_record_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7102);
/* harmony import */ var _github_api_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3029);
/* harmony import */ var _github_fault_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(365);





const answer = zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ["catch"] */ .MfU(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .optional */ .lqM(_commit_record_js__WEBPACK_IMPORTED_MODULE_0__/* .commitRecord */ .R), undefined);
/**
 * Asks GitHub for a commit, once.
 *
 * @throws the signal's reason when it aborts. Whatever GitHub does is told as a warning.
 */
async function fetchCommit(address) {
    const { apiUrl, sha } = address;
    const told = await (0,_github_api_js__WEBPACK_IMPORTED_MODULE_1__/* .askGitHub */ .X3)(address, async (github) => {
        const data = await github.get({
            path: "/commits/{ref}",
            // One file a page: the files of a commit can be many times everything else.
            parameters: { ref: sha, per_page: 1 },
            subject: "commit",
            permission: "contents: read",
        });
        const found = zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .parse */ .qg(answer, data);
        if (found?.commit === undefined || (0,_commit_facts_js__WEBPACK_IMPORTED_MODULE_5__/* .asCommitSha */ .MG)(found.sha) !== sha) {
            throw new _github_fault_js__WEBPACK_IMPORTED_MODULE_2__/* .GitHubError */ .y({ reason: "GitHub's answer does not describe that commit" });
        }
        return (0,_commit_record_js__WEBPACK_IMPORTED_MODULE_0__/* .factsOfRecord */ .a)(found);
    });
    if ("answer" in told)
        return { facts: told.answer };
    const so = "What only GitHub knows of it, such as whether its signature is verified, is left out.";
    return { facts: {}, warning: told.fault.explain(apiUrl, `no details of commit ${sha}`, so) };
}


/***/ })

};
