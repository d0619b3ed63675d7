import { fitsGlob } from "../../kernel/fits-glob.ts";
import { lowerAscii } from "../../kernel/github-names.ts";
import { type Claims, claimText } from "./claims.ts";
import { ISSUER_KINDS } from "./issuer-kinds.ts";
import type { Subject } from "./kinds/issuer-kind.ts";

export interface Conditions extends Subject {
  /** Policy name, for messages. */
  readonly name: string;
  /** Allowed values by claim; `*` matches any characters. */
  readonly claims: Readonly<Record<string, string | readonly string[]>>;
  /** Unix seconds until which the first use pins the ids; null without pinning. */
  readonly pinnedUntil: number | null;
}

/** Problems by claim. */
export type Problems = Readonly<Record<string, string>>;

/** Returns the problems of a token; empty if it matches. */
export function problemsOf(conditions: Conditions, claims: Claims, now: number): Problems {
  const { name, kind, ids } = conditions;
  const problems = new Map<string, string>();
  const want = (claim: string, wanted: string) => {
    const actual = claimText(claims, claim);
    if (actual !== wanted) problems.set(claim, unlike(actual, name, [wanted]));
  };
  for (const [claim, id] of Object.entries(ids)) if (id) want(claim, id);
  const named = problemOfName(conditions, claims, now);
  if (named !== undefined) problems.set(ISSUER_KINDS[kind].nameClaim, named);
  for (const [claim, patterns] of Object.entries(conditions.claims)) {
    const actual = claimText(claims, claim);
    const wanted = [patterns].flat();
    // GitHub ignores the case of environment names. At GitLab, another case is another environment.
    const ignoresCase = kind === "github" && claim === "environment";
    const inCase = (text: string) => (ignoresCase ? lowerAscii(text) : text);
    const fits = actual !== undefined && wanted.some((pattern) => fitsGlob(inCase(pattern), inCase(actual)));
    if (!fits) problems.set(claim, unlike(actual, name, wanted));
  }
  const { always = {}, outsiders } = ISSUER_KINDS[kind];
  if (outsiders !== undefined) {
    const { claim, noun, isOutside } = outsiders;
    const actual = claimText(claims, claim);
    const listed = [conditions.claims[claim] ?? []].flat().filter(isOutside);
    // Runs that outsiders can cause need a policy that lists them.
    if (actual !== undefined && isOutside(actual) && !listed.some((pattern) => fitsGlob(pattern, actual)))
      problems.set(claim, `is ${actual}; the policy '${name}' must list this ${noun} to accept it`);
  }
  for (const [claim, { fits, problem }] of Object.entries(always)) {
    if (!fits.test(claimText(claims, claim) ?? "")) problems.set(claim, problem);
  }
  return Object.fromEntries(problems);
}

/** By default, the name counts only until ids are pinned, because it may change owners. */
function problemOfName(
  { name, kind, subject, ids, pinnedUntil }: Conditions,
  claims: Claims,
  now: number,
): string | undefined {
  const { nameOf, isNamed, idsOf, keepsName = false } = ISSUER_KINDS[kind];
  const areIdsKnown = isPinned({ kind, subject, ids });
  if (subject === null || (areIdsKnown && !keepsName)) return undefined;
  const actual = nameOf(claims);
  if (actual === undefined || !isNamed(actual, subject)) return unlike(actual, name, [subject]);
  if (areIdsKnown) return undefined;
  const missing = idsOf(subject).find((claim) => claimText(claims, claim) === undefined);
  if (missing !== undefined) return `cannot be checked without ${missing}`;
  if (pinnedUntil !== null && now > pinnedUntil) {
    return `was not used within 24 hours of the last change of policy '${name}', which has no ids: set the ids, or save the policy again`;
  }
  return undefined;
}

/** Whether the decisive id of the subject is known. */
export function isPinned({ kind, subject, ids }: Subject): boolean {
  const decisive = subject === null ? undefined : ISSUER_KINDS[kind].idsOf(subject).at(-1);
  return decisive !== undefined && Boolean(ids[decisive]);
}

function unlike(actual: string | undefined, policy: string, wanted: readonly string[]): string {
  const is = actual === undefined ? "is missing" : `is ${actual}`;
  return `${is}; the policy '${policy}' requires ${wanted.join(" or ")}`;
}
