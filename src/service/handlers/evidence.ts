import { access } from "node:fs/promises";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { createTarPacker } from "modern-tar";
import type { downloadEvidence } from "../../api/attestations.ts";
import type { Attachments } from "../attachments.ts";
import { contentOf } from "../file-content.ts";
import type { Handler } from "../http/handler.ts";
import { notFound } from "../http-error.ts";
import { requireFlow } from "../records/flows.ts";
import { findAttestation, type StoredFile } from "../records/stored-attestations.ts";
import { requireTrail } from "../records/trails.ts";

const ARCHIVE_NAME = "evidence.tgz";

/** One file is given as it was sent, several as a gzip tar of them. */
export const handleDownloadEvidence: Handler<typeof downloadEvidence> = async (
  { org, params },
  { store, attachments },
) => {
  const { row, attachments: files } = await store.readTogether(async (db) => {
    const flow = await requireFlow(db, org, params.flowName);
    const trail = await requireTrail(db, org, flow, params.trailName);
    const found = await findAttestation(db, org.id, params.attestationId);
    if (!found || found.row.trail_id !== trail.id) {
      throw notFound(
        `Attestation '${params.attestationId}' does not exist in trail '${trail.name}' of flow '${flow.name}'`,
      );
    }
    return found;
  });
  const [only, ...more] = files;
  if (!only) throw notFound("This attestation has no evidence file attached.");
  if (more.length > 0) {
    const content = packed(files, { attachments, modifiedAt: row.created_at });
    return { status: 200, body: { name: ARCHIVE_NAME, mediaType: "application/gzip", content } };
  }
  const path = attachments.pathOf(only.sha256);
  // A file that was lost must not look like an empty one.
  await access(path);
  return { status: 200, body: { name: only.name, mediaType: only.mediaType, content: contentOf(path) } };
};

/** The files as one gzip tar, made while it is sent. */
function packed(
  files: readonly StoredFile[],
  { attachments, modifiedAt }: { attachments: Attachments; modifiedAt: number },
): ReadableStream<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const mtime = new Date(modifiedAt * 1000);
  const names = distinctNames(files.map(({ name }) => name));
  const fill = async () => {
    for (const [index, { size, sha256 }] of files.entries()) {
      const entry = controller.add({ type: "file", name: names[index] ?? sha256, size, mtime, mode: 0o644 });
      await contentOf(attachments.pathOf(sha256)).pipeTo(entry);
    }
    controller.finalize();
  };
  fill().catch((error: unknown) => controller.error(error));
  const gzip = createGzip();
  const source = Readable.fromWeb(readable);
  source.on("error", (error) => gzip.destroy(error));
  return Readable.toWeb(source.pipe(gzip));
}

/** Names that no two files share: a second `report.html` is `2-report.html`. */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let distinct = name;
    for (let count = 2; taken.has(distinct); count++) distinct = `${count}-${name}`;
    taken.add(distinct);
    return distinct;
  });
}
