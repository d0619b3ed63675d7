import { withStore } from "./served-records.ts";
import { parse, type Terminal } from "./usage.ts";
import { WHEREABOUTS_OPTIONS, whereaboutsFrom } from "./whereabouts.ts";

/** Lets the sweeps of these records remove files again, after a copy of the records has used the same attachments. */
export async function adopt(args: readonly string[], terminal: Terminal): Promise<number> {
  const { environment, print } = terminal;
  const { values } = parse(args, WHEREABOUTS_OPTIONS);
  const where = await whereaboutsFrom(values, environment);
  process.umask(0o077);
  const { openPlaceOf } = await import("../service/store/blobs/open-place.ts");
  const { requireOwnPlace } = await import("../service/ops/backup/original.ts");
  const { adoptPlace } = await import("../service/store/blobs/sweep-fence.ts");
  const { readIdentity } = await import("../service/store/database-identity.ts");
  return withStore(values, environment, async (store) => {
    const log = () => {};
    const place = await openPlaceOf({ ...where, alone: false }, log);
    try {
      await requireOwnPlace({ name: "these records", place, identity: await readIdentity(store.read) });
      await adoptPlace({ store, place });
    } finally {
      await place.close();
    }
    print(`Adopted ${place.name}: sweeps of these records remove unused files from it again`);
    return 0;
  });
}
