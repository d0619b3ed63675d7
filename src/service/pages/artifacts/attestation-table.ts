import type { AnsweredBy } from "../operation-calls.ts";
import type { PageRequest } from "../page.ts";
import { html } from "../parts/html.ts";
import { linkFor } from "../parts/links.ts";
import { originColumn } from "../parts/records.ts";
import { type Table, table, timeCell, typeCell, verdictCell, wordCell } from "../parts/table.ts";
import { overriddenText, overriddenVerdict, type Verdict } from "../parts/verdict.ts";

type Trail = Extract<AnsweredBy<"listTrails">, { data: unknown }>["data"][number];
type SlotOfTrail = NonNullable<
  NonNullable<Trail["complianceStatus"]["artifactsStatuses"]>[string]["attestationsStatuses"]
>[number];
type Status = Pick<
  SlotOfTrail,
  "attestationName" | "attestationType" | "isCompliant" | "unexpected" | "originState"
> & {
  readonly status?: string | null | undefined;
  readonly attestationId?: string | null | undefined;
  readonly overriddenAttestationId?: string | null | undefined;
};
type Evidence = NonNullable<AnsweredBy<"getArtifact">["evidence"]>;

interface Shape {
  readonly statuses: readonly Status[];
  readonly evidence: Evidence;
  readonly flow: string;
  readonly trail: string | undefined;
}

export function attestationTable(request: PageRequest, { statuses, evidence, flow, trail }: Shape): Table {
  const { to, viewer } = request;
  const linkTo = linkFor(viewer);
  const href = (id: string) =>
    `${to.page("flows", flow, "trails", trail ?? "")}?attestation_id=${encodeURIComponent(id)}`;
  return table<Status>(request, {
    id: "attestations",
    caption: "Attestations",
    columns: {
      Attestation: ({ attestationId: id, attestationName: name }) =>
        id && trail !== undefined ? { html: linkTo(href(id), name), csv: name } : name,
      State: (status) => {
        const { overriddenAttestationId: id, isCompliant } = status;
        if (!isOverride(status, evidence)) return verdictCell(wordFor(status));
        // An override of a slot without an attestation has no link to one.
        const before = id ? html` (${linkTo(href(id), "before")})` : "";
        return {
          html: html`${overriddenVerdict(isCompliant)}${before}`,
          csv: overriddenText(isCompliant),
        };
      },
      Type: ({ attestationType: type }) => typeCell(type),
      Required: ({ unexpected }) => wordCell(unexpected ? "no" : "yes"),
      Recorded: ({ attestationName: name }) => evidence[name] && timeCell(Number(evidence[name].createdAt)),
      Description: ({ attestationName: name }) => evidence[name]?.description,
      ...originColumn,
    },
    rows: statuses.toSorted((one, other) => weightOf(one) - weightOf(other)),
    empty: "No attestations required or recorded.",
  });
}

function isOverride({ attestationName: name, overriddenAttestationId: id }: Status, evidence: Evidence) {
  return Boolean(id) || evidence[name]?.evidenceType === "override";
}

function wordFor({ status, isCompliant, overriddenAttestationId }: Status): Verdict {
  if (status === "MISSING") return "MISSING";
  if (isCompliant === false) return "NON-COMPLIANT";
  return overriddenAttestationId ? "OVERRIDDEN" : "COMPLIANT";
}

const WEIGHTS: readonly Verdict[] = ["NON-COMPLIANT", "MISSING", "OVERRIDDEN", "COMPLIANT"];

function weightOf(status: Status): number {
  return 2 * WEIGHTS.indexOf(wordFor(status)) + Number(status.unexpected ?? false);
}
