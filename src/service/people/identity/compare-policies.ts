import { Invalid } from "../../kernel/errors.ts";
import type { Claims } from "./claims.ts";
import { type Conditions, type Problems, problemsOf } from "./conditions.ts";
import { ISSUER_KINDS } from "./issuer-kinds.ts";

interface PolicyComparison<Policy extends Conditions> {
  readonly policy: Policy;
  readonly problems: Problems;
}

interface Question {
  readonly claims: Claims;
  /** Unix seconds. */
  readonly now: number;
}

export function comparePolicies<Policy extends Conditions>(
  policies: readonly Policy[],
  { claims, now }: Question,
): PolicyComparison<Policy>[] {
  return policies.map((policy) => ({ policy, problems: problemsOf(policy, claims, now) }));
}

export function fits({ problems }: PolicyComparison<Conditions>): boolean {
  return Object.keys(problems).length === 0;
}

/**
 * Returns the matching policy. Mismatches are only reported for policies of the token's own subject.
 *
 * @throws Invalid if no policy or more than one matches
 */
export function matchingPolicy<Policy extends Conditions>(
  policies: readonly Policy[],
  { org, wanted, ...question }: Question & { readonly org: string; readonly wanted: string | undefined },
): Policy {
  const comparisons = comparePolicies(
    policies.filter(({ name }) => wanted === undefined || name === wanted),
    question,
  );
  const [first, ...others] = comparisons.filter(fits);
  if (first !== undefined && others.length === 0) return first.policy;
  if (first !== undefined) {
    const names = [first, ...others].map(({ policy }) => `'${policy.name}'`).join(", ");
    throw new Invalid(
      "trust_policy.ambiguous",
      `Several trust policies match this token: set 'policy' to one of ${names}`,
    );
  }
  const own = comparisons.filter(({ policy }) => ISSUER_KINDS[policy.kind].isOwn(policy, question.claims));
  const errors = new Map<string, string>();
  for (const { problems } of own) {
    for (const [claim, problem] of Object.entries(problems)) {
      const before = errors.get(claim);
      errors.set(claim, before === undefined ? problem : `${before}; ${problem}`);
    }
  }
  const named = wanted === undefined ? "No trust policy" : `The trust policy '${wanted}'`;
  const problem = wanted === undefined ? "matches this token" : "does not exist or does not match this token";
  throw new Invalid(
    "trust_policy.no_match",
    `${named} of '${org}' ${problem}`,
    errors.size === 0 ? undefined : Object.fromEntries(errors),
  );
}
