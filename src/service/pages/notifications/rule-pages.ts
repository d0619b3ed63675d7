import { Invalid } from "../../kernel/errors.ts";
import type { AnsweredBy, GivenTo } from "../operation-calls.ts";
import { definePage, type PageRequest } from "../page.ts";
import { empty, facts } from "../parts/blocks.ts";
import { actionIn, choice, confirmation, field, filter, foldedForm } from "../parts/form.ts";
import { type Html, html, text } from "../parts/html.ts";
import { cursorIn, cursorPager, ROWS } from "../parts/lists.ts";
import { badgeCell, linkCell, type Table, table, timeCell, wordCell } from "../parts/table.ts";
import { time, utc } from "../parts/time.ts";
import { workflowStep } from "../parts/workflow-step.ts";
import { actionNumberIn, nextAttempt, stateBadge, stateCell } from "./delivery-page.ts";
import { RULE_ACTIONS } from "./rule-actions.ts";
import { createForms, createRule, editForm, muteForm } from "./rule-form.ts";
import { RULE_TYPES, ruleSubject, triggerWord, triggerWords } from "./trigger-words.ts";

export const rulesPage = definePage({
  path: "/:org/actions",
  audience: "accounts",
  async show(request) {
    const { call, to } = request;
    const howTo = {
      title: "Send flow events to a webhook",
      code: workflowStep(
        "set-flow-action",
        { name: "web-events", flows: "web", triggers: "ON_ATTESTATION", webhook: "https://example.org/hook" },
        request,
      ),
    };
    const rules = table(request, {
      id: "rules",
      caption: "Notification rules",
      columns: {
        Rule: ({ number, name }) => linkCell(to.page("actions", number), name),
        State: ({ isFailing, mutedUntil }) => {
          if (isMuted(mutedUntil, request.now)) return badgeCell("MUTED", "unknown");
          return isFailing ? badgeCell("FAILING", "fail") : badgeCell("OK", "ok");
        },
        Events: ({ type }) => ({ html: text(ruleSubject(type)), csv: type }),
        Triggers: ({ triggers }) => ({ html: text(triggerWords(triggers)), csv: triggers.join(" ") }),
        "Last delivered": (action) => timeCell(action.lastSuccessTimestamp),
        "Last failed": (action) => timeCell(action.lastFailureTimestamp),
      },
      rows: await call("listActions", {}),
      empty: empty("No notification rules yet.", howTo),
    });
    return {
      title: "Notifications",
      main: html`${rules.html}
${await createForms(request)}`,
      tables: [rules],
      json: { operation: "listActions", given: {} },
      howTo,
    };
  },
  async act(request) {
    const act = request.sent.get("act") ?? "";
    const type = RULE_TYPES.find((each) => act === `create-${each}`);
    if (type === undefined) throw new Invalid("page.form_invalid", "The form has an unknown action");
    await createRule(request, type);
    return { redirect: request.to.page("actions") };
  },
});

function isMuted(mutedUntil: number | null | undefined, now: number): mutedUntil is number {
  return typeof mutedUntil === "number" && mutedUntil > now;
}

type Named = { readonly number: string };
type Delivery = AnsweredBy<"listDeliveries">["data"][number];
type Target = AnsweredBy<"listTargets">[number];

export const rulePage = definePage({
  path: "/:org/actions/:number",
  audience: "accounts",
  async show(request) {
    const { params, call, may, query, to } = request;
    const actionNumber = actionNumberIn(params);
    const state = query.get("state") ?? "";
    const given = {
      actionNumber,
      ...(state === "" ? {} : { state }),
      ...cursorIn(query),
      perPage: ROWS,
      // The operation validates the state.
    } as GivenTo<"listDeliveries">;
    const [action, targets, { data, _links }] = await Promise.all([
      call("getAction", { actionNumber }),
      call("listTargets", { actionNumber }),
      call("listDeliveries", given),
    ]);
    const named = [...(action.flows ?? []), ...(action.environments ?? [])].join(", ");
    const where = targetTable(targets, request);
    const deliveries = deliveryTable(data, request);
    return {
      title: `Rule ${action.name}`,
      above: [["Notifications", to.page("actions")]],
      main: html`<p class="lead">${stateBadge(action.isFailing ? "failing" : "ok")} ${action.isFailing ? "The latest delivery failed." : "No recent failures."}</p>
${facts([
  ["Events", text(ruleSubject(action.type))],
  ["Applies to", action.type === "org" ? "" : text(named || `all ${ruleSubject(action.type)}`)],
  ["Triggers", text(triggerWords(action.triggers))],
  ["Muted until", isMuted(action.mutedUntil, request.now) ? time(action.mutedUntil) : ""],
  ["Created by", text(action.createdBy)],
  ["Last delivered", time(action.lastSuccessTimestamp)],
  ["Last failed", time(action.lastFailureTimestamp)],
])}
<h2>Targets</h2>
${where.html}
<h2>Deliveries</h2>
${filter(
  choice({
    name: "state",
    label: "State",
    value: state,
    options: [["", "Any"], "pending", "delivered", "failed", "muted", "cancelled"],
  }),
  "Filter deliveries",
)}${deliveries.html}${cursorPager(_links, request)}
${may("testAction") ? await forms(action, request) : ""}`,
      tables: [where, deliveries],
      json: { operation: "listDeliveries", given },
      howTo: {
        title: "Send an example from the command line",
        code: `npx delivery-evidence call testAction action_number=${actionNumber}`,
      },
    };
  },
  act: (request) => actionIn(RULE_ACTIONS, request.sent)(request, actionNumberIn(request.params)),
});

function targetTable(targets: readonly Target[], request: PageRequest<Named>): Table {
  return table<Target>(request, {
    id: "targets",
    caption: "Targets",
    columns: {
      Target: ({ address, number }) => ({ html: text(address ?? `number ${number}`), csv: address }),
      State: ({ state }) => stateCell(state),
      Kind: ({ kind }) => wordCell(kind),
      Waiting: { cell: ({ waiting }) => waiting, isNumber: true },
      "Last delivered": ({ lastSuccessAt }) => timeCell(lastSuccessAt),
      "Last failure": ({ lastFailure }) => lastFailure,
      "Disabled because": ({ endedBecause }) => endedBecause,
    },
    rows: targets,
    empty: "No targets.",
  });
}

function deliveryTable(deliveries: readonly Delivery[], request: PageRequest<Named>): Table {
  const { to, params } = request;
  return table<Delivery>(request, {
    id: "deliveries",
    caption: "Deliveries, newest first",
    columns: {
      Time: ({ id, createdAt }) =>
        linkCell(to.page("actions", params.number, "deliveries", id), utc(createdAt)),
      State: ({ state }) => stateCell(state),
      Event: ({ type, trigger }) => ({ html: text(triggerWord(trigger)), csv: type }),
      Target: ({ target: { address, kind } }) => ({ html: text(address ?? kind), csv: address }),
      Attempts: { cell: ({ attempts }) => attempts, isNumber: true },
      Outcome: ({ outcome }) => outcome,
      "Next attempt": (delivery) => ({ html: nextAttempt(delivery, request), csv: delivery.dueAt }),
    },
    rows: deliveries,
    empty: "No deliveries match.",
  });
}

async function forms(action: AnsweredBy<"getAction">, request: PageRequest<Named>): Promise<Html> {
  const { form, entered } = request;
  const { name } = action;
  const recover = {
    act: "recover",
    content: field({
      name: "since",
      label: "Events since",
      type: "date",
      value: entered("since"),
      isRequired: true,
    }),
    button: "Retry deliveries",
    label: "Retry failed deliveries",
  };
  const remove = {
    act: "delete",
    content: confirmation(name),
    button: "Delete rule",
    label: "Delete this rule",
  };
  return html`<h2>Actions</h2>
${await editForm(action, request)}
${muteForm(action, request)}
${form({ act: "test", button: "Send an example" })}
${form({ act: "enable", button: "Enable disabled targets", label: "Enable targets" })}
${foldedForm(recover.label, recover, request)}
<details><summary>Signing keys</summary>${form({
    act: "secret",
    content: html`<p>Secrets are shown once. The public key is always shown.</p>`,
    button: "Show signing keys",
    label: "Show signing keys",
  })}
${form({
  act: "rotate",
  content: html`<p>The old secrets also sign for one more day.</p>`,
  button: "Replace secrets",
})}</details>
${foldedForm(remove.label, remove, request)}`;
}
