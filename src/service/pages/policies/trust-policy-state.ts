import type { AnsweredBy } from "../operation-calls.ts";
import { type Html, html } from "../parts/html.ts";
import { time } from "../parts/time.ts";
import { badge } from "../parts/verdict.ts";

export type Policy = AnsweredBy<"getTrustPolicy">;

type Word = "WORKS" | "NOT PINNED" | "LAPSED" | "ENDED" | "DISABLED";

const TONES: Readonly<Record<Word, Parameters<typeof badge>[1]>> = {
  WORKS: "ok",
  "NOT PINNED": "warn",
  LAPSED: "fail",
  ENDED: "unknown",
  DISABLED: "unknown",
};

/** The state of a policy. A policy with a repository name but no ids must be used within a day. */
export function stateOf(
  { enabled, expiresAt, pinnedUntil }: Pick<Policy, "enabled" | "expiresAt" | "pinnedUntil">,
  now: number,
): Word {
  if (!enabled) return "DISABLED";
  if (typeof expiresAt === "number" && expiresAt <= now) return "ENDED";
  if (typeof pinnedUntil !== "number") return "WORKS";
  return now > pinnedUntil ? "LAPSED" : "NOT PINNED";
}

export function stateBadge(policy: Policy, now: number): Html {
  const word = stateOf(policy, now);
  return badge(word, TONES[word]);
}

export function stateSentence(policy: Policy, now: number): Html {
  switch (stateOf(policy, now)) {
    case "WORKS":
      return html`Matching tokens need no key.`;
    case "NOT PINNED":
      return html`Its first use sets the ids. If it is not used before ${time(policy.pinnedUntil)}, it stops working.`;
    case "LAPSED":
      return html`It was not used within 24 hours, and the name may have a new owner. Set the ids, or save the policy to get another 24 hours.`;
    case "ENDED":
      return html`It expired ${time(policy.expiresAt)}.`;
    case "DISABLED":
      return html`It trusts no token until it is enabled.`;
  }
}

/** The repository, owner, service account or project that a policy trusts: `acme/web`. */
export function subjectOf(policy: Policy): string {
  const { repository, repositoryId, repositoryOwnerId, serviceAccount, project, projectIds, issuer } = policy;
  const owned = serviceAccount ?? project ?? (projectIds ? idTexts(projectIds).join(", ") : undefined);
  if (owned) return `${owned} of ${issuer}`;
  if (repository) return repository;
  if (repositoryId) return `the repository ${repositoryId}`;
  return repositoryOwnerId ? `the owner ${repositoryOwnerId}` : `workflows of ${issuer}`;
}

/** `project_id=7` for each id. */
export function idTexts(ids: Readonly<Record<string, string>>): string[] {
  return Object.entries(ids).map(([claim, id]) => `${claim}=${id}`);
}
