import type { Place } from "../../store/blobs/place.ts";
import type { EmptyTables } from "../../store/copy/copy-records.ts";
import type { DatabaseIdentity } from "../../store/database-identity.ts";
import { newId } from "../../store/ids.ts";
import type { Store } from "../../store/store.ts";

/** A copy of records and attachments in the making. Until it is finished nobody serves it. */
export interface NewCopy extends AsyncDisposable {
  readonly name: string;
  /** What the copy is to be: a service that is given the attachments of another one refuses to start. */
  readonly identity: DatabaseIdentity & { readonly placeId: string };
  readonly records: { readonly file: string } | { readonly store: Store & EmptyTables };
  readonly place: Place;
  /** A folder on the local disk for files on their way. */
  readonly scratch: string;
  /** Makes it one that is served, when all that belongs to it is there and the records are closed. */
  finish(): Promise<void>;
  abandon(): Promise<void>;
}

export function newIdentity(): NewCopy["identity"] {
  return { id: newId(), placeId: newId() };
}

/** Files may be there from an interrupted copy: they are reused, and others are swept. */
export async function requireNobodys({ name, owner }: Place): Promise<void> {
  const found = await owner.read();
  if (found === undefined) return;
  throw new Error(
    `${name} holds the attachments of the database ${found.database}: give --attachments a place that is nobody's`,
  );
}
