import { isSame, type NodeAt, rootOf } from "../../../evidence/log/merkle.ts";
import {
  checkpointText,
  type NoteSigner,
  newSigner,
  parseCheckpoint,
  signNote,
} from "../../../evidence/log/note.ts";
import { isRefusal } from "../../kernel/errors.ts";
import type { Links } from "../../kernel/links.ts";
import type { EvidenceLog, SecretBox } from "../../operation/context.ts";
import type { CheckpointMark } from "../../store/blobs/place.ts";
import type { Store } from "../../store/store.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { addLeaves, findLog, nodesOf } from "./leaves.ts";

interface LogParts {
  readonly store: Store;
  readonly secrets: SecretBox;
  readonly links: Links;
  /** The latest checkpoint of each organization, outside of the records. */
  readonly checkpoints: CheckpointMark;
  readonly now: () => number;
}

/** The records do not continue the last checkpoint: a signature would prove two histories. */
export class LogRefused extends Error {
  override readonly name = "LogRefused";
}

export function openEvidenceLog({ store, secrets, links, checkpoints, now }: LogParts): EvidenceLog {
  const running = new Map<string, Promise<void>>();

  async function signCheckpoint(orgId: string): Promise<void> {
    const log = await findLog(store.read, orgId);
    if (log === undefined || log.signed_size >= log.size) return;
    const signers = await signersOf(orgId, log.origin);
    if (signers === undefined) return;
    const at = nodesOf(store.read, orgId);
    await requireContinued(log, await checkpoints.read(orgId), at);
    const { origin, size } = log;
    const checkpoint = signNote(checkpointText({ origin, size, root: await rootOf(at, size) }), signers);
    // Before the records have it. If they are restored to an earlier state, they do not continue it.
    await checkpoints.replace(orgId, checkpoint);
    // Another instance may have signed a later one meanwhile.
    const save = (db: Database) =>
      db
        .updateTable("logs")
        .set({ checkpoint, signed_size: size })
        .where("org_id", "=", orgId)
        .where("signed_size", "<", size)
        .execute();
    await store.write(save, { orgId, keys: [`log ${orgId}`] });
  }

  /** Undefined if the service has no key that could protect them. */
  async function signersOf(orgId: string, origin: string): Promise<NoteSigner[] | undefined> {
    try {
      const known = await keysOf(store.read, orgId);
      const keys = known.length > 0 ? known : await makeKey(orgId, origin);
      return keys.map(({ public_key, sealed_key }) => ({
        name: origin,
        publicKey: Buffer.from(public_key, "base64"),
        privateKey: secrets.open(`log ${orgId}`, sealed_key),
      }));
    } catch (error) {
      if (isRefusal(error, "secret_key.unusable")) return undefined;
      throw error;
    }
  }

  /** @returns the keys, which another instance may have made first */
  function makeKey(orgId: string, origin: string) {
    const signer = newSigner(origin);
    const key = {
      org_id: orgId,
      public_key: Buffer.from(signer.publicKey).toString("base64"),
      sealed_key: secrets.seal(`log ${orgId}`, signer.privateKey),
      created_at: now(),
      retired_at: null,
    };
    return store.write(
      async (db) => {
        const known = await keysOf(db, orgId);
        if (known.length > 0) return known;
        await db.insertInto("log_keys").values(key).execute();
        return [key];
      },
      { orgId },
    );
  }

  return {
    keepUp({ id, name }) {
      const origin = () => links.log(name).replace(/^https?:\/\//, "");
      const work = async () => {
        while (await addLeaves(store, id, origin));
        await signCheckpoint(id);
      };
      // One after the other, because the second caller's events may be missing from the first one's work.
      const turn = (running.get(id) ?? Promise.resolve()).catch(() => {}).then(work);
      running.set(id, turn);
      return turn.finally(() => {
        if (running.get(id) === turn) running.delete(id);
      });
    },
  };
}

/** The keys that sign. */
function keysOf(db: Database, orgId: string) {
  return db
    .selectFrom("log_keys")
    .select(["public_key", "sealed_key"])
    .where("org_id", "=", orgId)
    .where("retired_at", "is", null)
    .orderBy("created_at", "desc")
    .execute();
}

/** @param kept the last checkpoint outside of the records @throws LogRefused */
async function requireContinued(log: Tables["logs"], kept: string | undefined, at: NodeAt): Promise<void> {
  if (kept === undefined) {
    if (log.checkpoint === null) return;
    throw new LogRefused(
      `The log ${log.origin} has a checkpoint of ${log.signed_size} entries, but the place for attachments has none`,
    );
  }
  const last = parseCheckpoint(kept);
  if (last.size > log.size) {
    throw new LogRefused(
      `The log ${log.origin} has ${log.size} entries, but its last checkpoint has ${last.size}`,
    );
  }
  if (!isSame(await rootOf(at, last.size), last.root)) {
    throw new LogRefused(
      `The first ${last.size} entries of the log ${log.origin} are not those of its last checkpoint`,
    );
  }
}
