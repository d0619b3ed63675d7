import type { AttestationRecord } from "../../../api/resources/attestation-record.ts";
import { type Cell, facts, printedPage, result, table, time } from "../../evidence/packages/printed-page.ts";
import type { TrailContent } from "../../evidence/packages/trail-files.ts";
import { html } from "../../kernel/html.ts";
import { fieldsIn } from "../../kernel/json-column.ts";
import { type approvalsOf, approversOf, reviewersIn } from "../running/reviews.ts";
import { type FoundMember, type Population, SAMPLE_METHOD, type Sample } from "./members.ts";

/* A population and the records of its sample as one page for printing. It needs no network. */

export interface Deployed {
  readonly environment: string;
  readonly snapshot: number;
  readonly at: number;
}

export interface SampledTrail {
  readonly content: TrailContent;
  readonly attestations: readonly AttestationRecord[];
  readonly deployments: ReadonlyMap<string, readonly Deployed[]>;
  /** By the fingerprint of the artifact. */
  readonly approvals: Awaited<ReturnType<typeof approvalsOf>>;
}

interface PrintedPopulation {
  readonly org: string;
  readonly population: Population & {
    readonly count: number;
    readonly made_at: number;
    readonly made_by: string;
  };
  readonly members: readonly FoundMember[];
  readonly sample: Sample | undefined;
  readonly trails: ReadonlyMap<string, SampledTrail>;
  readonly trailsOf: ReadonlyMap<string, readonly string[]>;
  /** The signed note. */
  readonly checkpoint: string;
  readonly listSha256: string;
}

const SUBJECTS = {
  flow: "Trails that began in flow",
  environment: "Artifacts that started in environment",
  control: "Decisions about control",
};

export function populationPage(printed: PrintedPopulation): string {
  const { org, population, members, sample, checkpoint, listSha256 } = printed;
  const { kind, id, name, from, to, count, made_at, made_by } = population;
  const title = `${SUBJECTS[kind]} ${name}`;
  return printedPage(
    title,
    html`${facts([
      ["Organization", org],
      ["Query", `${kind} ${name} (${id})`],
      ["From", `${time(from)}, inclusive`],
      ["To", `${time(to)}, exclusive`],
      ["Count", String(count)],
      ["Created", `${time(made_at)} by ${made_by}`],
      ["List", `list.csv, sha256 ${listSha256}`],
      ["Checkpoint of the evidence log", checkpoint],
    ])}
<p>This page is for reading. To check the list, the sample and each record, run
<code>delivery-evidence verify FILE --policy POLICY</code> on the package.</p>
<h2>Sample</h2>
${
  sample
    ? html`${facts([
        ["Size", String(sample.n)],
        ["Seed", sample.seed],
        ["Method", SAMPLE_METHOD],
      ])}${sample.members.map((member, place) => memberOf(printed, member, place + 1))}`
    : html`<p>None.</p>`
}
<h2>All members</h2>
${table("In the order of the evidence log", MEMBER_COLUMNS, members.map(memberRow))}`,
  );
}

const MEMBER_COLUMNS = ["Number", "Name and id", "Fingerprint (sha256)", "Time", "By", "Log index"];

function memberRow({ id, name, fingerprint, at, by, index }: FoundMember, place: number): Cell[] {
  return [String(place + 1), `${name}\n${id}`, fingerprint, time(at), by, String(index)];
}

const COLUMNS = ["", "Answer", "Time", "By", "Source"];

function memberOf({ trails, trailsOf }: PrintedPopulation, member: FoundMember, place: number) {
  const found = (trailsOf.get(member.id) ?? []).flatMap((id) => trails.get(id) ?? []);
  const caption = `Recorded ${time(member.at)} by ${member.by}, log index ${member.index}, id ${member.id}`;
  return html`<section><h2>${place}. <bdi>${member.name}</bdi></h2>${table(
    caption,
    COLUMNS,
    found.length > 0
      ? found.flatMap(rowsOf)
      : [["What", `Artifact ${member.fingerprint}, which no flow reported`, time(member.at), member.by, ""]],
  )}</section>`;
}

function rowsOf({ content, attestations, approvals, deployments }: SampledTrail): Cell[][] {
  const { view, row, artifacts } = content;
  const source = (name: string) => `sample/${row.id}/${name}`;
  const commit = view.gitCommitInfo;
  const change = [
    `Trail ${view.flow.name}/${view.name}: ${view.complianceState}`,
    commit && `Commit ${commit.sha1} by ${commit.author}\n${commit.message ?? ""}`,
  ];
  const rows: Cell[][] = [
    [
      ...["What", change.filter(Boolean).join("\n"), time(view.createdAt), view.createdBy],
      source("trail.json"),
    ],
    ...artifacts.map(({ filename, fingerprint, createdAt, id }) => [
      ...["What", `Artifact ${filename}\n${fingerprint}`, time(Number(createdAt)), ""],
      source(`artifacts/${fingerprint}-${id}.json`),
    ]),
    ...attestations.map((record) => [
      ...[questionOf(record), answerOf(record), time(record.createdAt), record.reportedBy],
      source(`attestations/${record.attestationName}-${record.attestationId}.json`),
    ]),
    ...[...approvals].flatMap(([fingerprint, all]) =>
      all.map(({ state, environment, reviews, last_modified_at }) => [
        state === "APPROVED" ? "Approved" : "Evidence",
        `Approval${environment === null ? "" : ` for ${environment}`}: ${state}\n${fingerprint}`,
        ...[time(last_modified_at), reviewersIn(reviews).join(", "), "approval.recorded in log/events"],
      ]),
    ),
    ...[...deployments].flatMap(([fingerprint, runs]) =>
      runs.map(({ environment, snapshot, at }) => [
        ...["Deployed", `${environment}\n${fingerprint}`, time(at), "", `snapshot ${snapshot}`],
      ]),
    ),
  ];
  const missing = Object.entries(MISSING).filter(([question]) => !rows.some(([asked]) => asked === question));
  const all = [...rows, ...missing.map(([question, answer]) => [question, answer, "", "", ""])];
  return all.sort(([a = ""], [b = ""]) => ORDER.indexOf(String(a)) - ORDER.indexOf(String(b)));
}

const ORDER = ["What", "Approved", "Decided", "Tested", "Evidence", "Overridden", "Deployed"];

const MISSING = {
  Approved: "No approval, and no pull request that another person approved",
  Tested: "No test results",
  Deployed: "No deployment",
};

const QUESTIONS: Readonly<Record<string, string>> = {
  override: "Overridden",
  decision: "Decided",
  junit: "Tested",
};

/** A pull request that only its author approved has no review by another person. */
function questionOf(record: AttestationRecord): string {
  const isApproved = pullRequestsOf(record).some((each) => approversOf(each).length > 0);
  if (isApproved) return "Approved";
  return QUESTIONS[record.attestationType.replace(/^system:/, "")] ?? "Evidence";
}

function answerOf(record: AttestationRecord): string {
  const lines = [
    `${record.attestationName} (${record.attestationType}): ${result(record.isCompliant)}`,
    record.control && `Control ${record.control}`,
    ...pullRequestsOf(record).map(reviewOf),
    record.reason && `Reason: ${record.reason}`,
    record.description,
  ];
  return lines.filter(Boolean).join("\n");
}

function pullRequestsOf(record: AttestationRecord) {
  const found = record["pull_requests"];
  return (Array.isArray(found) ? found : []).map(fieldsIn);
}

function reviewOf(request: Readonly<Record<string, unknown>>): string {
  const names = approversOf(request).join(", ") || "no other person";
  return `${request["url"] ?? ""}\nAuthor: ${request["author"] ?? "unknown"}. Approved by: ${names}`;
}
