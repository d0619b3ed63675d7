import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { httpServer, json } from "../api/local-server.ts";
import { type FakeIssuer, fakeIssuer } from "../identity/fake-issuer.ts";
import { type JobVariables, type RunnerEndpoint, startRunnerEndpoint } from "../identity/runner-endpoint.ts";
import { send } from "../service/requests.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";
import { type BundleRun, runBundle, runHere, SHA } from "./bundle-run.ts";
import { annotationsIn } from "./sent-attestations.ts";

/*
 * The whole keyless path: a real service, a signing issuer, and the runner's token endpoint for a job
 * with `id-token: write`.
 */

let issuer: FakeIssuer;
let service: TestService;
let runner: RunnerEndpoint;
let job: JobVariables;
let claims: Record<string, unknown>;

beforeEach(async () => {
  claims = { sha: SHA, run_id: "77" };
  issuer = await fakeIssuer(() => service.clock.time, "/_services/token");
  service = await startTestService({}, { issuers: [{ url: issuer.url }] });
  runner = await startRunnerEndpoint();
  job = runner.job((aud) => issuer.token({ aud, ...claims }));
});
afterEach(async () => {
  await runner.close();
  await service.dispose();
});

async function trust(more: object = {}): Promise<void> {
  const json = {
    name: "web",
    issuer: issuer.url,
    repository: "acme/web",
    flows: ["web"],
    role: "member",
    ...more,
  };
  const answer = await send(service, {
    method: "POST",
    path: `/trust-policies/${ORG}`,
    json,
    key: service.keys.admin,
  });
  expect(answer.status).toBe(201);
}

/** A step of a job that may request a token and has no key. */
function step(
  name: string,
  inputs: Record<string, string>,
  env: Record<string, string> = {},
  by = runHere,
): Promise<BundleRun> {
  return by(name, {
    // The repository is at the issuer's address, as in the job's variables.
    event: {},
    inputs: { "api-key": "", "base-url": service.address, flow: "web", ...inputs },
    env: {
      ...job,
      GITHUB_SERVER_URL: new URL(issuer.url).origin,
      ...env,
    },
  });
}

const ATTEST = { name: "unit", compliant: "true", trail: "v1" };

describe("a trusted workflow", () => {
  test("attests without a key, and its records are verified", async () => {
    await trust();
    const run = await step("attest", ATTEST, {}, runBundle);
    expect({ status: run.status, stderr: run.stderr, out: run.stdout }).toMatchObject({
      status: 0,
      stderr: "",
    });
    const { body } = await send(service, { path: `/attestations/${ORG}/web/trail/v1/unit` });
    expect(body).toMatchObject([
      {
        reported_by: "github:acme/web build.yml run 77 attempt 1",
        origin: { state: "verified", policy: "web" },
      },
    ]);
  });

  test.each(["sts.amazonaws.com", "https://github.com/acme", "https://vault.example.com/acme", ""])(
    "requests no token for another audience, whatever its service says: %s",
    async (audience) => {
      const hostile = await httpServer((response) => json(response, 200, { audience }));
      const run = await step("attest", { ...ATTEST, "base-url": hostile.url });
      expect(run.status).toBe(1);
      expect(run.stdout).toContain("which is not the service's own address");
      expect(runner.audiences).toEqual([]);
    },
  );

  test("masks each token before it is used, so that none is logged", async () => {
    await trust();
    const { stdout, stderr } = await step("attest", ATTEST);
    const shown = stdout.replaceAll(/^::add-mask::.*$/gm, "");
    expect(shown + stderr).not.toMatch(/det_|eyJ|runner-token/);
    expect(stdout.match(/^::add-mask::(det_|eyJ)/gm)).toHaveLength(2);
  });

  test("logs where a record differs from the token's claims", async () => {
    await trust();
    claims = { sha: "2".repeat(40), run_id: "77" };
    const run = await step("attest", ATTEST);
    expect(run.status).toBe(0);
    expect(annotationsIn(run.stdout, "warning")).toEqual([
      "::warning::recorded as different: the token of this workflow proves another commit",
      expect.stringContaining("Flow 'web' did not exist"),
    ]);
  });

  test("retries when the runner's endpoint fails for a while", async () => {
    await trust();
    runner.refusals.push(500, 503);
    expect((await step("attest", ATTEST)).status).toBe(0);
  });

  test("can assert, begin a trail and call an operation", async () => {
    await trust();
    expect((await step("begin-trail", { trail: "v2" })).status).toBe(1);
    await send(service, {
      method: "PUT",
      path: `/flows/${ORG}/template_file`,
      form: { name: "web", description: "" },
    });
    expect((await step("begin-trail", { trail: "v2" }, {}, runBundle)).outputs).toMatchObject({
      created: "true",
    });
    const question = { operation: "getTrail", params: "flow_name: web\ntrail_name: v2" };
    const called = await step("root", question, {}, runBundle);
    expect(called.outputs["status-code"]).toBe("200");
  });

  test("requests no token in a dry run", async () => {
    expect((await step("attest", { ...ATTEST, "dry-run": "true" })).status).toBe(0);
    expect(runner.audiences).toEqual([]);
  });

  test("names its policy where several match", async () => {
    await trust();
    await trust({ name: "all", repository: "acme/*" });
    const run = await step("attest", ATTEST);
    expect(annotationsIn(run.stdout, "error")[0]).toContain("set 'policy' to one of 'all', 'web'");
    expect((await step("attest", { ...ATTEST, "trust-policy": "web" })).status).toBe(0);
  });
});

describe("a step that cannot authenticate", () => {
  test("names the claim that does not match", async () => {
    await trust({ claims: { ref: "refs/heads/release" } });
    const [error] = annotationsIn((await step("attest", ATTEST, {}, runBundle)).stdout, "error");
    expect(error).toContain("ref: is refs/heads/main; the policy 'web' requires refs/heads/release");
    expect(error).toContain("delivery-evidence trust github OWNER/REPO --flow FLOW");
  });

  test("reports a right that the policy does not grant, without suggesting a key", async () => {
    await trust();
    const [error] = annotationsIn((await step("attest", { ...ATTEST, flow: "api" })).stdout, "error");
    expect(error).toContain("the access token lacks the right to attestGeneric in organization 'acme'");
    expect(error).toContain(
      "Ask an admin to extend the role, flows or environments of the trust policy for this workflow",
    );
  });

  test("reports an invalid token, without suggesting a key", async () => {
    const odd = runner.job(() => "nothing.of.it");
    const [error] = annotationsIn((await step("attest", ATTEST, odd)).stdout, "error");
    expect(error).toMatch(
      /^::error title=auth.token_invalid::Unauthorized: the token is not a JWT with an issuer \(/,
    );
  });

  test.each<[string, Record<string, string>, Record<string, string>, string, code?: string]>([
    [
      "has neither a key nor the permission",
      {},
      { ACTIONS_ID_TOKEN_REQUEST_URL: "" },
      "api-key: is missing: add `id-token: write` to the `permissions` of the job and of the jobs that call it, if a service of your own trusts this workflow; or add `api-key: ${{ secrets.EVIDENCE_API_KEY }}` to the step, and set that secret",
    ],
    [
      "has no base-url: the hosted service is never tried",
      { "base-url": "", region: "eu" },
      {},
      "api-key: is missing: add `base-url`, the address of a service of your own that trusts this workflow; or add `api-key: ${{ secrets.EVIDENCE_API_KEY }}` to the step, and set that secret",
    ],
    [
      "has auth: oidc without the permission",
      { auth: "oidc", "api-key": "de_0123456789" },
      { ACTIONS_ID_TOKEN_REQUEST_TOKEN: "" },
      "auth: is oidc, but the job may not request a token; add `id-token: write` to the `permissions` of the job and of the jobs that call it",
    ],
    [
      "has auth: oidc without the permission or a key",
      { auth: "oidc" },
      { ACTIONS_ID_TOKEN_REQUEST_TOKEN: "" },
      "auth: is oidc, but the job may not request a token; add `id-token: write` to the `permissions` of the job and of the jobs that call it",
    ],
    [
      "has auth: oidc without a service: the hosted one is never tried",
      { auth: "oidc", "base-url": "" },
      {},
      "1 input is missing, and 1 cannot be used%0Aauth: is oidc, but no service is set; add `base-url`, the address of a service that trusts this workflow%0Abase-url: is missing; set it to the address of your service, or set the region (eu or us) of the hosted service",
    ],
    [
      "has an invalid token endpoint",
      {},
      { ACTIONS_ID_TOKEN_REQUEST_URL: "nonsense" },
      "ACTIONS_ID_TOKEN_REQUEST_URL is not an https:// address",
      "response.unusable",
    ],
    [
      "has auth: key without a key",
      { auth: "key" },
      {},
      "api-key: is missing: add `api-key: ${{ secrets.EVIDENCE_API_KEY }}` to the step, and set that secret",
    ],
  ])("%s", async (_, inputs, env, error, code = "auth.credentials_missing") => {
    const run = await step("attest", { ...ATTEST, ...inputs }, env);
    expect(run.status).toBe(1);
    expect(annotationsIn(run.stdout, "error")).toEqual([`::error title=${code}::${error}`]);
    expect(runner.audiences).toEqual([]);
  });

  test("explains what to do when the service accepts no tokens", async () => {
    const older = await httpServer((response) => json(response, 404, { message: "Not found" }));
    const [error] = annotationsIn(
      (await step("attest", { ...ATTEST, "base-url": older.url })).stdout,
      "error",
    );
    expect(error).toContain("The service does not accept tokens of workflows. Set api-key");
    expect(older.received.map(({ path }) => path)).toEqual([`/api/v2/oidc/audience?org=${ORG}`]);
  });

  test("uses a given key, even if the job may request a token", async () => {
    const run = await step("attest", { ...ATTEST, "api-key": service.keys.member });
    expect(run.status).toBe(0);
    expect(runner.audiences).toEqual([]);
  });
});
