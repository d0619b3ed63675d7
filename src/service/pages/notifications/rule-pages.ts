import { Invalid } from "../../kernel/errors.ts";
import type { AnsweredBy, GivenTo } from "../ask.ts";
import { definePage, type FormRequest, type Page, type PageRequest, type Redirect } from "../page.ts";
import { ALREADY_SHOWN, empty, facts, shownOnce } from "../parts/blocks.ts";
import {
  actionIn,
  choice,
  confirmation,
  field,
  filter,
  foldedForm,
  requireConfirmation,
} from "../parts/form.ts";
import { type Html, html, link, text } from "../parts/html.ts";
import { cursorIn, cursorPager, ROWS } from "../parts/lists.ts";
import { badgeCell, linkCell, type Table, table, timeCell, wordCell } from "../parts/table.ts";
import { dayStart, time, utc } from "../parts/time.ts";
import { workflowStep } from "../parts/workflow-step.ts";
import { actionNumberIn, stateBadge, stateCell } from "./delivery-page.ts";

export const rulesPage = definePage({
  path: "/:org/actions",
  audience: "accounts",
  async show(request) {
    const { ask, to } = request;
    const howTo = {
      title: "Tell a webhook what happens in a flow",
      code: workflowStep(
        "set-flow-action",
        { name: "told", flows: "web", triggers: "ON_ATTESTATION", webhook: "https://example.org/hook" },
        request,
      ),
    };
    const rules = table(request, {
      id: "rules",
      caption: "Notification rules",
      columns: [
        { head: "Rule", cell: ({ number, name }) => linkCell(to.page("actions", number), name) },
        {
          head: "State",
          cell: ({ isFailing }) => (isFailing ? badgeCell("FAILING", "fail") : badgeCell("OK", "ok")),
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
        { head: "Last delivered", cell: (action) => timeCell(action.lastSuccessTimestamp) },
        { head: "Last failed", cell: (action) => timeCell(action.lastFailureTimestamp) },
      ],
      rows: await ask("listActions", {}),
      empty: empty("Nobody is told of anything yet.", howTo),
    });
    return {
      title: "Notifications",
      main: rules.html,
      tables: [rules],
      json: { operation: "listActions", given: {} },
      howTo,
    };
  },
});

const SUBJECTS: Readonly<Record<string, string>> = {
  flow: "flows",
  env: "environments",
  org: "the organization",
};

function ruleSubject(type: string): string {
  return SUBJECTS[type] ?? type;
}

type Named = { readonly number: string };
type Delivery = AnsweredBy<"listDeliveries">["data"][number];
type Target = AnsweredBy<"listTargets">[number];

export const rulePage = definePage({
  path: "/:org/actions/:number",
  audience: "accounts",
  async show(request) {
    const { params, ask, may, query, to } = request;
    const actionNumber = actionNumberIn(params);
    const state = query.get("state") ?? "";
    const given = {
      actionNumber,
      ...(state === "" ? {} : { state }),
      ...cursorIn(query),
      perPage: ROWS,
      // Which states there are is for the operation to check.
    } as GivenTo<"listDeliveries">;
    const [action, targets, { data, _links }] = await Promise.all([
      ask("getAction", { actionNumber }),
      ask("listTargets", { actionNumber }),
      ask("listDeliveries", given),
    ]);
    const named = [...(action.flows ?? []), ...(action.environments ?? [])].join(", ");
    const where = targetTable(targets, request);
    const deliveries = deliveryTable(data, request);
    return {
      title: `Rule ${action.name}`,
      above: [["Notifications", to.page("actions")]],
      main: html`<p class="lead">${stateBadge(action.isFailing ? "failing" : "ok")} ${action.isFailing ? "The latest delivery failed." : "Nothing has failed lately."}</p>
${facts([
  ["Of", text(ruleSubject(action.type))],
  ["Named", action.type === "org" ? "" : text(named || "all of them")],
  ["Triggers", text(action.triggers.join(", ") || "all of them")],
  ["Made by", text(action.createdBy)],
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
    options: [["", "Any"], "pending", "delivered", "failed", "cancelled"],
  }),
  "Filter deliveries",
)}${deliveries.html}${cursorPager(_links, request)}
${may("testAction") ? forms(action.name, request) : ""}`,
      tables: [where, deliveries],
      json: { operation: "listDeliveries", given },
      howTo: {
        title: "Send an example from the command line",
        code: `npx delivery-evidence call testAction action_number=${actionNumber}`,
      },
    };
  },
  act: (request) => actionIn(ACTIONS, request.sent)(request, actionNumberIn(request.params)),
});

function targetTable(targets: readonly Target[], request: PageRequest<Named>): Table {
  return table<Target>(request, {
    id: "targets",
    caption: "Where it goes",
    columns: [
      {
        head: "Target",
        cell: (each) => text(each.address ?? `number ${each.number}`),
        csv: (each) => each.address,
      },
      { head: "State", cell: ({ state }) => stateCell(state) },
      { head: "Kind", cell: ({ kind }) => wordCell(kind) },
      { head: "Waiting", cell: ({ waiting }) => waiting, isNumber: true },
      { head: "Last delivered", cell: ({ lastSuccessAt }) => timeCell(lastSuccessAt) },
      { head: "Why it failed last", cell: ({ lastFailure }) => lastFailure },
      { head: "Why it ended", cell: ({ endedBecause }) => endedBecause },
    ],
    rows: targets,
    empty: "It has no target.",
  });
}

function deliveryTable(deliveries: readonly Delivery[], request: PageRequest<Named>): Table {
  const { to, params } = request;
  return table<Delivery>(request, {
    id: "deliveries",
    caption: "Deliveries, the latest first",
    columns: [
      {
        head: "Happened",
        cell: ({ id, createdAt }) =>
          linkCell(to.page("actions", params.number, "deliveries", id), utc(createdAt)),
      },
      { head: "State", cell: ({ state }) => stateCell(state) },
      { head: "What", cell: ({ type }) => type },
      {
        head: "To",
        cell: ({ target }) => text(target.address ?? target.kind),
        csv: ({ target }) => target.address,
      },
      { head: "Attempts", cell: ({ attempts }) => attempts, isNumber: true },
      { head: "Outcome", cell: ({ outcome }) => outcome },
      { head: "Next attempt", cell: ({ dueAt }) => (dueAt ? timeCell(dueAt) : null) },
    ],
    rows: deliveries,
    empty: "No delivery is like that.",
  });
}

function forms(name: string, request: PageRequest<Named>): Html {
  const { form, kept } = request;
  const recover = {
    act: "recover",
    content: field({
      name: "since",
      label: "What happened since the day",
      type: "date",
      value: kept("since"),
      isRequired: true,
    }),
    button: "Send it again",
    label: "Send again what failed",
  };
  const remove = {
    act: "delete",
    content: confirmation(name),
    button: "Delete it",
    label: "Delete this rule",
  };
  return html`<h2>What can be done</h2>
${form({ act: "test", button: "Send an example" })}
${form({ act: "enable", button: "Switch ended targets on again", label: "Switch targets on" })}
${foldedForm(recover.label, recover, request)}
<details><summary>What signs its deliveries</summary>${form({
    act: "secret",
    content: html`<p>A secret is shown once, the public key always.</p>`,
    button: "Show",
    label: "Show what signs",
  })}
${form({
  act: "rotate",
  content: html`<p>The secret before signs as well for one more day.</p>`,
  button: "Replace the secrets",
})}</details>
${foldedForm(remove.label, remove, request)}`;
}

type Action = (request: FormRequest<Named>, actionNumber: number) => Promise<Page | Redirect>;

const ACTIONS: Readonly<Record<string, Action>> = {
  async test(request, actionNumber) {
    const { results } = await request.ask("testAction", { actionNumber, body: {} });
    return resultPage(request, "An example was sent", testTable(results, request));
  },
  async enable({ ask, params, to }, actionNumber) {
    await ask("enableTargets", { actionNumber, body: {} });
    return { redirect: to.page("actions", params.number) };
  },
  async recover(request, actionNumber) {
    const since = dayStart(request.sent.get("since"));
    if (since === undefined) throw new Invalid("page.form_invalid", "Say since which day");
    const { recovered, more } = await request.ask("recoverDeliveries", { actionNumber, body: { since } });
    const said = `${recovered} ${recovered === 1 ? "delivery is" : "deliveries are"} due again.`;
    return resultPage(
      request,
      "Sent again",
      html`<p class="lead">${said}${more ? " There are more: do it again." : ""}</p>`,
    );
  },
  async secret(request, actionNumber) {
    if (!(await request.isFirst())) return secretPage(request, undefined);
    return secretPage(request, await request.ask("showSecrets", { actionNumber }));
  },
  async rotate(request, actionNumber) {
    if (!(await request.isFirst())) return secretPage(request, undefined);
    return secretPage(request, await request.ask("rotateSecrets", { actionNumber, body: {} }));
  },
  async delete({ ask, sent, to }, actionNumber) {
    const { name } = await ask("getAction", { actionNumber });
    requireConfirmation(sent, name, "Type the name of the rule to delete it");
    await ask("deleteAction", { actionNumber });
    return { redirect: to.page("actions") };
  },
};

function resultPage({ to, params }: PageRequest<Named>, title: string, main: Html): Page {
  return {
    title,
    above: [
      ["Notifications", to.page("actions")],
      [`Rule ${params.number}`, to.page("actions", params.number)],
    ],
    main,
  };
}

function testTable(results: AnsweredBy<"testAction">["results"], request: PageRequest<Named>): Html {
  const { to, params } = request;
  return table(request, {
    id: "results",
    caption: "What the targets said",
    columns: [
      {
        head: "Target",
        cell: ({ target, deliveryId }) =>
          link(to.page("actions", params.number, "deliveries", deliveryId), target.address ?? target.kind),
        csv: ({ target }) => target.address,
      },
      { head: "State", cell: ({ delivered }) => stateCell(delivered ? "delivered" : "failed") },
      { head: "Outcome", cell: ({ outcome }) => outcome },
      { head: "Answer", cell: ({ answer }) => answer },
    ],
    rows: results,
    empty: "There was no target to send it to.",
  }).html;
}

interface Signing {
  readonly secrets: AnsweredBy<"showSecrets">["secrets"];
  readonly publicKey: string;
}

function secretPage(request: PageRequest<Named>, signing: Signing | undefined): Page {
  const main =
    signing === undefined
      ? ALREADY_SHOWN
      : html`${signing.secrets.map(({ target, secret }, index) => shownOnce({ id: `secret-${index}`, label: `Secret of ${target.address ?? target.kind}`, value: secret }))}
${signing.secrets.length === 0 ? html`<p>Every secret was shown before.</p>` : ""}
${facts([["Public key of the organization", html`<code>${signing.publicKey}</code>`]])}`;
  return { ...resultPage(request, "What signs", main), isSecret: true };
}
