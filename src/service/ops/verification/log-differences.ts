import { hash } from "node:crypto";
import { isSame, rootOf } from "../../../evidence/log/merkle.ts";
import { parseCheckpoint } from "../../../evidence/log/note.ts";
import { digestOfEvent } from "../../events/digest.ts";
import { signedCheckpoint } from "../../events/log/keys.ts";
import { type Edge, nodesOf, storedTile, tileOf, tilesWith } from "../../events/log/leaves.ts";
import type { StoredEvent } from "../../events/log/proofs.ts";
import type { EventData } from "../../events/types/event-types.ts";
import type { CheckpointMark } from "../../store/blobs/place.ts";
import { listed } from "../../store/dialect.ts";
import type { Store } from "../../store/store.ts";
import type { Database, Tables } from "../../store/tables.ts";

const EVENTS_AT_ONCE = 4_096;

type Records = Pick<Store, "read">;

/**
 * Compares events with their digests and statements, digests with the log, its tiles with each other, and its root with
 * its checkpoints. A log may grow meanwhile.
 *
 * @param onChecked called with the number of further events
 */
export async function* logDifferences(
  { read }: Records,
  checkpoints: Pick<CheckpointMark, "read">,
  onChecked: (events: number) => void,
): AsyncGenerator<string> {
  const logs = await read.selectFrom("logs").selectAll().orderBy("org_id").execute();
  for (const log of logs) {
    for await (const difference of eventDifferences(read, log, onChecked))
      yield `${log.origin}: ${difference}`;
    const kept = await checkpoints.read(log.org_id);
    for (const [name, checkpoint] of [
      ["the checkpoint in the records", log.checkpoint ?? undefined],
      ["the checkpoint at the place for attachments", kept],
    ] as const) {
      const problem = checkpoint && (await checkpointProblem(read, log, checkpoint));
      if (problem) yield `${log.origin}: ${name} ${problem}`;
    }
  }
}

async function* eventDifferences(
  db: Database,
  log: Tables["logs"],
  onChecked: (events: number) => void,
): AsyncGenerator<string> {
  const edges: Edge[] = [];
  let size = 0;
  for (let last = 0, more = true; more; ) {
    const events = await db
      .selectFrom("events")
      .selectAll()
      .where("org_id", "=", log.org_id)
      .where("sequence", ">", last)
      .where("sequence", "<=", log.last_sequence)
      .orderBy("sequence")
      .limit(EVENTS_AT_ONCE)
      .execute();
    for (const event of events)
      if (digestOfEvent(event) !== event.digest) yield `the event ${event.id} was changed`;
    yield* await statementDifferences(db, events);
    for (const tile of tilesWith(events, log.org_id, size, edges)) {
      const stored = await storedTile(db, log.org_id, tile.level, tile.tile);
      const { hashes, halfway } = tileOf(tile);
      if (!stored || !beginsWith(stored.hashes, hashes) || !beginsWith(stored.halfway, halfway))
        yield `tile ${tile.tile} on level ${tile.level} differs from the events`;
    }
    size += events.length;
    last = events.at(-1)?.sequence ?? last;
    more = events.length === EVENTS_AT_ONCE;
    onChecked(events.length);
  }
  if (size !== log.size) yield `it has ${log.size} entries, but there are ${size} events`;
}

function beginsWith(all: Uint8Array, start: Uint8Array): boolean {
  return isSame(all.subarray(0, start.length), start);
}

/** Statements that are missing, or are not what their event says. */
async function statementDifferences(db: Database, events: readonly StoredEvent[]): Promise<string[]> {
  const signed = events.filter(({ type }) => type === "statement.signed");
  if (signed.length === 0) return [];
  const ids = signed.map(({ subject_id }) => subject_id ?? "");
  const stored = await db
    .selectFrom("statements")
    .select(["id", "envelope"])
    .where("id", "in", listed(ids))
    .execute();
  const digests = new Map(stored.map(({ id, envelope }) => [id, payloadDigest(envelope)]));
  return signed.flatMap(({ subject_id, data }) => {
    const { digest }: EventData<"statement.signed"> = JSON.parse(data);
    return digests.get(subject_id ?? "") === digest
      ? []
      : `the statement ${subject_id} differs from its event`;
  });
}

function payloadDigest(envelope: string): string {
  const { payload } = JSON.parse(envelope);
  return hash("sha256", Buffer.from(String(payload), "base64"));
}

const NOT_SIGNED = "is not signed by a key of the log";
const LOST =
  ". Events are lost that others have seen. Restore a newer backup, or begin another log with 'log replace'";

/** Undefined for a checkpoint that the organization's key signed, of entries that the log has. */
async function checkpointProblem(
  db: Database,
  log: Tables["logs"],
  note: string,
): Promise<string | undefined> {
  const signed = await signedCheckpoint(db, log, note);
  if (signed === undefined) return NOT_SIGNED;
  const { size, root } = signed;
  if (size > log.size) return `has ${size} entries, but the log has ${log.size}`;
  if (!isSame(await rootOf(nodesOf(db, log.org_id), size), root)) return "has another root";
  return undefined;
}

/**
 * Requires a checkpoint of a log, such as a witness has, that the records continue and that is the latest one known.
 *
 * @param kept the checkpoint at the place for attachments
 * @returns its number of entries @throws Error
 */
export async function requireCheckpoint(
  db: Database,
  log: Tables["logs"],
  { note, kept }: { readonly note: string; readonly kept: string | undefined },
): Promise<number> {
  const problem = await checkpointProblem(db, log, note);
  if (problem !== undefined)
    throw new Error(`This checkpoint ${problem}${problem === NOT_SIGNED ? "" : LOST}`);
  const { size } = parseCheckpoint(note);
  const latest = Math.max(log.signed_size, kept === undefined ? 0 : parseCheckpoint(kept).size);
  if (size < latest)
    throw new Error(
      `This checkpoint has ${size} entries, but the service has one of ${latest}. Give a later one`,
    );
  return size;
}
