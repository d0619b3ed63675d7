import { join } from "node:path";
import { VERSION } from "../../../api/version.ts";
import { type BucketOptions, openBucket } from "../../store/blobs/bucket/bucket-place.ts";
import type { OnProgress } from "../../store/copy/copy-records.ts";
import type { DatabaseIdentity } from "../../store/database-identity.ts";
import { newId } from "../../store/ids.ts";
import { makeOneFile } from "../../store/sqlite/copy-pages.ts";
import { newBackupName, uploadParts, writeBackup } from "./backups.ts";
import type { NewCopy } from "./new-copy.ts";
import { Opened, scratchFolder } from "./opened.ts";

/**
 * Begins a backup in a bucket. Attachments of earlier backups of the same database are not copied again.
 */
export async function beginInBucket(
  options: BucketOptions,
  original: DatabaseIdentity | undefined,
  onProgress: OnProgress,
): Promise<NewCopy> {
  if (original === undefined) throw new Error("No service has used these records yet: start one first");
  await using opened = new Opened();
  const bucket = openBucket(options);
  opened.add(bucket.close);
  const id = `backup of ${original.id}`;
  const owner = (await bucket.owner.read()) ?? { database: id, place: newId() };
  if (owner.database !== id) {
    throw new Error(`${bucket.name} belongs to the database ${owner.database}: set --to to another prefix`);
  }
  const name = newBackupName();
  const scratch = await scratchFolder(opened);
  const file = join(scratch, "evidence.sqlite");
  return {
    name: `${bucket.name} as ${name}`,
    identity: { id: owner.database, placeId: owner.place },
    records: { file },
    place: bucket,
    scratch,
    async finish() {
      await makeOneFile(file);
      const parts = await uploadParts(file, name, { objects: bucket.objects, onProgress });
      await writeBackup(bucket.objects, name, { version: VERSION, parts });
    },
    abandon: async () => {},
    ...opened.keep(),
  };
}
