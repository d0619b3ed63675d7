import type { NewCopy } from "../ops/backup/new-copy.ts";
import type { Place } from "../store/blobs/place.ts";
import { newId } from "../store/ids.ts";

export function newIdentity(): NewCopy["identity"] {
  return { id: newId(), placeId: newId() };
}

/**
 * Makes sure that a place belongs to no database. Files may be there, as after a copy that was broken off: those that
 * the copy names are not copied again, and others are swept like all that no record names.
 */
export async function requireNobodys({ name, owner }: Place): Promise<void> {
  const found = await owner.read();
  if (found === undefined) return;
  throw new Error(
    `${name} holds the attachments of the database ${found.database}: give --attachments a place that is nobody's`,
  );
}
