/** A permission of a job's token, as written in a workflow. */
export type Permission =
  | "contents: read"
  | "pull-requests: read"
  | "pull-requests: write"
  | "checks: write"
  | "actions: read"
  | "deployments: read"
  | "attestations: read"
  | "artifact-metadata: write";

/** Advice to add a missing permission to a workflow, as YAML. */
export function permissionAdvice(permission: Permission): string {
  return `Add this to the job, next to the permissions that it has already:\n  permissions:\n    ${permission}`;
}

interface Fault {
  /** Complete clause: `GitHub answered 503`. */
  readonly reason: string;
  /** Advice for the user; may be empty. */
  readonly advice?: string;
  readonly status?: number;
  /** Whether a retry may help. */
  readonly passing?: boolean;
  readonly cause?: unknown;
}

/** A failed request to GitHub. Its message is the reason. */
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
   * @param what GitHub's host did, without the subject: `returned no details of commit 0123abc`
   * @param so the consequence, as a sentence
   */
  explain(apiUrl: string, what: string, so = ""): string {
    const host = URL.canParse(apiUrl) ? new URL(apiUrl).host : apiUrl;
    const sentences = [`${this.message}: ${host} ${what}.`, so].filter(Boolean).join(" ");
    return [sentences, this.advice].filter(Boolean).join("\n");
  }
}
