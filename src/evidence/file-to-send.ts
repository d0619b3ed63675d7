import { openAsBlob } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { InputError } from "../api/client/errors.ts";
import { type FileToSend, MAX_FILE_BYTES } from "../api/operation.ts";
import { oversize } from "./file-limit.ts";
import { checkPath, openWorkspace, type UsablePath } from "./workspace.ts";

export interface NamedFile {
  /** The input that names it, for messages. */
  readonly input: string;
  /** What its path is relative to, and what it may not lead out of unless that is allowed. */
  readonly workspace: string;
  readonly allowOutside?: boolean;
  /** Its media type, where that is known. */
  readonly type?: string;
}

/**
 * One file to send, by its path. Its bytes are read only while they are sent.
 *
 * @throws {InputError} under the name of `input`
 */
export async function openFileToSend(path: string, file: NamedFile): Promise<FileToSend> {
  const { realPath, shown } = await regularFile(path, file);
  const content = await openAsBlob(realPath, file.type === undefined ? {} : { type: file.type });
  return { name: basename(path), path: shown, content };
}

/**
 * The text of a file, without the byte order mark some editors begin it with.
 *
 * @throws {InputError} under the name of `input`
 */
export async function readTextFile(path: string, file: NamedFile): Promise<string> {
  const { realPath, shown } = await regularFile(path, file);
  const bytes = await readFile(realPath);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw unusable(file, `'${shown}' is not UTF-8 text`, cause);
  }
}

async function regularFile(path: string, file: NamedFile): Promise<UsablePath> {
  const workspace = await openWorkspace(file.workspace, file.allowOutside);
  const checked = checkPath(resolve(workspace.root, path), workspace);
  if ("problem" in checked) throw unusable(file, checked.problem);
  if (checked.stats.isDirectory()) throw unusable(file, `'${checked.shown}' is a directory, not a file`);
  if (checked.stats.size > MAX_FILE_BYTES) {
    throw unusable(file, oversize(`'${checked.shown}'`, checked.stats.size));
  }
  return checked;
}

function unusable({ input }: NamedFile, problem: string, cause?: unknown): InputError {
  return new InputError([{ input, problem }], { cause });
}
