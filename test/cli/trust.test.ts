import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
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
    [[], "Expected trust github or trust kubernetes, got 'trust'"],
    [["github", "web", "--flow", "web"], "Expected OWNER/REPO or OWNER/*, got 'web'"],
    [["github", "acme/api"], "--flow FLOW, --environment ENVIRONMENT, or both are required"],
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
      "The file package.json must contain the output of kubectl get --raw /openid/v1/jwks",
    ],
  ])("refuses %j", async (args, message) => {
    const { status, stderr } = await trust("kubernetes", ...args);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) });
  });
});
