import type { Selectable } from "kysely";
import { inclusionProof, type NodeAt } from "../../../evidence/log/merkle.ts";
import { proofFile, verifierKey } from "../../../evidence/log/note.ts";
import { nodesIn, TILE_WIDTH } from "../../../evidence/log/tiles.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { canonicalEvent } from "../digest.ts";
import { selectAuditPath } from "./audit-path.ts";
import { findLog, indexesOf, nodesOf, positionIn, tileOf } from "./leaves.ts";

export type StoredEvent = Selectable<Tables["events"]>;

export interface SignedLog {
  readonly origin: string;
  /** The signed note. */
  readonly checkpoint: string;
  /** Number of entries in the checkpoint. */
  readonly size: number;
}

/** Undefined before the first checkpoint. */
export async function signedLog(db: Database, orgId: string): Promise<SignedLog | undefined> {
  const { checkpoint = null, origin = "", signed_size: size = 0 } = (await findLog(db, orgId)) ?? {};
  return checkpoint === null ? undefined : { origin, checkpoint, size };
}

/** The keys of a log as a file that verifiers read. */
export async function policyOf(db: Database, orgId: string, origin: string): Promise<string> {
  const keys = await db
    .selectFrom("log_keys")
    .select(["public_key", "retired_at"])
    .where("org_id", "=", orgId)
    .orderBy("created_at")
    .execute();
  const lines = keys.map(({ public_key, retired_at }) => {
    const publicKey = Buffer.from(public_key, "base64");
    const ended = retired_at === null ? "" : `# Retired ${new Date(retired_at * 1000).toISOString()}\n`;
    return `${ended}log ${verifierKey({ name: origin, publicKey })}\n`;
  });
  return `${lines.join("")}quorum none\n`;
}

export interface ProvenEvent {
  readonly index: number;
  /** Canonical JSON, whose sha256 is the entry of the log. */
  readonly event: string;
  /** C2SP's tlog-proof. */
  readonly proof: string;
}

/** Proofs of events against one checkpoint. Events after it are left out. */
export async function proofsOf(
  db: Database,
  orgId: string,
  log: SignedLog,
  events: readonly StoredEvent[],
): Promise<ProvenEvent[]> {
  const at = nodesOf(db, orgId);
  const proven: ProvenEvent[] = [];
  for (const { event, index } of await indexesOf(db, orgId, events))
    if (index < log.size) proven.push(await provenAt(index, event, { log, at }));
  return proven;
}

interface LatestProof {
  /** Undefined before the first checkpoint. */
  readonly log: SignedLog | undefined;
  /** Undefined if the checkpoint does not have the event. */
  readonly proven: ProvenEvent | undefined;
}

/** Proves an event against the latest checkpoint. */
export async function latestProof(db: Database, orgId: string, event: StoredEvent): Promise<LatestProof> {
  const rows = await selectAuditPath(db, { orgId, sequence: event.sequence });
  const { checkpoint = null, origin = "", size = 0 } = rows[0] ?? {};
  if (checkpoint === null) return { log: undefined, proven: undefined };
  const log = { origin, checkpoint, size };
  const tiles = rows.flatMap(({ level, tile: number, hashes, halfway }) =>
    level === null || number === null || hashes === null || halfway === null
      ? []
      : { level, number, ...tileOf({ hashes, halfway }) },
  );
  const at = nodesIn(async (level, number) => {
    const tile = tiles.find((tile) => tile.level === level && tile.number === number);
    if (tile === undefined)
      throw new Error(`Tile ${number} on level ${level} of the log ${orgId} is missing`);
    return tile;
  });
  for (const { level, number, hashes } of tiles) {
    const within = level === 0 ? positionIn(hashes, event) : undefined;
    const index = number * TILE_WIDTH + (within ?? 0);
    if (within !== undefined && index < size)
      return { log, proven: await provenAt(index, event, { log, at }) };
  }
  return { log, proven: undefined };
}

interface Tree {
  readonly log: SignedLog;
  readonly at: NodeAt;
}

async function provenAt(index: number, event: StoredEvent, { log, at }: Tree): Promise<ProvenEvent> {
  const proof = proofFile(index, await inclusionProof(at, index, log.size), log.checkpoint);
  return { index, event: canonicalEvent(event), proof };
}
