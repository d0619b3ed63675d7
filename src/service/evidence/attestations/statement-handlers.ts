import { buffer } from "node:stream/consumers";
import { ENVELOPE_TYPE } from "../../../evidence/provenance/statements/dsse.ts";
import {
  type RecordedAttestation,
  recordStatement,
} from "../../../evidence/provenance/statements/record-statement.ts";
import type { Subject } from "../../../evidence/provenance/statements/statement.ts";
import { signed } from "../../events/statements/stored.ts";
import { resultsIn } from "../../judging/facts.ts";
import type { Organization } from "../../kernel/caller.ts";
import { NotFound } from "../../kernel/errors.ts";
import { fieldsIn, fieldsOf } from "../../kernel/json-column.ts";
import type { Links } from "../../kernel/links.ts";
import type { ServiceContext } from "../../operation/context.ts";
import { type Handler, requestContextOf } from "../../operation/handler.ts";
import { listed } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";
import type { StoredAttestation } from "./stored.ts";
import { requireAttestation } from "./stored-in-trail.ts";

/** Larger files are named by their digest instead. */
const MAX_SBOM_BYTES = 1024 * 1024;

export const stateAttestation: Handler<"stateAttestation"> = async (call, context) => {
  const { org, params } = call;
  const { stored, record } = await context.store.readTogether(async (db) => {
    const stored = await requireAttestation(db, org, params);
    return { stored, record: await recordOf(db, stored, { org, links: context.links }) };
  });
  const statement = recordStatement({ ...record, sbom: await sbomOf(stored, context) });
  const envelope = await signed(
    {
      question: ["attestation", stored.row.id],
      basis: record.event,
      statement: () => statement,
      fingerprint: stored.row.artifact_fingerprint,
      trailId: stored.row.trail_id,
    },
    requestContextOf(call, context),
    context,
  );
  const content = new TextEncoder().encode(envelope);
  return {
    status: 200,
    body: { name: `${stored.row.id}.intoto.json`, mediaType: ENVELOPE_TYPE, content },
  };
};

async function recordOf(
  db: Database,
  { row, trailName, attachments }: StoredAttestation,
  { org, links }: { org: Organization; links: Links },
): Promise<RecordedAttestation> {
  const recorded = await db
    .selectFrom("events")
    .select(["id", "digest", "data"])
    .where("trail_id", "=", row.trail_id)
    .where("subject_id", "=", row.id)
    .where("type", "in", listed(["attestation.recorded", "attestation.overridden"]))
    .executeTakeFirst();
  if (recorded === undefined)
    throw new NotFound("log.event_not_found", `Attestation '${row.id}' is older than the log of ${org.name}`);
  const { id, digest, data } = recorded;
  const event = {
    uri: links.api(["log", org.name, "proof"], { event_id: id }),
    digest: { sha256: digest },
  };
  return {
    name: row.name,
    type: row.type,
    isCompliant: row.is_compliant === 1,
    at: row.created_at,
    subject: subjectOf(fieldsOf(data), { trailName, digest }),
    event,
    attachments,
    fields: resultsIn(row.type, fieldsOf(row.details)),
  };
}

/** The artifact, else the commit, else the record itself. */
function subjectOf(
  { artifact, commit_sha: commit }: Readonly<Record<string, unknown>>,
  { trailName, digest }: { trailName: string; digest: string },
): Subject {
  const { fingerprint, filename } = fieldsIn(artifact);
  if (typeof fingerprint === "string") return { name: String(filename), digest: { sha256: fingerprint } };
  if (typeof commit === "string") return { name: trailName, digest: { gitCommit: commit } };
  return { name: trailName, digest: { sha256: digest } };
}

/** The only file of an attestation, if it is an SBOM in JSON. A damaged file is left out. */
async function sbomOf({ row, attachments }: StoredAttestation, { attachments: files }: ServiceContext) {
  const [file, ...others] = attachments;
  if (row.type !== "system:sbom" || !file || others.length > 0 || file.size > MAX_SBOM_BYTES)
    return undefined;
  if ((await files.glance(file)) !== "whole") return undefined;
  const content = await buffer(files.contentOf(file.sha256));
  try {
    return JSON.parse(content.toString());
  } catch {
    return undefined;
  }
}
