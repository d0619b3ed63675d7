import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beginPersonSession } from "../../../../src/service/people/members/person-sessions.ts";
import { openDataFolder } from "../../../../src/service/store/sqlite/open-store.ts";
import { startLoginProvider, type TestProvider } from "../../../identity/login-provider.ts";
import { signInWith } from "../../../identity/signed-in-person.ts";
import { visitor } from "../../pages/visitor.ts";
import { COMMIT, FP, pipeline, type RequestToSend, send } from "../../requests.ts";
import { ORG, startTestService, type TestService } from "../../running-service.ts";

let provider: TestProvider;
let service: TestService;
/** A token of a command line, by the person's name at the provider. */
const tokens = new Map<string, string>();

beforeAll(async () => {
  provider = await startLoginProvider();
  const roleMap = [{ org: ORG, role: "member" as const }];
  service = await startTestService({}, { loginProviders: [provider.settings({ roleMap })] });
  await provider.allow(service.address);
  const make = pipeline(service, service.keys.admin);
  await make.flow("web");
  await make.trail("web", "one");
  await make.artifact("web", "one", {
    git_commit_info: { sha1: COMMIT, author: "Zoe Braun <ZOE@example.com>", message: "m" },
  });
  await make.attest("web", "one", {
    attestation_name: "unit",
    is_compliant: false,
    artifact_fingerprint: FP,
  });
  for (const [login, name] of [
    ["zoe", "Zoe Braun"],
    ["amir", "Amir Haddad"],
  ] as const) {
    provider.people.set(login, { name });
    await signInWith(visitor(service), login);
    tokens.set(login, await tokenOf(name));
  }
});
afterAll(async () => {
  await service.dispose();
  await provider.close();
});

async function tokenOf(name: string): Promise<string> {
  const store = await openDataFolder(service.dataFolder);
  const { id } = await store.read
    .selectFrom("people")
    .select("id")
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  const shared = { address: null, client: null, provider: "company", provider_session: null, id_token: null };
  const session = { kind: "command line", personId: id, now: service.clock.time, ...shared } as const;
  const token = await store.write((db) => beginPersonSession(db, session));
  await store.close();
  return token;
}

const ask = (login: string, message: RequestToSend) =>
  send(service, { key: tokens.get(login) ?? "", ...message });

async function approve(login: string, approvedBy: string) {
  const review = { state: "APPROVED", comment: "", approved_by: approvedBy, approval_url: "" };
  const json = { artifact_fingerprint: FP, description: "", src_commit_list: [COMMIT], approvals: [review] };
  const made = await ask(login, { method: "POST", path: `/approvals/${ORG}/web`, json });
  expect(made.status, made.text).toBe(201);
  return (await ask(login, { path: `/approvals/${ORG}/web/-1` })).body;
}

describe("an approval of a person", () => {
  it.each([
    ["", "Amir Haddad"],
    ["Amir Haddad", "Amir Haddad"],
    ["octocat", "external://octocat"],
  ])("that names '%s' shows %s", async (named, shown) => {
    const { approvals } = await approve("amir", named);
    expect(approvals).toMatchObject([{ approved_by: shown }]);
  });

  it("has the person as its origin, and is by the author if the commit has the verified address", async () => {
    const own = (await approve("zoe", "")).origin;
    expect(own).toMatchObject({
      ...{ name: "Zoe Braun <zoe@example.com>", issuer: provider.issuer, policy: "", by_author: true },
      ...{ state: "unproven", differences: {} },
      claims: { sub: "zoe", email: "zoe@example.com", email_verified: true },
    });
    const other = (await approve("amir", "")).origin;
    expect(other).toMatchObject({ name: "Amir Haddad <amir@example.com>" });
    expect(other).not.toHaveProperty("by_author");
  });
});

describe("an override of a person", () => {
  it("is by the author if the commit has the verified address", async () => {
    const json = {
      ...{ attestation_name: "unit", original_attestation_type: "generic", artifact_fingerprint: FP },
      ...{ new_compliance_status: true, reason: "a known fault" },
    };
    const made = await ask("zoe", {
      ...{ method: "POST", path: `/attestations/${ORG}/web/trail/one/override`, json },
    });
    expect(made.status, made.text).toBe(200);
    const [latest] = (await ask("zoe", { path: `/attestations/${ORG}/web/artifact/${FP}/unit` })).body;
    expect(latest.origin).toMatchObject({ name: "Zoe Braun <zoe@example.com>", by_author: true });
    const attested = pipeline(service, tokens.get("zoe") ?? "");
    await attested.attest("web", "one", { attestation_name: "lint" });
    const [plain] = (await ask("zoe", { path: `/attestations/${ORG}/web/trail/one/lint` })).body;
    expect(plain).not.toHaveProperty("origin");
  });
});
