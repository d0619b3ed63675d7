import type { Summary } from "../../github/summary.ts";
import type { Attested } from "./attest-one.ts";

/** What a step shows of one attestation. */
export function summaryOf(done: Attested): Summary {
  const compliant = done.compliant === undefined ? "" : String(done.compliant);
  return {
    heading: `Attestation ${done.name}: ${done.status}`,
    mark: done.status !== "recorded" ? "neutral" : done.compliant === false ? "failed" : "passed",
    columns: ["", ""],
    rows: [
      ["Kind", done.kind],
      ["Flow", done.flow],
      ["Trail", done.trail],
      ["Compliant", done.reason === "" ? compliant : `${compliant}: ${done.reason}`],
      ["Fingerprint", done.fingerprint ?? ""],
      ["Commit", done.commit ?? ""],
      ["Attachments", done.attachments.join(", ")],
    ].filter(([, value]) => value !== ""),
    tables: done.tables,
    link: { text: "Open the trail", url: done.trailUrl },
  };
}
