import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Finding, medians, timed } from "./measure.ts";

const GIBIBYTE = 1024 ** 3;

/** The speed of fingerprinting 1 GiB, as a multiple of openssl's on the same file. */
export async function fingerprintSpeed(root: string): Promise<Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-fingerprint-"));
  const file = join(folder, "artifact");
  try {
    await writeLarge(file);
    const module = pathToFileURL(join(root, "lib", "evidence", "fingerprint.js")).href;
    const program = `import { fingerprintFile } from ${JSON.stringify(module)}; await fingerprintFile(${JSON.stringify(file)});`;
    const times = await medians(
      {
        ours: () => timed([process.execPath, "--input-type=module", "-e", program]),
        openssl: () => timed(["openssl", "dgst", "-sha256", file]),
      },
      5,
    );
    const { ours = Number.NaN, openssl = Number.NaN } = times;
    return [
      {
        what: "fingerprint of a 1 GiB file",
        value: openssl / ours,
        unit: "× openssl",
        bound: { least: 0.85 },
        note: `${(ours / 1000).toFixed(2)} s against ${(openssl / 1000).toFixed(2)} s, processes whole`,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
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
