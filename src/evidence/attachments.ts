import { openAsBlob } from "node:fs";
import { lstat } from "node:fs/promises";
import { basename } from "node:path";
import type { FileToSend } from "../api/files.ts";
import { MAX_ATTACHMENTS, MAX_FILE_BYTES } from "../api/operation.ts";
import {
  type FileRequest,
  type Findings,
  refuseProblems,
  type Selection,
  selectFiles,
} from "./file-selection.ts";
import { oversize } from "./unusable-path.ts";
import { isSameFile, type UsablePath } from "./workspace.ts";

export type AttachmentRequest = Omit<FileRequest, "input">;

export interface Attachments {
  readonly files: readonly FileToSend[];
  readonly warnings: readonly string[];
}

export async function selectAttachments(request: AttachmentRequest): Promise<Selection> {
  return await selectFiles({ ...request, input: "attachments" });
}

/**
 * Opens the files to attach, each once. Their bytes are read when they are sent; a file that changes until then fails
 * with a `NotReadableError`.
 *
 * @throws InputError (`attachments`) with every problem
 */
export async function collectAttachments(request: AttachmentRequest): Promise<Attachments> {
  const { selected, findings } = await selectAttachments(request);
  const fitting: UsablePath[] = [];
  for (const file of selected) {
    const { shown, stats } = file;
    if (stats.isDirectory()) findings.problems.push(adviseOnDirectory(file));
    // A Blob stores 32 bits of a size, so a file of 4 GiB would appear empty.
    else if (stats.size > MAX_FILE_BYTES) {
      findings.problems.push(oversize(`attachment '${shown}'`, stats.size));
    } else fitting.push(file);
  }
  if (fitting.length > MAX_ATTACHMENTS) {
    const tooMany = `at most ${MAX_ATTACHMENTS} files can be attached, not ${fitting.length}`;
    findings.problems.push(`${tooMany}: set archive-attachments: true to send them as one archive`);
  }
  // Checked before any is opened: a glob may match 100,000.
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
    // Checked again, since a link could have replaced it before it was opened.
    if (isSameFile(stats, await lstat(realPath))) return [{ name: basename(path), content, path: shown }];
  } catch {
    // Reported below.
  }
  findings.problems.push(`'${shown}' changed or disappeared while it was opened`);
  return [];
}
