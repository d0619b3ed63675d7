import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { writeDurably } from "./durable.ts";
import { FILES_FOLDER, SUBMISSION_FILE } from "./layout.ts";
import { MAX_SPOOLED_BYTES } from "./read.ts";
import { isSubmissionName } from "./submission.ts";

export class ZipError extends Error {}

/** Limits that count unpacked bytes, not what the archive states. */
export interface UnpackLimits {
  readonly files: number;
  readonly bytes: number;
}

/** Far more than a job spools, but less than the space on a runner. */
const LIMITS: UnpackLimits = { files: 50_000, bytes: 4 * 1024 ** 3 };

/**
 * Unpacks a spool from a workflow artifact. Unpacks only files with names of submissions, so nothing is written outside
 * the folder, and no `recorded.json`, because only the service knows what is on record.
 *
 * @param folder is created
 * @throws {ZipError} for an unreadable or oversized archive. Unpacked files stay: opening a submission finds gaps.
 */
export async function unpackSpool(archive: string, folder: string, limits: UnpackLimits = LIMITS) {
  await mkdir(folder, { recursive: true });
  const zip = await open(archive);
  try {
    if (zip.entryCount > limits.files) throw new ZipError("it has too many files for a spool");
    let left = limits.bytes;
    const taken = new Set<string>();
    for await (const entry of entriesOf(zip)) {
      if (!belongs(entry.fileName)) continue;
      if (taken.has(entry.fileName)) throw new ZipError(`it contains '${entry.fileName}' twice`);
      taken.add(entry.fileName);
      left -= entry.uncompressedSize;
      if (entry.uncompressedSize > MAX_SPOOLED_BYTES || left < 0) {
        throw new ZipError(`'${entry.fileName}' exceeds the size limit of a spool`);
      }
      const path = join(folder, ...entry.fileName.split("/"));
      await mkdir(dirname(path), { recursive: true });
      await writeDurably(path, bytesOf(zip, entry));
    }
  } finally {
    zip.close();
  }
}

function belongs(name: string): boolean {
  const [submission = "", file, number = "", ...deeper] = name.split("/");
  if (!isSubmissionName(submission) || deeper.length > 0) return false;
  return file === FILES_FOLDER ? /^\d{1,3}$/.test(number) : file === SUBMISSION_FILE && number === "";
}

function open(archive: string): Promise<ZipFile> {
  // Refuses names with backslashes and those that leave the folder.
  const options = { autoClose: false, strictFileNames: true };
  return openPromise(archive, options).catch((error: unknown) => {
    throw unreadable("it is not a complete ZIP archive", error);
  });
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  try {
    yield* zip.eachEntry();
  } catch (error) {
    throw unreadable("its list of files is damaged", error);
  }
}

/** Yields at most as many bytes as the archive states. */
async function* bytesOf(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  let checksum = 0;
  try {
    const content: AsyncIterable<Uint8Array> = await zip.openReadStreamPromise(entry);
    for await (const chunk of content) {
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
  } catch (error) {
    throw unreadable(`'${entry.fileName}' cannot be unpacked`, error);
  }
  if (checksum !== entry.crc32) throw new ZipError(`'${entry.fileName}' is damaged: its checksum differs`);
}

/** Wraps the reader's errors; returns system errors unchanged. */
function unreadable(what: string, error: unknown): unknown {
  if (!(error instanceof Error) || "syscall" in error) return error;
  return new ZipError(`${what} (${error.message})`, { cause: error });
}
