import { html } from "hono/html";
import type { AnsweredBy } from "../ask.ts";
import type { Html } from "../html.ts";
import { definePage, type PageRequest } from "../page.ts";
import { data } from "../parts/data.ts";
import { empty } from "../parts/empty.ts";
import { facts } from "../parts/facts.ts";
import { type Table, table } from "../parts/table.ts";
import { text, visible } from "../parts/text.ts";
import { time, utc } from "../parts/time.ts";
import { actionNumberIn, stateBadge } from "./delivery-state.ts";

type Named = { readonly number: string; readonly id: string };
type Attempt = AnsweredBy<"getDelivery">["log"][number];

/** A delivery: what was sent, and each attempt with what the target said. */
export const deliveryPage = definePage({
  path: "/:org/actions/:number/deliveries/:id",
  audience: "accounts",
  async show(request) {
    const { params, ask, may, to, form } = request;
    const given = { actionNumber: actionNumberIn(params), deliveryId: params.id };
    const delivery = await ask("getDelivery", given);
    const attempts = attemptTable(delivery.log, request);
    const mayRepeat = may("redeliver");
    return {
      title: `Delivery of ${delivery.type}`,
      above: [
        { name: "Notifications", href: to.page("actions") },
        { name: `Rule ${params.number}`, href: to.page("actions", params.number) },
      ],
      main: html`<p class="lead">${stateBadge(delivery.state)} ${sentence(delivery)}</p>
${facts([
  ["Target", text(delivery.target.address ?? delivery.target.kind)],
  ["Happened", time(delivery.createdAt)],
  ["Trigger", delivery.trigger],
  ["Id of the event", html`<code>${delivery.eventId}</code>`],
  ["Next attempt", delivery.dueAt ? time(delivery.dueAt) : ""],
])}
<h2>Attempts</h2>
${attempts.html}
${mayRepeat ? form({ content: html`<p><button type="submit">Send it once more, now</button></p>`, label: "Send it once more" }) : ""}
${delivery.body ? data("What is sent", parsed(delivery.body)) : ""}`,
      tables: [attempts],
      json: { operation: "getDelivery", given },
      howTo: {
        title: "Send it once more from the command line",
        code: `npx delivery-evidence call redeliver action_number=${given.actionNumber} delivery_id=${delivery.id}`,
      },
    };
  },
  async act({ ask, params, to }) {
    await ask("redeliver", { actionNumber: actionNumberIn(params), deliveryId: params.id });
    return { redirect: to.page("actions", params.number, "deliveries", params.id) };
  },
});

function sentence({ state, attempts, outcome }: AnsweredBy<"getDelivery">): string {
  const tried =
    attempts === 0 ? "It was not tried yet" : `Tried ${attempts === 1 ? "once" : `${attempts} times`}`;
  return state === "delivered" || !outcome ? `${tried}.` : `${tried}, the latest ended with ${outcome}.`;
}

function attemptTable(attempts: readonly Attempt[], { here }: PageRequest<Named>): Table {
  return table<Attempt>({
    id: "attempts",
    caption: "Attempts",
    columns: [
      { head: "Number", cell: ({ number }) => number, csv: ({ number }) => number },
      { head: "Begun", cell: ({ startedAt }) => time(startedAt), csv: ({ startedAt }) => utc(startedAt) },
      { head: "Outcome", cell: ({ outcome }) => text(outcome), csv: ({ outcome }) => outcome },
      { head: "Status", cell: ({ status }) => status, csv: ({ status }) => status, isNumber: true },
      { head: "Seconds", cell: ({ duration }) => duration, csv: ({ duration }) => duration, isNumber: true },
      {
        head: "Asked for",
        cell: ({ manual }) => (manual ? "by somebody" : "by the schedule"),
        csv: ({ manual }) => (manual ? "somebody" : "schedule"),
      },
      { head: "Answer", cell: answerOf, csv: ({ answer }) => answer },
    ],
    rows: attempts,
    empty: empty("It was not tried yet."),
    here,
  });
}

function answerOf({ answer, requestHeaders }: Attempt): Html {
  return html`${answer ? html`<pre tabindex="0">${visible(answer)}</pre>` : ""}${requestHeaders ? data("Headers of the request", requestHeaders) : ""}`;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
