import { generateKeyPairSync } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { startRunnerEndpoint } from "../../identity/runner-endpoint.ts";
import { loadedFiles } from "../loaded-files.ts";
import type { CloudInternet, CloudRequest } from "./cloud-internet.ts";
import {
  ACCOUNT,
  FEDERATED,
  fakeGoogle,
  type GoogleState,
  IMPERSONATED,
  job,
  PROVIDER,
  refused,
  revision,
  service,
} from "./fake-google.ts";
import { A, B, C, D, errorOf, reportByBundle, reportCloud, warningsOf } from "./report-cloud.ts";

const REPOSITORY = "europe-west1-docker.pkg.dev/shop/images";
const TOKEN = { CLOUDSDK_AUTH_ACCESS_TOKEN: FEDERATED };

/** A service with two revisions, one of them without requests, and a job. */
const SHOP: Partial<GoogleState> = {
  services: [
    service("web", [
      { percent: 100 },
      { revision: "web-00001", percent: 0, tag: "old" },
      { revision: "web-00002", tag: "new" },
    ]),
    service("off", [{ percent: 100 }], ""),
  ],
  revisions: [
    revision("web-00001", [`${REPOSITORY}/web@sha256:${B}`]),
    revision(
      "web-00002",
      [`${REPOSITORY}/web:1`, "docker.io/envoyproxy/envoy:v1"],
      `${REPOSITORY}/web@sha256:${A}`,
    ),
    revision("web-00000", [`${REPOSITORY}/web:0`], `${REPOSITORY}/web@sha256:${D}`),
  ],
  jobs: [job("nightly", `${REPOSITORY}/tool/nightly:2`)],
  manifests: { [`${REPOSITORY}/web:1`]: D, [`${REPOSITORY}/tool/nightly:2`]: C },
};

const report = (
  google: CloudInternet,
  inputs: Record<string, string> = {},
  env: Record<string, string> = TOKEN,
  files: Record<string, string> = {},
  by = reportCloud,
) =>
  by(google, {
    inputs: { type: "cloud-run", "google-project": "shop", "google-region": "europe-west1", ...inputs },
    ...{ env, files },
  });

const hostsOf = ({ requests }: CloudInternet) => requests.map(({ host }) => host);

test("reports each revision of a service once, and jobs, with the digests that run", async () => {
  const google = await fakeGoogle(SHOP);
  const env = { ...TOKEN, GOOGLE_APPLICATION_CREDENTIALS: "/nowhere" };
  const outcome = await report(google, {}, env, {}, reportByBundle);
  expect(outcome.run.stderr).toBe("");
  const payload = {
    type: "cloud-run",
    artifacts: [
      {
        kind: "job",
        jobName: "nightly",
        digests: { [`${REPOSITORY}/tool/nightly:2`]: C },
        creationTimestamp: 1795219200,
      },
      {
        kind: "service",
        serviceName: "web",
        revisionName: "web-00001",
        digests: { [`${REPOSITORY}/web@sha256:${B}`]: B },
        creationTimestamp: 1795168800,
      },
      {
        kind: "service",
        serviceName: "web",
        revisionName: "web-00002",
        digests: { "docker.io/envoyproxy/envoy:v1": "", [`${REPOSITORY}/web:1`]: A },
        creationTimestamp: 1795168800,
      },
    ],
  };
  expect(JSON.stringify(outcome.body)).toBe(JSON.stringify(payload));
  expect(warningsOf(outcome)).toEqual([
    "::warning::1 image reported without a digest, because the digest is unknown: docker.io/envoyproxy/envoy:v1",
  ]);
  expect(outcome.run.outputs).toMatchObject({ status: "recorded", "pod-count": "3" });
  // Three lists, and the tag that no revision resolved.
  expect(hostsOf(google).sort()).toEqual([
    ...["europe-west1-docker.pkg.dev", "europe-west1-run.googleapis.com"],
    ...["run.googleapis.com", "run.googleapis.com"],
  ]);
});

test("selects services and jobs by name, and names digests by the longest tag", async () => {
  const tags = { [`web@sha256:${B}`]: ["1", "1.2.10", "1.2.1-x", "main"] };
  const google = await fakeGoogle({ ...SHOP, tags, services: [service("web", [{ revision: "web-00001" }])] });
  const { body } = await report(google, { include: "web", "resolve-names": "true" });
  expect(body).toMatchObject({
    artifacts: [{ revisionName: "web-00001", digests: { [`${REPOSITORY}/web:1.2.1-x`]: B } }],
  });
});

test("leaves out a revision that is removed while it reads, and tells so", async () => {
  const google = await fakeGoogle({
    ...SHOP,
    jobs: [],
    services: [service("web", [{ revision: "web-00001" }, {}])],
  });
  google.state.revisions = [revision("web-00001", [`${REPOSITORY}/web@sha256:${B}`])];
  const outcome = await report(google);
  expect(outcome.body).toMatchObject({ artifacts: [{ revisionName: "web-00001" }] });
  expect(warningsOf(outcome)).toEqual([
    "::warning::not reported, because they were removed meanwhile: web-00002",
  ]);
});

test("reads items page by page", async () => {
  const names = Array.from({ length: 40 }, (_, index) => `job-${index}`);
  const jobs = names.map((name) => job(name, `x.example/y@sha256:${A}`));
  const google = await fakeGoogle({ jobs, pageSize: 1 });
  const { body } = await report(google, { timeout: "60" });
  expect(body).toMatchObject({ artifacts: { length: 40 } });
  expect(google.requests).toHaveLength(41);
});

test("acts as a service account by the job's identity, and masks each token first", async () => {
  const google = await fakeGoogle({ ...SHOP, tokens: [IMPERSONATED] });
  const runner = await startRunnerEndpoint();
  onTestFinished(() => runner.close());
  const login = { "google-identity-provider": PROVIDER, "google-service-account": ACCOUNT };
  const { run, body } = await report(google, login, {
    // The input takes precedence over them.
    ...{ CLOUDSDK_AUTH_ACCESS_TOKEN: "old", GOOGLE_APPLICATION_CREDENTIALS: "/nowhere" },
    ...runner.job(() => "identity-of-the-job"),
  });
  expect(body).toMatchObject({ artifacts: { length: 3 } });
  expect(runner.audiences).toEqual([`https://iam.googleapis.com/${PROVIDER}`]);
  const sts = google.requests.find(({ host }) => host === "sts.googleapis.com");
  expect(JSON.parse(sts?.body ?? "")).toEqual({
    grantType: "urn:ietf:params:oauth:grant-type:token-exchange",
    audience: `//iam.googleapis.com/${PROVIDER}`,
    scope: "https://www.googleapis.com/auth/cloud-platform",
    requestedTokenType: "urn:ietf:params:oauth:token-type:access_token",
    subjectTokenType: "urn:ietf:params:oauth:token-type:jwt",
    subjectToken: "identity-of-the-job",
  });
  const masked = [...run.stdout.matchAll(/^::add-mask::(.*)$/gm)].map(([, secret]) => secret);
  expect(masked).toEqual(expect.arrayContaining(["identity-of-the-job", FEDERATED, IMPERSONATED]));
  const shown = run.stdout.replaceAll(/^::add-mask::.*$/gm, "");
  expect(shown).not.toMatch(/identity-of-the-job|token-of-google/);
});

test("uses the file of google-github-actions/auth", async () => {
  const google = await fakeGoogle({ ...SHOP, tokens: [IMPERSONATED] });
  const runner = await startRunnerEndpoint();
  onTestFinished(() => runner.close());
  const variables = runner.job(() => "identity-of-the-job");
  const file = {
    type: "external_account",
    audience: `//iam.googleapis.com/${PROVIDER}`,
    subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
    token_url: "https://sts.googleapis.com/v1/token",
    service_account_impersonation_url: `https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${ACCOUNT}:generateAccessToken`,
    credential_source: {
      url: `${variables.ACTIONS_ID_TOKEN_REQUEST_URL}&audience=file`,
      headers: { Authorization: `bearer ${variables.ACTIONS_ID_TOKEN_REQUEST_TOKEN}` },
      format: { type: "json", subject_token_field_name: "value" },
    },
  };
  const env = { GOOGLE_APPLICATION_CREDENTIALS: "auth.json" };
  const { body } = await report(google, {}, env, { "auth.json": JSON.stringify(file) });
  expect(body).toMatchObject({ artifacts: { length: 3 } });
  expect(runner.audiences).toEqual(["file"]);

  const stolen = { ...file, token_url: "https://sts.example.com/v1/token" };
  const refusal = await report(google, {}, env, { "auth.json": JSON.stringify(stolen) });
  expect(errorOf(refusal)).toContain("token_url is not an address of Google: 'https://sts.example.com'");
});

test("signs with the key of a service account", async () => {
  const google = await fakeGoogle(SHOP);
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = privateKey.export({ type: "pkcs8", format: "pem" });
  const file = { type: "service_account", client_email: ACCOUNT, private_key_id: "k1", private_key: key };
  const env = { GOOGLE_APPLICATION_CREDENTIALS: "key.json" };
  const { body } = await report(google, {}, env, { "key.json": JSON.stringify(file) });
  expect(body).toMatchObject({ artifacts: { length: 3 } });
  const { assertion } = JSON.parse(google.requests[0]?.body ?? "");
  const parts = assertion.split(".").slice(0, 2);
  const [head, claims] = parts.map((part: string) => JSON.parse(Buffer.from(part, "base64url").toString()));
  expect(head).toEqual({ alg: "RS256", typ: "JWT", kid: "k1" });
  expect(claims).toMatchObject({ iss: ACCOUNT, aud: "https://oauth2.googleapis.com/token" });

  const broken = JSON.stringify({ ...file, private_key: "none" });
  expect(errorOf(await report(google, {}, env, { "key.json": broken }))).toBe(
    "::error title=input.invalid::GOOGLE_APPLICATION_CREDENTIALS: has no usable private_key",
  );
});

test("waits when Google limits the rate", async () => {
  let left = 2;
  const google = await fakeGoogle({
    ...SHOP,
    instead: ({ path }) =>
      path.endsWith("/jobs") && left-- > 0
        ? { ...refused(429, "RESOURCE_EXHAUSTED", "Quota exceeded"), headers: { "retry-after": "0" } }
        : undefined,
  });
  expect((await report(google)).body).toMatchObject({ artifacts: { length: 3 } });
});

const isRuns = ({ host }: CloudRequest) => host.endsWith("run.googleapis.com");

test.each<[string, GoogleState["instead"], string]>([
  [
    "an API that is not enabled",
    (request) =>
      isRuns(request) ? refused(403, "PERMISSION_DENIED", "not used", "SERVICE_DISABLED") : undefined,
    "::error title=cloud.refused::google-project: run.googleapis.com answered 403 SERVICE_DISABLED: not used%0AEnable the API in the project: gcloud services enable run.googleapis.com. It takes a few minutes.",
  ],
  [
    "a missing right",
    (request) => (isRuns(request) ? refused(403, "PERMISSION_DENIED", "denied on project shop") : undefined),
    "CLOUDSDK_AUTH_ACCESS_TOKEN: run.googleapis.com answered 403 PERMISSION_DENIED: denied on project shop%0AGive this login the role roles/run.viewer in the project, and check google-project.",
  ],
  [
    "one failed page of many",
    ({ query }) => (query.get("continue") === "2" ? refused(400, "INVALID_ARGUMENT", "bad page") : undefined),
    "google-project: europe-west1-run.googleapis.com answered 400 INVALID_ARGUMENT: bad page",
  ],
  [
    "a list that leads back",
    ({ host }) =>
      host.startsWith("europe-west1-run.") ? { body: { items: [], metadata: { continue: "1" } } } : undefined,
    "the cloud's list leads back to an earlier page",
  ],
  [
    "a region that is left out",
    ({ path }) =>
      path.endsWith("/jobs") ? { body: { jobs: [], unreachable: ["europe-west1"] } } : undefined,
    "Cloud Run could not read europe-west1",
  ],
])("reports nothing after %s", async (_, instead, message) => {
  const outcome = await report(await fakeGoogle({ ...SHOP, pageSize: 1, instead }));
  expect(outcome.body).toBeUndefined();
  expect(outcome.run.status).toBe(1);
  expect(errorOf(outcome)).toContain(message);
});

test("a throttled step fails when its time is over", async () => {
  const google = await fakeGoogle({ instead: () => ({ status: 429, headers: { "retry-after": "60" } }) });
  const outcome = await report(google, { timeout: "5" });
  expect(outcome.body).toBeUndefined();
  expect(errorOf(outcome)).toContain("::error title=cloud.unavailable::run.googleapis.com answered 429");
});

test.each<[string, Record<string, string>, Record<string, string>, string]>([
  [
    "another project",
    { "google-project": "other" },
    TOKEN,
    "google-project: run.googleapis.com answered 404 NOT_FOUND",
  ],
  [
    "an unknown region",
    { "google-region": "moon" },
    TOKEN,
    "google-region: 'moon' is not a region of Google Cloud",
  ],
  ["an expired token", {}, { CLOUDSDK_AUTH_ACCESS_TOKEN: "old" }, "Log in to Google Cloud again in this job"],
  ["no login", {}, {}, "google-identity-provider: is missing, and there is no other login to Google Cloud"],
  [
    "a job without identity",
    { "google-identity-provider": PROVIDER },
    {},
    "google-identity-provider: needs the identity of the job, which has no permission id-token: write",
  ],
  [
    "half of a provider",
    { "google-identity-provider": "ci" },
    TOKEN,
    "google-identity-provider: must be projects/",
  ],
  [
    "an account alone",
    { "google-service-account": ACCOUNT },
    TOKEN,
    "google-service-account: needs google-identity",
  ],
  ["a wrong expression", { "include-regex": "(" }, TOKEN, "include-regex: '(' is not a regular expression"],
  [
    "nothing that runs",
    { include: "none" },
    TOKEN,
    "allow-empty: is false, and no workload was found to report",
  ],
])("explains %s", async (_, inputs, env, message) => {
  const outcome = await report(await fakeGoogle(SHOP), inputs, env);
  expect(outcome.body).toBeUndefined();
  expect(errorOf(outcome)).toContain(message);
});

test("loads nothing of another cloud", async () => {
  const { env, loaded } = await loadedFiles();
  const google = await fakeGoogle(SHOP);
  await report(google, {}, { ...TOKEN, ...env }, {}, reportByBundle);
  const files = await loaded();
  expect(files.filter((file) => /aws|azure|yauzl|lambda/.test(file))).toEqual([]);
});
