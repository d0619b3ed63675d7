import { join } from "node:path";
import type { Log } from "../../kernel/log.ts";
import type { BucketAddress, Environment } from "./bucket/address.ts";
import { openFolder } from "./folder-place.ts";
import type { Place } from "./place.ts";

export type PlaceSettings =
  | { readonly folder: string }
  | {
      readonly bucket: BucketAddress;
      readonly environment: Environment;
    };

export async function openPlace(settings: PlaceSettings, log: Log): Promise<Place> {
  // Others may have been given the same folder.
  if ("folder" in settings) return openFolder({ folder: settings.folder, alone: false });
  const { openBucket } = await import("./bucket/bucket-place.ts");
  return openBucket({ address: settings.bucket, environment: settings.environment, log });
}

interface Attached {
  readonly dataFolder?: string | undefined;
  readonly attachmentsAt?: PlaceSettings | undefined;
  /** Whether this thread alone uses the data folder's own place. */
  readonly alone: boolean;
}

/** The place that a service was given, else the data folder's own. @throws Error when there is neither */
export async function openPlaceOf({ dataFolder, attachmentsAt, alone }: Attached, log: Log): Promise<Place> {
  if (attachmentsAt !== undefined) return openPlace(attachmentsAt, log);
  if (dataFolder === undefined) throw new Error("Attachments need a place: a folder or a bucket");
  return openOwnFolder(dataFolder, alone);
}

/** The folder of a data folder that attachments are kept in unless something else is said. */
export function openOwnFolder(dataFolder: string, alone = true): Promise<Place> {
  return openFolder({ folder: join(dataFolder, "files"), alone });
}
