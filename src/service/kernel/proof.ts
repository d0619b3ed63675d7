/** Facts about a run that its token proves. Absent facts are not in the token. */
export interface Proof {
  readonly sha?: string | undefined;
  /** Names of the repository, such as `acme/web`. */
  readonly repositories: readonly string[];
  readonly repositoryId?: string | undefined;
  /** Page of the repository. */
  readonly page?: string | undefined;
  /** Page of the commit. */
  readonly commitPage?: string | undefined;
  /** Pages of the run. */
  readonly runs: readonly string[];
  readonly branch?: string | undefined;
  /** Whether the run built a trial merge or the like, so a record of another commit is no contradiction. */
  readonly isOfAnotherCommit: boolean;
}
