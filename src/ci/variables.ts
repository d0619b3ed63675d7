import type { CiAdvice, CiContext } from "../github/step/ci-context.ts";

/** Returns a variable of the job. An empty one counts as unset. */
export interface Variables {
  (name: string): string | undefined;
  readonly names: readonly string[];
}

export function variablesOf(environment: Readonly<Record<string, string | undefined>>): Variables {
  return Object.assign((name: string) => environment[name] || undefined, { names: Object.keys(environment) });
}

/** A CI system. The comment above each one lists the variables that it reads. */
export interface CiSystem {
  readonly name: string;
  readonly advice: CiAdvice;
  /** Facts that the clone may supply if no variable has them. */
  readonly fromClone?: readonly ("commit" | "branch")[];
  /** Whether the job runs on this system. */
  detect(variables: Variables): boolean;
  /** @param event payload of the event, which Forgejo and Gitea have */
  read(variables: Variables, event: Readonly<Record<string, unknown>>): Omit<CiContext, "system" | "advice">;
}

/** The branch of a full name such as `refs/heads/main`. Undefined for tags and other refs. */
export function branchOfRef(ref: string | undefined): string | undefined {
  return /^refs\/heads\/(.+)$/.exec(ref ?? "")?.[1];
}

/** The branch of a full or a short name. */
export function shortBranch(name: string | undefined): string | undefined {
  return name?.startsWith("refs/") ? branchOfRef(name) : name;
}

/** A fork's branch as `owner:branch`. Undefined if either is unknown. */
export function forkBranch(owner: string | undefined, branch: string | undefined): string | undefined {
  return owner && branch && `${owner}:${branch}`;
}

/** A positive number, as of a pull request or an attempt. */
export function positive(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
}

/** Groups of a path, outermost first. Undefined for none. */
export function groupsOf(path: string | undefined): string[] | undefined {
  const groups = (path ?? "").split("/").filter(Boolean);
  return groups.length === 0 ? undefined : groups;
}
