import { definePage } from "../page.ts";
import { empty } from "../parts/empty.ts";
import { link } from "../parts/link.ts";
import { table } from "../parts/table.ts";
import { text } from "../parts/text.ts";
import { time, utc } from "../parts/time.ts";
import { POLICY_HOW_TO } from "./how-to.ts";

/** The environment policies of an organization. */
export const policiesPage = definePage({
  path: "/:org/policies",
  audience: "everybody",
  async show({ ask, to, here }) {
    const policies = await ask("listPolicies", {});
    const listed = table({
      id: "policies",
      caption: "Policies",
      columns: [
        { head: "Name", cell: ({ name }) => link(to.page("policies", name), name), csv: ({ name }) => name },
        {
          head: "Versions",
          cell: ({ versions = [] }) => versions.length,
          csv: ({ versions = [] }) => versions.length,
          isNumber: true,
        },
        {
          head: "Environments",
          cell: ({ consumingEnvs = [] }) => consumingEnvs.length,
          csv: ({ consumingEnvs = [] }) => consumingEnvs.join(" "),
          isNumber: true,
        },
        {
          head: "Description",
          cell: ({ description }) => text(description),
          csv: ({ description }) => description,
        },
        {
          head: "Last changed",
          cell: ({ lastModifiedAt }) => time(lastModifiedAt),
          csv: ({ lastModifiedAt }) => (lastModifiedAt ? utc(lastModifiedAt) : null),
        },
      ],
      rows: policies,
      empty: empty("There is no policy yet.", POLICY_HOW_TO),
      here,
    });
    return {
      title: "Policies",
      main: listed.html,
      tables: [listed],
      json: { operation: "listPolicies", given: {} },
      howTo: POLICY_HOW_TO,
    };
  },
});
