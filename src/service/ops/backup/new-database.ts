import type { Place } from "../../store/blobs/place.ts";
import type { OnProgress } from "../../store/copy/copy-records.ts";
import { shownAddress } from "../../store/postgres/address.ts";
import { fillBare } from "../../store/postgres/bare-tables.ts";
import { openPostgres, type PostgresOptions } from "../../store/postgres/open-store.ts";
import { beginCopy, finishCopy } from "../../store/schema-version.ts";
import { type NewCopy, newIdentity, requireNobodys } from "./new-copy.ts";
import { Opened, scratchFolder } from "./opened.ts";

/** The place is closed with the copy. */
export async function beginDatabase(
  database: PostgresOptions,
  place: Place,
  onProgress: OnProgress,
): Promise<NewCopy> {
  const name = shownAddress(database);
  await using opened = new Opened();
  opened.add(place.close);
  await requireNobodys(place);
  await requireNoTables(database, name);
  const store = await openPostgres({ ...database, migrate: "auto" });
  opened.add(store.close);
  await store.write(beginCopy);
  const making = (made: { done: number; of: number }) => onProgress({ step: "making indexes", ...made });
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
  const store = await openPostgres({ ...database, asTheyAre: true });
  const tables = await store.read.introspection.getTables().finally(() => store.close());
  if (tables.length > 0)
    throw new Error(`The database ${name} is not empty: make a new one, or drop its tables`);
}
