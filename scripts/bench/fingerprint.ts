import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { stepEnvironment } from "./local-service.ts";
import { medians, timed } from "./measure.ts";
import type { Measured, Measurements } from "./rows.ts";

const GIBIBYTE = 1024 ** 3;

const FILES = 20_000;
const ROUNDS = 5;

/** Speed of fingerprints, relative to common tools. Whole processes are measured. */
export async function fingerprint(root: string): Promise<Measurements<"fingerprint">> {
  const folder = await mkdtemp(join(tmpdir(), "bench-fingerprint-"));
  try {
    return { file: await ofFile(root, folder), directory: await ofDirectory(root, folder) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function ofFile(root: string, folder: string): Promise<Measured> {
  const file = join(folder, "artifact");
  await writeLarge(file);
  const module = pathToFileURL(join(root, "lib", "evidence", "fingerprint.js")).href;
  const program = `import { fingerprintFile } from ${JSON.stringify(module)}; await fingerprintFile(${JSON.stringify(file)});`;
  const { ours, openssl } = await medians(
    {
      ours: () => timed([process.execPath, "--input-type=module", "-e", program]),
      openssl: () => timed(["openssl", "dgst", "-sha256", file]),
    },
    ROUNDS,
  );
  return { value: openssl / ours, note: secondsOf(ours, openssl) };
}

/** A dry run of `attest`, compared with digesting the same files in a shell. */
async function ofDirectory(root: string, workspace: string): Promise<Measured> {
  const directory = join(workspace, "directory");
  await writeMany(directory);
  const inputs = {
    ...{
      "api-key": "de_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG",
      org: "bench",
      flow: "web",
      name: "app",
    },
    ...{ kind: "artifact", artifact: directory, "artifact-type": "dir", region: "eu", "dry-run": "true" },
  };
  const env = { ...stepEnvironment(inputs), GITHUB_WORKSPACE: workspace };
  const { ours, shell } = await medians(
    {
      ours: () => timed([process.execPath, join(root, "dist", "attest", "index.js")], env),
      shell: () => timed(["sh", "-c", 'find "$0" -type f -print0 | xargs -0 sha256sum', directory]),
    },
    ROUNDS,
  );
  return { value: ours / shell, note: secondsOf(ours, shell) };
}

function secondsOf(ours: number, theirs: number): string {
  return `${(ours / 1000).toFixed(2)} s against ${(theirs / 1000).toFixed(2)} s`;
}

async function writeMany(directory: string): Promise<void> {
  const PER_FOLDER = 200;
  for (let first = 0; first < FILES; first += PER_FOLDER) {
    const folder = join(directory, `part-${first / PER_FOLDER}`);
    await mkdir(folder, { recursive: true });
    const numbers = Array.from({ length: PER_FOLDER }, (_, index) => first + index);
    const write = (number: number) =>
      writeFile(join(folder, `file-${number}.js`), `export const n = ${number};\n`);
    await Promise.all(numbers.map(write));
  }
}

async function writeLarge(path: string): Promise<void> {
  const source = createReadStream("/dev/urandom", {
    start: 0,
    end: GIBIBYTE - 1,
    highWaterMark: 4 * 1024 * 1024,
  });
  await once(source.pipe(createWriteStream(path)), "finish");
}
