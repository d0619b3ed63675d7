import type { Place } from "../../store/blobs/place.ts";
import type { EmptyTables } from "../../store/copy/copy-records.ts";
import type { DatabaseIdentity } from "../../store/database-identity.ts";
import type { Store } from "../../store/store.ts";

/** A copy of records and attachments in the making. Until it is finished nobody serves it. */
export interface NewCopy extends AsyncDisposable {
  /** As an operator knows it, without a password. */
  readonly name: string;
  /** What the copy is to be: a service that is given the attachments of another one refuses to start. */
  readonly identity: DatabaseIdentity & { readonly placeId: string };
  /** Where the records go: a SQLite file that is not there yet, or tables that hold none. */
  readonly records: { readonly file: string } | { readonly store: Store & EmptyTables };
  /** Where the attachments go. */
  readonly place: Place;
  /** A folder on the local disk for files on their way. */
  readonly scratch: string;
  /** Makes it one that is served, when all that belongs to it is there and the records are closed. */
  finish(): Promise<void>;
  /** Removes what was made for it, as far as that can be done. */
  abandon(): Promise<void>;
}
