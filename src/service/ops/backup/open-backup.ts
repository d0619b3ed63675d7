import type { BucketAddress, Environment } from "../../store/blobs/bucket/address.ts";
import { type Listener, type Original, openOriginal } from "./original.ts";

/** A bucket, and where credentials for it are looked for. */
export interface InBucket {
  readonly bucket: BucketAddress;
  readonly environment: Environment;
}

/** Where a backup is: a folder, or a bucket with the name of the backup there, the latest when absent. */
export type BackupAt = string | (InBucket & { readonly name?: string | undefined });

/** Opens a backup. That of a bucket brings its records to this machine first. */
export async function openBackup(backup: BackupAt, { onProgress, log }: Listener): Promise<Original> {
  if (typeof backup === "string") return openOriginal({ dataFolder: backup }, log);
  const { openInBucket } = await import("./original-in-bucket.ts");
  const { bucket: address, environment, name } = backup;
  return openInBucket({ address, environment, log }, name, onProgress);
}
