import { createPublicKey, generateKeyPairSync, type JsonWebKey } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { databaseFile } from "../../../../src/service/store/sqlite/open-store.ts";
import { type FakeIssuer, fakeIssuer, type Signed } from "../../../identity/fake-issuer.ts";
import { PUSH } from "../../../identity/signed-token.ts";
import { type Answered, expectRefusal, pipeline, send } from "../../requests.ts";
import { ORG, OTHER_ORG, startTestService, type TestService } from "../../running-service.ts";

/** A provider without GitHub. */
const OTHER_ISSUER = "https://gitlab.example";

let issuer: FakeIssuer;
let service: TestService;
let time = 1_800_000_000;

beforeEach(async () => {
  time = 1_800_000_000;
  issuer = await fakeIssuer(() => time, "/_services/token");
  service = await startTestService({}, { issuers: [{ url: issuer.url }, { url: OTHER_ISSUER }] });
});
afterEach(() => service.dispose());

const TRUST = { name: "web", repository: "acme/web", flows: ["web"] };

async function trust(policy: object = {}, key = service.keys.admin): Promise<Answered> {
  const json = { ...TRUST, issuer: issuer.url, ...policy };
  return send(service, { method: "POST", path: `/trust-policies/${ORG}`, json, key });
}

const audience = (org = ORG) => `${service.address}/${org}`;

/** A token like that of a GitHub job. */
function tokenOf(claims: object = {}, signed: Partial<Signed> = {}): string {
  return issuer.token({ aud: audience(), ...claims }, signed);
}

async function exchange(token: string, more: object = {}): Promise<Answered> {
  const json = { token, org: ORG, ...more };
  return send(service, { method: "POST", path: "/oidc/token", json, key: null });
}

/** An access token for a trusted workflow. */
async function accessToken(claims: object = {}): Promise<string> {
  const { status, body } = await exchange(tokenOf(claims));
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.access_token;
}

const attestation = (key: string, flow = "web") =>
  send(service, {
    method: "POST",
    path: `/attestations/${ORG}/${flow}/trail/v1/generic`,
    form: { attestation_name: "unit", is_compliant: true },
    key,
  });

describe("a trusted workflow", () => {
  test("gets a token with the granted rights, and no others, for 15 minutes", async () => {
    expect((await trust()).status).toBe(201);
    const reply = await send(service, { path: `/oidc/audience?org=${ORG}`, key: null });
    expect(reply.body).toEqual({ audience: audience() });

    const { status, body } = await exchange(tokenOf());
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        access_token: expect.stringMatching(/^det_[\w-]{43}$/),
        issued_token_type: "urn:ietf:params:oauth:token-type:access_token",
        token_type: "Bearer",
        expires_in: 900,
        scope: "attester flows:web",
        policy: "web",
      },
    });
    const key = body.access_token;
    expect((await attestation(key)).status).toBe(201);
    expect((await attestation(key, "other")).status).toBe(403);
    const trail = await send(service, { path: `/trails/${ORG}/web/v1`, key });
    expect(trail.body.created_by).toBe("github:acme/web build.yml run 123 attempt 1");

    service.clock.time += 899;
    expect((await attestation(key)).status).toBe(201);
    service.clock.time += 1;
    expectRefusal(await attestation(key), 401, "Unauthorized: the access token has expired");
  });

  test.each([
    ["nothing of", "", "another run"],
    ["several lines of", "%E4%BD%9C%0A%1B[31mred%00 %F0%9F%9A%80", "作  [31mred  🚀"],
    ["undecodable text of", "run %zz", "run %zz"],
    ["too much of", "x".repeat(5000), "x".repeat(1000)],
  ])(
    "replays with %s the run that spooled: it is one line, and the record is not verified",
    async (_, sent, noted) => {
      await trust();
      const record = async (key: string, name: string) => {
        const form = { attestation_name: name, is_compliant: true };
        const path = `/attestations/${ORG}/web/trail/v1/generic`;
        const headers = { "x-evidence-spooled-by": sent };
        const answer = await send(service, { method: "POST", path, form, key, headers });
        const { body } = await send(service, { path: `/attestations/${ORG}/web/trail/v1/${name}` });
        const [{ origin, spooled_by: spooledBy }] = body;
        return { compared: answer.headers["x-evidence-origin"], origin, spooledBy };
      };
      expect(await record(await accessToken(), "unit")).toMatchObject({
        compared: "different; spooled_by",
        spooledBy: noted,
        origin: {
          state: "different",
          differences: {
            spooled_by: {
              said: noted,
              proven: `${new URL(issuer.url).origin}/acme/web/actions/runs/123/attempts/1`,
            },
          },
        },
      });
      // An API key proves nothing that could differ.
      expect(await record(service.keys.member, "lint")).toEqual({
        compared: undefined,
        origin: undefined,
        spooledBy: noted,
      });
    },
  );

  test("that may attest cannot change the requirements of its trail, which would open the gate", async () => {
    await trust();
    await pipeline(service).flow("web", "version: 1\ntrail:\n  attestations: [{name: unit, type: junit}]\n");
    const { trail } = pipeline(service, await accessToken());
    expect((await trail("web", "v1", {}, "version: 1\ntrail: {}\n")).status).toBe(403);
    expect((await trail("web", "v1")).status).toBe(201);
  });

  test("has a one-line name, whatever its token claims", async () => {
    await trust({ repository: null, repository_id: "4711", role: "member" });
    const claims = { repository: "acme/we\nb\u202e", workflow_ref: `acme/${"w".repeat(8000)}@main` };
    const { trail } = pipeline(service, await accessToken(claims));
    await pipeline(service).flow("web");
    expect((await trail("web", "v1")).status).toBe(201);
    const { body } = await send(service, { path: `/trails/${ORG}/web/v1` });
    expect(body.created_by).toBe(`github:acme/we b ${"w".repeat(254)}… run 123 attempt 1`);
  });

  test("can also exchange its token as in RFC 8693", async () => {
    await trust();
    const form = new URLSearchParams({
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      subject_token: tokenOf(),
      subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
      audience: audience(),
    });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const sent = { method: "POST", path: "/oidc/token", raw: form.toString(), headers, key: null };
    expect((await send(service, sent)).body).toMatchObject({ token_type: "Bearer", policy: "web" });
    form.set("grant_type", "password");
    expect((await send(service, { ...sent, raw: form.toString() })).status).toBe(400);
  });

  test("has only the rights of its policy; changing or deleting the policy revokes its tokens", async () => {
    await trust();
    const first = await accessToken();
    const path = `/trust-policies/${ORG}/web`;
    const json = { issuer: issuer.url, repository: "acme/web", flows: ["api"] };
    expect((await send(service, { method: "PUT", path, json, key: service.keys.admin })).status).toBe(200);
    expectRefusal(await attestation(first), 401, "Unauthorized: the access token is not known");
    const second = await accessToken();
    expect((await attestation(second)).status).toBe(403);
    expect((await attestation(second, "api")).status).toBe(201);
    expect((await send(service, { method: "DELETE", path, key: service.keys.admin })).status).toBe(200);
    expectRefusal(await attestation(second, "api"), 401, "Unauthorized: the access token is not known");
    expectRefusal(await exchange(tokenOf()), 400, `No trust policy of '${ORG}' matches this token`);
    const { body } = await send(service, {
      path: `/audit-log/${ORG}?resource_type=trust_policy`,
      key: service.keys.auditor,
    });
    expect(body.data.map(({ act }: { act: string }) => act)).toEqual([
      "trust_policy.deleted",
      "trust_policy.changed",
      "trust_policy.pinned",
      "trust_policy.created",
    ]);
  });

  test("does nothing once the key of its policy is revoked", async () => {
    await trust();
    const token = await accessToken();
    expect((await attestation(token)).status).toBe(201);
    const database = new DatabaseSync(databaseFile(service.dataFolder));
    database.exec(`update api_keys set revoked_at = ${service.clock.time} where kind = 'workflow'`);
    database.close();
    expectRefusal(await attestation(token), 401, "Unauthorized: the access token is not known");
  });

  test("works no longer than its policy, which may expire before the token", async () => {
    await trust({ expires_at: service.clock.time + 300 });
    const token = await accessToken();
    service.clock.time += 299;
    expect((await attestation(token)).status).toBe(201);
    service.clock.time += 1;
    expectRefusal(await attestation(token), 401, "Unauthorized: the access token has expired");
  });

  test("loses trust while its policy is disabled, and regains it when enabled; its uses are counted", async () => {
    await trust();
    const path = `/trust-policies/${ORG}/web`;
    const read = async () => (await send(service, { path, key: service.keys.admin })).body;
    const put = (enabled: boolean) => {
      const json = { ...TRUST, issuer: issuer.url, enabled };
      return send(service, { method: "PUT", path, json, key: service.keys.admin });
    };
    expect(await read()).toMatchObject({ enabled: true, uses: 0, last_used_at: null });
    const first = await accessToken();
    await accessToken();
    expect((await put(false)).body).toMatchObject({ enabled: false, uses: 2, last_used_at: time });
    expectRefusal(await attestation(first), 401, "Unauthorized: the access token is not known");
    expectRefusal(await exchange(tokenOf()), 400, `No trust policy of '${ORG}' matches this token`);
    expect((await put(true)).body).toMatchObject({ enabled: true, uses: 2 });
    expect((await attestation(await accessToken())).status).toBe(201);
    expect((await read()).uses).toBe(3);
    const log = `/audit-log/${ORG}?act=trust_policy.changed`;
    const { body } = await send(service, { path: log, key: service.keys.auditor });
    expect(body.data[0].changes).toEqual({ enabled: { from: false, to: true } });
  });

  test("creates no account and no key, which would outlive its token", async () => {
    await trust({ role: "member", flows: null });
    const key = await accessToken();
    expect((await pipeline(service, key).flow("new")).status).toBe(201);
    const json = { name: "mine", privilege: "member" };
    expect(
      (await send(service, { method: "POST", path: `/service-accounts/${ORG}`, json, key })).status,
    ).toBe(403);
    const keys = `/service-accounts/${ORG}/web/api-keys`;
    expect(
      (await send(service, { method: "POST", path: keys, json: { description: "x" }, key })).status,
    ).toBe(403);
    expect((await send(service, { path: keys, key: service.keys.admin })).body).toEqual([]);
  });

  test("creates no link and no notification rule, which would outlive its token", async () => {
    await trust({ role: "member", flows: null });
    const key = await accessToken();
    for (const [method, path, json] of [
      ["POST", `/share-links/${ORG}`, { kind: "overview", days: 399 }],
      ["GET", `/share-links/${ORG}`],
      ["PUT", `/actions/${ORG}/flows`, {}],
      ["PUT", `/actions/${ORG}/organization`, {}],
      ["POST", `/actions/${ORG}/1/secret`, {}],
      ["POST", `/actions/${ORG}/1/secret/rotate`, {}],
      ["PUT", `/actions/${ORG}/1/token`, {}],
      ["PUT", `/organizations/${ORG}/environments_notifications`, {}],
    ] as const) {
      const { status } = await send(service, { method, path, ...(json && { json }), key });
      expect([method, path, status]).toEqual([method, path, 403]);
    }
    expect((await send(service, { path: `/actions/${ORG}`, key })).status).toBe(200);
  });

  test("gives no person access, and takes none away", async () => {
    await trust({ role: "member", flows: null });
    const key = await accessToken();
    for (const [method, path, json] of [
      ["GET", `/members/${ORG}`],
      ["GET", `/members/${ORG}/m`],
      ["PUT", `/members/${ORG}/m`, { privilege: "reader" }],
      ["DELETE", `/members/${ORG}/m`],
      ["DELETE", `/members/${ORG}/m/sessions`],
      ["GET", `/provisioned-users/${ORG}`],
      ["GET", `/invitations/${ORG}`],
      ["POST", `/invitations/${ORG}`, { email: "zoe@example.com", privilege: "reader" }],
      ["DELETE", `/invitations/${ORG}/i`],
    ] as const) {
      const sent = { method, path, ...(json && { json }) };
      const { status } = await send(service, { ...sent, key });
      expect([method, path, status]).toEqual([method, path, 403]);
      // The key of a member may.
      const asMember = await send(service, { ...sent, key: service.keys.member });
      expect([method, path, asMember.status]).toEqual([method, path, expect.toBeOneOf([200, 201, 404])]);
    }
  });

  test("sees no complete address of a webhook, which would work after its token ends", async () => {
    const json = {
      name: "tell",
      targets: [{ type: "WEBHOOK", webhook: "https://x.example/hook/secret-part" }],
    };
    expect((await send(service, { method: "PUT", path: `/actions/${ORG}/flows`, json })).status).toBe(201);
    await trust({ role: "member", flows: null });
    const key = await accessToken();
    for (const path of [`/actions/${ORG}`, `/actions/${ORG}/1`]) {
      expect((await send(service, { path })).text).toContain("secret-part");
      const seen = (await send(service, { path, key })).text;
      expect(seen).toContain("x.example/…part");
      expect(seen).not.toContain("secret-part");
    }
  });

  test.each<[string, { method: string; path?: string; json?: object }]>([
    ["deleted", { method: "DELETE" }],
    ["given another role", { method: "PATCH", json: { privilege: "reader" } }],
    ["given a key", { method: "POST", path: "/api-keys", json: { description: "x" } }],
  ])("is not %s through its account", async (_, { path = "", ...sent }) => {
    await trust();
    const token = await accessToken();
    for (const key of [service.keys.member, service.keys.admin]) {
      const answer = await send(service, { path: `/service-accounts/${ORG}/web${path}`, ...sent, key });
      expectRefusal(
        answer,
        400,
        "The account 'web' belongs to a trust policy: change or delete the policy instead",
      );
    }
    expect((await attestation(token)).status).toBe(201);
  });

  test("gets the first response to a repeated request: one submission over two tokens is one record", async () => {
    await trust();
    const headers = { "idempotency-key": "one" };
    const record = async () =>
      send(service, {
        method: "POST",
        path: `/attestations/${ORG}/web/trail/v1/generic`,
        form: { attestation_name: "unit", is_compliant: true },
        key: await accessToken(),
        headers,
      });
    expect((await record()).body).toEqual((await record()).body);
    const { body } = await send(service, { path: `/attestations/${ORG}/web/trail/v1/unit` });
    expect(body).toHaveLength(1);
  });

  test("records again what another job recorded before, whose proof names that job", async () => {
    await trust();
    const staging = await accessToken({ environment: "staging" });
    const again = await accessToken({ environment: "staging" });
    const production = await accessToken({ environment: "production" });
    for (const key of [staging, again, production, production]) {
      expect((await attestation(key)).status).toBe(201);
    }
    const { body } = await send(service, { path: `/attestations/${ORG}/web/trail/v1/unit` });
    const environments = body.map(
      ({ origin }: { origin: { claims: { environment: string } } }) => origin.claims.environment,
    );
    expect(environments).toEqual(["production", "staging"]);
  });
});

describe("a token is refused", () => {
  const foreign = generateKeyPairSync("rsa", { modulusLength: 2048 });

  const FAULTS: readonly [string, () => string, RegExp][] = [
    ["without a signature", () => tokenOf({}, { header: { alg: "none" } }), /not signed with RS256/],
    ["signed with another key", () => tokenOf({}, { key: foreign.privateKey }), /signature is not from/],
    [
      "signed with a public key as a secret",
      () =>
        tokenOf(
          {},
          {
            header: { alg: "HS256" },
            key: createPublicKey(foreign.publicKey.export({ type: "spki", format: "pem" })),
          },
        ),
      /not signed with RS256/,
    ],
    [
      "with a key that is not published",
      () => tokenOf({}, { header: { kid: "../../etc/passwd" } }),
      /does not publish/,
    ],
    [
      "with its own key",
      () =>
        tokenOf(
          {},
          { header: { jwk: foreign.publicKey.export({ format: "jwk" }) }, key: foreign.privateKey },
        ),
      /signature is not from/,
    ],
    [
      "of another issuer",
      () => tokenOf({ iss: "https://token.actions.githubusercontent.com" }),
      /is not trusted/,
    ],
    [
      "that has expired",
      () => tokenOf({ exp: time - 31 }),
      /expired at 2027-01-15T07:59:29.000Z; the service's clock says 2027-01-15T08:00:00.000Z/,
    ],
    ["that is not valid yet", () => tokenOf({ nbf: time + 31 }), /is valid from 2027-01-15T08:00:31.000Z/],
    ["for another audience", () => tokenOf({ aud: audience(OTHER_ORG) }), /another audience/],
    ["for several audiences", () => tokenOf({ aud: [audience(), "https://else.example"] }), /one audience/],
    ["that expired before the epoch", () => tokenOf({ exp: -1e300 }), /expired at an unknown time/],
    [
      "that is valid only after the end of time",
      () => tokenOf({ nbf: 1e300 }),
      /is valid from an unknown time/,
    ],
    [
      "of an issuer that is not a string",
      () => tokenOf({ iss: { toString: 1 } }),
      /not a JWT with an issuer/,
    ],
    ["without an id", () => tokenOf({ jti: undefined }), /jti/],
    ["with an id that is too long", () => tokenOf({ jti: "x".repeat(513) }), /jti/],
    ["that has an invalid claim", () => tokenOf({ actor: "a\0" }), /actor: String should not contain NUL/],
    ["with half a character", () => tokenOf({ run_id: "\ud800" }), /run_id: String should be valid Unicode/],
    ["that is not a token", () => "nothing of the kind", /not a JWT/],
  ];

  test("with any fault, which is named", async () => {
    await trust();
    for (const [fault, token, why] of FAULTS) {
      const { status, body } = await exchange(token());
      expect([fault, status, body.message]).toEqual([fault, 401, expect.stringMatching(why)]);
    }
  });

  test("that is longer than 16 KB, or in a body that is longer than 64 KB", async () => {
    expect((await exchange(tokenOf({ padding: "x".repeat(16_000) }))).status).toBe(400);
    expect((await exchange("x".repeat(1_000_000))).status).toBe(413);
  });

  test("a second time, also for all but one of 50 at once", async () => {
    await trust();
    const token = tokenOf();
    const answers = await Promise.all(Array.from({ length: 50 }, () => exchange(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectRefusal(
        answer,
        401,
        "Unauthorized: the token was already used: request another one from its issuer",
      );
    }
  });
});

test("a token without a matching policy is a failed login, and is used up", async () => {
  await service.dispose();
  service = await startTestService({ failedLoginRate: 3 }, { issuers: [{ url: issuer.url }] });
  await trust();
  const [token, ...others] = Array.from({ length: 3 }, () => tokenOf({ repository: "evil/evil" }));
  expectRefusal(await exchange(token ?? ""), 400, `No trust policy of '${ORG}' matches this token`);
  const again = await exchange(token ?? "");
  expectRefusal(again, 401, "Unauthorized: the token was already used: request another one from its issuer");
  const statuses = [];
  for (const other of others) statuses.push((await exchange(other)).status);
  expect(statuses).toEqual([400, 429]);
  // A trusted workflow is admitted beside them.
  await accessToken();
});

describe("a policy", () => {
  const REFUSED = `No trust policy of '${ORG}' matches this token`;

  test.each<[string, object, object, Record<string, string>]>([
    ["checks the repository", {}, { repository: "acme/api" }, {}],
    ["is not for names that look alike", {}, { repository: "ac\u212ae/web" }, {}],
    [
      "checks the ref",
      { claims: { ref: "refs/heads/main" } },
      { ref: "refs/heads/main2" },
      { ref: "is refs/heads/main2; the policy 'web' requires refs/heads/main" },
    ],
    [
      "is not for a pull request that it does not name",
      {},
      { event_name: "pull_request_target" },
      { event_name: "is pull_request_target; the policy 'web' must list this event to accept it" },
    ],
    ...["workflow_run", "issue_comment", "issues", "discussion_comment", "fork"].map(
      (event_name): [string, object, object, Record<string, string>] => [
        `is not for what outsiders cause: ${event_name}`,
        { claims: { ref: "refs/heads/*" } },
        { event_name },
        { event_name: `is ${event_name}; the policy 'web' must list this event to accept it` },
      ],
    ),
    ...["pull_request_review", "pull_request_review_comment"].map(
      (event): [string, object, object, Record<string, string>] => [
        `is not for the trial merge of a ${event}`,
        { claims: { event_name: "pull*" } },
        { event_name: event, ref: "refs/pull/7/merge" },
        { event_name: `is ${event}; the policy 'web' must list this event to accept it` },
      ],
    ),
    [
      "is not for an environment that looks alike: anyone who pushes creates another one",
      { claims: { environment: "kube" } },
      { environment: "\u212aube" },
      { environment: "is \u212aube; the policy 'web' requires kube" },
    ],
    [
      "of another repository of the owner is not mentioned",
      { repository: "acme/api", repository_owner_id: "815", claims: { environment: "secret" } },
      {},
      {},
    ],
    [
      "checks the environment",
      { claims: { environment: ["production", "staging"] } },
      {},
      { environment: "is missing; the policy 'web' requires production or staging" },
    ],
    [
      "checks the called workflow",
      { claims: { job_workflow_ref: "acme/ci/.github/workflows/build.yml@*" } },
      {},
      {
        job_workflow_ref:
          "is acme/web/.github/workflows/build.yml@refs/heads/main; the policy 'web' requires acme/ci/.github/workflows/build.yml@*",
      },
    ],
  ])("%s", async (_, policy, claims, errors) => {
    expect((await trust(policy)).status).toBe(201);
    const { status, body } = await exchange(tokenOf(claims));
    expect({ status, ...body }).toEqual({
      status: 400,
      code: "trust_policy.no_match",
      message: REFUSED,
      ...(Object.keys(errors).length === 0 ? {} : { errors }),
    });
  });

  test("accepts what it names: any tag of a release, and the environment in any letter case", async () => {
    await trust({
      claims: { ref: "refs/tags/v*", environment: "Production", event_name: ["release", "pull_request"] },
    });
    await accessToken({ ref: "refs/tags/v1.2", environment: "production", event_name: "release" });
    await accessToken({ ref: "refs/tags/v1.2", environment: "PRODUCTION", event_name: "pull_request" });
  });

  test("stores the ids at the first use: another owner of the name gets nothing, a new name everything", async () => {
    await trust();
    await accessToken();
    const { body } = await send(service, { path: `/trust-policies/${ORG}/web`, key: service.keys.admin });
    expect(body).toMatchObject({ repository_id: "4711", repository_owner_id: "815", pinned_until: null });
    const other = await exchange(tokenOf({ repository_id: "1", repository_owner_id: "2" }));
    expectRefusal(other, 400, REFUSED);
    expect(other.body.errors).toBeUndefined();
    await accessToken({ repository: "acme/shop" });
    const log = `/audit-log/${ORG}?act=trust_policy.pinned`;
    const { data } = (await send(service, { path: log, key: service.keys.auditor })).body;
    expect(data).toMatchObject([
      {
        account: "github:acme/web build.yml run 123 attempt 1",
        api_key_id: expect.any(String),
        address: "127.0.0.1",
        resource: { name: "web" },
        changes: {
          repository_id: { from: null, to: "4711" },
          repository_owner_id: { from: null, to: "815" },
        },
      },
    ]);
  });

  test("keeps its ids when it is changed, until others are given", async () => {
    await trust();
    await accessToken();
    const change = async (more: object) => {
      const json = { issuer: issuer.url, repository: "Acme/web", flows: ["web"], ...more };
      const put = { method: "PUT", path: `/trust-policies/${ORG}/web`, json, key: service.keys.admin };
      const { repository_id, repository_owner_id, pinned_until } = (await send(service, put)).body;
      return [repository_id, repository_owner_id, pinned_until];
    };
    const soon = time + 24 * 60 * 60;
    expect(await change({})).toEqual(["4711", "815", null]);
    expect(await change({ description: "nightly", repository_id: null })).toEqual(["4711", "815", null]);
    expectRefusal(await exchange(tokenOf({ repository_id: "666" })), 400, REFUSED);
    await accessToken();
    expect(await change({ repository_id: "666" })).toEqual(["666", null, null]);
    expect(await change({ repository: "acme/api" })).toEqual([null, null, soon]);
    expect(await change({ repository: "acme/*", repository_owner_id: "815" })).toEqual([null, "815", null]);
    expect(await change({ repository: "acme/*" })).toEqual([null, "815", null]);
  });

  test("that was created by name cannot be used for the first time after a day", async () => {
    await trust();
    service.clock.time += 24 * 60 * 60 + 1;
    time = service.clock.time;
    const { body } = await exchange(tokenOf());
    expect(body.errors.repository).toMatch(/was not used within 24 hours/);
  });

  test("is named if several match", async () => {
    await trust();
    await trust({ name: "all", repository: "acme/*", role: "reader", flows: null });
    expectRefusal(
      await exchange(tokenOf()),
      400,
      "Several trust policies match this token: set 'policy' to one of 'all', 'web'",
    );
    expect((await exchange(tokenOf(), { policy: "all" })).body).toMatchObject({
      scope: "reader",
      policy: "all",
    });
    expect((await exchange(tokenOf(), { policy: "none" })).status).toBe(400);
  });

  test("of another organization is not found by a token for this one", async () => {
    await trust();
    const { status, body } = await exchange(tokenOf({ aud: audience(OTHER_ORG) }), { org: OTHER_ORG });
    expect({ status, ...body }).toEqual({
      status: 400,
      code: "trust_policy.no_match",
      message: `No trust policy of '${OTHER_ORG}' matches this token`,
    });
    const nowhere = await exchange(tokenOf({ aud: audience("nowhere") }), { org: "nowhere" });
    expect(nowhere.status).toBe(400);
  });

  test.each([
    ["no workflow in particular", { repository: null }, /trust policy (requires|for this issuer requires)/],
    ["a subject, whose form differs", { claims: { sub: "repo:acme/web:*" } }, /validation/],
    ...[
      { project_id: "**" },
      { aud: "x" },
      { iss: "https://gitlab.com" },
      { project_id: ["7", "*"] },
      {},
    ].map((claims): [string, object, RegExp] => [
      `all of another issuer: ${JSON.stringify(claims)}`,
      { repository: null, issuer: OTHER_ISSUER, claims },
      /trust policy (requires|for this issuer requires)/,
    ]),
    ["an unknown issuer", { issuer: "https://evil.example" }, /validation/],
    ["a workflow as an admin", { role: "admin" }, /validation/],
  ])("does not trust %s", async (_, policy, message) => {
    const { status, body } = await trust(policy);
    expect(status).toBe(400);
    expect(body.message).toMatch(message);
  });

  test("is explained to an admin, and the token remains unused", async () => {
    await trust({ claims: { ref: "refs/heads/release" } });
    await trust({ name: "api", repository: "acme/api" });
    const token = tokenOf();
    const query = { method: "POST", path: `/trust-policies/${ORG}/explain`, json: { token } };
    const { body } = await send(service, { ...query, key: service.keys.admin });
    expect(body).toMatchObject({
      claims: { repository: "acme/web" },
      policies: [
        {
          name: "api",
          fits: false,
          problems: { repository: "is acme/web; the policy 'api' requires acme/api" },
        },
        {
          name: "web",
          fits: false,
          problems: { ref: "is refs/heads/main; the policy 'web' requires refs/heads/release" },
        },
      ],
      policy: null,
    });
    expect((await send(service, query)).status).toBe(403);
  });
});

describe("the keys of an issuer", () => {
  const loads = () => issuer.server.received.filter(({ path }) => path.endsWith("/keys")).length;

  test("are fetched once, and once a minute for unknown ones", async () => {
    await trust();
    await accessToken();
    await accessToken();
    expect(loads()).toBe(1);
    issuer.rotate();
    expect((await exchange(tokenOf())).status).toBe(401);
    service.clock.time = time += 61;
    await accessToken();
    for (let i = 0; i < 10; i++) await exchange(tokenOf({}, { header: { kid: `unknown-${i}` } }));
    expect(loads()).toBe(2);
  });

  test.each<[string, (jwk: JsonWebKey) => object]>([
    [
      "that is too short",
      () => generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey.export({ format: "jwk" }),
    ],
    ["without a modulus", ({ e, kty }) => ({ e, kty })],
    ["that is not a key", () => ({ kty: "RSA", n: "!", e: "!" })],
  ])("a key %s refuses its tokens, and the log says why", async (_, broken) => {
    await trust();
    const token = tokenOf();
    const { kid } = JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString());
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const jwk = { ...broken(publicKey.export({ format: "jwk" })), kid, alg: "RS256", use: "sig" };
    issuer.answer = JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/keys`, keys: [jwk] });
    const { status, body } = await exchange(token);
    expect({ status, message: body.message }).toEqual({
      status: 401,
      message: "Unauthorized: the key that the issuer publishes for this token cannot be used",
    });
    expect(service.logged.filter((line) => line.startsWith("warning: "))).toHaveLength(1);
  });

  test("last through an outage of a day, of which the log warns, and no longer", async () => {
    await trust();
    await accessToken();
    issuer.fault = 503;
    service.clock.time = time += 23 * 60 * 60;
    await accessToken();
    const warnings = service.logged.filter((line) => line.startsWith("warning: "));
    expect(warnings).toEqual([
      expect.stringContaining(
        `The keys of the issuer ${issuer.url} cannot be read: known keys keep working for a day`,
      ),
    ]);
    service.clock.time = time += 2 * 60 * 60;
    expect((await exchange(tokenOf())).status).toBe(503);
  });

  test.each([
    ["an error response", () => (issuer.fault = 418), /The server returned 418/],
    ["a response that is not JSON", () => (issuer.answer = "<html>"), /SyntaxError/],
  ])("that are unavailable: the log says why, and the caller gets no details: %s", async (_, spoil, why) => {
    spoil();
    const { status, body } = await exchange(tokenOf());
    expect({ status, body }).toEqual({
      status: 503,
      body: {
        code: "auth.issuer_unavailable",
        message: "The keys of the token's issuer are temporarily unavailable: try again later",
      },
    });
    const address = `${issuer.url}/.well-known/openid-configuration cannot be read`;
    const lines = service.logged.filter((line) => line.includes(address));
    expect(lines).toEqual([expect.stringMatching(/^warning: /)]);
    expect(lines).toEqual([expect.stringMatching(why)]);
  });
});

describe("a record has its proven origin:", () => {
  const RUN = "http://127.0.0.1";
  const sent = (sha: string, origin_url?: string) => ({
    git_commit_info: {
      sha1: sha,
      message: "m",
      author: "a",
      branch: "main",
      timestamp: 1,
      url: `${web()}/commit/${sha}`,
    },
    repo_info: { name: "acme/web", url: web(), id: "4711" },
    ...(origin_url === undefined ? {} : { origin_url }),
  });

  async function recorded(more: object, claims: object = {}, policy: object = {}) {
    await trust(policy);
    const answer = await send(service, {
      method: "POST",
      path: `/attestations/${ORG}/web/trail/v1/generic`,
      form: { attestation_name: "unit", is_compliant: true, ...more },
      key: await accessToken(claims),
    });
    expect(answer.status).toBe(201);
    const { body } = await send(service, { path: `/attestations/${ORG}/web/trail/v1/unit` });
    return { header: answer.headers["x-evidence-origin"], record: body[0] };
  }
  const web = () => `${new URL(issuer.url).origin}/acme/web`;
  const runOf = () => `${web()}/actions/runs/123`;

  test("verified, with the claims of the token", async () => {
    const { header, record } = await recorded(sent(PUSH.sha, `${runOf()}/job/5`));
    expect(header).toBe("verified");
    expect(record).toMatchObject({
      reported_by: "github:acme/web build.yml run 123 attempt 1",
      origin: {
        state: "verified",
        name: "github:acme/web build.yml run 123 attempt 1",
        url: `${runOf()}/attempts/1`,
        issuer: issuer.url,
        policy: "web",
        differences: {},
        claims: { actor: "ada", workflow: "Build" },
      },
    });
  });

  test("different, if it names another commit, repository or run: it is recorded, and marked", async () => {
    const more = {
      ...sent("2".repeat(40), `${RUN}/else`),
      repo_info: { name: "acme/api", url: "https://g.example/x" },
    };
    const { header, record } = await recorded(more);
    expect(header).toBe("different; commit, repository, run");
    expect(record.origin).toMatchObject({
      state: "different",
      differences: {
        commit: { said: "2".repeat(40), proven: PUSH.sha },
        repository: { said: "acme/api", proven: "acme/web" },
        run: { said: `${RUN}/else`, proven: `${runOf()}/attempts/1` },
      },
    });
  });

  test.each(["pull_request", "pull_request_review", "pull_request_target", "workflow_run"])(
    "on %s the token proves the commit of the run, but nothing about the commit of the record",
    async (event_name) => {
      const policy = { claims: { event_name } };
      const { header, record } = await recorded(sent("2".repeat(40)), { event_name }, policy);
      // The head of pull_request_target may be a fork's branch, whatever its name.
      const isOfFork = event_name === "pull_request_target";
      expect(header).toBe(isOfFork ? "unproven; commit, branch" : "unproven; commit");
      expect(record.origin).toMatchObject({
        state: "unproven",
        differences: { commit: { said: "2".repeat(40), proven: "" } },
      });
    },
  );

  test.each<[string, object, string | undefined, string]>([
    ["that it was pushed to", {}, "main", "verified"],
    ["in another letter case", {}, "Main", "different; branch"],
    ["of another name", {}, "release/9", "different; branch"],
    ["that was redacted", {}, "**REDACTED**", "verified"],
    ["when a tag was pushed", { ref: "refs/tags/main", ref_type: "tag" }, "main", "unproven; branch"],
    ["of the head of a pull request", { head_ref: "topic", ref: "refs/pull/1/merge" }, "topic", "verified"],
    [
      "of the base of a pull request",
      { head_ref: "topic", ref: "refs/pull/1/merge" },
      "main",
      "different; branch",
    ],
    ["that is missing", { ref: "refs/tags/main", ref_type: "tag" }, undefined, "verified"],
  ])("the branch %s", async (_, claims, branch, state) => {
    const git_commit_info = { ...sent(PUSH.sha).git_commit_info, branch };
    expect((await recorded({ git_commit_info }, claims)).header).toBe(state);
  });

  test.each<[string, (page: string) => string, string]>([
    ["its page", (page) => `${page}/commit/${PUSH.sha}`, "verified"],
    ["its page in other case", (page) => `${page}/commit/${PUSH.sha}`.replace("acme", "ACME"), "verified"],
    ["another commit", (page) => `${page}/commit/${"e".repeat(40)}`, "different; commit"],
    ["another repository", () => `https://github.com/evil/evil/commit/${PUSH.sha}`, "different; commit"],
    ["a path above it", (page) => `${page}/commit/${PUSH.sha}/../../../../evil/evil`, "different; commit"],
  ])("the address of a commit: %s", async (_, address, state) => {
    const git_commit_info = { ...sent(PUSH.sha).git_commit_info, url: address(web()) };
    expect((await recorded({ git_commit_info })).header).toBe(state);
  });

  test("a token of another issuer proves nothing that it does not name", async () => {
    const other = await fakeIssuer(() => time);
    await service.dispose();
    service = await startTestService({}, { issuers: [{ url: other.url }] });
    const claims = { project_path: "acme/web" };
    await trust({ issuer: other.url, repository: null, claims });
    const nothing = { repository: undefined, repository_id: undefined, run_id: undefined, ref: undefined };
    const token = other.token({ aud: audience(), sha: undefined, ...nothing, ...claims });
    const workflow = pipeline(service, (await exchange(token)).body.access_token);
    const record = async (name: string, more: object) =>
      (await workflow.attest("web", "v1", { attestation_name: name, ...more })).headers["x-evidence-origin"];
    expect(await record("all", sent(PUSH.sha, RUN))).toBe("unproven; commit, repository, run, branch");
    expect(await record("none", {})).toBe("verified");
    const { body } = await send(service, { path: `/attestations/${ORG}/web/trail/v1/all` });
    expect(body[0].origin.differences.commit).toEqual({ said: PUSH.sha, proven: "" });
  });

  test("a trail is compared as a whole, whatever a request omits", async () => {
    await trust();
    await pipeline(service).flow("web");
    const put = async (name: string, more: object, key?: string) => {
      const answer = await pipeline(service, key ?? (await accessToken())).trail("web", name, more);
      const { body } = await send(service, { path: `/trails/${ORG}/web/${name}` });
      return [answer.headers["x-evidence-origin"], body.origin?.state];
    };
    const evil = { origin_url: "https://evil.example/run" };
    const right = sent(PUSH.sha, runOf());
    const different = ["different; run", "different"];
    const verified = ["verified", "verified"];
    expect(await put("false", evil)).toEqual(different);
    expect(await put("false", {})).toEqual(different);
    expect(await put("false", { git_commit_info: right.git_commit_info })).toEqual(different);
    expect(await put("false", right)).toEqual(verified);
    expect(await put("false", { description: "more" })).toEqual(verified);
    // Another run proves neither the fields of a key nor those of the first run.
    const { git_commit_info } = sent("2".repeat(40));
    await put("key", { git_commit_info }, service.keys.admin);
    expect(await put("key", {})).toEqual([undefined, undefined]);
    expect(await put("key", { origin_url: runOf() })).toEqual(["different; commit", "different"]);
    await put("repository", { repo_info: { name: "evil/evil", url: "https://github.com/evil/evil" } });
    expect(await put("repository", right)).toEqual(["different; repository", "different"]);
  });

  test("an artifact is compared with both of its commits and all of its addresses", async () => {
    await trust();
    await pipeline(service).flow("web");
    const right = {
      build_url: `${runOf()}/attempts/1`,
      git_commit: PUSH.sha,
      commit_url: `${web()}/commit/${PUSH.sha}`,
      repo_url: web(),
      git_commit_info: sent(PUSH.sha).git_commit_info,
    };
    const { git_commit_info } = sent("e".repeat(40));
    const { artifact } = pipeline(service, await accessToken());
    const states = [];
    for (const wrong of [
      {},
      { git_commit_info },
      { git_commit: "e".repeat(40) },
      { commit_url: "https://github.com/evil/evil" },
      { repo_url: "https://github.com/evil/evil" },
    ]) {
      states.push((await artifact("web", "v1", { ...right, ...wrong })).headers["x-evidence-origin"]);
      const { body } = await send(service, { path: `/artifacts/${ORG}/web/fingerprint/${"a".repeat(64)}` });
      states.push(body.origin.state);
    }
    const marked = (field: string) => [`different; ${field}`, "different"];
    expect(states.slice(0, 2)).toEqual(["verified", "verified"]);
    expect(states.slice(2)).toEqual(["commit", "commit", "commit", "repository"].flatMap(marked));
  });

  test("other records of its repository are compared as well, since they are shown", async () => {
    const info = { name: "acme/web", provider: "github", url: "https://github.com/evil/evil" };
    await pipeline(service).attest("web", "v1", { repo_info: info });
    const { record } = await recorded({ repo_info: { ...info, url: web() } });
    expect(record.origin.state).toBe("different");
  });

  test.each<[string, object, string]>([
    [
      "another address",
      { name: "acme/web", id: "4711", url: "https://g.example/x" },
      "different; repository",
    ],
    ["a name with the id of another", { name: "acme/api", id: "4711" }, "different; repository"],
    ["an id with the name of another", { name: "acme/web", id: "12" }, "different; repository"],
    ["its name in another letter case", { name: "Acme/WEB", id: "4711" }, "verified"],
    ["a name that looks alike", { name: "acme/\uff57eb", id: "4711" }, "different; repository"],
  ])("of a repository, %s", async (_, repository, state) => {
    const { header } = await recorded({ repo_info: { url: web(), ...repository } });
    expect(header).toBe(state);
  });

  test.each([
    ["/../../../../../evil/page", "different; run"],
    ["/..\\..\\..\\..\\..\\evil", "different; run"],
    ["/%2e%2e/124", "different; run"],
    ["4", "different; run"],
    ["/attempts/1", "verified"],
    ["/job/5?pr=7#step:3:1", "verified"],
    ["?check_suite_focus=true", "verified"],
  ])("of a run, its page with %j after it", async (after, state) => {
    const { header } = await recorded({ origin_url: `${runOf()}${after}` });
    expect(header).toBe(state);
  });

  test("trails, artifacts and snapshots likewise; a record by a key has no origin", async () => {
    await trust({ role: "member", environments: ["prod"] });
    const key = await accessToken();
    const { trail, artifact, environment, report } = pipeline(service, key);
    await pipeline(service).flow("web");
    await trail("web", "v2", sent(PUSH.sha));
    await artifact("web", "v2", {
      build_url: `${runOf()}/attempts/1`,
      git_commit: PUSH.sha,
      commit_url: `${web()}/commit/${PUSH.sha}`,
    });
    await environment("prod");
    await report("prod", [
      { digests: { web: "a".repeat(64) }, podName: "web-1", creationTimestamp: 1, namespace: "x" },
    ]);
    const get = async (path: string) => (await send(service, { path })).body;
    expect((await get(`/trails/${ORG}/web/v2`)).origin).toMatchObject({ state: "verified" });
    expect((await get(`/artifacts/${ORG}/web/fingerprint/${"a".repeat(64)}`)).origin).toMatchObject({
      policy: "web",
    });
    expect((await get(`/snapshots/${ORG}/prod/-1`)).origin).toMatchObject({ state: "verified" });

    await pipeline(service).trail("web", "v2", { description: "put by a key" });
    expect((await get(`/trails/${ORG}/web/v2`)).origin).toBeUndefined();
  });

  test("a policy can require it, and rejects an attestation made with a key or about another commit", async () => {
    await trust({ role: "member", environments: ["prod"] });
    const owner = pipeline(service);
    await owner.flow("web");
    const check = `attestation.origin == "verified" and matches(attestation.claims.workflow_ref, "build[.]yml@")`;
    await owner.policy(
      "proven",
      `_schema: https://x/v1
artifacts:
  attestations:
    - name: unit
      type: generic
      must_meet: \${{ ${check} }}
`,
    );
    await owner.trail("web", "v1");
    await owner.artifact("web", "v1");
    const fingerprint = "a".repeat(64);
    const attest = async (key: string, more: object = {}) => {
      const form = {
        attestation_name: "unit",
        is_compliant: true,
        artifact_fingerprint: fingerprint,
        ...more,
      };
      const path = `/attestations/${ORG}/web/trail/v1/generic`;
      expect((await send(service, { method: "POST", path, form, key })).status).toBe(201);
    };
    const verdict = async () => {
      const path = `/asserts/${ORG}/fingerprint/${fingerprint}?policy_name=proven`;
      const { body } = await send(service, { path });
      const [, , { resolutions }] = body.policy_evaluations[0].rule_evaluations;
      return [body.compliant, resolutions[0].type, resolutions[0].context.unmet];
    };

    expect(await verdict()).toEqual([false, "missing_attestation", undefined]);
    await attest(service.keys.admin);
    expect(await verdict()).toEqual([false, "non_compliant_attestation", check]);
    await attest(await accessToken({ workflow_ref: "acme/web/.github/workflows/else.yml@refs/heads/main" }));
    expect(await verdict()).toEqual([false, "non_compliant_attestation", check]);
    await attest(await accessToken(), sent("2".repeat(40)));
    expect(await verdict()).toEqual([false, "non_compliant_attestation", check]);
    await attest(await accessToken(), sent(PUSH.sha));
    expect(await verdict()).toEqual([true, "rule_satisfied", undefined]);
    // The latest counts, as everywhere: an unproven one still closes the gate.
    await attest(service.keys.admin, { is_compliant: false });
    expect(await verdict()).toEqual([false, "non_compliant_attestation", undefined]);
  });

  test("an author who names someone else is not mistaken for that person", async () => {
    await trust({ role: "member" });
    const owner = pipeline(service);
    await owner.flow("web");
    const tokenOf = (actor: string, id: string) => accessToken({ actor, actor_id: id });
    const [mallory, ada] = [await tokenOf("mallory", "666"), await tokenOf("ada", "1")];
    const report = async (n: number, author: string, key: string, headers: Record<string, string> = {}) => {
      const json = {
        fingerprint: `${n}`.repeat(64),
        filename: "app",
        build_url: "https://ci.example/1",
        commit_url: "https://ci.example/2",
        git_commit: `${n}`.repeat(40),
        git_commit_info: { ...sent(`${n}`.repeat(40)).git_commit_info, author_username: author },
      };
      const path = `/artifacts/${ORG}/web`;
      expect((await send(service, { method: "POST", path, json, key, headers })).status).toBe(201);
    };
    const approved = async (n: number, key: string, headers: Record<string, string> = {}) => {
      const fingerprint = `${n}`.repeat(64);
      const json = {
        artifact_fingerprint: fingerprint,
        src_commit_list: [`${n}`.repeat(40)],
        description: "go",
      };
      const path = `/approvals/${ORG}/web`;
      expect((await send(service, { method: "POST", path, json, key, headers })).status).toBe(201);
      const { body } = await send(service, { path: `/approvals/${ORG}/web/-1` });
      return body.origin.by_author;
    };
    const spooled = { "x-evidence-spooled-by": "run 77" };
    // Her own record does not make another author known, whatever the name.
    for (const [n, name] of [
      [1, "bob"],
      [2, "mallory[bot]"],
    ] as const) {
      await report(n, name, mallory);
      expect([name, await approved(n, mallory)]).toEqual([name, undefined]);
    }
    // Nor do names that GitHub cannot have, even in records of others.
    for (const [n, name] of [
      [3, "@mallory"],
      [4, "mallory "],
      [5, "m\u0430llory"],
    ] as const) {
      await report(n, name, ada);
      expect([name, await approved(n, mallory)]).toEqual([name, undefined]);
    }
    await report(6, "bob", ada);
    expect(await approved(6, mallory)).toBe(false);
    expect(await approved(6, mallory, spooled)).toBeUndefined();
    await report(7, "bob", service.keys.member, spooled);
    expect(await approved(7, mallory)).toBeUndefined();
    // Renamed, she is still the same person.
    await report(8, "bob", mallory);
    expect(await approved(8, await tokenOf("mal", "666"))).toBeUndefined();
  });

  test("a policy can require the origin of an artifact: a report by a key is not proven", async () => {
    await trust({ role: "member" });
    const owner = pipeline(service);
    await owner.flow("web");
    const check = `artifact.origin == "verified" and matches(artifact.claims.workflow_ref, "build[.]yml@")`;
    const rules = `artifacts: { provenance: { required: true, must_meet: '\${{ ${check} }}' } }`;
    expect((await owner.policy("proven", `_schema: https://x/v1\n${rules}\n`)).status).toBeLessThan(300);
    const verdict = async () => {
      const path = `/asserts/${ORG}/fingerprint/${"a".repeat(64)}?policy_name=proven`;
      const { body } = await send(service, { path });
      const [{ rule, resolutions }] = body.policy_evaluations[0].rule_evaluations;
      expect(rule.definition.must_meet).toEqual({ text: check });
      return [body.compliant, resolutions[0].type, resolutions[0].context.unmet];
    };
    const report = async (key: string, sha: string) => {
      const links = { build_url: runOf(), commit_url: `${web()}/commit/${sha}` };
      const { status } = await pipeline(service, key).artifact("web", "v1", { git_commit: sha, ...links });
      expect(status).toBe(201);
    };
    await report(service.keys.admin, PUSH.sha);
    expect(await verdict()).toEqual([false, "missing_provenance", check]);
    await report(await accessToken(), "2".repeat(40));
    expect(await verdict()).toEqual([false, "missing_provenance", check]);
    await report(await accessToken(), PUSH.sha);
    expect(await verdict()).toEqual([true, "rule_satisfied", undefined]);
    const elsewhere = rules.replace("artifact.origin", "attestation.origin");
    const refused = await owner.policy("wrong", `_schema: https://x/v1\n${elsewhere}\n`);
    expect(refused.text).toContain("'attestation.origin' can only be used in must_meet of an attestation");
  });

  test("an override and an approval by the commit author are marked: two people should have reviewed", async () => {
    await trust({ role: "member" });
    const owner = pipeline(service);
    const by = (author_username?: string) => ({
      git_commit_info: { ...sent(PUSH.sha).git_commit_info, ...(author_username && { author_username }) },
    });
    await owner.flow("web");
    await owner.trail("web", "v1", by("Ada"));
    await owner.trail("web", "v2", by("grace"));
    await owner.trail("web", "v3", by());
    const [byAuthor, byOther] = [await accessToken({ actor: "ada" }), await accessToken({ actor: "grace" })];
    const marked = async (trail: string, key: string, more: object = {}) => {
      await owner.attest("web", trail, { is_compliant: false, description: `${trail} ${key}` });
      const json = { attestation_name: "unit", original_attestation_type: "generic", ...more };
      const override = { new_compliance_status: true, reason: "flaky" };
      const path = `/attestations/${ORG}/web/trail/${trail}/override`;
      const answer = await send(service, { method: "POST", path, json: { ...json, ...override }, key });
      expect(answer.status).toBe(200);
      const { body } = await send(service, { path: `/attestations/${ORG}/web/trail/${trail}/unit` });
      return body[0].origin?.by_author;
    };
    expect(await marked("v1", byAuthor)).toBe(true);
    expect(await marked("v1", byOther)).toBe(false);
    expect(await marked("v2", byOther)).toBe(true);
    expect(await marked("v3", byAuthor)).toBeUndefined();
    expect(await marked("v1", service.keys.admin)).toBeUndefined();
    // An override cannot avoid it by naming another author.
    expect(await marked("v1", byAuthor, by("grace"))).toBe(true);
    expect(await marked("v3", byAuthor, by("grace"))).toBeUndefined();

    await owner.artifact("web", "v1", { git_commit: PUSH.sha });
    const approve = async (key: string, commits = [PUSH.sha]) => {
      const json = { artifact_fingerprint: "a".repeat(64), src_commit_list: commits, description: "go" };
      const path = `/approvals/${ORG}/web`;
      expect((await send(service, { method: "POST", path, json, key })).status).toBe(201);
      const { body } = await send(service, { path: `/approvals/${ORG}/web/-1` });
      return body.origin?.by_author;
    };
    expect(await approve(byOther)).toBe(false);
    expect(await approve(byOther, [PUSH.sha.toUpperCase()])).toBe(false);
    // The author of the other one is unknown.
    expect(await approve(byOther, [PUSH.sha, "2".repeat(40)])).toBeUndefined();
    expect(await approve(byAuthor, [PUSH.sha, "2".repeat(40)])).toBe(true);
    expect(await approve(byAuthor)).toBe(true);
  });

  test("the status of a trail includes the origin of each attestation, in lists too", async () => {
    await trust({ flows: null, role: "member" });
    const workflow = pipeline(service, await accessToken());
    await workflow.flow("web", "version: 1\ntrail:\n  attestations: [{name: missing, type: junit}]\n");
    await workflow.attest("web", "v3", { attestation_name: "lint", ...sent(PUSH.sha) });
    await workflow.attest("web", "v3", { attestation_name: "odd", ...sent("2".repeat(40)) });
    await pipeline(service).attest("web", "v3", { attestation_name: "by-hand" });
    await workflow.artifact("web", "v3");
    await workflow.attest("web", "v3", { artifact_fingerprint: "a".repeat(64) });
    const trail = (await send(service, { path: `/trails/${ORG}/web/v3` })).body;
    const listed = (await send(service, { path: `/trails/${ORG}?flow=web` })).body.data[0];
    for (const { attestations_statuses: own, artifacts_statuses: artifacts } of [
      trail.compliance_status,
      listed.compliance_status,
    ]) {
      const states = (statuses: { attestation_name: string; origin_state?: string }[]) =>
        Object.fromEntries(statuses.map((each) => [each.attestation_name, each.origin_state]));
      expect(states(own)).toEqual({ lint: "verified", odd: "different" });
      const [artifact] = Object.values<{ attestations_statuses: [] }>(artifacts);
      expect(states(artifact?.attestations_statuses ?? [])).toEqual({ unit: "verified" });
    }
  });
});
