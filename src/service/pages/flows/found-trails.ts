import type { GivenTo } from "../operation-calls.ts";
import type { Page, PageRequest } from "../page.ts";
import { choiceFilter, filterBar, periodFilter, textFilter } from "../parts/filter-bar.ts";
import { type ListPage, listed, numberedPage, pageNumberIn, ROWS } from "../parts/lists.ts";
import { type RecordFilter, STATES, searchFor } from "../parts/record-search.ts";
import { type ListedTrail, personName, type ShownTrail } from "../parts/records.ts";

type Wanted = Omit<RecordFilter, "flow">;

/** The filter of a flow's trails. The latest of them tell known branches and authors. */
export function trailBar(latest: readonly ListedTrail[], request: PageRequest) {
  const known = (values: readonly (string | null | undefined)[]) => [
    ...new Set(values.filter((value): value is string => Boolean(value))),
  ];
  const branches = known(latest.map(({ gitCommitInfo }) => gitCommitInfo?.branch));
  const authors = known(latest.map(({ gitCommitInfo }) => personName(gitCommitInfo?.author ?? "")));
  return filterBar(
    "Filter trails",
    {
      state: choiceFilter("State", STATES),
      branch: textFilter("Branch", branches),
      author: textFilter("Author", authors),
      text: textFilter("Text"),
      period: periodFilter(),
    },
    request,
  );
}

interface FoundTrails {
  readonly list: ListPage<ShownTrail>;
  readonly json: NonNullable<Page["json"]>;
}

/** A page of the trails of a flow, newest first. The list knows only the state, and the search all else. */
export async function trailsOf(flow: string, wanted: Wanted, request: PageRequest): Promise<FoundTrails> {
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
  const given = searchFor("trail", { flow, ...wanted }, request);
  const { groups } = await call("search", given);
  const { results = [], total = 0, more = false } = groups[0] ?? {};
  const rows = results.map(
    (found): ShownTrail => ({
      name: found.name,
      flow: { name: found.flow ?? flow },
      complianceState: STATES.find(([each]) => each === found.state)?.[0] ?? "INCOMPLETE",
      gitCommitInfo: {
        sha1: found.commit,
        message: found.subject,
        author: found.author,
        branch: found.branch,
      },
      createdAt: found.time ?? 0,
    }),
  );
  const position = { page: given.page, perPage: ROWS, total, isLeast: more };
  return { list: numberedPage(rows, position, request), json: { operation: "search", given } };
}
