import { openAsBlob } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import type { FileToSend } from "../api/files.ts";
import { MAX_FILE_BYTES } from "../api/operation.ts";
import { oversize, unusableFile } from "./unusable-path.ts";
import { checkPath, openWorkspace, type UsablePath } from "./workspace.ts";

export interface NamedFile {
  /** For messages. */
  readonly input: string;
  /** Base of the path, which must stay inside unless `allowOutside`. */
  readonly workspace: string;
  readonly allowOutside?: boolean;
  readonly type?: string;
}

/**
 * Opens a file. Its bytes are read when they are sent.
 *
 * @throws {InputError} for `input`
 */
export async function openFileToSend(path: string, file: NamedFile): Promise<FileToSend> {
  const { realPath, shown } = await regularFile(path, file);
  const content = await openAsBlob(realPath, file.type === undefined ? {} : { type: file.type });
  return { name: basename(path), path: shown, content };
}

/**
 * Reads a text file without a leading byte order mark.
 *
 * @throws {InputError} for `input`
 */
export async function readTextFile(path: string, file: NamedFile): Promise<string> {
  const { realPath, shown } = await regularFile(path, file);
  const bytes = await readFile(realPath);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw unusableFile(file.input, `'${shown}' is not UTF-8 text`, { cause });
  }
}

async function regularFile(path: string, { input, ...file }: NamedFile): Promise<UsablePath> {
  const workspace = await openWorkspace(file.workspace, file.allowOutside);
  const checked = checkPath(resolve(workspace.root, path), workspace);
  if ("problem" in checked) throw unusableFile(input, checked.problem);
  if (checked.stats.isDirectory()) throw unusableFile(input, `'${checked.shown}' is a directory, not a file`);
  if (checked.stats.size > MAX_FILE_BYTES) {
    throw unusableFile(input, oversize(`'${checked.shown}'`, checked.stats.size));
  }
  return checked;
}
