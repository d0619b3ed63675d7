import * as z from "zod/mini";
import type { GitHubAddress } from "./github-address.ts";
import { askGitHub, type Result } from "./github-api.ts";
import { GitHubError } from "./github-fault.ts";
import { flag, list, number, parseAnswer, part, text } from "./lenient.ts";

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
      throw new GitHubError({ reason: "GitHub's answer does not tell who reviews" });
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
