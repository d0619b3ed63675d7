import { cp, mkdir, readdir, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { PlayedAction } from "./embedded-step.ts";

/**
 * Plays `actions/upload-artifact`: keeps files in a folder of the artifact's name, as they lie below the folder that all
 * the given paths share. As GitHub has it, a name is given once in a run, and hidden files are left out.
 *
 * @param artifacts where the run's artifacts are kept; made when it does not exist
 */
export function uploadArtifact(artifacts: string): PlayedAction {
  return async ({ with: { name = "artifact", path = "" }, workspace }) => {
    await mkdir(artifacts, { recursive: true });
    try {
      await mkdir(join(artifacts, name));
      const { folder, files } = await filesOf(linesOf(path).map((line) => resolve(workspace, line)));
      if (files.length === 0) throw new Error(`No files were found with the provided path: ${path}`);
      for (const file of files) {
        const filter = (source: string) => !isHidden(source);
        const target = join(artifacts, name, relative(folder, file));
        await cp(file, target, { recursive: true, filter });
      }
    } catch (error) {
      return { outcome: "failure", stdout: `::error::${error instanceof Error ? error.message : error}\n` };
    }
    return { outcome: "success", stdout: `Artifact ${name} has been successfully uploaded!\n` };
  };
}

/** What there is of the paths, and the folder that becomes the root of the artifact. */
async function filesOf(paths: readonly string[]): Promise<{ folder: string; files: string[] }> {
  const [only, ...others] = paths;
  if (only !== undefined && others.length === 0 && (await isFolder(only))) {
    const files = (await readdir(only)).map((file) => join(only, file));
    return { folder: only, files: files.filter((file) => !isHidden(file)) };
  }
  const files: string[] = [];
  for (const path of paths) if (await stat(path).catch(() => undefined)) files.push(path);
  return { folder: sharedFolder(paths.map((path) => dirname(path))), files };
}

function sharedFolder([first = "", ...others]: readonly string[]): string {
  const isShared = (folder: string) =>
    others.every((other) => `${other}${sep}`.startsWith(`${folder}${sep}`));
  let folder = first;
  while (!isShared(folder) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

function isHidden(path: string): boolean {
  return basename(path).startsWith(".");
}
