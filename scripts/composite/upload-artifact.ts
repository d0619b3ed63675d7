import { join } from "node:path";
import { keepFiles } from "../act/upload-artifact/keep-files.ts";
import type { PlayedAction } from "./embedded-step.ts";

/**
 * Plays `actions/upload-artifact`: keeps files in a folder of the artifact's name, which is given once in a run.
 *
 * @param artifacts where the run's artifacts are kept; made when it does not exist
 */
export function uploadArtifact(artifacts: string): PlayedAction {
  return async ({ with: { name = "artifact", path = "" }, workspace }) => {
    try {
      keepFiles(path, join(artifacts, name), workspace);
    } catch (error) {
      return { outcome: "failure", stdout: `::error::${error instanceof Error ? error.message : error}\n` };
    }
    return { outcome: "success", stdout: `Artifact ${name} has been successfully uploaded!\n` };
  };
}
