import { Blob } from "node:buffer";
import { readdir } from "node:fs/promises";
import { join, parse, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { createTarPacker } from "modern-tar";
import { InputError } from "../api/client/errors.ts";
import { MAX_FILE_BYTES } from "../api/operation.ts";
import { type AttachmentRequest, type Attachments, selectAttachments } from "./attachments.ts";
import { checkedBytes } from "./file-chunks.ts";
import { refuseProblems, type Selection } from "./file-selection.ts";
import { ENTRY, withoutSystem } from "./same-bytes.ts";
import { oversize, unusableFile, whyUnusable } from "./unusable-path.ts";
import { checkPath, isInGit, isInside, type UsablePath, type Workspace } from "./workspace.ts";

const ARCHIVE_NAME = "evidence.tgz";
/** Gzip's highest ratio: larger inputs can never fit. */
const MOST_COMPRESSION = 1032;
/** An oversized archive is packed up to here, to report its size. */
const GIVE_UP_BYTES = 3 * MAX_FILE_BYTES;
const BATCH_BYTES = 256 * 1024;

/**
 * Packs files into `evidence.tgz`: directories with their contents except `.git`, links as their targets. The same
 * files give the same bytes.
 *
 * @throws InputError (`attachments`) with every problem, or if the archive is too large
 */
export async function archiveAttachments(request: AttachmentRequest): Promise<Attachments> {
  const selection = await selectAttachments(request);
  const { findings } = selection;
  const entries = new Map<string, UsablePath>();
  for (const path of selection.selected) {
    const problems = findings.problems.length;
    await addEntries(path, selection, [], entries);
    const isSound = findings.problems.length === problems;
    if (isSound && path.stats.isDirectory() && !containsAny(path, entries)) {
      findings.missing(`'${path.shown}' contains no files`);
    }
  }
  refuseProblems(findings);
  if (entries.size === 0) return { files: [], warnings: findings.warnings };
  const inOrder = [...entries].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const bytes = inOrder.reduce((sum, [, { stats }]) => sum + stats.size, 0);
  if (bytes > MAX_FILE_BYTES * MOST_COMPRESSION) {
    throw unusableFile("attachments", oversize(`the content of ${ARCHIVE_NAME}`, bytes));
  }
  const content = await pack(inOrder);
  return { files: [{ name: ARCHIVE_NAME, content }], warnings: findings.warnings };
}

function containsAny(directory: UsablePath, entries: ReadonlyMap<string, UsablePath>): boolean {
  return [...entries.values()].some(({ path }) => isInside(path, directory.path));
}

async function addEntries(
  found: UsablePath,
  selection: Selection,
  ancestors: readonly string[],
  entries: Map<string, UsablePath>,
): Promise<void> {
  const { findings, workspace, isExcluded } = selection;
  if (found.stats.isFile()) {
    entries.set(entryName(found.path, workspace), found);
    return;
  }
  if (ancestors.includes(found.realPath)) {
    findings.problems.push(`'${found.shown}' is a link to one of its own parent directories`);
    return;
  }
  const names = await readdir(found.realPath).catch((error: unknown) => {
    findings.problems.push(`'${found.shown}' ${whyUnusable(error)}`);
    return [];
  });
  for (const name of names) {
    const path = join(found.path, name);
    if (isInGit(name) || isExcluded(path)) continue;
    const checked = checkPath(path, workspace);
    if ("problem" in checked) findings.problems.push(checked.problem);
    else await addEntries(checked, selection, [...ancestors, found.realPath], entries);
  }
}

/** Relative to the workspace, else to the file system's root: `..` would unpack elsewhere. */
function entryName(path: string, { root }: Workspace): string {
  return relative(isInside(path, root) ? root : parse(path).root, path).replaceAll(sep, "/");
}

async function pack(entries: readonly (readonly [name: string, file: UsablePath])[]): Promise<Blob> {
  const { readable, controller } = createTarPacker();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const gathering = pipeline(
    readable,
    inBatches,
    createGzip({ level: 9 }),
    async (compressed: AsyncIterable<Uint8Array>) => {
      for await (const chunk of compressed) {
        size += chunk.length;
        if (size <= MAX_FILE_BYTES) chunks.push(chunk);
      }
    },
  );
  const writing = async (): Promise<void> => {
    for (const [name, file] of entries) {
      try {
        const entry = controller.add({ ...ENTRY, name, size: file.stats.size }).getWriter();
        for await (const chunk of checkedBytes(file)) {
          if (size > GIVE_UP_BYTES) throw tooLarge("a part of", size, entries.length);
          await entry.write(chunk);
        }
        await entry.close();
      } catch (cause) {
        if (cause instanceof InputError) throw cause;
        const problem = `'${file.shown}' changed or disappeared while it was packed`;
        throw unusableFile("attachments", problem, { cause });
      }
    }
    controller.finalize();
  };
  const written = writing().catch((error: unknown) => {
    controller.error(error);
    throw error;
  });
  const outcomes = await Promise.allSettled([written, gathering]);
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;

  if (size > MAX_FILE_BYTES) throw tooLarge("", size, entries.length);
  return new Blob([withoutSystem(Buffer.concat(chunks))], { type: "application/gzip" });
}

/** Larger chunks save round trips to the compression thread: a small file has three chunks. */
async function* inBatches(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let batch: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    batch.push(chunk);
    bytes += chunk.length;
    if (bytes < BATCH_BYTES) continue;
    yield Buffer.concat(batch);
    batch = [];
    bytes = 0;
  }
  yield Buffer.concat(batch);
}

function tooLarge(part: string, size: number, files: number): InputError {
  const from = `${part} ${files} ${files === 1 ? "file" : "files"}`.trim();
  return unusableFile("attachments", oversize(`${ARCHIVE_NAME}, packed from ${from},`, size));
}
