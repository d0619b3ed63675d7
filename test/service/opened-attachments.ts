import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type Attachments, openAttachments } from "../../src/service/store/blobs/attachments.ts";
import { openFolder } from "../../src/service/store/blobs/folder-place.ts";
import type { Place } from "../../src/service/store/blobs/place.ts";
import type { Store } from "../../src/service/store/store.ts";

interface Opened {
  /** Holds the files that are kept, and those that arrive. */
  folder: string;
  store: Store;
  /** By default the folder `files`, which no other process uses. */
  place?: Place;
  /** Unix seconds. */
  now?: () => number;
  uploadTimeoutMs?: number;
}

/** The attachments of an instance of its own, beside any service that runs. */
export async function attachmentsIn(opened: Opened): Promise<Attachments> {
  const { folder, store, now = () => Date.now() / 1000, uploadTimeoutMs } = opened;
  const place = opened.place ?? (await openFolder({ folder: join(folder, "files"), alone: true }));
  return openAttachments({
    place,
    incoming: join(folder, `incoming-${randomUUID()}`),
    store,
    now,
    ...(uploadTimeoutMs && { uploadTimeoutMs }),
  });
}
