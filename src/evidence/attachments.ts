import { openAsBlob } from "node:fs";
import { lstat } from "node:fs/promises";
import { basename } from "node:path";
import { type FileToSend, MAX_ATTACHMENTS, MAX_FILE_BYTES } from "../api/operation.ts";
import { type AttachmentRequest, type Attachments, selectAttachments } from "./attachment-selection.ts";
import { oversize } from "./file-limit.ts";
import { type Findings, refuseProblems } from "./file-selection.ts";
import { isSameFile, type UsablePath } from "./workspace.ts";

export type { AttachmentRequest, Attachments } from "./attachment-selection.ts";

/**
 * The files to attach, each named once, however many patterns or links lead to it. Their bytes are read only while
 * they are sent; a file that changes, shrinks or vanishes until then fails to read with a `NotReadableError`.
 *
 * @throws InputError (`attachments`) with everything that is wrong with any of them.
 */
export async function collectAttachments(request: AttachmentRequest): Promise<Attachments> {
  const { selected, findings } = await selectAttachments(request);
  const fitting: UsablePath[] = [];
  for (const file of selected) {
    const { shown, stats } = file;
    if (stats.isDirectory()) findings.problems.push(adviseOnDirectory(file));
    // A Blob keeps 32 bits of a size, so that one of 4 GiB would seem to be empty.
    else if (stats.size > MAX_FILE_BYTES) {
      findings.problems.push(oversize(`attachment '${shown}'`, stats.size));
    } else fitting.push(file);
  }
  if (fitting.length > MAX_ATTACHMENTS) {
    const tooMany = `there are ${fitting.length} files; at most ${MAX_ATTACHMENTS} can be attached`;
    findings.problems.push(`${tooMany}: set archive-attachments: true to send them as one archive`);
  }
  // Before any is opened: a glob may have found 100,000.
  refuseProblems(findings);
  const files: FileToSend[] = [];
  for (const file of fitting) files.push(...(await openFile(file, findings)));
  refuseProblems(findings);
  return { files, warnings: findings.warnings };
}

function adviseOnDirectory({ shown }: UsablePath): string {
  const glob = shown === "." ? "**/*" : `${shown}/**/*`;
  return `'${shown}' is a directory: use a glob such as '${glob}', or set archive-attachments: true`;
}

async function openFile(
  { path, shown, realPath, stats }: UsablePath,
  findings: Findings,
): Promise<FileToSend[]> {
  try {
    const content = await openAsBlob(realPath);
    // Looked at again after it was opened: between the check and that, a link could have taken its place.
    if (isSameFile(stats, await lstat(realPath))) return [{ name: basename(path), content, path: shown }];
  } catch {
    // It is told below.
  }
  findings.problems.push(`'${shown}' changed or vanished while it was opened`);
  return [];
}
