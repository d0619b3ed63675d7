import { DELIVERY_STATES } from "../../../api/resources/notification-deliveries.ts";
import { Invalid, Refusal } from "../../kernel/errors.ts";
import type { AnsweredBy, GivenTo } from "../operation-calls.ts";
import { definePage, type PageRequest } from "../page.ts";
import { empty, facts } from "../parts/blocks.ts";
import { choiceFilter, filterBar, periodFilter, textFilter } from "../parts/filter-bar.ts";
import { actionIn, confirmation, field, foldedForm } from "../parts/form.ts";
import { type Html, html, text } from "../parts/html.ts";
import { cursorIn, cursorPage, pageOfWhole, ROWS, sortedBy, sortingIn } from "../parts/lists.ts";
import { linkCell, type Table, type TableShape, table, timeCell, wordCell } from "../parts/table.ts";
import { time, utc } from "../parts/time.ts";
import { workflowStep } from "../parts/workflow-step.ts";
import { actionNumberIn, nextAttempt, stateBadge, stateCell } from "./delivery-page.ts";
import { outcomeCell } from "./outcome-words.ts";
import { RULE_ACTIONS } from "./rule-actions.ts";
import { createForms, createRule, editForm, muteForm } from "./rule-form.ts";
import { type Rule, ruleSentence, ruleState } from "./rule-state.ts";
import { RULE_TYPES, ruleSubject, triggersOf, triggerWord, triggerWords } from "./trigger-words.ts";

const RULE_STATES = [
  ["ok", "Ok"],
  ["failing", "Failing"],
  ["muted", "Muted"],
  ["unused", "Unused"],
] as const;

export const rulesPage = definePage({
  path: "/:org/actions",
  audience: "accounts",
  async show(request) {
    const { call, to, now } = request;
    const howTo = {
      title: "Send flow events to a webhook",
      code: workflowStep(
        "set-flow-action",
        { name: "web-events", flows: "web", triggers: "ON_ATTESTATION", webhook: "https://example.org/hook" },
        request,
      ),
    };
    const all = await call("listActions", {});
    const sorting = sortingIn(["number", "name", "failed"], request);
    const filters = {
      text: textFilter("Part of the name"),
      state: choiceFilter("State", RULE_STATES),
    };
    const bar = filterBar("Filter rules", filters, request);
    const list = await bar.find(async ({ text: part, state }) => {
      const matching = all.filter(
        (each) =>
          each.name.toLowerCase().includes(part.toLowerCase()) &&
          (state === "" || ruleState(each, now) === state),
      );
      const sorted = sortedBy(matching, sorting, {
        number: ({ number }) => number,
        name: ({ name }) => name,
        failed: (each) => each.lastFailureTimestamp,
      });
      return pageOfWhole(sorted, request);
    });
    if (list instanceof Refusal) return bar.refused({ title: "Notifications" }, list);
    const rules = table(request, {
      id: "rules",
      caption: "Notification rules",
      position: list.count,
      columns: {
        Rule: {
          cell: ({ number, name }) => linkCell(to.page("actions", number), name),
          sorted: sorting.by("name"),
        },
        State: (rule) => stateCell(ruleState(rule, now)),
        Events: ({ type }) => ({ html: text(ruleSubject(type)), csv: type }),
        Triggers: ({ triggers }) => ({ html: text(triggerWords(triggers)), csv: triggers.join(" ") }),
        "Last delivered": (action) => timeCell(action.lastSuccessTimestamp),
        "Last failed": {
          cell: (action) => timeCell(action.lastFailureTimestamp),
          sorted: sorting.by("failed"),
        },
      },
      rows: list.rows,
      empty: list.empty(bar.empty("rules", empty("No notification rules yet.", howTo))),
    });
    return {
      title: "Notifications",
      main: html`${all.length === 0 ? "" : bar.html}
${rules.html}${list.pager}
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

type Named = { readonly number: string };
type Delivery = AnsweredBy<"listDeliveries">["data"][number];
type Target = AnsweredBy<"listTargets">[number];

export const rulePage = definePage({
  path: "/:org/actions/:number",
  audience: "accounts",
  async show(request) {
    const { params, call, may, query, to } = request;
    const actionNumber = actionNumberIn(params);
    const [action, targets] = await Promise.all([
      call("getAction", { actionNumber }),
      call("listTargets", { actionNumber }),
    ]);
    const title = `Rule ${action.name}`;
    const above = [["Notifications", to.page("actions")]] as const;
    const filters = {
      state: choiceFilter("State", DELIVERY_STATES),
      trigger: choiceFilter(
        "Event",
        triggersOf(action.type).map((each) => [each, triggerWord(each)] as const),
      ),
      target: choiceFilter("Target", targetOptions(targets, query.get("target") ?? "")),
      period: periodFilter(),
    };
    const bar = filterBar("Filter deliveries", filters, request);
    const found = await bar.find(async ({ state, trigger, target, period: { start, end } }) => {
      const given: GivenTo<"listDeliveries"> = {
        actionNumber,
        ...(state === "" ? {} : { state }),
        ...(trigger === "" ? {} : { trigger }),
        ...(target === "" ? {} : { target: Number(target) }),
        ...(start === undefined ? {} : { fromTimestamp: start }),
        ...(end === undefined ? {} : { toTimestamp: end }),
        ...{ ...cursorIn(query), perPage: ROWS },
      };
      const isFormer = target !== "" && targets.every(({ number }) => number !== Number(target));
      return { given, answer: isFormer ? { data: [], _links: null } : await call("listDeliveries", given) };
    });
    if (found instanceof Refusal) return bar.refused({ title, above }, found);
    const { given, answer } = found;
    const named = [...(action.flows ?? []), ...(action.environments ?? [])].join(", ");
    const where = targetTable(targets, request);
    const list = cursorPage(answer.data, answer._links, request);
    const none = bar.empty("deliveries", "No deliveries yet.");
    const deliveries = deliveryTable({ rows: list.rows, empty: list.empty(none) }, request);
    return {
      title,
      above,
      main: html`<p class="lead">${stateBadge(ruleState(action, request.now))} ${ruleSentence(action, request.now)}</p>
${facts([
  ["Events", text(ruleSubject(action.type))],
  ["Applies to", action.type === "org" ? "" : text(named || `all ${ruleSubject(action.type)}`)],
  ["Triggers", text(triggerWords(action.triggers))],
  ["Created by", text(action.createdBy)],
  ["Last delivered", time(action.lastSuccessTimestamp)],
  ["Last failed", time(action.lastFailureTimestamp)],
])}
<h2>Targets</h2>
${where.html}
<h2>Deliveries</h2>
${bar.html}
${deliveries.html}${list.pager}
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
      "Last failure": ({ lastFailure }) => outcomeCell(lastFailure),
      "Disabled because": ({ endedBecause }) => endedBecause,
    },
    rows: targets,
    empty: "No targets.",
  });
}

/** Targets of the rule by number. A bookmark may have the number of a target that was removed. */
function targetOptions(targets: readonly Target[], chosen: string): (readonly [string, string])[] {
  const options = targets.flatMap(({ number, address, kind }) =>
    typeof number === "number" ? [[String(number), address ?? `${kind} ${number}`] as const] : [],
  );
  const isFormer = /^\d{1,9}$/.test(chosen) && options.every(([number]) => number !== chosen);
  return isFormer ? [...options, [chosen, `Former target ${chosen}`]] : options;
}

function deliveryTable(
  shape: Pick<TableShape<Delivery>, "rows" | "empty">,
  request: PageRequest<Named>,
): Table {
  const { to, params } = request;
  return table<Delivery>(request, {
    ...shape,
    id: "deliveries",
    caption: "Deliveries, newest first",
    columns: {
      Time: ({ id, createdAt }) =>
        linkCell(to.page("actions", params.number, "deliveries", id), utc(createdAt)),
      State: ({ state }) => stateCell(state),
      Event: ({ type, trigger }) => ({ html: text(triggerWord(trigger)), csv: type }),
      Target: ({ target: { address, kind } }) => ({ html: text(address ?? kind), csv: address }),
      Attempts: { cell: ({ attempts }) => attempts, isNumber: true },
      Outcome: ({ outcome }) => outcomeCell(outcome),
      "Next attempt": (delivery) => ({ html: nextAttempt(delivery, request), csv: delivery.dueAt }),
    },
  });
}

async function forms(action: Rule, request: PageRequest<Named>): Promise<Html> {
  const { form } = request;
  const { name } = action;
  const recover = {
    act: "recover",
    content: field(
      {
        name: "since",
        label: "Events since",
        type: "date",
        isRequired: true,
      },
      request,
    ),
    button: "Retry deliveries",
    label: "Retry failed deliveries",
  };
  const remove = {
    act: "delete",
    content: confirmation(name, request),
    isDangerous: true as const,
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
