import { scopeOf, scopeText } from "../../service/kernel/scope.ts";
import type { KeyListing } from "../../service/people/accounts/keys.ts";
import { columns } from "../layout.ts";
import { day, futureTime, type Given, given, type Terminal, UsageError } from "../usage.ts";
import type { OPERATOR_COMMANDS } from "./commands.ts";
import { withRecords, withStore } from "./record-location.ts";

type Commands = typeof OPERATOR_COMMANDS;

export async function createKey(
  { values }: Given<Commands["keys create"]>,
  { environment, print }: Terminal,
): Promise<number> {
  const { account, role, flow: flows, environment: environments } = values;
  const { description = "created on the command line" } = values;
  if (!/^[a-zA-Z0-9-]{1,64}$/.test(account)) {
    throw new UsageError(`--account must be 1 to 64 letters, digits and hyphens, got '${account}'`);
  }
  const expiresAt = values.expires === undefined ? null : futureTime(values.expires, "--expires");
  const org = values.org ?? given(environment, "EVIDENCE_ORG");
  const { createOnCommandLine } = await import("../../service/people/accounts/provisioning.ts");
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

export async function listKeys(
  { values }: Given<Commands["keys list"]>,
  { environment, print }: Terminal,
): Promise<number> {
  const { listKeys: keysIn } = await import("../../service/people/accounts/keys.ts");
  const all = await withRecords(values, environment, ({ read }) => keysIn(read, now()));
  const org = values.org ?? given(environment, "EVIDENCE_ORG");
  const listed = all.filter(({ organization }) => org === undefined || organization === org);
  print(values.output === "json" ? JSON.stringify(listed.map(keyRecord), null, 2) : keyTable(listed));
  return 0;
}

export async function revokeKey(
  { values, positionals: [id = ""] }: Given<Commands["keys revoke"]>,
  { environment, print }: Terminal,
): Promise<number> {
  const { revokeOnCommandLine } = await import("../../service/people/accounts/provisioning.ts");
  const revoked = await withStore(values, environment, (store) =>
    store.write((db) => revokeOnCommandLine(db, id, now())),
  );
  if (!revoked) throw new UsageError(`API key not found: ${id}`);
  print(`Revoked API key ${id}`);
  return 0;
}

/** The key with the field names of the interface. */
function keyRecord({ id, organization, account, role, scope, createdAt, expiresAt, ...key }: KeyListing) {
  return {
    ...{ id, organization, account, role, flows: scope?.flows ?? null },
    ...{ environments: scope?.environments ?? null, may_rotate_itself: key.mayRotateItself },
    ...{ created_at: createdAt, expires_at: expiresAt, description: key.description },
  };
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
  return columns([
    ["ID", "ORGANIZATION", "ACCOUNT", "ROLE", "FOR", "CREATED", "EXPIRES", "DESCRIPTION"],
    ...rows,
  ]);
}

function now(): number {
  return Date.now() / 1000;
}

export async function createOrganization(
  { values, positionals: [name = ""] }: Given<Commands["orgs create"]>,
  { environment, print, note }: Terminal,
): Promise<number> {
  const { requireOrganizationName } = await import("../../service/people/accounts/organizations.ts");
  requireOrganizationName(name);
  const { ADMIN_ACCOUNT, makeOrganization } = await import("../../service/people/accounts/provisioning.ts");
  const adminKey = given(environment, "EVIDENCE_ADMIN_KEY");
  const keyDescription = "created with the organization";
  const key = await withStore(values, environment, (store) =>
    store.write((db) => makeOrganization(db, { name, adminKey, keyDescription, now: now() })),
  );
  const whichKey = key === undefined ? "is EVIDENCE_ADMIN_KEY" : "is shown only once";
  note(`Created organization '${name}' with the account '${ADMIN_ACCOUNT}', whose key ${whichKey}.`);
  if (key !== undefined) print(key);
  return 0;
}

export async function listOrganizations(
  { values }: Given<Commands["orgs list"]>,
  { environment, print }: Terminal,
): Promise<number> {
  const { countedOrganizations } = await import("../../service/people/accounts/organizations.ts");
  const listed = await withRecords(values, environment, ({ read }) => countedOrganizations(read));
  if (values.output === "json") {
    const records = listed.map(({ createdAt, ...counts }) => ({ ...counts, created_at: createdAt }));
    print(JSON.stringify(records, null, 2));
    return 0;
  }
  const rows = listed.map(({ name, createdAt, accounts, flows, environments }) => [
    name,
    day(createdAt),
    ...[accounts, flows, environments].map(String),
  ]);
  print(columns([["NAME", "CREATED", "ACCOUNTS", "FLOWS", "ENVIRONMENTS"], ...rows]));
  return 0;
}

export async function rotateStatementKey(
  { values, positionals: [name = ""] }: Given<Commands["orgs rotate-key"]>,
  { environment, print }: Terminal,
): Promise<number> {
  const { findOrganization } = await import("../../service/people/accounts/organizations.ts");
  const { retireStatementKey } = await import("../../service/events/statements/keys.ts");
  const retired = await withStore(values, environment, (store) =>
    store.write(async (db) => {
      const org = await findOrganization(db, name);
      if (org === undefined) throw new UsageError(`Organization '${name}' does not exist`);
      return retireStatementKey(db, org, now());
    }),
  );
  if (retired === undefined) throw new UsageError(`Organization '${name}' has no key that signs statements`);
  print(`Retired key ${retired}. The next statement creates a new one`);
  return 0;
}
