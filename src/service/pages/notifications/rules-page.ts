import { html } from "hono/html";
import { definePage } from "../page.ts";
import { empty } from "../parts/empty.ts";
import { link } from "../parts/link.ts";
import { table } from "../parts/table.ts";
import { text } from "../parts/text.ts";
import { time, utc } from "../parts/time.ts";
import { badge } from "../parts/verdict.ts";
import { workflowStep } from "../parts/workflow-step.ts";
import { ruleSubject } from "./rule-subject.ts";

/** The notification rules of an organization. */
export const rulesPage = definePage({
  path: "/:org/actions",
  audience: "accounts",
  async show(request) {
    const { ask, to, here } = request;
    const actions = await ask("listActions", {});
    const howTo = {
      title: "Tell a webhook what happens in a flow",
      code: workflowStep(
        "set-flow-action",
        { name: "told", flows: "web", triggers: "ON_ATTESTATION", webhook: "https://example.org/hook" },
        request,
      ),
    };
    const rules = table({
      id: "rules",
      caption: "Notification rules",
      columns: [
        {
          head: "Rule",
          cell: ({ number, name }) => link(to.page("actions", number), name),
          csv: ({ name }) => name,
        },
        {
          head: "State",
          cell: ({ isFailing }) => (isFailing ? badge("FAILING", "fail") : badge("OK", "ok")),
          csv: ({ isFailing }) => (isFailing ? "FAILING" : "OK"),
        },
        {
          head: "Of",
          cell: ({ type }) => text(ruleSubject(type)),
          csv: ({ type }) => type,
        },
        {
          head: "Triggers",
          cell: ({ triggers }) => text(triggers.join(", ")),
          csv: ({ triggers }) => triggers.join(" "),
        },
        {
          head: "Last delivered",
          cell: (action) => time(action.lastSuccessTimestamp),
          csv: (action) => (action.lastSuccessTimestamp ? utc(action.lastSuccessTimestamp) : null),
        },
        {
          head: "Last failed",
          cell: (action) => time(action.lastFailureTimestamp),
          csv: (action) => (action.lastFailureTimestamp ? utc(action.lastFailureTimestamp) : null),
        },
      ],
      rows: actions,
      empty: empty("Nobody is told of anything yet.", howTo),
      here,
    });
    return {
      title: "Notifications",
      main: html`${rules.html}`,
      tables: [rules],
      json: { operation: "listActions", given: {} },
      howTo,
    };
  },
});
