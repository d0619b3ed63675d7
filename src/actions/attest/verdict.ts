import { type Input, Unreadable } from "../../github/step/input.ts";

/** Accepts booleans and results of jobs. Only success is compliant: a skipped job proves nothing. */
export const verdict: Input<boolean | undefined> = {
  description:
    "Result for `generic`, `decision` and `override`: `true`, `false`, or the result of a job or step: `success`, `failure`, `cancelled` or `skipped`. Only `success` is compliant. Required for `decision`, and for `generic` without result files. If there are result files too, the attestation is compliant only if both this result and the files are.",
  type: "`true`, `false` or a result",
  required: false,
  absent: undefined,
  parse(value) {
    if (/^(true|True|TRUE|success)$/.test(value)) return true;
    if (/^(false|False|FALSE|failure|cancelled|skipped)$/.test(value)) return false;
    throw new Unreadable(`must be true, false, success, failure, cancelled or skipped, not '${value}'`);
  },
};
