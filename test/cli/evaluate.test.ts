import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { packTar, unpackTar } from "modern-tar";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { blockIn, pageNamed } from "../docs/reference-pages.ts";
import { OPA, WITH_OPA } from "../go-programs.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";
import { runHere } from "./terminal.ts";

const page = pageNamed("docs/rego.md");
const POLICY = blockIn(page, "Decide with Rego", "rego").text;
const STOCK = blockIn(page, "With stock opa", "sh").text;
const LIMIT = "failures: 0";

let service: TestService;
let folder = "";
let env: Record<string, string> = {};
beforeAll(async () => {
  service = await startTestService({}, { opa: OPA });
  folder = mkdtempSync(join(tmpdir(), "evaluate-"));
  env = {
    EVIDENCE_API_KEY: service.keys.member,
    EVIDENCE_ORG: ORG,
    EVIDENCE_BASE_URL: service.address,
    GITHUB_WORKSPACE: folder,
    RUNNER_TEMP: folder,
    GITHUB_ACTIONS: "true",
    GITHUB_REPOSITORY: "acme/web",
    PATH: dirname(OPA ?? "/nowhere/opa"),
  };
  write("release/policy.rego", POLICY);
});
afterAll(async () => {
  await service.dispose();
  rmSync(folder, { recursive: true });
});

function write(path: string, content: string | Uint8Array) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

function run(args: readonly string[], more: Record<string, string> = {}) {
  return runHere(args, { env: { ...env, ...more } });
}

function evaluate(trail: string, ...more: string[]) {
  const given = ["--policy", "release", "--trails", `web/${trail}`, "--params", LIMIT];
  return run(["evaluate", ...given, "--output", "json", ...more]);
}

/** Calls an operation as an admin. */
async function administer(operation: string, body: object, ...params: string[]) {
  const { status, stderr } = await runHere(["call", operation, ...params, "--body", "-"], {
    env: { ...env, EVIDENCE_API_KEY: service.keys.admin },
    input: JSON.stringify(body),
  });
  expect(status, stderr).toBe(0);
}

/** The record of a decision. */
async function decisionWith(id: string) {
  const { stdout } = await run(["call", "listAttestations", `attestation_id=${id}`]);
  return JSON.parse(stdout).data[0];
}

/** A trail with a test that fails, or passes. */
async function trailWith(trail: string, failures: number) {
  const failure = '<testcase name="a"><failure/></testcase>'.repeat(failures);
  write("unit.xml", `<testsuite tests="${failures + 1}">${failure}<testcase name="b"/></testsuite>`);
  const unit = [
    "--flow",
    "web",
    "--trail",
    trail,
    "--name",
    "unit-test",
    "--kind",
    "test",
    "--test-results",
    "unit.xml",
  ];
  const flow = ["begin-trail", "--flow", "web", "--trail", trail, "--flow-description", "Shop"];
  for (const args of [flow, ["attest", ...unit]]) {
    const { status, stderr } = await run(args);
    expect(status, stderr).toBe(0);
  }
}

async function packageOf(id: string) {
  const path = join(folder, "evaluation.tgz");
  const download = ["downloadEvidence", "flow_name=web", "trail_name=good", `attestation_id=${id}`];
  const { status, stderr } = await run(["call", ...download, "--output-file", path]);
  expect(status, stderr).toBe(0);
  return path;
}

/** The package with other contents. */
async function altered(path: string, change: (text: string, name: string) => string) {
  const entries = await unpackTar(gunzipSync(readFileSync(path)));
  const tar = await packTar(
    entries.map(({ header, data }) => {
      const text = change(Buffer.from(data ?? []).toString(), header.name);
      return { header: { ...header, size: Buffer.byteLength(text) }, body: text };
    }),
  );
  write("altered.tgz", gzipSync(tar));
  return join(folder, "altered.tgz");
}

describe.skipIf(OPA === undefined)(WITH_OPA, () => {
  let decision = "";
  beforeAll(async () => {
    await administer("createControl", { name: "Release", identifier: "REL-1" });
    await trailWith("good", 0);
    await trailWith("bad", 2);
  });

  test("an allowed trail is a recorded decision that gives the same result again", async () => {
    const { status, stdout, stderr } = await evaluate("good", "--control", "REL-1");
    expect(status, stderr).toBe(0);
    const outputs = JSON.parse(stdout);
    decision = outputs["decision-id"];
    const digest = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);
    expect(outputs).toMatchObject({
      allow: "true",
      violations: "[]",
      skipped: "false",
      "policy-digest": digest,
    });
    expect(await decisionWith(decision)).toMatchObject({
      attestation_name: "REL-1-decision",
      attestation_type: "system:decision",
      is_compliant: true,
      control: "REL-1",
      attestation_data: {
        is_compliant: true,
        evaluation: {
          evaluated_by: "client",
          policy: { published: false, files: { "policy.rego": expect.any(String) } },
          params: { failures: 0 },
          context: { trails: [{ flow: "web", trail: "good" }] },
          allow: true,
          violations: [],
          skipped: null,
        },
      },
    });
    const again = await run(["verify", "--replay", decision]);
    expect(again, again.stderr).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Same result with opa/),
    });
  });

  test("stock opa and the package alone give the result, and a changed package does not", async () => {
    const path = await packageOf(decision);
    expect(await run(["verify", "--replay", path], { EVIDENCE_API_KEY: "" })).toMatchObject({ status: 0 });
    const printed = execFileSync("sh", ["-ec", STOCK], {
      cwd: folder,
      env: { PATH: `${env["PATH"]}:${process.env["PATH"]}` },
      encoding: "utf8",
    });
    expect(JSON.parse(printed).result[0].expressions[0].value).toMatchObject({ allow: true, violations: [] });

    const changes: [string, (text: string, name: string) => string, string][] = [
      [
        "an input",
        (text, name) => (name === "input.json" ? text.replace("good", "evil") : text),
        "input.json was",
      ],
      [
        "a policy",
        (text, name) => (name.endsWith(".rego") ? `${text}\n` : text),
        "policy/policy.rego was changed",
      ],
      [
        "params",
        (text, name) => (name === "data.json" ? text.replace("0", "9") : text),
        "data.json was changed",
      ],
      [
        "a verdict",
        (text, name) => (name === "evaluation.json" ? text.replace('"allow":true', '"allow":false') : text),
        "allow: false was recorded, true is evaluated",
      ],
    ];
    for (const [name, change, found] of changes) {
      const { stdout } = await run(["verify", "--replay", await altered(path, change)]);
      expect(stdout, name).toContain(found);
    }
  });

  test("an artifact with its trails, several trails and a snapshot are inputs as well", async () => {
    const app = ["--flow", "web", "--name", "app", "--kind", "artifact"];
    const origin = [
      "--commit",
      "0123456789abcdef0123456789abcdef01234567",
      "--origin-url",
      "https://ci.example.com/1",
    ];
    const artifact = ["--trail", "good", "--artifact", join(folder, "release/policy.rego"), ...origin];
    const attested = await run(["attest", ...app, ...artifact, "--output", "json"]);
    expect(attested.status, attested.stderr).toBe(0);
    const { fingerprint } = JSON.parse(attested.stdout);
    write(
      "shapes.rego",
      `package policy
allow if input.artifact.trails[0].compliance_status.artifacts_statuses.app
allow if [trail.name | some trail in input.trails] == ["bad", "good"]
allow if input.snapshot.index == 1
default allow := false
`,
    );
    const shapes = (...args: string[]) =>
      run(["evaluate", "--policy", "shapes.rego", "--output", "json", ...args]);
    expect(await shapes("--fingerprint", fingerprint, "--control", "REL-1")).toMatchObject({ status: 0 });
    expect(await shapes("--trails", "web/bad", "--trails", "web/good")).toMatchObject({ status: 0 });
    const onService = ["--run-on", "service", "--control", "REL-1"];
    expect(await shapes("--fingerprint", fingerprint, ...onService)).toMatchObject({ status: 0 });
    write("pods.json", JSON.stringify({ kind: "PodList", apiVersion: "v1", items: [] }));
    const report = [
      "--environment",
      "prod",
      "--type",
      "K8S",
      "--pods-file",
      join(folder, "pods.json"),
      "--create-environment",
      "--allow-empty",
    ];
    expect((await run(["report", ...report])).stderr).not.toContain("delivery-evidence:");
    expect(await shapes("--environment", "prod")).toMatchObject({ status: 0 });
    const latest = await shapes("--environment", "prod", "--snapshot", "~0", "--run-on", "service");
    expect(latest, latest.stderr).toMatchObject({ status: 0 });
  });

  test("the policy of the docs allows nothing more without its params", async () => {
    const args = ["--policy", "release", "--trails", "web/bad", "--output", "json"];
    expect(await run(["evaluate", ...args])).toMatchObject({ status: 1 });
  });

  test("a denial ends with 1, or with 0 and a warning", async () => {
    expect(await evaluate("bad")).toEqual({
      status: 1,
      stdout: expect.stringContaining('"violations":"[\\"2 unit tests failed\\"]"'),
      stderr: expect.stringMatching(/Policy denies\nPolicy 'release' denies:\n- 2 unit tests failed/),
    });
    expect(await evaluate("bad", "--no-fail-on-denial")).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/^warning: Policy 'release' denies/),
    });
  });

  test("another policy over the flow's trails tells what would change, and records nothing", async () => {
    write("strict/policy.rego", POLICY.replace("count(violations) == 0", "false"));
    const count = async () => JSON.parse((await run(["call", "listAttestations"])).stdout).data.length;
    const before = await count();
    const args = ["--policy", "strict", "--params", LIMIT, "--what-if", "web", "--control", "REL-1"];
    const { status, stdout, stderr } = await run(["evaluate", ...args, "--output", "json"]);
    expect(status, stderr).toBe(0);
    const report = JSON.parse(readFileSync(JSON.parse(stdout)["result-file"], "utf8"));
    expect(report).toMatchObject({ trails: 2, allowed: 0, denied: 2, skipped: 0, changed: ["good"] });
    const byName = (a: { trail: string }, b: { trail: string }) => (a.trail < b.trail ? -1 : 1);
    expect(report.results.toSorted(byName)).toEqual([
      { trail: "bad", allow: false, violations: ["2 unit tests failed"], skipped: null, decided: null },
      { trail: "good", allow: false, violations: [], skipped: null, decided: true },
    ]);
    expect(await count()).toBe(before);
    const shown = await run(["evaluate", ...args]);
    expect(shown.stdout.split("\n").map((line) => line.trimEnd())).toEqual([
      "Policy over 2 trails of web in 90 days: 0 allowed, 2 denied, 1 changed",
      "Trail  Policy  Recorded decision  Violations",
      "good   deny    allow",
      "",
    ]);
  });

  test("trails without a result are counted beside the others", async () => {
    write("partial.rego", 'package policy\n\nallow if input.trail.name == "good"\n');
    const args = ["evaluate", "--policy", "partial.rego", "--what-if", "web", "--output", "json"];
    const { status, stdout, stderr } = await run(args);
    expect(status, stderr).toBe(0);
    const report = JSON.parse(readFileSync(JSON.parse(stdout)["result-file"], "utf8"));
    const faults = [{ trail: "bad", error: expect.stringContaining("did not return a result") }];
    expect(report).toMatchObject({ trails: 2, allowed: 1, denied: 0, no_result: 1, faults });
    write("undefined.rego", "package policy\n\nallow if false\n");
    const none = await run(["evaluate", "--policy", "undefined.rego", "--what-if", "web"]);
    expect(none).toMatchObject({ status: 2, stderr: expect.stringContaining("did not return a result") });
  });

  test("the service decides about a bound control by its policy, with the outputs of the runner", async () => {
    await administer("publishDecisionPolicy", { files: { "policy.rego": POLICY } }, "identifier=tested");
    await administer("createControl", { name: "n", identifier: "BOUND.1", decision_policy: "tested" });
    const by = ["--policy-id", "tested", "--params", LIMIT, "--output", "json"];
    const bound = ["--control", "BOUND.1", "--name", "bound"];
    const onService = (trail: string) =>
      run(["evaluate", ...by, ...bound, "--trails", `web/${trail}`, "--run-on", "service"], { PATH: "" });
    const [allowed, denied] = [await onService("good"), await onService("bad")];
    expect(allowed.status, allowed.stderr).toBe(0);
    const outputs = JSON.parse(allowed.stdout);
    const decided = await decisionWith(outputs["decision-id"]);
    // The file has what the decision has.
    const result = JSON.parse(readFileSync(outputs["result-file"], "utf8"));
    expect(result).toEqual(decided.attestation_data.evaluation);
    expect(decided).toMatchObject({
      ...{ attestation_name: "bound", control: "BOUND.1", is_compliant: true },
      attestation_data: {
        evaluation: {
          evaluated_by: "service",
          policy: { identifier: "tested", version: 1, published: true, digest: outputs["policy-digest"] },
          params: { failures: 0 },
        },
      },
    });
    expect(denied).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('"violations":"[\\"2 unit tests failed\\"]"'),
      stderr: expect.stringContaining("Policy 'tested@1' denies:\n- 2 unit tests failed"),
    });

    const here = ["evaluate", ...by, "--trails", "web/good"];
    expect(await run([...here, ...bound])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("Set --run-on service and --policy-id to that policy."),
    });
    const other = await run([...here, "--control", "REL-1"]);
    expect(other.status, other.stderr).toBe(0);
    const { "decision-id": id, "policy-digest": digest } = JSON.parse(other.stdout);
    expect(digest).toBe(outputs["policy-digest"]);
    expect(await decisionWith(id)).toMatchObject({
      attestation_data: {
        evaluation: { evaluated_by: "client", policy: { identifier: "tested", version: 1, published: true } },
      },
    });
  });

  test("a policy that only warns denies with a warning, and its decision is compliant", async () => {
    const files = { "policy.rego": POLICY.replace("count(violations) == 0", "false") };
    await administer("publishDecisionPolicy", { files, warn_only: true }, "identifier=warns");
    for (const place of ["runner", "service"]) {
      const args = ["--policy-id", "warns@1", "--params", LIMIT, "--control", "REL-1", "--run-on", place];
      const ended = await run(["evaluate", ...args, "--trails", "web/good", "--output", "json"]);
      expect(ended).toMatchObject({
        status: 0,
        stderr: expect.stringContaining("warning: Policy 'warns@1' denies, but only warns:"),
      });
      const outputs = JSON.parse(ended.stdout);
      expect(outputs).toMatchObject({ allow: "false", warned: "true" });
      expect(await decisionWith(outputs["decision-id"])).toMatchObject({
        is_compliant: true,
        attestation_data: { warned: true, evaluation: { allow: false } },
      });
    }
  });

  test.each(["runner", "service"])(
    "on the %s, a policy without a result ends with 2 at its line",
    async (place) => {
      write("broken/policy.rego", "package policy\n\nallow if { x := y }\n");
      const args = ["--policy", "broken", "--trails", "web/good", "--run-on", place];
      const { status, stderr } = await run(["evaluate", ...args]);
      expect(status).toBe(2);
      const found = "rego_unsafe_var_error: var y is unsafe";
      expect(stderr.split("\n")).toEqual([
        `delivery-evidence: broken/policy.rego:3: The policy is not valid (evaluation.failed): ${found}`,
        "delivery-evidence: The policy is not valid",
        `broken/policy.rego:3: ${found}`,
        "",
      ]);
    },
  );
});

test("without opa, the message says how to install it, and nothing is known", async () => {
  const { status, stderr } = await evaluate("good", "--opa-path", "/nowhere/opa");
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringContaining("'/nowhere/opa' does not exist"),
  });
  const absent = await run(["evaluate", "--policy", "release", "--trails", "web/good"], { PATH: "" });
  expect(absent).toMatchObject({ status: 2, stderr: expect.stringContaining("open-policy-agent/setup-opa") });
});

test.each([
  ["params that are no object", ["--trails", "web/a", "--params", "[1]"], "--params: must contain an object"],
  ["params with a mistake", ["--trails", "web/a", "--params", '{"a": '], "--params: "],
  ["a policy outside", ["--trails", "web/a", "--policy", "/etc/hosts"], "is outside the workspace"],
  ["no policy there", ["--trails", "web/a", "--policy", "absent.rego"], "'absent.rego' does not exist"],
  [
    "a link out of the folder",
    ["--trails", "web/a", "--policy", "linked"],
    "is a link out of the policy's folder",
  ],
])("%s is refused before any request", async (_, args, words) => {
  if (args.includes("linked")) {
    write("linked/policy.rego", POLICY);
    symlinkSync(join(folder, "release/policy.rego"), join(folder, "linked/other.rego"));
  }
  const policy = args.includes("--policy") ? [] : ["--policy", "release"];
  const { status, stderr } = await run(["evaluate", ...policy, ...args], {
    EVIDENCE_BASE_URL: "http://127.0.0.1:1",
  });
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(words) });
});
