import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runProgram, type ServedProgram, serveProgram } from "../program.ts";
import { runHere } from "../terminal.ts";

const ADMIN_KEY = `de_${"k".repeat(43)}`;

const dispatcher = new Agent();
let data = "";
let service: ServedProgram;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "evidence-orgs-"));
  service = await serveProgram(["--data", data, "--org", "acme"], { env: { EVIDENCE_ADMIN_KEY: ADMIN_KEY } });
});
afterAll(async () => {
  await service.stop("SIGKILL");
  await dispatcher.destroy();
  await rm(data, { recursive: true });
});

async function ask(path: string, key: string, method: "GET" | "POST" | "PUT" = "GET", body?: object) {
  const answer = await request(`${service.address}/api/v2${path}`, {
    method,
    dispatcher,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answered = await answer.body.json();
  return { status: answer.statusCode, body: Object(answered) };
}

const create = (name: string, env: Record<string, string> = {}) =>
  runHere(["orgs", "create", name, "--data", data], { env });

const list = async () =>
  (await runHere(["orgs", "list", "--data", data])).stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ {2,}/));

/** The audit log of an organization, oldest first. */
async function auditLog(org: string, key: string) {
  const { body } = await ask(`/audit-log/${org}?per_page=100`, key);
  const entries: Record<string, unknown>[] = body.data;
  return entries.toReversed();
}

const ON_COMMAND_LINE = { account: "command line", api_key_id: null, address: null, request_id: null };
const MADE = [
  { ...ON_COMMAND_LINE, act: "organization.created" },
  { ...ON_COMMAND_LINE, act: "service_account.created", resource: { name: "admin" } },
  { ...ON_COMMAND_LINE, act: "api_key.created", resource: { name: "admin" } },
];

describe("an organization", () => {
  it("is created while the service runs, which serves it at once; its key is shown once", async () => {
    const { status, stdout, stderr } = runProgram(["orgs", "create", "second", "--data", data]);
    const key = stdout.trim();
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: "Created organization 'second' with the account 'admin', whose key is shown only once.\n",
    });
    expect(key).toMatch(/^de_[A-Za-z0-9_-]{43}[0-9A-Za-z]{6}$/);
    expect(await ask("/organizations/second", key)).toMatchObject({ status: 200, body: { name: "second" } });
    expect((await ask("/organizations/acme", key)).status).toBe(403);
    expect((await ask("/organizations/second", ADMIN_KEY)).status).toBe(403);

    const flow = { name: "web", description: "", template: [] };
    expect((await ask("/flows/second", key, "PUT", flow)).status).toBe(201);
    const [heading, ...rows] = await list();
    expect(heading).toEqual(["NAME", "CREATED", "ACCOUNTS", "FLOWS", "ENVIRONMENTS"]);
    const asJson = await runHere(["orgs", "list", "--output", "json", "--data", data]);
    expect(JSON.parse(asJson.stdout)).toContainEqual({
      ...{ name: "second", created_at: expect.any(Number), accounts: 1, flows: 1, environments: 0 },
    });
    const today = new Date().toISOString().slice(0, 10);
    expect(rows.map(([name, , ...counts]) => [name, ...counts])).toEqual([
      ["acme", "1", "0", "0"],
      ["second", "1", "1", "0"],
    ]);
    expect(rows[1]?.[1]).toBe(today);

    expect(await auditLog("second", key)).toMatchObject([
      ...MADE,
      { act: "flow.created", account: "admin", address: "127.0.0.1" },
    ]);
  });

  it("can be given its key, which is not shown", async () => {
    const key = "an-admin-key-of-the-operators-choice";
    expect(await create("third", { EVIDENCE_ADMIN_KEY: key })).toEqual({
      status: 0,
      stdout: "",
      stderr: "Created organization 'third' with the account 'admin', whose key is EVIDENCE_ADMIN_KEY.\n",
    });
    expect((await ask("/organizations/third", key)).status).toBe(200);
  });

  it.each([
    [["create", "acme"], {}, "Organization 'acme' already exists"],
    [
      ["create", "my org"],
      {},
      "'my org' is not a valid organization name: use 1 to 255 letters, digits and - _ . ~, starting with a letter or a digit",
    ],
    [["create"], {}, "NAME is missing. Usage: delivery-evidence orgs create NAME"],
    [["create", "a", "b"], {}, "Unexpected argument 'b'"],
    [["create", "new", "--org", "x"], {}, "Unknown option --org"],
    [
      ["create", "new"],
      { EVIDENCE_ADMIN_KEY: ADMIN_KEY },
      "The admin key is or was the key of another account: choose another key",
    ],
    [["create", "new"], { EVIDENCE_ADMIN_KEY: "short" }, "The admin key must have at least 32 characters"],
    [["delete", "acme"], {}, "Expected orgs create, orgs list, or orgs rotate-key, got 'orgs delete'"],
  ])("is not made by %j with %j, which says why in one line", async (args, env, message) => {
    const before = await list();
    expect(await runHere(["orgs", ...args], { env: { EVIDENCE_DATA: data, ...env } })).toEqual({
      status: 1,
      stdout: "",
      stderr: `delivery-evidence: ${message}\n`,
    });
    expect(await list(), "nothing of it was stored").toEqual(before);
  });

  it.each([["create", "new"], ["list"]])(
    "is not looked up where no service has run (%s)",
    async (...args) => {
      const nowhere = join(data, "nowhere");
      expect(await runHere(["orgs", ...args, "--data", nowhere])).toEqual({
        status: 1,
        stdout: "",
        stderr: `delivery-evidence: ${nowhere} contains no records. Start the service on it first\n`,
      });
    },
  );
});

describe("the audit log", () => {
  it("starts with the first start, and has the key operations of the command line", async () => {
    const org = ["--data", data, "--org", "acme"];
    for (const name of ["ci", "ci"]) await runHere(["keys", "create", ...org, "--account", name]);
    const { stdout } = await runHere(["keys", "list", ...org]);
    const [id = ""] = stdout.split("\n").filter((line) => line.includes(" ci "));
    const keyId = id.split(" ")[0] ?? "";
    await runHere(["keys", "revoke", keyId, "--data", data]);
    expect((await runHere(["keys", "revoke", keyId, "--data", data])).status).toBe(1);

    const entries = await auditLog("acme", ADMIN_KEY);
    expect(entries).toMatchObject([
      ...MADE,
      { ...ON_COMMAND_LINE, act: "service_account.created", changes: { privilege: { to: "reader" } } },
      { ...ON_COMMAND_LINE, act: "api_key.created", resource: { type: "api_key", name: "ci", id: keyId } },
      { ...ON_COMMAND_LINE, act: "api_key.created", resource: { name: "ci" } },
      { ...ON_COMMAND_LINE, act: "api_key.revoked", resource: { name: "ci", id: keyId } },
    ]);
    expect(JSON.stringify(entries)).not.toContain(ADMIN_KEY);
  });

  it("gets a new key for statements, and the former one stays published with its end", async () => {
    const key = (await create("fourth")).stdout.trim();
    const rotate = () => runHere(["orgs", "rotate-key", "fourth", "--data", data]);
    expect((await rotate()).stderr).toContain("Organization 'fourth' has no key that signs statements");
    await ask("/flows/fourth", key, "PUT", { name: "web", description: "", template: [] });
    const [fingerprint, git_commit] = ["a".repeat(64), "b".repeat(40)];
    await ask("/artifacts/fourth/web", key, "POST", {
      ...{ trail_name: "v1", fingerprint, git_commit, filename: "web", template_reference_name: "web" },
      ...{ build_url: "https://ci.example/1", commit_url: "https://git.example/1" },
    });
    const signer = async () => {
      const { body } = await ask(`/asserts/fourth/fingerprint/${fingerprint}`, key, "POST");
      return body.signatures[0].keyid;
    };
    const first = await signer();
    expect(await signer()).toBe(first);
    expect(await rotate()).toMatchObject({
      status: 0,
      stdout: `Retired key ${first}. The next statement creates a new one\n`,
    });
    const second = await signer();
    const published = await request(`${service.address}/.well-known/evidence-keys.json`, { dispatcher });
    expect(await published.body.json()).toMatchObject({
      keys: [
        { keyid: first, retired_at: expect.stringMatching(/Z$/) },
        { keyid: second, retired_at: null },
      ],
    });
    expect((await auditLog("fourth", key)).at(-1)).toMatchObject({
      ...ON_COMMAND_LINE,
      act: "organization.statement_key_retired",
      details: { key_id: first },
    });
  });
});
