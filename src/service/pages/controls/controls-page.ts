import { html } from "hono/html";
import { definePage } from "../page.ts";
import { empty } from "../parts/empty.ts";
import { choice, field, filter } from "../parts/field.ts";
import { link } from "../parts/link.ts";
import { pageNumberIn, pagerOf, ROWS } from "../parts/listed.ts";
import { sortingIn } from "../parts/sorting.ts";
import { table } from "../parts/table.ts";
import { tags } from "../parts/tags.ts";
import { text } from "../parts/text.ts";

const CREATE = {
  title: "Make a control",
  code: `delivery-evidence call createControl --body - <<'END'
{ "identifier": "SDLC-7", "name": "Code is reviewed" }
END`,
};

/** The controls of an organization. */
export const controlsPage = definePage({
  path: "/:org/controls",
  audience: "everybody",
  async show(request) {
    const { ask, query, to, here } = request;
    const search = query.get("search") ?? "";
    const sorting = sortingIn(["identifier"], request);
    const archived = query.get("archived") === "true";
    const given = {
      ...(search === "" ? {} : { search }),
      archived,
      sortDirection: sorting.sortDirection,
      page: pageNumberIn(query),
      perPage: ROWS,
    };
    const answer = await ask("listControls", given);
    const controls = table({
      id: "controls",
      caption: archived ? "Archived controls" : "Controls",
      columns: [
        {
          head: "Identifier",
          cell: ({ identifier }) => link(to.page("controls", identifier), identifier),
          csv: ({ identifier }) => identifier,
          sorted: sorting.by("identifier"),
        },
        { head: "Name", cell: ({ name }) => text(name), csv: ({ name }) => name },
        {
          head: "Tags",
          cell: (control) => tags(control.tags),
          csv: (control) => Object.keys(control.tags ?? {}).join(" "),
        },
        { head: "Version", cell: ({ version }) => version, csv: ({ version }) => version, isNumber: true },
      ],
      rows: answer.controls,
      empty:
        search === "" && !archived
          ? empty("There is no control yet.", CREATE)
          : empty("No control is like that."),
      here,
    });
    return {
      title: "Controls",
      main: html`${filter(
        html`${field({ name: "search", label: "Part of the identifier or the name", value: search })}
${choice({
  name: "archived",
  label: "Which",
  value: String(archived),
  options: [
    ["false", "In use"],
    ["true", "Archived"],
  ],
})}`,
        "Filter controls",
      )}${controls.html}${pagerOf(answer, request)}`,
      tables: [controls],
      json: { operation: "listControls", given },
      howTo: CREATE,
    };
  },
});
