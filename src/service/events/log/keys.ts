import {
  type Checkpoint,
  type NoteKey,
  type NoteSigner,
  newSigner,
  openNote,
  parseCheckpoint,
  verifierKey,
} from "../../../evidence/log/note.ts";
import { isRefusal } from "../../kernel/errors.ts";
import type { SecretBox } from "../../operation/context.ts";
import type { Store } from "../../store/store.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { commandLineContext } from "../audit-log/contexts.ts";
import { record } from "../record.ts";

/** Parts that open the keys of logs, and make new ones. */
export interface KeyParts {
  readonly store: Store;
  readonly secrets: SecretBox;
  readonly now: () => number;
}

type Log = Pick<Tables["logs"], "org_id" | "origin">;

/** The keys that sign, of which the first one is made here. Undefined if the service has no key that could protect it. */
export async function signersOf(
  { store, secrets, now }: KeyParts,
  log: Log,
): Promise<NoteSigner[] | undefined> {
  try {
    const inUse = await keysInUse(store.read, log.org_id);
    const keys = inUse.length > 0 ? inUse : await makeFirst({ store, secrets, now }, log);
    return keys.map((key) => ({
      ...named(key, log),
      privateKey: secrets.open(ownerOf(log), key.sealed_key),
    }));
  } catch (error) {
    if (isRefusal(error, "secret_key.unusable")) return undefined;
    throw error;
  }
}

/** @returns the keys, which another instance may have made first */
function makeFirst({ store, secrets, now }: KeyParts, log: Log) {
  const { row } = newKey(secrets, log, now());
  return store.write(
    async (db) => {
      const inUse = await keysInUse(db, log.org_id);
      if (inUse.length > 0) return inUse;
      await db.insertInto("log_keys").values(row).execute();
      return [row];
    },
    { orgId: log.org_id },
  );
}

/** Adds a key, which signs beside the others. @returns it as verifiers know it */
export async function addKey({ store, secrets, now }: KeyParts, log: Log): Promise<string> {
  const { row, key } = newKey(secrets, log, now());
  await store.write(async (db) => {
    await db.insertInto("log_keys").values(row).execute();
    await recordKey(db, log, { type: "log_key.created", key, now: now() });
  });
  return key;
}

/**
 * Ends the use of a key. Verifiers still need it for former checkpoints.
 *
 * @param id the 8 hex digits between name and key @throws Error
 */
export async function retireKey(
  { store, now }: Omit<KeyParts, "secrets">,
  log: Log,
  id: string,
): Promise<string> {
  return store.write(async (db) => {
    const keys = await keysInUse(db, log.org_id);
    const isChosen = (key: Key) => verifierKey(named(key, log)).startsWith(`${log.origin}+${id}+`);
    const chosen = keys.find(isChosen);
    if (chosen === undefined) throw new Error(`The log ${log.origin} has no key ${id} in use`);
    if (keys.length === 1) throw new Error("This is the only key. Create another one first");
    await db
      .updateTable("log_keys")
      .set({ retired_at: now() })
      .where("org_id", "=", log.org_id)
      .where("public_key", "=", chosen.public_key)
      .execute();
    const key = verifierKey(named(chosen, log));
    await recordKey(db, log, { type: "log_key.retired", key, now: now() });
    return key;
  });
}

type Key = Pick<Tables["log_keys"], "public_key" | "sealed_key">;

interface KeyAct {
  readonly type: "log_key.created" | "log_key.retired";
  readonly key: string;
  readonly now: number;
}

function recordKey(db: Database, log: Log, { type, key, now }: KeyAct): Promise<void> {
  const subject = { name: log.origin };
  return record(db, commandLineContext(log.org_id, now), { type, subject, data: { details: { key } } });
}

function newKey(secrets: SecretBox, log: Log, now: number) {
  const signer = newSigner(log.origin);
  const row = {
    org_id: log.org_id,
    public_key: Buffer.from(signer.publicKey).toString("base64"),
    sealed_key: secrets.seal(ownerOf(log), signer.privateKey),
    created_at: now,
    retired_at: null,
  };
  return { row, key: verifierKey(signer) };
}

const ownerOf = ({ org_id }: Log) => `log ${org_id}`;

function named({ public_key }: Pick<Key, "public_key">, { origin }: Log): NoteKey {
  return { name: origin, publicKey: Buffer.from(public_key, "base64") };
}

/** A checkpoint that a key of the log signed. Undefined for any other. */
export async function signedCheckpoint(
  db: Database,
  log: Log,
  note: string,
): Promise<Checkpoint | undefined> {
  const keys = await db
    .selectFrom("log_keys")
    .select("public_key")
    .where("org_id", "=", log.org_id)
    .execute();
  const [text] = keys.flatMap((key) => openNote(note, named(key, log)) ?? []);
  return text === undefined ? undefined : parseCheckpoint(text);
}

function keysInUse(db: Database, orgId: string): Promise<Key[]> {
  return db
    .selectFrom("log_keys")
    .select(["public_key", "sealed_key"])
    .where("org_id", "=", orgId)
    .where("retired_at", "is", null)
    .orderBy("created_at", "desc")
    .execute();
}
