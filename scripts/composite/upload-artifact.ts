import { join } from "node:path";
import { keepFiles } from "../act/upload-artifact/keep-files.ts";
import type { PlayedAction } from "./embedded-step.ts";

/**
 * Replaces `actions/upload-artifact`: copies files to a folder with the artifact's name, which must be unique in a run.
 *
 * @param artifacts folder of the run's artifacts; created if it does not exist
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
