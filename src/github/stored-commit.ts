import { open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { inflate } from "node:zlib";

const inflated = promisify(inflate);

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
export async function storedCommit(gitDir: string, sha: string): Promise<Buffer | undefined> {
  return (await looseCommit(gitDir, sha)) ?? (await packedCommit(join(gitDir, "objects", "pack"), sha));
}

/** `commit 231\0tree …`, compressed. */
async function looseCommit(gitDir: string, sha: string): Promise<Buffer | undefined> {
  const path = join(gitDir, "objects", sha.slice(0, 2), sha.slice(2));
  const compressed = await readFile(path).catch(() => undefined);
  if (compressed === undefined) return undefined;
  const object = await inflated(compressed, { maxOutputLength: MAX_COMMIT_BYTES });
  const start = object.indexOf(0) + 1;
  return object.toString("latin1", 0, start) === `commit ${object.length - start}\0`
    ? object.subarray(start)
    : undefined;
}

async function packedCommit(folder: string, sha: string): Promise<Buffer | undefined> {
  const name = Buffer.from(sha, "hex");
  for (const file of await readdir(folder)) {
    if (!file.endsWith(".idx")) continue;
    const offset = await offsetOf(name, join(folder, file));
    if (offset !== undefined) return commitAt(offset, join(folder, file.replace(/idx$/, "pack")));
  }
  return undefined;
}

const NAME_BYTES = 20;
const INDEX_VERSION_2 = Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2]);
/** For each first byte of a name, how many names begin with it or a lower one. */
const FANOUT_BYTES = 256 * 4;
/** Set where an offset stands in a table of larger ones, in packs of more than 2 GB. */
const IS_LARGE = 0x80_00_00_00;

/** Where an object begins in its pack. The index holds all names in order, then their checksums, then the offsets. */
async function offsetOf(name: Buffer, index: string): Promise<number | undefined> {
  const read = await reader(index);
  try {
    const head = await read.at(0, INDEX_VERSION_2.length + FANOUT_BYTES);
    if (!head.subarray(0, INDEX_VERSION_2.length).equals(INDEX_VERSION_2)) return undefined;
    const upTo = (byte: number) => (byte < 0 ? 0 : head.readUInt32BE(INDEX_VERSION_2.length + byte * 4));
    const [first, end, all] = [upTo((name[0] ?? 0) - 1), upTo(name[0] ?? 0), upTo(255)];
    const names = await read.at(head.length + first * NAME_BYTES, (end - first) * NAME_BYTES);
    const place = placeIn(names, name);
    if (place === undefined) return undefined;
    const offsets = head.length + all * (NAME_BYTES + 4);
    const offset = (await read.at(offsets + (first + place) * 4, 4)).readUInt32BE();
    return offset < IS_LARGE ? offset : undefined;
  } finally {
    await read.close();
  }
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
async function commitAt(offset: number, pack: string): Promise<Buffer | undefined> {
  const read = await reader(pack);
  try {
    const head = await read.at(offset, HEAD_BYTES);
    let [place, byte] = [0, head[0] ?? 0];
    const type = (byte >> 4) & 7;
    let size = byte & 15;
    for (let bits = 4; byte & 0x80; bits += 7) {
      byte = head[++place] ?? 0;
      size += (byte & 0x7f) * 2 ** bits;
    }
    if (type !== COMMIT || size > MAX_COMMIT_BYTES) return undefined;
    // What is not made smaller is stored in blocks, with five bytes for each.
    const compressed = await read.upTo(offset + place + 1, size + Math.ceil(size / 1024) * 5 + 64);
    const object = await inflated(compressed, { maxOutputLength: MAX_COMMIT_BYTES });
    return object.length === size ? object : undefined;
  } finally {
    await read.close();
  }
}

async function reader(path: string) {
  const file = await open(path);
  const upTo = async (position: number, length: number) => {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position });
    return buffer.subarray(0, bytesRead);
  };
  return {
    /** As many bytes as there are, and no more than asked for. */
    upTo,
    async at(position: number, length: number) {
      const bytes = await upTo(position, length);
      if (bytes.length < length) throw new Error(`${path} ends too early`);
      return bytes;
    },
    close: () => file.close(),
  };
}
