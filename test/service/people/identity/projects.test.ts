import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  CI_NAMES,
  CI_SYSTEMS,
  type CiIssuer,
  type CiName,
  type CiSystem,
  ciIssuer,
  SHA,
} from "../../../identity/ci-tokens.ts";
import { recordsOfTest } from "../../../records.ts";
import { type Answered, expectRefusal, pipeline, send } from "../../requests.ts";
import { ORG, OTHER_ORG, startTestService, type TestService } from "../../running-service.ts";

/* Projects and pipelines of other CI systems, with the claims that their tokens have. */

let service: TestService;
let signer: CiIssuer;
beforeAll(async () => {
  service = await startTestService({}, await recordsOfTest());
  signer = ciIssuer(() => service.clock.time);
});
afterAll(() => service.dispose());

type Fields = Readonly<Record<string, unknown>>;

let count = 0;

/** Creates a policy with its own name, until the end of the test. */
async function trust(name: CiName, fields: Fields = {}) {
  const { issuer, policy }: CiSystem = CI_SYSTEMS[name];
  const json = { name: `policy-${++count}`, issuer, jwks: signer.jwks, flows: ["web"], ...policy, ...fields };
  const answer = await send(service, {
    method: "POST",
    path: `/trust-policies/${ORG}`,
    json,
    key: service.keys.admin,
  });
  const path = `/trust-policies/${ORG}/${json.name}`;
  const admin = { path, key: service.keys.admin };
  return {
    answer,
    name: json.name,
    read: async () => (await send(service, admin)).body,
    change: async (more: Fields) =>
      (await send(service, { ...admin, method: "PUT", json: { ...json, name: undefined, ...more } })).body,
    [Symbol.asyncDispose]: async () => {
      await send(service, { ...admin, method: "DELETE" });
    },
  };
}

function tokenOf(name: CiName, claims: Fields = {}, signing: Parameters<CiIssuer["token"]>[2] = {}): string {
  const { audience = `${service.address}/${ORG}` }: CiSystem = CI_SYSTEMS[name];
  return signer.token(name, { aud: audience, ...claims }, signing);
}

function exchange(token: string, more: Fields = {}): Promise<Answered> {
  return send(service, {
    method: "POST",
    path: "/oidc/token",
    json: { token, org: ORG, ...more },
    key: null,
  });
}

/** Two tokens of one job and second are the same, where they have no jti. */
const pass = () => {
  service.clock.time += 1;
};
beforeEach(pass);

describe.each(CI_NAMES)("%s", (name) => {
  const system: CiSystem = CI_SYSTEMS[name];

  test("its jobs need no key, and the first use stores the ids", async () => {
    await using policy = await trust(name);
    expect(policy.answer).toMatchObject({ status: 201 });
    const { status, body } = await exchange(tokenOf(name));
    expect({ status, body }).toMatchObject({ status: 200, body: { scope: "attester flows:web" } });
    expect(await policy.read()).toMatchObject({
      project: system.policy["project"],
      project_ids: system.ids,
      pinned_until: null,
      uses: 1,
    });
    // An update without ids, as by a policy that is kept as code, keeps them.
    expect(await policy.change({ description: "nightly" })).toMatchObject({ project_ids: system.ids });
    pass();
    expect((await exchange(tokenOf(name))).status).toBe(200);
  });

  test("a token is exchanged once, unless its job has the secret of the first exchange", async () => {
    await using policy = await trust(name);
    const used = "Unauthorized: the token was already used: request another one from its issuer";
    const token = tokenOf(name);
    expect((await exchange(token)).status).toBe(200);
    expectRefusal(await exchange(token), 401, used);
    expectRefusal(await exchange(token, { repeat_secret: "s".repeat(43) }), 401, used);
    pass();
    const shared = tokenOf(name);
    const repeat_secret = "r".repeat(43);
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await exchange(shared, { repeat_secret })).status);
    expect(statuses).toEqual([200, 200, 200]);
    expectRefusal(await exchange(shared), 401, used);
    expectRefusal(await exchange(shared, { repeat_secret: "o".repeat(43) }), 401, used);
    expect((await policy.read()).uses).toBe(4);
  });

  const foreign = generateKeyPairSync("rsa", { modulusLength: 2048 });
  test.each<[string, () => string, RegExp]>([
    ["with another audience", () => tokenOf(name, { aud: "https://else.example" }), /for another audience/],
    [
      "for another organization",
      () => tokenOf(name, { aud: `${service.address}/${OTHER_ORG}` }),
      /for another audience/,
    ],
    [
      "with several audiences",
      () => tokenOf(name, { aud: [system.audience ?? `${service.address}/${ORG}`, "https://else.example"] }),
      /one audience/,
    ],
    ["that has expired", () => tokenOf(name, { exp: service.clock.time - 31 }), /expired at/],
    [
      "that is valid for more than a day",
      () => tokenOf(name, { exp: service.clock.time + 90_000 }),
      /valid for more than 24 hours/,
    ],
    ["without a signature", () => tokenOf(name, {}, { header: { alg: "none" } }), /not signed with RS256$/],
    [
      "signed with the public key as a secret",
      () => tokenOf(name, {}, { header: { alg: "HS256" }, key: signer.publicKey }),
      /not signed with RS256$/,
    ],
    [
      "with another algorithm",
      () => tokenOf(name, {}, { header: { alg: "ES256" } }),
      /not signed with RS256$/,
    ],
    [
      "signed with another key",
      () => tokenOf(name, {}, { key: foreign.privateKey }),
      /signature is not from/,
    ],
    [
      "without an id",
      () =>
        tokenOf(name, {
          ...{ jti: undefined, job_id: undefined, stepUuid: undefined },
          "oidc.circleci.com/job-id": undefined,
        }),
      /is missing or wrong$/,
    ],
    [
      "of an issuer that no policy names",
      () => tokenOf(name, { iss: "https://gitlab.evil.example" }),
      /is not trusted/,
    ],
  ])("a token %s is refused", async (_, token, why) => {
    await using _policy = await trust(name);
    const { status, body } = await exchange(token());
    expect(status).toBe(401);
    expect(body.message).toMatch(why);
  });

  test("the issuer is trusted by its own organization only", async () => {
    await using _policy = await trust(name);
    const aud = system.audience ?? `${service.address}/${OTHER_ORG}`;
    expectRefusal(
      await exchange(tokenOf(name, { aud }), { org: OTHER_ORG }),
      401,
      `Unauthorized: the issuer ${system.issuer} is not trusted`,
    );
  });
});

const GITLAB_EVENT = "must list this source to accept it";

describe("a job that is not of the trusted project", () => {
  const problem = (claim: string, problem: string) => ({ [claim]: expect.stringContaining(problem) });

  test.each<[string, CiName, Fields, Fields, object?]>([
    ["another project", "gitlab", {}, { project_path: "my-group/else", project_id: "21" }],
    ["another group", "gitlab", { project: "my-group/*" }, { project_path: "evil/my-project" }],
    ["a subgroup", "gitlab", { project: "my-group/*" }, { project_path: "my-group/sub/my-project" }],
    [
      "a fork, whose ids GitLab puts into the token",
      "gitlab",
      { claims: { pipeline_source: "merge_request_event" } },
      { project_path: "mallory/my-project", project_id: "666", pipeline_source: "merge_request_event" },
    ],
    [
      "a merge request, if the policy does not name them",
      "gitlab",
      {},
      { pipeline_source: "merge_request_event" },
      problem("pipeline_source", GITLAB_EVENT),
    ],
    [
      "a merge request, if the policy has a pattern for everything",
      "gitlab",
      { claims: { pipeline_source: "*" } },
      { pipeline_source: "merge_request_event" },
      problem("pipeline_source", GITLAB_EVENT),
    ],
    [
      "a branch that is not protected",
      "gitlab",
      { claims: { ref_protected: "true" } },
      { ref_protected: "false" },
      problem("ref_protected", "is false; the policy"),
    ],
    [
      "an environment in another letter case, which is another environment",
      "gitlab",
      { claims: { environment: "production" } },
      { environment: "Production" },
      problem("environment", "is Production; the policy"),
    ],
    ["without ids", "gitlab", {}, { project_id: undefined, namespace_id: undefined }],
    ["another pipeline", "azure", {}, { sub: "p://example/test-oidc/deploy", def_id: "18" }],
    ["another project", "azure", {}, { sub: "p://example/else/build" }],
    [
      "another branch",
      "azure",
      {},
      { rpo_ref: "refs/heads/topic" },
      problem("rpo_ref", "is refs/heads/topic; the policy"),
    ],
    [
      "a pull request",
      "azure",
      { claims: { rpo_ref: "refs/*" } },
      { rpo_ref: "refs/pull/7/merge" },
      problem("rpo_ref", "must list this ref to accept it"),
    ],
    [
      "a service connection",
      "azure",
      { project_ids: { prj_id: CI_SYSTEMS.azure.claims.prj_id, def_id: "17" } },
      { sub: "sc://example/test-oidc/connection" },
      problem("sub", "is not of a pipeline"),
    ],
    ["another repository", "circleci", {}, { "oidc.circleci.com/vcs-origin": "github.com/acme/api" }],
    [
      "a job that a person reran with SSH",
      "circleci",
      {},
      { "oidc.circleci.com/ssh-rerun": true },
      problem("oidc.circleci.com/ssh-rerun", "a person may be inside the job"),
    ],
    [
      "a job that may have been rerun with SSH",
      "circleci",
      {},
      { "oidc.circleci.com/ssh-rerun": undefined },
      problem("oidc.circleci.com/ssh-rerun", "a person may be inside the job"),
    ],
    [
      "a pull request",
      "circleci",
      {},
      { "oidc.circleci.com/vcs-ref": "refs/heads/pull/7" },
      problem("oidc.circleci.com/vcs-ref", "must list this ref to accept it"),
    ],
    [
      "another organization",
      "circleci",
      {},
      { "oidc.circleci.com/org-id": "00000000-0000-1000-8000-000000000001" },
      problem("oidc.circleci.com/org-id", "is 00000000-0000-1000-8000-000000000001; the policy"),
    ],
    ["another pipeline", "buildkite", {}, { pipeline_slug: "else" }],
    ["the pipeline of another organization", "buildkite", {}, { organization_slug: "evil" }],
    [
      "a fork",
      "buildkite",
      {},
      { build_branch: "mallory:main" },
      problem("build_branch", "must list this branch to accept it"),
    ],
    [
      "without ids",
      "buildkite",
      {},
      { pipeline_id: undefined },
      problem("pipeline_slug", "cannot be checked without pipeline_id"),
    ],
    ["another repository", "bitbucket", {}, { repositoryUuid: "{00000000-0000-4000-8000-000000000000}" }],
    [
      "another branch",
      "bitbucket",
      { claims: { branchName: "main" } },
      { branchName: "topic" },
      problem("branchName", "is topic; the policy"),
    ],
  ])("%s (%s) is refused", async (_, name, fields, claims, errors) => {
    await using policy = await trust(name, fields);
    expect(policy.answer.status).toBe(201);
    const { status, body } = await exchange(tokenOf(name, claims));
    if (status !== 401) {
      expect({ status, code: body.code }).toEqual({ status: 400, code: "trust_policy.no_match" });
      expect(body.errors).toEqual(errors);
    } else {
      // A token without the claims of GitLab is one of an issuer that no policy trusts.
      expect({ name, message: body.message }).toMatchObject({ name: "gitlab" });
    }
  });

  test.each<[CiName, Fields, Fields]>([
    [
      "gitlab",
      { claims: { pipeline_source: ["push", "merge_request_event"] } },
      { pipeline_source: "merge_request_event" },
    ],
    ["gitlab", { project: "My-Group/*" }, { project_path: "my-group/else", project_id: "21" }],
    ["gitlab", { project: "MY-GROUP/my-project" }, {}],
    ["azure", { claims: { rpo_ref: "refs/pull/*" } }, { rpo_ref: "refs/pull/7/merge" }],
    ["buildkite", { claims: { build_branch: "*:main" } }, { build_branch: "friend:main" }],
    ["buildkite", {}, { jti: undefined, job_id: "0184990a-477b-4fa8-9968-49607448aaaa" }],
  ])("%s: is accepted if the policy names it: %j", async (name, fields, claims) => {
    await using _policy = await trust(name, fields);
    expect((await exchange(tokenOf(name, claims))).body).toMatchObject({ token_type: "Bearer" });
  });

  test.each<[string, CiName, Fields, string[] | undefined]>([
    ["a project of the same path after it was created again", "gitlab", { project_id: "999" }, undefined],
    ["a pipeline of the same name after it was created again", "azure", { def_id: "99" }, undefined],
    [
      "another project for the same repository",
      "circleci",
      { "oidc.circleci.com/project-id": "x" },
      undefined,
    ],
    [
      "a build of a fork, which has the ids of the project",
      "circleci",
      { "oidc.circleci.com/vcs-origin": "github.com/mallory/web" },
      ["oidc.circleci.com/vcs-origin"],
    ],
    ["a pipeline of the same slug after it was created again", "buildkite", { pipeline_id: "x" }, undefined],
  ])("once the ids are stored, %s (%s) is refused", async (_, name, claims, errors) => {
    await using _policy = await trust(name);
    expect((await exchange(tokenOf(name))).status).toBe(200);
    pass();
    const { status, body } = await exchange(tokenOf(name, claims));
    expect({ status, errors: body.errors && Object.keys(body.errors) }).toEqual({ status: 400, errors });
  });

  test("a renamed project stays trusted, and the audit log shows the stored ids", async () => {
    await using policy = await trust("gitlab");
    await exchange(tokenOf("gitlab"));
    const renamed = tokenOf("gitlab", { project_path: "new-group/new-name" });
    expect((await exchange(renamed)).status).toBe(200);
    const path = `/audit-log/${ORG}?act=trust_policy.pinned`;
    const [pinned] = (await send(service, { path, key: service.keys.auditor })).body.data;
    expect(pinned).toMatchObject({
      resource: { name: policy.name },
      account: "gitlab:my-group/my-project pipeline 574 job 302",
      changes: { project_ids: { from: {}, to: CI_SYSTEMS.gitlab.ids } },
    });
  });
});

test.each(CI_NAMES)("%s: another organization with keys of its own cannot use up a token", async (name) => {
  await using _policy = await trust(name);
  const rival = ciIssuer(() => service.clock.time);
  const { issuer, policy, audience = `${service.address}/${OTHER_ORG}` }: CiSystem = CI_SYSTEMS[name];
  const json = { name: `rival-${++count}`, issuer, jwks: rival.jwks, ...policy };
  const admin = { method: "POST", path: `/trust-policies/${OTHER_ORG}`, json, key: service.keys.stranger };
  expect((await send(service, admin)).status).toBe(201);
  // It knows every claim of the job, and the time.
  const jti = `known-${name}`;
  const forged = rival.token(name, { aud: audience, jti });
  expect((await exchange(forged, { org: OTHER_ORG })).status).toBe(200);
  expect((await exchange(tokenOf(name, { jti }))).status).toBe(200);
});

test("a cluster's token of the same issuer is not one of a project", async () => {
  await using _policy = await trust("gitlab");
  const account = { namespace: "evidence", serviceaccount: { name: "reporter", uid: "1" } };
  const { status, body } = await exchange(tokenOf("gitlab", { "kubernetes.io": account }));
  expect({ status, code: body.code }).toEqual({ status: 400, code: "trust_policy.no_match" });
});

describe("a policy", () => {
  test.each<[string, CiName, Fields, string]>([
    ["that names no project", "gitlab", { issuer: "https://gitlab.com", project: null }, "project_ids"],
    [
      "that names a whole organization",
      "azure",
      { project: null, project_ids: { prj_id: "p" } },
      "project_ids",
    ],
    ["for every branch of Azure", "azure", { claims: {} }, "claims.rpo_ref"],
    ["for every ref of Azure", "azure", { claims: { rpo_ref: "*" } }, "claims.rpo_ref"],
    [
      "with another organization than its issuer",
      "azure",
      { project_ids: { org_id: "x" } },
      "project_ids.org_id",
    ],
    ["with a name that is none", "azure", { project: "example/build" }, "project"],
    [
      "with ids alone, which forks have too",
      "circleci",
      { project: null, project_ids: { "oidc.circleci.com/project-id": "p" } },
      "project",
    ],
    [
      "of an issuer that organizations share, without the organization",
      "circleci",
      { issuer: "https://oidc.circleci.com" },
      "project_ids",
    ],
    ["with a name alone, which no token has", "bitbucket", { project_ids: null }, "project_ids"],
    ["with an id of another system", "buildkite", { project_ids: { project_id: "1" } }, "project_ids"],
    [
      "with a private key",
      "gitlab",
      { jwks: { keys: [{ kty: "RSA", n: "1", e: "AQAB", d: "1" }] } },
      "jwks.keys",
    ],
    [
      "of GitHub with a project",
      "gitlab",
      { issuer: "https://token.actions.githubusercontent.com", jwks: null },
      "project",
    ],
    ["of a cluster with a project", "gitlab", { service_account: "a/b" }, "project"],
    ["with a subject", "gitlab", { claims: { sub: "project_path:*" } }, "claims.sub"],
  ])("%s (%s) is refused", async (_, name, fields, field) => {
    await using policy = await trust(name, fields);
    const { status, body } = policy.answer;
    expect({ status, fields: Object.keys(body.errors ?? {}) }).toEqual({ status: 400, fields: [field] });
  });
});

describe("the origin of a record", () => {
  interface Expected {
    readonly by: string;
    readonly run: string | null;
    readonly state: string;
    readonly stated: Fields;
  }
  const info = (branch: string, url = "") => ({
    git_commit_info: {
      ...{ sha1: SHA, message: "m", author: "Ada <ada@example.com>", timestamp: 1_700_000_000, branch },
      ...(url === "" ? {} : { url }),
    },
  });
  const gitlab = "https://gitlab.example.com/my-group/my-project";
  const azure = "https://dev.azure.com/example/test-oidc";
  const { gitlab: g, azure: a, circleci: c, buildkite: b, bitbucket: t } = CI_SYSTEMS;

  test.each<[CiName, Fields, Expected]>([
    [
      "gitlab",
      {},
      {
        by: "gitlab:my-group/my-project pipeline 574 job 302",
        run: `${gitlab}/-/jobs/302`,
        state: "verified",
        stated: {
          ...info("main", `${gitlab}/-/commit/${SHA}`),
          origin_url: `${gitlab}/-/pipelines/574`,
          repo_info: { name: "my-group/my-project", id: g.ids.project_id, url: gitlab, provider: "gitlab" },
        },
      },
    ],
    [
      "gitlab",
      {
        pipeline_source: "merge_request_event",
        sha: "2".repeat(40),
        ref: "topic",
        ref_path: "refs/merge-requests/7/merge",
      },
      {
        by: "gitlab:my-group/my-project pipeline 574 job 302",
        run: `${gitlab}/-/jobs/302`,
        state: "unproven; commit",
        stated: { ...info("topic"), origin_url: `${gitlab}/-/jobs/302` },
      },
    ],
    [
      "gitlab",
      {},
      {
        by: "gitlab:my-group/my-project pipeline 574 job 302",
        run: `${gitlab}/-/jobs/302`,
        state: "different; run",
        stated: { origin_url: `${gitlab}/-/jobs/303` },
      },
    ],
    [
      "azure",
      {},
      {
        by: "azure:example/test-oidc/build run 5",
        run: `${azure}/_build/results?buildId=5`,
        state: "verified",
        stated: {
          ...info("main", `${azure}/_git/test-oidc/commit/${SHA}`),
          origin_url: "https://example.visualstudio.com/test-oidc/_build/results?buildId=5&view=logs",
          repo_info: {
            ...{ name: "example/test-oidc/test-oidc", id: a.claims.rpo_id, url: `${azure}/_git/test-oidc` },
            provider: "azure_devops_services",
          },
        },
      },
    ],
    [
      "azure",
      { rpo_uri: "https://github.com/acme/web.git", rpo_id: "acme/web" },
      {
        by: "azure:example/test-oidc/build run 5",
        run: `${azure}/_build/results?buildId=5`,
        state: "different; run",
        stated: {
          ...info("main", `https://github.com/acme/web/commit/${SHA}`),
          origin_url: `${azure}/_build/results?buildId=55`,
          repo_info: { name: "acme/web", url: "https://github.com/acme/web", provider: "github" },
        },
      },
    ],
    [
      "circleci",
      {},
      {
        by: `circleci:github.com/acme/web job ${c.claims["oidc.circleci.com/job-id"]}`,
        run: `https://app.circleci.com/workflow/${c.claims["oidc.circleci.com/workflow-id"]}/job/${c.claims["oidc.circleci.com/job-id"]}`,
        state: "unproven; run",
        stated: {
          ...info("main", `https://github.com/acme/web/commit/${SHA}`),
          origin_url: "https://circleci.com/gh/acme/web/12",
          repo_info: { name: "acme/web", url: "https://github.com/acme/web", provider: "github" },
        },
      },
    ],
    [
      "buildkite",
      {},
      {
        by: "buildkite:acme-inc/super-duper-app build 5",
        run: "https://buildkite.com/acme-inc/super-duper-app/builds/5",
        state: "verified",
        stated: {
          ...info("main"),
          origin_url: `https://buildkite.com/acme-inc/super-duper-app/builds/5#${b.claims.job_id}`,
        },
      },
    ],
    [
      "bitbucket",
      {},
      {
        by: `bitbucket:acme/${t.claims.repositoryUuid} step ${t.claims.stepUuid}`,
        run: null,
        state: "unproven; commit",
        stated: info("main"),
      },
    ],
  ])("%s %j is compared with the token", async (name, claims, { by, run, state, stated }) => {
    await using _policy = await trust(
      name,
      "pipeline_source" in claims ? { claims: { pipeline_source: claims["pipeline_source"] } } : {},
    );
    const { body } = await exchange(tokenOf(name, claims));
    const attestation_name = `unit-${count}`;
    const { headers } = await pipeline(service, body.access_token).attest("web", "v1", {
      attestation_name,
      ...stated,
    });
    expect(headers["x-evidence-origin"]).toBe(state);
    const path = `/attestations/${ORG}/web/trail/v1/${attestation_name}`;
    const [record] = (await send(service, { path })).body;
    expect(record.origin).toMatchObject({ name: by, url: run, issuer: CI_SYSTEMS[name].issuer });
    expect(record.reported_by).toBe(by);
  });
});
