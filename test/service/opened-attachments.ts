import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type Attachments, openAttachments } from "../../src/service/store/blobs/attachments.ts";
import { openFolder } from "../../src/service/store/blobs/folder-place.ts";
import type { Place } from "../../src/service/store/blobs/place.ts";
import type { Store } from "../../src/service/store/store.ts";

interface Opened {
  /** The folder of stored files and of incoming ones. */
  folder: string;
  store: Store;
  /** By default `files`, a folder that no other process uses. */
  place?: Place;
  /** Unix seconds. */
  now?: () => number;
  uploadTimeoutMs?: number;
}

/** Attachments of a separate instance, independent of any running service. */
export async function attachmentsIn(opened: Opened): Promise<Attachments> {
  const { folder, store, now = () => Date.now() / 1000, uploadTimeoutMs } = opened;
  const place = opened.place ?? (await openFolder({ folder: join(folder, "files"), alone: true }));
  // A folder without an owner counts as one whose share is not mounted.
  if (place.checkPresent) await place.owner.take({ database: "of the test", place: "of the test" });
  return openAttachments({
    place,
    incoming: join(folder, `incoming-${randomUUID()}`),
    store,
    now,
    ...(uploadTimeoutMs && { uploadTimeoutMs }),
  });
}
