import type { AnsweredBy } from "../operation-calls.ts";
import { type Crumb, definePage, type PageRequest } from "../page.ts";
import { data, facts } from "../parts/blocks.ts";
import { type Html, html, link, text, visible } from "../parts/html.ts";
import { type Table, table, timeCell, wordCell } from "../parts/table.ts";
import { duration, time } from "../parts/time.ts";
import { badge } from "../parts/verdict.ts";
import { outcomeCell, outcomeWords } from "./outcome-words.ts";
import { triggerWord } from "./trigger-words.ts";

type Named = { readonly number: string; readonly id: string };
type Attempt = AnsweredBy<"getDelivery">["log"][number];

export const deliveryPage = definePage({
  path: "/:org/actions/:number/deliveries/:id",
  audience: "accounts",
  async show(request) {
    const { params, call, may, form } = request;
    const given = { actionNumber: actionNumberIn(params), deliveryId: params.id };
    const delivery = await call("getDelivery", given);
    const attempts = attemptTable(delivery.log, request);
    return {
      title: `Delivery of ${delivery.type}`,
      above: ruleCrumbs(request),
      main: html`<p class="lead">${stateBadge(delivery.state)} ${sentence(delivery)}</p>
${facts([
  ["Target", text(delivery.target.address ?? delivery.target.kind)],
  ["Event time", time(delivery.createdAt)],
  ["Trigger", triggerWord(delivery.trigger)],
  ["Event id", html`<code>${delivery.eventId}</code>`],
  ["Next attempt", nextAttempt(delivery, request)],
])}
<h2>Attempts</h2>
${attempts.html}
${may("redeliver") ? form({ button: "Redeliver now", label: "Redeliver" }) : ""}
${delivery.body ? data("Payload", parsed(delivery.body)) : ""}`,
      tables: [attempts],
      json: { operation: "getDelivery", given },
      howTo: {
        title: "Redeliver on the command line",
        code: `npx delivery-evidence call redeliver action_number=${given.actionNumber} delivery_id=${delivery.id}`,
      },
    };
  },
  async act({ call, params, to }) {
    await call("redeliver", { actionNumber: actionNumberIn(params), deliveryId: params.id });
    return { redirect: to.page("actions", params.number, "deliveries", params.id) };
  },
});

function sentence({ state, attempts, outcome }: AnsweredBy<"getDelivery">): string {
  const tried = attempts === 0 ? "No attempts yet" : `Tried ${attempts === 1 ? "once" : `${attempts} times`}`;
  return state === "delivered" || !outcome ? `${tried}.` : `${tried}. ${outcomeWords(outcome)}.`;
}

/** When a delivery is tried next. One that is due waits for an earlier delivery to the same target. */
export function nextAttempt(
  { dueAt, mergedInto, state }: Pick<AnsweredBy<"getDelivery">, "dueAt" | "mergedInto" | "state">,
  { now, to, params }: PageRequest<{ readonly number: string }>,
): Html | string {
  if (mergedInto) {
    return link(to.page("actions", params.number, "deliveries", mergedInto), "Part of another message");
  }
  if (state !== "pending" || !dueAt) return "";
  return dueAt > now ? time(dueAt) : "Waits for an earlier delivery";
}

function durationWords(seconds: number): string {
  return seconds < 1 ? `${Math.round(seconds * 1000)} ms` : duration(seconds);
}

function attemptTable(attempts: readonly Attempt[], request: PageRequest<Named>): Table {
  return table<Attempt>(request, {
    id: "attempts",
    caption: "Attempts",
    columns: {
      Number: ({ number }) => number,
      Started: ({ startedAt }) => timeCell(startedAt),
      Outcome: ({ outcome }) => outcomeCell(outcome),
      Status: { cell: ({ status }) => status, isNumber: true },
      Duration: ({ duration }) => ({ html: html`${durationWords(duration)}`, csv: duration }),
      Trigger: ({ manual }) => wordCell(manual ? "manual" : "schedule"),
      Response: (attempt) => ({ html: answerOf(attempt), csv: attempt.answer }),
    },
    rows: attempts,
    empty: "No attempts yet.",
  });
}

function answerOf({ answer, requestHeaders }: Attempt): Html {
  return html`${answer ? html`<pre tabindex="0">${visible(answer)}</pre>` : ""}${requestHeaders ? data("Request headers", requestHeaders) : ""}`;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

const TONES: Readonly<Record<string, "ok" | "fail" | "warn" | "unknown">> = {
  delivered: "ok",
  ok: "ok",
  failed: "fail",
  failing: "fail",
  ended: "fail",
  pending: "warn",
  muted: "unknown",
};

export function stateBadge(state: string): Html {
  return badge(state, TONES[state] ?? "unknown");
}

export function stateCell(state: string) {
  return { html: stateBadge(state), csv: state };
}

/** Breadcrumbs of a page below a rule. */
export function ruleCrumbs({ to, params }: PageRequest<{ readonly number: string }>): readonly Crumb[] {
  return [
    ["Notifications", to.page("actions")],
    [`Rule ${params.number}`, to.page("actions", params.number)],
  ];
}

/** The rule number in the path; 0, which no rule has, if it is not a number. */
export function actionNumberIn({ number }: { readonly number: string }): number {
  return /^\d{1,15}$/.test(number) ? Number(number) : 0;
}
