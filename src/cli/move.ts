import type { Whereabouts } from "../service/ops/backup/original.ts";
import { attachmentsFrom } from "./attachments-option.ts";
import { amountOf, noteDamaged } from "./copied.ts";
import { databaseFrom } from "./database-options.ts";
import { longCommand } from "./long-command.ts";
import { bringSecretKey } from "./secret-key-copy.ts";
import { type Environment, given, parse, type Terminal, UsageError } from "./usage.ts";
import { namedPlace, requireFolder } from "./whereabouts.ts";

const OPTIONS = {
  from: { type: "string" },
  to: { type: "string" },
  "attachments-from": { type: "string" },
  attachments: { type: "string" },
  "database-password-file": { type: "string" },
  "allow-http": { type: "boolean" },
} as const;

/** Copies everything of a service that is stopped to an empty place, on this engine or another one. */
export async function move(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values } = parse(args, OPTIONS);
  const { environment, print } = terminal;
  const side = {
    environment,
    allowHttp: values["allow-http"] ?? false,
    passwordFile: values["database-password-file"] ?? given(environment, "EVIDENCE_DATABASE_PASSWORD_FILE"),
  };
  const from = await sideOf("from", { ...side, place: values.from, attachments: values["attachments-from"] });
  const to = await sideOf("to", { ...side, place: values.to, attachments: values.attachments });
  if (from.database === undefined) requireFolder(from.dataFolder ?? "");
  process.umask(0o077);
  const { moveAll } = await import("../service/backup/move-all.ts");
  return longCommand(terminal, async (long) => {
    const { from: original, name, copied } = await moveAll(from, to, long);
    noteDamaged(copied, terminal);
    const { "database-password-file": file } = values;
    const records = to.database
      ? { "database-url": values.to, "database-password-file": file }
      : { data: values.to };
    await bringSecretKey({ from, to, records }, terminal);
    print(
      `Moved ${amountOf(copied)} from ${original} to ${name}: start the service there. ${original} is as it was: ` +
        "remove it when you no longer need it",
    );
    return copied.files.damaged.length === 0 ? 0 : 1;
  });
}

interface Side {
  place: string | undefined;
  attachments: string | undefined;
  passwordFile: string | undefined;
  environment: Environment;
  allowHttp: boolean;
}

async function sideOf(option: "from" | "to", side: Side): Promise<Whereabouts> {
  const { place, attachments, environment, allowHttp, passwordFile } = side;
  if (place === undefined)
    throw new UsageError(`Say --${option}: a data folder or postgres://user@host:5432/name`);
  const named = await namedPlace(place, environment, allowHttp);
  if (named.kind === "bucket") throw new UsageError(`--${option} cannot be a bucket: use backup and restore`);
  const attachmentsAt = await attachmentsFrom(attachments, environment, allowHttp);
  const more = attachmentsAt === undefined ? {} : { attachmentsAt };
  if (named.kind === "folder") return { dataFolder: named.folder, ...more };
  if (attachmentsAt === undefined) {
    const name = option === "from" ? "attachments-from" : "attachments";
    throw new UsageError(`Say where the attachments of --${option} are: --${name} DIR or s3://bucket/prefix`);
  }
  const file = passwordFile === undefined ? {} : { "database-password-file": passwordFile };
  const database = await databaseFrom({ "database-url": named.url, ...file }, {});
  return { ...(database && { database }), ...more };
}
