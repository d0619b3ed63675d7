import { amountOf, noteDamaged } from "./copied.ts";
import { longCommand } from "./long-command.ts";
import { bringSecretKey } from "./secret-key-copy.ts";
import { parse, type Terminal, UsageError } from "./usage.ts";
import { namedPlace, requireFolder, WHEREABOUTS_OPTIONS, whereaboutsFrom } from "./whereabouts.ts";

/** Brings a backup to an empty place, from where it can be served. */
export async function restore(args: readonly string[], terminal: Terminal): Promise<number> {
  const { environment, print } = terminal;
  const options = { ...WHEREABOUTS_OPTIONS, from: { type: "string" }, at: { type: "string" } } as const;
  const { values } = parse(args, options);
  if (values.from === undefined)
    throw new UsageError("Say where the backup is: --from DIR or s3://bucket/prefix");
  const from = await namedPlace(values.from, environment, values["allow-http"]);
  if (from.kind === "database")
    throw new UsageError("A backup is in a folder or a bucket: from a database, use move");
  if (from.kind === "folder") {
    requireFolder(from.folder);
    if (values.at !== undefined) throw new UsageError("--at is for a bucket: a folder holds one backup");
  }
  const where = await whereaboutsFrom(values, environment);
  process.umask(0o077);
  const { restoreBackup } = await import("../service/backup/restore-backup.ts");
  return longCommand(terminal, async (long) => {
    const backup = from.kind === "folder" ? from.folder : { ...from.at, name: values.at };
    const { from: original, name, copied } = await restoreBackup(backup, where, long);
    noteDamaged(copied, terminal);
    const source = from.kind === "folder" ? { dataFolder: from.folder } : {};
    await bringSecretKey({ from: source, to: where, records: values }, terminal);
    print(`Restored ${amountOf(copied)} from ${original} to ${name}: start the service there`);
    return copied.files.damaged.length === 0 ? 0 : 1;
  });
}
