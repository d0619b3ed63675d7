import { sizeText } from "../../service/kernel/sizes.ts";
import type { Copied } from "../../service/ops/backup/copy-all.ts";
import type { BackupAt } from "../../service/ops/backup/open-backup.ts";
import type { RecordLocation } from "../../service/ops/backup/original.ts";
import { copySecretKey } from "../../service/store/secret-key-file.ts";
import { type Environment, type Given, given, type Terminal, UsageError } from "../usage.ts";
import type { OPERATOR_COMMANDS } from "./commands.ts";
import { longCommand } from "./long-command.ts";
import type { RecordsOptions } from "./options.ts";
import {
  attachmentsFrom,
  databaseFrom,
  locationFrom,
  namedPlace,
  requireFolder,
  withRecords,
  withStore,
} from "./record-location.ts";

type Commands = typeof OPERATOR_COMMANDS;

/** `backup` also works while the service runs. */
export async function backup({ values }: Given<Commands["backup"]>, terminal: Terminal): Promise<number> {
  const { environment } = terminal;
  const where = await locationFrom(values, environment);
  const to = await namedPlace(values.to, environment, values["allow-http"]);
  if (to.kind === "database")
    throw new UsageError("--to must be a folder or a bucket. To copy to a database, use the command move");
  process.umask(0o077);
  const { makeBackup } = await import("../../service/ops/backup/copies.ts");
  return longCommand(terminal, async (long) => {
    const { name, copied } = await makeBackup(where, to.kind === "folder" ? to.folder : to.at, long);
    const copy = to.kind === "folder" ? { dataFolder: to.folder } : {};
    const sides = { from: where, to: copy, records: values };
    return finish(copied, sides, terminal, `Backed up ${amountOf(copied)} to ${name}`);
  });
}

export async function restore({ values }: Given<Commands["restore"]>, terminal: Terminal): Promise<number> {
  const { environment } = terminal;
  const from = await namedPlace(values.from, environment, values["allow-http"]);
  if (from.kind === "database")
    throw new UsageError("--from must be a folder or a bucket. To copy a database, use the command move");
  if (from.kind === "folder") {
    requireFolder(from.folder);
    if (values.at !== undefined) throw new UsageError("--at needs a bucket: a folder contains one backup");
  }
  const where = await locationFrom(values, environment);
  process.umask(0o077);
  const { restoreBackup } = await import("../../service/ops/backup/copies.ts");
  return longCommand(terminal, async (long) => {
    const backup = from.kind === "folder" ? from.folder : { ...from.at, name: values.at };
    const { from: original, name, copied } = await restoreBackup(backup, where, long);
    const source = from.kind === "folder" ? { dataFolder: from.folder } : {};
    const sides = { from: source, to: where, records: values };
    const text = `Restored ${amountOf(copied)} from ${original} to ${name}. Start the service there`;
    return finish(copied, sides, terminal, text);
  });
}

/** `move` copies a stopped service to an empty place, possibly on another engine. */
export async function move({ values }: Given<Commands["move"]>, terminal: Terminal): Promise<number> {
  const { environment } = terminal;
  const side = {
    environment,
    allowHttp: values["allow-http"] ?? false,
    passwordFile: values["database-password-file"] ?? given(environment, "EVIDENCE_DATABASE_PASSWORD_FILE"),
  };
  const from = await sideOf("from", { ...side, place: values.from, attachments: values["attachments-from"] });
  const to = await sideOf("to", { ...side, place: values.to, attachments: values.attachments });
  if (from.database === undefined) requireFolder(from.dataFolder ?? "");
  process.umask(0o077);
  const { moveAll } = await import("../../service/ops/backup/copies.ts");
  return longCommand(terminal, async (long) => {
    const { from: original, name, copied } = await moveAll(from, to, long);
    const { "database-password-file": file } = values;
    const records = to.database
      ? { "database-url": values.to, "database-password-file": file }
      : { data: values.to };
    const text =
      `Moved ${amountOf(copied)} from ${original} to ${name}. Start the service there. ${original} is unchanged. ` +
      "Remove it when you no longer need it";
    return finish(copied, { from, to, records }, terminal, text);
  });
}

interface SideOptions {
  place: string;
  attachments: string | undefined;
  passwordFile: string | undefined;
  environment: Environment;
  allowHttp: boolean;
}

async function sideOf(option: "from" | "to", side: SideOptions): Promise<RecordLocation> {
  const { place, attachments, environment, allowHttp, passwordFile } = side;
  const named = await namedPlace(place, environment, allowHttp);
  if (named.kind === "bucket")
    throw new UsageError(
      `--${option} must be a data folder or a database. For a bucket, use the commands backup and restore`,
    );
  const attachmentsAt = await attachmentsFrom(attachments, environment, allowHttp);
  if (named.kind === "folder") return { dataFolder: named.folder, attachmentsAt };
  if (attachmentsAt === undefined) {
    const name = option === "from" ? "attachments-from" : "attachments";
    throw new UsageError(`With a database, --${name} is required: set it to a folder or s3://bucket/prefix`);
  }
  const database = { "database-url": named.url, "database-password-file": passwordFile };
  return { database: await databaseFrom(database, {}), attachmentsAt };
}

/** `1,204 rows in 35 tables and 12 attachments (3.4 MB), with 2 more that were there already` */
function amountOf({ records, files }: Copied): string {
  const there = files.there === 0 ? "" : `, with ${grouped(files.there)} more that were there already`;
  const rows = `${grouped(records.rows)} rows in ${records.tables} tables`;
  return `${rows} and ${attachments(files.copied)} (${sizeText(files.bytes)})${there}`;
}

/** `1 attachment`, `1,204 attachments` */
function attachments(count: number): string {
  return `${grouped(count)} ${count === 1 ? "attachment" : "attachments"}`;
}

function grouped(count: number): string {
  return count.toLocaleString("en");
}

/** Tells what a copy lacks, completes it with the key of secrets, and returns the exit status. */
async function finish({ files }: Copied, copy: Copy, terminal: Terminal, text: string): Promise<number> {
  for (const { sha256, damage } of files.damaged) {
    const problem = damage === "changed" ? "was changed" : "is missing";
    terminal.note(`delivery-evidence: Skipped attachment ${sha256}, which ${problem}`);
  }
  await bringSecretKey(copy, terminal);
  terminal.print(text);
  return files.damaged.length === 0 ? 0 : 1;
}

/** Only a folder with the records has its own key. */
type Side = Pick<RecordLocation, "dataFolder" | "database">;

interface Copy {
  readonly from: Side;
  readonly to: Side;
  /** Options to read the records. */
  readonly records: RecordsOptions;
}

/**
 * Copies the key of notification secrets between data folders. If there are secrets but no copied key, explains the
 * consequences.
 */
async function bringSecretKey({ from, to, records }: Copy, terminal: Terminal): Promise<void> {
  const [source, copy] = [keyFolderOf(from), keyFolderOf(to)];
  if (source !== undefined && copy !== undefined && (await copySecretKey(source, copy))) return;
  const { hasSecrets } = await import("../../service/delivery/rules/secrets.ts");
  if (!(await withRecords(records, terminal.environment, ({ read }) => hasSecrets(read)))) return;
  terminal.note(
    "The copy does not include the key of notification secrets. Serve it with the --secret-key-file of the " +
      "original, or the file secret.key of its data folder. With another key, set all signing secrets and tokens " +
      "again: save the rules, then call rotateSecrets and setTargetToken",
  );
}

function keyFolderOf({ dataFolder, database }: Side): string | undefined {
  return database === undefined ? dataFolder : undefined;
}

/** Lets sweeps remove files again after a copy of the records has used the same attachments. */
export async function adopt({ values }: Given<Commands["adopt"]>, terminal: Terminal): Promise<number> {
  const { environment, print } = terminal;
  const where = await locationFrom(values, environment);
  process.umask(0o077);
  const { openPlaceOf } = await import("../../service/store/blobs/open-place.ts");
  const { requireOwnPlace } = await import("../../service/ops/backup/original.ts");
  const { adoptPlace } = await import("../../service/store/blobs/sweep-fence.ts");
  const { readIdentity } = await import("../../service/store/database-identity.ts");
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

/** `verify` of records also works while the service runs. The exit status is 1 if there is a difference. */
export async function verifyRecords(
  { values }: Given<Commands["verify"]>,
  terminal: Terminal,
): Promise<number> {
  const { environment, print } = terminal;
  const backup = await backupFrom(values, terminal);
  if (values.repair) {
    if (backup !== undefined)
      throw new UsageError("--repair cannot be used with --from: a backup is not changed");
    const { repairSearch } = await import("../../service/evidence/search/index/differences.ts");
    const repaired = await withStore(values, environment, repairSearch);
    print(`Repaired the search index: ${grouped(repaired)} ${repaired === 1 ? "change" : "changes"}`);
  }
  const where = backup === undefined ? await locationFrom(values, environment) : undefined;
  const { openBackup } = await import("../../service/ops/backup/open-backup.ts");
  const { openOriginal } = await import("../../service/ops/backup/original.ts");
  const { verify: verifyAll } = await import("../../service/ops/verification/verify.ts");
  return longCommand(terminal, async (long) => {
    await using original = await (where ? openOriginal(where, long.log) : openBackup(backup ?? "", long));
    const content = { records: original.records(), place: original.place };
    const { differences, compared } = await verifyAll(content, { ...long, differs: print });
    const looked = compared ? `${grouped(compared.rows)} rows and ${attachments(compared.files)}` : "nothing";
    const found = differences === 0 ? "no difference" : `differences: ${grouped(differences)}`;
    const unnamed = compared?.unnamed ?? 0;
    const more = unnamed === 0 ? "" : `; files that no record names: ${grouped(unnamed)}`;
    print(`Verified ${looked} of ${original.name}: ${found}${more}`);
    return differences === 0 ? 0 : 1;
  });
}

async function backupFrom(
  { from, at, "allow-http": allowHttp }: Given<Commands["verify"]>["values"],
  { environment }: Terminal,
): Promise<BackupAt | undefined> {
  if (from === undefined) return undefined;
  const named = await namedPlace(from, environment, allowHttp);
  if (named.kind === "database") throw new UsageError("--from must be a folder or a bucket");
  return named.kind === "folder" ? named.folder : { ...named.at, name: at };
}
