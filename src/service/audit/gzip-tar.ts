import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { createTarPacker } from "modern-tar";

export interface ArchiveEntry {
  readonly name: string;
  readonly size: number;
  /** Opened when its turn comes. */
  readonly content: () => ReadableStream<Uint8Array>;
}

/** A gzip tar of files, made while it is read. The same files give the same bytes. */
export function gzipTar(entries: readonly ArchiveEntry[], mtime: Date): ReadableStream<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const write = async () => {
    for (const { name, size, content } of entries) {
      // Neither the owner nor the machine may show in the bytes.
      const header = { type: "file", mode: 0o644, mtime, uid: 0, gid: 0 } as const;
      await content().pipeTo(controller.add({ ...header, name, size }));
    }
    controller.finalize();
  };
  write().catch((error: unknown) => controller.error(error));
  const gzip = createGzip();
  // A failure on either side ends the other: who reads sees the error, or what is written is given up.
  pipeline(Readable.fromWeb(readable), gzip).catch(() => undefined);
  return Readable.toWeb(gzip);
}
