import { RECORDS_OPTIONS, withRecords, withStore } from "./served-records.ts";
import { day, textTable } from "./table.ts";
import { given, parse, type Terminal, UsageError } from "./usage.ts";

/** Makes and lists organizations, also while the service runs. */
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

async function createOrganization(
  args: readonly string[],
  { environment, print, note }: Terminal,
): Promise<number> {
  const { values, positionals } = parse(args, RECORDS_OPTIONS, 1);
  const [name] = positionals;
  if (name === undefined) throw new UsageError("Say how to call the organization: orgs create NAME");
  const { requireOrganizationName } = await import("../service/accounts/organization-name.ts");
  requireOrganizationName(name);
  const { ADMIN_ACCOUNT, makeOrganization } = await import("../service/accounts/new-organization.ts");
  const adminKey = given(environment, "EVIDENCE_ADMIN_KEY");
  const keyDescription = "made with the organization";
  const key = await withStore(values, environment, (store) =>
    store.write((db) => makeOrganization(db, { name, adminKey, keyDescription, now: Date.now() / 1000 })),
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
