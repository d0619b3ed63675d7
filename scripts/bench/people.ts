import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Agent } from "undici";
import { EvidenceClient } from "../../src/api/client/client.ts";
import { serviceContext } from "../../src/service/events/audit-log/contexts.ts";
import { createOrganization } from "../../src/service/people/accounts/organizations.ts";
import { giveMembership } from "../../src/service/people/members/memberships.ts";
import { beginPersonSession, findPersonSession } from "../../src/service/people/members/person-sessions.ts";
import { openDataFolder } from "../../src/service/store/sqlite/open-store.ts";
import {
  CLIENT,
  signInAt,
  startLoginProvider,
  type TestProvider,
} from "../../test/identity/login-provider.ts";
import { visitor } from "../../test/service/pages/visitor.ts";
import { addPeople } from "../../test/service/people/scim/many-people.ts";
import { scimClient } from "../../test/service/people/scim/provisioned.ts";
import { type LocalService, startLocalService } from "./local-service.ts";
import { median, quantile } from "./measure.ts";
import type { Measured, Measurements } from "./rows.ts";

const PEOPLE = 1_000;
const CHECKS = 20_000;
const SIGN_INS = 30;
const USERS = 5_000;
const GROUPS = 200;
const MEMBERS = 50;
const USUAL_ROUNDS = 100;
const BETWEEN_MS = 20;

/** Times of sessions, sign-ins and SCIM. */
export async function people(): Promise<Measurements<"people">> {
  const folder = await mkdtemp(join(tmpdir(), "bench-people-"));
  const provider = await startLoginProvider();
  try {
    const file = join(folder, "login.json");
    const settings = { name: "company", issuer: provider.issuer, client_id: CLIENT.id };
    const role_map = [{ org: "bench", role: "reader" }];
    const providers = [{ ...settings, client_secret: CLIENT.secret, role_map }];
    await writeFile(file, JSON.stringify({ providers }));
    await using service = await startLocalService({ options: ["--oidc-login", file] });
    return {
      session: await sessionChecks(join(folder, "records")),
      signIn: await signIns(service, provider),
      ...(await firstSync(service)),
    };
  } finally {
    await provider.close();
    await rm(folder, { recursive: true });
  }
}

/** Looks up sessions of many people, as each request of a page does. */
async function sessionChecks(folder: string): Promise<Measured> {
  const now = Date.now() / 1000;
  await mkdir(folder);
  const store = await openDataFolder(folder);
  const orgId = await store.write((db) => createOrganization(db, "bench", now));
  await addPeople(store, { orgId, provider: "company", count: PEOPLE, now });
  const members = await store.read.selectFrom("people").select(["id", "name", "email"]).execute();
  const from = { source: "groups", provider: "company", by: "Acme" } as const;
  const session = { kind: "browser", now, client: null, address: null, provider: "company" } as const;
  const tokens = await store.write(async (db) => {
    const created: string[] = [];
    for (const person of members) {
      const grant = { role: "reader", scope: null } as const;
      await giveMembership(db, serviceContext(orgId, now), person, { ...from, grant });
      const fields = { ...session, personId: person.id, provider_session: null, id_token: null };
      created.push(await beginPersonSession(db, fields));
    }
    return created;
  });
  const times: number[] = [];
  for (let check = 0; check < CHECKS; check++) {
    const start = performance.now();
    const wanted = { kind: "browser", now, orgName: "bench" } as const;
    const found = await findPersonSession(store.read, tokens[(check * 7) % PEOPLE] ?? "", wanted);
    times.push(performance.now() - start);
    if (found === undefined) throw new Error("A session was not found");
  }
  await store.close();
  return { value: quantile(times, 0.99), note: `median ${median(times).toFixed(3)} ms` };
}

/** From the provider's redirect to the end of the first page, with the requests to the provider and other redirects. */
async function signIns({ address }: LocalService, provider: TestProvider): Promise<Measured> {
  await provider.allow(address);
  const dispatcher = new Agent();
  const times: number[] = [];
  for (let round = 0; round < SIGN_INS; round++) {
    const user = visitor({ address, dispatcher });
    const begun = await user.get("/login/company");
    const callback = new URL(await signInAt(String(begun.headers["location"]), `person-${round}`));
    const start = performance.now();
    let answer = await user.get(callback.pathname + callback.search);
    while (answer.status === 303) answer = await user.get(String(answer.headers["location"]));
    times.push(performance.now() - start);
    if (answer.status !== 200) throw new Error(`The page after a sign-in returned ${answer.status}`);
  }
  await dispatcher.close();
  return { value: median(times), note: `slowest ${Math.max(...times).toFixed(0)} ms` };
}

/** Sends users and groups one after the other, while another client reads. */
async function firstSync({
  address,
  apiKey,
  org,
}: LocalService): Promise<Record<"scim" | "scimStall", Measured>> {
  const client = new EvidenceClient({ baseUrl: address, apiKey, org });
  const { body } = await client.createScimToken({ body: { description: "bench", provider: "company" } });
  const scim = scimClient(body.url, body.token);
  const ask = async () => {
    const start = performance.now();
    await client.listRepos({});
    return performance.now() - start;
  };
  const usual: number[] = [];
  for (let round = 0; round < USUAL_ROUNDS; round++) usual.push(await ask());
  const beside: number[] = [];
  const over = new AbortController();
  const reading = (async () => {
    while (!over.signal.aborted) {
      beside.push(await ask());
      await delay(BETWEEN_MS);
    }
  })();
  const start = performance.now();
  const ids: string[] = [];
  for (let user = 0; user < USERS; user++) {
    const userName = `user-${user}@example.com`;
    const { status, body } = await scim.send("POST", "/Users", {
      userName,
      externalId: userName,
      active: true,
    });
    if (status !== 201) throw new Error(`SCIM refused a user with ${status}`);
    ids.push(body.id);
  }
  for (let group = 0; group < GROUPS; group++) {
    const members = Array.from({ length: MEMBERS }, (_, index) => ({
      value: ids[(group * 25 + index) % USERS],
    }));
    const { status } = await scim.send("POST", "/Groups", { displayName: `group-${group}`, members });
    if (status !== 201) throw new Error(`SCIM refused a group with ${status}`);
  }
  const seconds = (performance.now() - start) / 1000;
  over.abort();
  await reading;
  await client.close();
  return {
    scim: { value: seconds },
    scimStall: {
      value: Math.max(...beside) - median(usual),
      note: `${beside.length} answers, usual ${median(usual).toFixed(1)} ms, p99 ${quantile(beside, 0.99).toFixed(1)} ms`,
    },
  };
}
