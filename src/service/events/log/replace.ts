import { EMPTY_ROOT } from "../../../evidence/log/merkle.ts";
import { checkpointText, parseCheckpoint, signNote } from "../../../evidence/log/note.ts";
import type { CheckpointMark } from "../../store/blobs/place.ts";
import type { Tables } from "../../store/tables.ts";
import { commandLineContext } from "../audit-log/contexts.ts";
import { record } from "../record.ts";
import { LogRefused, requireContinued } from "./evidence-log.ts";
import { type KeyParts, signedCheckpoint, signersOf } from "./keys.ts";
import { nodesOf } from "./leaves.ts";

/**
 * Begins a new log of all recorded events under another name, because the records do not continue the last checkpoint.
 * Its first new event names that checkpoint.
 *
 * @param note a checkpoint from elsewhere, which the service lost
 * @returns the name of the new log @throws Error when the records continue the last checkpoint
 */
export async function replaceLog(
  parts: KeyParts & { readonly checkpoints: CheckpointMark },
  log: Tables["logs"],
  note: string | undefined,
): Promise<string> {
  const { store, checkpoints, now } = parts;
  const { org_id: orgId } = log;
  if (note !== undefined && (await signedCheckpoint(store.read, log, note)) === undefined)
    throw new Error("This checkpoint is not signed by a key of the log");
  const kept = await checkpoints.read(orgId);
  const known = [...(kept ? [kept] : []), ...(note ? [note] : [])];
  if (known.length === 0)
    throw new Error(`The last checkpoint of ${log.origin} is not known. Give it with --checkpoint`);
  const continued = await Promise.all(known.map((each) => isContinued(store, log, each)));
  const [former] = known
    .filter((_, place) => !continued[place])
    .map(parseCheckpoint)
    .sort((a, b) => b.size - a.size);
  if (former === undefined)
    throw new Error(`The records continue the last checkpoint of ${log.origin}. Its log needs no other one`);
  // A kept checkpoint may be of a log that already replaced this one.
  const origin = nextOrigin(kept === undefined ? log.origin : parseCheckpoint(kept).origin);
  const signers = await signersOf(parts, { org_id: orgId, origin });
  if (signers === undefined) throw new Error("The key for secrets is missing, or is another one");
  const empty = { size: 0, last_sequence: 0, checkpoint: null, signed_size: 0 };
  const details = {
    former: former.origin,
    size: former.size,
    root: Buffer.from(former.root).toString("base64"),
  };
  await store.write(async (db) => {
    await db.deleteFrom("log_tiles").where("org_id", "=", orgId).execute();
    await db
      .updateTable("logs")
      .set({ ...empty, origin })
      .where("org_id", "=", orgId)
      .execute();
    const subject = { name: origin };
    await record(db, commandLineContext(orgId, now()), {
      type: "log.replaced",
      subject,
      data: { details },
    });
  });
  await checkpoints.replace(orgId, signNote(checkpointText({ origin, size: 0, root: EMPTY_ROOT }), signers));
  return origin;
}

async function isContinued({ read }: KeyParts["store"], log: Tables["logs"], last: string): Promise<boolean> {
  try {
    await requireContinued(log, last, nodesOf(read, log.org_id));
    return true;
  } catch (error) {
    if (error instanceof LogRefused) return false;
    throw error;
  }
}

/** `evidence.acme.com/api/v2/log/acme`, then the same with `~2`, `~3` at its end. */
function nextOrigin(origin: string): string {
  const [, base = origin, number = "1"] = /^(.*)~(\d+)$/.exec(origin) ?? [];
  return `${base}~${Number(number) + 1}`;
}
