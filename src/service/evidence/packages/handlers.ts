import { artifactRecord } from "../../../api/resources/artifacts.ts";
import { attestationRecord } from "../../../api/resources/attestation-record.ts";
import { trailRecord } from "../../../api/resources/trail-record.ts";
import { toWire } from "../../../api/wire-names.ts";
import type { Organization } from "../../kernel/caller.ts";
import { portableName } from "../../kernel/distinct-names.ts";
import type { Links } from "../../kernel/links.ts";
import type { Call, Handler } from "../../operation/handler.ts";
import type { Database } from "../../store/tables.ts";
import { evidenceOfReport, evidenceOfTrail } from "../artifacts/evidence.ts";
import { requireReport } from "../artifacts/handlers.ts";
import { reportsOfTrail } from "../artifacts/list.ts";
import { artifactViews } from "../artifacts/view.ts";
import { recordView, type StoredAttestation } from "../attestations/stored.ts";
import { requireFlow } from "../flows/records.ts";
import { trailEventsOf } from "../trails/events.ts";
import { requireTrailRow } from "../trails/list.ts";
import { trailViews } from "../trails/view.ts";
import { keptUp, loggedEvents } from "./logged-events.ts";
import { type AttachedFile, auditPackage, jsonFile, type TextFile } from "./package.ts";
import { statementFiles } from "./statement-files.ts";

export const downloadTrailAuditPdf: Handler<"downloadTrailAuditPdf"> = async (call, { store, links }) => {
  const records = await store.readTogether((db) => recordsOfTrail(db, call, links));
  const page = await printedPage(records, call.org, links);
  const { row } = records;
  return {
    status: 200,
    body: {
      name: `${row.flow_name}-${row.name}.html`,
      mediaType: "text/html; charset=utf-8",
      content: new TextEncoder().encode(page),
      isOwn: true,
    },
  };
};

type TrailCall = Pick<Call<"getTrailAuditPackage">, "org" | "caller" | "params">;

async function recordsOfTrail(db: Database, { org, caller: { scope }, params }: TrailCall, links: Links) {
  const flow = await requireFlow(db, org, params.flowName);
  const row = await requireTrailRow(db, org, flow, params.trailName);
  const [view] = await trailViews(db, [row], { org: org.name, links });
  if (!view) throw new Error(`Trail '${row.id}' disappeared while it was being read`);
  const reports = await reportsOfTrail(db, org.id, row.id);
  const artifacts = await artifactViews(db, reports, { org, links, scope });
  return { row, view, artifacts, attestations: await evidenceOfTrail(db, row.id) };
}

async function printedPage(
  { row, view, artifacts, attestations }: Awaited<ReturnType<typeof recordsOfTrail>>,
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

export const getTrailAuditPackage: Handler<"getTrailAuditPackage"> = async (
  call,
  { store, links, attachments, evidenceLog },
) => {
  const { org } = call;
  await keptUp(evidenceLog, org);
  const { trail, packed, log } = await store.readTogether(async (db) => {
    const found = await recordsOfTrail(db, call, links);
    const { row, view, artifacts, attestations } = found;
    const events = (await trailEventsOf(db, [row.id], call.caller.scope)).get(row.id) ?? [];
    const details = attestations.map((each) => each.row.details);
    // Events may name environments outside of a limited caller's scope, and proofs need them whole.
    const isWhole = call.caller.scope === null;
    const log = isWhole ? await loggedEvents(db, org, { trailIds: [row.id], details }) : undefined;
    return {
      trail: row,
      log: log?.about,
      packed: {
        records: [
          { name: "trail-page.html", text: await printedPage(found, org, links) },
          jsonFile("trail.json", toWire(trailRecord, { ...view, events })),
          ...artifacts.map((each) =>
            jsonFile(`artifacts/${each.fingerprint}-${each.id}.json`, toWire(artifactRecord, each)),
          ),
          ...recordFiles(attestations, { org, links }),
          ...(log?.files ?? []),
          // Their inputs may be in flows outside of a limited caller's scope.
          ...(isWhole ? await statementFiles(db, org.id, row.id) : []),
        ],
        attachments: attachedFiles(attestations),
      },
    };
  });
  const about = { org: org.name, flow: trail.flow_name, trail: trail.name, log };
  const content = await auditPackage(about, packed, attachments);
  return archiveOf(`${trail.flow_name}-${trail.name}`, content);
};

export const getArtifactAuditPackage: Handler<"getArtifactAuditPackage"> = async (
  { org, caller: { scope }, params },
  { store, links, attachments, evidenceLog },
) => {
  await keptUp(evidenceLog, org);
  const { artifact, packed, log } = await store.readTogether(async (db) => {
    const flow = await requireFlow(db, org, params.flowName);
    const row = await requireReport(db, { org, flow, fingerprint: params.fingerprint });
    const [view] = await artifactViews(db, [row], { org, links, scope });
    const attestations = await evidenceOfReport(db, row);
    // Without a trail, nothing finds its event. For a limited caller, see the package of a trail.
    const log =
      scope === null && row.trail_id !== null
        ? await loggedEvents(db, org, {
            trailIds: [row.trail_id],
            subjectIds: [row.id, ...attestations.map((each) => each.row.id)],
            details: attestations.map((each) => each.row.details),
          })
        : undefined;
    return {
      artifact: row,
      log: log?.about,
      packed: {
        records: [
          jsonFile("artifact.json", toWire(artifactRecord, view)),
          ...recordFiles(attestations, { org, links }),
          ...(log?.files ?? []),
        ],
        attachments: attachedFiles(attestations),
      },
    };
  });
  const { flow_name: flow, trail_name: trail, fingerprint } = artifact;
  const about = { org: org.name, flow, trail, fingerprint, log };
  return archiveOf(`${flow}-${fingerprint}`, await auditPackage(about, packed, attachments));
};

function archiveOf(subject: string, content: ReadableStream<Uint8Array>) {
  const name = `${subject}-audit-package.tgz`;
  return { status: 200, body: { name, mediaType: "application/gzip", content } } as const;
}

function recordFiles(
  attestations: readonly StoredAttestation[],
  { org, links }: { org: Organization; links: Links },
): TextFile[] {
  return attestations.map((stored) => {
    const view = recordView(stored, { org: org.name, links });
    return jsonFile(`attestations/${stored.row.name}-${stored.row.id}.json`, toWire(attestationRecord, view));
  });
}

function attachedFiles(attestations: readonly StoredAttestation[]): AttachedFile[] {
  return attestations.flatMap(({ row, attachments }) =>
    attachments.map(({ name, size, sha256 }, position) => ({
      // The position separates equal names and makes a name such as `..` harmless.
      name: `attachments/${row.id}/${position}-${portableName(name.replace(/[/\\\p{Cc}]/gu, "_"))}`,
      size,
      sha256,
    })),
  );
}
