import { html } from "hono/html";
import type { AttestationRecord } from "../../../api/resources/attestation-record.ts";
import { visible } from "../../kernel/visible-text.ts";
import type { artifactViews } from "../artifacts/view.ts";
import type { TrailView } from "../trails/view.ts";

/* The records of a trail as one page for printing. It needs no network, and equal records give equal bytes. */

type Html = ReturnType<typeof html>;
type ArtifactRecord = Awaited<ReturnType<typeof artifactViews>>[number];

interface PrintedFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

export interface PrintedTrail {
  readonly org: string;
  readonly trail: TrailView;
  /** Null for a compliant trail. */
  readonly reason: string | null;
  readonly artifacts: readonly ArtifactRecord[];
  /** Oldest first. */
  readonly attestations: readonly {
    readonly record: AttestationRecord;
    readonly files: readonly PrintedFile[];
  }[];
}

const STYLE = `body{font:10pt/1.4 system-ui,sans-serif;margin:1.5cm;color:#111;background:#fff}
h1{font-size:16pt}h2{font-size:12pt;margin:1.5em 0 .5em}
table{border-collapse:collapse;width:100%}caption{text-align:left;color:#555}
th,td{border:1px solid #999;padding:.2em .4em;text-align:left;vertical-align:top;overflow-wrap:anywhere}
thead{display:table-header-group}tr{break-inside:avoid}.text{white-space:pre-wrap}
@page{margin:1.5cm}@media print{body{margin:0}}`;

export function trailPage({ org, trail, reason, artifacts, attestations }: PrintedTrail): string {
  const commit = trail.gitCommitInfo;
  const title = `Audit of trail ${trail.name}`;
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${visible(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${text(title)}</h1>
${facts([
  ["Organization", org],
  ["Flow", trail.flow.name],
  ["Result", trail.complianceState],
  ["Reason", reason],
  ["Description", trail.description],
  ["Created", `${time(trail.createdAt)} by ${trail.createdBy}`],
  ["Last change", time(trail.lastModifiedAt)],
  ["Commit", commit?.sha1],
  ["Branch", commit?.branch],
  ["Author", commit?.author],
  ["Message", commit?.message],
  ["Origin", originText(trail.origin)],
  ["Address", trail.htmlUrl],
])}
<h2>Requirements</h2>
${table("Attestations and artifacts that the template lists, and others", SLOT_COLUMNS, slotsOf(trail))}
<h2>Artifacts</h2>
${table("Reports of artifacts, oldest first", ARTIFACT_COLUMNS, artifacts.map(artifactRow))}
<h2>Attestations</h2>
${table("All attestations, oldest first", ATTESTATION_COLUMNS, attestations.map(attestationRow))}
<h2>Evidence files</h2>
${table("Attached files, whose sha256 proves their content", FILE_COLUMNS, attestations.flatMap(fileRows))}
<h2>Environments</h2>
${table("Latest snapshots in which the artifacts run or ran", RUN_COLUMNS, artifacts.flatMap(runRows))}
</body>
</html>
`);
}

type Cell = string | null | undefined;

function text(value: Cell): Html {
  return html`<bdi>${visible(value ?? "")}</bdi>`;
}

function facts(rows: readonly (readonly [name: string, value: Cell])[]): Html {
  const known = rows.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return html`<table><tbody>${known.map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td class="text">${text(value)}</td></tr>\n`,
  )}</tbody></table>`;
}

function table(caption: string, columns: readonly string[], rows: readonly (readonly Cell[])[]): Html {
  if (rows.length === 0) return html`<p>None.</p>`;
  return html`<table><caption>${caption}</caption>
<thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) => html`<tr>${row.map((cell) => html`<td class="text">${text(cell)}</td>`)}</tr>\n`,
  )}</tbody></table>`;
}

function time(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

function result(isCompliant: boolean | null | undefined): string {
  if (isCompliant === null || isCompliant === undefined) return "";
  return isCompliant ? "Compliant" : "Non-compliant";
}

type Status = NonNullable<TrailView["complianceStatus"]["attestationsStatuses"]>[number];

const SLOT_COLUMNS = ["Artifact", "Attestation", "Type", "Status", "Result", "In the template"];

function slotsOf({ complianceStatus }: TrailView): Cell[][] {
  const inTemplate = (unexpected: boolean | undefined) => (unexpected ? "no" : "yes");
  const row = (artifact: string, status: Status) => [
    ...[artifact, status.attestationName, status.attestationType, status.status],
    ...[result(status.isCompliant), inTemplate(status.unexpected)],
  ];
  const ofArtifacts = Object.entries(complianceStatus.artifactsStatuses ?? {}).flatMap(([name, artifact]) => [
    [name, "", "artifact", artifact.status, result(artifact.isCompliant), inTemplate(artifact.unexpected)],
    ...(artifact.attestationsStatuses ?? []).map((status) => row(name, status)),
  ]);
  return [...(complianceStatus.attestationsStatuses ?? []).map((status) => row("", status)), ...ofArtifacts];
}

const ARTIFACT_COLUMNS = ["Reported", "Name", "Fingerprint (sha256)", "Commit", "Result", "Origin"];

function artifactRow(artifact: ArtifactRecord): Cell[] {
  const { createdAt, templateReferenceName, filename, stateInfo, state } = artifact;
  return [
    time(Number(createdAt)),
    templateReferenceName ? `${templateReferenceName}\n${filename}` : filename,
    artifact.fingerprint,
    artifact.gitCommit,
    stateInfo ? `${state}: ${stateInfo}` : state,
    originText(artifact.origin),
  ];
}

const ATTESTATION_COLUMNS = ["Recorded", "Name", "Type", "About", "Result", "By", "Description", "Origin"];

function attestationRow({ record }: PrintedTrail["attestations"][number]): Cell[] {
  const about = record.artifactFingerprint ?? record.targetArtifacts?.join(", ");
  const overridden = record.overriddenAttestationId;
  const details = [
    overridden && `Overrides ${record.originalAttestationType} attestation ${overridden}`,
    record.reason && `Reason: ${record.reason}`,
    record.control && `Control: ${record.control}`,
    record.evaluationError,
    record.description,
  ];
  return [
    time(record.createdAt),
    `${record.attestationName}\n${record.attestationId}`,
    record.attestationType,
    about || "trail",
    result(record.isCompliant),
    record.reportedBy,
    details.filter(Boolean).join("\n"),
    originText(record.origin),
  ];
}

const FILE_COLUMNS = ["Attestation", "File", "Bytes", "Sha256"];

function fileRows({ record, files }: PrintedTrail["attestations"][number]): Cell[][] {
  return files.map(({ name, size, sha256 }) => [record.attestationName, name, String(size), sha256]);
}

const RUN_COLUMNS = ["Artifact", "Environment", "Snapshot", "State"];

function runRows({ filename, running, exited }: ArtifactRecord): Cell[][] {
  const rows = (runs: typeof running, state: string) =>
    (runs ?? []).map((run) => [filename, run.environmentName, String(run.snapshotIndex), state]);
  return [...rows(running, "Running"), ...rows(exited, "Stopped")];
}

/** The run that recorded it, and whether its token proves what the record names. */
function originText(origin: TrailView["origin"]): string {
  return origin ? `${origin.name} (${origin.state})` : "";
}
