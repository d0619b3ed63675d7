import type { Whereabouts } from "../service/ops/backup/original.ts";
import { copySecretKey } from "../service/store/secret-key-file.ts";
import { type RecordsOptions, withRecords } from "./served-records.ts";
import type { Terminal } from "./usage.ts";

/** A place of a copy: only a folder that holds the records has a key of its own. */
type Side = Pick<Whereabouts, "dataFolder" | "database">;

interface Copy {
  readonly from: Side;
  readonly to: Side;
  /** Where the records can be read, as options. */
  readonly records: RecordsOptions;
}

/**
 * Brings the key along that the secrets of notifications are kept with, from one data folder to the other. Where there
 * are secrets and it is not brought along, says what that means.
 */
export async function bringSecretKey({ from, to, records }: Copy, terminal: Terminal): Promise<void> {
  const [source, copy] = [keptIn(from), keptIn(to)];
  if (source !== undefined && copy !== undefined && (await copySecretKey(source, copy))) return;
  const { holdsSecrets } = await import("../service/notifications/kept-secrets.ts");
  if (!(await withRecords(records, terminal.environment, ({ read }) => holdsSecrets(read)))) return;
  terminal.note(
    "The key that secrets of notifications are kept with is not part of this copy: serve it with the key of the " +
      "original, its --secret-key-file or the file secret.key of its data folder. With another key all signing " +
      "secrets and tokens must be set again: save the rules again, rotateSecrets, setTargetToken",
  );
}

function keptIn({ dataFolder, database }: Side): string | undefined {
  return database === undefined ? dataFolder : undefined;
}
