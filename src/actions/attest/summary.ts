import type { Summary } from "../../github/step/summary.ts";
import { receiptRow } from "../receipt-input.ts";
import type { Attested } from "./attest-one.ts";
import type { Expectation } from "./template-check.ts";

/** More names would fill the page. */
const MAX_NAMES = 5;

export function summaryOf(done: Attested, expectation: Expectation | undefined, receipt?: string): Summary {
  const { name, kind, status, compliant, flow, trail, fingerprint = "", commit = "", commitUrl } = done;
  const verdict = compliant === false ? ", not compliant" : "";
  return {
    heading: `Attestation ${name}: ${status}${verdict}`,
    mark: status !== "recorded" ? "neutral" : compliant === false ? "failed" : "passed",
    rows: [
      ["Kind", kind],
      ["Facts", factsText(done)],
      ["Compliant", verdictText(done)],
      ["Expected", expectation?.expected === false ? `no: ${expectation.advice}` : ""],
      ["Flow", flow],
      ["Trail", trail],
      ["Fingerprint", fingerprint],
      ["Commit", commit === "" ? "" : { text: commit, url: commitUrl }],
      ["Attachments", namesText(done.attachments)],
      receiptRow(receipt),
    ],
    tables: done.tables,
    link: { text: "Open the trail", url: done.trailUrl },
  };
}

/** Facts of a kind other than `generic` do not contain a result. */
function factsText({ facts, kind }: Attested): string {
  if (facts === undefined) return "";
  return kind === "generic" ? `system:${facts}` : `system:${facts}, compliant whatever they say`;
}

/** `no: 1 of 13 tests failed`; empty when unknown. */
export function verdictText({ compliant, reason }: Pick<Attested, "compliant" | "reason">): string {
  if (compliant === undefined) return "";
  return [compliant ? "yes" : "no", reason].filter(Boolean).join(": ");
}

export function namesText(names: readonly string[]): string {
  const further = names.length - MAX_NAMES;
  return names.slice(0, MAX_NAMES).join(", ") + (further > 0 ? ` and ${further} more` : "");
}
