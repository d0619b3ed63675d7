import { call } from "../api/client/call.ts";
import { connect } from "../api/client/connection.ts";
import type { AnswerOf } from "../api/operation.ts";
import { getCurrentUser } from "../api/resources/organizations.ts";
import type { COMMANDS } from "./commands.ts";
import { openConnection } from "./connection-options.ts";
import { beginDeviceLogin, connectAsNobody, type Granted, grantOf, revokeToken } from "./device-login.ts";
import { columns } from "./layout.ts";
import { openBrowser } from "./open-browser.ts";
import { findLogin, openLoginStore, removeLogin, serviceAddress } from "./stored-logins.ts";
import { type Environment, type Given, given, minute, type Terminal, UsageError } from "./usage.ts";

type Commands = typeof COMMANDS;
type User = AnswerOf<typeof getCurrentUser>;

export async function login(
  { values }: Given<Commands["login"]>,
  { environment, note, print }: Terminal,
): Promise<number> {
  const baseUrl = addressIn(values, environment);
  if (baseUrl === undefined) throw new UsageError("--base-url URL or EVIDENCE_BASE_URL is required");
  const service = { baseUrl, allowHttp: values["allow-http"] ?? false, environment, note };
  const wanted = values.org ?? given(environment, "EVIDENCE_ORG");
  const connection = connectAsNobody(service);
  try {
    const logins = await openLoginStore(environment);
    const begun = await beginDeviceLogin(connection, wanted);
    const { verification_uri: page, verification_uri_complete: link = page, user_code: code } = begun;
    note(`Open ${link}\nand approve the code ${code} if the page shows the same code. Waiting…`);
    openBrowser(link, environment);
    const granted = await grantOf(connection, begun);
    const url = serviceAddress(baseUrl);
    const earlier = await findLogin(environment, url);
    try {
      const user = await ownerOf(granted, service);
      const org = orgOf(user, wanted);
      await logins.store({ url, token: granted.token, org, expires_at: granted.expiresAt });
      print(`Signed in to ${url} as ${user.name}, until ${minute(granted.expiresAt)}`);
      if (org === null) note(`Name an organization with --org: ${namesIn(user)}`);
    } catch (error) {
      await revokeToken(connection, granted.token).catch(() => {});
      throw error;
    }
    // A session that nothing uses any more.
    if (earlier !== undefined) await revokeToken(connection, earlier.token).catch(() => {});
  } finally {
    await connection.close();
  }
  if (given(environment, "EVIDENCE_API_KEY") !== undefined)
    note("EVIDENCE_API_KEY is set, and commands use that key instead of this login.");
  return 0;
}

function addressIn(values: { readonly "base-url"?: string | undefined }, environment: Environment) {
  return values["base-url"] ?? given(environment, "EVIDENCE_BASE_URL");
}

type Service = Parameters<typeof connectAsNobody>[0];

async function ownerOf({ token }: Granted, { baseUrl, allowHttp, environment }: Service): Promise<User> {
  const accessTokens = { current: async () => token };
  const named = { baseUrl, allowHttp, org: "unnamed", proxyVariables: environment };
  const connection = connect({ ...named, accessTokens }, "options");
  try {
    return (await call(connection, getCurrentUser, {})).body;
  } finally {
    await connection.close();
  }
}

/** The wanted organization, or the only one. @throws {UsageError} if the person is not a member */
function orgOf(user: User, wanted: string | undefined): string | null {
  const names = user.organizations.map(({ name }) => name);
  if (wanted === undefined) return names.length === 1 ? (names[0] ?? null) : null;
  if (names.includes(wanted)) return wanted;
  throw new UsageError(`${user.name} does not belong to '${wanted}', only to ${namesIn(user)}`);
}

function namesIn({ organizations }: User): string {
  return organizations.map(({ name }) => name).join(", ");
}

export async function logout(
  { values }: Given<Commands["logout"]>,
  { environment, note, print }: Terminal,
): Promise<number> {
  const baseUrl = addressIn(values, environment);
  const stored = await findLogin(environment, baseUrl);
  if (stored === undefined) {
    const where = baseUrl === undefined ? "" : ` to ${serviceAddress(baseUrl)}`;
    throw new UsageError(`You are not signed in${where}`);
  }
  const { url, token, expires_at } = stored;
  const service = { baseUrl: url, allowHttp: values["allow-http"] ?? false, environment, note };
  const connection = connectAsNobody(service);
  try {
    if (expires_at > Date.now() / 1000) await revokeToken(connection, token);
  } catch (error) {
    note(`The login was removed here. At the service, it ends at ${minute(expires_at)}.`);
    throw error;
  } finally {
    await connection.close();
    await removeLogin(environment, stored);
  }
  print(`Signed out of ${url}`);
  return 0;
}

/** `flows:web,api environments:prod`; empty for all. */
function scopeText(scope: Readonly<Record<string, readonly string[] | null | undefined>>): string {
  const parts = Object.entries(scope).map(([kind, names]) => names?.length && `${kind}:${names.join(",")}`);
  return parts.filter(Boolean).join(" ");
}

const KINDS = { person: "a person", service_account: "a service account", workflow: "a workflow" };

export async function whoami({ values }: Given<Commands["whoami"]>, terminal: Terminal): Promise<number> {
  await using connection = await openConnection(values, terminal, "unnamed");
  const { body: user } = await call(connection, getCurrentUser, {});
  const { login: used, baseUrl } = connection;
  const until = used === undefined ? "" : `, signed in until ${minute(used.expires_at)}`;
  terminal.print(`${user.name}, ${KINDS[user.kind]} at ${serviceAddress(baseUrl)}${until}`);
  const rows = user.organizations.map(({ name, account, role, flows, environments }) => [
    ...[name, account, role],
    scopeText({ flows, environments }) || "all",
  ]);
  terminal.print(columns([["ORGANIZATION", "ACCOUNT", "ROLE", "FOR"], ...rows]));
  return 0;
}
