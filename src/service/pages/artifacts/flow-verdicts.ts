import { html } from "hono/html";
import { failuresOf, flowsOf, isUnexpected } from "../../../api/resources/assert-failures.ts";
import type { Assertion } from "../../../api/resources/asserts.ts";
import type { Html } from "../html.ts";
import type { PageRequest } from "../page.ts";
import { empty } from "../parts/empty.ts";
import { leads } from "../parts/leads.ts";
import { type Table, table } from "../parts/table.ts";
import { text } from "../parts/text.ts";
import { verdict } from "../parts/verdict.ts";

type FlowVerdict = ReturnType<typeof flowsOf>[number];

/** How each flow judges an artifact, and why. */
export function flowVerdicts(
  assertion: Assertion,
  { to, here, viewer }: Pick<PageRequest, "to" | "here" | "viewer">,
): Table {
  const lead = leads(viewer);
  const wordFor = ({ compliant, complianceStatus }: FlowVerdict) =>
    compliant ? "COMPLIANT" : complianceStatus?.status === "INCOMPLETE" ? "INCOMPLETE" : "NON-COMPLIANT";
  return table({
    id: "flows",
    caption: "Verdict in each flow",
    columns: [
      {
        head: "Flow",
        cell: ({ flow }) =>
          flow ? lead(to.page("flows", flow, "artifacts", assertion.fingerprint), flow) : "",
        csv: ({ flow }) => flow,
      },
      {
        head: "Trail",
        cell: ({ flow, trail }) =>
          flow && trail ? lead(to.page("flows", flow, "trails", trail), trail) : text(trail),
        csv: ({ trail }) => trail,
      },
      { head: "Verdict", cell: (each) => verdict(wordFor(each)), csv: wordFor },
      {
        head: "Why",
        cell: (each) => listOf(whyOf(each, assertion)),
        csv: (each) => whyOf(each, assertion).join("; "),
      },
    ],
    rows: flowsOf(assertion),
    empty: empty("No flow knows it."),
    here,
  });
}

/** Why a flow judges an artifact as it does. */
export function whyOf(verdictOfFlow: FlowVerdict, assertion: Assertion): string[] {
  const { compliant } = verdictOfFlow;
  const failures = failuresOf({ ...assertion, scope: "flow", compliant, flows: [verdictOfFlow] });
  const isUnnamed = isUnexpected(verdictOfFlow);
  if (isUnnamed && compliant) return ["nothing is asked of it: the flow's template does not name it"];
  return [
    ...failures.map(({ text: reason }) => reason),
    ...(isUnnamed ? ["the flow's template does not name it"] : []),
    ...(compliant ? ["all that is asked for is there and compliant"] : []),
  ];
}

function listOf(reasons: readonly string[]): Html {
  if (reasons.length === 1) return text(reasons[0]);
  return html`<ul>${reasons.map((reason) => html`<li>${text(reason)}</li>`)}</ul>`;
}
