import { isRole, ROLES } from "../service/kernel/caller.ts";
import { scopeOf, scopeText } from "../service/kernel/scope.ts";
import type { KeyListing } from "../service/people/accounts/keys.ts";
import { day, futureTime, given, options, parse, type Terminal, UsageError } from "./usage.ts";
import { RECORDS_OPTIONS, withRecords, withStore } from "./whereabouts.ts";

const OPTIONS = { ...RECORDS_OPTIONS, ...options(["org"]) };

/** `keys` also works while the service runs. */
export async function keys([command, ...args]: readonly string[], terminal: Terminal): Promise<number> {
  const { environment, print } = terminal;
  switch (command) {
    case "create":
      return createKeyCommand(args, terminal);
    case "list": {
      const { values } = parse(args, OPTIONS);
      const { listKeys } = await import("../service/people/accounts/keys.ts");
      const listed = await withRecords(values, environment, ({ read }) => listKeys(read, now()));
      const org = values.org ?? given(environment, "EVIDENCE_ORG");
      print(keyTable(listed.filter(({ organization }) => org === undefined || organization === org)));
      return 0;
    }
    case "revoke": {
      const { values, positionals } = parse(args, OPTIONS, 1);
      const [id] = positionals;
      if (id === undefined) throw new UsageError("Say which key to revoke: keys revoke ID");
      const { revokeOnCommandLine } = await import("../service/people/accounts/provisioning.ts");
      const revoked = await withStore(values, environment, (store) =>
        store.write((db) => revokeOnCommandLine(db, id, now())),
      );
      if (!revoked) throw new UsageError(`API key not found: ${id}`);
      print("revoked");
      return 0;
    }
    default:
      throw new UsageError("Say what to do with keys: create, list or revoke");
  }
}

async function createKeyCommand(args: readonly string[], { environment, print }: Terminal): Promise<number> {
  const own = options(
    ["account", "role", "expires", "description"],
    ["flow", "environment"],
    ["may-rotate-itself"],
  );
  const { values } = parse(args, { ...OPTIONS, ...own });
  const { account, role, flow: flows, environment: environments } = values;
  const { description = "made on the command line" } = values;
  if (!account) throw new UsageError("Say whose key it is: --account NAME");
  if (!/^[a-zA-Z0-9-]{1,64}$/.test(account)) {
    throw new UsageError(`'${account}' cannot name an account: up to 64 letters, digits and hyphens can`);
  }
  if (role !== undefined && !isRole(role)) {
    throw new UsageError(`'${role}' is not a role: ${ROLES.join(", ")} are`);
  }
  const expiresAt = values.expires === undefined ? null : futureTime(values.expires);
  const org = values.org ?? given(environment, "EVIDENCE_ORG");
  const { createOnCommandLine } = await import("../service/people/accounts/provisioning.ts");
  const key = await withStore(values, environment, (store) =>
    store.write((db) =>
      createOnCommandLine(db, {
        org,
        account,
        role,
        description,
        expiresAt,
        scope: scopeOf({ flows, environments }),
        mayRotateItself: values["may-rotate-itself"],
        now: now(),
      }),
    ),
  );
  print(key);
  return 0;
}

function keyTable(listed: readonly KeyListing[]): string {
  const rows = listed.map((key) => [
    key.id,
    key.organization,
    key.account,
    key.role,
    scopeText(key.scope) || "all",
    day(key.createdAt),
    key.expiresAt === null ? "never" : day(key.expiresAt),
    key.description,
  ]);
  return textTable([
    ["ID", "ORGANIZATION", "ACCOUNT", "ROLE", "FOR", "CREATED", "EXPIRES", "DESCRIPTION"],
    ...rows,
  ]);
}

function now(): number {
  return Date.now() / 1000;
}

/** `orgs` also works while the service runs. */
export async function orgs([command, ...args]: readonly string[], terminal: Terminal): Promise<number> {
  switch (command) {
    case "create":
      return createOrganization(args, terminal);
    case "list":
      return listOrganizations(args, terminal);
    default:
      throw new UsageError("Say what to do with organizations: create or list");
  }
}

async function createOrganization(args: readonly string[], { environment, print, note }: Terminal) {
  const { values, positionals } = parse(args, RECORDS_OPTIONS, 1);
  const [name] = positionals;
  if (name === undefined) throw new UsageError("Say how to call the organization: orgs create NAME");
  const { requireOrganizationName } = await import("../service/people/accounts/organizations.ts");
  requireOrganizationName(name);
  const { ADMIN_ACCOUNT, makeOrganization } = await import("../service/people/accounts/provisioning.ts");
  const adminKey = given(environment, "EVIDENCE_ADMIN_KEY");
  const keyDescription = "made with the organization";
  const key = await withStore(values, environment, (store) =>
    store.write((db) => makeOrganization(db, { name, adminKey, keyDescription, now: now() })),
  );
  const whichKey = key === undefined ? "is that of EVIDENCE_ADMIN_KEY" : "is shown only now";
  note(
    `Organization '${name}' is there, with the account '${ADMIN_ACCOUNT}'. The account's key ${whichKey}.`,
  );
  if (key !== undefined) print(key);
  return 0;
}

async function listOrganizations(args: readonly string[], { environment, print }: Terminal): Promise<number> {
  const { values } = parse(args, RECORDS_OPTIONS);
  const { countedOrganizations } = await import("../service/people/accounts/organizations.ts");
  const listed = await withRecords(values, environment, ({ read }) => countedOrganizations(read));
  const rows = listed.map(({ name, createdAt, accounts, flows, environments }) => [
    name,
    day(createdAt),
    ...[accounts, flows, environments].map(String),
  ]);
  print(textTable([["NAME", "CREATED", "ACCOUNTS", "FLOWS", "ENVIRONMENTS"], ...rows]));
  return 0;
}

/** Aligned columns. The first row is the heading. */
function textTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
