import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { GitHubContext, PlayedAction } from "../../../scripts/composite/composite.ts";
import { uploadArtifact } from "../../../scripts/composite/upload-artifact.ts";
import { EvidenceClient } from "../../../src/api/client/client.ts";
import { failuresOf } from "../../../src/api/resources/assert-failures.ts";
import { VERSION } from "../../../src/api/version.ts";
import { startService } from "../../../src/service/service.ts";
import { runHere } from "../../cli/terminal.ts";
import { textFile } from "../../conformance/pipeline.ts";
import { startRunnerTokens } from "../../identity/runner-tokens.ts";
import { COMPILE_CACHE } from "../../program-variables.ts";
import type { Machine } from "../../workflows/run/job-run.ts";
import { type JobRuns, runWorkflow } from "../../workflows/run/workflow-run.ts";
import type { Example } from "./example.ts";
import { checkOut, fingerprintOf } from "./sample-repository.ts";

/** The organization, flow and environment of the examples. */
const ORG = "acme";
export const FLOW = "web";
const ENVIRONMENT = "production";
/** The address of the service on the pages. */
const EXAMPLE_ADDRESS = "https://evidence.example.com";
const FAKE_KUBECTL = fileURLToPath(new URL("../../kubernetes/fake-kubectl.ts", import.meta.url));
const FAKE_GH = fileURLToPath(new URL("../../workflows/run/fake-gh.sh", import.meta.url));

/** The event, commit and options of a run. */
export interface Occurrence {
  readonly commit: string;
  readonly testsPass?: boolean;
  readonly inputs?: Readonly<Record<string, string | boolean>>;
  readonly vars?: Readonly<Record<string, string>>;
  readonly github?: GitHubContext;
  /** The key of the reader's secret, when it is not that of the first start. */
  readonly apiKey?: string;
  /** More variables of every job. */
  readonly env?: Readonly<Record<string, string>>;
  /** Claims of GitHub's tokens that differ from those of acme/web. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** More secrets of the repository. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Replaces the check-out of the sample repository. */
  readonly checkout?: PlayedAction;
  /** More actions of others that are played. */
  readonly played?: Readonly<Record<string, PlayedAction>>;
  /** Jobs of an earlier attempt of the run, which are not repeated. */
  readonly done?: JobRuns;
}

/** A reader of the pages: an embedded service, a repository, and runners for the workflows copied from them. */
export async function startReader() {
  const folder = await mkdtemp(join(tmpdir(), "reader-"));
  const options = {
    dataFolder: join(folder, "data"),
    host: "127.0.0.1",
    port: 0,
    org: ORG,
    version: VERSION,
  };
  const tokens = await startRunnerTokens();
  const service = await startService({ ...options, issuers: [tokens.issuer], log: () => {} });
  const apiKey = service.firstKey ?? "";
  const trusted = new Set<string>();
  /** Runs the commands of a page for an admin, once. */
  async function trust(command: string): Promise<void> {
    if (trusted.has(command)) return;
    trusted.add(command);
    const admin = { EVIDENCE_BASE_URL: service.address, EVIDENCE_API_KEY: apiKey, EVIDENCE_ORG: ORG };
    const { status, stderr } = await runHere(command.split(" "), { env: admin });
    if (status !== 0) throw new Error(`${command}: ${stderr}`);
  }
  const client = new EvidenceClient({ apiKey, org: ORG, baseUrl: service.address });
  const bin = join(folder, "bin");
  for (const path of [bin, join(folder, "cluster"), join(folder, "machines")]) await mkdir(path);
  await writeFile(join(bin, "kubectl"), `#!/bin/sh\nexec '${process.execPath}' '${FAKE_KUBECTL}' "$@"\n`);
  await chmod(join(bin, "kubectl"), 0o755);
  await cp(FAKE_GH, join(bin, "gh"));
  await mkdir(join(folder, "github", "secrets"), { recursive: true });
  await writeFile(join(folder, "github", "secrets", "EVIDENCE_API_KEY"), apiKey);
  /** The environment of every job of the reader, for any workflow. */
  const env = {
    // For the pages that are about the hosted service.
    EVIDENCE_BASE_URL: service.address,
    ...COMPILE_CACHE,
    FAKE_STATE: join(folder, "cluster"),
    FAKE_PODS: "2",
    FAKE_GH: join(folder, "github"),
    PATH: `${bin}:${process.env["PATH"]}`,
    // The proxy and the certificates of the pages do not exist here.
    HTTPS_PROXY: "",
    NODE_EXTRA_CA_CERTS: "",
  };
  const tempDir = join(folder, "temp");
  /** Folder of the artifacts that a commit's runs have uploaded. */
  const artifactsOf = (commit: string) => join(folder, "artifacts", commit);
  let machines = 0;

  return {
    client,
    /** Runs an example unchanged from its page. */
    async run({ workflow, files, trust: commands }: Example, occurrence: Occurrence): Promise<JobRuns> {
      const { commit, testsPass = true, inputs, vars, done, apiKey: key = apiKey } = occurrence;
      // The only edit by a reader: the address of their own service.
      const own = { name: workflow.name, text: workflow.text.replaceAll(EXAMPLE_ADDRESS, service.address) };
      const repository = { commit, testsPass, files };
      const artifacts = artifactsOf(commit);
      const machine = async (): Promise<Machine> => {
        machines += 1;
        const workspace = join(folder, "machines", String(machines));
        await mkdir(workspace);
        const checkout: PlayedAction = async () => {
          await checkOut(repository, workspace);
          return { outcome: "success" };
        };
        return {
          workspace,
          tempDir,
          played: {
            ...othersActions(artifacts, commit),
            "actions/checkout": occurrence.checkout ?? checkout,
            ...occurrence.played,
          },
        };
      };
      for (const command of commands) await trust(command);
      const github = { ...pushOf(commit), ...occurrence.github };
      return await runWorkflow(own, {
        github,
        idToken: tokens.job({
          ...{ sha: commit, run_id: "77", event_name: github["event_name"] },
          ...occurrence.claims,
        }),
        secrets: {
          ...{ EVIDENCE_API_KEY: key, KUBECONFIG: "apiVersion: v1", SECRETS_TOKEN: "token-for-secrets" },
          ...occurrence.secrets,
        },
        env: { ...env, ...occurrence.env },
        machine,
        vars: { EVIDENCE_BASE_URL: service.address, ...vars },
        ...(inputs && { inputs }),
        ...(done && { done }),
      });
    },
    /** Creates a service account of the role Member, and its key. */
    async newKey(name: string): Promise<string> {
      await client.createServiceAccount({ body: { name, privilege: "member" } });
      const { body } = await client.createApiKey({ name, body: { description: "for CI" } });
      return body.key;
    },
    /** Starts the trail of a commit, like another job of the reader. */
    async begin(commit: string, template: string): Promise<void> {
      const templateFile = textFile("evidence.yml", template);
      const body = { name: FLOW, description: "" };
      await client.createFlowWithTemplate({ body, files: { templateFile } });
      await client.beginTrail({ flowName: FLOW, body: { name: commit } });
    },
    /** Reports the artifact of a commit, like another job of the reader. */
    async report(commit: string): Promise<void> {
      const address = "https://github.com/acme/web";
      const body = {
        ...{ trailName: commit, fingerprint: fingerprintOf(commit), filename: "app.tgz", gitCommit: commit },
        ...{ templateReferenceName: "app", buildUrl: `${address}/actions`, commitUrl: `${address}/commits` },
      };
      await client.reportArtifact({ flowName: FLOW, body });
    },
    /** Attests the tests of a commit's artifact, like another job of the reader. */
    async test(commit: string, { failures }: { failures: number }): Promise<void> {
      const suite = { ...{ name: "s", errors: 0, skipped: 0, total: 3, duration: 1 }, failures };
      const place = { flowName: FLOW, trailName: commit };
      const artifactFingerprint = fingerprintOf(commit);
      const body = { attestationName: "unit-test", artifactFingerprint, junitResults: [suite] };
      await client.attestJunit({ ...place, body });
    },
    /** The reasons for which the gate of a commit's artifact is closed. */
    async reasons(commit: string): Promise<readonly string[]> {
      const { body } = await client.assertArtifact({ fingerprint: fingerprintOf(commit) });
      return failuresOf(body).map(({ text }) => text);
    },
    /** The attestations for which the gate of a commit's artifact is closed, by name and type. */
    async lacking(commit: string): Promise<readonly string[]> {
      const { body } = await client.assertArtifact({ fingerprint: fingerprintOf(commit) });
      const statuses = body.complianceStatus?.attestationsStatuses ?? [];
      return statuses
        .filter(({ isCompliant }) => isCompliant !== true)
        .map(
          ({ attestationName, attestationType, status }) =>
            `${attestationName} (${attestationType}): ${status}`,
        );
    },
    /** Uploads of another workflow's run: the reports of a commit's tests. */
    async upload(name: string, commit: string): Promise<void> {
      const checkedOut = await mkdtemp(join(folder, "machines", "earlier-"));
      await checkOut({ commit, testsPass: true, files: {} }, checkedOut);
      const path = join(checkedOut, "results");
      const upload = { uses: "actions/upload-artifact", with: { name, path }, env, workspace: checkedOut };
      await uploadArtifact(artifactsOf(commit))(upload);
    },
    /** Runs the artifact of a commit in the environment of the examples. */
    async deploy(commit: string): Promise<void> {
      await client.createEnvironment({ body: { name: ENVIRONMENT, type: "K8S", description: "" } });
      const artifact = {
        ...{ podName: "web-1", namespace: "web", creationTimestamp: 1_700_000_000, owners: [] },
        digests: { "reg.example/web:1": fingerprintOf(commit) },
      };
      await client.reportK8S({ envName: ENVIRONMENT, body: { type: "K8S", artifacts: [artifact] } });
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await service.close();
      await tokens.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Third-party actions, as far as the examples use them. */
function othersActions(artifacts: string, commit: string): Record<string, PlayedAction> {
  return {
    "actions/upload-artifact": uploadArtifact(artifacts),
    "actions/download-artifact": async ({ with: { name = "", path = "." }, workspace }) => {
      await cp(join(artifacts, name), resolve(workspace, path), { recursive: true });
      return { outcome: "success" };
    },
    // None of the examples has an App.
    "actions/create-github-app-token": async () => ({ outcome: "failure" }),
    // Nor a policy.
    "open-policy-agent/setup-opa": async () => ({ outcome: "failure" }),
    "docker/login-action": async () => ({ outcome: "success" }),
    "docker/build-push-action": async () => {
      return { outcome: "success", outputs: { digest: `sha256:${fingerprintOf(commit)}` } };
    },
  };
}

/** A push of a commit to the main branch. */
function pushOf(commit: string): GitHubContext {
  return {
    ...{ event_name: "push", sha: commit, ref: "refs/heads/main", ref_name: "main", actor: "ada" },
    ...{ repository: "acme/web", repository_id: "4711", run_id: "77", run_attempt: "1" },
    ...{ server_url: "https://github.com", api_url: "http://127.0.0.1:9" },
    event: {
      ref: "refs/heads/main",
      repository: { id: 4711, full_name: "acme/web" },
      head_commit: { id: commit, message: "Sell more" },
    },
  };
}
