#!/usr/bin/env node
import { existsSync } from "node:fs";
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { VERSION } from "./api/version.ts";
import type { KeyListing } from "./service/keys.ts";
import { isRole, ROLES } from "./service/roles.ts";
import type { Store } from "./service/store/store.ts";

/*
 * The service and its store are loaded by the commands that need them, once their arguments are known to be
 * right: help and complaints come at once.
 */

const HELP = `Usage: delivery-evidence <command> [options]

  serve                 Start the service
    --port PORT           default 8800                    EVIDENCE_PORT
    --host HOST           default 127.0.0.1               EVIDENCE_HOST
    --data DIR            where everything is kept        EVIDENCE_DATA
    --org NAME            the organization to have        EVIDENCE_ORG
    --public-url URL      where it is reached from outside  EVIDENCE_PUBLIC_URL
                          The first start makes an admin key and prints it once,
                          or takes it from EVIDENCE_ADMIN_KEY.

  keys create           Make an API key and print it once
    --account NAME        the service account, made when it is new
    --role ROLE           of a new account: ${ROLES.join(", ")} (default reader)
    --expires DATE        such as 2027-01-31 or 2027-01-31T12:00:00Z
    --description TEXT
  keys list             List the keys that are not revoked
  keys revoke ID        Revoke a key for good
    --data DIR, --org NAME as for serve

  --help, --version
`;

/** A mistake of the user: shown as one line. */
class UsageError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

const DATA_OPTIONS = { data: { type: "string" }, org: { type: "string" } } as const;

async function main([command, ...args]: readonly string[], environment: Environment): Promise<number> {
  if (command === "help" || command === "--help" || args.includes("--help")) {
    print(HELP);
    return 0;
  }
  switch (command) {
    case "serve":
      return serve(args, environment);
    case "keys":
      return keys(args, environment);
    case "--version":
      print(VERSION);
      return 0;
    case undefined:
      throw new UsageError("Say what to do: serve or keys (--help shows how)");
    default:
      throw new UsageError(`Unknown command '${command}' (--help shows what there is)`);
  }
}

async function serve(args: readonly string[], environment: Environment): Promise<number> {
  const options = {
    ...DATA_OPTIONS,
    port: { type: "string" },
    host: { type: "string" },
    "public-url": { type: "string" },
  } as const;
  const { values } = parse(args, options);
  const dataFolder = values.data ?? given(environment, "EVIDENCE_DATA");
  if (!dataFolder) throw new UsageError("Say where to keep the records: --data DIR or EVIDENCE_DATA");
  const org = values.org ?? given(environment, "EVIDENCE_ORG");
  const adminKey = given(environment, "EVIDENCE_ADMIN_KEY");
  const publicUrl = values["public-url"] ?? given(environment, "EVIDENCE_PUBLIC_URL");
  const settings = {
    dataFolder,
    port: portNumber(values.port ?? given(environment, "EVIDENCE_PORT") ?? "8800"),
    host: values.host ?? given(environment, "EVIDENCE_HOST") ?? "127.0.0.1",
    ...(org === undefined ? {} : { org }),
    ...(adminKey === undefined ? {} : { adminKey }),
    ...(publicUrl === undefined ? {} : { publicUrl: webAddress(publicUrl) }),
    version: VERSION,
    log: (line: string) => process.stderr.write(`${new Date().toISOString()} ${line}\n`),
  };
  const { startService } = await import("./service/service.ts");
  const { address, firstKey, close } = await startService(settings);
  print(`delivery-evidence ${VERSION} listens on ${address} and keeps its records in ${dataFolder}`);
  if (firstKey !== undefined) print(`Admin API key, shown only now: ${firstKey}`);
  const status = await stopSignal();
  await close();
  return status;
}

/** Resolves with the exit status when the process is told to stop. A second signal ends it at once. */
function stopSignal(): Promise<number> {
  return new Promise((resolve) => {
    process.once("SIGTERM", () => resolve(0));
    process.once("SIGINT", () => resolve(130));
  });
}

async function keys([command, ...args]: readonly string[], environment: Environment): Promise<number> {
  switch (command) {
    case "create":
      return createKeyCommand(args, environment);
    case "list": {
      const { values } = parse(args, DATA_OPTIONS);
      const { listKeys } = await import("./service/keys.ts");
      const listed = await withStore(values.data, environment, (store) => listKeys(store.read));
      const org = values.org ?? given(environment, "EVIDENCE_ORG");
      print(keyTable(listed.filter(({ organization }) => org === undefined || organization === org)));
      return 0;
    }
    case "revoke": {
      const { values, positionals } = parse(args, DATA_OPTIONS, 1);
      const [id] = positionals;
      if (id === undefined) throw new UsageError("Say which key to revoke: keys revoke ID");
      const { revokeKey } = await import("./service/keys.ts");
      const revoked = await withStore(values.data, environment, (store) =>
        store.write((db) => revokeKey(db, id, now())),
      );
      if (!revoked) throw new UsageError(`API key not found: ${id}`);
      print("revoked");
      return 0;
    }
    default:
      throw new UsageError("Say what to do with keys: create, list or revoke");
  }
}

async function createKeyCommand(args: readonly string[], environment: Environment): Promise<number> {
  const options = {
    ...DATA_OPTIONS,
    account: { type: "string" },
    role: { type: "string" },
    expires: { type: "string" },
    description: { type: "string" },
  } as const;
  const { values } = parse(args, options);
  const { account, role, description = "made on the command line" } = values;
  if (!account) throw new UsageError("Say whose key it is: --account NAME");
  if (!/^[a-zA-Z0-9-]{1,64}$/.test(account)) {
    throw new UsageError(`'${account}' cannot name an account: up to 64 letters, digits and hyphens can`);
  }
  if (role !== undefined && !isRole(role)) {
    throw new UsageError(`'${role}' is not a role: ${ROLES.join(", ")} are`);
  }
  const expiresAt = values.expires === undefined ? null : expiryTime(values.expires);
  const org = values.org ?? given(environment, "EVIDENCE_ORG");
  const { requireServiceAccount, soleOrganization } = await import("./service/records/organizations.ts");
  const { createKey } = await import("./service/keys.ts");
  const { key } = await withStore(values.data, environment, (store) =>
    store.write(async (db) => {
      const { id: orgId } = await soleOrganization(db, org);
      const accountId = await requireServiceAccount(db, { orgId, name: account, role }, now());
      return createKey(db, { accountId, description, expiresAt, now: now() });
    }),
  );
  print(key);
  return 0;
}

async function withStore<T>(
  folder: string | undefined,
  environment: Environment,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const dataFolder = folder ?? given(environment, "EVIDENCE_DATA");
  if (!dataFolder) throw new UsageError("Say where the records are: --data DIR or EVIDENCE_DATA");
  const { databaseFile, openDataFolder } = await import("./service/store/data-folder.ts");
  if (!existsSync(databaseFile(dataFolder))) {
    throw new UsageError(`There are no records in ${dataFolder}: start the service on it first`);
  }
  const store = await openDataFolder(dataFolder);
  return work(store).finally(() => store.close());
}

function keyTable(listed: readonly KeyListing[]): string {
  const rows = listed.map((key) => [
    key.id,
    key.organization,
    key.account,
    key.role,
    day(key.createdAt),
    key.expiresAt === null ? "never" : day(key.expiresAt),
    key.description,
  ]);
  const table = [["ID", "ORGANIZATION", "ACCOUNT", "ROLE", "CREATED", "EXPIRES", "DESCRIPTION"], ...rows];
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  return table
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function parse<T extends ParseArgsOptionsConfig>(args: readonly string[], options: T, maxPositionals = 0) {
  try {
    const parsed = parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
    const surplus = parsed.positionals[maxPositionals];
    if (surplus !== undefined) throw new UsageError(`Unexpected argument '${surplus}'`);
    return parsed;
  } catch (error) {
    // Node's own text goes on to explain how to pass arguments that start with a dash.
    if (error instanceof TypeError) throw new UsageError(error.message.split(". ")[0]);
    throw error;
  }
}

/** A variable that is set to nothing counts as not set, as everywhere in workflows. */
function given(environment: Environment, name: string): string | undefined {
  return environment[name] === "" ? undefined : environment[name];
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new UsageError(`'${text}' is not a port: 0 to 65535 are`);
  return port;
}

function webAddress(text: string): string {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? "")) {
    throw new UsageError(`'${text}' is not a web address such as https://evidence.example.org`);
  }
  return text;
}

function expiryTime(text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) / 1000 : Number.NaN;
  if (Number.isNaN(time)) throw new UsageError(`'${text}' is not a date such as 2027-01-31`);
  if (time <= now()) throw new UsageError("The expiry date is in the past");
  return time;
}

function day(time: number): string {
  return new Date(time * 1000).toISOString().slice(0, 10);
}

function now(): number {
  return Date.now() / 1000;
}

function print(text: string): void {
  process.stdout.write(`${text.trimEnd()}\n`);
}

process.exitCode = 1;
try {
  process.exitCode = await main(process.argv.slice(2), process.env);
} catch (error) {
  const expected = error instanceof UsageError;
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`delivery-evidence: ${reason}\n`);
  if (!expected && error instanceof Error && error.cause !== undefined) {
    process.stderr.write(`  because: ${error.cause}\n`);
  }
}
