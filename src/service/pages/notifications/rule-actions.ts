import type { AnsweredBy } from "../operation-calls.ts";
import type { FormRequest, Page, PageRequest, Redirect } from "../page.ts";
import { ALREADY_SHOWN, facts, shownOnce } from "../parts/blocks.ts";
import { requireConfirmation } from "../parts/form.ts";
import { type Html, html, link, text } from "../parts/html.ts";
import { table } from "../parts/table.ts";
import { dayStart } from "../parts/time.ts";
import { counted } from "../parts/words.ts";
import { invalidField } from "../refused-form.ts";
import { ruleCrumbs, stateBadge, stateCell } from "./delivery-page.ts";
import { outcomeCell, outcomeWords } from "./outcome-words.ts";
import { muteRule, saveRule, unmuteRule } from "./rule-form.ts";

type Named = { readonly number: string };
type Action = (request: FormRequest<Named>, actionNumber: number) => Promise<Page | Redirect>;

/** The form actions of a rule's page, by name. */
export const RULE_ACTIONS: Readonly<Record<string, Action>> = {
  async test(request, actionNumber) {
    const { results } = await request.call("testAction", { actionNumber, body: {} });
    return testPage(request, results);
  },
  async edit(request, actionNumber) {
    await saveRule(request, await request.call("getAction", { actionNumber }));
    return { redirect: request.to.page("actions", request.params.number) };
  },
  async mute(request, actionNumber) {
    await muteRule(request, await request.call("getAction", { actionNumber }));
    return { redirect: request.to.page("actions", request.params.number) };
  },
  async unmute(request, actionNumber) {
    await unmuteRule(request, await request.call("getAction", { actionNumber }));
    return { redirect: request.to.page("actions", request.params.number) };
  },
  async enable({ call, params, to }, actionNumber) {
    await call("enableTargets", { actionNumber, body: {} });
    return { redirect: to.page("actions", params.number) };
  },
  async recover(request, actionNumber) {
    const since = dayStart(request.sent, "since");
    if (since === undefined) throw invalidField("since", "Set the day to start from");
    const { recovered, more } = await request.call("recoverDeliveries", { actionNumber, body: { since } });
    const message = `${recovered} ${recovered === 1 ? "delivery is" : "deliveries are"} due again.`;
    return resultPage(
      request,
      "Retried deliveries",
      html`<p class="lead">${message}${more ? " There are more. Submit the form again." : ""}</p>`,
    );
  },
  async secret(request, actionNumber) {
    if (!(await request.isFirst())) return secretPage(request, undefined);
    return secretPage(request, await request.call("showSecrets", { actionNumber }));
  },
  async rotate(request, actionNumber) {
    if (!(await request.isFirst())) return secretPage(request, undefined);
    return secretPage(request, await request.call("rotateSecrets", { actionNumber, body: {} }));
  },
  async delete({ call, sent, to }, actionNumber) {
    const { name } = await call("getAction", { actionNumber });
    requireConfirmation(sent, name, "Type the name of the rule to delete it");
    await call("deleteAction", { actionNumber });
    return { redirect: to.page("actions") };
  },
};

function resultPage(request: PageRequest<Named>, title: string, main: Html): Page {
  return { title, above: ruleCrumbs(request), main };
}

type Results = AnsweredBy<"testAction">["results"];

/** Whether each target took the example, and the reason if not. */
function testPage(request: PageRequest<Named>, results: Results): Page {
  const failed = results.filter(({ delivered }) => !delivered);
  const took = results.length - failed.length;
  const title =
    failed.length === 0
      ? "Example delivered"
      : took === 0
        ? "Example not delivered"
        : `Example delivered to ${took} of ${counted(results.length, "target")}`;
  const reasons = failed.map(
    ({ target: { address, kind }, outcome }) =>
      html`<p class="lead">${stateBadge("failed")} ${text(address ?? kind)}: ${text(outcomeWords(outcome ?? "not tried"))}.</p>
`,
  );
  const advice = html`<p>Check the target, then send another example. Real events are retried for 5 days.</p>`;
  return resultPage(
    request,
    title,
    html`${reasons}${failed.length === 0 ? "" : advice}${testTable(results, request)}`,
  );
}

function testTable(results: Results, request: PageRequest<Named>): Html {
  const { to, params } = request;
  return table(request, {
    id: "results",
    caption: "Responses of the targets",
    columns: {
      Target: ({ target: { address, kind }, deliveryId }) => ({
        html: link(to.page("actions", params.number, "deliveries", deliveryId), address ?? kind),
        csv: address,
      }),
      State: ({ delivered }) => stateCell(delivered ? "delivered" : "failed"),
      Outcome: ({ outcome }) => outcomeCell(outcome),
      Response: ({ answer }) => answer,
    },
    rows: results,
    empty: "No targets.",
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
${signing.secrets.length === 0 ? html`<p>All secrets have already been shown.</p>` : ""}
${facts([["Public key of the organization", html`<code>${signing.publicKey}</code>`]])}`;
  return { ...resultPage(request, "Signing keys", main), isSecret: true };
}
