import { gunzipSync } from "node:zlib";

// Reads a gzip of a tar (POSIX ustar, with pax or GNU headers for long names) with nothing but Node's own modules.

/** Unpacked size of an archive that is read into memory. */
const MAX_BYTES = 2 ** 31 - 1;

export class Unreadable extends Error {}

/** Contents by name. */
export type Files = ReadonlyMap<string, Uint8Array>;

const BLOCK = 512;

export function filesIn(tgz: Uint8Array): Files {
  const tar = unzipped(tgz);
  const files = new Map<string, Uint8Array>();
  let pax: Readonly<Record<string, string>> = {};
  for (let at = 0; ; ) {
    const header = tar.subarray(at, at + BLOCK);
    if (header.length < BLOCK) throw new Unreadable("the archive ends too early");
    if (header.every((byte) => byte === 0)) {
      if (tar.subarray(at).some((byte) => byte !== 0)) throw new Unreadable("something follows the archive");
      return files;
    }
    const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0);
    if (octal(header, 148, 8) !== sum) throw new Unreadable("a header of the archive is damaged");
    const size = octal(header, 124, 12);
    const content = tar.subarray(at + BLOCK, at + BLOCK + size);
    if (!Number.isSafeInteger(size) || content.length < size) throw new Unreadable("a file is cut off");
    const type = String.fromCharCode(header[156] ?? 0);
    // GNU tar has other fields in place of the prefix.
    const prefix = text(header, 257, 8) === "ustar" ? text(header, 345, 155) : "";
    const given = pax["path"] ?? (prefix === "" ? "" : `${prefix}/`) + text(header, 0, 100);
    const name = given.replace(/^(?:\.\/)+/, "");
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    if (type === "x" || type === "L") {
      pax = type === "x" ? paxFields(content) : { path: text(content, 0, size) };
      continue;
    }
    pax = {};
    if (type === "5" && size === 0) continue;
    if (type !== "0" && type !== "\0") throw new Unreadable(`${name} is not a file`);
    if (!isInside(name)) throw new Unreadable(`${JSON.stringify(name)} is outside of the package`);
    if (files.has(name)) throw new Unreadable(`${name} is there twice`);
    files.set(name, content);
  }
}

function unzipped(tgz: Uint8Array): Uint8Array {
  try {
    return gunzipSync(tgz, { maxOutputLength: MAX_BYTES });
  } catch (error) {
    const isLarge = error instanceof RangeError;
    throw new Unreadable(isLarge ? `it has more than ${MAX_BYTES} bytes` : "it is not a whole .tgz file");
  }
}

function text(bytes: Uint8Array, start: number, length: number): string {
  const field = bytes.subarray(start, start + length);
  const end = field.indexOf(0);
  return utf8(end < 0 ? field : field.subarray(0, end));
}

function octal(header: Uint8Array, start: number, length: number): number {
  const digits = text(header, start, length).trim();
  if (!/^[0-7]*$/.test(digits)) throw new Unreadable("a header of the archive has a number that is none");
  return Number.parseInt(digits || "0", 8);
}

/** Records such as `30 path=attachments/report.txt`, each with its length and a line break. */
function paxFields(content: Uint8Array): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let at = 0; at < content.length; ) {
    const [start = "", digits] = /^(\d{1,9}) /.exec(utf8(content.subarray(at, at + 10))) ?? [];
    const end = at + Number(digits);
    const [, name = "", value = ""] =
      /^([^=]+)=(.*)\n$/s.exec(utf8(content.subarray(at + start.length, end))) ?? [];
    // A size would let other programs find other entries.
    if (!(end <= content.length) || name === "" || name === "size")
      throw new Unreadable("a long name in the archive is damaged");
    fields[name] = value;
    at = end;
  }
  return fields;
}

function isInside(name: string): boolean {
  const isPart = (part: string) => part !== ".." && part !== "." && part !== "";
  return !/\p{Cc}/u.test(name) && name.split(/[/\\]/).every(isPart);
}

export function utf8(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8");
}
