import { artifactRecord } from "../../../api/resources/artifacts.ts";
import { attestationRecord } from "../../../api/resources/attestation-record.ts";
import { trailRecord } from "../../../api/resources/trail-record.ts";
import { toWire } from "../../../api/wire-names.ts";
import type { Organization } from "../../kernel/caller.ts";
import { portableName } from "../../kernel/distinct-names.ts";
import type { Links } from "../../kernel/links.ts";
import type { Scope } from "../../kernel/scope.ts";
import type { Database } from "../../store/tables.ts";
import { evidenceOfTrail } from "../artifacts/evidence.ts";
import { reportsOfTrail } from "../artifacts/list.ts";
import { artifactViews } from "../artifacts/view.ts";
import { recordView, type StoredAttestation } from "../attestations/stored.ts";
import { trailEventsOf } from "../trails/events.ts";
import type { TrailRow } from "../trails/list.ts";
import { trailViews } from "../trails/view.ts";
import { type AttachedFile, jsonFile, type TextFile } from "./package.ts";

interface Place {
  readonly org: Organization;
  readonly scope: Scope;
  readonly links: Links;
}

export type TrailContent = Awaited<ReturnType<typeof recordsOfTrail>>;

export async function recordsOfTrail(db: Database, row: TrailRow, { org, scope, links }: Place) {
  const [view] = await trailViews(db, [row], { org: org.name, links });
  if (!view) throw new Error(`Trail '${row.id}' disappeared while it was being read`);
  const reports = await reportsOfTrail(db, org.id, row.id);
  const artifacts = await artifactViews(db, reports, { org, links, scope });
  const attestations = await evidenceOfTrail(db, row.id);
  const details = [...reports, ...attestations.map((each) => each.row)].map((each) => each.details);
  return { row, view, artifacts, attestations, details };
}

/** The files of a trail in a package, and the texts of which its events have a digest. */
export async function filesOfTrail(db: Database, row: TrailRow, place: Place) {
  const { org, scope, links } = place;
  const content = await recordsOfTrail(db, row, place);
  const { view, artifacts, attestations } = content;
  const events = (await trailEventsOf(db, [row.id], scope)).get(row.id) ?? [];
  const records: TextFile[] = [
    { name: "trail-page.html", text: await pageOfTrail(content, org, links) },
    jsonFile("trail.json", toWire(trailRecord, { ...view, events })),
    ...artifacts.map((each) =>
      jsonFile(`artifacts/${each.fingerprint}-${each.id}.json`, toWire(artifactRecord, each)),
    ),
    ...recordFiles(attestations, { org, links }),
  ];
  return { content, records, attachments: attachedFiles(attestations), details: content.details };
}

export async function pageOfTrail(
  { row, view, artifacts, attestations }: TrailContent,
  org: Organization,
  links: Links,
): Promise<string> {
  // Only these two operations need it.
  const { trailPage } = await import("./trail-page.ts");
  return trailPage({
    org: org.name,
    trail: view,
    reason: row.compliance_reason,
    artifacts,
    attestations: attestations.map((stored) => ({
      record: recordView(stored, { org: org.name, links }),
      files: stored.attachments,
    })),
  });
}

export function recordFiles(
  attestations: readonly StoredAttestation[],
  { org, links }: { org: Organization; links: Links },
): TextFile[] {
  return attestations.map((stored) => {
    const view = recordView(stored, { org: org.name, links });
    return jsonFile(`attestations/${stored.row.name}-${stored.row.id}.json`, toWire(attestationRecord, view));
  });
}

export function attachedFiles(attestations: readonly StoredAttestation[]): AttachedFile[] {
  return attestations.flatMap(({ row, attachments }) =>
    attachments.map(({ name, size, sha256 }, position) => ({
      // The position separates equal names and makes a name such as `..` harmless.
      name: `attachments/${row.id}/${position}-${portableName(name.replace(/[/\\\p{Cc}]/gu, "_"))}`,
      size,
      sha256,
    })),
  );
}
