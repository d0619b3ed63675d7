import { readFile } from "node:fs/promises";
import { type Given, given, type Terminal, UsageError } from "../usage.ts";
import type { OPERATOR_COMMANDS } from "./commands.ts";
import { locationFrom, withStore } from "./record-location.ts";

type Commands = typeof OPERATOR_COMMANDS;

const log = () => {};

/** `log fsck` also works while the service runs. The exit status is 1 if there is a difference. */
export async function fsck({ values }: Given<Commands["log fsck"]>, terminal: Terminal): Promise<number> {
  const { environment, print } = terminal;
  const where = await locationFrom(values, environment);
  const { openPlaceOf } = await import("../../service/store/blobs/open-place.ts");
  const { logDifferences } = await import("../../service/ops/verification/log-differences.ts");
  return withStore(values, environment, async (store) => {
    const place = await openPlaceOf({ ...where, alone: false }, log);
    let [found, checked] = [0, 0];
    try {
      const onChecked = (events: number) => {
        checked += events;
      };
      for await (const difference of logDifferences(store, place.checkpoints, onChecked)) {
        found++;
        print(difference);
      }
    } finally {
      await place.close();
    }
    const events = `${checked.toLocaleString("en-US")} events`;
    print(found === 0 ? `Checked ${events}: no difference` : `Checked ${events}: differences: ${found}`);
    return found === 0 ? 0 : 1;
  });
}

/** Proves that restored records continue the last checkpoint, so that the service signs again. */
export async function continueLog(
  { values }: Given<Commands["log continue"]>,
  terminal: Terminal,
): Promise<number> {
  const { environment, print } = terminal;
  const org = values.org ?? given(environment, "EVIDENCE_ORG");
  if (org === undefined) throw new UsageError("--org NAME is missing");
  const where = await locationFrom(values, environment);
  const note = await readFile(values.checkpoint, "utf8").catch((cause: unknown) => {
    throw new UsageError(`--checkpoint: cannot read ${values.checkpoint}`, { cause });
  });
  process.umask(0o077);
  const { openPlaceOf } = await import("../../service/store/blobs/open-place.ts");
  const { requireCheckpoint } = await import("../../service/ops/verification/log-differences.ts");
  return withStore(values, environment, async (store) => {
    const place = await openPlaceOf({ ...where, alone: false }, log);
    try {
      const { orgId, size } = await requireCheckpoint(store.read, org, note);
      await place.checkpoints.replace(orgId, note);
      print(`The records continue this checkpoint of ${size} entries. The service signs the next one`);
    } finally {
      await place.close();
    }
    return 0;
  });
}
