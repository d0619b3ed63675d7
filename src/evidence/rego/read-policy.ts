import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join, posix, resolve } from "node:path";
import { InputError } from "../../api/client/errors.ts";
import { MAX_FILE_BYTES } from "../../api/operation.ts";
import { oversize, unusableFile, whyUnusable } from "../unusable-path.ts";
import { checkPath, isInside, openWorkspace, type UsablePath, type Workspace } from "../workspace.ts";
import { type PolicyFiles, policyFileProblems } from "./policy-files.ts";

export interface WorkspacePolicy {
  readonly files: PolicyFiles;
  /** Path in the repository of a file of the policy, for annotations. */
  readonly placeOf: (file: string) => string;
}

const INPUT = "policy";

/**
 * Reads a policy from the workspace: a `.rego` file, or all of them in a folder and its subfolders.
 *
 * @throws {InputError} (`policy`) for a path outside the workspace, a link out of the folder, or unusable files
 */
export async function readPolicy(path: string, directory: string): Promise<WorkspacePolicy> {
  const workspace = await openWorkspace(directory);
  const named = usable(resolve(workspace.root, path), workspace);
  const isFolder = named.stats.isDirectory();
  const files = isFolder
    ? await filesIn(named, "", workspace, [named.realPath])
    : { [basename(named.path)]: await textOf(named) };
  const problems = policyFileProblems(files);
  if (problems.length > 0)
    throw new InputError(
      problems.map(({ problem }) => ({
        input: INPUT,
        code: "file.unusable",
        problem: `'${path}': ${problem}`,
      })),
    );
  const folder = (isFolder ? named.shown : dirname(named.shown)).replaceAll("\\", "/");
  return { files, placeOf: (file) => posix.join(folder, file) };
}

function usable(path: string, workspace: Workspace): UsablePath {
  const checked = checkPath(path, workspace);
  if ("problem" in checked) throw unusableFile(INPUT, checked.problem);
  return checked;
}

/** @param folders real paths of this folder and those above it, up to the policy's */
async function filesIn(
  folder: UsablePath,
  prefix: string,
  workspace: Workspace,
  folders: readonly string[],
): Promise<Record<string, string>> {
  const [root = ""] = folders;
  const files: Record<string, string> = {};
  const names = await readdir(folder.realPath).catch((error: unknown) => {
    throw unusableFile(INPUT, `'${folder.shown}' ${whyUnusable(error)}`);
  });
  for (const name of names) {
    if (name.startsWith(".")) continue;
    const isPolicy = name.endsWith(".rego");
    const entry = checkPath(join(folder.path, name), workspace);
    if ("problem" in entry) {
      if (isPolicy) throw unusableFile(INPUT, entry.problem);
      continue;
    }
    const isFolder = entry.stats.isDirectory();
    if (!isFolder && !isPolicy) continue;
    if (!isInside(entry.realPath, root))
      throw unusableFile(INPUT, `'${entry.shown}' is a link out of the policy's folder`);
    if (!isFolder) files[prefix + name] = await textOf(entry);
    else if (!folders.includes(entry.realPath)) {
      Object.assign(
        files,
        await filesIn(entry, `${prefix}${name}/`, workspace, [...folders, entry.realPath]),
      );
    }
  }
  return files;
}

async function textOf({ realPath, shown, stats }: UsablePath): Promise<string> {
  if (stats.size > MAX_FILE_BYTES) throw unusableFile(INPUT, oversize(`'${shown}'`, stats.size));
  const bytes = await readFile(realPath);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw unusableFile(INPUT, `'${shown}' is not UTF-8 text`);
  }
}
