import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PlayedAction } from "../../scripts/composite/composite.ts";
import { httpServer } from "../api/local-server.ts";
import { send } from "../service/requests.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";
import { exampleWorkflows } from "./examples.ts";
import type { JobRun } from "./run/job-run.ts";
import { runWorkflow } from "./run/workflow-run.ts";

const ADDRESS = "https://evidence.example.com";
const SECRET = "EVIDENCE_API_KEY";
const [caller] = exampleWorkflows("docs/rotate-key.md");

let folder: string;
let service: TestService;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "rotate-key-"));
  await mkdir(join(folder, "secrets"));
  await mkdir(join(folder, "bin"));
  const gh = join(folder, "bin", "gh");
  await copyFile(fileURLToPath(new URL("run/fake-gh.sh", import.meta.url)), gh);
  await chmod(gh, 0o755);
  service = await startTestService();
  // A key created now is newer than those of the service's first moment.
  service.clock.time += 60;
  await writeFile(secretFile(), service.keys.member);
});
afterEach(async () => {
  await service.dispose();
  await rm(folder, { recursive: true });
});

const secretFile = (name = SECRET) => join(folder, "secrets", name);
const secret = async (name?: string) => readFile(secretFile(name), "utf8");
const calls = async () => (await readFile(join(folder, "asked"), "utf8")).trimEnd().split("\n");
const works = async (key: string) => (await send(service, { path: `/repos/${ORG}`, key })).status === 200;
const newKey = async (account: string, json: object): Promise<{ id: string; key: string }> => {
  const path = `/service-accounts/${ORG}/${account}/api-keys`;
  return (await send(service, { method: "POST", path, key: service.keys.admin, json })).body;
};
const keysOf = async (account: string): Promise<Record<string, unknown>[]> => {
  const path = `/service-accounts/${ORG}/${account}/api-keys`;
  return (await send(service, { path, key: service.keys.admin })).body;
};

/** Replaces the action that creates a token of a GitHub App, and records its inputs. */
const appToken: PlayedAction = async ({ with: given }) => {
  await writeFile(join(folder, "app"), JSON.stringify(given));
  return { outcome: "success", outputs: { token: "token-for-secrets" } };
};

/** Runs the page's caller, which gets more inputs, with the key in the secret. */
async function rotate({
  inputs = {},
  address = service.address,
  apiKey = undefined as string | undefined,
  token = "token-for-secrets",
  appKey = "",
} = {}): Promise<JobRun> {
  if (caller === undefined) throw new Error("The page has no example");
  const more = Object.entries({ "service-account": "member", ...inputs });
  const lines = more.map(([name, value]) => `      ${name}: ${JSON.stringify(value)}`).join("\n");
  const text = caller.text.replace(ADDRESS, address).replace("      service-account: ci", lines);
  const secrets = "      app-private-key: ${{ secrets.APP_KEY }}\n";
  const workspace = await mkdtemp(join(folder, "machine-"));
  const runs = await runWorkflow(
    { name: caller.name, text: text + secrets },
    {
      github: { repository: "acme/web", server_url: "https://github.com" },
      secrets: { EVIDENCE_API_KEY: apiKey ?? (await secret()), SECRETS_TOKEN: token, APP_KEY: appKey },
      env: {
        PATH: `${join(folder, "bin")}:${dirname(process.execPath)}:${process.env["PATH"]}`,
        FAKE_GH: folder,
      },
      machine: async () => ({
        ...{ workspace, tempDir: join(workspace, "temp") },
        played: { "actions/create-github-app-token": appToken },
      }),
    },
  );
  const run = runs["rotate"] ?? expect.fail("The example has no job rotate");
  // No file of the job contains a key, even after a failure.
  for (const name of await readdir(join(workspace, "temp"))) expect(name).not.toMatch(/^rotated-key/);
  return run;
}

const messagesOf = ({ annotations }: JobRun) => annotations.map(({ message }) => message).join("\n");

describe("a key is rotated", () => {
  test("and the secret then has a working key that is never shown and can be rotated again", async () => {
    const old = await secret();
    const run = await rotate();
    expect(messagesOf(run)).toBe("");
    expect(run.result).toBe("success");
    const created = await secret();
    expect(created).toMatch(/^de_[\w-]{43}[0-9A-Za-z]{6}$/);
    expect(created).not.toBe(old);
    expect([await works(old), await works(created)]).toEqual([true, true]);
    const [, newest] = await keysOf("member");
    expect(run.outputs).toEqual({
      status: "rotated",
      "key-id": newest?.["id"],
      "expires-at": String(newest?.["expires_at"]),
      "grace-period-expires-at": String(service.clock.time + 24 * 3600),
    });
    expect(Math.round((Number(run.outputs["expires-at"]) - Date.now() / 1000) / 86_400)).toBe(90);
    expect(run.printed).toContain(`::add-mask::${created}\n`);
    expect(run.printed.replace(`::add-mask::${created}`, "")).not.toContain(created);
    expect(await calls()).toEqual([
      "secret list --repo github.com/acme/web --json name --jq .[].name",
      `secret set ${SECRET} --repo github.com/acme/web`,
    ]);

    service.clock.time += 24 * 3600;
    expect([await works(old), await works(created)]).toEqual([false, true]);
    expect((await rotate()).outputs["status"]).toBe("rotated");
    expect(await works(await secret())).toBe(true);
  });

  test("by another key with that right, into the secret of an environment, permanently", async () => {
    await writeFile(secretFile("SNAPSHOTS"), "as it was");
    const inputs = {
      ...{ "service-account": "snapshotter", "secret-name": "SNAPSHOTS", "secret-environment": "production" },
      ...{ "valid-days": 0, "grace-period-hours": 1 },
    };
    const run = await rotate({ apiKey: service.keys.admin, inputs });
    expect(run.outputs).toMatchObject({
      "expires-at": "0",
      "grace-period-expires-at": String(service.clock.time + 3600),
    });
    expect(await works(await secret("SNAPSHOTS"))).toBe(true);
    expect(await calls()).toEqual([
      "secret list --repo github.com/acme/web --env production --json name --jq .[].name",
      "secret set SNAPSHOTS --repo github.com/acme/web --env production",
    ]);
  });

  test.each([
    [{}, { "permission-secrets": "write", "permission-environments": "" }],
    [
      { "secret-environment": "production" },
      { "permission-secrets": "", "permission-environments": "write" },
    ],
  ])("with the token of a GitHub App, which has no more permissions: %j", async (inputs, permissions) => {
    const run = await rotate({ inputs: { "app-id": "4711", ...inputs }, token: "", appKey: "the key" });
    expect(messagesOf(run)).toBe("");
    expect(await works(await secret())).toBe(true);
    const given = JSON.parse(await readFile(join(folder, "app"), "utf8"));
    expect(given).toEqual({ "app-id": "4711", "private-key": "the key", ...permissions });
  });

  test("that is in the secret, by its id, and not a newer one of the account", async () => {
    const [own] = await keysOf("member");
    service.clock.time += 1;
    const newer = await newKey("member", { description: "for tests" });
    service.clock.time += 1;
    expect((await rotate()).result).toBe("success");
    service.clock.time += 24 * 3600;
    const left = (await keysOf("member")).map(({ id }) => id);
    expect(left).toEqual([newer.id, expect.any(String)]);
    expect(left).not.toContain(own?.["id"]);
    expect(await works(newer.key)).toBe(true);
  });

  test("that is narrow, where it may rotate itself", async () => {
    const expiry = Math.floor(service.clock.time) + 30 * 86_400;
    const narrow = { description: "web", flows: ["web"], expires_at: expiry };
    const key = await newKey("reader", narrow);
    await writeFile(secretFile(), key.key);
    const inputs = { "service-account": "reader" };
    const refused = await rotate({ inputs });
    expect(messagesOf(refused)).toContain("Set api-key to a key that may rotate itself");
    const allowed = await newKey("reader", { ...narrow, may_rotate_itself: true });
    await writeFile(secretFile(), allowed.key);
    const run = await rotate({ inputs });
    expect(messagesOf(run)).toBe("");
    const created = await secret();
    expect(created).not.toBe(allowed.key);
    const path = `/service-accounts/${ORG}/reader/api-keys/self`;
    expect((await send(service, { path, key: created })).body).toMatchObject({
      ...{ id: run.outputs["key-id"], flows: ["web"], may_rotate_itself: true },
      expires_at: expiry,
    });
  });

  test("that its description names, with the key of another account", async () => {
    const other = { body: await newKey("member", { description: "shop" }) };
    const apiKey = service.keys.admin;
    const unclear = await rotate({ apiKey });
    expect(unclear.result).toBe("failure");
    expect(messagesOf(unclear)).toContain(
      "key-description: is required to select one of the account's keys: 'for tests', 'shop'",
    );
    const unknown = await rotate({ apiKey, inputs: { "key-description": "web" } });
    expect(messagesOf(unknown)).toContain("the account has no such key, only 'for tests', 'shop'");
    const named = await rotate({ apiKey, inputs: { "key-description": "for tests" } });
    expect(named.result).toBe("success");
    const unchanged = (await keysOf("member")).filter(({ description }) => description === "shop");
    expect(unchanged).toMatchObject([{ id: other.body.id }]);
  });
});

describe("no key is rotated", () => {
  test.each([
    ["the token is rejected", { token: "none" }, "The secrets cannot be listed"],
    ["no token is given", { token: "" }, "secrets-token: is missing"],
    ["the secret does not exist", { inputs: { "secret-name": "OTHER" } }, "There is no such secret"],
    [
      "the key lacks the right",
      { apiKey: "reader" },
      "Set api-key to a key that may rotate itself or manage the account",
    ],
    ["the key is unknown", { apiKey: `de_${"x".repeat(49)}` }, "Create a new key manually"],
    [
      "the account does not exist",
      { inputs: { "service-account": "nobody" } },
      "Set org and service-account to an existing",
    ],
    [
      "the key would be sent unencrypted",
      { address: "http://evidence.example.com" },
      "must begin with https://",
    ],
    ["the address is invalid", { address: "evidence" }, "must be the https:// address of the service"],
    [
      "the duration is invalid",
      { inputs: { "grace-period-hours": 0 } },
      "must be a whole number from 1 to 720",
    ],
  ])("when %s", async (_, given, expected) => {
    const { reader } = service.keys;
    const apiKey = "apiKey" in given ? { apiKey: given.apiKey === "reader" ? reader : given.apiKey } : {};
    const run = await rotate({ ...given, ...apiKey });
    expect(run.result).toBe("failure");
    expect(messagesOf(run)).toContain(expected);
    expect(await keysOf("member")).toHaveLength(1);
    expect(await secret()).toBe(service.keys.member);
  });

  test("in a dry run, which sends nothing", async () => {
    const run = await rotate({ inputs: { "dry-run": true }, token: "none" });
    expect(run.outputs).toMatchObject({ status: "dry-run", "key-id": "" });
    expect(existsSync(join(folder, "asked"))).toBe(false);
    expect(await keysOf("member")).toHaveLength(1);
  });
});

test("a secret that cannot be written leaves the old key to the next run, which replaces it again", async () => {
  await writeFile(
    join(folder, "refuses-set"),
    "HTTP 403: Resource not accessible by personal access token\n",
  );
  const failed = await rotate();
  expect(failed.result).toBe("failure");
  expect(messagesOf(failed)).toContain("The secret could not be written");
  expect(await secret()).toBe(service.keys.member);
  const [old, lost] = await keysOf("member");

  await rm(join(folder, "refuses-set"));
  service.clock.time += 60;
  expect((await rotate()).result).toBe("success");
  expect(await works(await secret())).toBe(true);
  service.clock.time += 24 * 3600;
  const left = (await keysOf("member")).map(({ id }) => id);
  expect(left).toEqual([lost?.["id"], expect.any(String)]);
  expect(left).not.toContain(old?.["id"]);
});

test.each([
  ["401", 401, "The service answered the new key k2 with 401. The secret is unchanged"],
  ["a fault", 503, "The service answered the new key k2 with 503. The secret is unchanged"],
  ["a redirect", 302, "The request to the service failed"],
])("a new key that is answered with %s is not written", async (_, status, expected) => {
  const created = { id: "k2", key: "de_new-key", expires_at: 0, grace_period_expires_at: 1_800_000_000 };
  const server = await httpServer((response, { method, path, headers }) => {
    const answer = (code: number, data: unknown) =>
      response.writeHead(code, { location: "https://trap.example/" }).end(JSON.stringify(data));
    if (path.startsWith("/api/v2/repos/")) {
      expect(headers.authorization).toBe("Bearer de_new-key");
      return answer(status, {});
    }
    return method === "GET"
      ? answer(200, { id: "k1", description: "ci", created_at: 1 })
      : answer(201, created);
  });
  const run = await rotate({ address: server.url });
  expect(run.result).toBe("failure");
  expect(messagesOf(run)).toContain(expected);
  expect(await secret()).toBe(service.keys.member);
  expect(run.printed.replace("::add-mask::de_new-key", "")).not.toContain("de_new-key");
});
