import * as z from "zod/mini";
import type { GitHubAddress } from "./github-address.ts";
import { askGitHub, type Result } from "./github-api.ts";
import { GitHubError } from "./github-fault.ts";
import { flag, list, number, part, text } from "./lenient.ts";

/** Who may approve: one of them is enough for GitHub. */
interface Reviewer {
  readonly type: "user" | "team";
  /** The account, or the team's short name. */
  readonly name: string;
  readonly url?: string;
}

/** What GitHub asks for before a job gets into an environment. */
export interface EnvironmentProtection {
  /** Nobody has to approve when there are none. */
  readonly reviewers: readonly Reviewer[];
  /** Whoever started the run may not approve it. */
  readonly preventsSelfReview: boolean;
  /** How long a job waits before it goes on. */
  readonly waitMinutes: number;
}

const answer = z.object({
  protection_rules: list(
    z.object({
      type: text,
      prevent_self_review: flag,
      wait_timer: number,
      reviewers: list(
        z.object({ type: text, reviewer: part({ login: text, slug: text, name: text, html_url: text }) }),
      ),
    }),
  ),
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
    const rules = z.safeParse(answer, data).data?.protection_rules;
    if (rules === undefined) throw new GitHubError({ reason: "GitHub's answer is not an environment" });
    const approval = rules.find(({ type }) => type === "required_reviewers");
    if (approval !== undefined && approval.reviewers === undefined) {
      throw new GitHubError({ reason: "GitHub's answer does not tell who reviews" });
    }
    return {
      reviewers: (approval?.reviewers ?? []).map(({ type, reviewer }) => ({
        type: type === "Team" ? "team" : "user",
        name: reviewer?.login ?? reviewer?.slug ?? reviewer?.name ?? "",
        ...(reviewer?.html_url !== undefined && { url: reviewer.html_url }),
      })),
      preventsSelfReview: approval?.prevent_self_review ?? false,
      waitMinutes: rules.find(({ type }) => type === "wait_timer")?.wait_timer ?? 0,
    };
  });
}
