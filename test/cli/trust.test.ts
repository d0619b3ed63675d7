import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CI_SYSTEMS, type CiName, type CiSystem, ciIssuer } from "../identity/ci-tokens.ts";
import { privateCluster } from "../identity/cluster-tokens.ts";
import { fakeIssuer } from "../identity/fake-issuer.ts";
import { send } from "../service/requests.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";
import { runHere } from "./terminal.ts";

let service: TestService;
let issuer: Awaited<ReturnType<typeof fakeIssuer>>;
let env: Record<string, string>;
beforeEach(async () => {
  issuer = await fakeIssuer(() => service.clock.time, "/_services/token");
  const issuers = [{ url: issuer.url }, { url: "https://token.actions.githubusercontent.com" }];
  service = await startTestService({}, { issuers });
  env = { EVIDENCE_API_KEY: service.keys.admin, EVIDENCE_ORG: ORG, EVIDENCE_BASE_URL: service.address };
});
afterEach(() => service.dispose());

const trust = (...args: string[]) => runHere(["trust", ...args], { env });

describe("delivery-evidence trust", () => {
  it("is all that is needed: from then on a workflow of the repository has its own rights", async () => {
    const { status, stdout } = await trust("github", "acme/web", "--flow", "web", "--issuer", issuer.url);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(
        /^Workflows of acme\/web have the role member for flow web: created the trust policy 'acme-web'\. The first use before 2027-01-16T08:00 UTC stores the ids/,
      ),
    });
    const token = issuer.token({ aud: `${service.address}/${ORG}` });
    const { body } = await send(service, {
      method: "POST",
      path: "/oidc/token",
      json: { token, org: ORG },
      key: null,
    });
    expect(body).toMatchObject({ scope: "member flows:web", policy: "acme-web" });
  });

  it("creates no permanent key for the account of its workflows", async () => {
    await trust("github", "acme/web", "--flow", "web", "--issuer", issuer.url);
    const data = service.dataFolder;
    const key = await runHere(["keys", "create", "--account", "acme-web", "--org", ORG, "--data", data]);
    expect({ status: key.status, stdout: key.stdout }).toEqual({ status: 1, stdout: "" });
    expect(key.stderr).toContain("'acme-web' belongs to a trust policy");
    const listed = await runHere(["keys", "list", "--data", data]);
    expect(listed.stdout).not.toContain("acme-web");
  });

  it("pins the owner's id for every repository of an owner", async () => {
    const { stdout } = await trust("github", "acme/*", "--flow", "web");
    expect(stdout).toContain("UTC stores the id of the owner.");
  });

  it("gives access to all flows and environments only on request", async () => {
    const { stdout } = await trust("github", "acme/web", "--all", "--role", "snapshotter");
    expect(stdout).toContain("have the role snapshotter for all flows and environments: created");
    const listed = await runHere(["call", "getTrustPolicy", "policy_name=acme-web"], { env });
    expect(JSON.parse(listed.stdout)).toMatchObject({ flows: null, environments: null });
  });

  it("accepts every claim that a token can be checked for", async () => {
    const { status } = await trust(
      ...["github", "acme/*", "--name", "all", "--environment", "prod", "--role", "snapshotter"],
      ...["--ref", "refs/heads/main", "--ref", "refs/tags/v*", "--event", "release"],
      ...["--github-environment", "production", "--claim", "runner_environment=github-hosted"],
      ...["--owner-id", "815", "--expires", "2027-06-30"],
    );
    expect(status).toBe(0);
    const listed = await runHere(["call", "getTrustPolicy", "policy_name=all"], { env });
    expect(JSON.parse(listed.stdout)).toMatchObject({
      repository: "acme/*",
      repository_owner_id: "815",
      pinned_until: null,
      role: "snapshotter",
      environments: ["prod"],
      claims: {
        ref: ["refs/heads/main", "refs/tags/v*"],
        event_name: ["release"],
        environment: ["production"],
        runner_environment: ["github-hosted"],
      },
    });
  });

  it.each([
    [
      [],
      "Expected trust github, trust gitlab, trust azure, trust circleci, trust buildkite, trust bitbucket, or trust kubernetes, got 'trust'",
    ],
    [["github", "web", "--flow", "web"], "Expected OWNER/REPO or OWNER/*, got 'web'"],
    [["github", "acme/api"], "--flow FLOW, --environment ENVIRONMENT, or both are required; or --all"],
    [["github", "acme/api", "--all", "--flow", "a"], "--all cannot be used with --flow or --environment"],
    [
      ["github", "acme/api", "--flow", "a", "--role", "admin"],
      "--role must be member, attester, approver, snapshotter, auditor, or reader, got 'admin'",
    ],
    [
      ["github", "acme/api", "--flow", "a", "--claim", "ref"],
      "--claim must be NAME=VALUE, such as runner_environment=github-hosted, got 'ref'",
    ],
    [["github", "acme/api", "--flow", "a", "--claim", "sub=x"], "Input should not be sub"],
    [["github", "acme/web", "--flow", "a"], "There is a trust policy or a service account 'acme-web'"],
  ])("%j is refused with the correct usage", async (args, problem) => {
    await trust("github", "acme/web", "--flow", "web");
    const { status, stderr } = await trust(...args);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(problem) });
  });
});

describe("delivery-evidence trust kubernetes", () => {
  const account = "evidence/reporter";

  it("is all that is needed: from then on the service account reports its environment", async () => {
    const cluster = privateCluster(() => service.clock.time);
    const jwks = join(service.dataFolder, "jwks.json");
    await writeFile(jwks, JSON.stringify(cluster.jwks));
    const { status, stdout } = await trust(
      ...["kubernetes", account, "--issuer", cluster.issuer, "--jwks", jwks, "--environment", "production"],
    );
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: `The service account evidence/reporter of ${cluster.issuer} has the role snapshotter for environment production: created the trust policy 'evidence-reporter'. The first use before 2027-01-16T08:00 UTC stores its UID.
Its pods need a projected token with the audience of the service, and no API key.
`,
    });
    const token = cluster.token(`${service.address}/${ORG}`);
    const path = "/oidc/token";
    const { body } = await send(service, { method: "POST", path, json: { token, org: ORG }, key: null });
    expect(body).toMatchObject({ scope: "snapshotter environments:production", policy: "evidence-reporter" });
  });

  it.each([
    [
      ["reporter", "--issuer", "https://oidc.example.com"],
      "Expected NAMESPACE/SERVICE-ACCOUNT, got 'reporter'",
    ],
    [[account], "--issuer URL is required"],
    [[account, "--issuer", "https://oidc.example.com"], "--flow FLOW, --environment ENVIRONMENT, or both"],
    [
      [account, "--issuer", "https://kubernetes.default.svc", "--environment", "prod"],
      "jwks: Field required",
    ],
    [
      [account, "--issuer", "https://oidc.example.com", "--environment", "prod", "--jwks", "nowhere.json"],
      "Cannot read the keys of the issuer from the file nowhere.json",
    ],
    [
      [account, "--issuer", "https://oidc.example.com", "--environment", "prod", "--jwks", "package.json"],
      "The file package.json must contain the keys of the issuer as JSON, such as {",
    ],
  ])("refuses %j", async (args, message) => {
    const { status, stderr } = await trust("kubernetes", ...args);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) });
  });
});

describe("delivery-evidence trust of other systems", () => {
  const ORG_ID = CI_SYSTEMS.azure.ids.org_id;
  const REPOSITORY_ID = CI_SYSTEMS.bitbucket.ids.repositoryUuid.replaceAll(/[{}]/g, "");

  it.each<[CiName, string[], object, RegExp]>([
    [
      "gitlab",
      [
        ...["my-group/my-project", "--issuer", CI_SYSTEMS.gitlab.issuer, "--ref", "refs/heads/main"],
        ...["--source", "push", "--pipeline", "gitlab.example.com/*@*"],
      ],
      {
        name: "my-group-my-project",
        project: "my-group/my-project",
        claims: {
          ref_path: ["refs/heads/main"],
          pipeline_source: ["push"],
          ci_config_ref_uri: ["gitlab.example.com/*@*"],
        },
      },
      /^Jobs of my-group\/my-project have the role member for flow web: .* stores the ids\.\nThe job needs id_tokens: \{ EVIDENCE_ID_TOKEN: \{ aud: http:\/\/127.0.0.1:\d+\/acme \} \}/,
    ],
    [
      "azure",
      ["example/test-oidc/build", "--org-id", ORG_ID.toUpperCase(), "--ref", "refs/heads/main"],
      { project_ids: { org_id: ORG_ID }, claims: { rpo_ref: ["refs/heads/main"] } },
      /The step needs env: \{ SYSTEM_ACCESSTOKEN: \$\(System\.AccessToken\) \}/,
    ],
    [
      "circleci",
      [
        ...["github.com/acme/web", "--org-id", CI_SYSTEMS.circleci.ids["oidc.circleci.com/org-id"]],
        ...["--project-id", CI_SYSTEMS.circleci.ids["oidc.circleci.com/project-id"]],
      ],
      { project_ids: CI_SYSTEMS.circleci.ids, pinned_until: null },
      /The job needs no setting/,
    ],
    [
      "buildkite",
      ["acme-inc/super-duper-app", "--branch", "main", "--step", "build"],
      { project_ids: null, claims: { build_branch: ["main"], step_key: ["build"] } },
      /The job needs buildkite-agent/,
    ],
    [
      "bitbucket",
      ["acme/web", "--repository-id", REPOSITORY_ID, "--branch", "main"],
      { project_ids: CI_SYSTEMS.bitbucket.ids, pinned_until: null, claims: { branchName: ["main"] } },
      /The step needs oidc: \{ audiences: \["http:\/\/127.0.0.1:\d+\/acme"\] \}/,
    ],
  ])(
    "%s is all that is needed: from then on its jobs have their own rights",
    async (name, args, policy, says) => {
      const ci = ciIssuer(() => service.clock.time);
      const jwks = join(service.dataFolder, "jwks.json");
      await writeFile(jwks, JSON.stringify(ci.jwks));
      const { status, stdout, stderr } = await trust(name, ...args, "--jwks", jwks, "--flow", "web");
      expect({ status, stdout, stderr }).toEqual({
        status: 0,
        stdout: expect.stringMatching(says),
        stderr: "",
      });
      const system: CiSystem = CI_SYSTEMS[name];
      const [{ name: _, ...created }] = (
        await send(service, { path: `/trust-policies/${ORG}`, key: service.keys.admin })
      ).body;
      expect({ ...created, name: _ }).toMatchObject({ issuer: system.issuer, role: "member", ...policy });
      const token = ci.token(name, { aud: system.audience ?? `${service.address}/${ORG}` });
      const exchange = { method: "POST", path: "/oidc/token", json: { token, org: ORG }, key: null };
      expect((await send(service, exchange)).body).toMatchObject({ scope: "member flows:web" });
    },
  );

  it.each<[string[], string]>([
    [["gitlab", "web"], "Expected GROUP/PROJECT or GROUP/*, got 'web'"],
    [["gitlab", "acme/web"], "--flow FLOW, --environment ENVIRONMENT, or both are required"],
    [
      ["gitlab", "acme/web", "--flow", "web", "--jwks", "package.json"],
      "The file package.json must contain the keys of the issuer as JSON, such as {",
    ],
    [["azure", "acme/web/build", "--ref", "refs/heads/main"], "--org-id UUID is required"],
    [["azure", "acme/web/build", "--org-id", ORG_ID], "--ref REF is required, because Azure's tokens"],
    [
      ["azure", "acme/web/build", "--org-id", "acme", "--ref", "refs/heads/main"],
      "--org-id must be a UUID, got 'acme'",
    ],
    [["azure", "web/build", "--org-id", ORG_ID, "--ref", "x"], "Expected ORGANIZATION/PROJECT/PIPELINE"],
    [["circleci", "acme/web", "--org-id", ORG_ID], "Expected HOST/OWNER/REPO, such as github.com/acme/web"],
    [["buildkite", "acme"], "Expected ORGANIZATION/PIPELINE, got 'acme'"],
    [["bitbucket", "acme/web"], "--repository-id UUID is required"],
    [["bitbucket", "acme/web", "--repository-id", "web"], "--repository-id must be a UUID, got 'web'"],
  ])("refuses %j", async (args, problem) => {
    const { status, stderr } = await trust(...args);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(problem) });
  });
});
