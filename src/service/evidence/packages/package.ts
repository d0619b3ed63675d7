import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { createTarPacker } from "modern-tar";
import { type CheckedFiles, type Condition, sortedByCondition } from "../../store/blobs/checked-files.ts";

export interface TextFile {
  name: string;
  text: string;
}

export interface AttachedFile {
  name: string;
  size: number;
  sha256: string;
}

export const MANIFEST_NAME = "manifest.json";

/**
 * A gzip tar of records and attachments, created while it is read. The manifest comes first and lists `changed` and
 * `missing` attachments, which are omitted. The same files produce the same bytes.
 *
 * @param about the subject, for the manifest
 */
export async function auditPackage(
  about: object,
  { records, attachments }: { records: readonly TextFile[]; attachments: readonly AttachedFile[] },
  files: CheckedFiles,
): Promise<ReadableStream<Uint8Array>> {
  const found = await sortedByCondition(attachments, files);
  const texts = [manifest(about, found, records), ...records];
  // A fixed time, so that the bytes do not change.
  return gzipTar([...texts.map(textEntry), ...found.whole.map(attachmentEntry(files))], new Date(0));
}

export function jsonFile(name: string, record: unknown): TextFile {
  return { name, text: `${JSON.stringify(record, null, 2)}\n` };
}

export function manifest(
  about: object,
  { whole, changed, missing }: Readonly<Record<Condition, readonly AttachedFile[]>>,
  records: readonly TextFile[] = [],
): TextFile {
  return jsonFile(MANIFEST_NAME, {
    version: 1,
    ...about,
    files: [...records.map(measured), ...whole.map(listed)],
    ...(changed.length > 0 && { changed: changed.map(listed) }),
    ...(missing.length > 0 && { missing: missing.map(listed) }),
  });
}

function measured({ name, text }: TextFile): AttachedFile {
  return { name, size: Buffer.byteLength(text), sha256: createHash("sha256").update(text).digest("hex") };
}

/** Drops other fields. */
function listed({ name, size, sha256 }: AttachedFile): AttachedFile {
  return { name, size, sha256 };
}

export function textEntry({ name, text }: TextFile): ArchiveEntry {
  return { name, size: Buffer.byteLength(text), content: () => new Blob([text]).stream() };
}

export function attachmentEntry({ contentOf }: Pick<CheckedFiles, "contentOf">) {
  return ({ name, size, sha256 }: AttachedFile): ArchiveEntry => ({
    name,
    size,
    content: () => contentOf(sha256),
  });
}

export interface ArchiveEntry {
  readonly name: string;
  readonly size: number;
  readonly content: () => ReadableStream<Uint8Array>;
}

/** A gzip tar of files, created while it is read. The same files produce the same bytes. */
export function gzipTar(entries: readonly ArchiveEntry[], mtime: Date): ReadableStream<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const write = async () => {
    for (const { name, size, content } of entries) {
      // No owner, so that the bytes are the same on every machine.
      const header = { type: "file", mode: 0o644, mtime, uid: 0, gid: 0 } as const;
      await content().pipeTo(controller.add({ ...header, name, size }));
    }
    controller.finalize();
  };
  write().catch((error: unknown) => controller.error(error));
  const gzip = createGzip();
  // A failure on either side ends the other side, too.
  pipeline(Readable.fromWeb(readable), gzip).catch(() => undefined);
  return Readable.toWeb(gzip);
}
