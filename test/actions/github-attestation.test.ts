import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type BundleJson,
  type SigstoreInstance,
  sigstoreInstance,
  statement,
} from "../evidence/provenance/sigstore-instance.ts";
import { runBundle, runHere } from "./bundle-run.ts";
import { type FakeAttestations, fakeAttestations, TOKEN } from "./fake-attestations.ts";
import { loadedFiles } from "./loaded-files.ts";
import { recordingServer } from "./recording-server.ts";
import { annotationsIn, sent } from "./sent-attestations.ts";
import { COMPLIANT, DIGEST } from "./verdict.ts";

const OTHER = "b".repeat(64);
/** Attested by a reusable workflow at GitHub and logged by Sigstore's public instance. */
const REAL = {
  digest: "07e4b8c0e3580b3e4a1eb62c70f1ffb86004d3d94f50767cb404fa7a639b4d05",
  workflow: "bdehamer/workflows/.github/workflows/attest.yml",
  env: { GITHUB_REPOSITORY: "malancas/attest-demo", GITHUB_REPOSITORY_ID: "804070735" },
};
const fixture = (name: string) =>
  readFileSync(new URL(`../evidence/fixtures/provenance/${name}`, import.meta.url));

let open: SigstoreInstance;
let closed: SigstoreInstance;
/** Bundles of the artifact, by each instance. */
let logged: BundleJson;
let stamped: BundleJson;
let roots: string;

beforeAll(async () => {
  [open, closed] = await Promise.all([sigstoreInstance("public"), sigstoreInstance("private")]);
  [logged, stamped] = await Promise.all([open.sign(statement(DIGEST)), closed.sign(statement(DIGEST))]);
  roots = [open, closed].map(({ trustedRoot }) => `${JSON.stringify(trustedRoot)}\n`).join("");
});

interface Call {
  readonly github?: FakeAttestations;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Default: no process starts. */
  readonly by?: typeof runBundle;
}

/** Runs the gate against a service that always passes. */
async function gate({ github, inputs = {}, files = {}, env = {}, by = runHere }: Call) {
  const body = { ...COMPLIANT, fingerprint: inputs["fingerprint"] ?? DIGEST };
  await using server = await recordingServer([{ status: 200, body }]);
  const run = await by("assert-artifact", {
    server,
    inputs: {
      fingerprint: DIGEST,
      "github-attestation": "required",
      "github-token": TOKEN,
      "trusted-root": "roots.jsonl",
      ...inputs,
    },
    files: { "roots.jsonl": roots, ...files },
    env: { GITHUB_REPOSITORY_ID: "4711", ...(github && { GITHUB_API_URL: github.url }), ...env },
  });
  return { ...run, steady: github ? run.snapshot.replaceAll(github.url, "http://GITHUB") : run.snapshot };
}

const inFile = (...bundles: readonly unknown[]) => ({
  inputs: { "attestation-bundle": "bundle.jsonl" },
  files: { "bundle.jsonl": bundles.map((bundle) => `${JSON.stringify(bundle)}\n`).join("") },
});

/** Base64 with one character changed. */
function changedAt(text: string, place: number): string {
  return text.slice(0, place) + (text[place] === "A" ? "B" : "A") + text.slice(place + 1);
}

describe("the gate with github-attestation: required", () => {
  test("passes with an attestation of the public instance that GitHub stores compressed elsewhere", async () => {
    const github = await fakeAttestations();
    github.stored.set("/kept/1", fixture("public-repository.sigstore.json.snappy"));
    const bundle_url = `${github.url}/kept/1?sig=secret`;
    github.listed.set(REAL.digest, [
      { bundle: null, bundle_url, initiator: "user", repository_id: 804070735 },
    ]);
    const inputs = { fingerprint: REAL.digest, "signer-workflow": REAL.workflow, "trusted-root": "" };
    const run = await gate({ github, inputs, env: REAL.env, by: runBundle });
    expect(run).toMatchObject({ status: 0, outputs: { compliant: "true", failures: "[]" } });
    expect(run.stdout).toContain(
      "GitHub's attestation is valid: signed by https://github.com/bdehamer/workflows/.github/workflows/attest.yml@refs/heads/main, in https://github.com/malancas/attest-demo/actions/runs/9182555064/attempts/1.",
    );
    expect(github.received.map(({ path }) => path)).toEqual([
      `/repos/malancas/attest-demo/attestations/sha256%3A${REAL.digest}?predicate_type=https%3A%2F%2Fslsa.dev%2Fprovenance%2Fv1&per_page=30`,
      "/kept/1?sig=secret",
    ]);
  });

  test("passes with an attestation of a private repository, which GitHub returns inline", async () => {
    const github = await fakeAttestations();
    github.listed.set(DIGEST, [{ bundle: stamped }]);
    const run = await gate({ github });
    expect(run).toMatchObject({ status: 0, outputs: { compliant: "true" } });
    expect(run.steady).toMatchSnapshot();
  });

  test("passes when one of several attestations in a file is valid", async () => {
    const other = await open.sign(statement(OTHER));
    expect(await gate(inFile(other, logged))).toMatchObject({ status: 0, outputs: { compliant: "true" } });
  });

  describe("when GitHub returns some attestations truncated, or not at all,", () => {
    async function keptByGitHub(...given: readonly unknown[]) {
      const github = await fakeAttestations();
      github.stored.set("/kept/broken", Buffer.from([5, 0, 65]));
      const elsewhere = (name: string) => ({ bundle: null, bundle_url: `${github.url}/kept/${name}` });
      const other = given.map((bundle) => ({ bundle }));
      github.listed.set(DIGEST, [elsewhere("lost"), elsewhere("broken"), { bundle: null }, ...other]);
      return github;
    }

    test("passes with the valid one", async () => {
      expect(await gate({ github: await keptByGitHub(logged) })).toMatchObject({
        status: 0,
        outputs: { compliant: "true" },
      });
    });

    test("fails without a valid one, and lists the missing and the invalid ones", async () => {
      const github = await keptByGitHub(await open.sign(statement(OTHER)));
      const run = await gate({ github, inputs: { "fail-on-non-compliant": "false" } });
      expect(run).toMatchObject({ status: 1, outputs: { compliant: "false" } });
      const [annotation] = annotationsIn(run.stdout);
      expect(annotation).toContain("returned no bundle (401)");
      expect(annotation).toContain(`did not return all 4 attestations of ${DIGEST}`);
      expect(annotation).toContain(`proves nothing: subject: it is about ${OTHER}, not ${DIGEST}`);
    });
  });

  test("fails for invalid attestations, and names the failed check of each", async () => {
    const [about, by] = await Promise.all([
      open.sign(statement(OTHER)),
      open.sign(statement(DIGEST), {
        run: { signer: "https://github.com/mallory/web/.github/workflows/x.yml@refs/heads/main" },
      }),
    ]);
    const forged = structuredClone(logged);
    for (const signature of forged.dsseEnvelope?.signatures ?? [])
      signature.sig = changedAt(signature.sig, 20);
    const { inputs, files } = inFile(about, by, forged);
    const run = await gate({ inputs, files });
    expect(run.steady).toMatchSnapshot();
    expect(run).toMatchObject({ status: 1, outputs: { compliant: "false" } });
    expect(JSON.parse(run.outputs["failures"] ?? "")).toEqual(
      ["subject: it is about", "signer: a workflow of mallory/web", "transparency log: "].map((check) => ({
        reason: "unproven",
        text: expect.stringContaining(`the attestation in 'bundle.jsonl' proves nothing: ${check}`),
      })),
    );
  });

  test("fails for an artifact without an attestation at GitHub", async () => {
    const github = await fakeAttestations();
    github.listed.set(DIGEST, []);
    const none = await gate({ github });
    expect(none).toMatchObject({ status: 1, outputs: { compliant: "false" } });
    expect(none.stdout).toContain(
      `GitHub has no attestation of ${DIGEST} in acme/web: attest it in the workflow that builds it`,
    );
    github.listed.clear();
    const hidden = await gate({ github, inputs: { "fail-on-non-compliant": "false" } });
    expect(hidden).toMatchObject({ status: 0, outputs: { compliant: "false" } });
    expect(hidden.outputs["failures"]).toContain("attestations: read");
  });

  test("reads from source-repository when another repository built the artifact", async () => {
    const github = await fakeAttestations();
    const run = { sourceRepository: "https://github.com/acme/build", sourceRepositoryId: "9" };
    github.listed.set(DIGEST, [{ bundle: await open.sign(statement(DIGEST), { run }) }]);
    const inputs = { "source-repository": "acme/build", "signer-repository": "acme/web" };
    const byName = await gate({ github, inputs });
    expect(byName).toMatchObject({ status: 0 });
    expect(byName.stdout).toContain('set source-repository-id: "9"');
    expect(github.received[0]?.path).toMatch(/^\/repos\/acme\/build\/attestations\//);
    const byId = (id: string) => gate({ github, inputs: { ...inputs, "source-repository-id": id } });
    const right = await byId("9");
    expect(right).toMatchObject({ status: 0, outputs: { compliant: "true" } });
    expect(right.stdout).not.toContain("source-repository-id");
    // A recreated repository has another id.
    const recreated = await byId("8");
    expect(recreated).toMatchObject({ status: 1, outputs: { compliant: "false" } });
    expect(recreated.stdout).toContain("(id 9), not in https://github.com/acme/build (id 8)");
  });

  test("accepts only runs of the configured events and runners", async () => {
    const run = { trigger: "pull_request", runnerEnvironment: "self-hosted" };
    const { inputs, files } = inFile(await open.sign(statement(DIGEST), { run }));
    const opens = async (more: Readonly<Record<string, string>>) => {
      const { outputs } = await gate({ inputs: { ...inputs, ...more }, files });
      return outputs["compliant"];
    };
    expect(await opens({})).toBe("true");
    expect(await opens({ "source-events": "push, release" })).toBe("false");
    expect(await opens({ "source-events": "push, pull_request" })).toBe("true");
    expect(await opens({ "deny-self-hosted-runners": "true" })).toBe("false");
  });

  test("trusts only the public instance without trusted-root, and explains how to trust GitHub's own", async () => {
    const { inputs, files } = inFile(stamped);
    const run = await gate({ inputs: { ...inputs, "trusted-root": "" }, files });
    expect(run.status).toBe(1);
    expect(run.stdout).toContain(
      "certificate: it was issued by 'CN=sigstore, O=sigstore.mock', which no trusted root contains",
    );
    expect(run.stdout).toContain("`gh attestation trusted-root > trusted_root.jsonl`");
  });

  describe("fails, whatever fail-on-non-compliant says, when the check is impossible:", () => {
    const anyway = { "fail-on-non-compliant": "false" };

    test.each([
      [503, "Unavailable", "GitHub answered 503"],
      [
        403,
        "Resource not accessible by integration",
        "the token may not read the attestations of the artifact (403)",
      ],
      [401, "Bad credentials", "GitHub did not accept the token (401)"],
    ])("GitHub returns %i", async (status, message, reason) => {
      const github = await fakeAttestations();
      github.refusal = { status, message };
      const run = await gate({ github, inputs: anyway });
      expect(run).toMatchObject({ status: 1, outputs: { compliant: "false" } });
      expect(annotationsIn(run.stdout)).toEqual([expect.stringContaining(reason)]);
    });

    test.each<[string, (github: FakeAttestations) => unknown, string]>([
      [
        "has a bundle without an address",
        () => ({ bundle: null }),
        "GitHub returned an unusable address for a bundle",
      ],
      [
        "stores it under another protocol",
        () => ({ bundle_url: "file:///etc/passwd" }),
        "GitHub returned an unusable address for a bundle",
      ],
      ["has lost it", ({ url }) => ({ bundle_url: `${url}/kept/2` }), "returned no bundle (401)"],
      [
        "stores something else",
        ({ url }) => ({ bundle_url: `${url}/kept/1` }),
        "a bundle from GitHub cannot be unpacked",
      ],
    ])("GitHub %s", async (_, listed, reason) => {
      const github = await fakeAttestations();
      github.stored.set("/kept/1", Buffer.from([5, 0, 65]));
      github.listed.set(DIGEST, [listed(github)]);
      const run = await gate({ github, inputs: anyway });
      expect(run).toMatchObject({ status: 1, outputs: { compliant: "false" } });
      expect(annotationsIn(run.stdout)).toEqual([expect.stringContaining(reason)]);
    });

    test.each([
      ["no bundle", { "attestation-bundle": "none.json" }, "attestation-bundle: 'none.json' does not exist"],
      [
        "no JSON",
        { "attestation-bundle": "text" },
        "attestation-bundle: 'text' is neither JSON nor JSON lines",
      ],
      ["no roots", { "trusted-root": "text" }, "trusted-root: 'text' has no trusted root: "],
    ])("a file has %s", async (_, inputs, problem) => {
      const { files } = inFile(logged);
      const given = { "attestation-bundle": "bundle.jsonl", ...anyway, ...inputs };
      const run = await gate({ inputs: given, files: { ...files, text: "text" } });
      expect(run).toMatchObject({ status: 1, outputs: { compliant: "false" } });
      expect(annotationsIn(run.stdout)).toEqual([expect.stringContaining(problem)]);
    });

    test("there is no token", async () => {
      const run = await gate({ inputs: { ...anyway, "github-token": "" } });
      expect(run.stdout).toContain("github-token: is required to read the attestation from GitHub");
      expect(run.status).toBe(1);
    });
  });

  test.each([
    [{ "signer-workflow": "build.yml" }, "signer-workflow: must be owner/name/.github/workflows/file.yml"],
    [{ "source-repository": "web" }, "source-repository: must be owner/name, not 'web'"],
    [
      { "signer-repository": "acme/a", "signer-workflow": "acme/b/.github/workflows/c.yml" },
      "signer-repository: cannot be used with signer-workflow, which names its repository: set one of them",
    ],
    [{ "github-attestation": "off" }, "trusted-root: is used only with github-attestation: required"],
    [{ "github-attestation": "yes" }, "github-attestation: must be off or required, not 'yes'"],
  ])("rejects %j before any request", async (inputs, problem) => {
    const run = await gate({ inputs });
    expect(run.stdout).toContain(problem);
    expect(run.status).toBe(1);
  });

  test("sends nothing in a dry run", async () => {
    const github = await fakeAttestations();
    expect(await gate({ github, inputs: { "dry-run": "true" } })).toMatchObject({ status: 1 });
    expect(github.received).toEqual([]);
  });
});

test("the verifier is loaded only when it is used, and GitHub's client only without a file", async () => {
  const files = async (inputs: Readonly<Record<string, string>>) => {
    const { env, loaded } = await loadedFiles();
    const { files: bundle } = inFile(logged);
    const given = { "github-attestation": "off", "trusted-root": "", ...inputs };
    expect(await gate({ inputs: given, files: bundle, env, by: runBundle })).toMatchObject({ status: 0 });
    return (await loaded())
      .filter((file) => /^shared\/(prove|problems|provenance|github)\.js$/.test(file))
      .sort();
  };
  expect(await files({})).toEqual([]);
  const required = { "github-attestation": "required", "trusted-root": "roots.jsonl" };
  const verified = await files({ ...required, "attestation-bundle": "bundle.jsonl" });
  expect(verified).toContain("shared/prove.js");
  expect(verified).not.toContain("shared/github.js");
});

describe("attest with kind: provenance", () => {
  const RECORDED = { status: 201, body: "OK", headers: { "x-request-id": "req-1" } };

  async function attest({ github, inputs = {}, files = {}, env = {}, by = runHere }: Call) {
    await using server = await recordingServer([RECORDED]);
    const run = await by("attest", {
      server,
      inputs: {
        ...{ flow: "web", name: "app.provenance", kind: "provenance", fingerprint: DIGEST },
        ...{ "github-token": TOKEN, "trusted-root": "roots.jsonl" },
        ...inputs,
      },
      files: { "roots.jsonl": roots, ...files },
      env: { GITHUB_REPOSITORY_ID: "4711", ...(github && { GITHUB_API_URL: github.url }), ...env },
    });
    return { ...run, ...sent(server.requests[0]), requests: server.requests };
  }

  test("records the bundle and the facts it proves", async () => {
    const { inputs, files } = inFile(logged);
    const run = await attest({
      inputs: { ...inputs, "user-data": '{"team": "shop"}' },
      files,
      by: runBundle,
    });
    expect(run).toMatchObject({ status: 0, outputs: { compliant: "true", status: "recorded" } });
    expect(run.files).toEqual(["provenance.sigstore.json"]);
    expect(run.requests[0]).toContain(JSON.stringify(logged));
    const [entry] = logged.verificationMaterial.tlogEntries;
    expect(run.data).toMatchObject({
      is_compliant: true,
      artifact_fingerprint: DIGEST,
      attestation_name: "provenance",
      target_artifacts: ["app"],
      user_data: { team: "shop" },
    });
    expect(run.data["user_data"]).toMatchObject({
      provenance: {
        verified: true,
        predicate_type: "https://slsa.dev/provenance/v1",
        issuer: "https://token.actions.githubusercontent.com",
        signer_workflow: "https://github.com/acme/web/.github/workflows/build.yml@refs/heads/main",
        source_repository: "https://github.com/acme/web",
        source_repository_id: "4711",
        source_repository_owner_id: "42",
        source_ref: "refs/heads/main",
        commit: "0dcf2a8e6bd4f1a7c1b8b0dd2a1c0e6bb1f4c2aa",
        trigger: "push",
        run_url: "https://github.com/acme/web/actions/runs/77/attempts/1",
        runner_environment: "github-hosted",
        visibility: "public",
        log_indexes: [entry?.logIndex],
        timestamps: [new Date(Number(entry?.integratedTime) * 1000).toISOString()],
        trusted_root: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      },
    });
  });

  test("reads it from GitHub, and warns about another commit", async () => {
    const github = await fakeAttestations();
    github.stored.set("/kept/1", fixture("public-repository.sigstore.json.snappy"));
    github.listed.set(REAL.digest, [{ bundle_url: `${github.url}/kept/1` }]);
    const inputs = { fingerprint: REAL.digest, "signer-workflow": REAL.workflow, "trusted-root": "" };
    const run = await attest({ github, inputs, env: REAL.env });
    expect(run).toMatchObject({ status: 0, outputs: { compliant: "true" } });
    expect(run.data["user_data"]).toMatchObject({
      provenance: { verified: true, log_indexes: ["95781729"], trusted_root: "public" },
    });
    expect(annotationsIn(run.stdout, "warning")).toEqual([
      expect.stringContaining("returned no details of commit"),
      expect.stringContaining("GitHub's attestation is for commit 8304c42402aa3a569882687e0642c359e5a74ac2"),
    ]);
  });

  test("records an invalid attestation as non-compliant, with the failed check", async () => {
    const { inputs, files } = inFile(await open.sign(statement(OTHER)));
    const given = { ...inputs, "fail-on-non-compliant": "true" };
    const run = await attest({ inputs: given, files });
    expect(run).toMatchObject({ status: 1, outputs: { compliant: "false", status: "recorded" } });
    expect(run.data).toMatchObject({
      is_compliant: false,
      user_data: { provenance: { verified: false, refusals: [{ failed_check: "subject" }] } },
    });
    expect(run.files).toEqual(["provenance.sigstore.json"]);
  });

  test("records without a file that GitHub has no attestation", async () => {
    const github = await fakeAttestations();
    github.listed.set(DIGEST, []);
    const run = await attest({ github });
    expect(run).toMatchObject({ status: 0, files: [], outputs: { compliant: "false" } });
  });

  test("sends nothing for a file without a bundle", async () => {
    const secret = JSON.stringify({ auths: { "ghcr.io": { auth: "c2VjcmV0" } } });
    const inputs = { "attestation-bundle": "config.json" };
    const run = await attest({ inputs, files: { "config.json": secret } });
    expect(run).toMatchObject({ status: 1, requests: [] });
    expect(annotationsIn(run.stdout)).toEqual([
      expect.stringContaining("attestation-bundle: the attestation in 'config.json' proves nothing: form: "),
    ]);
  });

  test("sends nothing when GitHub cannot be reached, whatever on-unavailable says", async () => {
    const github = await fakeAttestations();
    github.refusal = { status: 503, message: "Unavailable" };
    const run = await attest({ github, inputs: { "on-unavailable": "warn" } });
    expect(run).toMatchObject({ status: 1, requests: [] });
  });
});
