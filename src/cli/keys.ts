import { existsSync } from "node:fs";
import type { KeyListing } from "../service/accounts/keys.ts";
import { isRole, ROLES } from "../service/kernel/roles.ts";
import type { Store } from "../service/store/store.ts";
import { DATA_OPTIONS, type Environment, given, parse, type Terminal, UsageError } from "./usage.ts";

/** Makes, lists and revokes API keys, also while the service runs. */
export async function keys([command, ...args]: readonly string[], terminal: Terminal): Promise<number> {
  const { environment, print } = terminal;
  switch (command) {
    case "create":
      return createKeyCommand(args, terminal);
    case "list": {
      const { values } = parse(args, DATA_OPTIONS);
      const { listKeys } = await import("../service/accounts/keys.ts");
      const file = await recordsIn(values.data, environment);
      const { readServedRecords } = await import("../service/store/sqlite/open-store.ts");
      const records = readServedRecords(file);
      const listed = await listKeys(records.read, now()).finally(() => records.close());
      const org = values.org ?? given(environment, "EVIDENCE_ORG");
      print(keyTable(listed.filter(({ organization }) => org === undefined || organization === org)));
      return 0;
    }
    case "revoke": {
      const { values, positionals } = parse(args, DATA_OPTIONS, 1);
      const [id] = positionals;
      if (id === undefined) throw new UsageError("Say which key to revoke: keys revoke ID");
      const { revokeKey } = await import("../service/accounts/keys.ts");
      const revoked = await withStore(values.data, environment, (store) =>
        store.write((db) => revokeKey(db, id, now())),
      );
      if (revoked === undefined) throw new UsageError(`API key not found: ${id}`);
      print("revoked");
      return 0;
    }
    default:
      throw new UsageError("Say what to do with keys: create, list or revoke");
  }
}

async function createKeyCommand(args: readonly string[], { environment, print }: Terminal): Promise<number> {
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
  const { soleOrganization } = await import("../service/accounts/organizations.ts");
  const { ensureServiceAccount } = await import("../service/accounts/records.ts");
  const { createKey } = await import("../service/accounts/keys.ts");
  const { key } = await withStore(values.data, environment, (store) =>
    store.write(async (db) => {
      const { id: orgId } = await soleOrganization(db, org);
      const accountId = await ensureServiceAccount(db, { orgId, name: account, role }, now());
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
  const file = await recordsIn(folder, environment);
  const { openServedStore } = await import("../service/store/sqlite/open-store.ts");
  const store = openServedStore(file);
  return work(store).finally(() => store.close());
}

/** The file with the records. A service makes it, no other command does. */
async function recordsIn(folder: string | undefined, environment: Environment): Promise<string> {
  const dataFolder = folder ?? given(environment, "EVIDENCE_DATA");
  if (!dataFolder) throw new UsageError("Say where the records are: --data DIR or EVIDENCE_DATA");
  const { databaseFile } = await import("../service/store/data-folder.ts");
  const file = databaseFile(dataFolder);
  if (!existsSync(file)) {
    throw new UsageError(`There are no records in ${dataFolder}: start the service on it first`);
  }
  return file;
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
