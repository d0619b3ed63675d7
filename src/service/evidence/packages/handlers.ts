import { artifactRecord } from "../../../api/resources/artifacts.ts";
import { toWire } from "../../../api/wire-names.ts";
import type { Call, Handler } from "../../operation/handler.ts";
import type { Database } from "../../store/tables.ts";
import { evidenceOfReport } from "../artifacts/evidence.ts";
import { requireReport } from "../artifacts/handlers.ts";
import { artifactViews } from "../artifacts/view.ts";
import { requireFlow } from "../flows/records.ts";
import { requireTrailRow } from "../trails/list.ts";
import { keptUp, loggedEvents } from "./logged-events.ts";
import { auditPackage, jsonFile } from "./package.ts";
import { statementFiles } from "./statement-files.ts";
import { attachedFiles, filesOfTrail, pageOfTrail, recordFiles, recordsOfTrail } from "./trail-files.ts";

export const downloadTrailAuditPdf: Handler<"downloadTrailAuditPdf"> = async (call, { store, links }) => {
  const place = { org: call.org, scope: call.caller.scope, links };
  const { row, records } = await store.readTogether(async (db) => {
    const row = await trailRowOf(db, call);
    return { row, records: await recordsOfTrail(db, row, place) };
  });
  const page = await pageOfTrail(records, call.org, links);
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

async function trailRowOf(
  db: Database,
  { org, params }: Pick<Call<"getTrailAuditPackage">, "org" | "params">,
) {
  const flow = await requireFlow(db, org, params.flowName);
  return requireTrailRow(db, org, flow, params.trailName);
}

export const getTrailAuditPackage: Handler<"getTrailAuditPackage"> = async (
  call,
  { store, links, attachments, evidenceLog },
) => {
  const { org } = call;
  await keptUp(evidenceLog, org);
  const { trail, packed, log } = await store.readTogether(async (db) => {
    const row = await trailRowOf(db, call);
    const {
      records,
      attachments: attached,
      details,
    } = await filesOfTrail(db, row, {
      ...{ org, scope: call.caller.scope, links },
    });
    // Events may name environments outside of a limited caller's scope, and proofs need them whole.
    const isWhole = call.caller.scope === null;
    const log = isWhole
      ? await loggedEvents(db, org, { trailIds: [row.id], placeIds: [row.flow_id], details })
      : undefined;
    return {
      trail: row,
      log: log?.about,
      packed: {
        records: [
          ...records,
          ...(log?.files ?? []),
          // Their inputs may be in flows outside of a limited caller's scope.
          ...(isWhole ? await statementFiles(db, org.id, [row.id]) : []),
        ],
        attachments: attached,
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
            placeIds: [row.flow_id],
            subjectIds: [row.id, ...attestations.map((each) => each.row.id)],
            details: [row.details, ...attestations.map((each) => each.row.details)],
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
