import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { Agent, request } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { VERSION } from "../src/api/version.ts";
import { undocumented } from "./sources/undocumented.ts";

const PROJECT = join(import.meta.dirname, "..");
const TSC = join(PROJECT, "node_modules/.bin/tsc");

const CLIENT = "@delivery-evidence/client";
const SERVICE = "delivery-evidence";
const PACKAGES = { client: CLIENT, service: SERVICE };

/** A project that has installed the packages, and nothing but what these say they depend on. */
let scratch = "";
/** The folder of `npm run build:packages`. */
let built = "";
const contents: Record<string, string[]> = {};
/** The compiler's messages about the programs below. */
let compilerOutput = "";
/** The TypeScript of pages. */
const examples = { library: examplesOf("library"), webhooks: examplesOf("webhooks") };
const dispatcher = new Agent();

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), "evidence-package-"));
  built = build(join(scratch, "source"));
  const tarballs = pack(Object.keys(PACKAGES).map((place) => join(built, place)));
  for (const [at, name] of Object.values(PACKAGES).entries()) {
    const tarball = join(built, tarballs[at] ?? "");
    const installed = join(scratch, "node_modules", name);
    mkdirSync(installed, { recursive: true });
    execFileSync("tar", ["-xzf", tarball, "-C", installed, "--strip-components=1"]);
    contents[name] = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" }).trim().split("\n");
  }
  const { dependencies } = manifestOf(SERVICE);
  expect(manifestOf(CLIENT)).not.toHaveProperty("dependencies");
  expect(dependencies).toMatchObject({ [CLIENT]: VERSION });
  for (const name of [...Object.keys(dependencies), "@types/node"].filter((each) => each !== CLIENT)) {
    const link = join(scratch, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(PROJECT, "node_modules", name), link, "junction");
  }
  writeFileSync(join(scratch, "package.json"), '{"type": "module"}');
  writeFileSync(
    join(scratch, "tsconfig.json"),
    JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ["*.ts"] }),
  );
  const programs = { program: PROGRAM, types: TYPES, empty: 'export type * from "delivery-evidence";' };
  for (const [name, text] of Object.entries({ ...programs, ...examples })) {
    writeFileSync(join(scratch, `${name}.ts`), text);
  }
  compilerOutput = spawnSync(process.execPath, [TSC, "-p", scratch, "--singleThreaded"], {
    encoding: "utf8",
  }).stdout;
}, 120_000);
afterAll(async () => {
  await dispatcher.close();
  rmSync(scratch, { recursive: true, force: true });
});

/** Makes the folders of the packages from a copy of the project, as its publisher would. */
function build(copy: string): string {
  mkdirSync(copy);
  for (const path of [
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "README.md",
    "LICENSE",
    "src",
    "scripts",
  ]) {
    cpSync(join(PROJECT, path), join(copy, path), { recursive: true });
  }
  symlinkSync(join(PROJECT, "node_modules"), join(copy, "node_modules"), "junction");
  const built = join(copy, "packages");
  npm(copy, "run", "--silent", "build:packages", "--", built);
  return built;
}

/** Packs folders, and gives the names of their tarballs beside them. */
function pack(folders: readonly string[]): readonly string[] {
  const printed = npm(built, "pack", ...folders, "--json", "--loglevel=error");
  return [...printed.matchAll(/"filename":\s*"([^"]+)"/g)].map(([, name = ""]) => name);
}

function npm(cwd: string, ...args: readonly string[]): string {
  const shell = process.platform === "win32";
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd, encoding: "utf8", shell });
  if (status !== 0) throw new Error(`npm ${args[0]} failed:\n${stdout}${stderr}`);
  return stdout;
}

function manifestOf(name: string) {
  return JSON.parse(readFileSync(join(scratch, "node_modules", name, "package.json"), "utf8"));
}

function cli(args: readonly string[], env: Record<string, string> = {}) {
  return spawn(process.execPath, [join(scratch, "node_modules/delivery-evidence/lib/cli.js"), ...args], {
    cwd: scratch,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

test("contains what it needs to run, and nothing else", () => {
  const files = contents[SERVICE] ?? [];
  expect(files).toContain("package/lib/cli.js");
  expect(files).toContain("package/src/bin.js");
  expect(files).toContain("package/lib/index.d.ts");
  expect(files).toContain("package/LICENSE");
  const allowed =
    /^package\/(package\.json|README\.md|LICENSE|src\/bin\.js|lib\/service\/(http\/openapi|evidence\/controls\/packs\/[\w-]+)\.json|lib\/.+\.(js|d\.ts|css|svg)|lib\/.+\/(LICENSE|NOTICE))$/;
  expect(files.filter((path) => !allowed.test(path))).toEqual([]);
  expect(files.filter((path) => path.startsWith("package/lib/actions/"))).toEqual([]);
  const ofClient =
    /^package\/(package\.json|README\.md|LICENSE|licenses\.txt|[\w-]+\.(br|wasm)|(shared\/)?[\w.-]+\.js|types\/.+\.d\.ts)$/;
  expect((contents[CLIENT] ?? []).filter((path) => !ofClient.test(path))).toEqual([]);
});

test("says its version on the command line", async () => {
  const said = Buffer.concat(await cli(["--version"]).stdout.toArray()).toString();
  expect(said).toBe(`${VERSION}\n`);
});

test("the command `delivery-evidence` runs in the package", () => {
  const installed = join(scratch, "node_modules/delivery-evidence");
  const { bin } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  const command = join(installed, bin["delivery-evidence"]);
  expect(execFileSync(process.execPath, [command, "--version"], { encoding: "utf8" })).toBe(`${VERSION}\n`);
});

test("`npx delivery-evidence` runs in a clone that was never built", () => {
  const clone = join(scratch, "clone");
  mkdirSync(clone);
  for (const path of ["package.json", "src"])
    cpSync(join(PROJECT, path), join(clone, path), { recursive: true });
  symlinkSync(join(PROJECT, "node_modules"), join(clone, "node_modules"), "junction");
  const { status, stdout, stderr } = spawnSync("npx", ["delivery-evidence", "--version"], {
    cwd: clone,
    encoding: "utf8",
    env: { ...process.env, npm_config_cache: join(scratch, "npm"), npm_config_offline: "true" },
    shell: process.platform === "win32",
  });
  expect({ status, stdout }, stderr).toEqual({ status: 0, stdout: `${VERSION}\n` });
});

test("serves, and a program that imports it type-checks and works with what is served", async () => {
  const service = cli(["serve", "--data", join(scratch, "data"), "--port", "0", "--org", "acme"]);
  try {
    const said: string[] = [];
    for await (const line of createInterface({ input: service.stdout })) if (said.push(line) === 2) break;
    const address = /http:\/\/\S+/.exec(said[0] ?? "")?.[0] ?? "";
    const key = /de_\S+/.exec(said[1] ?? "")?.[0] ?? "";

    expect(compilerOutput).toBe("");

    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(scratch, "program.ts"), address, key],
      {
        encoding: "utf8",
      },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toBe('201 "OK"\nweb@acme\nrefused with 404\n');

    const page = await request(`${address}/api/v2/doc/`, { dispatcher });
    const [, viewer] = /src="(swagger-ui-bundle[^"]+)"/.exec(await page.body.text()) ?? [];
    const script = await request(`${address}/api/v2/doc/${viewer}`, { dispatcher });
    expect(script.statusCode, "the page comes with its viewer").toBe(200);
    await script.body.dump();

    const login = await request(`${address}/login`, { dispatcher, headers: { accept: "text/html" } });
    expect(login.statusCode, "people can sign in").toBe(200);
    const loaded = [...(await login.body.text()).matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)];
    expect(loaded.map(([, path = ""]) => /\.\w+$/.exec(path)?.[0]).sort()).toEqual([".css", ".js", ".svg"]);
    for (const [, path = ""] of loaded) {
      const file = await request(`${address}${path}`, { dispatcher });
      expect(file.statusCode, path).toBe(200);
      await file.body.dump();
    }
  } finally {
    service.kill();
  }
}, 90_000);

test("the client needs at most 1.5 MB, and documents every name that it exports, with every field and method", () => {
  const folder = `${realpathSync(join(scratch, "node_modules", CLIENT))}/`;
  const sizes = (contents[CLIENT] ?? []).map(
    (path) => statSync(join(folder, path.replace("package/", ""))).size,
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(1_500_000);
  const { count, missing } = undocumented(
    join(scratch, "tsconfig.json"),
    `${folder}types/index.d.ts`,
    `${folder}types/`,
  );
  expect(missing).toEqual([]);
  expect(count).toBeGreaterThan(2_000);
}, 60_000);

test("the client's program attests to what the service keeps, and takes 1 and 2 apart", () => {
  const command = join(scratch, "node_modules", CLIENT, manifestOf(CLIENT).bin["delivery-evidence"]);
  const alone = join(scratch, "alone", "cli.js");
  mkdirSync(dirname(alone));
  cpSync(join(built, "cli.js"), alone);
  const run = (...args: readonly string[]) => runOf(command, args);
  const runOf = (program: string, args: readonly string[]) =>
    spawnSync(process.execPath, [program, ...args], {
      encoding: "utf8",
      env: {
        EVIDENCE_API_KEY: "k".repeat(40),
        EVIDENCE_ORG: "acme",
        EVIDENCE_BASE_URL: "http://127.0.0.1:9",
      },
    });
  expect(run("--version").stdout).toBe(`${VERSION}\n`);
  const help = ["help", "call", "listFlows"];
  expect(run(...help).stdout).toContain("Lists the flows");
  expect(runOf(alone, help).stdout, "in one file").toBe(run(...help).stdout);
  expect(run("gate").status).toBe(1);
  expect(run("gate", "--fingerprint", "a".repeat(64), "--retries", "0").status).toBe(2);
});

test("has the names that the TypeScript of pages uses, and the types of its schemas in its declarations", () => {
  expect(compilerOutput).toBe("");
});

function examplesOf(page: string): string {
  const text = readFileSync(join(PROJECT, "docs", `${page}.md`), "utf8");
  const examples = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = ""]) => code);
  expect(examples.length).toBeGreaterThan(0);
  return ["export {};\ndeclare const apiKey: string;\n", ...examples].join("\n");
}

const COMPILER_OPTIONS = {
  target: "es2024",
  lib: ["es2024", "esnext.disposable"],
  module: "nodenext",
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  allowImportingTsExtensions: true,
};

/** Type-checks only if a type is assignable to its counterpart in both directions. */
const TYPES = `import type { NotificationPayload, Requests, Answers, Trail, BeginTrailRequest } from "delivery-evidence";
import type { AnswerOf, RequestOf } from "./node_modules/delivery-evidence/lib/api/operation.js";
import type { operations } from "./node_modules/delivery-evidence/lib/api/resources/operations.js";

type Operations = typeof operations;
type SourceRequests = { [Name in keyof Operations]: RequestOf<Operations[Name]> };
type SourceAnswers = { [Name in keyof Operations]: AnswerOf<Operations[Name]> };
/** Nothing sets a field of an answer to undefined, so the package's types leave that out. */
type Read<T> = T extends Uint8Array ? T : T extends readonly (infer Item)[] ? Read<Item>[] : T extends object
  ? { [Name in keyof T]: {} extends Pick<T, Name> ? Read<Exclude<T[Name], undefined>> : Read<T[Name]> }
  : T;
type Different<One, Other> = {
  [Name in keyof One & keyof Other as [One[Name], Other[Name]] extends [Other[Name], One[Name]] ? never : Name]: true;
};
export const differences: (
  | keyof Different<Requests, SourceRequests>
  | keyof Different<Read<Answers>, Read<SourceAnswers>>
  | Exclude<keyof Requests | keyof Answers, keyof Operations>
  | Exclude<keyof Operations, keyof Requests & keyof Answers>
) extends never
  ? true
  : false = true;

export const name = (trail: Trail): string => trail.flow.name;
export const request: BeginTrailRequest = { flowName: "web", body: { name: "v1" } };
export const daysLeft = (event: NotificationPayload): number | string =>
  event.type === "api_key.expiring" ? event.api_key.days_left : "";
export const trailOf = (event: NotificationPayload) =>
  event.type === "trail.started" ? event.trail?.name : undefined;
// @ts-expect-error Only events of environments have an environment.
export const place = (event: NotificationPayload) => event.type === "trail.started" && event.environment;
`;

const PROGRAM = `import { ApiError, EvidenceClient, items } from "delivery-evidence";

const [, , baseUrl = "", apiKey = ""] = process.argv;
const client = new EvidenceClient({ apiKey, org: "acme", baseUrl });
const { status, body } = await client.createFlow({ body: { name: "web", description: "", template: [] } });
const word: string = body;
process.stdout.write(status + " " + JSON.stringify(word) + "\\n");
await client.beginTrail({
  flowName: "web",
  body: { name: "v1", repoInfo: { name: "web@acme", url: "https://git.example.com/web" } },
});
for await (const repo of items(client, "listRepos", { perPage: 1 })) {
  const name: string = repo.name;
  process.stdout.write(name + "\\n");
}
try {
  await client.getArtifactAttestation({ flowName: "web", fingerprint: "abcdef", attestationName: "unit" });
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  process.stdout.write("refused with " + error.status + "\\n");
}
await client.close();

export function neverRun() {
  // @ts-expect-error A name is a text.
  void client.createFlow({ body: { name: 1, description: "", template: [] } });
  // @ts-expect-error There is no such operation.
  void client.createNothing({});
}
`;
