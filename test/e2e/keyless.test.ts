import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type GitHubContext, runComposite, type StepRun } from "../../scripts/composite/composite.ts";
import { uploadArtifact } from "../../scripts/composite/upload-artifact.ts";
import { EvidenceClient } from "../../src/api/client/client.ts";
import { GITHUB_ISSUER } from "../../src/api/resources/trust-policies.ts";
import { readSpool } from "../../src/spool/read.ts";
import { type ServedProgram, serveProgram } from "../cli/program.ts";
import { runHere } from "../cli/terminal.ts";
import { fakeIssuer } from "../identity/fake-issuer.ts";
import { issuerByKeys } from "../identity/known-issuer.ts";
import { startRunnerEndpoint } from "../identity/runner-endpoint.ts";
import { PUSH } from "../identity/signed-token.ts";
import { recordsOfTest } from "../records.ts";
import { gitHubOf } from "./github-of-artifacts.ts";

/*
 * The service as users start it, the composite actions as a runner runs them, and tokens with the claims that GitHub
 * documents for each kind of job.
 */

const ORG = "acme";
const ADMIN_KEY = `de_${"a".repeat(43)}`;
const ACTIONS = join(import.meta.dirname, "../../actions");

const github = issuerByKeys(GITHUB_ISSUER);

let folder: string;
let shared: ServedProgram;

/** The options of a separate service. */
async function optionsOf(name: string): Promise<string[]> {
  const { database } = await recordsOfTest();
  return [
    ...["--data", join(folder, name), "--org", ORG],
    ...(database === undefined ? [] : ["--database-url", database.url]),
  ];
}

const serve = (options: readonly string[]) =>
  serveProgram(options, { env: { EVIDENCE_ADMIN_KEY: ADMIN_KEY } });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "keyless-"));
  const keys = join(folder, "keys of GitHub.json");
  await writeFile(keys, JSON.stringify(github.options.keys));
  shared = await serve([...(await optionsOf("data")), "--oidc-keys", `${GITHUB_ISSUER}=${keys}`]);
});
afterAll(async () => {
  await shared.stop();
  await rm(folder, { recursive: true });
});

async function trust(service: ServedProgram, ...args: string[]): Promise<void> {
  const { status, stderr } = await runHere(["trust", "github", ...args], {
    env: { EVIDENCE_API_KEY: ADMIN_KEY, EVIDENCE_ORG: ORG, EVIDENCE_BASE_URL: service.address },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
}

type Claims = { readonly [Name in keyof typeof PUSH]: string } & { readonly environment?: string };

interface Job {
  readonly claims?: Partial<Claims>;
  readonly event?: object;
  readonly service?: ServedProgram;
  readonly serverUrl?: string;
  readonly token?: (claims: Readonly<Record<string, unknown>>) => string;
  /** GitHub's API. */
  readonly apiUrl?: string;
}

/** A job with `id-token: write` and no key. Its tokens have the claims of its `github` context. */
async function jobOf({
  claims: own = {},
  event = {},
  service = shared,
  serverUrl = "https://github.com",
  token = github.token,
  apiUrl,
}: Job) {
  const claims: Claims = { ...PUSH, ...own };
  const endpoint = await startRunnerEndpoint();
  onTestFinished(() => endpoint.close());
  const variables = endpoint.job((aud) => token({ ...claims, aud }));
  const place = await mkdtemp(join(folder, "job-"));
  const workspace = join(place, "work");
  await mkdir(workspace);
  const client = new EvidenceClient({ apiKey: ADMIN_KEY, org: ORG, baseUrl: service.address });
  onTestFinished(() => client.close());
  const context: GitHubContext = {
    ...claims,
    ref_name: claims.ref.replace(/^refs\/[^/]+\//, ""),
    server_url: serverUrl,
    ...(apiUrl !== undefined && { api_url: apiUrl }),
    token: "ghs_token",
    event: {
      repository: { id: Number(claims.repository_id), full_name: claims.repository },
      head_commit: { id: claims.sha, message: "m" },
      ...event,
    },
  };
  // The runner masks its own token from the start.
  let masks: string[] = [variables.ACTIONS_ID_TOKEN_REQUEST_TOKEN];
  return {
    client,
    artifacts: join(place, "artifacts"),
    write: (name: string, content: string) => writeFile(join(workspace, name), content),
    async step(action: string, inputs: Readonly<Record<string, string>>): Promise<StepRun> {
      const run = await runComposite({
        actionFolder: join(ACTIONS, action),
        with: { ...(apiUrl === undefined && { "github-token": "" }), ...inputs },
        env: { EVIDENCE_ORG: ORG, EVIDENCE_BASE_URL: service.address, ...variables },
        workspace,
        tempDir: join(place, "temp"),
        github: context,
        masks,
        uses: { "actions/upload-artifact": uploadArtifact(join(place, "artifacts")) },
      });
      expect(run.log + run.summary).not.toMatch(/det_|eyJ/);
      masks = run.masks;
      return run;
    },
  };
}

/** The error of a step, as its page shows it. */
const errorsOf = ({ annotations }: StepRun) =>
  annotations.flatMap(({ level, message }) => (level === "error" ? [message] : []));

const TEMPLATE =
  "version: 1\ntrail:\n  attestations: [{name: unit, type: generic}]\n  artifacts: [{name: app}]\n";

test("a push: from the trail to the passed gate without a key, and each record is verified", async () => {
  await trust(shared, "acme/web", "--flow", "web");
  const job = await jobOf({});
  await job.write("evidence.yml", TEMPLATE);
  await job.write("app.tgz", "built");

  const runs = [
    await job.step("begin-trail", { flow: "web", "flow-template-file": "evidence.yml" }),
    await job.step("attest", { flow: "web", kind: "artifact", name: "app", artifact: "app.tgz" }),
    await job.step("attest", { flow: "web", name: "unit", compliant: "true" }),
    await job.step("assert-artifact", { flow: "web", artifact: "app.tgz" }),
  ];
  expect(
    runs.map(({ outcome }) => outcome),
    runs.map(({ log }) => log).join(""),
  ).toEqual(runs.map(() => "success"));
  expect(runs.flatMap(({ annotations }) => annotations)).toEqual([]);

  const about = { flowName: "web", trailName: PUSH.sha };
  const { body: trail } = await job.client.getTrail(about);
  const { body: attested } = await job.client.listTrailAttestations({ ...about, attestationName: "unit" });
  const fingerprint = runs[1]?.outputs["fingerprint"] ?? "";
  const { body: artifact } = await job.client.getArtifact({ flowName: "web", fingerprint });
  const verified = {
    state: "verified",
    name: "github:acme/web build.yml run 123 attempt 1",
    url: "https://github.com/acme/web/actions/runs/123/attempts/1",
    issuer: GITHUB_ISSUER,
    policy: "acme-web",
    differences: {},
    claims: expect.objectContaining(PUSH),
  };
  expect([trail.origin, attested[0]?.origin, artifact.origin]).toEqual([verified, verified, verified]);
});

test("a pull request: rejected until a policy lists the event, then recorded, and unverified because it is a trial merge", async () => {
  const repository = { repository: "acme/forked", repository_id: "4712" };
  const head = "2".repeat(40);
  const job = await jobOf({
    claims: {
      ...repository,
      sub: "repo:acme/forked:pull_request",
      event_name: "pull_request",
      ref: "refs/pull/7/merge",
      head_ref: "feature",
      base_ref: "main",
      ref_protected: "false",
      sha: "3".repeat(40),
      workflow_ref: "acme/forked/.github/workflows/build.yml@refs/pull/7/merge",
      job_workflow_ref: "acme/forked/.github/workflows/build.yml@refs/pull/7/merge",
    },
    event: { pull_request: { number: 7, head: { sha: head, ref: "feature" } }, head_commit: null },
  });
  const attest = () => job.step("attest", { flow: "forked", name: "unit", compliant: "true" });

  await trust(shared, "acme/forked", "--flow", "forked");
  const [refusal] = errorsOf(await attest());
  expect(refusal).toContain(
    "event_name: is pull_request; the policy 'acme-forked' must list this event to accept it",
  );

  await trust(shared, "acme/forked", "--flow", "forked", "--name", "changes", "--event", "pull_request");
  const accepted = await attest();
  const created = [{ message: expect.stringContaining("Flow 'forked' did not exist") }];
  expect(accepted).toMatchObject({ outcome: "success", annotations: created });
  const about = { flowName: "forked", trailName: head, attestationName: "unit" };
  const { body } = await job.client.listTrailAttestations(about);
  expect(body[0]?.origin).toMatchObject({
    state: "unproven",
    differences: { commit: { said: head, proven: "" } },
    policy: "changes",
  });
});

const PODS = {
  kind: "PodList",
  items: [
    {
      metadata: { name: "web", namespace: "shop", creationTimestamp: "2026-11-20T09:30:00Z" },
      status: {
        phase: "Running",
        containerStatuses: [{ name: "c", image: "reg/web:1", imageID: `reg/web@sha256:${"a".repeat(64)}` }],
      },
    },
  ],
};

test("a job with an environment: another environment is rejected, and the right one's report is verified", async () => {
  const deploy = { repository: "acme/deploy", repository_id: "4713" };
  await trust(
    ...[shared, "acme/deploy", "--environment", "prod", "--role", "snapshotter"],
    ...["--github-environment", "production"],
  );
  const report = async (environment: string) => {
    const sub = `repo:acme/deploy:environment:${environment}`;
    const job = await jobOf({ claims: { ...deploy, sub, environment } });
    await job.write("pods.json", JSON.stringify(PODS));
    return job.step("report-env", { environment: "prod", "pods-file": "pods.json" });
  };
  const { client } = await jobOf({});
  await client.createEnvironment({ body: { name: "prod", type: "K8S", description: "" } });

  expect(errorsOf(await report("staging"))[0]).toContain(
    "environment: is staging; the policy 'acme-deploy' requires production",
  );
  const reported = await report("production");
  expect(errorsOf(reported)).toEqual([]);
  const { body } = await client.getSnapshot({ envName: "prod", snapshotExpression: "-1" });
  expect(body.origin).toMatchObject({ state: "verified", claims: { environment: "production" } });
});

test("a called workflow: it is trusted as the called one, and the record names the calling repository", async () => {
  const caller = {
    repository: "acme/shop",
    repository_id: "4714",
    sub: "repo:acme/shop:ref:refs/heads/main",
    workflow_ref: "acme/shop/.github/workflows/release.yml@refs/heads/main",
  };
  await trust(
    ...[shared, "acme/shop", "--flow", "shop"],
    ...["--workflow", "acme/ci/.github/workflows/build.yml@refs/tags/v*"],
  );
  const attest = async (called: string) => {
    const job = await jobOf({
      claims: { ...caller, job_workflow_ref: called, job_workflow_sha: "4".repeat(40) },
    });
    return { job, run: await job.step("attest", { flow: "shop", name: "unit", compliant: "true" }) };
  };
  const { run: own } = await attest(caller.workflow_ref);
  expect(errorsOf(own)[0]).toContain(
    `job_workflow_ref: is ${caller.workflow_ref}; the policy 'acme-shop' requires`,
  );

  const { job, run } = await attest("acme/ci/.github/workflows/build.yml@refs/tags/v2");
  expect(errorsOf(run)).toEqual([]);
  const about = { flowName: "shop", trailName: PUSH.sha, attestationName: "unit" };
  const { body } = await job.client.listTrailAttestations(about);
  expect(body[0]).toMatchObject({
    reportedBy: "github:acme/shop release.yml run 123 attempt 1",
    origin: {
      state: "verified",
      claims: {
        repository: "acme/shop",
        job_workflow_ref: "acme/ci/.github/workflows/build.yml@refs/tags/v2",
        job_workflow_sha: "4".repeat(40),
      },
    },
  });
});

test("a GitHub Enterprise Server: its issuer supplies the keys, and records link to its runs", async () => {
  const issuer = await fakeIssuer(() => Date.now() / 1000, "/_services/token");
  const serverUrl = new URL(issuer.url).origin;
  const network = ["--allow-targets", "127.0.0.1", "--allow-http-targets"];
  const service = await serve([...(await optionsOf("ghes")), "--oidc-issuer", issuer.url, ...network]);
  onTestFinished(async () => void (await service.stop()));

  await trust(service, "acme/web", "--flow", "web", "--issuer", issuer.url);
  const attest = async (from: Pick<Job, "serverUrl" | "token">) => {
    const job = await jobOf({ service, ...from });
    return { job, run: await job.step("attest", { flow: "web", name: "unit", compliant: "true" }) };
  };
  const { job, run } = await attest({ serverUrl, token: issuer.token });
  expect(errorsOf(run)).toEqual([]);
  const about = { flowName: "web", trailName: PUSH.sha, attestationName: "unit" };
  const { body } = await job.client.listTrailAttestations(about);
  expect(body[0]?.origin).toMatchObject({
    state: "verified",
    issuer: issuer.url,
    url: `${serverUrl}/acme/web/actions/runs/123/attempts/1`,
  });

  // A configured issuer replaces GitHub.com's.
  const { run: foreign } = await attest({ token: github.token });
  expect(errorsOf(foreign)[0]).toContain(`the issuer ${GITHUB_ISSUER} is not trusted`);
});

test("evidence spooled in one run and replayed in another names its origin, and is not verified", async () => {
  const repository = { repository: "acme/late", repository_id: "4715" };
  await trust(shared, "acme/late", "--flow", "late");
  const about = { flow: "late", trail: "t1", compliant: "true" };
  const replaying = "https://github.com/acme/late/actions/runs/200";

  const first = await jobOf({ claims: repository });
  const spool = (inputs: Readonly<Record<string, string>>) =>
    first.step("attest", {
      ...{ ...about, "base-url": "http://127.0.0.1:9", retries: "0", "on-unavailable": "spool" },
      ...inputs,
    });
  const spooled = await spool({ name: "honest" });
  expect(spooled.outputs["status"], spooled.log).toBe("spooled");
  // It claims to be from the run that replays it.
  await spool({ name: "pretended", "origin-url": replaying });
  const submissions = await readSpool(spooled.outputs["spool-folder"] ?? "");
  const texts = await Promise.all(
    submissions.map(({ path }) => readFile(join(path, "submission.json"), "utf8")),
  );
  expect(texts.join("")).not.toMatch(/det_|eyJ|runner-token|ghs_/);
  const origin = {
    repository: "acme/late",
    run_id: "123",
    run_attempt: "1",
    workflow: "Build",
    sha: PUSH.sha,
    actor: "ada",
    event: "push",
  };
  expect(texts.map((text) => JSON.parse(text).made_by)).toEqual([origin, origin]);

  const gitHub = await gitHubOf(first.artifacts, { name: "acme/late", id: 4715 });
  const second = await jobOf({ claims: { ...repository, run_id: "200", actor: "bob" }, apiUrl: gitHub.url });
  const replayed = await second.step("replay", {});
  expect(replayed.outputs, replayed.log).toMatchObject({ status: "recorded", replayed: "2" });
  expect(replayed.annotations).toEqual([]);

  const originOf = async (attestationName: string) => {
    const place = { flowName: "late", trailName: "t1", attestationName };
    const { body } = await second.client.listTrailAttestations(place);
    return body[0]?.origin;
  };
  const by = {
    said: `repository acme/late, workflow Build, run_id 123, run_attempt 1, sha ${PUSH.sha}, event push, actor ada`,
    proven: `${replaying}/attempts/1`,
  };
  expect(await originOf("honest")).toMatchObject({
    state: "different",
    name: "github:acme/late build.yml run 200 attempt 1",
    differences: {
      run: { said: "https://github.com/acme/late/actions/runs/123" },
      spooled_by: by,
    },
    claims: { run_id: "200", actor: "bob" },
  });
  expect(await originOf("pretended")).toMatchObject({ state: "different", differences: { spooled_by: by } });
});

test("evidence spooled within a job is recorded by its next step as its own", async () => {
  await trust(shared, "acme/soon", "--flow", "soon");
  const job = await jobOf({ claims: { repository: "acme/soon", repository_id: "4716" } });
  const about = { flow: "soon", trail: "t1", compliant: "true", "on-unavailable": "spool" };
  await job.step("attest", { ...about, name: "first", "base-url": "http://127.0.0.1:9", retries: "0" });
  expect((await job.step("attest", { ...about, name: "second" })).outputs["status"]).toBe("recorded");
  const place = { flowName: "soon", trailName: "t1", attestationName: "first" };
  const { body } = await job.client.listTrailAttestations(place);
  expect(body[0]?.origin).toMatchObject({ state: "verified", differences: {} });
});
