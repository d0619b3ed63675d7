import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../src/actions/report-env/config.ts";
import { targetInputs } from "../../src/actions/report-env/target.ts";
import { InputError } from "../../src/api/client/errors.ts";
import { readInputs } from "../../src/github/step/inputs.ts";
import { runBundle, runHere } from "./bundle-run.ts";
import { recordingServer } from "./recording-server.ts";

const CREATED = { status: 201, body: "Report processed successfully, snapshot #1 created" };

let workspace = "";
beforeAll(async () => {
  workspace = await mkdtemp(join(tmpdir(), "report-env-config-"));
});
afterAll(() => rm(workspace, { recursive: true }));

async function read(content: string, step: Readonly<Record<string, string>> = {}) {
  await writeFile(join(workspace, "environments.yml"), content);
  const { values } = readInputs(targetInputs, step, {});
  return readConfig({ path: "environments.yml", workspace, defaults: values });
}

/** The error text for an invalid file. */
async function complaints(content: string): Promise<string[]> {
  const error: unknown = await read(content).catch((thrown: unknown) => thrown);
  if (!(error instanceof InputError)) throw new Error(`not refused: ${JSON.stringify(error)}`);
  return error.problems.map(({ input, problem }) => `${input}: ${problem}`);
}

const pod = (name: string, namespace: string) => ({
  metadata: { name, namespace, creationTimestamp: "2026-11-20T09:30:00Z" },
  spec: { containers: [{ name: "app", image: "reg.example/app:1" }] },
  status: {
    phase: "Running",
    containerStatuses: [
      { name: "app", image: "reg.example/app:1", imageID: `reg.example/app@sha256:${"a".repeat(64)}` },
    ],
  },
});
const list = (...items: unknown[]) => JSON.stringify({ kind: "PodList", apiVersion: "v1", items });

describe("a file that lists environments", () => {
  test("takes the same keys for each as the step's inputs", async () => {
    const [production, staging] = await read(`
- environment: production
  context: prod-eu
  namespaces: [web, payments]
- environment: staging
  kubeconfig: staging.yml
  exclude-namespaces-regex: ^kube-
  allow-empty: true
`);
    expect(production).toMatchObject({
      environment: "production",
      context: "prod-eu",
      namespaces: ["web", "payments"],
      allowEmpty: false,
    });
    expect(staging).toMatchObject({
      environment: "staging",
      kubeconfig: "staging.yml",
      namespaces: [],
      excludeNamespacesRegex: ["^kube-"],
      allowEmpty: true,
    });
  });

  test("may nest its list under environments", async () => {
    const targets = await read("environments:\n  - environment: production\n");
    expect(targets.map(({ environment }) => environment)).toEqual(["production"]);
  });

  test("reads names that look like numbers and booleans as text", async () => {
    const targets = await read('- environment: 1.10\n- environment: on\n- environment: "007"\n');
    expect(targets.map(({ environment }) => environment)).toEqual(["1.10", "on", "007"]);
  });

  test("inherits the step's inputs, and an entry can unset them", async () => {
    const [silent, outspoken] = await read(
      `
- environment: a
- environment: b
  allow-empty: false
  context: own
`,
      { "allow-empty": "true", context: "of-the-step", kubeconfig: "shared.yml" },
    );
    expect(silent).toMatchObject({ allowEmpty: true, context: "of-the-step", kubeconfig: "shared.yml" });
    expect(outspoken).toMatchObject({ allowEmpty: false, context: "own", kubeconfig: "shared.yml" });
  });

  test("ignores the step's namespaces for an entry that sets its own", async () => {
    const [own, silent] = await read("- environment: a\n  namespaces: web\n- environment: b\n", {
      "exclude-namespaces": "kube-system",
    });
    expect(own).toMatchObject({ namespaces: ["web"], excludeNamespaces: [] });
    expect(silent).toMatchObject({ namespaces: [], excludeNamespaces: ["kube-system"] });
  });

  test("reports every problem at once", async () => {
    const problems = await complaints(`
- environment: production
  namespace: web
- allow-empty: perhaps
- just a word
- environment: staging
  context: { name: staging }
- environment: edge
  pods-file: pods.json
  kubeconfig: edge.yml
- environment: production
`);
    expect(problems).toEqual([
      "config, entry 1 (production), line 3: 'namespace' is not a known field; did you mean 'namespaces'?",
      "config, entry 2, line 4: environment is required",
      "config, entry 2, line 4: allow-empty must be true or false, not 'perhaps'",
      "config, entry 3, line 5: it must be a mapping",
      "config, entry 4 (staging), line 7: context must be text or a list of text values",
      "config, entry 5 (edge), line 10: kubeconfig is not used with pods-file",
      "config: lists 'production' twice: each environment may have one entry",
    ]);
  });

  test.each([
    ["nothing", ""],
    ["an empty list", "[]"],
    ["a mapping", "production:\n  context: prod\n"],
  ])("is rejected when it contains %s", async (_, content) => {
    const [problem] = await complaints(content);
    expect(problem).toContain("must list 1 to 200 environments");
  });

  test("is rejected with the position of a YAML error", async () => {
    expect(await complaints("- environment: [a\n")).toEqual([
      expect.stringMatching(/^config: 'environments\.yml', line \d+, column \d+: /),
    ]);
  });
});

describe("the report-env bundle with config", () => {
  const twoFiles = {
    "prod.json": list(pod("web-1", "shop"), pod("web-2", "shop")),
    "staging.json": list(pod("web-1", "shop")),
  };
  const config = (...entries: string[]) => ({ "environments.yml": entries.join("\n") });
  const production = "- environment: production\n  pods-file: prod.json";
  const staging = "- environment: staging\n  pods-file: staging.json";

  test("reports every environment, each in a row of the summary", async () => {
    await using server = await recordingServer([CREATED, CREATED]);
    const run = await runBundle("report-env", {
      server,
      inputs: { config: "environments.yml" },
      files: { ...twoFiles, ...config(production, staging) },
    });
    expect(run.status, run.stdout).toBe(0);
    expect(run.outputs).toMatchObject({
      status: "recorded",
      "pod-count": "3",
      "snapshot-created": "true",
      message: `production: ${CREATED.body}\nstaging: ${CREATED.body}`,
    });
    expect(JSON.parse(run.outputs["results"] ?? "")).toEqual([
      {
        environment: "production",
        status: "recorded",
        "pod-count": 2,
        "snapshot-created": true,
        message: CREATED.body,
        error: "",
      },
      {
        environment: "staging",
        status: "recorded",
        "pod-count": 1,
        "snapshot-created": true,
        message: CREATED.body,
        error: "",
      },
    ]);
    expect(server.requests.map((request) => request.split("\n")[0]).sort()).toEqual([
      "PUT /api/v2/environments/acme/production/report/K8S",
      "PUT /api/v2/environments/acme/staging/report/K8S",
    ]);
    const page = "http://SERVICE/acme/environments";
    expect(run.snapshot).toContain(`| [production](<${page}/production>) | recorded | 2 |`);
    expect(run.snapshot).toContain(`| [staging](<${page}/staging>) | recorded | 1 |`);
  });

  test("fails when one environment does, after reporting the others", async () => {
    await using server = await recordingServer([CREATED]);
    const run = await runHere("report-env", {
      server,
      inputs: { config: "environments.yml" },
      files: { ...twoFiles, "prod.json": "not JSON", ...config(production, staging) },
    });
    expect(run.status).toBe(1);
    expect(run.stdout).toContain(
      "::error title=1 of 2 environments failed (snapshot.not_recorded)::- production: ",
    );
    expect(run.stdout.match(/::error/g)).toHaveLength(1);
    expect(run.outputs).toMatchObject({ status: "failed", "pod-count": "1" });
    expect(JSON.parse(run.outputs["results"] ?? "")).toEqual([
      expect.objectContaining({ environment: "production", status: "failed", error: expect.any(String) }),
      expect.objectContaining({ environment: "staging", status: "recorded", error: "" }),
    ]);
    expect(server.requests).toHaveLength(1);
  });

  test("rejects an invalid file before anything is sent, and lists each problem", async () => {
    await using server = await recordingServer([CREATED]);
    const run = await runHere("report-env", {
      server,
      inputs: { config: "environments.yml" },
      files: { ...twoFiles, ...config(production, "- environmnt: staging") },
    });
    expect(run.status).toBe(1);
    expect(run.stdout).toContain("'environmnt' is not a known field; did you mean 'environment'?");
    expect(server.requests).toEqual([]);
    expect(run.outputs).toMatchObject({ status: "", results: "" });
  });

  test("names the environment of a warning", async () => {
    await using server = await recordingServer([]);
    const run = await runHere("report-env", {
      server,
      inputs: {
        config: "environments.yml",
        "on-unavailable": "warn",
        retries: "0",
        "base-url": "http://127.0.0.1:9",
      },
      files: { ...twoFiles, ...config(production, staging) },
    });
    expect(run).toMatchObject({ status: 0, outputs: { status: "skipped", "pod-count": "3" } });
    expect(run.stdout).toMatch(/::warning.*::production: Nothing was recorded/);
    expect(run.stdout).toMatch(/::warning.*::staging: Nothing was recorded/);
  });

  test("requires either an environment or a config", async () => {
    const neither = await runHere("report-env", { inputs: {} });
    expect(neither.stdout).toContain("environment: is required, unless config or discover is set");
    const both = await runHere("report-env", {
      inputs: { environment: "production", config: "environments.yml" },
    });
    expect(both.stdout).toContain("environment: cannot be used with `config`");
  });
});
