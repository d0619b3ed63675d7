import { html } from "hono/html";
import { definePage } from "../page.ts";
import { empty } from "../parts/empty.ts";
import { pageNumberIn, ROWS } from "../parts/listed.ts";
import { pager } from "../parts/pager.ts";
import { snapshotTable } from "./timeline.ts";

/** All snapshots of an environment. */
export const snapshotsPage = definePage({
  path: "/:org/environments/:environment/snapshots",
  audience: "everybody",
  subject: ({ environment }) => ({ kind: "environment", place: environment }),
  async show(request) {
    const { params, ask, to, query, here } = request;
    const page = pageNumberIn(query);
    const given = { envName: params.environment, page, perPage: ROWS };
    const snapshots = await ask("listSnapshots", given);
    const listed = snapshotTable(
      { environment: params.environment, snapshots, empty: empty("There is no snapshot here.") },
      request,
    );
    // They count from 1, so the last of them says whether there are more.
    const hasMore = (snapshots.at(-1)?.index ?? 1) > 1;
    return {
      title: "Snapshots",
      above: [
        { name: "Environments", href: to.page("environments") },
        { name: params.environment, href: to.page("environments", params.environment) },
      ],
      main: html`${listed.html}${pager({
        previous: page > 1 ? here({ page: page === 2 ? undefined : page - 1 }) : undefined,
        next: hasMore ? here({ page: page + 1 }) : undefined,
      })}`,
      tables: [listed],
      json: { operation: "listSnapshots", given },
      howTo: {
        title: "List the last of them on the command line",
        code: `npx delivery-evidence call listSnapshots env_name=${params.environment} interval=~5..NOW`,
      },
    };
  },
});
