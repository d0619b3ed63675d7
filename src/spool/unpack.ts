import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { writeDurably } from "./durable.ts";
import { FILES_FOLDER, SUBMISSION_FILE } from "./layout.ts";
import { MAX_KEPT_BYTES } from "./read.ts";
import { isSubmissionName } from "./submission.ts";

/** An archive that cannot be read. */
export class ZipError extends Error {}

/** What an archive may hold at most, whatever it says that it holds. */
export interface UnpackLimits {
  readonly files: number;
  /** Of all files together, once unpacked. */
  readonly bytes: number;
}

/** Far more than a job spools, and less than a runner has room for. */
const LIMITS: UnpackLimits = { files: 50_000, bytes: 4 * 1024 ** 3 };

/**
 * Unpacks a spool that was kept as a workflow artifact. Only what belongs to a submission is taken, by name, so that
 * nothing lands outside of the folder; and no marks of what is on record, because only the service can tell that.
 *
 * @param folder is made
 * @throws {ZipError} when the archive cannot be read, or holds more than any spool has. What was unpacked until then
 * stays: a submission that is not whole is found out when it is opened.
 */
export async function unpackSpool(
  archive: string,
  folder: string,
  limits: UnpackLimits = LIMITS,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const zip = await open(archive);
  try {
    if (zip.entryCount > limits.files) throw new ZipError("it holds more files than any spool");
    let left = limits.bytes;
    const taken = new Set<string>();
    for await (const entry of entriesOf(zip)) {
      if (!belongs(entry.fileName)) continue;
      if (taken.has(entry.fileName)) throw new ZipError(`'${entry.fileName}' is in it twice`);
      taken.add(entry.fileName);
      left -= entry.uncompressedSize;
      if (entry.uncompressedSize > MAX_KEPT_BYTES || left < 0) {
        throw new ZipError(`'${entry.fileName}' makes it larger than any spool`);
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
  // Names that lead out of a folder are refused, and so are those with backslashes.
  const options = { autoClose: false, strictFileNames: true };
  return openPromise(archive, options).catch((error: unknown) => {
    throw unreadable("it is not a ZIP archive, or only a part of one", error);
  });
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  try {
    yield* zip.eachEntry();
  } catch (error) {
    throw unreadable("its list of files is damaged", error);
  }
}

/** The bytes of a file: never more than the archive says, however much is packed in it. */
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

/** What the reader says of an archive as the reason; what the system says of the file stays as it is. */
function unreadable(what: string, error: unknown): unknown {
  if (!(error instanceof Error) || "syscall" in error) return error;
  return new ZipError(`${what} (${error.message})`, { cause: error });
}
