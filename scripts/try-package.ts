/*
 * Installs the npm package into an empty folder, as users do, and uses it there with each Node: the oldest supported
 * one of each range, and the project's.
 *
 *   node scripts/try-package.ts [FILE.tgz]
 *
 * Without a file, it packs one.
 */
import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const { name, version, engines, devDependencies } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);
const nodes: string[] = [...(String(engines.node).match(/\d[\d.]+/g) ?? []), devDependencies.node];

/** A program that imports the library by name. */
const PROGRAM = `import { EvidenceClient } from "delivery-evidence";

const [, , baseUrl, apiKey] = process.argv;
const client = new EvidenceClient({ apiKey, org: "acme", baseUrl });
const { status } = await client.createFlow({ body: { name: "web", description: "", template: [] } });
const { body } = await client.listFlows({});
await client.close();
process.stdout.write(status + " " + body.map(({ name }) => name));
`;

const scratch = mkdtempSync(join(tmpdir(), "evidence-package-"));
try {
  const tarball = resolve(process.argv[2] ?? pack());
  for (const node of nodes) {
    await tryWith(node, tarball);
    process.stdout.write(`${name} ${version} works under Node ${node}\n`);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function pack(): string {
  const { stdout } = run("npm", ["pack", "--json", "--loglevel=error", "--pack-destination", scratch], root);
  return join(scratch, /"filename":\s*"([^"]+)"/.exec(stdout)?.[1] ?? "");
}

async function tryWith(node: string, tarball: string): Promise<void> {
  const folder = join(scratch, node);
  mkdirSync(folder);
  writeFileSync(
    join(folder, "package.json"),
    '{"type": "module", "private": true, "allowScripts": {"node": true}}',
  );
  run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", tarball, `node@${node}`], folder);

  const program = join(folder, "node_modules/.bin/node");
  const cli = join(folder, "node_modules/delivery-evidence/lib/cli.js");
  expectText(run(program, ["--version"], folder).stdout, `v${node}\n`);
  expectText(run(program, [cli, "--version"], folder).stdout, `${version}\n`);

  const service = spawn(
    program,
    [cli, "serve", "--data", join(folder, "data"), "--port", "0", "--org", "acme"],
    {
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  try {
    const [address, key] = await startedAs(service.stdout);
    writeFileSync(join(folder, "program.js"), PROGRAM);
    const { stdout, stderr } = run(program, [join(folder, "program.js"), address, key], folder);
    expectText(`${stdout}${stderr}`, "201 web");
  } finally {
    service.kill();
    if (service.exitCode === null) await once(service, "exit");
  }
}

/** The URL and first key of a service, which it prints in two lines. */
async function startedAs(output: NodeJS.ReadableStream): Promise<[address: string, key: string]> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: output })) if (lines.push(line) === 2) break;
  return [/http:\/\/\S+/.exec(lines[0] ?? "")?.[0] ?? "", /de_\S+/.exec(lines[1] ?? "")?.[0] ?? ""];
}

function expectText(found: string, expected: string): void {
  if (found !== expected) throw new Error(`The package printed '${found}' and not '${expected}'`);
}

function run(program: string, args: readonly string[], cwd: string): SpawnSyncReturns<string> {
  const result = spawnSync(program, args, { cwd, encoding: "utf8" });
  if (result.status === 0) return result;
  throw new Error(`${program} ${args[0]} ended with ${result.status}:\n${result.stdout}${result.stderr}`);
}
