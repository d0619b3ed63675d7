import * as z from "zod/mini";
import type { GitHubAddress } from "./github-address.ts";
import { askGitHub, type Result } from "./github-api.ts";
import { GitHubError } from "./github-fault.ts";
import { flag, list, number, parseAnswer, part, text } from "./lenient.ts";

/** A required reviewer. GitHub requires approval from only one of them. */
interface Reviewer {
  readonly type: "user" | "team";
  /** The account, or the team's short name. */
  readonly name: string;
  readonly url?: string;
}

/** GitHub's requirements before a job may use an environment. */
export interface EnvironmentProtection {
  /** No approval is required if this is empty. */
  readonly reviewers: readonly Reviewer[];
  /** Whether the person who started the run may not approve it. */
  readonly preventsSelfReview: boolean;
  /** Wait timer in minutes. */
  readonly waitMinutes: number;
}

const reviewer = part({ login: text, slug: text, name: text, html_url: text });

const rule = z.object({
  type: text,
  prevent_self_review: flag,
  wait_timer: number,
  reviewers: list(z.object({ type: text, reviewer })),
});

/**
 * Reads the protection rules of an environment of the repository.
 *
 * @throws the signal's reason when it aborts; other failures are returned as faults
 */
export function readEnvironmentProtection(
  address: GitHubAddress,
  environment: string,
): Promise<Result<EnvironmentProtection>> {
  return askGitHub(address, async (github) => {
    const data = await github.get({
      path: "/environments/{environment}",
      parameters: { environment },
      subject: `environment '${environment}'`,
      permission: "actions: read",
    });
    const described = parseAnswer(z.object({ protection_rules: z.array(rule) }), data, "an environment");
    const { protection_rules: rules } = described;
    const approval = rules.find(({ type }) => type === "required_reviewers");
    if (approval !== undefined && approval.reviewers === undefined) {
      throw new GitHubError({ reason: "GitHub's response does not list the reviewers" });
    }
    return {
      reviewers: (approval?.reviewers ?? []).map(({ type, reviewer: who }) => ({
        type: type === "Team" ? "team" : "user",
        name: who?.login ?? who?.slug ?? who?.name ?? "",
        ...(who?.html_url !== undefined && { url: who.html_url }),
      })),
      preventsSelfReview: approval?.prevent_self_review ?? false,
      waitMinutes: rules.find(({ type }) => type === "wait_timer")?.wait_timer ?? 0,
    };
  });
}
