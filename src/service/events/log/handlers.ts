import type { RawBuilder } from "kysely";
import { consistencyProof, HASH_BYTES } from "../../../evidence/log/merkle.ts";
import { entryBundle, hashesOf, parseTilePath } from "../../../evidence/log/tiles.ts";
import type { Organization } from "../../kernel/caller.ts";
import { Conflict, Invalid, NotFound } from "../../kernel/errors.ts";
import type { EvidenceLog } from "../../operation/context.ts";
import type { Handler } from "../../operation/handler.ts";
import { type Given, prepared } from "../../store/prepared.ts";
import type { Database } from "../../store/tables.ts";
import { LogRefused } from "./evidence-log.ts";
import { nodesOf, storedTile } from "./leaves.ts";
import { latestProof, policyOf, type SignedLog, type StoredEvent, signedLog } from "./proofs.ts";

export const getLogCheckpoint: Handler<"getLogCheckpoint"> = async ({ org }, { store, evidenceLog }) => {
  const { checkpoint } = await firstSigned(store.read, org, evidenceLog);
  return { status: 200, body: textFile("checkpoint", checkpoint) };
};

export const getLogTile: Handler<"getLogTile"> = async ({ org, params: { path } }, { store }) => {
  const place = parseTilePath(path);
  const { size } = await requireSigned(store.read, org);
  const level = place?.level === "entries" ? 0 : (place?.level ?? 0);
  const tile = place && (await storedTile(store.read, org.id, level, place.index));
  const isPublished = place && (place.index * 256 + place.width) * 256 ** level <= size;
  if (!isPublished || tile === undefined || tile.hashes.length < place.width * HASH_BYTES)
    throw new NotFound("log.tile_not_found", `The log has no tile ${JSON.stringify(path)}`);
  const hashes = tile.hashes.subarray(0, place.width * HASH_BYTES);
  const content = new Uint8Array(place.level === "entries" ? entryBundle(hashes) : hashesOf(level, hashes));
  const name = path.replaceAll("/", "-");
  return { status: 200, body: { name, mediaType: "application/octet-stream", content } };
};

export const getLogProof: Handler<"getLogProof"> = async (call, { store, evidenceLog }) => {
  const { org, params } = call;
  const { event, details } = await requireEvent(store.read, org, params);
  await keepUp(org, evidenceLog);
  const { log, proven } = await latestProof(store.read, org.id, event);
  const { size } = requireCheckpoint(log, org);
  if (proven === undefined)
    throw new NotFound("log.event_not_found", `The event ${event.id} is not in the log`);
  return { status: 200, body: { ...proven, ...(details !== undefined && { details }), size } };
};

const REFUSED =
  "Nothing new is signed until an operator runs 'log continue' with the latest checkpoint, or 'log replace'";

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
  return requireCheckpoint(await signedLog(db, org.id), org);
}

function requireCheckpoint(log: SignedLog | undefined, org: Organization): SignedLog {
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

interface Found {
  readonly event: StoredEvent;
  /** The text of which the event has only the sha256. */
  readonly details: string | undefined;
}

async function requireEvent(
  db: Database,
  org: Organization,
  { attestationId, eventId }: Asked,
): Promise<Found> {
  if ((attestationId === undefined) === (eventId === undefined))
    throw new Invalid("log.no_event", "Give either attestation_id or event_id");
  const [found] = await (attestationId === undefined
    ? selectEvent(db, { orgId: org.id, id: eventId ?? "" })
    : selectFirstEvent(db, { orgId: org.id, attestationId }));
  if (found) {
    const { details, ...event } = found;
    return { event, details: (HAS_DETAILS.test(event.type) && details) || undefined };
  }
  const asked = attestationId === undefined ? `event '${eventId}'` : `attestation '${attestationId}'`;
  throw new NotFound("log.event_not_found", `The log of ${org.name} has no ${asked}`);
}

const HAS_DETAILS = /^(?:attestation|artifact)\.(?:recorded|overridden|reported)$/;

const selectEvent = prepared((db, given: Given<{ orgId: string; id: string }>) =>
  eventsOf(db, given("orgId")).where("events.id", "=", given("id")),
);

const selectFirstEvent = prepared((db, given: Given<{ orgId: string; attestationId: string }>) =>
  eventsOf(db, given("orgId"))
    .innerJoin("attestations", "attestations.trail_id", "events.trail_id")
    .where("attestations.id", "=", given("attestationId"))
    .whereRef("events.subject_id", "=", "attestations.id")
    .orderBy("events.sequence")
    .limit(1),
);

function eventsOf(db: Database, orgId: RawBuilder<string>) {
  return db
    .selectFrom("events")
    .selectAll("events")
    .select(({ fn, selectFrom }) =>
      fn
        .coalesce(
          selectFrom("attestations as recorded")
            .select("recorded.details")
            .whereRef("recorded.id", "=", "events.subject_id"),
          selectFrom("artifacts")
            .select("artifacts.details")
            .whereRef("artifacts.id", "=", "events.subject_id"),
        )
        .as("details"),
    )
    .where("events.org_id", "=", orgId);
}
