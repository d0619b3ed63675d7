import { policyFailures } from "../../../api/resources/assert-failures.ts";
import type { AnsweredBy } from "../operation-calls.ts";
import { type Html, html, list, text } from "../parts/html.ts";
import { duration, time } from "../parts/time.ts";
import { complianceVerdict } from "../parts/verdict.ts";

type Environment = AnsweredBy<"getEnvironment">;
type Running = AnsweredBy<"getSnapshot">["artifacts"][number];

export function stateSentence(
  environment: Environment,
  artifacts: readonly Running[],
  howToAttach: Html | undefined,
): Html {
  const { state, policies, lastChangedAt, type } = environment;
  const isLogical = type === "logical";
  return html`<p class="lead">${complianceVerdict(state)} ${sentence()}</p>${state === false ? topReasons(artifacts) : ""}`;
  function sentence(): Html {
    if (lastChangedAt === null || lastChangedAt === undefined) return html`No reports yet.`;
    if ((policies ?? []).length === 0 && state === null)
      return html`${isLogical ? "Not all of its environments have a policy." : "No policy is attached."} ${isLogical ? "" : howToAttach}`;
    return html`Last change: ${time(lastChangedAt)}.`;
  }
}

/** Maximum number of reasons at the top of the page. The table has all of them. */
const NAMED = 5;

export function reasonsOf({ compliant, policyDecisions }: Running): string[] {
  if (compliant !== false) return [];
  return [...new Set((policyDecisions ?? []).flatMap(policyFailures).map(({ text: reason }) => reason))];
}

function topReasons(artifacts: readonly Running[]): Html {
  const byReason = new Map<string, { readonly first: string; count: number }>();
  for (const artifact of artifacts) {
    for (const reason of reasonsOf(artifact)) {
      const known = byReason.get(reason);
      if (known === undefined) byReason.set(reason, { first: artifact.name, count: 1 });
      else known.count += 1;
    }
  }
  const named = [...byReason].sort(([, one], [, other]) => other.count - one.count).slice(0, NAMED);
  const rest = byReason.size - named.length;
  const items = named.map(
    ([reason, { first, count }]) =>
      html`${text(first)}${count > 1 ? ` and ${count - 1} more` : ""}: ${text(reason)}`,
  );
  const more = rest > 0 ? [html`and ${rest} more reasons in the table below`] : [];
  return list([...items, ...more], "reasons") ?? html``;
}

const HOUR = 60 * 60;
const DAY = 24 * HOUR;
/** A report is late after this many times the median interval. */
const TIMES = 3;
/** Minimum number of snapshots for a median interval. */
const ENOUGH = 4;

type Listed = Pick<AnsweredBy<"listSnapshots">[number], "from">;

/** Maximum age of the last report, in seconds. Estimated from snapshots, because unchanged reports are not stored. */
function lateAfter(snapshots: readonly Listed[]): number {
  if (snapshots.length < ENOUGH) return DAY;
  const starts = snapshots.map(({ from }) => from).sort((one, other) => one - other);
  const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? start));
  const [median = DAY] = gaps.sort((one, other) => one - other).slice(Math.floor(gaps.length / 2));
  return Math.min(DAY, Math.max(HOUR, TIMES * median));
}

export function staleness(
  { type, lastReportedAt }: Pick<Environment, "type" | "lastReportedAt">,
  snapshots: readonly Listed[],
  now: number,
): Html {
  if (type === "logical" || !lastReportedAt) return html``;
  const age = now - lastReportedAt;
  const late = lateAfter(snapshots);
  if (age <= late) return html``;
  return html`<p class="warn"><strong>The last report is ${duration(age)} old.</strong> Reports are expected at least every ${duration(late)}, so this page may be out of date.</p>`;
}
