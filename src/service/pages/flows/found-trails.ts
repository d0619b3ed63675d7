import type { GivenTo } from "../operation-calls.ts";
import type { PageRequest } from "../page.ts";
import { choiceFilter, filterBar, periodFilter } from "../parts/filter-bar.ts";
import { listed, pageNumberIn, ROWS } from "../parts/lists.ts";
import {
  type FoundRecords,
  type RecordFilter,
  STATES,
  searchFilters,
  searchPage,
  stateOf,
} from "../parts/record-search.ts";
import type { ListedTrail, ShownTrail } from "../parts/records.ts";

type Wanted = Omit<RecordFilter, "flow">;

/** The filter of a flow's trails. */
export function trailBar(latest: readonly ListedTrail[], request: PageRequest) {
  return filterBar(
    "Filter trails",
    { state: choiceFilter("State", STATES), ...searchFilters(latest), period: periodFilter() },
    request,
  );
}

/** A page of the trails of a flow, newest first. `listFlowTrails` filters by state only; the search does the rest. */
export async function trailsOf(
  flow: string,
  wanted: Wanted,
  request: PageRequest,
): Promise<FoundRecords<ShownTrail>> {
  const { call, query } = request;
  const { state, branch, author, text, period } = wanted;
  if (branch + author + text === "" && period.preset === "any") {
    const given: GivenTo<"listFlowTrails"> = {
      flowName: flow,
      ...(state === "" ? {} : { complianceState: state }),
      ...{ page: pageNumberIn(query), perPage: ROWS },
    };
    const list = listed(await call("listFlowTrails", given), request);
    return { list, json: { operation: "listFlowTrails", given } };
  }
  return searchPage(
    "trail",
    { flow, ...wanted },
    (found): ShownTrail => ({
      name: found.name,
      flow: { name: found.flow ?? flow },
      complianceState: stateOf(found) ?? "INCOMPLETE",
      gitCommitInfo: {
        sha1: found.commit,
        message: found.subject,
        author: found.author,
        branch: found.branch,
      },
      createdAt: found.time ?? 0,
    }),
    request,
  );
}
