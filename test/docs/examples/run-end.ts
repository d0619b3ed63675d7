import type { JobRuns } from "../../workflows/run/workflow-run.ts";

const MARKS = { success: "", failure: "!", skipped: "-" };

/** The jobs, with `!` before failed ones and `-` before skipped ones, and the summary of the run. */
export function endOf(runs: JobRuns): { jobs: string; told: string[] } {
  const jobs = Object.entries(runs).map(([id, { result }]) => `${MARKS[result]}${id}`);
  const annotations = Object.values(runs).flatMap((each) => each.annotations);
  return { jobs: jobs.join(", "), told: annotations.map(({ message }) => message) };
}

/** Output of the jobs' own commands. */
export function printed(runs: JobRuns): string {
  return Object.values(runs)
    .map((each) => each.printed)
    .join("");
}
