import { html } from "hono/html";
import { definePage } from "../page.ts";
import { empty } from "../parts/empty.ts";
import { field, filter } from "../parts/field.ts";
import { link, safeLink } from "../parts/link.ts";
import { listed, pageNumberIn, ROWS } from "../parts/listed.ts";
import { table } from "../parts/table.ts";
import { text, visible } from "../parts/text.ts";
import { time } from "../parts/time.ts";
import { workflowStep } from "../parts/workflow-step.ts";
import { secondsOf } from "./seconds.ts";

/** The repositories that artifacts and trails came from. */
export const reposPage = definePage({
  path: "/:org/repos",
  audience: "everybody",
  async show(request) {
    const { ask, query, to, here } = request;
    const search = query.get("name") ?? "";
    const given = { ...(search === "" ? {} : { search }), page: pageNumberIn(query), perPage: ROWS };
    const { repos: found, page, totalPages } = await ask("listRepos", given);
    const { rows, pager } = listed({ data: found, pagination: { page, pageCount: totalPages } }, { here });
    const howTo = {
      title: "Begin a trail, which names the repository of its workflow",
      code: workflowStep("begin-trail", { flow: "web", trail: "${{ github.sha }}" }, request),
    };
    const repos = table({
      id: "repos",
      caption: "Repositories",
      columns: [
        {
          head: "Name",
          cell: ({ name, id }) =>
            link(`${to.page("repos", ...name.split("/"))}${id ? `?id=${encodeURIComponent(id)}` : ""}`, name),
          csv: ({ name }) => name,
        },
        { head: "Provider", cell: ({ provider }) => text(provider), csv: ({ provider }) => provider },
        { head: "Address", cell: ({ url }) => safeLink(url), csv: ({ url }) => url },
        {
          head: "Latest activity",
          cell: ({ latestActivity }) => time(secondsOf(latestActivity)),
          csv: ({ latestActivity }) => latestActivity,
        },
        {
          head: "Description",
          cell: ({ description }) => text(description),
          csv: ({ description }) => description,
        },
      ],
      rows,
      empty:
        search === ""
          ? empty("There is no repository yet.", howTo)
          : empty(`No repository has '${visible(search)}' in its name.`),
      here,
    });
    return {
      title: "Repositories",
      main: html`${filter(field({ name: "name", label: "Part of the name", value: search }), "Filter repositories")}
${repos.html}${pager}`,
      tables: [repos],
      json: { operation: "listRepos", given },
      howTo,
    };
  },
});
