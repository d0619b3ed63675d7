import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  PROJECTED,
  type PrivateCluster,
  privateCluster,
  projectedFor,
} from "../../../identity/cluster-tokens.ts";
import { type FakeIssuer, fakeIssuer } from "../../../identity/fake-issuer.ts";
import { type Answered, expectRefusal, send } from "../../requests.ts";
import { ORG, OTHER_ORG, startTestService, type TestService } from "../../running-service.ts";

let service: TestService;
let cluster: PrivateCluster;
let published: FakeIssuer;
const now = () => service.clock.time;

beforeEach(async () => {
  service = await startTestService();
  cluster = privateCluster(now);
  published = await fakeIssuer(now, "/id/1");
});
afterEach(() => service.dispose());

const audience = () => `${service.address}/${ORG}`;

function trust(policy: object = {}, org = ORG): Promise<Answered> {
  const json = {
    ...{ name: "reporter", role: "snapshotter", environments: ["production"] },
    ...{ service_account: "evidence/reporter", issuer: cluster.issuer, jwks: cluster.jwks },
    ...policy,
  };
  return send(service, { method: "POST", path: `/trust-policies/${org}`, json, key: service.keys.admin });
}

async function exchange(token: string, org = ORG): Promise<Answered> {
  return send(service, { method: "POST", path: "/oidc/token", json: { token, org }, key: null });
}

const POD = {
  podName: "web-1",
  namespace: "web",
  digests: { "web:1": "a".repeat(64) },
  creationTimestamp: 1,
  owners: [],
};

describe("a service account of a private cluster", () => {
  test("reports with its projected token, and the snapshot names it", async () => {
    expect((await trust()).status).toBe(201);
    const { status, body } = await exchange(cluster.token(audience()));
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { scope: "snapshotter environments:production", policy: "reporter" },
    });
    const path = `/environments/${ORG}`;
    const environment = { name: "production", type: "K8S", description: "" };
    expect((await send(service, { method: "PUT", path, json: environment })).status).toBe(201);
    const report = { type: "K8S", artifacts: [POD] };
    const key = body.access_token;
    const sent = { method: "PUT", path: `${path}/production/report/K8S`, json: report, key };
    expect((await send(service, sent)).status).toBe(201);
    const snapshot = await send(service, { path: `/snapshots/${ORG}/production/1` });
    expect(snapshot.body.origin).toMatchObject({
      name: "kubernetes:evidence/reporter of kubernetes.default.svc.cluster.local",
      issuer: cluster.issuer,
      policy: "reporter",
    });
  });

  test("may exchange its token again, because its pod reads the same file after a restart", async () => {
    await trust();
    const token = cluster.token(audience());
    expect((await exchange(token)).status).toBe(200);
    expect((await exchange(token)).status).toBe(200);
    service.clock.time += 631;
    expect((await exchange(token)).body.code).toBe("auth.token_invalid");
  });

  test("needs no jti, which clusters before 1.32 omit", async () => {
    await trust();
    const token = cluster.token(audience(), { ...PROJECTED, jti: undefined });
    expect((await exchange(token)).status).toBe(200);
  });

  test("is known by the uid of its first use, so one of the same name is not trusted later", async () => {
    await trust();
    await exchange(cluster.token(audience()));
    const { body } = await send(service, {
      path: `/trust-policies/${ORG}/reporter`,
      key: service.keys.admin,
    });
    expect(body).toMatchObject({
      service_account_uid: PROJECTED["kubernetes.io"].serviceaccount.uid,
      pinned_until: null,
      jwks: cluster.jwks,
    });
    const again = await exchange(cluster.token(audience(), projectedFor({ uid: "another" })));
    expect({ status: again.status, body: again.body }).toMatchObject({
      status: 400,
      body: {
        code: "trust_policy.no_match",
        errors: {
          "kubernetes.io/serviceaccount/uid": `is another; the policy 'reporter' requires ${PROJECTED["kubernetes.io"].serviceaccount.uid}`,
        },
      },
    });
  });

  test("keeps its uid when its policy changes, until another one is set", async () => {
    await trust();
    await exchange(cluster.token(audience()));
    const change = (more: object) =>
      send(service, {
        method: "PUT",
        path: `/trust-policies/${ORG}/reporter`,
        json: {
          ...{ service_account: "evidence/reporter", issuer: cluster.issuer, jwks: cluster.jwks },
          ...{ role: "snapshotter", environments: ["production"], ...more },
        },
        key: service.keys.admin,
      });
    const { uid } = PROJECTED["kubernetes.io"].serviceaccount;
    expect((await change({})).body).toMatchObject({ service_account_uid: uid, pinned_until: null });
    const other = await change({ service_account_uid: "another" });
    expect(other.body).toMatchObject({ service_account_uid: "another", pinned_until: null });
    const moved = await change({ service_account: "evidence/other" });
    expect(moved.body).toMatchObject({ service_account_uid: null, pinned_until: expect.any(Number) });
  });

  test.each([
    ["another namespace", { namespace: "web" }],
    ["another name", { name: "default" }],
  ])("is not one of %s", async (_, other) => {
    await trust();
    const { status, body } = await exchange(cluster.token(audience(), projectedFor(other)));
    expect({ status, errors: body.errors }).toEqual({ status: 400, errors: undefined });
  });

  test("is not one of another cluster that names the same issuer", async () => {
    await trust();
    const other = privateCluster(now);
    expectRefusal(
      await exchange(other.token(audience())),
      401,
      "Unauthorized: the token's signature is not from its issuer",
    );
    await trust({ name: "other", environments: ["staging"], jwks: other.jwks });
    expect((await exchange(other.token(audience()))).body.policy).toBe("other");
    expect((await exchange(cluster.token(audience()))).body.policy).toBe("reporter");
  });

  test("is trusted by its own organization only", async () => {
    await trust();
    const theirs = cluster.token(`${service.address}/${OTHER_ORG}`);
    expectRefusal(
      await exchange(theirs, OTHER_ORG),
      401,
      `Unauthorized: the issuer ${cluster.issuer} is not trusted`,
    );
  });

  test.each([
    [
      "several audiences",
      (aud: string) => ({ aud: [aud, "other"] }),
      "the token must have one audience and a jti of at most 512 characters",
    ],
    [
      "another audience",
      () => ({ aud: ["https://kubernetes.default.svc"] }),
      "the token is for another audience",
    ],
    [
      "a lifetime of a week",
      () => ({ exp: now() + 7 * 86_400 }),
      "the token is valid for more than 24 hours",
    ],
    ["no end", () => ({ exp: undefined }), "the token's exp is missing or wrong"],
  ])("needs a token that is not one with %s", async (_, claims, why) => {
    await trust();
    const token = cluster.token(audience(), { ...PROJECTED, ...claims(audience()) });
    expectRefusal(await exchange(token), 401, `Unauthorized: ${why}`);
  });

  test("needs the claims that its policy lists, such as its pod's", async () => {
    await trust({ claims: { "kubernetes.io/pod/name": "reporter-*" } });
    expect((await exchange(cluster.token(audience()))).status).toBe(200);
    await send(service, {
      method: "DELETE",
      path: `/trust-policies/${ORG}/reporter`,
      key: service.keys.admin,
    });
    await trust({ name: "second", claims: { "kubernetes.io/pod/name": "debug-*" } });
    const { body } = await exchange(cluster.token(audience()));
    expect(body.errors).toEqual({
      "kubernetes.io/pod/name": "is reporter-5d8f-x2x; the policy 'second' requires debug-*",
    });
  });
});

test("the keys of a cluster whose issuer is reachable are discovered", async () => {
  await trust({ issuer: published.url, jwks: null });
  const token = published.token({ aud: [audience()], ...PROJECTED });
  expect((await exchange(token)).status).toBe(200);
  expect(published.server.received.map(({ path }) => path)).toEqual([
    "/id/1/.well-known/openid-configuration",
    "/id/1/keys",
  ]);
  await exchange(published.token({ aud: [audience()], ...PROJECTED }));
  expect(published.server.received).toHaveLength(2);
});

test("the service explains why a service account is not trusted", async () => {
  await trust({ service_account: "evidence/reporter", service_account_uid: "expected" });
  const { body } = await send(service, {
    method: "POST",
    path: `/trust-policies/${ORG}/explain`,
    json: { token: cluster.token(audience()) },
    key: service.keys.admin,
  });
  expect(body).toMatchObject({
    policy: null,
    policies: [
      {
        name: "reporter",
        fits: false,
        problems: { "kubernetes.io/serviceaccount/uid": expect.stringContaining("requires expected") },
      },
    ],
  });
});

describe("a policy for a service account", () => {
  test.each([
    ["without the keys of an issuer inside the cluster", { jwks: null }, "jwks"],
    ["for GitHub", { issuer: "https://token.actions.githubusercontent.com" }, "issuer"],
    ["for text in place of an issuer", { issuer: "cluster" }, "issuer"],
    ["with a private key", { jwks: { keys: [{ kty: "RSA", n: "1", e: "AQAB", d: "1" }] } }, "jwks.keys"],
    ["with a symmetric key", { jwks: { keys: [{ kty: "oct", k: "AA" }] } }, "jwks.keys"],
    ["with a name that is none", { service_account: "reporter" }, "service_account"],
    ["without the account", { service_account: null }, "service_account"],
  ])("%s is refused", async (_, policy, field) => {
    const { status, body } = await trust(policy);
    expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 400, fields: [field] });
  });

  test("names no repository", async () => {
    expectRefusal(
      await trust({ repository: "acme/web" }),
      400,
      "Only policies for GitHub issuers can name a repository: use claims for this issuer",
    );
  });
});
