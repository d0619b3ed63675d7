import { html } from "hono/html";
import { definePage } from "../page.ts";
import { empty } from "../parts/empty.ts";
import { field, filter } from "../parts/field.ts";
import { link } from "../parts/link.ts";
import { pageNumberIn, pagerOf } from "../parts/listed.ts";
import { sortingIn } from "../parts/sorting.ts";
import { table } from "../parts/table.ts";
import { tags } from "../parts/tags.ts";
import { text } from "../parts/text.ts";
import { time, utc } from "../parts/time.ts";
import { complianceVerdict } from "../parts/verdict.ts";
import { reportStep } from "./report-step.ts";
import { stateWord } from "./state.ts";

/** The environments of an organization. */
export const environmentsPage = definePage({
  path: "/:org/environments",
  audience: "everybody",
  async show(request) {
    const { ask, may, query, to, here } = request;
    const name = query.get("name") ?? "";
    const sorting = sortingIn(["name", "last_changed_at"], request);
    const given = {
      ...(name === "" ? {} : { name }),
      sort: sorting.sort,
      sortDirection: sorting.sortDirection,
      page: pageNumberIn(query),
      perPage: 50,
    };
    const answer = await ask("listEnvironments", given);
    const { environments, page, totalPages } =
      "environments" in answer ? answer : { environments: answer, page: 1, totalPages: 1 };
    const howTo = reportStep({ name: "prod", type: "K8S" }, request);
    const listed = table<(typeof environments)[number]>({
      id: "environments",
      caption: "Environments",
      columns: [
        {
          head: "Name",
          cell: (each) => link(to.page("environments", each.name), each.name),
          csv: (each) => each.name,
          sorted: sorting.by("name"),
        },
        { head: "State", cell: (each) => complianceVerdict(each.state), csv: stateWord },
        { head: "Type", cell: (each) => text(each.type), csv: (each) => each.type },
        {
          head: "Last changed",
          cell: (each) => time(each.lastChangedAt),
          csv: (each) => (each.lastChangedAt ? utc(each.lastChangedAt) : null),
          sorted: sorting.by("last_changed_at"),
        },
        {
          head: "Last report",
          cell: (each) => time(each.lastReportedAt),
          csv: (each) => (each.lastReportedAt ? utc(each.lastReportedAt) : null),
        },
        {
          head: "Tags",
          cell: (each) => tags(each.tags),
          csv: (each) => Object.keys(each.tags ?? {}).join(" "),
        },
      ],
      rows: environments,
      empty:
        name === ""
          ? empty("There is no environment yet.", howTo)
          : empty(`No environment has '${name}' in its name.`),
      here,
    });
    return {
      title: "Environments",
      main: html`${filter(field({ name: "name", label: "Part of the name", value: name }), "Filter environments")}${listed.html}${pagerOf({ page, totalPages }, request)}
${may("diffSnapshots") ? html`<p><a href="${to.page("diff")}">Compare two of them</a></p>` : ""}`,
      tables: [listed],
      json: { operation: "listEnvironments", given },
      howTo,
    };
  },
});
