import type { Place } from "../../store/blobs/place.ts";
import type { OnProgress } from "../../store/copy/copy-records.ts";
import { shownAddress } from "../../store/postgres/address.ts";
import { fillBare } from "../../store/postgres/bare-tables.ts";
import { openPostgres, type PostgresOptions } from "../../store/postgres/open-store.ts";
import { beginCopy, finishCopy } from "../../store/schema-version.ts";
import { type NewCopy, newIdentity, requireUnusedPlace } from "./new-copy.ts";
import { Opened, scratchFolder } from "./opened.ts";

/** Closing the copy also closes the place. */
export async function beginDatabase(
  database: PostgresOptions,
  place: Place,
  onProgress: OnProgress,
): Promise<NewCopy> {
  const name = shownAddress(database);
  await using opened = new Opened();
  opened.add(place.close);
  await requireUnusedPlace(place);
  await requireNoTables(database, name);
  const store = await openPostgres({ ...database, migrate: "auto" });
  opened.add(store.close);
  await store.write(beginCopy);
  const making = (made: { done: number; of: number }) => onProgress({ step: "creating indexes", ...made });
  return {
    name,
    identity: newIdentity(),
    records: { store: { ...store, filling: (fill) => fillBare(database, { fill, onProgress: making }) } },
    place,
    scratch: await scratchFolder(opened),
    finish: () => store.write(finishCopy),
    abandon: async () => {},
    ...opened.keep(),
  };
}

async function requireNoTables(database: PostgresOptions, name: string): Promise<void> {
  const store = await openPostgres({ ...database, skipUpgrade: true });
  const tables = await store.read.introspection.getTables().finally(() => store.close());
  if (tables.length > 0)
    throw new Error(`The database ${name} is not empty: create a new one, or drop its tables`);
}
