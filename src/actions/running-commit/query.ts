import type { Comparison } from "../../github/api/comparison.ts";

/** What is asked about, and how it lies to what runs. */
export interface Query {
  readonly flow: string;
  /** The service's environment. */
  readonly environment: string;
  /** The repository's environment at GitHub. */
  readonly gitHubEnvironment: string | undefined;
  readonly candidate: string;
  /** The commit that runs; null when none does, undefined when nobody was asked. */
  readonly running: string | null | undefined;
  readonly comparison: Comparison;
}
