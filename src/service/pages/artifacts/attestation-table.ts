import { html } from "hono/html";
import type { AnsweredBy } from "../ask.ts";
import type { Html } from "../html.ts";
import type { PageRequest } from "../page.ts";
import { empty } from "../parts/empty.ts";
import { leads } from "../parts/leads.ts";
import { originColumn } from "../parts/origin.ts";
import { type Table, table } from "../parts/table.ts";
import { text } from "../parts/text.ts";
import { time, utc } from "../parts/time.ts";
import { overriddenText, overriddenVerdict, type Verdict, verdict } from "../parts/verdict.ts";

type Trail = Extract<AnsweredBy<"listTrails">, { data: unknown }>["data"][number];
type SlotOfTrail = NonNullable<
  NonNullable<Trail["complianceStatus"]["artifactsStatuses"]>[string]["attestationsStatuses"]
>[number];
/** As a trail has it, or an assertion, which does not say which attestation it is. */
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
  /** The latest attestation of each name. */
  readonly evidence: Evidence;
  readonly flow: string;
  readonly trail: string | undefined;
}

/** What a trail asks for of an artifact and what was attested about it: what fails first. */
export function attestationTable(
  { statuses, evidence, flow, trail }: Shape,
  { to, here, viewer }: Pick<PageRequest, "to" | "here" | "viewer">,
): Table {
  const lead = leads(viewer);
  const href = (id: string) =>
    `${to.page("flows", flow, "trails", trail ?? "")}?attestation_id=${encodeURIComponent(id)}`;
  const named = (status: Status, name: string): Html =>
    status.attestationId && trail !== undefined ? lead(href(status.attestationId), name) : text(name);
  return table<Status>({
    id: "attestations",
    caption: "Attestations",
    columns: [
      {
        head: "Attestation",
        cell: (status) => named(status, status.attestationName),
        csv: ({ attestationName }) => attestationName,
      },
      {
        head: "State",
        cell: (status) => {
          if (!isOverride(status, evidence)) return verdict(wordFor(status));
          const { overriddenAttestationId: id, isCompliant } = status;
          // An override of a slot without an attestation overrides none.
          return html`${overriddenVerdict(isCompliant)}${id ? html` (${lead(href(id), "before")})` : ""}`;
        },
        csv: (status) =>
          isOverride(status, evidence) ? overriddenText(status.isCompliant) : wordFor(status),
      },
      {
        head: "Type",
        cell: ({ attestationType: type }) => (type === "*" ? "any" : text(type)),
        csv: ({ attestationType }) => attestationType,
      },
      {
        head: "Asked for",
        cell: ({ unexpected }) => (unexpected ? "no" : "yes"),
        csv: ({ unexpected }) => (unexpected ? "no" : "yes"),
      },
      {
        head: "Recorded",
        cell: ({ attestationName: name }) => (evidence[name] ? time(Number(evidence[name].createdAt)) : ""),
        csv: ({ attestationName: name }) => (evidence[name] ? utc(Number(evidence[name].createdAt)) : null),
      },
      {
        head: "Description",
        cell: ({ attestationName: name }) => text(evidence[name]?.description),
        csv: ({ attestationName: name }) => evidence[name]?.description,
      },
      originColumn,
    ],
    rows: statuses.toSorted((one, other) => weightOf(one) - weightOf(other)),
    empty: empty("No attestation is asked for, and none was made."),
    here,
  });
}

function isOverride(
  { attestationName: name, overriddenAttestationId: id }: Status,
  evidence: Evidence,
): boolean {
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
