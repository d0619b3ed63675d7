import { ENVIRONMENT_TYPES } from "../../../api/resources/environments.ts";
import { Refusal } from "../../kernel/errors.ts";
import { definePage } from "../page.ts";
import { empty } from "../parts/blocks.ts";
import { choiceFilter, filterBar, tagFilter, textFilter } from "../parts/filter-bar.ts";
import { html } from "../parts/html.ts";
import { countedPage, listed, pageNumberIn, ROWS, sortingIn } from "../parts/lists.ts";
import { complianceCell, linkCell, table, tagsCell, timeCell } from "../parts/table.ts";
import { reportStep } from "./running-table.ts";

export const environmentsPage = definePage({
  path: "/:org/environments",
  audience: "everybody",
  async show(request) {
    const { call, may, query, to } = request;
    const sorting = sortingIn(["name", "last_changed_at"], request);
    const filters = {
      name: textFilter("Part of the name"),
      type: choiceFilter("Type", ENVIRONMENT_TYPES),
      tag: tagFilter(),
    };
    const bar = filterBar("Filter environments", filters, request);
    const found = await bar.find(async ({ name, type, tag }) => {
      const given = {
        ...(name === "" ? {} : { name }),
        ...(type === "" ? {} : { type: [type] }),
        ...(tag === "" ? {} : { tag: [tag] }),
        ...{ sort: sorting.sort, sortDirection: sorting.sortDirection },
        ...{ page: pageNumberIn(query), perPage: ROWS },
      };
      return { given, answer: await call("listEnvironments", given) };
    });
    if (found instanceof Refusal) return bar.refused({ title: "Environments" }, found);
    const { given, answer } = found;
    const list =
      "environments" in answer ? countedPage(answer.environments, answer, request) : listed(answer, request);
    const howTo = reportStep({ name: "prod", type: "K8S" }, request);
    const environments = table(request, {
      id: "environments",
      caption: "Environments",
      position: list.count,
      columns: {
        Name: {
          cell: (each) => linkCell(to.page("environments", each.name), each.name),
          sorted: sorting.by("name"),
        },
        State: (each) => complianceCell(each.state),
        Type: (each) => each.type,
        "Last changed": {
          cell: (each) => timeCell(each.lastChangedAt),
          sorted: sorting.by("last_changed_at"),
        },
        "Last report": (each) => timeCell(each.lastReportedAt),
        Tags: (each) => tagsCell(each.tags),
      },
      rows: list.rows,
      empty: list.empty(bar.empty("environments", empty("No environments yet.", howTo))),
    });
    return {
      title: "Environments",
      main: html`${bar.html}
${environments.html}${list.pager}
${may("diffSnapshots") ? html`<p><a href="${to.page("diff")}">Compare environments</a></p>` : ""}`,
      tables: [environments],
      json: { operation: "listEnvironments", given },
      howTo,
    };
  },
});
