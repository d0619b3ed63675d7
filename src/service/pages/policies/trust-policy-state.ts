import type { AnsweredBy } from "../ask.ts";
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

/** A policy that names its repository without ids must be used within a day. */
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
      return html`Workflows that fit it need no key.`;
    case "NOT PINNED":
      return html`It is known by its name alone, until its first use keeps its ids. Unless it is used before ${time(policy.pinnedUntil)}, it trusts nobody any more.`;
    case "LAPSED":
      return html`It was not used within 24 hours, and a name may be somebody else's by now. Give its ids, or change it, which gives it 24 hours more.`;
    case "ENDED":
      return html`It ended ${time(policy.expiresAt)}.`;
    case "DISABLED":
      return html`It trusts nobody until it is enabled.`;
  }
}

/** Whom it trusts: `acme/web`. */
export function whomOf({ repository, repositoryId, repositoryOwnerId, issuer }: Policy): string {
  if (repository) return repository;
  if (repositoryId) return `the repository ${repositoryId}`;
  return repositoryOwnerId ? `the owner ${repositoryOwnerId}` : `workflows of ${issuer}`;
}

/** What it is for: `flows web, api; environments prod`. */
export function reachOf({ flows, environments }: Pick<Policy, "flows" | "environments">): string {
  if (!flows && !environments) return "everything";
  const named = [
    flows?.length ? `flows ${flows.join(", ")}` : "",
    environments?.length ? `environments ${environments.join(", ")}` : "",
  ];
  return named.filter(Boolean).join("; ") || "nothing";
}
