export const id = 614;
export const ids = [614];
export const modules = {

/***/ 614:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   adviceFor: () => (/* binding */ adviceFor),
/* harmony export */   warnOfUnmet: () => (/* binding */ warnOfUnmet)
/* harmony export */ });
/* harmony import */ var _api_attestation_type_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4627);
/* harmony import */ var _api_template_match_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6584);
/* harmony import */ var _attestation_request_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1319);



/** Warns once of all that is recorded beyond the templates. */
function warnOfUnmet(advice, { warn }) {
    const [only = ""] = advice;
    const what = advice.length === 1
        ? `Recorded, but ${only}.`
        : [`${advice.length} records fill no slot of the template:`, ...advice.map((line) => `- ${line}`)].join("\n");
    warn(`${what}\nIf that is meant, set check-template: false.`);
}
/** What to say of a record that fills no slot of its trail's template: the cause, and what would fill one. */
function adviceFor(made, nearest) {
    const { values, done } = made;
    const type = values.kind === "artifact" ? undefined : (0,_attestation_request_js__WEBPACK_IMPORTED_MODULE_0__/* .typeOf */ .Q)(values);
    const sort = values.kind === "artifact" ? "artifact" : "attestation";
    const cause = `the template of trail '${done.trail}' asks for no ${sort} '${done.name}'${ofType(type)}`;
    if (!nearest)
        return cause;
    if (isAtAnotherCommit(nearest, made))
        return `attestation '${done.name}' has no fingerprint, and trail '${done.trail}' has the artifact '${nearest.artifact}' only at other commits: give fingerprint`;
    const asked = `'${(0,_api_template_match_js__WEBPACK_IMPORTED_MODULE_1__/* .nameOfSlot */ .d9)(nearest)}'${"attestation" in nearest ? ofType(nearest.type) : ""}`;
    return `${cause}; the nearest that it asks for is ${asked}: ${changesTo(nearest, made)}`;
}
function ofType(type) {
    return type === undefined || type === "*" ? "" : ` of type ${type}`;
}
/** What is asked for, and yet not met: an attestation that names the artifact counts only at the artifact's own commit. */
function isAtAnotherCommit(slot, made) {
    if (!("attestation" in slot) || slot.artifact === undefined || made.done.fingerprint !== undefined)
        return false;
    const isTypeKnown = slot.type === "*" || (0,_attestation_request_js__WEBPACK_IMPORTED_MODULE_0__/* .typeOf */ .Q)(made.values) !== undefined;
    return (isTypeKnown && subjectChanges(slot, made).length === 0 && typeChanges(slot, made.values).length === 0);
}
/** What a service defines, and no kind of this action records. */
const DECISION = "decision";
function changesTo(slot, made) {
    if (!("attestation" in slot))
        return `give name: ${slot.artifact}`;
    if (slot.type === DECISION && (0,_attestation_request_js__WEBPACK_IMPORTED_MODULE_0__/* .typeOf */ .Q)(made.values) !== undefined)
        return "record it with the operation attestSystem";
    const changes = [...subjectChanges(slot, made), ...typeChanges(slot, made.values)];
    // By its fingerprint an attestation is about what the artifact was reported as, whatever its own name says.
    return changes.length > 0 ? `give ${changes.join(" and ")}` : `report the artifact as '${slot.artifact}'`;
}
function subjectChanges(slot, { values, done }) {
    const { attestationName, targets } = values;
    const isBound = done.fingerprint !== undefined;
    const isAboutThat = slot.artifact === undefined ? targets.length === 0 : targets.includes(slot.artifact);
    const isSubjectRight = isAboutThat || (isBound && slot.artifact !== undefined);
    const changes = [];
    if (values.targetArtifacts.length > 0) {
        if (attestationName !== slot.attestation)
            changes.push(`name: ${slot.attestation}`);
        if (!isSubjectRight)
            changes.push(slot.artifact ? `target-artifacts: ${slot.artifact}` : "no target-artifacts");
    }
    else if (attestationName !== slot.attestation || !isSubjectRight) {
        changes.push(`name: ${(0,_api_template_match_js__WEBPACK_IMPORTED_MODULE_1__/* .nameOfSlot */ .d9)(slot)}`);
    }
    if (isBound && slot.artifact === undefined)
        changes.push(`no ${values.artifact === undefined ? "fingerprint" : "artifact"}`);
    return changes;
}
function typeChanges({ type }, values) {
    const own = (0,_attestation_request_js__WEBPACK_IMPORTED_MODULE_0__/* .typeOf */ .Q)(values);
    if (own === undefined || (0,_api_attestation_type_js__WEBPACK_IMPORTED_MODULE_2__/* .isOfType */ .g)(own, type))
        return [];
    if (!type.startsWith("custom:"))
        return [`kind: ${type}`];
    const typeName = `type-name: ${type.slice("custom:".length)}`;
    return values.kind === "custom" ? [typeName] : ["kind: custom", typeName];
}


/***/ }),

/***/ 4627:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   g: () => (/* binding */ isOfType)
/* harmony export */ });
/**
 * Whether a type of attestation is the one that is asked for: `*` asks for any, and types that the service defines
 * are asked for by their short name, so that `system:decision` is a `decision`.
 */
function isOfType(type, asked) {
    return asked === "*" || type === asked || type === `system:${asked}`;
}


/***/ })

};
