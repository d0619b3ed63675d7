import { createHash } from "node:crypto";
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { httpServer, json } from "../api/local-server.ts";
import { CI_SYSTEMS, type CiIssuer, type CiName, ciIssuer } from "../identity/ci-tokens.ts";
import { send } from "../service/requests.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";
import { runHere } from "./terminal.ts";

/* Commands in jobs of other CI systems, which prove their identity with a token of the job. */

let service: TestService;
let signer: CiIssuer;
/** Fake programs of the systems, on the PATH of the jobs. */
let programs: string;
let audience: string;

beforeAll(async () => {
  service = await startTestService();
  signer = ciIssuer(() => service.clock.time);
  audience = `${service.address}/${ORG}`;
  programs = await mkdtemp(join(tmpdir(), "job-programs-"));
  for (const [name, { issuer, policy }] of Object.entries(CI_SYSTEMS)) {
    const json = { name, issuer, jwks: signer.jwks, flows: ["web"], ...policy };
    const path = `/trust-policies/${ORG}`;
    expect((await send(service, { method: "POST", path, json, key: service.keys.admin })).status).toBe(201);
  }
});
afterAll(async () => {
  await rm(programs, { recursive: true });
  await service.dispose();
});
beforeEach(() => {
  service.clock.time += 1;
});

/** A program that notes its arguments and one variable, and prints a text. */
async function fakeProgram(name: string, prints: string, { status = 0, stderr = "" } = {}) {
  const args = join(programs, `${name}.args`);
  const script = `#!/bin/sh
printf '%s\\n' "$@" "\${EVIDENCE_ORG-none}" >'${args}'
echo '${stderr}' >&2
printf '%s\\n' '${prints}'
exit ${status}
`;
  await writeFile(join(programs, name), script);
  await chmod(join(programs, name), 0o755);
  return async () => (await readFile(args, "utf8")).trim().split("\n");
}

const job = (variables: Record<string, string>) => ({
  ...{ EVIDENCE_ORG: ORG, EVIDENCE_BASE_URL: service.address, HOME: programs },
  PATH: `${programs}${delimiter}${process.env["PATH"] ?? ""}`,
  ...variables,
});
const tokenOf = (name: CiName, claims: object = {}) =>
  signer.token(name, { ...(name !== "azure" && { aud: audience }), ...claims });

function attest(variables: Record<string, string>) {
  const args = ["call", "attestGeneric", "flow_name=web", "trail_name=v1", "--body", "-"];
  const input = '{"attestation_name": "unit", "is_compliant": true}';
  return runHere(args, { env: job(variables), input });
}

async function reporter(): Promise<string> {
  const { body } = await send(service, { path: `/attestations/${ORG}/web/trail/v1/unit` });
  return body[0].reported_by;
}

describe("a job needs no key", () => {
  test.each<[CiName, string]>([
    ["gitlab", "EVIDENCE_ID_TOKEN"],
    ["bitbucket", "BITBUCKET_STEP_OIDC_TOKEN"],
  ])("of %s with its only token in %s, for all commands of the job", async (name, variable) => {
    const token = tokenOf(name);
    const variables = { [variable]: token };
    const done = { status: 0, stdout: '"OK"\n', stderr: "" };
    expect([await attest(variables), await attest(variables)]).toEqual([done, done]);
    expect(await Promise.all([attest(variables), attest(variables)])).toEqual([done, done]);
    expect(await reporter()).toMatch(new RegExp(`^${name}:`));
    // Other accounts of the machine must not repeat the exchange.
    const hash = createHash("sha256").update(token).digest("hex").slice(0, 32);
    const { mode } = await stat(join(tmpdir(), `delivery-evidence-${hash}`));
    expect(mode & 0o777).toBe(0o600);
  });

  test("of Azure Pipelines, which asks for a token of the pipeline", async () => {
    const endpoint = await httpServer((response, { headers, method }) => {
      const isRight = method === "POST" && headers["authorization"] === "Bearer access-token";
      json(response, isRight ? 200 : 401, { oidcToken: tokenOf("azure") });
    });
    const url = `${endpoint.url}/example/_apis/distributedtask/oidctoken`;
    const variables = {
      SYSTEM_OIDCREQUESTURI: `${url}?serviceConnectionId=1`,
      SYSTEM_ACCESSTOKEN: "access-token",
    };
    expect(await attest(variables)).toMatchObject({ status: 0, stderr: "" });
    expect(endpoint.received.map(({ path }) => path)).toEqual([
      "/example/_apis/distributedtask/oidctoken?api-version=7.1",
    ]);
    expect(await reporter()).toBe("azure:example/test-oidc/build run 5");
    const refused = await attest({ ...variables, SYSTEM_ACCESSTOKEN: "expired" });
    expect(refused.stderr).toContain("Azure DevOps returned no identity token for this job (401)");
    expect(refused.stderr).toContain("SYSTEM_ACCESSTOKEN: $(System.AccessToken)");
    const plain = await attest({ ...variables, SYSTEM_OIDCREQUESTURI: "http://dev.azure.example/token" });
    expect(plain.stderr).toContain("SYSTEM_OIDCREQUESTURI is not an https:// address");
  });

  test("of Buildkite, whose agent prints a token with ids", async () => {
    const args = await fakeProgram("buildkite-agent", tokenOf("buildkite"), { stderr: "a warning" });
    expect(await attest({ BUILDKITE_AGENT_ACCESS_TOKEN: "t" })).toMatchObject({ status: 0, stderr: "" });
    expect(await args()).toEqual([
      ...["oidc", "request-token", "--audience", audience, "--lifetime", "300"],
      ...["--claim", "organization_id", "--claim", "pipeline_id", "none"],
    ]);
    expect(await reporter()).toBe("buildkite:acme-inc/super-duper-app build 5");
  });

  test("of CircleCI, whose program prints a token", async () => {
    const args = await fakeProgram("circleci", tokenOf("circleci"));
    expect(await attest({ CIRCLECI: "true" })).toMatchObject({ status: 0, stderr: "" });
    expect(await args()).toEqual(["run", "oidc", "get", "--claims", `{"aud":"${audience}"}`, "none"]);
    expect(await reporter()).toMatch(/^circleci:github.com\/acme\/web job /);
  });

  test.each([
    ["buildkite-agent", { BUILDKITE_AGENT_ACCESS_TOKEN: "t" }],
    ["circleci", { CIRCLECI: "true" }],
  ])("and requests no token for another audience, whatever its service says: %s", async (name, variables) => {
    const hostile = await httpServer((response) => json(response, 200, { audience: "sts.amazonaws.com" }));
    const args = await fakeProgram(name, "none");
    await rm(join(programs, `${name}.args`), { force: true });
    const { stderr } = await attest({ ...variables, EVIDENCE_BASE_URL: hostile.url });
    expect(stderr).toContain("which is not the service's own address");
    await expect(args()).rejects.toThrow("ENOENT");
  });

  test("but sends a key that it has", async () => {
    const used = tokenOf("gitlab");
    const variables = { EVIDENCE_ID_TOKEN: used, EVIDENCE_API_KEY: service.keys.member };
    expect(await attest(variables)).toMatchObject({ status: 0 });
    expect(await reporter()).toBe("member");
  });
});

describe("the error of a refused job names the setting to change", () => {
  test.each<[string, () => Promise<Record<string, string>> | Record<string, string>, string | RegExp]>([
    [
      "the audience of a GitLab token",
      () => ({ EVIDENCE_ID_TOKEN: tokenOf("gitlab", { aud: "https://vault.example.com" }) }),
      /another audience.*\n {2}In the job, set `id_tokens: \{ EVIDENCE_ID_TOKEN: \{ aud: http:\/\/127.0.0.1:\d+\/acme \} \}`/,
    ],
    [
      "the audience of a Bitbucket token",
      () => ({
        BITBUCKET_STEP_OIDC_TOKEN: tokenOf("bitbucket", { aud: "ari:cloud:bitbucket::workspace/1" }),
      }),
      /another audience.*\n {2}In the job, set `oidc: \{ audiences: \["http:\/\/127.0.0.1:\d+\/acme"\] \}`/,
    ],
    [
      "its trust policy at GitLab",
      () => ({ EVIDENCE_ID_TOKEN: tokenOf("gitlab", { project_id: "21", project_path: "my-group/else" }) }),
      "Ask an admin to trust this project: delivery-evidence trust gitlab GROUP/PROJECT --flow FLOW.",
    ],
    [
      "a trust policy, if none names the issuer",
      () => ({ EVIDENCE_ID_TOKEN: tokenOf("gitlab", { iss: "https://gitlab.other.example" }) }),
      /is not trusted.*\n {2}Ask an admin to trust this project: delivery-evidence trust gitlab GROUP\/PROJECT/,
    ],
    [
      "its trust policy at Bitbucket",
      () => ({ BITBUCKET_STEP_OIDC_TOKEN: tokenOf("bitbucket", { repositoryUuid: "{0}" }) }),
      "delivery-evidence trust bitbucket WORKSPACE/REPOSITORY --repository-id UUID --flow FLOW.",
    ],
    [
      "its trust policy at Buildkite",
      async () => {
        await fakeProgram("buildkite-agent", tokenOf("buildkite", { pipeline_id: "0" }));
        return { BUILDKITE_AGENT_ACCESS_TOKEN: "t" };
      },
      "delivery-evidence trust buildkite ORGANIZATION/PIPELINE --flow FLOW.",
    ],
    [
      "a job that was rerun with SSH",
      async () => {
        await fakeProgram("circleci", tokenOf("circleci", { "oidc.circleci.com/ssh-rerun": true }));
        return { CIRCLECI: "true" };
      },
      "a person may be inside the job: rerun the job without SSH",
    ],
    [
      "a program that fails",
      async () => {
        await fakeProgram("circleci", "", { status: 1, stderr: "Error: OIDC is not enabled" });
        return { CIRCLECI: "true" };
      },
      "circleci returned no token for this job: Error: OIDC is not enabled",
    ],
    [
      "a program that prints something else",
      async () => {
        await fakeProgram("circleci", "Update available");
        return { CIRCLECI: "true" };
      },
      "circleci returned no token for this job: it printed something else",
    ],
    [
      "a missing program",
      () => ({ BUILDKITE_AGENT_ACCESS_TOKEN: "t", PATH: "/nowhere" }),
      "Cannot start buildkite-agent, which requests the token of this job",
    ],
  ])("%s", async (_, variables, problem) => {
    const { status, stdout, stderr } = await attest(await variables());
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: "",
      stderr: typeof problem === "string" ? expect.stringContaining(problem) : expect.stringMatching(problem),
    });
    expect(stderr).not.toMatch(/eyJ/);
  });

  test("a token that another job used", async () => {
    const token = tokenOf("gitlab");
    const used = { method: "POST", path: "/oidc/token", json: { token, org: ORG }, key: null };
    expect((await send(service, used)).status).toBe(200);
    const { stderr } = await attest({ EVIDENCE_ID_TOKEN: token });
    expect(stderr).toContain("Each job has one token. Its commands share it through a file");
  });

  test.each(["$(EVIDENCE_API_KEY)", "$EVIDENCE_API_KEY"])(
    "a key that the system left as %s",
    async (left) => {
      const { stderr } = await attest({
        SYSTEM_OIDCREQUESTURI: "https://dev.azure.com/x",
        EVIDENCE_API_KEY: left,
      });
      expect(stderr).toBe(
        `delivery-evidence: EVIDENCE_API_KEY is '${left}', because this job has no such variable. Set the variable, or remove EVIDENCE_API_KEY if the service trusts this job\n`,
      );
    },
  );

  test.each([
    [{ GITLAB_CI: "true" }, "add `id_tokens: { EVIDENCE_ID_TOKEN: { aud: ADDRESS/acme } }` to the job"],
    [{ TF_BUILD: "True" }, "add `env: { SYSTEM_ACCESSTOKEN: $(System.AccessToken) }` to the step"],
    [
      { TF_BUILD: "True", SYSTEM_OIDCREQUESTURI: "https://dev.azure.com/x" },
      "add `env: { SYSTEM_ACCESSTOKEN: $(System.AccessToken) }` to the step",
    ],
    [{ BITBUCKET_BUILD_NUMBER: "1" }, 'add `oidc: { audiences: ["ADDRESS/acme"] }` to the step'],
    [{ BUILDKITE: "true" }, "pass BUILDKITE_AGENT_ACCESS_TOKEN and BUILDKITE_JOB_ID to this command"],
  ])("%j without a token", async (variables, way) => {
    const problem = way.replace("ADDRESS", service.address);
    const errorOf = "TF_BUILD" in variables ? "##vso[task.logissue type=error]" : "delivery-evidence: ";
    const { stderr } = await attest(variables);
    expect(stderr).toBe(
      `${errorOf}Set EVIDENCE_API_KEY to the API key of an account. If the service trusts this job, ${problem} instead\n`,
    );
    const only = await attest({ ...variables, EVIDENCE_AUTH: "oidc" });
    expect(only.stderr).toBe(`${errorOf}EVIDENCE_AUTH is oidc, but this job has no token: ${problem}\n`);
  });
});
