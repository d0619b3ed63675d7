import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fingerprintDirectory } from "../../../src/evidence/directory-fingerprint.ts";
import { planted } from "../../evidence/temporary-directory.ts";
import { startRunnerEndpoint } from "../../identity/runner-endpoint.ts";
import { zipOf } from "../../spool/zip-archive.ts";
import { loadedFiles } from "../loaded-files.ts";
import type { CloudInternet } from "./cloud-internet.ts";
import { type AzureState, fakeAzure, MANAGEMENT, refused, scmOf, site } from "./fake-azure.ts";
import { A, B, C, D, errorOf, reportByBundle, reportCloud, warningsOf } from "./report-cloud.ts";

const SECRET = {
  AZURE_CLIENT_ID: "client-1",
  AZURE_TENANT_ID: "tenant-1",
  AZURE_CLIENT_SECRET: "secret-of-the-client",
};
const LOG = (digest: string, lines: readonly string[]) =>
  [
    "2026-11-20T10:00:00.123Z INFO  - Pulling image: shop.azurecr.io/web:1",
    `2026-11-20T10:00:01.123Z INFO  - Digest: sha256:${digest}`,
    ...lines,
  ].join("\n");
const READY =
  "2026-11-20T10:00:09.123Z INFO  - Container web_0 for site web initialized successfully and is ready to serve requests.";

const report = (
  azure: CloudInternet,
  inputs: Record<string, string> = {},
  env: Record<string, string> = SECRET,
  files: Record<string, string> = {},
  by = reportCloud,
) =>
  by(azure, {
    inputs: {
      ...{ type: "azure-apps", "azure-subscription-id": "sub-1", "azure-resource-group": "shop" },
      ...inputs,
    },
    ...{ env, files },
  });

const COMPOSE = Buffer.from(
  "services:\n  web: {image: 'shop.azurecr.io/web:1'}\n  cache:\n    image: redis:7\n",
).toString("base64");

test("reports the running apps of each form, with their digests in the registry", async () => {
  const azure = await fakeAzure({
    sites: [
      site("web", { linux: "DOCKER|shop.azurecr.io/web:1", kind: "app,linux,container" }),
      site("pinned", { linux: `DOCKER|other.example/web@sha256:${D}` }),
      site("sidecars", { linux: "sitecontainers" }),
      site("composed", { linux: `COMPOSE|${COMPOSE}` }),
      site("win", { windows: "DOCKER|shop.azurecr.io/win:3", kind: "app,container,windows" }),
      site("unlisted", { linux: null }),
      site("stopped", { state: "Stopped", linux: "DOCKER|shop.azurecr.io/web:1" }),
    ],
    below: {
      "/sidecars/sitecontainers": {
        body: {
          value: [
            { properties: { image: "shop.azurecr.io/web:1", isMain: true } },
            { properties: { image: "shop.azurecr.io/gone:1" } },
          ],
        },
      },
      "/unlisted/config/web": { body: { properties: { linuxFxVersion: "DOCKER|shop.azurecr.io/web:1" } } },
    },
    manifests: { "shop.azurecr.io/web:1": A, "shop.azurecr.io/win:3": B },
    pageSize: 2,
  });
  const outcome = await report(azure, {}, SECRET, {}, reportByBundle);
  expect(outcome.run.stderr).toBe("");
  const entry = (app_name: string, digests: object, app_kind = "app,linux") => ({
    ...{ app_name, app_kind, digests_source: "acr", digests, creationTimestamp: 0 },
  });
  const payload = {
    type: "azure-apps",
    artifacts: [
      entry("composed", { "redis:7": "", "shop.azurecr.io/web:1": A }),
      entry("pinned", { [`other.example/web@sha256:${D}`]: D }),
      entry("sidecars", { "shop.azurecr.io/gone:1": "", "shop.azurecr.io/web:1": A }),
      entry("unlisted", { "shop.azurecr.io/web:1": A }),
      entry("web", { "shop.azurecr.io/web:1": A }, "app,linux,container"),
      entry("win", { "shop.azurecr.io/win:3": B }, "app,container,windows"),
    ],
  };
  expect(JSON.stringify(outcome.body)).toBe(JSON.stringify(payload));
  expect(warningsOf(outcome)).toEqual([
    "::warning::2 images or apps reported without a digest, because the digest is unknown: redis:7 of composed, shop.azurecr.io/gone:1 of sidecars",
  ]);
  const heads = azure.requests.filter(({ method }) => method === "HEAD");
  expect(heads.map(({ path }) => path).sort()).toEqual([
    "/v2/gone/manifests/1",
    "/v2/web/manifests/1",
    "/v2/win/manifests/3",
  ]);
  for (const { headers } of heads) expect(String(headers["accept"]).split(", ")).toHaveLength(4);
  expect(azure.requests.filter(({ path }) => path === "/oauth2/exchange")).toHaveLength(1);
});

test.each<[string, string, string, number]>([
  ["the app became ready after the pull", LOG(C, [READY]), C, 1795168809],
  ["the app is not ready yet", LOG(C, []), "", 0],
  ["a newer image was pulled after the app became ready", LOG(C, [READY, LOG(D, [])]), "", 0],
  ["the app pulled twice", LOG(C, [READY, LOG(D, [READY])]), D, 1795168809],
  ["the log is empty", "", "", 0],
])("reads the digest from the log: %s", async (_, log, digest, creationTimestamp) => {
  const image = "shop.azurecr.io/web:1";
  const azure = await fakeAzure({
    sites: [site("web", { linux: `DOCKER|${image}` })],
    below: { "/web/containerlogs": { body: log, headers: { "content-type": "text/plain" } } },
  });
  const { body } = await report(azure, { "azure-digests": "logs" });
  expect(body?.artifacts).toEqual([
    {
      ...{ app_name: "web", app_kind: "app,linux", digests_source: "logs" },
      ...{ digests: { [image]: digest }, creationTimestamp },
    },
  ]);
});

test("fingerprints the files of apps without an image, as of a directory", async () => {
  const files = { "index.js": "start()", "lib/a.js": "a", "lib/deep/b.js": "b", "cache/x": "left out" };
  const azure = await fakeAzure({
    sites: [
      site("files", { linux: "NODE|22" }),
      site("busy", { linux: "NODE|22" }),
      site("consumption", { kind: "functionapp,linux", sku: "Dynamic" }),
      site("flex", { linux: "", kind: "functionapp,linux", sku: "FlexConsumption" }),
    ],
    archives: { [scmOf("files")]: zipOf({ ".kosli_ignore": "cache\n", ...files }) },
    instead: ({ host }) => (host === scmOf("consumption") ? { status: 404 } : undefined),
  });
  const outcome = await report(azure, {}, SECRET, {}, reportByBundle);
  const directory = planted({
    ".kosli_ignore": "cache\n",
    "index.js": "start()",
    lib: { "a.js": "a", deep: { "b.js": "b" } },
  });
  const digests_source = "kosli-cli";
  expect(outcome.body?.artifacts).toEqual([
    {
      ...{ app_name: "consumption", app_kind: "functionapp,linux", digests_source, creationTimestamp: 0 },
      digests: { consumption: "" },
    },
    {
      ...{ app_name: "files", app_kind: "app,linux", digests_source, creationTimestamp: 0 },
      digests: { files: await fingerprintDirectory(directory) },
    },
    {
      ...{ app_name: "flex", app_kind: "functionapp,linux", digests_source, creationTimestamp: 0 },
      digests: { flex: "" },
    },
  ]);
  expect(warningsOf(outcome)).toEqual([
    `::warning::the app 'busy' was not reported, because it does not answer (503 of ${scmOf("busy")})`,
    "::warning::2 images or apps reported without a digest, because the digest is unknown: consumption, flex",
  ]);
});

test.each<[string, Buffer, string]>([
  [
    "that leave its directory",
    zipOf({ "../../etc/cron.d/x": "" }),
    "invalid relative path: ../../etc/cron.d/x",
  ],
  ["at an absolute path", zipOf({ "/etc/passwd": "" }), "absolute path: /etc/passwd"],
  [
    "inside of a file",
    zipOf({ a: "1", "a/b": "2" }),
    "'a' and 'a/b' need a file and a directory of one name",
  ],
  ["that are no archive", Buffer.from("<html>"), "End of central directory record"],
])("refuses files %s", async (_, archive, message) => {
  const azure = await fakeAzure({ sites: [site("files")], archives: { [scmOf("files")]: archive } });
  const outcome = await report(azure);
  expect(outcome.body).toBeUndefined();
  expect(errorOf(outcome)).toContain(`the archive of ${scmOf("files")} cannot be used: `);
  expect(errorOf(outcome)).toContain(message);
});

const ONE: Partial<AzureState> = {
  sites: [
    site("web", { linux: `DOCKER|x.example/web@sha256:${A}` }),
    site("api", { linux: `DOCKER|x/api@sha256:${B}` }),
  ],
};

test("proves the job's identity to an application, and masks each token first", async () => {
  const azure = await fakeAzure({
    sites: [site("web", { linux: "DOCKER|shop.azurecr.io/web:1" })],
    manifests: { "shop.azurecr.io/web:1": A },
  });
  const runner = await startRunnerEndpoint();
  onTestFinished(() => runner.close());
  const login = { "azure-client-id": "client-2", "azure-tenant-id": "tenant-1" };
  const { run, body } = await report(azure, login, {
    // The input takes precedence over them.
    ...{ ...SECRET, AZURE_FEDERATED_TOKEN_FILE: "/nowhere" },
    ...runner.job(() => "identity-of-the-job"),
  });
  expect(body?.artifacts).toHaveLength(1);
  expect(runner.audiences).toEqual(["api://AzureADTokenExchange"]);
  const [request] = azure.requests;
  expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
    client_id: "client-2",
    grant_type: "client_credentials",
    scope: "https://management.azure.com/.default",
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: "identity-of-the-job",
  });
  const shown = run.stdout.replaceAll(/^::add-mask::.*$/gm, "");
  expect(shown).not.toMatch(/identity-of-the-job|token-for-management|-of-the-registry/);
  for (const secret of ["identity-of-the-job", MANAGEMENT, "login-of-the-registry"])
    expect(run.stdout.split("\n")).toContain(`::add-mask::${secret}`);
});

test("reads the token of a workload from its file, and masks a client's secret", async () => {
  const azure = await fakeAzure(ONE);
  const env = { ...SECRET, AZURE_FEDERATED_TOKEN_FILE: "token" };
  expect((await report(azure, {}, env, { token: "token-of-the-file\n" })).body?.artifacts).toHaveLength(2);
  expect(azure.requests[0]?.body).toContain("client_assertion=token-of-the-file");
  const { run } = await report(azure);
  expect(run.stdout).toContain("::add-mask::secret-of-the-client");
});

test("uses the login of az", async () => {
  const folder = await mkdtemp(join(tmpdir(), "az-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const program = `#!/bin/sh\n[ "$*" = "account get-access-token --resource https://management.azure.com/ --output json" ] || exit 2\necho '{"accessToken":"${MANAGEMENT}"}'\n`;
  await writeFile(join(folder, "az"), program);
  await chmod(join(folder, "az"), 0o755);
  const { run, body } = await report(await fakeAzure(ONE), {}, { PATH: folder });
  expect(body?.artifacts).toHaveLength(2);
  expect(run.stdout).toContain(`::add-mask::${MANAGEMENT}`);
});

test("waits when Azure limits the rate, and reads thousands of apps", async () => {
  let left = 2;
  const sites = Array.from({ length: 1500 }, (_, index) =>
    site(`app-${index}`, { linux: `DOCKER|x/y@sha256:${A}` }),
  );
  const azure = await fakeAzure({
    ...{ sites, pageSize: 10 },
    instead: ({ query }) =>
      query.get("$skip") === "70" && left-- > 0
        ? { status: 429, headers: { "retry-after": "0" } }
        : undefined,
  });
  expect((await report(azure, { timeout: "60" })).body?.artifacts).toHaveLength(1500);
});

test("asks about many apps over a few connections", async () => {
  const names = Array.from({ length: 100 }, (_, index) => `app-${index}`);
  const config = { body: { properties: { linuxFxVersion: `DOCKER|x/y@sha256:${A}` } } };
  const azure = await fakeAzure({
    sites: names.map((name) => site(name, { linux: null })),
    below: Object.fromEntries(names.map((name) => [`/${name}/config/web`, config])),
  });
  expect((await report(azure)).body?.artifacts).toHaveLength(100);
  expect(azure.tunnels()).toBeLessThanOrEqual(33);
});

test.each<[string, AzureState["instead"], string]>([
  [
    "a missing role",
    ({ host }) =>
      host === "management.azure.com" ? refused(403, "AuthorizationFailed", "no right") : undefined,
    "::error title=cloud.refused::AZURE_CLIENT_SECRET: management.azure.com answered 403 AuthorizationFailed: no right%0AGive this login the role Reader on the resource.",
  ],
  [
    "one failed page of many",
    ({ query }) => (query.get("$skip") === "1" ? refused(400, "BadRequest", "bad page") : undefined),
    "azure-resource-group: management.azure.com answered 400 BadRequest: bad page",
  ],
  [
    "a list that leads back",
    ({ query, host }) =>
      query.has("$skip")
        ? { body: { value: [], nextLink: `https://${host}/x?api-version=2024-11-01&$skip=1` } }
        : undefined,
    "the cloud's list leads back to an earlier page",
  ],
  [
    "a list that continues elsewhere",
    ({ host }) =>
      host === "management.azure.com"
        ? { body: { value: [], nextLink: "https://stolen.azurecr.io/x" } }
        : undefined,
    "management.azure.com continues its list at another server: 'https://stolen.azurecr.io/x'",
  ],
  [
    "a refused login",
    ({ host }) =>
      host.startsWith("login.")
        ? {
            status: 401,
            body: {
              error: "invalid_client",
              error_description: "AADSTS7000215: Invalid secret.\r\nTrace ID: 1",
            },
          }
        : undefined,
    "AZURE_CLIENT_SECRET: login.microsoftonline.com answered 401 invalid_client: AADSTS7000215: Invalid secret.%0ACheck AZURE_CLIENT_ID, AZURE_TENANT_ID and AZURE_CLIENT_SECRET.",
  ],
])("reports nothing after %s", async (_, instead, message) => {
  const azure = await fakeAzure({ ...ONE, pageSize: 1, instead });
  const outcome = await report(azure);
  expect(outcome.body).toBeUndefined();
  expect(outcome.run.status).toBe(1);
  expect(errorOf(outcome)).toContain(message);
  expect(azure.requests.map(({ host }) => host)).not.toContain("stolen.azurecr.io");
});

test("names the role for a registry, which no other registry's login gets", async () => {
  const azure = await fakeAzure({
    sites: [site("web", { linux: "DOCKER|shop.azurecr.io/web:1" })],
    instead: ({ path }) => (path === "/oauth2/exchange" ? { status: 403 } : undefined),
  });
  const outcome = await report(azure);
  expect(errorOf(outcome)).toContain("shop.azurecr.io answered 403%0AGive this login the role AcrPull");
});

const { AZURE_CLIENT_SECRET, ...IDS } = SECRET;

test.each<[string, Record<string, string>, Record<string, string>, string]>([
  [
    "another group",
    { "azure-resource-group": "other" },
    SECRET,
    "azure-resource-group: management.azure.com answered 404",
  ],
  ["no subscription", { "azure-subscription-id": "" }, SECRET, "azure-subscription-id: is missing"],
  ["no login", {}, { PATH: "/nowhere" }, "azure-client-id: is missing, and there is no other login to Azure"],
  [
    "no tenant",
    {},
    { AZURE_CLIENT_ID: "c", AZURE_CLIENT_SECRET },
    "azure-tenant-id: is missing, although AZURE_CLIENT_SECRET is set",
  ],
  ["another tenant", { "azure-tenant-id": "t2" }, SECRET, "AADSTS90002: no tenant%0A"],
  [
    "a job without identity",
    { "azure-client-id": "c" },
    IDS,
    "azure-client-id: needs the identity of the job",
  ],
  [
    "an unknown cloud",
    {},
    { ...SECRET, AZURE_AUTHORITY_HOST: "https://login.example" },
    "AZURE_AUTHORITY_HOST: must be one of login.microsoftonline.com",
  ],
  ["a wrong expression", { "exclude-regex": "(" }, SECRET, "exclude-regex: '(' is not a regular expression"],
  ["nothing that runs", { include: "none" }, SECRET, "allow-empty: is false, and no app was found to report"],
])("explains %s", async (_, inputs, env, message) => {
  const outcome = await report(await fakeAzure(ONE), inputs, env);
  expect(outcome.body).toBeUndefined();
  expect(errorOf(outcome)).toContain(message);
});

test("loads nothing of another cloud, and the reader of archives only for one", async () => {
  const { env, loaded } = await loadedFiles();
  await report(await fakeAzure(ONE), {}, { ...SECRET, ...env }, {}, reportByBundle);
  expect(
    (await loaded()).filter((file) => /aws|google|cloud-run|lambda|zip-content|yauzl/.test(file)),
  ).toEqual([]);
});
