import { createHash } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { ProtocolError } from "../../api/client/errors.ts";
import { treeOf, UnusablePaths } from "../../evidence/listed-tree.ts";
import { excludedBy, fingerprintTree, IGNORE_FILE } from "../../evidence/tree-fingerprint.ts";
import type { Azure } from "./azure.ts";

const ROLE = "Website Contributor";
/** Apps are at most some gigabytes large. */
const MAX_BYTES = 16 * 1024 ** 3;
const MAX_IGNORE_BYTES = 1024 ** 2;

/**
 * The fingerprint of the directory that an app serves, empty if its plan does not give the files. Undefined if the app
 * does not answer.
 *
 * @param host of the app's deployment service
 */
export async function fingerprintContent(azure: Azure, host: string): Promise<string | undefined> {
  const { env, deadline } = azure.cloud.options;
  const folder = await mkdtemp(join(env["RUNNER_TEMP"] || tmpdir(), "app-"));
  const archive = join(folder, "content.zip");
  let file: number | undefined;
  const close = () => file !== undefined && closeSync(file);
  try {
    const { status } = await azure.ask({
      url: new URL(`https://${host}/api/zip/site/wwwroot/`),
      role: ROLE,
      answers: [404, 503],
      maxBytes: MAX_BYTES,
      onAttempt() {
        close();
        file = openSync(archive, "w", 0o600);
      },
      take: (chunk) => file !== undefined && writeSync(file, chunk),
    });
    if (status === 503) return undefined;
    return status === 404 ? "" : await fingerprintZip(archive, host, deadline.signal);
  } finally {
    close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The fingerprint of the directory in an archive, as if it were unpacked. */
async function fingerprintZip(archive: string, host: string, signal: AbortSignal): Promise<string> {
  const digests = new Map<string, string>();
  const paths: string[] = [];
  let ignored = "";
  try {
    // Refuses names with backslashes and those that leave the directory.
    const zip = await openPromise(archive, { autoClose: false, strictFileNames: true });
    try {
      for await (const entry of zip.eachEntry()) {
        const { fileName } = entry;
        paths.push(fileName);
        if (fileName.endsWith("/")) continue;
        const { digest, text } = await contentOf(zip, entry, signal);
        digests.set(`/${fileName}`, digest);
        if (fileName === IGNORE_FILE) ignored = text;
      }
    } finally {
      zip.close();
    }
    const root = treeOf(paths);
    return await fingerprintTree(root, excludedBy(ignored, root), {
      listOf: ({ entries }) => entries,
      digestOf: ({ path }) => digests.get(path) ?? "",
    });
  } catch (cause) {
    signal.throwIfAborted();
    if (!(cause instanceof Error) || (!(cause instanceof UnusablePaths) && "code" in cause)) throw cause;
    throw new ProtocolError({ what: `the archive of ${host} cannot be used: ${cause.message}`, cause });
  }
}

async function contentOf(zip: ZipFile, entry: Entry, signal: AbortSignal) {
  const sum = createHash("sha256");
  const kept: Uint8Array[] = [];
  const isKept = entry.fileName === IGNORE_FILE && entry.uncompressedSize <= MAX_IGNORE_BYTES;
  const content: AsyncIterable<Uint8Array> = await zip.openReadStreamPromise(entry);
  for await (const chunk of content) {
    signal.throwIfAborted();
    sum.update(chunk);
    if (isKept) kept.push(chunk);
  }
  return { digest: sum.digest("hex"), text: Buffer.concat(kept).toString() };
}
