import { Invalid, Untrusted } from "../../kernel/errors.ts";
import { isSameName } from "../../kernel/github-names.ts";
import { type Claims, claimText } from "./claims.ts";
import { type Conditions, type Problems, problemsOf } from "./conditions.ts";

/** A trust policy with what does not fit of a token. */
interface Judged<Policy extends Conditions> {
  readonly policy: Policy;
  readonly problems: Problems;
}

interface Question {
  readonly claims: Claims;
  /** Unix seconds. */
  readonly now: number;
}

export function judge<Policy extends Conditions>(
  policies: readonly Policy[],
  { claims, now }: Question,
): Judged<Policy>[] {
  return policies.map((policy) => ({ policy, problems: problemsOf(policy, claims, now) }));
}

export function fits({ problems }: Judged<Conditions>): boolean {
  return Object.keys(problems).length === 0;
}

/**
 * The one policy that fits a token. Why none does is told of policies of its own repository alone: what an organization
 * trusts is nobody else's business.
 *
 * @throws Untrusted, or Invalid when several fit
 */
export function theFitting<Policy extends Conditions>(
  policies: readonly Policy[],
  { org, wanted, ...question }: Question & { readonly org: string; readonly wanted: string | undefined },
): Policy {
  const judged = judge(
    policies.filter(({ name }) => wanted === undefined || name === wanted),
    question,
  );
  const [first, ...others] = judged.filter(fits);
  if (first !== undefined && others.length === 0) return first.policy;
  if (first !== undefined) {
    const names = [first, ...others].map(({ policy }) => `'${policy.name}'`).join(", ");
    throw new Invalid(`Several trust policies fit this token: name one of ${names} as policy`);
  }
  const own = judged.filter(({ policy }) => isOfSameRepository(policy, question.claims));
  const errors = new Map<string, string>();
  for (const { problems } of own) {
    for (const [claim, problem] of Object.entries(problems)) {
      const before = errors.get(claim);
      errors.set(claim, before === undefined ? problem : `${before}; ${problem}`);
    }
  }
  const named = wanted === undefined ? "No trust policy" : `The trust policy '${wanted}'`;
  const problem = wanted === undefined ? "fits this token" : "is not there, or does not fit this token";
  throw new Untrusted(
    `${named} of '${org}' ${problem}`,
    errors.size === 0 ? undefined : Object.fromEntries(errors),
  );
}

/** By the ids that stay with it, and by its name as long as its own id is not kept. */
function isOfSameRepository(
  { repository, repositoryId, repositoryOwnerId }: Conditions,
  claims: Claims,
): boolean {
  if (repositoryId !== null) return claimText(claims, "repository_id") === repositoryId;
  const isNamed =
    repository !== null && !repository.endsWith("/*")
      ? isSameName(claimText(claims, "repository") ?? "", repository)
      : repositoryOwnerId !== null;
  return (
    isNamed && (repositoryOwnerId === null || claimText(claims, "repository_owner_id") === repositoryOwnerId)
  );
}
