import { type Failure, placeOf, policyFailures } from "../../../api/resources/assert-failures.ts";
import type { AnsweredBy } from "../operation-calls.ts";
import type { PageRequest } from "../page.ts";
import { band } from "../parts/band.ts";
import { commaList, type Html, html, list, text } from "../parts/html.ts";
import { serviceIn } from "../parts/image-name.ts";
import { guideLink, linkIf } from "../parts/links.ts";
import { DAY, duration, time } from "../parts/time.ts";
import { complianceVerdict } from "../parts/verdict.ts";
import { counted } from "../parts/words.ts";

type Environment = AnsweredBy<"getEnvironment">;
type Running = AnsweredBy<"getSnapshot">["artifacts"][number];

export interface RunningNow {
  /** All of them, because the headline is about the whole environment. */
  readonly artifacts: readonly Running[];
  readonly total: number;
  readonly denied: number;
  /** Whether there was a report. */
  readonly isReported: boolean;
}

export function environmentBand(
  environment: Environment,
  { artifacts, denied, total }: RunningNow,
  howToAttach: Html | undefined,
  request: PageRequest,
): Html {
  const { state, policies, lastChangedAt, type } = environment;
  const reasons = state === false ? reasonList(artifacts, request) : html``;
  const guide = state === false ? guideLink("gate-shut", "See how to fix it") : undefined;
  return html`${band(complianceVerdict(state), sentence(), { more: reasons, buttons: [guide] })}`;

  function sentence(): Html {
    if (lastChangedAt === null || lastChangedAt === undefined) return html`No reports yet.`;
    if ((policies ?? []).length === 0 && state === null) {
      return type === "logical"
        ? html`Not all of its environments have a policy.`
        : html`No policy is attached. ${howToAttach}`;
    }
    if (denied === 0) return html`Last change: ${time(lastChangedAt)}.`;
    return html`${denied} of ${counted(total, "artifact")} may not run here.`;
  }
}

/** Maximum number of reasons at the top of the page, and of artifacts for each. The table has all of them. */
const NAMED = 5;

function failuresIn({ compliant, policyDecisions }: Running): Failure[] {
  return compliant === false ? (policyDecisions ?? []).flatMap(policyFailures) : [];
}

/** The reasons of an artifact, each with a link to the trail that explains it. */
export function reasonsOf(running: Running, request: PageRequest): Html[] {
  const byText = new Map(failuresIn(running).map((failure) => [failure.text, failure]));
  return [...byText.values()].map((failure) => {
    const flow = failure.flow === undefined ? "" : html` in ${placeLink(failure.flow, failure, request)}`;
    return html`${text(withoutPlace(failure))}${flow}`;
  });
}

/** Flow and trail are at the end of a reason. */
function withoutPlace({ text: reason, flow, trail }: Failure): string {
  return reason.slice(0, reason.length - placeOf(flow, trail).length);
}

/**
 * The artifacts of each reason by fingerprint, most frequent first. Reasons are without flow and trail, so that
 * artifacts with the same reason are together.
 */
function reasonsIn(artifacts: readonly Running[], request: PageRequest) {
  const byReason = new Map<string, Map<string, Html>>();
  for (const artifact of artifacts) {
    for (const failure of failuresIn(artifact)) {
      const reason = withoutPlace(failure);
      const known = byReason.get(reason) ?? new Map<string, Html>();
      known.set(artifact.fingerprint, placeLink(serviceIn(artifact.name).service, failure, request));
      byReason.set(reason, known);
    }
  }
  return [...byReason].sort(([, one], [, other]) => other.size - one.size);
}

function reasonList(artifacts: readonly Running[], request: PageRequest): Html {
  const all = reasonsIn(artifacts, request);
  const items = all.slice(0, NAMED).map(([reason, links]) => {
    const named = [...links.values()].slice(0, NAMED);
    const rest = links.size - named.length;
    return html`${text(reason)}: ${commaList(named)}${rest > 0 ? ` and ${rest} more` : ""}`;
  });
  const more = all.length > NAMED ? [html`and ${all.length - NAMED} more reasons in the table below`] : [];
  return list([...items, ...more], "reasons") ?? html``;
}

/** The most frequent reason, with the first artifact. */
export function worstReason(artifacts: readonly Running[], request: PageRequest): Html | undefined {
  const [first] = reasonsIn(artifacts, request);
  if (first === undefined) return undefined;
  const [reason, links] = first;
  const [named] = links.values();
  return html`${named}${links.size > 1 ? ` and ${links.size - 1} more` : ""}: ${text(reason)}`;
}

/** A name with a link to the trail that explains the result. */
function placeLink(
  name: string,
  { flow, trail }: Pick<Failure, "flow" | "trail">,
  { to, mayOpen }: PageRequest,
): Html {
  if (flow === undefined || trail === undefined) return text(name);
  const isAllowed = mayOpen("getFlow", { flowName: flow });
  return linkIf(isAllowed, to.page("flows", flow, "trails", trail), name);
}

const HOUR = 60 * 60;
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

/** Whether the last report is more than a day old. */
export function isStale(
  { type, lastReportedAt }: Pick<Environment, "type" | "lastReportedAt">,
  now: number,
): boolean {
  return type !== "logical" && Boolean(lastReportedAt) && now - Number(lastReportedAt) > DAY;
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
