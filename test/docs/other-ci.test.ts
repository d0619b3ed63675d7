import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from "vitest";
import { asObjects } from "../../src/api/untyped.ts";
import { VERSION } from "../../src/api/version.ts";
import type { Ended } from "../cli/terminal.ts";
import { ciIssuer, CI_SYSTEMS as TOKENS } from "../identity/ci-tokens.ts";
import { CI_NAMES, type CiName, COMMITS, type Texts } from "../integrations/ci-systems.ts";
import { type Job, jenkinsAt, startJob } from "../integrations/job.ts";
import { send } from "../service/requests.ts";
import { ORG } from "../service/running-service.ts";
import { USES } from "./ci-examples.ts";
import { blocksOf, pages } from "./pages.ts";

const PAGES = {
  gitlab: "ci/gitlab",
  azure: "ci/azure-pipelines",
  circleci: "ci/circleci",
  buildkite: "ci/buildkite",
  bitbucket: "ci/bitbucket",
  jenkins: "ci/jenkins",
  overview: "other-ci",
} as const;

function pageOf(name: keyof typeof PAGES) {
  const path = `docs/${PAGES[name]}.md`;
  return pages.find((page) => page.path === path) ?? expect.fail(`there is no ${path}`);
}

/** The first block of a language on a page, below a heading if one is given. */
function blockOf(name: keyof typeof PAGES, language: string, heading?: string): string {
  const { path, text } = pageOf(name);
  const below = heading === undefined ? text : text.slice(text.indexOf(`\n## ${heading}\n`));
  const block = blocksOf({ path, text: below }).find((each) => each.language === language);
  return block?.text ?? expect.fail(`${path} has no ${language}`);
}

let job: Job;
beforeAll(async () => {
  job = await startJob();
  await job.write("reports/unit.xml", '<testsuite tests="1"><testcase name="a"/></testsuite>');
});
afterAll(() => job[Symbol.asyncDispose]());

/** Writes another artifact for each example. */
async function build(content: string): Promise<string> {
  await job.write("app.tgz", content);
  return createHash("sha256").update(content).digest("hex");
}

/** The repository and the run of a job, as each system gives them. */
const ORIGINS = {
  gitlab: {
    repository: { repoName: "acme/web", provider: "gitlab", repoId: "20" },
    run: "https://gitlab.example.com/acme/web/-/jobs/302",
  },
  azure: {
    repository: { repoName: "acme/shop/web", provider: "azure_devops_services", repoId: undefined },
    run: "https://dev.azure.com/acme/shop/_build/results?buildId=5",
  },
  circleci: {
    repository: { repoName: "acme/web", provider: "github", repoId: undefined },
    run: "https://circleci.com/gh/acme/web/5",
  },
  buildkite: {
    repository: { repoName: "acme/web", provider: "github", repoId: undefined },
    run: "https://buildkite.com/acme-inc/web/builds/5",
  },
  bitbucket: {
    repository: {
      repoName: "acme/web",
      provider: "bitbucket_cloud",
      repoId: "{5f3c9a3e-b1ee-4f0a-9d2c-57d3d1a6a4e1}",
    },
    run: "https://bitbucket.org/acme/web/pipelines/results/5",
  },
  jenkins: {
    repository: { repoName: "acme/web", provider: "github", repoId: undefined },
    run: "https://ci.example.com/job/web/5/",
  },
} as const;

async function expectTests(system: keyof typeof ORIGINS, commit: string, fingerprint: string) {
  const place = { flowName: "web", fingerprint, attestationName: "unit-test" };
  const { body } = await job.client.getArtifactAttestation(place);
  const { repository, run } = ORIGINS[system];
  expect(body).toMatchObject([
    {
      ...{ isCompliant: true, junitResults: [{ total: 1 }], originUrl: run },
      gitCommitInfo: { sha1: commit },
    },
  ]);
  const { repoName, provider, repoId } = repository;
  expect((await job.client.getRepo({ repoName, provider })).body.repoId ?? undefined).toBe(repoId);
}

describe.each(CI_NAMES)("the example for %s", (name) => {
  it("records an artifact and its tests, and passes the gate", async () => {
    const fingerprint = await build(name);
    const variables: Record<string, string> = {};
    const uses = USES[name](blockOf(name, "yaml"));
    expect(uses.map(({ command }) => command)).toEqual(["attest", "attest", "gate"]);
    for (const { command, texts } of uses) {
      // With a key, as the page says.
      const more = name === "azure" ? { apiKey: "$(EVIDENCE_API_KEY)" } : {};
      const ended = await job.perform(job.wrapper(name, command, { ...texts, ...more }, variables));
      expect(ended.status, ended.stderr).toBe(0);
      if (name === "azure") Object.assign(variables, outputsOf(ended.stderr, texts["step"]));
    }
    await expectTests(name, COMMITS[name], fingerprint);
  });
});

describe("without a key", () => {
  const trusted = async (name: CiName, claims: object) => {
    const signer = ciIssuer(() => job.service.clock.time);
    const { issuer, policy } = TOKENS[name];
    const json = { name, issuer, jwks: signer.jwks, flows: ["web"], ...policy, ...claims };
    const { keys } = job.service;
    const reply = await send(job.service, {
      ...{ method: "POST", path: `/trust-policies/${ORG}`, json, key: keys.admin },
    });
    expect(reply.status).toBe(201);
    return signer;
  };
  const recordOf = async (fingerprint: string) => {
    const place = { flowName: "web", fingerprint, attestationName: "unit-test" };
    return (await job.client.getArtifactAttestation(place)).body[0];
  };

  it("the jobs of GitLab record with their own tokens, which prove what the variables say", async () => {
    const fingerprint = await build("keyless gitlab");
    const signer = await trusted("gitlab", { project: "acme/web" });
    const claims = { project_path: "acme/web", sha: COMMITS.gitlab };
    for (const { command, texts } of USES.gitlab(blockOf("gitlab", "yaml"))) {
      const call = job.wrapper("gitlab", command, texts);
      const token = signer.token("gitlab", { ...claims, aud: call.env["EVIDENCE_ID_TOKEN"] });
      const env = { ...call.env, EVIDENCE_API_KEY: "", EVIDENCE_ID_TOKEN: token };
      await expectSuccess(job.perform({ ...call, env }));
    }
    expect(await recordOf(fingerprint)).toMatchObject({
      reportedBy: "gitlab:acme/web pipeline 574 job 302",
      origin: { state: "verified" },
    });
  });

  it("the steps of Bitbucket record with the token for the audience of the example", async () => {
    const fingerprint = await build("keyless bitbucket");
    const signer = await trusted("bitbucket", {});
    const example = blockOf("bitbucket", "yaml");
    const [, audience = ""] = /audiences: \["([^"]+)"\]/.exec(example) ?? [];
    const aud = audience.replace("https://evidence.example.com", job.service.address);
    const token = signer.token("bitbucket", { aud });
    for (const { command, texts } of USES.bitbucket(example)) {
      const call = job.wrapper("bitbucket", command, texts);
      const env = { ...call.env, EVIDENCE_API_KEY: "", BITBUCKET_STEP_OIDC_TOKEN: token };
      await expectSuccess(job.perform({ ...call, env }));
    }
    expect((await recordOf(fingerprint))?.reportedBy).toMatch(/^bitbucket:acme\//);
  });
});

/** Variables that Azure Pipelines sets for the outputs of a step. */
function outputsOf(log: string, step: string | undefined): Texts {
  const outputs = log.matchAll(/##vso\[task\.setvariable variable=(\w+);isOutput=true\](.*)/g);
  return Object.fromEntries(
    [...outputs].map(([, output, value = ""]) => [`${step}_${output}`.toUpperCase(), value]),
  );
}

const COMMIT = "f".repeat(40);
const JENKINS = jenkinsAt(COMMIT);

function inBash(script: string, env: Texts) {
  return { shell: ["bash", "-eo", "pipefail", "-c"], script, env } as const;
}

async function expectSuccess(ended: Promise<Ended>): Promise<string> {
  const { status, stdout, stderr } = await ended;
  expect(status, stderr).toBe(0);
  return stdout;
}

test("the commands of the client record an artifact and its tests, and pass the gate", async () => {
  const fingerprint = await build("client");
  await expectSuccess(job.run(inBash(blockOf("overview", "sh"), JENKINS)));
  await expectTests("jenkins", COMMIT, fingerprint);
});

test("the steps of Jenkins do so too, with the variables of the pipeline and the credential", async () => {
  const fingerprint = await build("jenkins");
  const pipeline = blockOf("jenkins", "groovy");
  const steps = [...pipeline.matchAll(/^ *sh '([^']+)'$/gm)].map(([, script = ""]) => script);
  const variables = [...pipeline.matchAll(/^ *(EVIDENCE_\w+) = '([^']*)'$/gm)].map(
    ([, name = "", value = ""]) => [name, value] as const,
  );
  expect(variables.map(([name]) => name)).toEqual(["EVIDENCE_BASE_URL", "EVIDENCE_ORG", "EVIDENCE_FLOW"]);
  expect(pipeline.match(/variable: 'EVIDENCE_API_KEY'/g)).toHaveLength(3);
  const env = { ...Object.fromEntries(variables), ...job.connection, ...JENKINS };
  const clients = steps.filter((script) => script.includes("npx"));
  expect(clients).toHaveLength(3);
  for (const script of clients) await expectSuccess(job.perform(inBash(script, env)));
  await expectTests("jenkins", COMMIT, fingerprint);
});

/** A cell of the table of the check in Azure, with variables. */
function checkField(name: string, variables: Texts): string {
  const [, cell = ""] = new RegExp(`^\\| ${name} \\| \`(.+)\` \\|$`, "m").exec(pageOf("azure").text) ?? [];
  return cell.replaceAll(
    /\$\(([\w.]+)\)/g,
    (_, variable: string) => variables[variable] ?? expect.fail(variable),
  );
}

/** Asks the service as the check does, and compares by its criteria. */
async function passesCheck(suffix: string, criteria: string): Promise<boolean> {
  const { EVIDENCE_BASE_URL: url = "", EVIDENCE_API_KEY: key = "" } = job.connection;
  const call = inBash('curl --fail --silent --user "$KEY:" "$URL"', {
    KEY: key,
    URL: `${url}/api/v2/${suffix}`,
  });
  const stdout = await expectSuccess(job.run(call));
  const [, field = "", wanted = ""] = /^eq\(root\['(\w+)'\], '?(\w+)'?\)$/.exec(criteria) ?? [];
  return String(JSON.parse(stdout)[field]) === wanted;
}

describe("gates outside of the pipeline", () => {
  it("the check of Azure passes once the trail is compliant", async () => {
    const commit = "1".repeat(40);
    const record = (compliant: string) =>
      performed(`attest --flow web --name review --compliant ${compliant}`, jenkinsAt(commit));
    const suffix = checkField("URL suffix and parameters", { "Build.SourceVersion": commit });
    const criteria = checkField("Success criteria", {});
    await record("false");
    expect(await passesCheck(suffix, criteria)).toBe(false);
    await record("true");
    expect(await passesCheck(suffix, criteria)).toBe(true);
  });

  it("the check of Azure can ask about an artifact in an environment", async () => {
    const fingerprint = await reportedArtifact("azure check");
    const [, suffix = "", criteria = ""] =
      /the suffix `([^`]+)` and the criteria\n`([^`]+)`/.exec(pageOf("azure").text) ??
      expect.fail("there is no suffix");
    expect(await passesCheck(suffix.replace("$(fingerprint)", fingerprint), criteria)).toBe(true);
  });

  it("the bot for GitLab approves the deployment of the commit, and only behind the gate", async () => {
    const fingerprint = await reportedArtifact("gitlab approval");
    const asked: string[] = [];
    const gitlab = createServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers["private-token"]}`);
      response.end(
        JSON.stringify([
          { id: 41, sha: "2".repeat(40) },
          { id: 42, sha: "3".repeat(40) },
        ]),
      );
    });
    await new Promise<void>((resolve) => gitlab.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void gitlab.close());
    const address = gitlab.address();
    const port = typeof address === "object" ? address?.port : "";
    const env = {
      CI_API_V4_URL: `http://127.0.0.1:${port}/api/v4`,
      ...{ PROJECT_ID: "20", COMMIT: "3".repeat(40), APPROVER_TOKEN: "bot", FINGERPRINT: fingerprint },
    };
    const script = blockOf("gitlab", "sh", "Deployment approval");
    await expectSuccess(job.run(inBash(script, env)));
    const deployments = "/api/v4/projects/20/deployments";
    expect(asked).toEqual([
      `GET ${deployments}?environment=production&status=blocked bot`,
      `POST ${deployments}/42/approval bot`,
    ]);
    const refused = await job.run(inBash(script, { ...env, FINGERPRINT: "0".repeat(64) }));
    expect({ ...refused, asked: asked.length }).toMatchObject({ status: 1, asked: 2 });
  });
});

const ISSUERS: Readonly<Record<CiName, string>> = {
  gitlab: "https://gitlab.com",
  azure: "https://vstoken.dev.azure.com/",
  circleci: "https://oidc.circleci.com/",
  buildkite: "https://agent.buildkite.com",
  bitbucket: "https://api.bitbucket.org/",
};

// After the tokens above, because they match these policies too.
test.each(CI_NAMES)("the command on the page of %s is all that an admin runs", async (name) => {
  // The examples of two systems may have one name, as an organization has one system.
  const script = `${blockOf(name, "sh").trim()} --name page-of-${name}`;
  const { admin, auditor } = job.service.keys;
  await expectSuccess(job.perform(inBash(script, { EVIDENCE_API_KEY: admin })));
  const { body } = await send(job.service, { path: `/trust-policies/${ORG}`, key: auditor });
  const made = asObjects(body).find((policy) => policy["name"] === `page-of-${name}`);
  expect(made).toMatchObject({ flows: ["web"], issuer: expect.stringContaining(ISSUERS[name]) });
});

// The last one, because the flow then requires more.
test("the template of the overview closes the gate until its evidence is recorded", async () => {
  const facts = jenkinsAt("5".repeat(40));
  await job.write("evidence.yml", blockOf("overview", "yaml", "Require evidence"));
  await expectSuccess(job.perform(inBash(blockOf("overview", "sh", "Require evidence"), facts)));
  await build("required");
  await performed("attest --flow web --name app --kind artifact --artifact app.tgz", facts);
  const gate = inBash(`npx --yes @delivery-evidence/client@${VERSION} gate --artifact app.tgz`, facts);
  expect(await job.perform(gate)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("attestation 'unit-test' (junit) is missing"),
  });
  const tests = "--kind test --artifact app.tgz --test-results reports/*.xml";
  await performed(`attest --flow web --name app.unit-test ${tests}`, facts);
  expect((await job.perform(gate)).status).toBe(0);
});

/** Runs one command of the client. */
function performed(command: string, facts: Texts) {
  return expectSuccess(
    job.perform(inBash(`npx --yes @delivery-evidence/client@${VERSION} ${command}`, facts)),
  );
}

/** Reports an artifact, and the environment that the gates name. */
async function reportedArtifact(content: string): Promise<string> {
  const fingerprint = await build(content);
  const facts = jenkinsAt("4".repeat(40));
  await performed(
    "report --environment production --type server --paths app.tgz --create-environment",
    facts,
  );
  await performed("attest --flow web --name app --kind artifact --artifact app.tgz", facts);
  return fingerprint;
}
