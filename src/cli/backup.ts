import { amountOf, noteDamaged } from "./copied.ts";
import { longCommand } from "./long-command.ts";
import { bringSecretKey } from "./secret-key-copy.ts";
import { parse, type Terminal, UsageError } from "./usage.ts";
import { namedPlace, WHEREABOUTS_OPTIONS, whereaboutsFrom } from "./whereabouts.ts";

/** Copies everything to an empty folder, or to a bucket beside earlier backups, also while the service runs. */
export async function backup(args: readonly string[], terminal: Terminal): Promise<number> {
  const { environment, print } = terminal;
  const { values } = parse(args, { ...WHEREABOUTS_OPTIONS, to: { type: "string" } });
  const where = await whereaboutsFrom(values, environment);
  if (values.to === undefined)
    throw new UsageError("Say where the backup goes: --to DIR or s3://bucket/prefix");
  const to = await namedPlace(values.to, environment, values["allow-http"]);
  if (to.kind === "database")
    throw new UsageError("A backup goes to a folder or a bucket: to a database, use move");
  process.umask(0o077);
  const { makeBackup } = await import("../service/backup/make-backup.ts");
  return longCommand(terminal, async (long) => {
    const { name, copied } = await makeBackup(where, to.kind === "folder" ? to.folder : to.at, long);
    noteDamaged(copied, terminal);
    const copy = to.kind === "folder" ? { dataFolder: to.folder } : {};
    await bringSecretKey({ from: where, to: copy, records: values }, terminal);
    print(`Backed up ${amountOf(copied)} to ${name}`);
    return copied.files.damaged.length === 0 ? 0 : 1;
  });
}
