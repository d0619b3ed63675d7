import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PlayedAction } from "../../scripts/composite/composite.ts";
import { SHA } from "../actions/bundle-run.ts";
import { recordingServer } from "../actions/recording-server.ts";
import { trailWith } from "../actions/trail.ts";
import { COMPLIANT, DIGEST } from "../actions/verdict.ts";
import { httpServer, json } from "../api/local-server.ts";
import {
  type SigstoreInstance,
  sigstoreInstance,
  statement,
} from "../evidence/provenance/sigstore-instance.ts";
import { OPA, WITH_OPA } from "../go-programs.ts";
import type { JobRun } from "./run/job-run.ts";
import { runWorkflow } from "./run/workflow-run.ts";

/* A build runs third-party code. Its artifact is evidence, and must never replace a file of the repository. */

const RECORDED = { status: 201, body: "OK" };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "build-artifact-"));
});
afterEach(() => rm(folder, { recursive: true }));

type Files = Readonly<Record<string, string>>;

interface Call {
  readonly workflow: string;
  readonly server: { readonly address: string };
  readonly inputs: Readonly<Record<string, string | boolean>>;
  /** Files of the repository. */
  readonly repository: Files;
  /** Files that the build uploaded as `build`. */
  readonly build: Files;
}

async function write(place: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(place, path)), { recursive: true });
    await writeFile(join(place, path), content);
  }
}

/** Runs a workflow that is called with a key. */
async function run({ workflow, server, inputs, repository, build }: Call): Promise<JobRun> {
  const given = { org: "acme", "base-url": server.address, "build-artifact": "build", ...inputs };
  const text = `on: push
jobs:
  called:
    uses: $/.github/workflows/${workflow}
    with: ${JSON.stringify(given)}
    secrets:
      api-key: \${{ secrets.KEY }}
`;
  const checkout: PlayedAction = async ({ workspace }) => {
    await write(workspace, repository);
    return { outcome: "success" };
  };
  const download: PlayedAction = async ({ with: { path = "." }, workspace }) => {
    await write(join(path.startsWith("/") ? "" : workspace, path), build);
    return { outcome: "success" };
  };
  const runs = await runWorkflow(
    { name: "caller.yml", text },
    {
      github: {
        ...{ repository: "acme/web", repository_id: "4711", server_url: "https://github.com" },
        ...{ sha: "0dcf2a8e6bd4f1a7c1b8b0dd2a1c0e6bb1f4c2aa", ref: "refs/heads/main", run_id: "77" },
      },
      secrets: { KEY: "de_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG" },
      env: { PATH: [dirname(OPA ?? ""), process.env["PATH"] ?? ""].join(delimiter) },
      machine: async () => {
        const workspace = await mkdtemp(join(folder, "machine-"));
        const upload: PlayedAction = async () => ({ outcome: "success" });
        const played = {
          "actions/checkout": checkout,
          "actions/download-artifact": download,
          "actions/upload-artifact": upload,
          "open-policy-agent/setup-opa": upload,
        };
        return { workspace, tempDir: join(workspace, "..", "temp"), played };
      },
    },
  );
  return runs["called"] ?? expect.unreachable();
}

const messagesOf = ({ annotations }: JobRun) => annotations.map(({ message }) => message).join("\n");

describe("the gate", () => {
  const inputs = {
    fingerprint: DIGEST,
    "github-attestation": "required",
    "trusted-root": ".github/root.json",
    "attestation-bundle": "out/bundle.json",
  };
  const bundleOf = async (instance: SigstoreInstance) =>
    JSON.stringify(await instance.sign(statement(DIGEST)));

  test("passes for the bundle that the build uploaded", async () => {
    await using server = await recordingServer([{ status: 200, body: COMPLIANT }]);
    const trusted = await sigstoreInstance("private");
    const gate = await run({
      ...{ workflow: "release-gate.yml", server, inputs },
      repository: { ".github/root.json": JSON.stringify(trusted.trustedRoot) },
      build: { "out/bundle.json": await bundleOf(trusted) },
    });
    expect(messagesOf(gate)).toBe("");
    expect(gate.outputs).toMatchObject({ compliant: "true" });
  });

  test("trusts the signers that the repository names, whatever the build uploaded", async () => {
    await using server = await recordingServer([{ status: 200, body: COMPLIANT }]);
    const [trusted, forger] = await Promise.all([sigstoreInstance("private"), sigstoreInstance("private")]);
    const gate = await run({
      ...{ workflow: "release-gate.yml", server, inputs },
      repository: { ".github/root.json": JSON.stringify(trusted.trustedRoot) },
      build: {
        "out/bundle.json": await bundleOf(forger),
        ".github/root.json": JSON.stringify(forger.trustedRoot),
      },
    });
    expect(gate).toMatchObject({ result: "failure", outputs: { compliant: "false" } });
  });

  test.skipIf(OPA === undefined)(`needs a policy's consent (${WITH_OPA})`, async () => {
    const server = await httpServer((response, { path }) => json(response, 200, answerTo(path)));
    const gate = await run({
      workflow: "release-gate.yml",
      server: { address: server.url },
      inputs: {
        fingerprint: DIGEST,
        policy: "policies",
        "policy-params": "state: COMPLIANT",
        "fail-on-non-compliant": false,
      },
      repository: {
        "policies/release.rego": `package policy
default allow := false
allow if every trail in input.artifact.trails { trail.compliance_status.status == data.params.state }
violations contains trail.name if { some trail in input.artifact.trails; not allow }
`,
      },
      // A build cannot replace the policy.
      build: { "policies/release.rego": "package policy\nallow := true" },
    });
    expect(gate).toMatchObject({
      result: "success",
      outputs: { compliant: "false", violations: JSON.stringify([SHA]) },
    });
  });
});

function answerTo(path: string) {
  if (path.includes("/asserts/")) return COMPLIANT;
  if (path.includes("/attestations/")) return { data: [] };
  if (path.includes("/artifacts/")) return { ...ARTIFACT, fingerprint: DIGEST };
  return /\/trails\/acme\?/.test(path) ? { data: [trailWith({})] } : trailWith({});
}

const ARTIFACT = { id: "1", filename: "app", flow_name: "web", created_at: "1", last_modified_at: "1" };

test("attest-build begins the trail with the repository's template", async () => {
  await using server = await recordingServer(Array.from({ length: 4 }, () => RECORDED));
  await run({
    workflow: "attest-build.yml",
    server,
    inputs: { flow: "web", name: "app", artifact: "app.tgz", "flow-template-file": "evidence.yml" },
    repository: { "evidence.yml": "version: 1\ntrail: { attestations: [{ name: scan, type: generic }] }\n" },
    build: { "app.tgz": "built", "evidence.yml": "version: 1\n" },
  });
  expect(server.requests[0]).toContain("name: scan");
});
