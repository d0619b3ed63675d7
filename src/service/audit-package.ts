import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { createTarPacker } from "modern-tar";
import { contentOf } from "./file-content.ts";

/** A file of an audit package: text that was just written, or a stored file. */
export type PackedFile =
  | { name: string; text: string }
  | { name: string; path: string; size: number; sha256: string };

/** What every entry says of itself: neither the clock nor the machine may show in the bytes. */
const ENTRY = { type: "file", mode: 0o644, mtime: new Date(0), uid: 0, gid: 0 } as const;

/**
 * A gzip tar of files, made while it is read. Its first file, `manifest.json`, gives the size and the sha256 of each
 * of the others. The same files give the same bytes.
 *
 * @param about what the package is of, for the manifest
 */
export function auditPackage(about: object, files: readonly PackedFile[]): ReadableStream<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const write = async () => {
    for (const file of [manifest(about, files), ...files]) {
      const content = "text" in file ? new Blob([file.text]).stream() : contentOf(file.path);
      const size = "text" in file ? Buffer.byteLength(file.text) : file.size;
      await content.pipeTo(controller.add({ ...ENTRY, name: file.name, size }));
    }
    controller.finalize();
  };
  write().catch((error: unknown) => controller.error(error));
  const gzip = createGzip();
  // A failure on either side ends the other: who reads sees the error, or what is written is given up.
  pipeline(Readable.fromWeb(readable), gzip).catch(() => undefined);
  return Readable.toWeb(gzip);
}

function manifest(about: object, files: readonly PackedFile[]): PackedFile {
  const listed = files.map((file) =>
    "text" in file
      ? { name: file.name, size: Buffer.byteLength(file.text), sha256: sha256Of(file.text) }
      : { name: file.name, size: file.size, sha256: file.sha256 },
  );
  return jsonFile("manifest.json", { version: 1, ...about, files: listed });
}

/** A record as a file of JSON. */
export function jsonFile(name: string, record: unknown): PackedFile {
  return { name, text: `${JSON.stringify(record, null, 2)}\n` };
}

function sha256Of(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
