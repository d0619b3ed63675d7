/** What a job's token may be allowed, as a workflow writes it. */
export type Permission =
  | "contents: read"
  | "pull-requests: read"
  | "pull-requests: write"
  | "checks: write"
  | "actions: read"
  | "deployments: read"
  | "attestations: read"
  | "artifact-metadata: write";

/** What to add to a workflow whose token lacks a permission, as YAML. */
export function permissionAdvice(permission: Permission): string {
  return `Add to the job, beside the permissions that it lists already:\n  permissions:\n    ${permission}`;
}

interface Fault {
  /** Why GitHub did not tell, in words that stand by themselves: `GitHub answered 503`. */
  readonly reason: string;
  /** What the user can do about it; empty when there is nothing to say. */
  readonly advice?: string;
  readonly status?: number;
  /** Whether asking again may help. */
  readonly passing?: boolean;
  readonly cause?: unknown;
}

/** Why GitHub did not tell what was asked. Its message is the reason. */
export class GitHubError extends Error {
  readonly advice: string;
  readonly status: number | undefined;
  readonly passing: boolean;

  constructor({ reason, advice = "", status, passing = false, cause }: Fault) {
    super(reason, cause === undefined ? undefined : { cause });
    this.name = "GitHubError";
    this.advice = advice;
    this.status = status;
    this.passing = passing;
  }

  /**
   * The fault for the user.
   *
   * @param what is missing now: `no details of commit 0123abc`
   * @param so what follows from that, as a sentence
   */
  explain(apiUrl: string, what: string, so = ""): string {
    const host = URL.canParse(apiUrl) ? new URL(apiUrl).host : apiUrl;
    const sentences = [`${this.message}: ${host} gave ${what}.`, so].filter(Boolean).join(" ");
    return [sentences, this.advice].filter(Boolean).join("\n");
  }
}
