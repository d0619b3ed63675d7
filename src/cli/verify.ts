import type { BackupAt } from "../service/ops/backup/open-backup.ts";
import { attachments, grouped } from "./copied.ts";
import { longCommand } from "./long-command.ts";
import { parse, type Terminal, UsageError } from "./usage.ts";
import { namedPlace, WHEREABOUTS_OPTIONS, whereaboutsFrom } from "./whereabouts.ts";

const OPTIONS = { ...WHEREABOUTS_OPTIONS, from: { type: "string" }, at: { type: "string" } } as const;

/**
 * Looks at everything that is kept, also while the service runs, and prints each difference. The exit status is 1 when
 * there is one.
 */
export async function verify(args: readonly string[], terminal: Terminal): Promise<number> {
  const { environment, print } = terminal;
  const { values } = parse(args, OPTIONS);
  const backup = await backupFrom(values, terminal);
  const where = backup === undefined ? await whereaboutsFrom(values, environment) : undefined;
  const { openBackup } = await import("../service/ops/backup/open-backup.ts");
  const { openOriginal } = await import("../service/ops/backup/original.ts");
  const { verify: verifyAll } = await import("../service/ops/verification/verify.ts");
  return longCommand(terminal, async (long) => {
    await using original = await (where ? openOriginal(where, long.log) : openBackup(backup ?? "", long));
    const kept = { records: original.records(), place: original.place };
    const { differences, compared } = await verifyAll(kept, { ...long, differs: print });
    const looked = compared ? `${grouped(compared.rows)} rows and ${attachments(compared.files)}` : "nothing";
    const found = differences === 0 ? "no difference" : `differences: ${grouped(differences)}`;
    const unnamed = compared?.unnamed ?? 0;
    const more = unnamed === 0 ? "" : `; files that no record names: ${grouped(unnamed)}`;
    print(`Verified ${looked} of ${original.name}: ${found}${more}`);
    return differences === 0 ? 0 : 1;
  });
}

/** The backup that `--from` names. */
async function backupFrom(
  {
    from,
    at,
    "allow-http": allowHttp,
  }: { from?: string | undefined; at?: string | undefined; "allow-http"?: boolean | undefined },
  { environment }: Terminal,
): Promise<BackupAt | undefined> {
  if (from === undefined) return undefined;
  const named = await namedPlace(from, environment, allowHttp);
  if (named.kind === "database") throw new UsageError("--from is a backup: a folder or a bucket");
  return named.kind === "folder" ? named.folder : { ...named.at, name: at };
}
