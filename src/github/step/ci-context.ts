import type { RepoInfo } from "../../api/resources/provenance.ts";
import type { CommitFacts } from "../api/commit-facts.ts";

/**
 * Facts about a job of another CI system than GitHub Actions, or about a clone outside of any. Unknown facts are absent.
 * Only the command line sets it.
 */
export interface CiContext {
  /** Such as `gitlab`; `git` outside of a known CI system. */
  readonly system: string;
  /** Head of the change, never a trial merge that only the job sees. */
  readonly commit?: string | undefined;
  /** Absent for tags, and if it may be a fork's branch of an unknown owner. `owner:branch` in a fork. */
  readonly branch?: string | undefined;
  readonly pullRequest?: { readonly number: number; readonly url?: string | undefined } | undefined;
  readonly repository?: RepoInfo | undefined;
  /** The code host of the repository. Absent if it is GitHub or unknown. */
  readonly codeHost?: JobHost | undefined;
  readonly run?:
    | {
        readonly id?: string | undefined;
        readonly url?: string | undefined;
        /** Counted from 1. */
        readonly attempt?: number | undefined;
      }
    | undefined;
  /** Account that started the run. */
  readonly actor?: string | undefined;
  /** Folder of the clone. */
  readonly workspace?: string | undefined;
  /** Facts of `commit` from variables. */
  readonly facts?: CommitFacts | undefined;
  /** Address of a commit's page without the SHA at its end. */
  readonly commitPages?: string | undefined;
  readonly advice: CiAdvice;
}

/** A code host, as the variables of a job describe it. */
export interface JobHost {
  readonly provider: "gitlab" | "bitbucket" | "azure";
  readonly url?: string | undefined;
  /** Name or number of the repository in the interface of the host. */
  readonly repository?: string | undefined;
  readonly token?: string | undefined;
}

/** A sentence each: the variable or setting of the CI system to change if a fact is missing. */
export interface CiAdvice {
  readonly commit: string;
  readonly repository: string;
  /** For a missing address of the run. */
  readonly run: string;
  /** For a commit that a shallow clone does not have. */
  readonly history: string;
}
