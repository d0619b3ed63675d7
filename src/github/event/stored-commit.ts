import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";

/** A larger commit, message included, is left to git. */
const MAX_COMMIT_BYTES = 1024 * 1024;

/**
 * Reads a commit's object where git keeps it in one piece: in a file of its own, or whole in a pack. Undefined
 * where it takes more than that to find, which git itself knows better.
 *
 * The formats are those of gitformat-loose and gitformat-pack. The caller checks the name of what was read.
 *
 * @param sha 40 lower-case hexadecimal digits
 * @throws Error when a file cannot be read, or is not as git writes it
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
/** For each first byte of a name, how many names begin with it or a lower one. */
const FANOUT_BYTES = 256 * 4;
/** As many names with the same first byte are looked through: a repository of 250 million objects has so many. */
const MAX_ALIKE = 1_000_000;
/** Set where an offset stands in a table of larger ones, in packs of more than 2 GB. */
const IS_LARGE = 0x80_00_00_00;

/** Where an object begins in its pack. The index holds all names in order, then their checksums, then the offsets. */
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
/** The longest head of an object that is not too large. */
const HEAD_BYTES = 8;

/** Three bits of type and a size, seven bits a byte after the first four, then the object compressed. */
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
  // What is not made smaller is stored in blocks, with five bytes for each.
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
    /** As many bytes as there are, and no more than asked for. */
    upTo,
    at(position: number, length: number) {
      const bytes = upTo(position, length);
      if (bytes.length < length) throw new Error(`${path} ends too early`);
      return bytes;
    },
    [Symbol.dispose]: () => closeSync(file),
  };
}
