import { openOwnFolder, openPlace } from "../../store/blobs/open-place.ts";
import { liveInstances } from "../../store/instances.ts";
import { lockFolder } from "../../store/sqlite/folder-lock.ts";
import { copyAll } from "./copy-all.ts";
import type { NewCopy } from "./new-copy.ts";
import { beginFolder } from "./new-folder.ts";
import { type BackupAt, type InBucket, openBackup } from "./open-backup.ts";
import { type Listener, type Original, openOriginal, type RecordLocation } from "./original.ts";

/** Makes a backup. Services may keep running. */
export async function makeBackup(where: RecordLocation, to: string | InBucket, listener: Listener) {
  await using original = await openOriginal(where, listener.log);
  // Older records are not upgraded, because an older service may be using them.
  original.records();
  await using copy = await (typeof to === "string"
    ? beginFolder(to, undefined, listener.log)
    : beginInBucket(to, original, listener));
  return { from: original.name, name: copy.name, copied: await copyAll(original, copy, listener) };
}

async function beginInBucket(to: InBucket, { identity }: Original, { onProgress, log }: Listener) {
  const { beginInBucket: begin } = await import("./new-in-bucket.ts");
  return begin({ address: to.bucket, environment: to.environment, log }, identity, onProgress);
}

/** Copies a backup to an empty place with a new identity. The backup and its original do not change. */
export async function restoreBackup(backup: BackupAt, to: RecordLocation, listener: Listener) {
  await using original = await openBackup(backup, listener);
  await using copy = await beginServable(to, listener);
  return { from: original.name, name: copy.name, copied: await copyAll(original, copy, listener) };
}

/** @throws Error when a service runs on the records, because it could record something that the copy lacks */
export async function moveAll(from: RecordLocation, to: RecordLocation, listener: Listener) {
  using _ = locked(from);
  await using original = await openOriginal(from, listener.log);
  const requireIdle = () => requireNoInstance(original);
  await requireIdle();
  await using copy = await beginServable(to, listener);
  const beforeFinish = async () => {
    await requireIdle();
    await carryCheckpoints(original, copy);
  };
  const copied = await copyAll(original, copy, { ...listener, beforeFinish });
  return { from: original.name, name: copy.name, copied };
}

/** The copy has every event, unlike a backup, so it continues the checkpoints. */
async function carryCheckpoints({ former, records, place }: Original, copy: NewCopy): Promise<void> {
  // Records from before the baseline have no log.
  if (former !== undefined) return;
  for (const { org_id } of await records().read.selectFrom("logs").select("org_id").execute()) {
    const checkpoint = await place.checkpoints.read(org_id);
    if (checkpoint !== undefined) await copy.place.checkpoints.replace(org_id, checkpoint);
  }
}

/** Locks a data folder against services. Services on a database are found by their rows in `instances`. */
function locked({ dataFolder, database }: RecordLocation): Disposable {
  const unlock =
    dataFolder === undefined || database !== undefined
      ? () => {}
      : lockFolder(dataFolder, `A service runs on ${dataFolder}: stop it first`);
  return { [Symbol.dispose]: unlock };
}

async function requireNoInstance({ name, file, former, records }: Original): Promise<void> {
  if (file !== undefined) return;
  const [instance] = await liveInstances((former?.records ?? records()).read);
  if (instance === undefined) return;
  throw new Error(
    `A service on ${instance.host} uses ${name}: stop the service first. If it was killed, wait 15 seconds`,
  );
}

/** Begins a copy that a service can use: in a new data folder, or in a database without tables. */
async function beginServable(
  { dataFolder, database, attachmentsAt }: RecordLocation,
  { onProgress, log }: Listener,
): Promise<NewCopy> {
  if (database === undefined) return beginFolder(dataFolder ?? "", attachmentsAt, log);
  const { beginDatabase } = await import("./new-database.ts");
  const place = await (attachmentsAt ? openPlace(attachmentsAt, log) : openOwnFolder(dataFolder ?? ""));
  return beginDatabase(database, place, onProgress);
}
