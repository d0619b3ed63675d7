import { join } from "node:path";
import { call } from "../../../api/client/call.ts";
import type { Connection } from "../../../api/client/connection.ts";
import { isEvidenceError } from "../../../api/client/errors.ts";
import { getLogCheckpoint, getLogConsistency, getLogPolicy } from "../../../api/resources/log.ts";
import { cosignedAt, cosignerKey, type NoteKey, type NoteSigner } from "../../../evidence/log/note.ts";
import { makeFolder } from "../../../service/store/local-files.ts";
import { lockFolder } from "../../../service/store/sqlite/folder-lock.ts";
import { openConnection } from "../../connection-options.ts";
import { type Given, type Terminal, UsageError } from "../../usage.ts";
import { checkpointPath, keepRefused, LOCK, POLICY, putFile, readIfPresent } from "./folder.ts";
import { cosigned, logKeys, Refused, requireGrowth, type Trusted, trustedCheckpoint } from "./judge.ts";
import { createKey, readKey } from "./key.ts";
import type { WITNESS } from "./options.ts";

const DONE = 0;
const REFUSED = 1;
const UNDECIDED = 2;

/** Cosigns the newest checkpoint of a log, if it continues the last one in the folder. */
export async function witness({ values }: Given<typeof WITNESS>, terminal: Terminal): Promise<number> {
  const { print, note, environment } = terminal;
  const { folder, name } = values;
  if (values["new-key"] !== undefined) {
    print(await createKey(values["new-key"], name));
    return DONE;
  }
  if (folder === undefined) throw new UsageError("--folder DIR is required");
  const signer = await readKey(values["key-file"], environment);
  await makeFolder(folder);
  const unlock = lockFolder(folder, `Another witness is using ${folder}`, LOCK);
  try {
    return await observe({ values, folder, signer }, terminal);
  } catch (error) {
    const isUnanswered = isEvidenceError(error) && error.kind !== "input";
    if (!(isUnanswered || error instanceof ClockSetBack)) throw error;
    note(`Undecided: ${error.message}`, "error");
    if (isUnanswered && error.advice !== "") note(`  ${error.advice}`);
    return UNDECIDED;
  } finally {
    unlock();
  }
}

interface Observation {
  readonly values: Given<typeof WITNESS>["values"];
  readonly folder: string;
  readonly signer: NoteSigner;
}

/** Asks the service for its checkpoint, and keeps it: cosigned, or refused. */
async function observe({ values, folder, signer }: Observation, terminal: Terminal): Promise<number> {
  const { print, note } = terminal;
  await using connection = await openConnection(values, terminal);
  const policyFile = values.policy ?? join(folder, POLICY);
  const trustFirst = values["trust-first"] === true;
  const policy = await openPolicy(policyFile, { trustFirst, connection, signer });
  const { body } = await call(connection, getLogCheckpoint, {});
  const received = Buffer.from(body.content).toString();
  try {
    const done = await extend({ folder, received, keys: policy.keys, signer, connection, now: Date.now() });
    if (policy.isNew) {
      await putFile(policyFile, policy.text);
      note(`warning: trusts the keys that the service had now. Compare ${policyFile} with its operator`);
    }
    print(done);
    return DONE;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    note(`Refused the checkpoint of ${JSON.stringify(received.split("\n")[0])}: ${error.message}`, "error");
    print(`The refused checkpoint is in ${await keepRefused(folder, received)}`);
    return REFUSED;
  }
}

class ClockSetBack extends Error {
  override readonly name = "ClockSetBack";
}

interface Opened {
  readonly text: string;
  readonly keys: readonly NoteKey[];
  /** Not in a file yet. */
  readonly isNew: boolean;
}

interface Opening {
  readonly trustFirst: boolean;
  readonly connection: Connection;
  readonly signer: NoteSigner;
}

/** The policy in a file, or the keys that the service has now, with a line for the witness. @throws {UsageError} */
async function openPolicy(file: string, { trustFirst, connection, signer }: Opening): Promise<Opened> {
  const present = await readIfPresent(file);
  if (present !== undefined) return { text: present, keys: keysIn(present, file), isNew: false };
  if (!trustFirst)
    throw new UsageError(
      `${file} does not exist. Get it from the operator, or trust the keys that the service has now with --trust-first`,
    );
  const { body } = await call(connection, getLogPolicy, {});
  const logs = Buffer.from(body.content)
    .toString()
    .split("\n")
    .filter((line) => line.startsWith("log "));
  const text = [...logs, `witness own ${cosignerKey(signer)}`, "quorum own", ""].join("\n");
  return { text, keys: keysIn(text, file), isNew: true };
}

function keysIn(policy: string, file: string): NoteKey[] {
  try {
    return logKeys(policy);
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}

interface Extension {
  readonly folder: string;
  /** The checkpoint as the service sent it. */
  readonly received: string;
  readonly keys: readonly NoteKey[];
  readonly signer: NoteSigner;
  readonly connection: Connection;
  /** Milliseconds. */
  readonly now: number;
}

/** Replaces the last checkpoint of a log. @returns what was done @throws Refused */
async function extend({ folder, received, keys, signer, connection, now }: Extension): Promise<string> {
  const latter = trustedCheckpoint(received, keys);
  const path = checkpointPath(folder, latter.origin);
  const kept = await readIfPresent(path);
  const former = kept === undefined ? undefined : ownCheckpoint(kept, path, { keys, latter });
  const time = Math.floor(now / 1000);
  const last = kept === undefined ? undefined : cosignedAt(kept, signer);
  if (former !== undefined) {
    requireGrowth(former, latter, await proofOf(former, latter, connection));
    if (former.size === latter.size) return `No new entries: ${latter.origin} has ${latter.size}`;
  }
  if (last !== undefined && time < last)
    throw new ClockSetBack(
      `this machine's clock says ${iso(time)}, but the last checkpoint was cosigned at ${iso(last)}. Set the clock`,
    );
  await putFile(path, cosigned(latter, signer, time));
  const growth = former === undefined ? "its first checkpoint here" : `${former.size} before`;
  return `Cosigned ${latter.origin}: ${latter.size} entries, ${growth}. It is in ${path}`;
}

/** @throws {UsageError} if the file is not the checkpoint of this log */
function ownCheckpoint(
  kept: string,
  path: string,
  { keys, latter }: { readonly keys: readonly NoteKey[]; readonly latter: Trusted },
): Trusted {
  try {
    const former = trustedCheckpoint(kept, keys);
    if (former.origin === latter.origin) return former;
    throw new Refused(`it is one of ${former.origin}`);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new UsageError(`The checkpoint in ${path} cannot be used: ${error.message}`);
  }
}

async function proofOf(former: Trusted, latter: Trusted, connection: Connection): Promise<readonly string[]> {
  if (former.size >= latter.size) return [];
  const { body } = await call(connection, getLogConsistency, { from: former.size, to: latter.size });
  return body.proof;
}

function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
