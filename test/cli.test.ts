import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { Agent, request } from "undici";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { VERSION } from "../src/api/version.ts";
import type { RunningService } from "../src/service/service.ts";
import { CLI } from "./cli/command.ts";
import { ONE_WORKER, runProgram } from "./cli/program.ts";
import { serveHere } from "./cli/served-here.ts";
import { runHere } from "./cli/terminal.ts";
import { COMPILE_CACHE } from "./program-variables.ts";

const dispatcher = new Agent();
afterAll(() => dispatcher.destroy());

let data = "";
const running: ReturnType<typeof spawn>[] = [];
const served: RunningService[] = [];
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "evidence-cli-"));
});
afterEach(async () => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
  for (const service of served.splice(0)) await service.close();
  await rm(data, { recursive: true });
});

/** Starts the service and reads its output until it is ready. */
async function serve(args: string[] = [], env: Record<string, string> = {}, lines = 1) {
  const child = spawn(process.execPath, [CLI, "serve", "--port", "0", ...args], {
    env: { ...COMPILE_CACHE, ...ONE_WORKER, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.push(child);
  let errors = "";
  child.stderr.on("data", (text) => {
    errors += text;
  });
  const output: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    output.push(line);
    if (output.length === lines) break;
  }
  return { child, output, address: /http:\/\/\S+/.exec(output[0] ?? "")?.[0] ?? "", errors: () => errors };
}

/** Serves the data folder for the commands of a test. */
async function keepServing(): Promise<RunningService> {
  const service = await serveHere(data, { org: "default" });
  served.push(service);
  return service;
}

async function statusOf(address: string, key: string, path = "/repos/default") {
  const answer = await request(`${address}/api/v2${path}`, {
    dispatcher,
    headers: { authorization: `Bearer ${key}` },
  });
  await answer.body.dump();
  return answer.statusCode;
}

describe("serve", () => {
  it("prints the admin key of a new organization once, never logs it, and warns when other machines can reach it without TLS", async () => {
    // With the default workers.
    const first = await serve(["--data", data], { EVIDENCE_LOG: "text", EVIDENCE_WORKERS: "" }, 3);
    expect(first.output[2]).toBe(
      `Open ${first.address} in a browser and sign in to the organization 'default' with this key.`,
    );
    expect(first.output[0]).toBe(
      `delivery-evidence ${VERSION} listens on ${first.address} and keeps its records in ${data}`,
    );
    const key =
      /^Admin API key, shown only now: (de_[A-Za-z0-9_-]{43}[0-9A-Za-z]{6})$/.exec(
        first.output[1] ?? "",
      )?.[1] ?? "";
    expect(await statusOf(first.address, key)).toBe(200);
    await expect.poll(first.errors).toMatch(/^\S+Z GET \/api\/v2\/repos\/default 200 /m);
    expect(first.errors()).not.toContain(key);
    first.child.kill("SIGINT");
    expect(await once(first.child, "exit")).toEqual([130, null]);

    const second = await serve(["--data", data, "--host", "0.0.0.0", "--log", "text"]);
    second.child.kill("SIGTERM");
    const rest = await second.child.stdout.toArray();
    expect(Buffer.concat(rest).toString()).toBe("");
    await expect
      .poll(second.errors)
      .toMatch(/^\S+Z warning: --host 0\.0\.0\.0 exposes the service over plain HTTP, /);
  });

  it("accepts all settings from the environment, and options take precedence", async () => {
    const key = "an-admin-key-of-the-operators-choice";
    const { address, child, output } = await serve(["--org", "acme", "--key-rate", "2"], {
      EVIDENCE_DATA: data,
      EVIDENCE_KEY_RATE: "1000",
      EVIDENCE_FAILED_LOGIN_RATE: "1",
      EVIDENCE_ORG: "ignored",
      EVIDENCE_HOST: "127.0.0.1",
      EVIDENCE_PUBLIC_URL: "https://evidence.example.org/",
      EVIDENCE_ADMIN_KEY: key,
    });
    expect(output.join()).not.toContain(key);
    const answer = await request(`${address}/api/v2/repos/acme`, {
      dispatcher,
      headers: { authorization: `Bearer ${key}` },
    });
    expect(await answer.body.json()).toMatchObject({
      _links: { self: { href: "https://evidence.example.org/api/v2/repos/acme?page=1&per_page=15" } },
    });
    const ask = async (by: string) => await statusOf(address, by, "/repos/acme");
    expect([await ask(key), await ask(key)]).toEqual([200, 429]);
    expect([await ask("wrong"), await ask("wrong")]).toEqual([401, 429]);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it.each([
    [["--port", "http"], {}, "--port must be between 0 and 65535, got 'http'"],
    [["--port", "65536"], {}, "--port must be between 0 and 65535, got '65536'"],
    [
      ["--public-url", "example.org"],
      {},
      "--public-url must be a web address such as https://evidence.example.org, got 'example.org'",
    ],
    [["--prot", "1"], {}, "Unknown option --prot. Did you mean --port?"],
    [["extra"], {}, "Unexpected argument 'extra'"],
    [[], { EVIDENCE_LOG: "xml" }, "--log must be text or json, got 'xml'"],
    [["--key-rate", "1.5"], {}, "--key-rate must be a whole number of at least 0, got '1.5'"],
    [[], { EVIDENCE_BODY_MEMORY: "0" }, "--body-memory must be a whole number of at least 1, got '0'"],
    [["--body-disk", "511"], {}, "--body-disk must be a whole number of at least 512, got '511'"],
    [
      ["--trusted-proxies", "10.0.0.0/33"],
      {},
      "'10.0.0.0/33' is neither an address nor a network such as 10.0.0.0/8",
    ],
    [
      ["--database-url", "postgres://evidence:a/b@127.0.0.1/evidence"],
      {},
      "--database-url must be an address such as postgres://user@host:5432/name. Put a password with : / ? # @ % in " +
        "--database-password-file, or percent-encode it (%3A for :)",
    ],
    [[], { EVIDENCE_ADMIN_KEY: "short" }, "The admin key must have at least 32 characters"],
    [
      ["--org", "my org"],
      {},
      "'my org' is not a valid organization name: use 1 to 255 letters, digits and - _ . ~, starting with a letter or a digit",
    ],
    [["--org", "API"], {}, "'API' is not a valid organization name: the service uses the path /api itself"],
    [
      [],
      { EVIDENCE_ADMIN_KEY: `a:${"x".repeat(40)}` },
      "The admin key may contain only printable ASCII characters except spaces and colons",
    ],
  ])("exits with one line and status 1 for %j and %j", async (args, env, message) => {
    expect(
      await runHere(["serve", "--data", data, ...args], { env: { EVIDENCE_PORT: "0", ...env } }),
    ).toEqual({
      status: 1,
      stdout: "",
      stderr: `delivery-evidence: ${message}\n`,
    });
  });

  it("requires a location for its records", async () => {
    expect(await runHere(["serve"], { env: { EVIDENCE_DATA: "" } })).toMatchObject({
      status: 1,
      stderr:
        "delivery-evidence: --data DIR or EVIDENCE_DATA is required, or --database-url with --attachments\n",
    });
  });

  it("reports a port in use", async () => {
    const { address } = await keepServing();
    const { port } = new URL(address);
    const again = await runHere(["serve", "--data", join(data, "another"), "--port", port]);
    expect([again.status, again.stderr]).toEqual([
      1,
      `delivery-evidence: Cannot listen on 127.0.0.1 port ${port}: choose another address or port\n` +
        `  because: Error: listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`,
    ]);
    const { output } = await serve(["--data", join(data, "another")], {}, 2);
    expect(output[1], "the key was not lost to the failed start").toContain("shown only now: de_");
  });

  it("reports another service on its data folder", async () => {
    await keepServing();
    const again = await runHere(["serve", "--data", data, "--port", "0"]);
    expect(again.status).toBe(1);
    expect(again.stderr).toContain(`delivery-evidence: Another service is using ${data}\n`);
  });
});

describe("keys", () => {
  it("are created, listed and revoked while the service runs", async () => {
    const { address } = await keepServing();
    const created = await runHere([
      "keys",
      "create",
      "--data",
      data,
      "--account",
      "ci",
      "--role",
      "member",
      "--description",
      "for CI",
    ]);
    const key = created.stdout.trim();
    expect(created).toMatchObject({ status: 0, stderr: "" });
    expect(key).toMatch(/^de_[A-Za-z0-9_-]{43}[0-9A-Za-z]{6}$/);
    expect(await statusOf(address, key)).toBe(200);

    const listed = await runHere(["keys", "list", "--data", data]);
    expect(listed.stdout).not.toContain(key);
    const rows = listed.stdout.split("\n").map((line) => line.split(/ {2,}/));
    const row = rows.find(([, , account]) => account === "ci");
    expect(row?.slice(1)).toEqual([
      "default",
      "ci",
      "member",
      "all",
      expect.stringMatching(/^\d{4}-/),
      "never",
      "for CI",
    ]);

    const id = row?.[0] ?? "";
    const asJson = await runHere(["keys", "list", "--data", data, "--output", "json"]);
    const records: { id: string }[] = JSON.parse(asJson.stdout);
    expect(records.find((record) => record.id === id)).toEqual({
      ...{ id, organization: "default", account: "ci", role: "member", flows: null, environments: null },
      ...{
        may_rotate_itself: false,
        created_at: expect.any(Number),
        expires_at: null,
        description: "for CI",
      },
    });
    expect(await runHere(["keys", "revoke", "--data", data, id])).toEqual({
      status: 0,
      stdout: `Revoked API key ${id}\n`,
      stderr: "",
    });
    expect(await statusOf(address, key)).toBe(401);
    expect(await runHere(["keys", "revoke", "--data", data, id])).toMatchObject({
      status: 1,
      stderr: `delivery-evidence: API key not found: ${id}\n`,
    });
  });

  it("have the role reader by default, and one account can have several", async () => {
    const { address } = await keepServing();
    const create = ["keys", "create", "--data", data, "--account", "viewer"];
    const first = (await runHere(create)).stdout.trim();
    const second = (await runHere(create)).stdout.trim();
    expect(first).not.toBe(second);
    for (const key of [first, second]) expect(await statusOf(address, key)).toBe(200);
    expect((await runHere([...create, "--role", "admin"])).stderr).toBe(
      "delivery-evidence: Account 'viewer' has the role 'reader', not 'admin'\n",
    );
  });

  it("can expire", async () => {
    await keepServing();
    const expires = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
    await runHere(["keys", "create", "--data", data, "--account", "ci", "--expires", expires]);
    expect((await runHere(["keys", "list", "--data", data])).stdout).toContain(expires);
  });

  it.each([
    [["create"], "--account NAME is required"],
    [["create", "--account", "a b"], "--account must be 1 to 64 letters, digits and hyphens, got 'a b'"],
    [
      ["create", "--account", "ci", "--role", "root"],
      "--role must be admin, member, attester, approver, snapshotter, auditor, or reader, got 'root'",
    ],
    [
      ["create", "--account", "ci", "--expires", "soon"],
      "--expires must be a date such as 2027-01-31, got 'soon'",
    ],
    [
      ["create", "--account", "ci", "--expires", "2020-01-01"],
      "--expires must be in the future, got '2020-01-01'",
    ],
    [["revoke"], "ID is missing. Usage: delivery-evidence keys revoke ID"],
    [["rotate"], "Expected keys create, keys list, or keys revoke, got 'keys rotate'"],
  ])("%j is one line and status 1", async (args, message) => {
    expect(await runHere(["keys", ...args], { env: { EVIDENCE_DATA: data } })).toEqual({
      status: 1,
      stdout: "",
      stderr: `delivery-evidence: ${message}\n`,
    });
  });

  it("require a folder that a service has used", async () => {
    expect(await runHere(["keys", "list", "--data", join(data, "nowhere")])).toMatchObject({
      status: 1,
      stderr: `delivery-evidence: ${join(data, "nowhere")} contains no records. Start the service on it first\n`,
    });
  });
});

describe("the command itself", () => {
  it.each([
    [[], "No command given. delivery-evidence --help lists the commands"],
    [["start"], "Unknown command 'start'. delivery-evidence --help lists the commands"],
  ])("%j is one line and status 1", (args, message) => {
    expect(runProgram(args)).toEqual({ status: 1, stdout: "", stderr: `delivery-evidence: ${message}\n` });
  });

  it("shows its version and its help", async () => {
    expect(runProgram(["--version"])).toEqual({ status: 0, stdout: `${VERSION}\n`, stderr: "" });
    const help = runProgram(["--help"]);
    expect({ ...help, stdout: "" }).toEqual({ status: 0, stdout: "", stderr: "" });
    for (const word of ["serve", "API keys: create", "attest", "help COMMAND"]) {
      expect(help.stdout).toContain(word);
    }
  });

  it("reads standard input and files, and writes bytes unchanged", async () => {
    const { output, address } = await serve(["--data", data], {}, 2);
    const env = { EVIDENCE_API_KEY: /de_\S+/.exec(output[1] ?? "")?.[0] ?? "", EVIDENCE_BASE_URL: address };
    const call = (...args: string[]) =>
      spawn(process.execPath, [CLI, "call", "--org", "default", ...args], {
        cwd: data,
        env: { ...COMPILE_CACHE, ...env },
      });
    const content = Buffer.from([0, 255, 10, 13, 10]);
    await writeFile(join(data, "a.bin"), content);
    const trail = ["flow_name=web", "trail_name=v1"];
    const attesting = call("attestGeneric", ...trail, "attachment_file=a.bin", "--body", "-");
    attesting.stdin.end('{"attestation_name": "unit", "is_compliant": true}');
    expect(await text(attesting.stdout)).toBe('"OK"\n');

    const [record] = JSON.parse(
      await text(call("listTrailAttestations", ...trail, "attestation_name=unit").stdout),
    );
    const download = call("downloadEvidence", ...trail, `attestation_id=${record.attestation_id}`);
    expect(Buffer.concat(await download.stdout.toArray())).toEqual(content);
  });
});
