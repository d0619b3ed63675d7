import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Runner } from "../github/step/runner.ts";
import { SPOOL_ARTIFACT_PREFIX } from "../spool/submission.ts";

/** The spool of a job. The runner empties its folder with the job's end: what is in it has to be uploaded before. */
export function spoolFolder({ tempDir }: Pick<Runner, "tempDir">): string {
  return join(tempDir ?? tmpdir(), "delivery-evidence-spool");
}

/** The outputs of an action that spools: what its `action.yml` uploads, and whether. */
export const SPOOL_OUTPUTS = {
  "spool-artifact": "The name of the workflow artifact with what was spooled; empty when nothing was.",
  "spool-folder":
    "The folder that it is made of, with all that the job has spooled so far; empty when nothing was.",
};

export function spoolOutputs(spooled: boolean, runner: Runner): Record<keyof typeof SPOOL_OUTPUTS, string> {
  return {
    "spool-artifact": spooled ? spoolArtifact(runner) : "",
    "spool-folder": spooled ? spoolFolder(runner) : "",
  };
}

/** The name of the artifact of one step: no two artifacts of a run may have the same, whatever the matrix. */
function spoolArtifact({ runId, runAttempt }: Pick<Runner, "runId" | "runAttempt">): string {
  const random = crypto.randomUUID().slice(0, 8);
  return `${SPOOL_ARTIFACT_PREFIX}${runId ?? "local"}-${runAttempt ?? 1}-${random}`;
}
