import { HOOK_KINDS, type HookKind } from "../../../api/resources/hooks.ts";
import { Forbidden } from "../../kernel/errors.ts";
import type { AnsweredBy } from "../operation-calls.ts";
import { definePage, type FormRequest, type Page, type PageRequest, type Redirect } from "../page.ts";
import { ALREADY_SHOWN, empty, shownOnce } from "../parts/blocks.ts";
import { actionIn, choice, confirmation, field, foldedForm, requireConfirmation } from "../parts/form.ts";
import { copyButton, type Html, html, row, text } from "../parts/html.ts";
import { flowNames, OF_FLOW } from "../parts/known-names.ts";
import { guideLink } from "../parts/links.ts";
import { table, timeCell } from "../parts/table.ts";
import { shortTime } from "../parts/time.ts";
import { invalidField } from "../refused-form.ts";

type Hook = AnsweredBy<"listHooks">[number];

interface Sender {
  readonly name: string;
  /** Flow of the attestations if the hook has none. */
  readonly flow: string;
  /** Path to its settings. */
  readonly settings: string;
}

const SENDERS: Readonly<Record<HookKind, Sender>> = {
  sonar: {
    name: "SonarQube",
    flow: "named by the project",
    settings: "In SonarQube, open Administration, Configuration, Webhooks, and create a webhook.",
  },
  "launch-darkly": {
    name: "LaunchDarkly",
    flow: "launch-darkly-ENVIRONMENT",
    settings: "In LaunchDarkly, open Integrations, Webhooks, add a webhook, and turn on its signature.",
  },
};

export const hooksPage = definePage({
  path: "/:org/hooks",
  audience: "accounts",
  async show(request) {
    const { call, may } = request;
    if (!may("listHooks")) throw new Forbidden();
    const howTo = {
      title: "Create a hook on the command line",
      code: `npx delivery-evidence call createHook --body - <<'END'\n{ "name": "sonar", "kind": "sonar" }\nEND`,
    };
    const hooks = table<Hook>(request, {
      id: "hooks",
      caption: "Hooks",
      columns: {
        Hook: (hook) => ({ html: hookRow(hook), csv: hook.name }),
        Sender: { cell: ({ kind }) => kind, isForCsv: true },
        Address: ({ name, url }) => ({
          html: html`<code>${url}</code>${copyButton(url, `the address of ${name}`)}`,
          csv: url,
        }),
        Flow: { cell: ({ flowName }) => flowName, isForCsv: true },
        "Created by": { cell: ({ createdBy }) => createdBy, isForCsv: true },
        Created: { cell: ({ createdAt }) => timeCell(createdAt), isForCsv: true },
        Delete: { cell: (hook) => deleteForm(hook, request), isForForms: true },
      },
      rows: await call("listHooks", {}),
      empty: empty("No hooks yet.", howTo),
    });
    const flows = await flowNames(request);
    const create = {
      act: "create",
      content: html`${field({ name: "name", label: "Name", isRequired: true, codes: ["resource.exists"] }, request)}
${choice({ name: "kind", label: "Sender", options: HOOK_KINDS.map((kind) => [kind, SENDERS[kind].name]) }, request)}
${field(
  {
    ...{ name: "flow", fills: "flow_name", label: "Flow (optional)", ...OF_FLOW },
    ...{ known: flows, hint: "A flow that exists. If empty, what is sent names it" },
  },
  request,
)}`,
      button: "Create hook",
      label: "Create a hook",
    };
    return {
      title: "Hooks",
      main: html`<p>SonarQube and LaunchDarkly send webhooks to these addresses. The service checks their signature and records them as attestations. ${guideLink("attest-results", "About hooks")}</p>
${hooks.html}
${foldedForm(create.label, create, request)}
<h2>Replace a secret</h2>
<p>The secret of a hook is shown once, when the hook is created. To replace it, create a second hook, enter its address and secret in the sender, and delete the first hook.</p>`,
      tables: [hooks],
      json: { operation: "listHooks", given: {} },
      howTo,
    };
  },
  act: (request) => actionIn(ACTIONS, request.sent)(request),
});

const ACTIONS: Readonly<Record<string, (request: FormRequest) => Promise<Page | Redirect>>> = {
  async create(request) {
    const { call, sent } = request;
    const kind = HOOK_KINDS.find((each) => each === sent.get("kind"));
    if (kind === undefined) throw invalidField("kind", "Choose the sender");
    const flowName = sent.get("flow")?.trim() || null;
    // The first webhook would create a flow with a mistyped name.
    if (flowName !== null) await call("getFlow", { flowName });
    const body = { name: sent.get("name") ?? "", kind, flowName };
    return newHookPage(request, (await request.isFirst()) ? await call("createHook", { body }) : undefined);
  },
  async delete({ call, sent, to }) {
    const hookName = sent.get("hook") ?? "";
    requireConfirmation(sent, hookName, "Type the name of the hook to delete it", `delete-${hookName}`);
    await call("deleteHook", { hookName });
    return { redirect: to.page("hooks") };
  },
};

function newHookPage({ to }: PageRequest, hook: AnsweredBy<"createHook"> | undefined): Page {
  return {
    title: "New hook",
    above: [["Hooks", to.page("hooks")]],
    main:
      hook === undefined
        ? ALREADY_SHOWN
        : html`<p class="lead">${SENDERS[hook.kind].settings} Enter this address and this secret:</p>
<p><code>${hook.url}</code>${copyButton(hook.url, "the address")}</p>
${shownOnce({ id: "secret", label: `Secret of ${hook.name}`, value: hook.secret })}`,
    isSecret: true,
  };
}

function hookRow({ name, kind, flowName, createdBy, createdAt }: Hook): Html {
  const sender = SENDERS[kind];
  return row(text(name), [
    html`${sender.name}`,
    // The first webhook may still have to create it.
    html`flow ${flowName ? text(flowName) : sender.flow}`,
    html`created by ${text(createdBy)}`,
    shortTime(createdAt),
  ]);
}

function deleteForm({ name }: Hook, request: PageRequest): Html {
  const shape = {
    act: "delete",
    isOpen: request.entered("hook") === name,
    content: html`<input type="hidden" name="hook" value="${name}">
<p>Webhooks to its address are refused from now on.</p>
${confirmation(name, request, `delete-${name}`)}`,
    isDangerous: true as const,
    button: "Delete hook",
    label: `Delete the hook ${name}`,
  };
  return foldedForm("Delete", shape, request);
}
