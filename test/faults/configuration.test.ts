import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { forwardProxy } from "../api/forward-proxy.ts";
import { tokenRegistry } from "../evidence/oci/registry-server.ts";
import {
  contentService,
  each,
  expectFailure,
  expectSuccess,
  inTurn,
  requestsOf,
  runSample,
  SAMPLES,
  sampleOf,
} from "./samples.ts";

const BAD_ADDRESSES: readonly [string, string][] = [
  ["evidence.example", "must be a whole address"],
  ["/api/v2", "must be a whole address"],
  ["file:///etc/passwd", "must begin with https://"],
  ["javascript:alert(1)", "must begin with https://"],
  ["https://user:hunter2hunter2@evidence.example", "must not hold a user or password"],
  ["https://evidence.example?x=1", "must not hold a query or fragment"],
  ["https://evidence.example/#top", "must not hold a query or fragment"],
  ["https://app.x\n.evil.example", "must not hold blanks or line breaks"],
  ["https://app.x\r\n.evil.example", "must not hold blanks or line breaks"],
  ["http://evidence.example", "would send the key in clear"],
  ["http://127.0.0.1.evil.example", "would send the key in clear"],
  ["http://10.0.0.1", "would send the key in clear"],
];

describe("a base-url that names no service safely is refused before any request", () => {
  test.each(BAD_ADDRESSES)("by attest and one other action: %j", async (baseUrl, said) => {
    // Whatever would be asked, the proxy would see it.
    const proxy = await forwardProxy(9);
    const variables = {
      http_proxy: `http://127.0.0.1:${proxy.port}`,
      https_proxy: `127.0.0.1:${proxy.port}`,
    };
    const other = inTurn(BAD_ADDRESSES.findIndex(([address]) => address === baseUrl));
    await each([...new Set([sampleOf("attest"), other])], async (sample) => {
      const step = await runSample(sample, { baseUrl, env: variables });
      expectFailure(sample, step, "base-url: ", said);
      expect(step.stdout).not.toContain("hunter2hunter2");
    });
    expect(proxy.asked).toEqual([]);
  });

  test("unless http:// is asked for, in every action", () =>
    each(SAMPLES, async (sample) => {
      const server = await contentService(sample);
      const proxy = await forwardProxy(server.port);
      const env = { http_proxy: `http://127.0.0.1:${proxy.port}` };
      const inputs = { "allow-http": "true" };
      expectSuccess(sample, await runSample(sample, { baseUrl: "http://evidence.test", env, inputs }));
      expect(server.received).toHaveLength(requestsOf(sample));
    }));
});

test.each([
  ["eu", "app.kosli.com"],
  ["us", "app.us.kosli.com"],
])("a base-url left empty is the hosted service of the region %s", (region, host) =>
  each(SAMPLES, async (sample) => {
    const proxy = await forwardProxy(9, { status: 403 });
    const env = { HTTPS_PROXY: `127.0.0.1:${proxy.port}` };
    expectFailure(sample, await runSample(sample, { baseUrl: "", env, inputs: { region } }), host);
    expect(proxy.asked.map(({ line }) => line)).toEqual([`CONNECT ${host}:443`]);
  }),
);

test.each(["", "/", "//", "/api/v2", "/api/v2/", "//api//v2//", "/api/v2/api/v2"])(
  "a base-url that ends in %j leads to the same endpoint",
  (ending) =>
    each([sampleOf("attest"), sampleOf("assert-artifact"), sampleOf("report-env")], async (sample) => {
      const server = await contentService(sample);
      expectSuccess(sample, await runSample(sample, { baseUrl: `${server.url}${ending}` }));
      expect(server.received[0]?.path).toMatch(/^\/api\/v2\/(?!api)\w+\//);
      expect(server.received[0]?.path).not.toContain("//");
    }),
);

/** The inputs of each action that become a part of its request's path. */
const IN_PATH: readonly [action: string, input: string][] = [
  ["attest", "flow"],
  ["attest", "trail"],
  ["begin-trail", "flow"],
  ["report-env", "environment"],
  ["running-commit", "flow"],
  ["running-commit", "environment"],
  ...SAMPLES.map(({ name }): [string, string] => [name, "org"]),
];

describe("a name that the address would take for a step elsewhere is refused", () => {
  test.each(IN_PATH)("by %s in %s", async (action, input) => {
    const sample = sampleOf(action);
    const server = await contentService(sample);
    for (const name of ["..", "."]) {
      const step = await runSample(sample, { baseUrl: server.url, inputs: { [input]: name } });
      expectFailure(sample, step, `'${name}' is not a name`);
    }
    if (input !== "trail") {
      const step = await runSample(sample, { baseUrl: server.url, inputs: { [input]: "" } });
      expectFailure(sample, step, input, "is required");
    }
    expect(server.received).toEqual([]);
  });

  test("by the root action in the parameters of an operation", async () => {
    const sample = sampleOf("root");
    const server = await contentService(sample);
    for (const name of ["..", ".", "", [""]]) {
      const inputs = { operation: "getFlow", params: JSON.stringify({ flow_name: name }) };
      expectFailure(sample, await runSample(sample, { baseUrl: server.url, inputs }), /flow_?[nN]ame/);
    }
    expect(server.received).toEqual([]);
  });
});

describe("a name with signs that addresses are made of arrives as it was given", () => {
  const NAMES = ["a/b ?#é&=+;:@%", "%2e%2e", "%2F..%2f", "...", "{org}"];

  test.each(IN_PATH)("from %s in %s", async (action, input) => {
    const sample = sampleOf(action);
    const server = await contentService(sample);
    for (const name of NAMES) {
      expectSuccess(sample, await runSample(sample, { baseUrl: server.url, inputs: { [input]: name } }));
    }
    const first = server.received.filter((_, index) => index % requestsOf(sample) === 0);
    const parts = first.map(({ path }) => path.split("?")[0]?.split("/").map(decodeURIComponent));
    expect(parts.map((decoded, index) => decoded?.includes(NAMES[index] ?? ""))).toEqual(
      NAMES.map(() => true),
    );
    expect(new Set(parts.map((decoded) => decoded?.length)).size).toBe(1);
  });

  test.each([
    ["flow", "flow_name"],
    ["environment", "environment_name"],
  ])("from assert-artifact in %s, which stands in the query", async (input, parameter) => {
    const sample = sampleOf("assert-artifact");
    const server = await contentService(sample);
    for (const name of NAMES) {
      expectSuccess(sample, await runSample(sample, { baseUrl: server.url, inputs: { [input]: name } }));
    }
    const queries = server.received.map(({ path }) => [...new URLSearchParams(path.split("?")[1])]);
    expect(queries).toEqual(NAMES.map((name) => [[parameter, name]]));
  });
});

describe("a boolean that is none is refused by every action:", () => {
  test.each(["no", "0", "yes", "1", "off", "n", "tRUE", "null", "~"])("%s", (word) =>
    each([inTurn(word.length), inTurn(word.length + 3), sampleOf("attest")], async (sample) => {
      const server = await contentService(sample);
      for (const input of ["dry-run", "summary", "allow-http"]) {
        const step = await runSample(sample, { baseUrl: server.url, inputs: { [input]: word } });
        expectFailure(sample, step, `${input}: must be true or false, not '${word}'`);
      }
      expect(server.received).toEqual([]);
    }),
  );

  test.each(["no", "0", "yes", "NO", "Success", "ok"])(
    "%s is no verdict either, and never a compliant one",
    async (word) => {
      const sample = sampleOf("attest");
      const server = await contentService(sample);
      const step = await runSample(sample, { baseUrl: server.url, inputs: { compliant: word } });
      expectFailure(sample, step, "compliant: must be true, false, success");
      expect(server.received).toEqual([]);
    },
  );

  test.each(["false", "False", "FALSE", "False ", " false\n"])("while %j is false", async (word) => {
    const sample = sampleOf("attest");
    const server = await contentService(sample);
    expectSuccess(sample, await runSample(sample, { baseUrl: server.url, inputs: { compliant: word } }));
    expect(server.received[0]?.body.toString()).toContain('"is_compliant":false');
  });
});

describe("a program that an action starts does not get our inputs and keys", () => {
  /** A folder of programs of these names, each of which notes its variables down and does nothing else. */
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
    expect(environment).not.toContain("de_");
    expect(environment).not.toContain("secret-of-another-action");
  };

  test("kubectl", async () => {
    const { folder, environment } = programs("kubectl");
    const inputs = { "pods-file": "" };
    const env = { ...OURS, PATH: `${folder}:/usr/bin:/bin` };
    await runSample(sampleOf("report-env"), { inputs, env });
    expectOnlyTheirs(environment());
  });

  test.each(["attest", "begin-trail"])("git, of %s", async (action) => {
    const { folder, environment } = programs("git");
    const sample = sampleOf(action);
    const server = await contentService(sample);
    const env = { ...OURS, PATH: `${folder}:/usr/bin:/bin` };
    const step = await runSample(sample, { baseUrl: server.url, env, files: { ".git/HEAD": "" } });
    expectSuccess(sample, step);
    expectOnlyTheirs(environment());
  });

  test("git, of running-commit", async () => {
    const { folder, environment } = programs("git");
    const sample = sampleOf("running-commit");
    // Another commit than the candidate, so that there is something to compare.
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
    const inputs = { artifact: images.image, "artifact-type": "oci" };
    const env = { ...OURS, DOCKER_CONFIG: folder, PATH: `${folder}:/usr/bin:/bin` };
    await runSample(sampleOf("attest"), { inputs, env });
    expect(existsSync(join(folder, "environment"))).toBe(true);
    expectOnlyTheirs(environment());
  });
});

describe("inputs that do not go together are told in one error that lists them all:", () => {
  test.each<[string, Record<string, string>, string[]]>([
    [
      "attest",
      { kind: "artifact", fingerprint: "ab".repeat(32), artifact: "report.txt", "type-name": "x" },
      ["artifact: excludes fingerprint", "compliant: is not used by kind", "type-name: is not used by kind"],
    ],
    // What `${{ env.NOT_SET }}` leaves of an input.
    ["attest", { compliant: "", flow: "", name: "" }, ["compliant: is required", "flow: ", "name: "]],
    [
      "attest",
      { "artifact-type": "oci", exclude: "x", "fail-level": "low" },
      ["artifact-type: is of use only", "exclude: is of use only", "fail-level: is of use only"],
    ],
    [
      "attest",
      { kind: "junit", name: "app.unit", "target-artifacts": "app", data: "{}", "test-results": "a.xml" },
      ["compliant: is not used", "data: excludes test-results", "target-artifacts: excludes an artifact in"],
    ],
    ["attest", { manifest: "m.yml" }, ["name: excludes manifest", "compliant: ", "attachments: "]],
    ["report-env", { config: "c.yml" }, ["environment: excludes config", "pods-file: excludes config"]],
    [
      "report-env",
      { context: "prod", kubeconfig: "k", environment: "" },
      ["kubeconfig: is not used with pods-file", "context: is not used", "environment: is required"],
    ],
    ["assert-artifact", { environment: "prod", policies: "a" }, ["environment", "policies"]],
    ["assert-artifact", { fingerprint: "", artifact: "" }, ["fingerprint: is required"]],
    ["begin-trail", { flow: "", visibility: "secret" }, ["flow: ", "visibility: must be public or private"]],
    ["set-flow-action", { name: "", emails: "", triggers: "ON_FOO" }, ["name: ", "webhooks", "ON_FOO"]],
    ["root", { operation: "", retries: "many" }, ["operation: is required", "retries: "]],
    ["running-commit", { flow: "", environment: "" }, ["flow: ", "environment: "]],
    ["running-commit", { trail: "v1", environment: "" }, ["environment: ", "trail: is of use only with"]],
    ["running-commit", { "record-approval": "go", flow: "" }, ["flow: ", "github-environment: is required"]],
  ])("%s %j", async (action, inputs, said) => {
    const sample = sampleOf(action);
    const server = await contentService(sample);
    const step = await runSample(sample, { baseUrl: server.url, inputs });
    expectFailure(sample, step, ...said);
    expect(server.received).toEqual([]);
  });
});
