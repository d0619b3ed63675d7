import { html } from "hono/html";
import { definePage } from "../page.ts";
import { empty } from "../parts/empty.ts";
import { field, filter } from "../parts/field.ts";
import { link } from "../parts/link.ts";
import { listed, pageNumberIn, ROWS } from "../parts/listed.ts";
import { sortingIn } from "../parts/sorting.ts";
import { table } from "../parts/table.ts";
import { text } from "../parts/text.ts";
import { time, utc } from "../parts/time.ts";
import { verdict } from "../parts/verdict.ts";
import { workflowStep } from "../parts/workflow-step.ts";

/** The flows of an organization. */
export const flowsPage = definePage({
  path: "/:org/flows",
  audience: "everybody",
  async show(request) {
    const { ask, query, to, here } = request;
    const howTo = {
      title: "Begin a trail of a flow, which is made when it is not there",
      code: workflowStep(
        "begin-trail",
        { flow: "web", trail: "${{ github.sha }}", visibility: "private" },
        request,
      ),
    };
    const name = query.get("name") ?? "";
    const sorting = sortingIn(["name", "latest_activity"], request);
    const given = {
      ...(name === "" ? {} : { searchByName: name, caseSensitive: false }),
      sort: sorting.sort,
      sortDirection: sorting.sortDirection,
      page: pageNumberIn(query),
      perPage: ROWS,
    };
    const { rows, pager } = listed(await ask("listFlows", given), { here });
    const flows = table({
      id: "flows",
      caption: "Flows",
      columns: [
        {
          head: "Name",
          cell: (flow) => link(to.page("flows", flow.name), flow.name),
          csv: (flow) => flow.name,
          sorted: sorting.by("name"),
        },
        {
          head: "Latest trail",
          cell: (flow) => (flow.latestState ? verdict(flow.latestState) : ""),
          csv: (flow) => flow.latestState,
        },
        {
          head: "Latest activity",
          cell: (flow) => time(flow.latestActivityAt),
          csv: (flow) => (flow.latestActivityAt ? utc(flow.latestActivityAt) : null),
          sorted: sorting.by("latest_activity"),
        },
        { head: "Description", cell: (flow) => text(flow.description), csv: (flow) => flow.description },
      ],
      rows,
      empty:
        name === "" ? empty("There is no flow yet.", howTo) : empty(`No flow has '${name}' in its name.`),
      here,
    });
    return {
      title: "Flows",
      main: html`${filter(field({ name: "name", label: "Part of the name", value: name }), "Filter flows")}${flows.html}${pager}`,
      tables: [flows],
      json: { operation: "listFlows", given },
      howTo,
    };
  },
});
