import { ifFound } from "../operation-calls.ts";
import type { PageRequest } from "../page.ts";
import { choiceFilter, filterBar } from "../parts/filter-bar.ts";
import { withChosen } from "../parts/known-names.ts";
import { type ListPage, pageOfWhole } from "../parts/lists.ts";
import { complianceWord, RESULTS } from "../parts/verdict.ts";
import type { RunningNow } from "./environment-state.ts";
import { namespacesOf, type Running } from "./running-table.ts";

/* The artifacts that run in an environment, with a filter. */

/** Rows per page. */
const ARTIFACTS = 100;
/** Maximum of the operation. */
const PER_READING = 1_000;

export async function runningNow({
  call,
  params,
}: PageRequest<{ readonly environment: string }>): Promise<RunningNow> {
  const given = { envName: params.environment, perPage: PER_READING };
  const latest = await ifFound(call("getSnapshot", { ...given, snapshotExpression: "-1", page: 1 }));
  if (latest === undefined) return { artifacts: [], total: 0, denied: 0, isReported: false };
  const total = Object.values(latest.artifactComplianceCount).reduce((all, each) => all + each, 0);
  const all = [...latest.artifacts];
  // A newer snapshot may be reported meanwhile.
  const snapshotExpression = String(latest.index);
  for (let page = 2; (page - 1) * PER_READING < total; page++) {
    all.push(...(await call("getSnapshot", { ...given, snapshotExpression, page })).artifacts);
  }
  const artifacts = all.filter(({ annotation }) => annotation?.now !== 0);
  return { artifacts, total, denied: latest.artifactComplianceCount["false"] ?? 0, isReported: true };
}

/** No flow has this name. */
const UNKNOWN_FLOW = "-";

interface Wanted {
  readonly namespace: string;
  readonly flow: string;
  readonly result: string;
}

/** The filter of running artifacts, with the namespaces and flows that they have. */
export function boardBar(artifacts: readonly Running[], request: PageRequest) {
  const { query } = request;
  const namespaces = withChosen(artifacts.flatMap(namespacesOf).sort(), query.get("namespace"));
  const flows = withChosen(artifacts.flatMap(flowsOf).sort(), query.get("flow"));
  const filters = {
    namespace: choiceFilter("Namespace", namespaces),
    flow: choiceFilter(
      "Flow",
      flows.map((name) => [name, name === UNKNOWN_FLOW ? "Unknown origin" : name] as const),
    ),
    result: choiceFilter("Result", RESULTS),
  };
  return filterBar("Filter running artifacts", filters, request);
}

/** A page of those that match. A filtered list counts all, too. */
export function boardOf(
  artifacts: readonly Running[],
  { namespace, flow, result }: Wanted,
  request: PageRequest,
): ListPage<Running> {
  const matching = artifacts.filter(
    (each) =>
      (namespace === "" || namespacesOf(each).includes(namespace)) &&
      (flow === "" || flowsOf(each).includes(flow)) &&
      (result === "" || complianceWord(each.compliant) === result),
  );
  const list = pageOfWhole(matching, request, ARTIFACTS);
  return matching.length === artifacts.length
    ? list
    : { ...list, count: list.count && `${list.count}, ${artifacts.length} in all` };
}

function flowsOf({ flows }: Running): string[] {
  const names = (flows ?? []).map(({ flowName }) => flowName);
  return names.length === 0 ? [UNKNOWN_FLOW] : names;
}
