import { beforeAll, describe, expect, test } from "vitest";
import {
  type BundleJson,
  type SigstoreInstance,
  sigstoreInstance,
  statement,
} from "../evidence/provenance/sigstore-instance.ts";
import { runBundle, runHere } from "./bundle-run.ts";
import { fakeAttestations, TOKEN } from "./fake-attestations.ts";
import { loadedFiles } from "./loaded-files.ts";
import { type Answer, recordingServer } from "./recording-server.ts";
import { annotationsIn, sent } from "./sent-attestations.ts";

const [WEB, API, OLD] = ["a".repeat(64), "b".repeat(64), "c".repeat(64)];
const RECORDED: Answer = { status: 201, body: "OK" };
const artifact = (name: string, fingerprint: string, more = {}) => ({ name, fingerprint, ...more });
const RUNNING = [
  artifact("web", WEB, { annotation: { type: "unchanged", was: 1, now: 1 } }),
  artifact("api", API),
  // The same artifact in another environment of a logical one.
  artifact("api", API, { environment_name: "prod-us" }),
  artifact("old", OLD, { annotation: { type: "exited", was: 1, now: 0 } }),
];

let instance: SigstoreInstance;
let bundles: Map<string, BundleJson>;
let roots: string;

beforeAll(async () => {
  instance = await sigstoreInstance("public");
  bundles = new Map(
    await Promise.all(
      [WEB, API].map(async (digest) => [digest, await instance.sign(statement(digest))] as const),
    ),
  );
  roots = `${JSON.stringify(instance.trustedRoot)}\n`;
});

const snapshotOf = (artifacts: readonly unknown[]): Answer => ({
  status: 200,
  body: {
    ...{ index: 12, is_latest: true, artifact_compliance_count: {}, timestamp: 1, type: "K8S" },
    ...{ compliant: true, artifacts },
  },
});

interface Step {
  readonly answers?: readonly Answer[];
  readonly inputs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** Attests what runs in the environment prod, with GitHub's attestations of the given artifacts. */
async function attest(
  attested: readonly string[],
  { answers = [snapshotOf(RUNNING), RECORDED], inputs = {}, env = {} }: Step = {},
  by = runHere,
) {
  const github = await fakeAttestations();
  github.hasSharedList = true;
  for (const digest of [WEB, API, OLD]) {
    const listed = attested.includes(digest) ? [{ bundle: bundles.get(digest), repository_id: 4711 }] : [];
    github.listed.set(digest, listed);
  }
  await using server = await recordingServer(answers);
  const run = await by("attest", {
    server,
    inputs: {
      ...{ flow: "web", trail: "t", name: "provenance", kind: "provenance", environment: "prod" },
      ...{ "github-token": TOKEN, "trusted-root": "roots.jsonl" },
      ...inputs,
    },
    files: { "roots.jsonl": roots },
    env: { GITHUB_REPOSITORY_ID: "4711", GITHUB_API_URL: github.url, ...env },
  });
  const lists = github.received.filter(({ path }) => path.includes("/attestations/"));
  const { requests } = server;
  return { ...run, ...sent(requests[1]), requests, lists, errors: annotationsIn(run.stdout) };
}

describe("attest with kind: provenance and an environment", () => {
  test("records that all running artifacts are proven, with one request for all of them", async () => {
    const run = await attest([WEB, API]);
    expect(run).toMatchObject({ status: 0, outputs: { compliant: "true", status: "recorded" } });
    expect(run.requests[0]).toMatch(/^GET \S+\/snapshots\/[^/]+\/prod\/-1\n/);
    expect(run.lists.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /orgs/acme/attestations/bulk-list?per_page=100",
    ]);
    const proven = { verified: true, source_repository_id: "4711", trigger: "push" };
    expect(run.data).toMatchObject({
      is_compliant: true,
      user_data: {
        provenance: {
          ...{ verified: true, environment: "prod", snapshot: 12 },
          artifacts: [
            { name: "web", fingerprint: WEB, ...proven },
            { name: "api", fingerprint: API, ...proven },
          ],
        },
      },
    });
    expect(run.data).not.toHaveProperty("artifact_fingerprint");
    expect(run.files).toEqual(["provenance.sigstore.jsonl"]);
    for (const bundle of bundles.values()) expect(run.requests[1]).toContain(`${JSON.stringify(bundle)}\n`);
  });

  test("records a non-compliant result that names the artifacts without proof", async () => {
    const run = await attest([WEB], { inputs: { "fail-on-non-compliant": "true" } });
    expect(run).toMatchObject({ status: 1, outputs: { compliant: "false", status: "recorded" } });
    const reason = `1 of 2 artifacts are not proven: api: GitHub has no attestation of ${API} in acme/web`;
    expect(run.errors).toEqual([expect.stringContaining(reason)]);
    expect(run.data).toMatchObject({
      is_compliant: false,
      user_data: {
        provenance: {
          verified: false,
          artifacts: [
            { name: "web", verified: true },
            { name: "api", verified: false, refusals: [{ reason: expect.stringContaining(API) }] },
          ],
        },
      },
    });
  });

  test("names three artifacts in the reason, and counts the others", async () => {
    const many = [1, 2, 3, 4, 5].map((number) => artifact(`app-${number}`, `${number}`.repeat(64)));
    const run = await attest([], { answers: [snapshotOf(many), RECORDED] });
    expect(run).toMatchObject({ status: 0, outputs: { compliant: "false" }, files: [] });
    expect(run.stdout).toMatch(
      /not compliant: 5 of 5 artifacts are not proven: app-1: .*app-3: .*; 2 more\./s,
    );
  });

  test.each<[string, Answer, string]>([
    ["the environment runs nothing", snapshotOf([]), "environment: 'prod' runs no artifacts"],
    [
      "it does not exist",
      { status: 404, body: { message: "Environment 'prod' was not found" } },
      "Check `environment`.",
    ],
  ])("records nothing when %s", async (_, answer, problem) => {
    const run = await attest([], { answers: [answer] });
    expect(run.status).toBe(1);
    expect(run.requests).toHaveLength(1);
    expect(run.errors).toEqual([expect.stringContaining(problem)]);
  });

  test("records nothing in a dry run", async () => {
    const run = await attest([WEB, API], { inputs: { "dry-run": "true" } });
    expect(run).toMatchObject({ status: 0, requests: [], lists: [], outputs: { status: "dry-run" } });
  });

  test.each([
    [{ fingerprint: WEB }, "fingerprint"],
    [{ artifact: "app" }, "artifact"],
    [{ "attestation-bundle": "bundle.json" }, "attestation-bundle"],
  ])("refuses %j beside the environment", async (inputs, other) => {
    const run = await attest([], { inputs });
    expect(run).toMatchObject({ status: 1, requests: [] });
    expect(run.errors).toEqual([expect.stringContaining(`cannot be used with ${other}: set one of them`)]);
  });

  test("is loaded only with an environment", async () => {
    const snapshotFiles = async (inputs: Readonly<Record<string, string>>) => {
      const { env, loaded } = await loadedFiles();
      const run = await attest([WEB, API], { inputs, env }, runBundle);
      expect(run.status).toBe(0);
      return (await loaded()).filter((file) => /^shared\/(snapshot-provenance|snapshots)\.js$/.test(file));
    };
    expect(await snapshotFiles({})).toHaveLength(2);
    expect(await snapshotFiles({ environment: "", fingerprint: WEB })).toEqual([]);
  });
});
