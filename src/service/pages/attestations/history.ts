import { html } from "hono/html";
import type { AttestationRecord } from "../../../api/resources/attestation-record.ts";
import type { Html } from "../html.ts";
import type { PageRequest } from "../page.ts";
import { recordOriginColumn } from "../parts/origin.ts";
import { type Table, table } from "../parts/table.ts";
import { text } from "../parts/text.ts";
import { time, utc } from "../parts/time.ts";
import { complianceVerdict, overriddenText, overriddenVerdict } from "../parts/verdict.ts";
import { isOverride } from "./kinds/kinds.ts";

/** So many of a name are shown. */
const SHOWN = 20;

/** The attestations of a name about what one of them is about, the latest first: that one counts. */
export async function seriesOf(
  { attestationName, artifactFingerprint: fingerprint, targetArtifacts }: AttestationRecord,
  { flow, trail }: { readonly flow: string; readonly trail: string },
  { ask }: Pick<PageRequest, "ask">,
): Promise<readonly AttestationRecord[]> {
  // Which of those counts that name their artifact is known once the artifact is.
  if (!fingerprint && targetArtifacts?.length) return [];
  const named = { flowName: flow, attestationName };
  const all = fingerprint
    ? await ask("getArtifactAttestation", { ...named, fingerprint })
    : await ask("listTrailAttestations", { ...named, trailName: trail });
  return all.filter(({ trailName }) => trailName === trail);
}

/** How an attestation of a name came to be what it is: what was recorded, and what was overridden by whom and why. */
export function historyTable(
  record: AttestationRecord,
  series: readonly AttestationRecord[],
  { here, to, params }: PageRequest<{ readonly flow: string; readonly trail: string }>,
): Table {
  const path = (id: string) => to.page("flows", params.flow, "trails", params.trail, "attestations", id);
  return table<AttestationRecord>({
    id: "history",
    caption: "All of this name, the latest first",
    columns: [
      {
        head: "Recorded",
        cell: ({ attestationId: id, createdAt }) =>
          id === record.attestationId
            ? html`${time(createdAt)} (this one)`
            : html`<a href="${path(id)}">${time(createdAt)}</a>`,
        csv: ({ createdAt }) => utc(createdAt),
      },
      {
        head: "Verdict",
        cell: verdictOf,
        csv: (each) => {
          if (isOverride(each)) return overriddenText(each.isCompliant);
          return each.isCompliant ? "COMPLIANT" : "NON-COMPLIANT";
        },
      },
      { head: "What", cell: whatOf, csv: whatOf },
      { head: "By", cell: ({ reportedBy }) => text(reportedBy), csv: ({ reportedBy }) => reportedBy },
      recordOriginColumn,
      { head: "Reason", cell: ({ reason }) => text(reason), csv: ({ reason }) => reason },
    ],
    rows: series.slice(0, SHOWN),
    empty: html``,
    here,
  });
}

/** The verdict of a record, as every page shows it. */
export function verdictOf(record: AttestationRecord): Html {
  return isOverride(record) ? overriddenVerdict(record.isCompliant) : complianceVerdict(record.isCompliant);
}

function whatOf(record: AttestationRecord): string {
  return isOverride(record) ? "override" : "attested";
}
