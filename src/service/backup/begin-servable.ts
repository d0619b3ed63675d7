import type { NewCopy } from "../ops/backup/new-copy.ts";
import { beginFolder } from "../ops/backup/new-folder.ts";
import type { Whereabouts } from "../ops/backup/original.ts";
import { openOwnFolder, openPlace } from "../store/blobs/open-place.ts";
import type { Listener } from "./listener.ts";

/** Begins a copy that is to be served: in a new data folder, or in a database without tables. */
export async function beginServable(
  { dataFolder, database, attachmentsAt }: Whereabouts,
  { onProgress, log }: Listener,
): Promise<NewCopy> {
  if (database === undefined) return beginFolder(dataFolder ?? "", attachmentsAt, log);
  const { beginDatabase } = await import("../ops/backup/new-database.ts");
  const place = await (attachmentsAt ? openPlace(attachmentsAt, log) : openOwnFolder(dataFolder ?? ""));
  return beginDatabase(database, place, onProgress);
}
