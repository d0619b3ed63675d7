import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { forwardProxy } from "../api/forward-proxy.ts";
import { tokenRegistry } from "../evidence/oci/registry-server.ts";
import { contentService, expectFailure, expectSuccess, runSample, sampleOf } from "./samples.ts";

const attest = sampleOf("attest");

describe("a base-url", () => {
  test.each([
    ["https://user:hunter2hunter2@evidence.example", "must not contain a user or password"],
    ["http://127.0.0.1.evil.example", "would send the key unencrypted"],
  ])("that is invalid or unsafe is rejected before any request: %s", async (baseUrl, said) => {
    // The proxy would see any request.
    const { port, asked } = await forwardProxy(9);
    const env = { http_proxy: `http://127.0.0.1:${port}`, https_proxy: `127.0.0.1:${port}` };
    const step = await runSample(attest, { baseUrl, env });
    expectFailure(attest, step, "base-url: ", said);
    expect(step.stdout).not.toContain("hunter2hunter2");
    expect(asked).toEqual([]);
  });

  test("may be http:// with allow-http", async () => {
    const server = await contentService(attest);
    const proxy = await forwardProxy(server.port);
    const env = { http_proxy: `http://127.0.0.1:${proxy.port}` };
    const inputs = { "allow-http": "true" };
    expectSuccess(attest, await runSample(attest, { baseUrl: "http://evidence.test", env, inputs }));
    expect(server.received).toHaveLength(1);
  });

  test.each([
    ["eu", "app.kosli.com"],
    ["us", "app.us.kosli.com"],
  ])("that is empty means the hosted service of the region %s", async (region, host) => {
    const proxy = await forwardProxy(9, { status: 403 });
    const env = { HTTPS_PROXY: `127.0.0.1:${proxy.port}` };
    expectFailure(attest, await runSample(attest, { baseUrl: "", env, inputs: { region } }), host);
    expect(proxy.asked.map(({ line }) => line)).toEqual([`CONNECT ${host}:443`]);
  });
});

/** Inputs that become parts of a request's path, here each in the path of one request. */
const IN_PATH: readonly [action: string, ...inputs: string[]][] = [
  ["attest", "org"],
  ["attest", "flow", "trail"],
  ["begin-trail", "flow"],
  ["comment", "flow", "trail"],
  ["report-env", "environment"],
  ["running-commit", "flow"],
  ["running-commit", "environment"],
];

describe("names in a request's path", () => {
  test.each(IN_PATH)(
    "are rejected when they would change the path: by %s in %s",
    async (action, ...names) => {
      const sample = sampleOf(action);
      const server = await contentService(sample);
      const inputs = Object.fromEntries(names.map((name) => [name, ".."]));
      const step = await runSample(sample, { baseUrl: server.url, inputs });
      expectFailure(sample, step, ...names.map((name) => `${name}: must be a name, not '..'`));
      expect(server.received).toEqual([]);
    },
  );

  test.each(IN_PATH)("arrive unchanged, whatever they contain: from %s in %s", async (action, ...names) => {
    const sample = sampleOf(action);
    const server = await contentService(sample);
    const inputs = Object.fromEntries(names.map((name) => [name, `${name}/b ?#é&=+;:@%2e%2F..`]));
    expectSuccess(sample, await runSample(sample, { baseUrl: server.url, inputs }));
    const parts = server.received[0]?.path.split("?")[0]?.split("/").map(decodeURIComponent);
    expect(parts).toEqual(expect.arrayContaining(Object.values(inputs)));
  });

  test("are rejected among the root action's params, too", async () => {
    const sample = sampleOf("root");
    const server = await contentService(sample);
    const inputs = { operation: "getFlow", params: JSON.stringify({ flow_name: ".." }) };
    expectFailure(sample, await runSample(sample, { baseUrl: server.url, inputs }), /flow_?[nN]ame/);
    expect(server.received).toEqual([]);
  });

  test("arrive unchanged in the query, too", async () => {
    const sample = sampleOf("assert-artifact");
    const server = await contentService(sample);
    const inputs = { environment: "a/b ?#é&=+;:@%2e%2F.." };
    expectSuccess(sample, await runSample(sample, { baseUrl: server.url, inputs }));
    const [request] = server.received;
    expect([...new URLSearchParams(request?.path.split("?")[1])]).toEqual([
      ["environment_name", inputs.environment],
    ]);
  });
});

describe("a boolean", () => {
  test("that is invalid is rejected together with an invalid compliant, in one error", async () => {
    const server = await contentService(attest);
    const inputs = { "dry-run": "no", summary: "0", "allow-http": "yes", compliant: "Success" };
    const step = await runSample(attest, { baseUrl: server.url, inputs });
    expectFailure(
      attest,
      step,
      "dry-run: must be true or false, not 'no'",
      "summary: must be true or false, not '0'",
      "allow-http: must be true or false, not 'yes'",
      "compliant: must be true, false, success",
    );
    expect(server.received).toEqual([]);
  });

  test("may have spaces around it", async () => {
    const server = await contentService(attest);
    const inputs = { compliant: " False\n" };
    expectSuccess(attest, await runSample(attest, { baseUrl: server.url, inputs }));
    expect(server.received[0]?.body.toString()).toContain('"is_compliant":false');
  });
});

describe("a program that an action starts does not get our inputs and keys", () => {
  /** A folder of programs with these names, each of which only records its variables. */
  function programs(...names: string[]) {
    const folder = mkdtempSync(join(tmpdir(), "programs-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const name of names) {
      writeFileSync(join(folder, name), `#!/bin/sh\nenv >>"${folder}/environment"\nexit 1\n`);
      chmodSync(join(folder, name), 0o755);
    }
    return { folder, environment: () => readFileSync(join(folder, "environment"), "utf8") };
  }
  const OURS = {
    EVIDENCE_API_KEY: "de_key_of_the_environment",
    EVIDENCE_ORG: "acme",
    INPUT_PASSWORD: "secret-of-another-action",
    "INPUT_API-KEY": "secret-of-another-action",
    KEPT: "what-else-the-job-has",
  };
  const expectOnlyTheirs = (environment: string) => {
    expect(environment).toContain("KEPT=what-else-the-job-has");
    expect(environment).not.toMatch(/^(INPUTS|INPUT_.*|EVIDENCE_.*)=/m);
    expect(environment).not.toMatch(/\bde_/);
    expect(environment).not.toContain("secret-of-another-action");
  };

  test("kubectl", async () => {
    const { folder, environment } = programs("kubectl");
    const inputs = { "pods-file": "", region: "eu" };
    const env = { ...OURS, PATH: `${folder}:/usr/bin:/bin` };
    await runSample(sampleOf("report-env"), { inputs, env });
    expectOnlyTheirs(environment());
  });

  test("git", async () => {
    const { folder, environment } = programs("git");
    const server = await contentService(attest);
    const env = { ...OURS, PATH: `${folder}:/usr/bin:/bin` };
    const step = await runSample(attest, { baseUrl: server.url, env, files: { ".git/HEAD": "" } });
    expectSuccess(attest, step);
    expectOnlyTheirs(environment());
  });

  test("git that compares commits", async () => {
    const { folder, environment } = programs("git");
    const sample = sampleOf("running-commit");
    // Another commit than the candidate, so that there is a comparison.
    const running = { commit_sha: "ab".repeat(20) };
    const answer = (path: string) => (path.includes("/artifact-commit/") ? running : []);
    const server = await contentService({ ...sample, answer });
    const env = { ...OURS, PATH: `${folder}:/usr/bin:/bin` };
    const step = await runSample(sample, { baseUrl: server.url, env, files: { ".git/HEAD": "" } });
    expectSuccess(sample, step);
    expectOnlyTheirs(environment());
  });

  test("a credential helper", async () => {
    const { folder, environment } = programs("docker-credential-store");
    const images = await tokenRegistry(() => true);
    const config = join(folder, "config.json");
    writeFileSync(config, JSON.stringify({ credHelpers: { [images.host]: "store" } }));
    const inputs = { artifact: images.image, "artifact-type": "oci", region: "eu" };
    const env = { ...OURS, DOCKER_CONFIG: folder, PATH: `${folder}:/usr/bin:/bin` };
    await runSample(sampleOf("attest"), { inputs, env });
    expect(existsSync(join(folder, "environment"))).toBe(true);
    expectOnlyTheirs(environment());
  });
});

describe("inputs that exclude each other are listed in one error:", () => {
  test.each<[string, Record<string, string>, string[]]>([
    [
      "attest",
      { kind: "artifact", fingerprint: "ab".repeat(32), artifact: "report.txt", "type-name": "x" },
      [
        "artifact: cannot be used with `fingerprint`",
        "compliant: is not used by kind",
        "type-name: is not used by kind",
      ],
    ],
    [
      "report-env",
      { config: "c.yml" },
      ["environment: cannot be used with `config`", "pods-file: cannot be used with `config`"],
    ],
    [
      "report-env",
      { context: "prod", kubeconfig: "k", environment: "" },
      ["kubeconfig: is not used with pods-file", "context: is not used", "environment: is required"],
    ],
    [
      "report-env",
      { type: "docker", paths: "a", namespaces: "web" },
      ["paths: is not used by type: docker", "namespaces: is not used", "pods-file: is not used"],
    ],
    [
      "report-env",
      { type: "server", "pods-file": "", kubeconfig: "k" },
      ["kubeconfig: is not used by type: server", "paths: is required for type: server"],
    ],
    ["assert-artifact", { environment: "prod", policies: "a" }, ["environment", "policies"]],
    ["assert-artifact", { fingerprint: "", artifact: "" }, ["fingerprint: is required"]],
    ["begin-trail", { flow: "", visibility: "secret" }, ["flow: ", "visibility: must be public or private"]],
    [
      "comment",
      { flow: "", "pull-request": "main" },
      ["flow: ", "pull-request: must be the number", "'main'"],
    ],
    ["set-flow-action", { name: "", emails: "", triggers: "ON_FOO" }, ["name: ", "webhooks", "ON_FOO"]],
    ["root", { operation: "", retries: "many" }, ["operation: is required", "retries: "]],
    ["running-commit", { flow: "", environment: "" }, ["flow: ", "environment: "]],
    ["running-commit", { trail: "v1", environment: "" }, ["environment: ", "trail: is used only with"]],
    ["running-commit", { "record-approval": "go", flow: "" }, ["flow: ", "github-environment: is required"]],
  ])("%s %j", async (action, inputs, said) => {
    const sample = sampleOf(action);
    const server = await contentService(sample);
    const step = await runSample(sample, { baseUrl: server.url, inputs });
    expectFailure(sample, step, ...said);
    expect(server.received).toEqual([]);
  });
});
