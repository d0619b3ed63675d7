import { type FileHandle, open } from "node:fs/promises";
import { promisify } from "node:util";
import { crc32, inflateRaw } from "node:zlib";

/*
 * Reads ZIP archives as workflow artifacts are: files, stored or deflated, without encryption, below 4 GB. What tells
 * of an archive stands at its end (APPNOTE.TXT 4.3): the end record, which says where the list of files is.
 */

/** A file in an archive. */
export interface ZippedFile {
  /** With slashes, as the archive has it. It may lead anywhere: never join it to a path unread. */
  readonly name: string;
  /** In bytes, once unpacked. */
  readonly size: number;
  /** @throws {ZipError} when it is not what was packed */
  read(): Promise<Buffer>;
}

/** An archive that cannot be read. */
export class ZipError extends Error {}

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
/** A comment of any length may follow the end record. */
const MAX_COMMENT_BYTES = 0xffff;
const LISTED_SIGNATURE = 0x02014b50;
const LISTED_BYTES = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
/** Stands for a number that only the extension for larger archives can hold. */
const ELSEWHERE = 0xffffffff;

const inflate = promisify(inflateRaw);

/**
 * Gives the files of an archive to a reader, while it is open.
 *
 * @throws {ZipError} when it is not one, or larger than is read here
 */
export async function withZip<T>(
  path: string,
  read: (files: readonly ZippedFile[]) => Promise<T>,
): Promise<T> {
  const file = await open(path, "r");
  try {
    return await read(await filesIn(file));
  } finally {
    await file.close();
  }
}

async function filesIn(file: FileHandle): Promise<ZippedFile[]> {
  const { size } = await file.stat();
  const tail = await bytesAt(file, Math.max(0, size - END_BYTES - MAX_COMMENT_BYTES), size);
  const end = tail.lastIndexOf(Buffer.from("PK\x05\x06"));
  if (end < 0 || tail.length - end < END_BYTES || tail.readUInt32LE(end) !== END_SIGNATURE) {
    throw new ZipError("it is not a ZIP archive, or only the beginning of one");
  }
  const listBytes = tail.readUInt32LE(end + 12);
  const listStart = tail.readUInt32LE(end + 16);
  if (listBytes === ELSEWHERE || listStart === ELSEWHERE) throw new ZipError("it is larger than 4 GB");
  return listedIn(await bytesAt(file, listStart, listStart + listBytes), file);
}

function listedIn(list: Buffer, archive: FileHandle): ZippedFile[] {
  const files: ZippedFile[] = [];
  for (let at = 0; at < list.length; ) {
    if (list.length - at < LISTED_BYTES || list.readUInt32LE(at) !== LISTED_SIGNATURE) {
      throw new ZipError("its list of files is damaged");
    }
    const nameEnd = at + LISTED_BYTES + list.readUInt16LE(at + 28);
    const name = list.toString("utf8", at + LISTED_BYTES, nameEnd);
    const entry = {
      name,
      encrypted: (list.readUInt16LE(at + 8) & 1) === 1,
      method: list.readUInt16LE(at + 10),
      checksum: list.readUInt32LE(at + 16),
      packedSize: list.readUInt32LE(at + 20),
      size: list.readUInt32LE(at + 24),
      start: list.readUInt32LE(at + 42),
    };
    files.push({ name, size: entry.size, read: () => unpack(entry, archive) });
    at = nameEnd + list.readUInt16LE(at + 30) + list.readUInt16LE(at + 32);
  }
  return files;
}

interface Entry {
  readonly name: string;
  readonly encrypted: boolean;
  readonly method: number;
  readonly checksum: number;
  readonly packedSize: number;
  readonly size: number;
  readonly start: number;
}

async function unpack(entry: Entry, archive: FileHandle): Promise<Buffer> {
  const { name, encrypted, method, checksum, packedSize, size, start } = entry;
  if (encrypted || (method !== STORED && method !== DEFLATED)) {
    throw new ZipError(`'${name}' is packed in a way that is not read here`);
  }
  const head = await bytesAt(archive, start, start + LOCAL_BYTES);
  if (head.readUInt32LE(0) !== LOCAL_SIGNATURE) throw new ZipError(`'${name}' is not where it should be`);
  const from = start + LOCAL_BYTES + head.readUInt16LE(26) + head.readUInt16LE(28);
  const packed = await bytesAt(archive, from, from + packedSize);
  // Never more than the list says, however much is packed in it.
  const bytes =
    method === STORED
      ? packed
      : await inflate(packed, { maxOutputLength: Math.max(1, size) }).catch((cause: unknown) => {
          throw new ZipError(`'${name}' cannot be unpacked`, { cause });
        });
  if (bytes.length !== size || crc32(bytes) !== checksum) throw new ZipError(`'${name}' is damaged`);
  return bytes;
}

async function bytesAt(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const { size } = await file.stat();
  if (to > size) throw new ZipError("it is cut off");
  const bytes = Buffer.alloc(to - from);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
  if (bytesRead < bytes.length) throw new ZipError("it is cut off");
  return bytes;
}
