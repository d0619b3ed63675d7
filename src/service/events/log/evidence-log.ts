import { isSame, type NodeAt, rootOf } from "../../../evidence/log/merkle.ts";
import { checkpointText, parseCheckpoint, signNote } from "../../../evidence/log/note.ts";
import type { Organization } from "../../kernel/caller.ts";
import type { EvidenceLog, SecretBox } from "../../operation/context.ts";
import type { CheckpointMark } from "../../store/blobs/place.ts";
import { type Given, prepared } from "../../store/prepared.ts";
import type { Store } from "../../store/store.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { signersOf } from "./keys.ts";
import { addLeaves, findLog, nodesOf } from "./leaves.ts";

interface LogParts {
  readonly store: Store;
  readonly secrets: SecretBox;
  /** Name of an organization's log, from its first checkpoint on. */
  readonly originOf: (org: LoggedOrganization) => string;
  /** The latest checkpoint of each organization, outside of the records. */
  readonly checkpoints: CheckpointMark;
  readonly now: () => number;
}

type LoggedOrganization = Pick<Organization, "id" | "name">;

/** The records do not continue the last checkpoint: a signature would prove two histories. */
export class LogRefused extends Error {
  override readonly name = "LogRefused";
}

export function openEvidenceLog({ store, secrets, originOf, checkpoints, now }: LogParts): EvidenceLog {
  const running = new Map<string, Promise<void>>();

  async function signCheckpoint(orgId: string): Promise<void> {
    const log = await findLog(store.read, orgId);
    if (log === undefined || log.signed_size >= log.size) return;
    const signers = await signersOf({ store, secrets, now }, log);
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

  function grow(org: LoggedOrganization): Promise<void> {
    const { id } = org;
    const origin = () => originOf(org);
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
  }

  return {
    async keepUp(org) {
      const isBehind = (await selectBehind(store.read, { orgId: org.id })).length > 0;
      if (isBehind) await grow(org);
    },
  };
}

/** Organizations with events that their latest checkpoint lacks. */
export function organizationsBehind(db: Database) {
  return db
    .selectFrom("organizations")
    .leftJoin("logs", "logs.org_id", "organizations.id")
    .select(["organizations.id", "organizations.name"])
    .where(({ eb, or, selectFrom, fn }) =>
      or([
        eb("logs.signed_size", "<", eb.ref("logs.size")),
        eb(
          selectFrom("events")
            .select(({ fn }) => fn.max("events.sequence").as("last"))
            .whereRef("events.org_id", "=", "organizations.id"),
          ">",
          fn.coalesce("logs.last_sequence", eb.lit(0)),
        ),
      ]),
    );
}

const selectBehind = prepared((db, given: Given<{ orgId: string }>) =>
  organizationsBehind(db).where("organizations.id", "=", given("orgId")),
);

/** @param kept the last checkpoint outside of the records @throws LogRefused */
export async function requireContinued(
  log: Tables["logs"],
  kept: string | undefined,
  at: NodeAt,
): Promise<void> {
  if (kept === undefined) {
    if (log.checkpoint === null) return;
    throw new LogRefused(
      `The log ${log.origin} has a checkpoint of ${log.signed_size} entries, but the place for attachments has none`,
    );
  }
  const last = parseCheckpoint(kept);
  if (last.origin !== log.origin)
    throw new LogRefused(`The log is ${log.origin}, but its last checkpoint is of ${last.origin}`);
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
