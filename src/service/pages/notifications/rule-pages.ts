import { html } from "hono/html";
import { Invalid } from "../../kernel/errors.ts";
import { actIn } from "../acts.ts";
import type { AnsweredBy, GivenTo } from "../ask.ts";
import type { Html } from "../html.ts";
import { definePage, type FormRequest, type Page, type PageRequest, type Redirect } from "../page.ts";
import { cursorIn, cursorPager } from "../parts/cursor-pager.ts";
import { dayStart } from "../parts/day.ts";
import { empty } from "../parts/empty.ts";
import { facts } from "../parts/facts.ts";
import { choice, field, filter } from "../parts/field.ts";
import { link } from "../parts/link.ts";
import { ALREADY_SHOWN, shownOnce } from "../parts/secret.ts";
import { type Table, table } from "../parts/table.ts";
import { text } from "../parts/text.ts";
import { time, utc } from "../parts/time.ts";
import { actionNumberIn, stateBadge } from "./delivery-state.ts";
import { ruleSubject } from "./rule-subject.ts";

type Named = { readonly number: string };
type Delivery = AnsweredBy<"listDeliveries">["data"][number];
type Target = AnsweredBy<"listTargets">[number];

const AT_ONCE = 50;

/** A notification rule: whom it tells of what, how that goes, and what was sent. */
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
      perPage: AT_ONCE,
      // Which states there are is for the operation to check.
    } as GivenTo<"listDeliveries">;
    const [action, targets, { data, _links }] = await Promise.all([
      ask("getAction", { actionNumber }),
      ask("listTargets", { actionNumber }),
      ask("listDeliveries", given),
    ]);
    const where = targetTable(targets, request);
    const deliveries = deliveryTable(data, request);
    return {
      title: `Rule ${action.name}`,
      above: [{ name: "Notifications", href: to.page("actions") }],
      main: html`<p class="lead">${stateBadge(action.isFailing ? "failing" : "ok")} ${action.isFailing ? "The latest delivery failed." : "Nothing has failed lately."}</p>
${facts([
  ["Of", text(ruleSubject(action.type))],
  ["Named", action.type === "org" ? "" : text(namedIn(action) || "all of them")],
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
    options: [
      ["", "Any"],
      ["pending", "pending"],
      ["delivered", "delivered"],
      ["failed", "failed"],
      ["cancelled", "cancelled"],
    ],
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
  async act(request) {
    return actIn(ACTS, request.sent)(request, actionNumberIn(request.params));
  },
});

function namedIn({ flows, environments }: AnsweredBy<"getAction">): string {
  return [...(flows ?? []), ...(environments ?? [])].join(", ");
}

function targetTable(targets: readonly Target[], { here }: PageRequest<Named>): Table {
  return table<Target>({
    id: "targets",
    caption: "Where it goes",
    columns: [
      {
        head: "Target",
        cell: (each) => text(each.address ?? `number ${each.number}`),
        csv: (each) => each.address,
      },
      { head: "State", cell: ({ state }) => stateBadge(state), csv: ({ state }) => state },
      { head: "Kind", cell: ({ kind }) => kind, csv: ({ kind }) => kind },
      { head: "Waiting", cell: ({ waiting }) => waiting, csv: ({ waiting }) => waiting, isNumber: true },
      {
        head: "Last delivered",
        cell: ({ lastSuccessAt }) => time(lastSuccessAt),
        csv: ({ lastSuccessAt }) => (lastSuccessAt ? utc(lastSuccessAt) : null),
      },
      {
        head: "Why it failed last",
        cell: ({ lastFailure }) => text(lastFailure),
        csv: ({ lastFailure }) => lastFailure,
      },
      {
        head: "Why it ended",
        cell: ({ endedBecause }) => text(endedBecause),
        csv: ({ endedBecause }) => endedBecause,
      },
    ],
    rows: targets,
    empty: empty("It has no target."),
    here,
  });
}

function deliveryTable(deliveries: readonly Delivery[], { to, here, params }: PageRequest<Named>): Table {
  return table<Delivery>({
    id: "deliveries",
    caption: "Deliveries, the latest first",
    columns: [
      {
        head: "Happened",
        cell: ({ id, createdAt }) =>
          link(to.page("actions", params.number, "deliveries", id), utc(createdAt)),
        csv: ({ createdAt }) => utc(createdAt),
      },
      { head: "State", cell: ({ state }) => stateBadge(state), csv: ({ state }) => state },
      { head: "What", cell: ({ type }) => text(type), csv: ({ type }) => type },
      {
        head: "To",
        cell: ({ target }) => text(target.address ?? target.kind),
        csv: ({ target }) => target.address,
      },
      { head: "Attempts", cell: ({ attempts }) => attempts, csv: ({ attempts }) => attempts, isNumber: true },
      { head: "Outcome", cell: ({ outcome }) => text(outcome), csv: ({ outcome }) => outcome },
      {
        head: "Next attempt",
        cell: ({ dueAt }) => (dueAt ? time(dueAt) : ""),
        csv: ({ dueAt }) => (dueAt ? utc(dueAt) : null),
      },
    ],
    rows: deliveries,
    empty: empty("No delivery is like that."),
    here,
  });
}

function forms(name: string, { form, kept }: PageRequest<Named>): Html {
  const act = (word: string) => html`<input type="hidden" name="act" value="${word}">`;
  return html`<h2>What can be done</h2>
${form({ content: html`${act("test")}<p><button type="submit">Send an example</button></p>`, label: "Send an example" })}
${form({ content: html`${act("enable")}<p><button type="submit">Switch ended targets on again</button></p>`, label: "Switch targets on" })}
<details${kept("act") === "recover" ? html` open` : ""}><summary>Send again what failed</summary>${form({
    content: html`${act("recover")}${field({ name: "since", label: "What happened since the day", type: "date", value: kept("since"), isRequired: true })}
<p><button type="submit">Send it again</button></p>`,
    label: "Send again what failed",
  })}</details>
<details><summary>What signs its deliveries</summary>${form({
    content: html`${act("secret")}<p>A secret is shown once, the public key always.</p><p><button type="submit">Show</button></p>`,
    label: "Show what signs",
  })}
${form({
  content: html`${act("rotate")}<p>The secret before signs as well for one more day.</p><p><button type="submit">Replace the secrets</button></p>`,
  label: "Replace the secrets",
})}</details>
<details${kept("act") === "delete" ? html` open` : ""}><summary>Delete this rule</summary>${form({
    content: html`${act("delete")}${field({ name: "confirm", label: `Type ${name} to confirm`, isRequired: true })}
<p><button type="submit">Delete it</button></p>`,
    label: "Delete this rule",
  })}</details>`;
}

type Acting = (request: FormRequest<Named>, actionNumber: number) => Promise<Page | Redirect>;

const ACTS: Readonly<Record<string, Acting>> = {
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
    if (since === undefined) throw new Invalid("Say since which day");
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
  async delete({ ask, params, sent, to }, actionNumber) {
    const { name } = await ask("getAction", { actionNumber: actionNumberIn(params) });
    if (sent.get("confirm") !== name) throw new Invalid("Type the name of the rule to delete it");
    await ask("deleteAction", { actionNumber });
    return { redirect: to.page("actions") };
  },
};

function resultPage({ to, params }: PageRequest<Named>, title: string, main: Html): Page {
  return {
    title,
    above: [
      { name: "Notifications", href: to.page("actions") },
      { name: `Rule ${params.number}`, href: to.page("actions", params.number) },
    ],
    main,
  };
}

function testTable(
  results: AnsweredBy<"testAction">["results"],
  { here, to, params }: PageRequest<Named>,
): Html {
  return table({
    id: "results",
    caption: "What the targets said",
    columns: [
      {
        head: "Target",
        cell: ({ target, deliveryId }) =>
          link(to.page("actions", params.number, "deliveries", deliveryId), target.address ?? target.kind),
        csv: ({ target }) => target.address,
      },
      {
        head: "State",
        cell: ({ delivered }) => stateBadge(delivered ? "delivered" : "failed"),
        csv: ({ delivered }) => (delivered ? "delivered" : "failed"),
      },
      { head: "Outcome", cell: ({ outcome }) => text(outcome), csv: ({ outcome }) => outcome },
      { head: "Answer", cell: ({ answer }) => text(answer), csv: ({ answer }) => answer },
    ],
    rows: results,
    empty: empty("There was no target to send it to."),
    here,
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
