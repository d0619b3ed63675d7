import { consistencyProof, HASH_BYTES } from "../../../evidence/log/merkle.ts";
import { entryBundle, parseTilePath } from "../../../evidence/log/tiles.ts";
import type { Organization } from "../../kernel/caller.ts";
import { Conflict, Invalid, NotFound } from "../../kernel/errors.ts";
import type { EvidenceLog } from "../../operation/context.ts";
import type { Handler } from "../../operation/handler.ts";
import type { Database } from "../../store/tables.ts";
import { LogRefused } from "./evidence-log.ts";
import { hashesOf, nodesOf, storedTile } from "./leaves.ts";
import { policyOf, proofsOf, type SignedLog, type StoredEvent, signedLog } from "./proofs.ts";

export const getLogCheckpoint: Handler<"getLogCheckpoint"> = async ({ org }, { store, evidenceLog }) => {
  const { checkpoint } = await firstSigned(store.read, org, evidenceLog);
  return { status: 200, body: textFile("checkpoint", checkpoint) };
};

export const getLogTile: Handler<"getLogTile"> = async ({ org, params: { path } }, { store }) => {
  const place = parseTilePath(path);
  const { size } = await requireSigned(store.read, org);
  const level = place?.level === "entries" ? 0 : (place?.level ?? 0);
  const stored = place && (await storedTile(store.read, org.id, level, place.index));
  const isPublished = place && (place.index * 256 + place.width) * 256 ** level <= size;
  if (!isPublished || stored === undefined || stored.length < place.width * HASH_BYTES)
    throw new NotFound("log.tile_not_found", `The log has no tile ${JSON.stringify(path)}`);
  const hashes = stored.subarray(0, place.width * HASH_BYTES);
  const content = new Uint8Array(place.level === "entries" ? entryBundle(hashes) : hashesOf(level, hashes));
  const name = path.replaceAll("/", "-");
  return { status: 200, body: { name, mediaType: "application/octet-stream", content } };
};

export const getLogProof: Handler<"getLogProof"> = async (call, { store, evidenceLog }) => {
  const { org, params } = call;
  const event = await requireEvent(store.read, org, params);
  await keepUp(org, evidenceLog);
  return store.readTogether(async (db) => {
    const log = await requireSigned(db, org);
    const [proven] = await proofsOf(db, org.id, log, [event]);
    if (proven === undefined)
      throw new NotFound("log.event_not_found", `The event ${event.id} is not in the log`);
    const details = await detailsOf(db, event);
    return { status: 200, body: { ...proven, ...(details !== undefined && { details }), size: log.size } };
  });
};

/** The text of which an event has only the sha256. */
async function detailsOf(db: Database, { type, subject_id: id }: StoredEvent): Promise<string | undefined> {
  const [, kind] = /^(attestation|artifact)\.(?:recorded|overridden|reported)$/.exec(type) ?? [];
  if (kind === undefined || id === null) return undefined;
  const table = kind === "artifact" ? "artifacts" : "attestations";
  return (await db.selectFrom(table).select("details").where("id", "=", id).executeTakeFirst())?.details;
}

const REFUSED =
  "Nothing is signed until an operator proves with 'log continue' that they do, or begins another log with 'log replace'";

export const getLogConsistency: Handler<"getLogConsistency"> = async ({ org, params }, { store }) =>
  store.readTogether(async (db) => {
    const { size } = await requireSigned(db, org);
    const { from, to = size } = params;
    if (from > to || to > size) {
      const problem = `from ${from} to ${to} is no range of a log with ${size} entries`;
      throw new Invalid("log.no_range", problem);
    }
    const hashes = await consistencyProof(nodesOf(db, org.id), from, to);
    const proof = hashes.map((hash) => Buffer.from(hash).toString("base64"));
    return { status: 200, body: { from, to, proof } };
  });

export const getLogPolicy: Handler<"getLogPolicy"> = async ({ org }, { store, evidenceLog }) => {
  const { origin } = await firstSigned(store.read, org, evidenceLog);
  return { status: 200, body: textFile("policy.txt", await policyOf(store.read, org.id, origin)) };
};

function textFile(name: string, text: string) {
  return { name, mediaType: "text/plain; charset=utf-8", content: new TextEncoder().encode(text) } as const;
}

/** Adds what was recorded since the last checkpoint. */
async function keepUp(org: Organization, log: EvidenceLog): Promise<void> {
  await log.keepUp(org).catch((error: unknown) => {
    if (error instanceof LogRefused) throw new Conflict("log.refused", `${error.message}. ${REFUSED}`);
    throw error;
  });
}

/** The latest checkpoint, which a new organization need not wait for. */
async function firstSigned(db: Database, org: Organization, log: EvidenceLog): Promise<SignedLog> {
  if ((await signedLog(db, org.id)) === undefined) await keepUp(org, log);
  return requireSigned(db, org);
}

/** @throws NotFound before the first checkpoint */
async function requireSigned(db: Database, org: Organization): Promise<SignedLog> {
  const log = await signedLog(db, org.id);
  if (log) return log;
  throw new NotFound(
    "log.no_checkpoint",
    `The log of ${org.name} has no checkpoint yet. A service on PostgreSQL needs a secret key to sign one`,
  );
}

interface Asked {
  readonly attestationId?: string | undefined;
  readonly eventId?: string | undefined;
}

async function requireEvent(
  db: Database,
  org: Organization,
  { attestationId, eventId }: Asked,
): Promise<StoredEvent> {
  if ((attestationId === undefined) === (eventId === undefined))
    throw new Invalid("log.no_event", "Give either attestation_id or event_id");
  const events = db.selectFrom("events").selectAll("events").where("events.org_id", "=", org.id);
  const found = await (attestationId === undefined
    ? events.where("events.id", "=", eventId ?? "")
    : events
        .innerJoin("attestations", "attestations.trail_id", "events.trail_id")
        .where("attestations.id", "=", attestationId)
        .whereRef("events.subject_id", "=", "attestations.id")
        .orderBy("events.sequence")
  ).executeTakeFirst();
  if (found) return found;
  const asked = attestationId === undefined ? `event '${eventId}'` : `attestation '${attestationId}'`;
  throw new NotFound("log.event_not_found", `The log of ${org.name} has no ${asked}`);
}
