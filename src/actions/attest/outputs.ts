import type { Outcome } from "../../github/step/action.ts";
import { RECEIPT_OUTPUT } from "../receipt-input.ts";
import { SPOOL_OUTPUTS } from "../spool-folder.ts";

export const outputs = {
  status:
    "`recorded`, `spooled`, `skipped` (the service was unavailable and `on-unavailable` is `warn`) or `dry-run`. For a manifest: the common status, or the worst one.",
  compliant:
    "`true` or `false`. Empty for `artifact`, and for `custom` if the service does not report its result. For a manifest: `false` if an entry is non-compliant or failed, empty if one is unknown.",
  expected:
    "Whether the trail's template lists the record: `true` or `false`. Empty if the template requires nothing of this kind, or if the answer is unknown. For a manifest: `false` if an entry is not listed, else empty if one is unknown.",
  fingerprint: "Fingerprint of the artifact, if the attestation is about one.",
  trail: "Name of the trail.",
  "trail-url": "Address of the trail's page.",
  "request-id": "Id of the request in the service's log.",
  results:
    "Outcomes of a manifest's entries: a JSON array with `name`, `kind`, `status` (also `failed`), `compliant`, `expected`, `fingerprint`, `trail`, `request-id` and `error`. Otherwise empty.",
  receipt: RECEIPT_OUTPUT,
  ...SPOOL_OUTPUTS,
};

export type AttestResult = Outcome<keyof typeof outputs>;
