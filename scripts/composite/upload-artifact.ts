import { cp, mkdir, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { PlayedAction } from "./embedded-step.ts";

/**
 * Plays `actions/upload-artifact`: keeps the files of a folder in a folder of the artifact's name. As GitHub has it, a
 * name is given once in a run, and hidden files are left out.
 *
 * @param artifacts where the run's artifacts are kept; made when it does not exist
 */
export function uploadArtifact(artifacts: string): PlayedAction {
  return async ({ with: { name = "artifact", path = "" } }) => {
    await mkdir(artifacts, { recursive: true });
    try {
      await mkdir(join(artifacts, name));
      const visible = (await readdir(path)).filter((file) => !file.startsWith("."));
      if (visible.length === 0) throw new Error(`No files were found with the provided path: ${path}`);
      for (const file of visible) {
        const filter = (source: string) => !basename(source).startsWith(".");
        await cp(join(path, file), join(artifacts, name, file), { recursive: true, filter });
      }
    } catch (error) {
      return { outcome: "failure", stdout: `::error::${error instanceof Error ? error.message : error}\n` };
    }
    return { outcome: "success", stdout: `Artifact ${name} has been successfully uploaded!\n` };
  };
}
