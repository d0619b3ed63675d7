import { html } from "hono/html";
import { definePage } from "../page.ts";
import { approvalTable } from "../parts/approval-table.ts";
import { empty } from "../parts/empty.ts";
import { pageNumberIn, ROWS } from "../parts/listed.ts";
import { whileFull } from "../parts/while-full.ts";
import { approvalHowTo } from "./how-to.ts";

/** The approvals of a flow, the newest first. */
export const flowApprovalsPage = definePage({
  path: "/:org/approvals/:flow",
  audience: "everybody",
  async show(request) {
    const { params, ask, query, to } = request;
    const page = pageNumberIn(query);
    const given = { flowName: params.flow, page, perPage: ROWS };
    const rows = await ask("listApprovals", given);
    const howTo = approvalHowTo(params.flow);
    const nothing =
      page > 1 ? empty("There are no more.") : empty("Nothing of this flow was approved yet.", howTo);
    const approvals = approvalTable(
      { caption: `Approvals of ${params.flow}`, flow: params.flow, approvals: rows, empty: nothing },
      request,
    );
    return {
      title: `Approvals of ${params.flow}`,
      above: [{ name: "Approvals", href: to.page("approvals") }],
      main: html`${approvals.html}${whileFull(rows, request)}`,
      tables: [approvals],
      json: { operation: "listApprovals", given },
      howTo,
    };
  },
});
