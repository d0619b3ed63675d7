import type { TemplateMatch } from "../../api/resources/template-match.ts";
import type { ActionContext } from "../../github/step/action.ts";
import type { Attested, AttestResult } from "./attest-one.ts";

export interface Expectation {
  /** Undefined when the template requires nothing of the kind, or is unknown. */
  readonly expected: boolean | undefined;
  /** Suggested change, without a full stop; empty unless the record is unexpected. */
  readonly advice: string;
}

const UNKNOWN: Expectation = { expected: undefined, advice: "" };

/**
 * Checks each record against its trail's template and warns of unexpected ones. If the service does not report the
 * match, each trail is read once. Errors here never fail the step, because the records already exist.
 */
export async function expectationsOf(
  results: readonly AttestResult[],
  { checkTemplate }: { readonly checkTemplate: boolean },
  context: ActionContext,
): Promise<ReadonlyMap<Attested, Expectation>> {
  const recorded = checkTemplate ? results.filter(({ done }) => done.status === "recorded") : [];
  const isUnknown = recorded.some(({ done }) => done.match === undefined);
  const read = isUnknown ? (await import("./read-match.ts")).matchReader(context) : undefined;
  const expectations = new Map<Attested, Expectation>();
  for (const one of recorded) {
    const match = one.done.match ?? (await read?.(one));
    expectations.set(one.done, match ? await expectationOf(one, match) : UNKNOWN);
  }
  const advice = [...expectations.values()].flatMap((each) => (each.expected === false ? each.advice : []));
  if (advice.length > 0) (await import("./unmet.ts")).warnOfUnmet(advice, context);
  return expectations;
}

async function expectationOf(result: AttestResult, match: TemplateMatch): Promise<Expectation> {
  if (match.result === "nothing-asked") return UNKNOWN;
  if (match.result === "met") return { expected: true, advice: "" };
  const { adviceFor } = await import("./unmet.ts");
  return { expected: false, advice: adviceFor(result, match.nearest) };
}

export function expectedText({ expected }: Expectation = UNKNOWN): string {
  return expected === undefined ? "" : String(expected);
}
