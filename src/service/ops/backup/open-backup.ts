import type { Environment } from "../../../clouds/aws/variables.ts";
import type { BucketAddress } from "../../store/blobs/bucket/address.ts";
import { type Listener, type Original, openOriginal } from "./original.ts";

/** A bucket, and the environment with its credentials. */
export interface InBucket {
  readonly bucket: BucketAddress;
  readonly environment: Environment;
}

/** Location of a backup: a folder, or a bucket with the backup's name there, by default the latest. */
export type BackupAt = string | (InBucket & { readonly name?: string | undefined });

/** Opens a backup. The records of a backup in a bucket are first downloaded. */
export async function openBackup(backup: BackupAt, { onProgress, log }: Listener): Promise<Original> {
  if (typeof backup === "string") return openOriginal({ dataFolder: backup }, log);
  const { openInBucket } = await import("./original-in-bucket.ts");
  const { bucket: address, environment, name } = backup;
  return openInBucket({ address, environment, log }, name, onProgress);
}
