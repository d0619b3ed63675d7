import type { Outcome } from "../../github/step/action.ts";
import { SPOOL_OUTPUTS } from "../spool-folder.ts";

export const outputs = {
  status:
    "`recorded`, `spooled` or `skipped` (the service was unavailable and `on-unavailable` accepts that), or `dry-run`. Of a manifest: what holds for all, else the least of them.",
  compliant:
    "`true` or `false`; empty for the kind `artifact`, and for `custom` where the service does not say how it judges. Of a manifest: `false` if anything is not or has failed, empty if any is not known.",
  expected:
    "Whether the trail's template asks for it: `true` or `false`; empty when it asks for nothing of the sort, or nobody knows. Of a manifest: `false` if it does not ask for one of them, else empty if any is not known.",
  fingerprint: "The artifact's fingerprint, if the attestation is about one.",
  trail: "The trail it is on.",
  "trail-url": "The trail's page.",
  "request-id": "Names the request in the service's log.",
  results:
    "Of a manifest: a JSON array with the outcome of each entry: `name`, `kind`, `status` (also `failed`), `compliant`, `expected`, `fingerprint`, `trail`, `request-id`, `error`. Else empty.",
  ...SPOOL_OUTPUTS,
};

export type AttestResult = Outcome<keyof typeof outputs>;
