import { createHash } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { ProtocolError } from "../../api/client/errors.ts";
import { treeOf, UnusablePaths } from "../../evidence/listed-tree.ts";
import { excludedBy, fingerprintTree, IGNORE_FILE } from "../../evidence/tree-fingerprint.ts";
import type { Azure } from "./azure.ts";

const ROLE = "Website Contributor";
/** Apps are at most some gigabytes large. */
const MAX_BYTES = 16 * 1024 ** 3;
const MAX_IGNORE_BYTES = 1024 ** 2;
/** A directory has no content. */
const NOTHING = { digest: "", text: "" };

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
  const files: [path: string, digest: string][] = [];
  let ignored = "";
  try {
    // Refuses names with backslashes and those that leave the directory.
    const zip = await openPromise(archive, { autoClose: false, strictFileNames: true });
    try {
      for await (const entry of zip.eachEntry()) {
        const { fileName } = entry;
        const { digest, text } = fileName.endsWith("/") ? NOTHING : await contentOf(zip, entry, signal);
        files.push([fileName, digest]);
        if (isIgnoreFile(fileName)) ignored = text;
      }
    } finally {
      zip.close();
    }
    const root = treeOf(files);
    return await fingerprintTree(root, excludedBy(ignored, root), {
      listOf: ({ entries }) => entries,
      digestOf: ({ content = "" }) => content,
    });
  } catch (cause) {
    signal.throwIfAborted();
    if (!(cause instanceof Error) || (!(cause instanceof UnusablePaths) && "code" in cause)) throw cause;
    throw new ProtocolError({ what: `the archive of ${host} cannot be used: ${cause.message}`, cause });
  }
}

function isIgnoreFile(path: string): boolean {
  return posix.normalize(path) === IGNORE_FILE;
}

async function contentOf(zip: ZipFile, entry: Entry, signal: AbortSignal) {
  const sum = createHash("sha256");
  const kept: Uint8Array[] = [];
  const isKept = isIgnoreFile(entry.fileName) && entry.uncompressedSize <= MAX_IGNORE_BYTES;
  const content: AsyncIterable<Uint8Array> = await zip.openReadStreamPromise(entry);
  for await (const chunk of content) {
    signal.throwIfAborted();
    sum.update(chunk);
    if (isKept) kept.push(chunk);
  }
  return { digest: sum.digest("hex"), text: Buffer.concat(kept).toString() };
}
