import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { spool } from "../../src/spool/spool.ts";
import { recordingServer } from "../actions/recording-server.ts";
import { type FakeIssuer, fakeIssuer } from "../identity/fake-issuer.ts";
import { type RunnerEndpoint, startRunnerEndpoint } from "../identity/runner-endpoint.ts";
import { pipeline, send } from "../service/requests.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";
import { connectTo, sampleSubmission, temporaryFolder } from "../spool/fixtures.ts";
import { startProgram } from "./program.ts";
import { runHere } from "./terminal.ts";

let issuer: FakeIssuer;
let service: TestService;
let runner: RunnerEndpoint;
/** Variables of a job that may request a token, and has no key. */
let job: Record<string, string>;

beforeEach(async () => {
  issuer = await fakeIssuer(() => service.clock.time, "/_services/token");
  service = await startTestService({}, { issuers: [{ url: issuer.url }] });
  runner = await startRunnerEndpoint();
  const variables = runner.job((aud) => issuer.token({ aud }));
  job = { EVIDENCE_ORG: ORG, EVIDENCE_BASE_URL: service.address, ...variables };
  await trust("web", "acme/web");
});
afterEach(async () => {
  await runner.close();
  await service.dispose();
});

async function trust(name: string, repository: string): Promise<void> {
  const json = { name, issuer: issuer.url, repository, flows: ["web"] };
  const path = `/trust-policies/${ORG}`;
  expect((await send(service, { method: "POST", path, json, key: service.keys.admin })).status).toBe(201);
}

const ATTEST = ["call", "attestGeneric", "flow_name=web", "trail_name=v1", "--body", "-"];
const input = '{"attestation_name": "unit", "is_compliant": true}';

async function attested() {
  const { body } = await send(service, { path: `/attestations/${ORG}/web/trail/v1/unit` });
  return body;
}

describe("delivery-evidence in a trusted job", () => {
  test("needs no key, shows no token, and its records are verified", async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "unit.json");
    await writeFile(file, input);
    const program = startProgram([...ATTEST.slice(0, -1), file], { env: job });
    expect(await program.ended).toEqual({ status: 0, stdout: '"OK"\n', stderr: "" });
    expect(await attested()).toMatchObject([
      { reported_by: "github:acme/web build.yml run 123 attempt 1", origin: { state: "verified" } },
    ]);
  });

  test("replays, and its records name the run that spooled", async () => {
    await pipeline(service).flow("web");
    await using folder = await temporaryFolder();
    const connection = connectTo(service.address, service.keys.member);
    const body = { attestationName: "unit", isCompliant: true };
    await spool(folder.path, await sampleSubmission(connection, { trail: "v1", body }));
    await connection.close();
    const { status, stderr } = await runHere(["replay", folder.path], { env: job });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(await attested()).toMatchObject([
      {
        origin: {
          state: "different",
          differences: { spooled_by: { said: "repository acme/web, run_id 77" } },
        },
      },
    ]);
  });

  test("names its policy if several match", async () => {
    await trust("all", "acme/*");
    const several = await runHere(ATTEST, { env: job, input });
    expect(several.stderr).toContain("set 'policy' to one of 'all', 'web'");
    expect(several.stderr).toContain("set trust-policy or EVIDENCE_TRUST_POLICY to one.");
    const named = await runHere(ATTEST, { env: { ...job, EVIDENCE_TRUST_POLICY: "web" }, input });
    expect(named.status).toBe(0);
  });

  test("reports what its trust policy lacks, without asking for a key", async () => {
    const { status, stderr } = await runHere(ATTEST.with(2, "flow_name=api"), { env: job, input });
    expect({ status, lines: stderr.split("\n") }).toMatchObject({
      status: 1,
      lines: [
        expect.stringContaining("the access token lacks the right to attestGeneric in organization 'acme': "),
        "  Ask an admin to extend the role, flows or environments of the trust policy for this workflow.",
        "",
      ],
    });
  });

  test("names the variable for a key if the service accepts no tokens", async () => {
    await using older = await recordingServer([{ status: 404, body: { message: "Not Found" } }]);
    const env = { ...job, EVIDENCE_BASE_URL: older.address };
    const { stderr } = await runHere(ATTEST, { env, input });
    expect(stderr).toContain("Set EVIDENCE_API_KEY to the key of a service account.");
  });

  test("reports why its token is refused, without asking for a key", async () => {
    const variables = runner.job((aud) => issuer.token({ aud, exp: 1 }));
    const { status, stderr } = await runHere(ATTEST, { env: { ...job, ...variables }, input });
    expect({ status, stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^delivery-evidence: Unauthorized: the token expired at .*\n {2}Run the job again\. If it fails again/,
      ),
    });
  });

  test("sends a given key, and with EVIDENCE_AUTH=oidc does not", async () => {
    const env = { ...job, EVIDENCE_API_KEY: service.keys.member };
    expect((await runHere(ATTEST, { env, input })).status).toBe(0);
    expect(runner.audiences).toEqual([]);
    expect((await runHere(ATTEST, { env: { ...env, EVIDENCE_AUTH: "oidc" }, input })).status).toBe(0);
    expect(runner.audiences).toHaveLength(1);
    const [latest] = await attested();
    expect(latest.reported_by).toBe("github:acme/web build.yml run 123 attempt 1");
  });

  test.each<[string, readonly string[], Record<string, string>, string]>([
    [
      "does not name the service: the hosted one is never called",
      [],
      { EVIDENCE_BASE_URL: "" },
      "Set EVIDENCE_API_KEY to the API key of an account, or set --base-url to a service that trusts this job",
    ],
    [
      "may not request a token",
      [],
      { ACTIONS_ID_TOKEN_REQUEST_TOKEN: "", GITHUB_ACTIONS: "true" },
      "Set EVIDENCE_API_KEY to the API key of an account. If the service trusts this job, add `id-token: write` to the job's `permissions` instead",
    ],
    [
      "is not a GitHub job",
      [],
      { ACTIONS_ID_TOKEN_REQUEST_URL: "" },
      "Set EVIDENCE_API_KEY to the API key of an account, or run: delivery-evidence login",
    ],
    [
      "requires keyless authentication without the permission",
      [],
      { EVIDENCE_AUTH: "oidc", EVIDENCE_API_KEY: "de_0123456789", ACTIONS_ID_TOKEN_REQUEST_URL: "" },
      "EVIDENCE_AUTH is oidc, but this job has no token: set EVIDENCE_ID_TOKEN or EVIDENCE_TOKEN_FILE",
    ],
    [
      "requires keyless authentication without naming the service",
      [],
      { EVIDENCE_AUTH: "oidc", EVIDENCE_BASE_URL: "" },
      "EVIDENCE_AUTH is oidc, so --base-url or EVIDENCE_BASE_URL is required",
    ],
    ["has no key to send", [], { EVIDENCE_AUTH: "key" }, "Set EVIDENCE_API_KEY to the API key of an account"],
    [
      "uses an unknown authentication method",
      [],
      { EVIDENCE_AUTH: "token" },
      "EVIDENCE_AUTH must be auto, key, or oidc, got 'token'",
    ],
    [
      "does not name the organization",
      ["call", "getDefaultOrg"],
      { EVIDENCE_ORG: "" },
      "--org NAME or EVIDENCE_ORG is required",
    ],
  ])("that %s is refused with what to do", async (_, args, env, problem) => {
    const ended = await runHere(args.length > 0 ? args : ATTEST, { env: { ...job, ...env }, input });
    expect(ended).toEqual({ status: 1, stdout: "", stderr: `delivery-evidence: ${problem}\n` });
    expect(runner.audiences).toEqual([]);
  });
});
