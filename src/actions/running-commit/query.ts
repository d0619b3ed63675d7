import type { Comparison } from "../../github/api/comparison.ts";

/** The question, and the candidate compared with the running commit. */
export interface Query {
  readonly flow: string;
  /** The service's environment. */
  readonly environment: string;
  /** GitHub's environment. */
  readonly gitHubEnvironment: string | undefined;
  readonly candidate: string;
  /** Null when none runs, undefined in a dry run. */
  readonly running: string | null | undefined;
  readonly comparison: Comparison;
}
