import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { MappedRole } from "../../src/service/people/sign-in/provider.ts";
import { startLoginProvider, type TestProvider } from "../identity/login-provider.ts";
import { ORG, OTHER_ORG, startTestService, type TestService } from "../service/running-service.ts";
import { runHere } from "./terminal.ts";
import { answerAs, startWaiting, type Waiting, waitHere } from "./waiting-login.ts";

let provider: TestProvider;
let service: TestService;
let ticking: NodeJS.Timeout;
let home: string;

const ROLE_MAP: MappedRole[] = [
  { group: "web", org: ORG, role: "member", flows: ["web"] },
  { group: "both", org: ORG, role: "member" },
  { group: "both", org: OTHER_ORG, role: "reader" },
];

beforeAll(async () => {
  provider = await startLoginProvider();
  service = await startTestService({}, { loginProviders: [provider.settings({ roleMap: ROLE_MAP })] });
  await provider.allow(service.address);
  provider.people.set("ada", { name: "Ada Lovelace", groups: ["web"] });
  provider.people.set("bob", { name: "Bob", groups: ["both"] });
  // The service counts the seconds between polls.
  ticking = setInterval(() => {
    service.clock.time += 0.5;
  }, 500);
});
afterAll(async () => {
  clearInterval(ticking);
  await service.dispose();
  await provider.close();
});
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "evidence-home-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const folder = () => join(home, ".config/delivery-evidence/logins");
const files = () => readdir(folder()).catch(() => []);

const startLogin = (args: readonly string[] = [], env: Record<string, string> = {}, start = waitHere) =>
  start(["login", "--base-url", service.address, ...args], { HOME: home, PATH: "/nowhere", ...env });

const answer = (waiting: Waiting, login: string, button: "Approve" | "Deny") =>
  answerAs({ service, login }, waiting, button);

async function signIn(login = "ada", start = waitHere) {
  const waiting = await startLogin([], {}, start);
  await answer(waiting, login, "Approve");
  return waiting.ended;
}

const run = (args: readonly string[], env: Record<string, string> = {}) =>
  runHere(args, { env: { HOME: home, ...env } });

/** Stores a login as an earlier command did. */
async function store(changes: Record<string, unknown> = {}): Promise<void> {
  await signIn();
  const [name = ""] = await files();
  const file = join(folder(), name);
  await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, "utf8")), ...changes }));
}

describe("delivery-evidence login", () => {
  it("signs a person in, whose login the other commands use until logout", async () => {
    const { status, stdout, stderr } = await signIn("ada", startWaiting);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(
        /^Signed in to http:\/\/127.0.0.1:\d+ as Ada Lovelace, until \d{4}-\d\d-\d\d \d\d:\d\d UTC\n$/,
      ),
    });
    const [name = "", ...others] = await files();
    expect(others).toEqual([]);
    const stored = JSON.parse(await readFile(join(folder(), name), "utf8"));
    expect(stored).toEqual({
      url: service.address,
      token: expect.stringMatching(/^dep_[\w-]{43}$/),
      org: ORG,
      expires_at: expect.closeTo(Date.now() / 1000 + 8 * 3600, -3),
    });
    expect((await stat(join(folder(), name))).mode & 0o777).toBe(0o600);
    expect((await stat(folder())).mode & 0o777).toBe(0o700);
    expect(stdout + stderr).not.toContain(stored.token);

    const called = await run(["call", "listFlows"]);
    expect(called).toEqual({ status: 0, stdout: "[]\n", stderr: "" });
    const who = await run(["whoami"]);
    expect(who.stdout.split("\n").map((line) => line.replaceAll(/ {2,}/g, " | "))).toEqual([
      expect.stringMatching(/^Ada Lovelace, a person at http:\/\/127.0.0.1:\d+, signed in until .* UTC$/),
      "ORGANIZATION | ACCOUNT | ROLE | FOR",
      "acme | Ada Lovelace | member | flows:web",
      "",
    ]);

    expect(await run(["logout"])).toEqual({
      status: 0,
      stdout: `Signed out of ${service.address}\n`,
      stderr: "",
    });
    expect(await files()).toEqual([]);
    const env = { EVIDENCE_API_KEY: stored.token, EVIDENCE_BASE_URL: service.address };
    const after = await run(["whoami"], env);
    expect({ status: after.status, stderr: after.stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining("the access token is not known"),
    });
    const none = await run(["call", "listFlows"]);
    expect(none.stderr).toBe(
      "delivery-evidence: Set EVIDENCE_API_KEY to the API key of an account, or run: delivery-evidence login\n",
    );
    expect((await run(["logout"])).stderr).toBe("delivery-evidence: You are not signed in\n");
  });

  it("fails if the person denies it, the code expires, or the person is not a member", async () => {
    const [denied, stranger, late] = await Promise.all([
      startLogin(),
      startLogin(["--org", OTHER_ORG]),
      startLogin(),
    ]);
    await answer(denied, "ada", "Deny");
    await answer(stranger, "ada", "Approve");
    expect(await denied.ended).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("delivery-evidence: The request was denied in the browser\n"),
    });
    expect(await stranger.ended).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`Ada Lovelace does not belong to '${OTHER_ORG}', only to ${ORG}\n`),
    });
    service.clock.time += 600;
    expect(await late.ended).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("delivery-evidence: The code has expired. Run the command again\n"),
    });
    expect(await files()).toEqual([]);
  });

  it("keeps one whole login if two sign in at once, and asks for an organization if there are several", async () => {
    const waiting = await Promise.all([startLogin(), startLogin()]);
    for (const each of waiting) await answer(each, "bob", "Approve");
    for (const { status, stderr } of await Promise.all(waiting.map(({ ended }) => ended))) {
      expect(status).toBe(0);
      expect(stderr).toContain(`Name an organization with --org: ${ORG}, ${OTHER_ORG}\n`);
    }
    expect(await files()).toHaveLength(1);
    expect((await run(["call", "listFlows"])).stderr).toBe(
      "delivery-evidence: --org NAME or EVIDENCE_ORG is required\n",
    );
    expect((await run(["call", "listFlows", "--org", OTHER_ORG])).status).toBe(0);
  });

  it("opens the page on a machine with a display, and only prints it over SSH", async () => {
    const opened = join(home, "opened");
    const opener = join(home, "xdg-open");
    await writeFile(opener, `#!/bin/sh\necho "$1" >> ${opened}\n`);
    await chmod(opener, 0o755);
    const display = { DISPLAY: ":0", PATH: `${home}:/bin:/usr/bin` };
    const remote = await startLogin([], { ...display, SSH_CONNECTION: "192.0.2.1 1 192.0.2.2 22" });
    const local = await startLogin([], display);
    await expect.poll(() => readFile(opened, "utf8").catch(() => "")).toBe(`${local.page}\n`);
    for (const each of [remote, local]) await answer(each, "ada", "Deny");
    await Promise.all([remote.ended, local.ended]);
  });

  it.each([
    ["no address", [], {}, "--base-url URL or EVIDENCE_BASE_URL is required"],
    [
      "an address without encryption",
      ["--base-url", "http://evidence.example.com"],
      {},
      "--base-url: is http://, which would send the key unencrypted",
    ],
    [
      "no home",
      ["--base-url", "http://127.0.0.1:1"],
      { HOME: "" },
      "Set HOME or XDG_CONFIG_HOME, so that the login can be stored",
    ],
    [
      "a folder that cannot be written, before anybody approves anything",
      ["--base-url", "http://127.0.0.1:1"],
      { XDG_CONFIG_HOME: "/dev/null" },
      "Cannot write to /dev/null/delivery-evidence/logins (ENOTDIR)",
    ],
    ["a service that is down", ["--base-url", "http://127.0.0.1:1"], {}, "connection refused"],
  ])("is refused with %s", async (_, args, env, problem) => {
    const { status, stdout, stderr } = await run(["login", ...args], env);
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: "",
      stderr: expect.stringContaining(problem),
    });
  });

  it("says if the service lets nobody sign in", async () => {
    const server = createServer((_, response) => response.writeHead(404).end("not here"));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    const { stderr } = await run(["login", "--base-url", url]);
    server.close();
    expect(stderr).toContain(`${url} does not let command lines sign in (status 404)`);

    const without = await startTestService({}, { loginProviders: [] });
    const refused = await run(["login", "--base-url", without.address]);
    await without.dispose();
    expect(refused.stderr).toBe(
      "delivery-evidence: No login provider signs people in without --org. Use an API key\n",
    );
  });
});

describe("a stored login", () => {
  it("is not used if there is a key, and is named if the command line signs in nevertheless", async () => {
    await store();
    const { stdout } = await run(["whoami"], {
      EVIDENCE_API_KEY: service.keys.auditor,
      EVIDENCE_BASE_URL: service.address,
    });
    expect(stdout).toMatch(/^auditor, a service account at /);
    const other = await run(["whoami", "--base-url", "http://127.0.0.1:1"]);
    expect(other.stderr).toContain("Set EVIDENCE_API_KEY");
  });

  it("says that it has expired or was ended, and what to do", async () => {
    await store({ expires_at: 1_700_000_000 });
    const again = `Run: delivery-evidence login --base-url ${service.address}\n`;
    expect(await run(["call", "listFlows"])).toEqual({
      status: 1,
      stdout: "",
      stderr: `delivery-evidence: Your login to ${service.address} expired at 2023-11-14 22:13 UTC. ${again}`,
    });
    expect((await run(["logout"])).status).toBe(0);
    await store({ token: "dep_unknown" });
    expect(await run(["call", "listFlows"])).toEqual({
      status: 1,
      stdout: "",
      stderr: `delivery-evidence: Your login to ${service.address} was ended. ${again}`,
    });
  });

  it("is removed by logout even if the service is down", async () => {
    await store();
    const [name = ""] = await files();
    const url = "http://127.0.0.1:1";
    const login = JSON.parse(await readFile(join(folder(), name), "utf8"));
    await rm(join(folder(), name));
    const file = `${createHash("sha256").update(url).digest("hex").slice(0, 32)}.json`;
    await writeFile(join(folder(), file), JSON.stringify({ ...login, url }));
    const { status, stderr } = await run(["logout"]);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/The login was removed here\. At the service, it ends at .* UTC\./),
    });
    expect(await files()).toEqual([]);
  });

  it("has to be named if there are several", async () => {
    await store();
    const [name = ""] = await files();
    const login = JSON.parse(await readFile(join(folder(), name), "utf8"));
    await writeFile(
      join(folder(), "another.json"),
      JSON.stringify({ ...login, url: "https://evidence.example.com" }),
    );
    await writeFile(join(folder(), "damaged.json"), "{");
    expect((await run(["whoami"])).stderr).toMatch(
      /You have signed in to several services: set --base-url to http\S+ or http\S+\n$/,
    );
    expect((await run(["whoami", "--base-url", `${service.address}/api/v2/`])).status).toBe(0);
  });
});
