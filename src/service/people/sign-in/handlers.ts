import type { LoginProviderRecord } from "../../../api/resources/login-providers.ts";
import { checkTarget } from "../../delivery/outgoing/target-address.ts";
import { openedIn } from "../../delivery/rules/secrets.ts";
import { record, recordChange } from "../../events/record.ts";
import type { ActContext, Organization } from "../../kernel/caller.ts";
import { invalidInput, NotFound } from "../../kernel/errors.ts";
import type { ServiceContext } from "../../operation/context.ts";
import { type Call, type Handler, requestContextOf } from "../../operation/handler.ts";
import { newId } from "../../store/ids.ts";
import type { Store } from "../../store/store.ts";
import type { Database } from "../../store/tables.ts";
import { hashOf } from "../accounts/keys.ts";
import { endMembership } from "../members/memberships.ts";
import { followMany, linkedUserIds, provisionedOrganizations, settlePending } from "../scim/pending.ts";
import { type ProviderSettings, secretOwner, settingsIn, storedProvider } from "./stored-providers.ts";

/** Maximum number of login providers of an organization. */
const MOST_PROVIDERS = 20;

type Stored = NonNullable<Awaited<ReturnType<typeof findStored>>>;

export const putLoginProvider: Handler<"putLoginProvider"> = async (call, context) => {
  const { org, caller, body } = call;
  const { name, clientSecret } = body;
  const problem = checkTarget(body.issuer, context.targetRules);
  if (problem !== undefined) throw invalidInput({ issuer: problem.message });
  if (org.name !== context.operators && body.roleMap.some((line) => (line.org ?? org.name) !== org.name))
    throw invalidInput({ role_map: `A provider of ${org.name} gives roles in ${org.name} only` });
  const by = requestContextOf(call, context);
  const settings = settingsOf(body);
  const write = writerFor(org, context);
  const following = (stored: Stored, each: Organization) => ({
    ...{ org: each, by: actIn(each, by, settings), provider: storedProvider(stored, org, context) },
  });
  const stored = await write(async (db) => {
    const known = await findStored(db, org, name);
    if (known === undefined && (await storedOf(db, org)).length >= MOST_PROVIDERS)
      throw invalidInput({ name: `An organization may have at most ${MOST_PROVIDERS} login providers` });
    // Otherwise an admin could send the secret, which no one can read, to an address of their own.
    if (
      clientSecret === undefined &&
      known?.client_secret &&
      settingsIn(known.settings).issuer !== body.issuer
    )
      throw invalidInput({ client_secret: "Enter the client secret again, because the issuer changes" });
    const id = known?.id ?? newId();
    const fields = {
      settings: JSON.stringify(settings),
      client_secret: sealedSecret(clientSecret, { id, known }, context),
    };
    if (known === undefined) {
      const made = { id, org_id: org.id, name, created_by: caller.accountName, created_at: by.now };
      await db
        .insertInto("login_providers")
        .values({ ...made, ...fields })
        .execute();
    } else {
      await db.updateTable("login_providers").set(fields).where("id", "=", id).execute();
      // The people of another issuer or client are others.
      const before = settingsIn(known.settings);
      if (before.issuer !== settings.issuer || before.client_id !== settings.client_id)
        await endSessionsBy(db, addressName(org, name));
      for (const each of await provisionedOrganizations(db, addressName(org, name))) {
        const its = following({ ...known, ...fields }, each);
        const [kept] = await followMany(db, its, await linkedUserIds(db, its));
        if (kept !== undefined)
          throw invalidInput({
            role_map: `${kept.name} is the last admin of ${each.name}: create another admin before you change the roles`,
          });
      }
    }
    await recordChange(db, by, {
      type: known === undefined ? "login_provider.created" : "login_provider.changed",
      subject: { name, id },
      before: known && audited(known),
      after: audited(fields),
    });
    return findStored(db, org, name);
  });
  if (stored === undefined) throw unknown(name);
  const { read } = context.store;
  for (const each of await provisionedOrganizations(read, addressName(org, name)))
    await settlePending({ ...following(stored, each), store: { read, write } });
  return { status: 200, body: view(stored, org, context) };
};

export const listLoginProviders: Handler<"listLoginProviders"> = async ({ org }, context) => {
  const stored = await storedOf(context.store.read, org);
  return { status: 200, body: stored.map((each) => view(each, org, context)) };
};

export const deleteLoginProvider: Handler<"deleteLoginProvider"> = async (call, context) => {
  const { org, params } = call;
  const name = params.providerName;
  const by = requestContextOf(call, context);
  await writerFor(
    org,
    context,
  )(async (db) => {
    const stored = await findStored(db, org, name);
    if (stored === undefined) throw unknown(name);
    const provider = addressName(org, name);
    const members = await db
      .selectFrom("memberships")
      .innerJoin("service_accounts as account", "account.id", "memberships.account_id")
      .innerJoin("people", "people.id", "account.person_id")
      .innerJoin("organizations as org", "org.id", "account.org_id")
      .select(["people.id", "people.name", "people.email", "memberships.source"])
      .select(["org.id as orgId", "org.name as orgName"])
      .where("memberships.provider", "=", provider)
      .orderBy("org.name")
      .orderBy("people.id")
      .execute();
    for (const { source, orgId, orgName, ...person } of members) {
      const act = actIn({ id: orgId, name: orgName }, by, settingsIn(stored.settings));
      if (await endMembership(db, act, person, { source, provider })) continue;
      throw invalidInput({
        provider_name: `${person.name} is the last admin of ${orgName}: create another admin before you delete the provider`,
      });
    }
    await endSessionsBy(db, provider);
    await db.deleteFrom("login_providers").where("id", "=", stored.id).execute();
    await record(db, by, { type: "login_provider.deleted", subject: { name, id: stored.id }, data: {} });
  });
  return { status: 200, body: "OK" };
};

async function endSessionsBy(db: Database, provider: string): Promise<void> {
  await db.deleteFrom("device_logins").where("provider", "=", provider).execute();
  await db.deleteFrom("sessions").where("provider", "=", provider).execute();
}

function unknown(name: string): NotFound {
  return new NotFound("login_provider.not_found", `Login provider '${name}' does not exist`);
}

function addressName(org: Organization, name: string): string {
  return `${org.name}.${name}`;
}

/** Sorted by name. */
function storedOf(db: Database, { id }: Organization) {
  return db.selectFrom("login_providers").selectAll().where("org_id", "=", id).orderBy("name").execute();
}

function findStored(db: Database, { id }: Organization, name: string) {
  return db
    .selectFrom("login_providers")
    .selectAll()
    .where("org_id", "=", id)
    .where("name", "=", name)
    .executeTakeFirst();
}

/** A provider of the organization that operates the service gives roles in others too. */
function writerFor({ name }: Organization, { operators, store, writeAll }: ServiceContext): Store["write"] {
  return name === operators ? writeAll : store.write;
}

/** An act in another organization is the provider's: its audit log shows no account of this one. */
function actIn({ id }: Organization, by: ActContext, { label }: Pick<ProviderSettings, "label">): ActContext {
  if (id === by.orgId) return by;
  const { now, address, requestId } = by;
  return { now, address, requestId, orgId: id, accountName: label, accountId: null, keyId: null };
}

function settingsOf({ name, label = name, ...body }: Call<"putLoginProvider">["body"]): ProviderSettings {
  return {
    ...{ kind: body.kind, label, issuer: body.issuer, client_id: body.clientId, scopes: body.scopes },
    ...{ groups_claim: body.groupsClaim, scim_claim: body.scimClaim, allowed_domains: body.allowedDomains },
    ...{ strict: body.strict, sync: body.sync, role_map: body.roleMap },
  };
}

/** The stored secret stays if none is given, or the same. */
function sealedSecret(
  given: string | null | undefined,
  { id, known }: { id: string; known: Stored | undefined },
  { secrets }: Pick<ServiceContext, "secrets">,
): string | null {
  const owner = secretOwner(id);
  if (given === null) return null;
  const stored = known?.client_secret ?? null;
  if (given === undefined || openedIn(secrets, owner, stored) === given) return stored;
  return secrets.seal(owner, given);
}

/** The audit log shows that the secret was replaced, not the secret. */
function audited({ settings, client_secret }: Pick<Stored, "settings" | "client_secret">) {
  return {
    ...settingsIn(settings),
    client_secret: client_secret === null ? null : `sealed ${hashOf(client_secret).slice(0, 12)}`,
  };
}

function view(
  stored: Stored,
  org: Organization,
  { links }: Pick<ServiceContext, "links">,
): LoginProviderRecord {
  const { name, settings, client_secret, created_by, created_at } = stored;
  const { client_id, groups_claim, scim_claim, allowed_domains, role_map, ...shown } = settingsIn(settings);
  const path = addressName(org, name);
  return {
    ...{
      name,
      ...shown,
      clientId: client_id,
      groupsClaim: groups_claim,
      scimClaim: scim_claim,
      allowedDomains: allowed_domains,
    },
    ...{ roleMap: role_map, hasSecret: client_secret !== null },
    ...{ redirectUri: links.loginCallback(path), testUrl: links.loginTest(path) },
    ...{ createdBy: created_by, createdAt: created_at },
  };
}
