import type { AttestationRecord } from "../../../api/resources/attestation-record.ts";
import { html } from "../../kernel/html.ts";
import type { artifactViews } from "../artifacts/view.ts";
import type { TrailView } from "../trails/view.ts";
import { type Cell, facts, originText, printedPage, result, table, time } from "./printed-page.ts";

/* The records of a trail as one page for printing. It needs no network, and equal records give equal bytes. */

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

export function trailPage({ org, trail, reason, artifacts, attestations }: PrintedTrail): string {
  const commit = trail.gitCommitInfo;
  const title = `Audit of trail ${trail.name}`;
  return printedPage(
    title,
    html`${facts([
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
${table("Latest snapshots in which the artifacts run or ran", RUN_COLUMNS, artifacts.flatMap(runRows))}`,
  );
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
