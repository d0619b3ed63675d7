/*
 * Installs the npm packages into empty folders, as users do, and uses them there with each Node: the oldest supported
 * one of each range, and the project's.
 *
 *   node scripts/try-package.ts
 */
import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const { version, engines, devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const nodes: string[] = [...(String(engines.node).match(/\d[\d.]+/g) ?? []), devDependencies.node];

/** A program that imports the client by name. */
const programOf = (name: string) => `import { EvidenceClient } from "${name}";

const [, , baseUrl, apiKey] = process.argv;
const client = new EvidenceClient({ apiKey, org: "acme", baseUrl });
const { status } = await client.createFlow({ body: { name: "web", description: "", template: [] } });
const { body } = await client.listFlows({});
await client.close();
process.stdout.write(status + " " + body.map(({ name }) => name));
`;

const SHA = "0b7a2f6c1d9e4a53b8c70e1f2a3b4c5d6e7f8091";
const ARTIFACT = ["--flow", "web", "--name", "app", "--kind", "artifact", "--fingerprint", "a".repeat(64)];
const addressAt = (name: string) => `https://${name}.example.com/acme/web`;

const FORGE = { GITHUB_ACTIONS: "true", GITHUB_SHA: SHA, GITHUB_REPOSITORY: "acme/web", GITHUB_RUN_ID: "1" };

/** The variables that name the commit and the repository, by CI system. */
const JOBS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  github: FORGE,
  forgejo: {
    ...FORGE,
    FORGEJO_ACTIONS: "true",
    GITHUB_SERVER_URL: "https://forge.example.com",
    GITHUB_RUN_NUMBER: "1",
  },
  gitea: {
    ...FORGE,
    GITEA_ACTIONS: "true",
    GITHUB_SERVER_URL: "https://forge.example.com",
    GITHUB_RUN_NUMBER: "1",
  },
  gitlab: {
    GITLAB_CI: "true",
    CI_COMMIT_SHA: SHA,
    CI_PROJECT_PATH: "acme/web",
    CI_PROJECT_URL: addressAt("gitlab"),
    CI_JOB_URL: addressAt("gitlab/-/jobs/1"),
  },
  azure: {
    TF_BUILD: "True",
    BUILD_SOURCEVERSION: SHA,
    BUILD_REPOSITORY_NAME: "web",
    BUILD_REPOSITORY_PROVIDER: "TfsGit",
    BUILD_REPOSITORY_URI: "https://dev.azure.com/acme/shop/_git/web",
    SYSTEM_COLLECTIONURI: "https://dev.azure.com/acme/",
    SYSTEM_TEAMPROJECT: "shop",
    BUILD_BUILDID: "1",
  },
  bitbucket: {
    BITBUCKET_BUILD_NUMBER: "1",
    BITBUCKET_COMMIT: SHA,
    BITBUCKET_REPO_FULL_NAME: "acme/web",
  },
  circleci: {
    CIRCLECI: "true",
    CIRCLE_SHA1: SHA,
    CIRCLE_REPOSITORY_URL: "git@github.com:acme/web.git",
    CIRCLE_BUILD_URL: addressAt("circle"),
  },
  buildkite: {
    BUILDKITE: "true",
    BUILDKITE_COMMIT: SHA,
    BUILDKITE_REPO: "git@github.com:acme/web.git",
    BUILDKITE_BUILD_URL: addressAt("buildkite"),
  },
  jenkins: {
    JENKINS_URL: "https://jenkins.example.com/",
    GIT_COMMIT: SHA,
    GIT_URL: addressAt("git"),
    BUILD_URL: addressAt("jenkins"),
  },
  codebuild: {
    CODEBUILD_BUILD_ID: "web:1",
    CODEBUILD_RESOLVED_SOURCE_VERSION: SHA,
    CODEBUILD_SOURCE_REPO_URL: addressAt("git"),
    CODEBUILD_BUILD_URL: addressAt("codebuild"),
  },
  woodpecker: {
    CI: "woodpecker",
    CI_COMMIT_SHA: SHA,
    CI_REPO: "acme/web",
    CI_REPO_URL: addressAt("forge"),
    CI_PIPELINE_URL: addressAt("woodpecker"),
  },
};

/** Jobs that have the repository, or everything, from their clone. */
const JOBS_IN_CLONES: typeof JOBS = {
  teamcity: { TEAMCITY_VERSION: "2025.11", BUILD_URL: addressAt("teamcity") },
  git: { EVIDENCE_ORIGIN_URL: addressAt("builds") },
};

const scratch = mkdtempSync(join(tmpdir(), "evidence-package-"));
try {
  run("npm", ["run", "--silent", "build:packages", "--", join(scratch, "built")], root);
  const [client, service] = ["client", "service"].map(pack);
  for (const node of nodes) {
    await tryWith(node, client ?? "", service ?? "");
    process.stdout.write(`delivery-evidence ${version} and its client work under Node ${node}\n`);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function pack(name: string): string {
  const args = ["pack", join(scratch, "built", name), "--json", "--loglevel=error"];
  const { stdout } = run("npm", [...args, "--pack-destination", scratch], root);
  return join(scratch, /"filename":\s*"([^"]+)"/.exec(stdout)?.[1] ?? "");
}

/** Uses the client from a folder of its own, where nothing else is, with a service from another one. */
async function tryWith(node: string, client: string, service: string): Promise<void> {
  const apart = install(`client-${node}`, [client, `node@${node}`]);
  const together = install(`service-${node}`, [client, service, `node@${node}`]);
  if (existsSync(join(apart, "node_modules/zod"))) throw new Error("The client installed a dependency");
  const program = join(apart, "node_modules/.bin/node");
  const command = join(apart, "node_modules/@delivery-evidence/client/cli.js");
  const cli = join(together, "node_modules/delivery-evidence/lib/cli.js");
  expectText(run(program, ["--version"], apart).stdout, `v${node}\n`);
  for (const each of [command, cli])
    expectText(run(program, [each, "--version"], apart).stdout, `${version}\n`);

  const data = ["--data", join(together, "data"), "--port", "0", "--org", "acme"];
  const served = spawn(program, [cli, "serve", ...data], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const [address, key] = await startedAs(served.stdout);
    for (const [folder, name, expected] of [
      [apart, "@delivery-evidence/client", "201 web"],
      [together, "delivery-evidence", "200 web"],
    ] as const) {
      writeFileSync(join(folder, "program.js"), programOf(name));
      const { stdout, stderr } = run(program, [join(folder, "program.js"), address, key], folder);
      expectText(`${stdout}${stderr}`, expected);
    }
    const env = { EVIDENCE_BASE_URL: address, EVIDENCE_API_KEY: key, EVIDENCE_ORG: "acme" };
    const clone = cloneIn(join(apart, "clone"));
    for (const each of [command, cli, join(scratch, "built/cli.js")]) {
      const attest = (job: Readonly<Record<string, string>>, folder: string, commit: string) => {
        const args = [each, "attest", ...ARTIFACT, "--output", "json"];
        const { stdout } = run(program, args, folder, { ...ownVariables(), ...env, ...job });
        const { status, trail } = JSON.parse(stdout);
        expectText(`${status} ${trail}`, `recorded ${commit}`);
      };
      for (const job of Object.values(JOBS)) attest(job, apart, SHA);
      for (const job of Object.values(JOBS_IN_CLONES))
        attest({ ...job, BUILD_VCS_NUMBER: clone.commit }, clone.folder, clone.commit);
    }
  } finally {
    served.kill();
    if (served.exitCode === null) await once(served, "exit");
  }
}

/** A clone with one commit. */
function cloneIn(folder: string): { folder: string; commit: string } {
  const git = (...args: readonly string[]) => run("git", args, scratch).stdout.trim();
  git("init", "--quiet", folder);
  git("-C", folder, "remote", "add", "origin", addressAt("git"));
  const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  git("-C", folder, ...author, "commit", "--quiet", "--allow-empty", "--message", "Sell more");
  return { folder, commit: git("-C", folder, "rev-parse", "HEAD") };
}

/** Variables of this machine, without those of the CI system that runs this program. */
function ownVariables(): Record<string, string> {
  const { PATH = "", HOME = "" } = process.env;
  return { PATH, HOME };
}

/** A folder with packages from npm and from files. */
function install(name: string, packages: readonly string[]): string {
  const folder = join(scratch, name);
  mkdirSync(folder);
  writeFileSync(
    join(folder, "package.json"),
    '{"type": "module", "private": true, "allowScripts": {"node": true}}',
  );
  run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...packages], folder);
  return folder;
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

function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): SpawnSyncReturns<string> {
  const result = spawnSync(program, args, { cwd, encoding: "utf8", env });
  if (result.status === 0) return result;
  throw new Error(`${program} ${args[0]} ended with ${result.status}:\n${result.stdout}${result.stderr}`);
}
