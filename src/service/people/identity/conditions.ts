import { fitsGlob } from "../../kernel/fits-glob.ts";
import { isSameName, lowerAscii, OUTSIDER_EVENTS } from "../../kernel/github-names.ts";
import { type Claims, claimText } from "./claims.ts";

export interface Conditions {
  /** Policy name, for messages. */
  readonly name: string;
  /** `acme/web`, or `acme/*`. */
  readonly repository: string | null;
  readonly repositoryId: string | null;
  readonly repositoryOwnerId: string | null;
  /** Allowed values by claim; `*` matches any characters. */
  readonly claims: Readonly<Record<string, string | readonly string[]>>;
  /** Unix seconds until which the first use pins the ids; null without pinning. */
  readonly pinnedUntil: number | null;
}

/** Problems by claim. */
export type Problems = Readonly<Record<string, string>>;

/** Returns the problems of a token; empty if it matches. */
export function problemsOf(conditions: Conditions, claims: Claims, now: number): Problems {
  const { name, repositoryId, repositoryOwnerId } = conditions;
  const problems = new Map<string, string>();
  const want = (claim: string, wanted: string) => {
    const actual = claimText(claims, claim);
    if (actual !== wanted) problems.set(claim, unlike(actual, name, [wanted]));
  };
  if (repositoryId !== null) want("repository_id", repositoryId);
  if (repositoryOwnerId !== null) want("repository_owner_id", repositoryOwnerId);
  const repository = problemOfName(conditions, claims, now);
  if (repository !== undefined) problems.set("repository", repository);
  for (const [claim, patterns] of Object.entries(conditions.claims)) {
    const actual = claimText(claims, claim);
    const wanted = [patterns].flat();
    // GitHub ignores the case of environment names.
    const inCase = (text: string) => (claim === "environment" ? lowerAscii(text) : text);
    const fits = actual !== undefined && wanted.some((pattern) => fitsGlob(inCase(pattern), inCase(actual)));
    if (!fits) problems.set(claim, unlike(actual, name, wanted));
  }
  const event = claimText(claims, "event_name");
  // Events that outsiders can trigger need a policy that lists them.
  if (
    event !== undefined &&
    OUTSIDER_EVENTS.includes(event) &&
    !names(conditions.claims["event_name"], event)
  ) {
    problems.set("event_name", `is ${event}; the policy '${name}' must list this event to accept it`);
  }
  return Object.fromEntries(problems);
}

/** The name counts only until ids are pinned, because it may change owners. */
function problemOfName(
  { name, repository, repositoryId, repositoryOwnerId, pinnedUntil }: Conditions,
  claims: Claims,
  now: number,
): string | undefined {
  const isOfOwner = repository?.endsWith("/*") === true;
  if (repository === null || (isOfOwner ? repositoryOwnerId : repositoryId) !== null) return undefined;
  const actual = claimText(claims, "repository");
  if (actual === undefined || !isSameName(isOfOwner ? `${actual.split("/")[0]}/*` : actual, repository)) {
    return unlike(actual, name, [repository]);
  }
  if (claimText(claims, "repository_owner_id") === undefined)
    return "cannot be checked without repository_owner_id";
  if (!isOfOwner && claimText(claims, "repository_id") === undefined)
    return "cannot be checked without repository_id";
  if (pinnedUntil !== null && now > pinnedUntil) {
    return `was not used within 24 hours of the last change of policy '${name}', which has no ids: set the ids, or save the policy again`;
  }
  return undefined;
}

function names(patterns: string | readonly string[] | undefined, text: string): boolean {
  return [patterns ?? []].flat().includes(text);
}

function unlike(actual: string | undefined, policy: string, wanted: readonly string[]): string {
  const is = actual === undefined ? "is missing" : `is ${actual}`;
  return `${is}; the policy '${policy}' requires ${wanted.join(" or ")}`;
}
