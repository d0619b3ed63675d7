import { createHash } from "node:crypto";
import { type ArchiveEntry, gzipTar } from "../../audit/gzip-tar.ts";
import { type CheckedFiles, type Condition, sortedByCondition } from "../../store/blobs/checked-files.ts";

/** A file of an archive that was just written. */
export interface TextFile {
  name: string;
  text: string;
}

/** An attachment, under its name in an archive. */
export interface AttachedFile {
  name: string;
  size: number;
  sha256: string;
}

/** The name of the file that says what an archive holds. */
export const MANIFEST_NAME = "manifest.json";

/**
 * A gzip tar of records and attachments, made while it is read. Its first file gives the size and the sha256 of each
 * of the others, and of the attachments that are left out because they are `changed` or `missing` where they are
 * kept. The same files give the same bytes.
 *
 * @param about what the package is of, for the manifest
 */
export async function auditPackage(
  about: object,
  { records, attachments }: { records: readonly TextFile[]; attachments: readonly AttachedFile[] },
  kept: CheckedFiles,
): Promise<ReadableStream<Uint8Array>> {
  const found = await sortedByCondition(attachments, kept);
  const texts = [manifest(about, found, records), ...records];
  // The clock may not show in the bytes.
  return gzipTar([...texts.map(textEntry), ...found.whole.map(attachmentEntry(kept))], new Date(0));
}

/** A record as a file of JSON. */
export function jsonFile(name: string, record: unknown): TextFile {
  return { name, text: `${JSON.stringify(record, null, 2)}\n` };
}

/** What an archive holds, and which attachments it should hold and does not. */
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

/** Without what else may be known of a file. */
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
