import { EMPTY_ROOT } from "../../../evidence/log/merkle.ts";
import { checkpointText, parseCheckpoint, signNote } from "../../../evidence/log/note.ts";
import type { CheckpointMark } from "../../store/blobs/place.ts";
import type { Tables } from "../../store/tables.ts";
import { commandLineContext } from "../audit-log/contexts.ts";
import { record } from "../record.ts";
import { LogRefused, requireContinued } from "./evidence-log.ts";
import { type KeyParts, signersOf } from "./keys.ts";
import { nodesOf } from "./leaves.ts";

/**
 * Begins a new log of all recorded events under another name, because the records do not continue the last checkpoint.
 * Its first new event names that checkpoint.
 *
 * @returns the name of the new log @throws Error when the records continue it
 */
export async function replaceLog(
  parts: KeyParts & { readonly checkpoints: CheckpointMark },
  log: Tables["logs"],
): Promise<string> {
  const { store, checkpoints, now } = parts;
  const { org_id: orgId } = log;
  const kept = (await checkpoints.read(orgId)) ?? log.checkpoint;
  if (kept === null || (await isContinued(parts, log)))
    throw new Error(`The records continue the last checkpoint of ${log.origin}. Its log needs no other one`);
  const former = parseCheckpoint(kept);
  const origin = nextOrigin(log.origin);
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

async function isContinued(
  { store, checkpoints }: { store: KeyParts["store"]; checkpoints: CheckpointMark },
  log: Tables["logs"],
): Promise<boolean> {
  try {
    await requireContinued(log, await checkpoints.read(log.org_id), nodesOf(store.read, log.org_id));
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
