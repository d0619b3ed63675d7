/* The same files packed on another machine, or at another time, give the same bytes. */

/** Header of every entry of a tar, apart from its name and size. */
export const ENTRY = { type: "file", mode: 0o644, mtime: new Date(0), uid: 0, gid: 0 } as const;
/** Offset of the operating system in a gzip header, and its code for "unknown". */
const GZIP_SYSTEM = { offset: 9, unknown: 255 };

/** Removes the operating system from the header of gzip content. */
export function withoutSystem<T extends Uint8Array>(gzipped: T): T {
  gzipped[GZIP_SYSTEM.offset] = GZIP_SYSTEM.unknown;
  return gzipped;
}
