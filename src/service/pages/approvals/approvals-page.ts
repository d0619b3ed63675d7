import { html } from "hono/html";
import type { AnsweredBy } from "../ask.ts";
import { definePage } from "../page.ts";
import { approvalState } from "../parts/approval-state.ts";
import { empty } from "../parts/empty.ts";
import { field, filter } from "../parts/field.ts";
import { link } from "../parts/link.ts";
import { listed, pageNumberIn } from "../parts/listed.ts";
import { table } from "../parts/table.ts";
import { text, visible } from "../parts/text.ts";
import { time, utc } from "../parts/time.ts";
import { approvalHowTo } from "./how-to.ts";

/** Flows of a page: each is asked for its latest approval. */
const FLOWS = 20;

type Approval = AnsweredBy<"listApprovals">[number];

/** The latest approval of each flow: approvals are numbered and listed by flow. */
export const approvalsPage = definePage({
  path: "/:org/approvals",
  audience: "everybody",
  async show(request) {
    const { ask, query, to, here } = request;
    const name = query.get("flow") ?? "";
    const given = {
      ...(name === "" ? {} : { searchByName: name, caseSensitive: false }),
      page: pageNumberIn(query),
      perPage: FLOWS,
    };
    const { rows: flows, pager } = listed(await ask("listFlows", given), { here });
    const latest = await Promise.all(
      flows.map(async (flow): Promise<{ flow: string; approval: Approval | undefined }> => {
        const [approval] = await ask("listApprovals", { flowName: flow.name, page: 1, perPage: 1 });
        return { flow: flow.name, approval };
      }),
    );
    const approvals = table({
      id: "approvals",
      caption: "Latest approval of each flow",
      columns: [
        { head: "Flow", cell: ({ flow }) => link(to.page("approvals", flow), flow), csv: ({ flow }) => flow },
        {
          head: "Latest approval",
          cell: ({ flow, approval }) =>
            approval === undefined
              ? html`<span class="quiet">none</span>`
              : link(to.page("approvals", flow, approval.releaseNumber), `#${approval.releaseNumber}`),
          csv: ({ approval }) => approval?.releaseNumber,
        },
        {
          head: "State",
          cell: ({ approval }) => approval && approvalState(approval.state),
          csv: ({ approval }) => approval?.state,
        },
        {
          head: "Artifact",
          cell: ({ flow, approval }) =>
            approval &&
            link(to.page("flows", flow, "artifacts", approval.targetArtifact), approval.artifactName),
          csv: ({ approval }) => approval?.artifactName,
        },
        {
          head: "For environment",
          cell: ({ approval }) => approval && text(approval.environment ?? "any"),
          csv: ({ approval }) => approval?.environment,
        },
        {
          head: "Recorded",
          cell: ({ approval }) => approval && time(approval.createdAt),
          csv: ({ approval }) => (approval ? utc(approval.createdAt) : null),
        },
      ],
      rows: latest,
      empty: empty(
        name === ""
          ? "There is no flow yet, so nothing to approve."
          : `No flow has '${visible(name)}' in its name.`,
      ),
      here,
    });
    const example = flows[0]?.name ?? "web";
    return {
      title: "Approvals",
      main: html`${filter(field({ name: "flow", label: "Part of the flow's name", value: name }), "Filter flows")}
${approvals.html}${pager}`,
      tables: [approvals],
      json: { operation: "listApprovals", given: { flowName: example, page: 1, perPage: 1 } },
      howTo: approvalHowTo(example),
    };
  },
});
