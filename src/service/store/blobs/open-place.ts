import { join } from "node:path";
import type { Environment } from "../../../clouds/aws/variables.ts";
import type { Log } from "../../kernel/log.ts";
import type { BucketAddress } from "./bucket/address.ts";
import { openFolder } from "./folder-place.ts";
import type { Place } from "./place.ts";

export type PlaceSettings =
  | { readonly folder: string }
  | {
      readonly bucket: BucketAddress;
      readonly environment: Environment;
    };

export async function openPlace(settings: PlaceSettings, log: Log): Promise<Place> {
  // Other processes may use the same folder.
  if ("folder" in settings) return openFolder({ folder: settings.folder, alone: false });
  const { openBucket } = await import("./bucket/bucket-place.ts");
  return openBucket({ address: settings.bucket, environment: settings.environment, log });
}

interface Attached {
  readonly dataFolder?: string | undefined;
  readonly attachmentsAt?: PlaceSettings | undefined;
  /** Whether only this thread uses the data folder's own place. */
  readonly alone: boolean;
}

/** The configured place, or else the data folder's own. @throws Error when there is neither */
export async function openPlaceOf({ dataFolder, attachmentsAt, alone }: Attached, log: Log): Promise<Place> {
  if (attachmentsAt !== undefined) return openPlace(attachmentsAt, log);
  if (dataFolder === undefined) throw new Error("Attachments need a folder or a bucket");
  return openOwnFolder(dataFolder, alone);
}

/** The default folder for attachments in a data folder. */
export function openOwnFolder(dataFolder: string, alone = true): Promise<Place> {
  return openFolder({ folder: join(dataFolder, "files"), alone });
}
