import { type Input, Unreadable } from "../../github/step/input.ts";

/** Accepts words of people and workflows. Only success is compliant: a skipped job proves nothing. */
export const verdict: Input<boolean | undefined> = {
  description:
    "The verdict of `generic`, required there without results, and of `override`: `true` or `false`, or the result of a job or step (`success`, `failure`, `cancelled`, `skipped`); only `success` is compliant. With results too, all of them must be.",
  type: "`true`, `false` or a result",
  required: false,
  absent: undefined,
  parse(value) {
    if (/^(true|True|TRUE|success)$/.test(value)) return true;
    if (/^(false|False|FALSE|failure|cancelled|skipped)$/.test(value)) return false;
    throw new Unreadable(`must be true, false, success, failure, cancelled or skipped, not '${value}'`);
  },
};
