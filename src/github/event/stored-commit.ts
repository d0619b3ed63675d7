import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";

/** Larger commits, including the message, are left to git. */
const MAX_COMMIT_BYTES = 1024 * 1024;

/**
 * Reads a commit's object if git stores it in one piece: as a loose object, or undeltified in a pack. Otherwise
 * undefined, and git itself must read it.
 *
 * The formats are those of gitformat-loose and gitformat-pack. The caller checks the SHA of the object.
 *
 * @param sha 40 lower-case hexadecimal digits
 * @throws Error if a file cannot be read or has another format
 */
export function storedCommit(gitDir: string, sha: string): Buffer | undefined {
  return looseCommit(gitDir, sha) ?? packedCommit(join(gitDir, "objects", "pack"), sha);
}

/** `commit 231\0tree …`, compressed. */
function looseCommit(gitDir: string, sha: string): Buffer | undefined {
  const path = join(gitDir, "objects", sha.slice(0, 2), sha.slice(2));
  if (!existsSync(path)) return undefined;
  const object = inflateSync(readFileSync(path), { maxOutputLength: MAX_COMMIT_BYTES });
  const start = object.indexOf(0) + 1;
  return object.toString("latin1", 0, start) === `commit ${object.length - start}\0`
    ? object.subarray(start)
    : undefined;
}

function packedCommit(folder: string, sha: string): Buffer | undefined {
  const name = Buffer.from(sha, "hex");
  for (const file of readdirSync(folder)) {
    if (!file.endsWith(".idx")) continue;
    const offset = offsetOf(name, join(folder, file));
    if (offset !== undefined) return commitAt(offset, join(folder, file.replace(/idx$/, "pack")));
  }
  return undefined;
}

const NAME_BYTES = 20;
const INDEX_VERSION_2 = Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2]);
/** For each first byte of a name, the number of names that begin with it or a lower byte. */
const FANOUT_BYTES = 256 * 4;
/** Maximum number of names with the same first byte to search: those of a repository with 250 million objects. */
const MAX_ALIKE = 1_000_000;
/** Flag of an offset in the table of large offsets, in packs of more than 2 GB. */
const IS_LARGE = 0x80_00_00_00;

/** Offset of an object in its pack. The index has all names in order, then their checksums, then the offsets. */
function offsetOf(name: Buffer, index: string): number | undefined {
  using read = reader(index);
  const head = read.at(0, INDEX_VERSION_2.length + FANOUT_BYTES);
  if (!head.subarray(0, INDEX_VERSION_2.length).equals(INDEX_VERSION_2)) return undefined;
  const upTo = (byte: number) => (byte < 0 ? 0 : head.readUInt32BE(INDEX_VERSION_2.length + byte * 4));
  const [first, end, all] = [upTo((name[0] ?? 0) - 1), upTo(name[0] ?? 0), upTo(255)];
  if (end - first > MAX_ALIKE) return undefined;
  const names = read.at(head.length + first * NAME_BYTES, (end - first) * NAME_BYTES);
  const place = placeIn(names, name);
  if (place === undefined) return undefined;
  const offsets = head.length + all * (NAME_BYTES + 4);
  const offset = read.at(offsets + (first + place) * 4, 4).readUInt32BE();
  return offset < IS_LARGE ? offset : undefined;
}

function placeIn(names: Buffer, name: Buffer): number | undefined {
  for (let start = 0; start < names.length; start += NAME_BYTES) {
    if (name.equals(names.subarray(start, start + NAME_BYTES))) return start / NAME_BYTES;
  }
  return undefined;
}

const COMMIT = 1;
/** Maximum length of the header of an object within the size limit. */
const HEAD_BYTES = 8;

/** The header has three bits of type and a size, seven bits a byte after the first four. The compressed object follows. */
function commitAt(offset: number, pack: string): Buffer | undefined {
  using read = reader(pack);
  const head = read.at(offset, HEAD_BYTES);
  let [place, byte] = [0, head[0] ?? 0];
  const type = (byte >> 4) & 7;
  let size = byte & 15;
  for (let bits = 4; byte & 0x80; bits += 7) {
    byte = head[++place] ?? 0;
    size += (byte & 0x7f) * 2 ** bits;
  }
  if (type !== COMMIT || size > MAX_COMMIT_BYTES) return undefined;
  // Incompressible data is stored in blocks, each with five more bytes.
  const compressed = read.upTo(offset + place + 1, size + Math.ceil(size / 1024) * 5 + 64);
  const object = inflateSync(compressed, { maxOutputLength: MAX_COMMIT_BYTES });
  return object.length === size ? object : undefined;
}

function reader(path: string) {
  const file = openSync(path, "r");
  const upTo = (position: number, length: number) => {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, position));
  };
  return {
    /** Up to `length` bytes. */
    upTo,
    at(position: number, length: number) {
      const bytes = upTo(position, length);
      if (bytes.length < length) throw new Error(`${path} is truncated`);
      return bytes;
    },
    [Symbol.dispose]: () => closeSync(file),
  };
}
