import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Runner } from "../github/step/runner.ts";
import { SPOOL_ARTIFACT_PREFIX } from "../spool/submission.ts";

/** The spool of a job. The runner deletes the folder with the job, so `action.yml` uploads it before. */
export function spoolFolder({ tempDir }: Pick<Runner, "tempDir">): string {
  return join(tempDir ?? tmpdir(), "delivery-evidence-spool");
}

/** Outputs of actions that spool, for the upload step of their `action.yml`. */
export const SPOOL_OUTPUTS = {
  "spool-artifact": "Name of the workflow artifact with the spooled records; empty if there are none.",
  "spool-folder":
    "Folder that the artifact is made from, with everything the job has spooled so far; empty if nothing was spooled.",
};

export function spoolOutputs(spooled: boolean, runner: Runner): Record<keyof typeof SPOOL_OUTPUTS, string> {
  return {
    "spool-artifact": spooled ? spoolArtifact(runner) : "",
    "spool-folder": spooled ? spoolFolder(runner) : "",
  };
}

/** Artifact names must be unique in a run, also across a matrix. */
function spoolArtifact({ runId, runAttempt }: Pick<Runner, "runId" | "runAttempt">): string {
  const random = crypto.randomUUID().slice(0, 8);
  return `${SPOOL_ARTIFACT_PREFIX}${runId ?? "local"}-${runAttempt ?? 1}-${random}`;
}
