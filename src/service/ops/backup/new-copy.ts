import type { Place } from "../../store/blobs/place.ts";
import type { EmptyTables } from "../../store/copy/copy-records.ts";
import type { DatabaseIdentity } from "../../store/database-identity.ts";
import { newId } from "../../store/ids.ts";
import type { Store } from "../../store/store.ts";

/** A copy of records and attachments in progress. No service can use it until it is finished. */
export interface NewCopy extends AsyncDisposable {
  readonly name: string;
  /** The copy's identity. A service refuses to start with the attachments of another database. */
  readonly identity: DatabaseIdentity & { readonly placeId: string };
  readonly records: { readonly file: string } | { readonly store: Store & EmptyTables };
  readonly place: Place;
  /** A local folder for temporary files. */
  readonly scratch: string;
  /** Makes the copy usable, once everything is copied and the records are closed. */
  finish(): Promise<void>;
  abandon(): Promise<void>;
}

export function newIdentity(): NewCopy["identity"] {
  return { id: newId(), placeId: newId() };
}

/** Files of an interrupted copy may exist: they are reused, and others are swept. */
export async function requireUnusedPlace({ name, owner }: Place): Promise<void> {
  const found = await owner.read();
  if (found === undefined) return;
  throw new Error(
    `${name} has the attachments of the database ${found.database}: set --attachments to an unused place`,
  );
}
