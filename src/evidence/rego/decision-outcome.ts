import type { Verdict } from "./verdict.ts";

/** When the denials of a decision policy count. */
export interface Enforcement {
  readonly warnOnly: boolean;
  /** Unix seconds. Denials before it only warn. */
  readonly effectiveFrom: number | null;
}

/**
 * Returns the result to record for a verdict. A denial that only warns is compliant.
 *
 * @param at time of the evaluation, in Unix seconds
 */
export function outcomeOf(
  { warnOnly, effectiveFrom }: Enforcement,
  { allow }: Pick<Verdict, "allow">,
  at: number,
): { isCompliant: boolean; warned: boolean } {
  const onlyWarns = warnOnly || (effectiveFrom !== null && at < effectiveFrom);
  return { isCompliant: allow || onlyWarns, warned: !allow && onlyWarns };
}
