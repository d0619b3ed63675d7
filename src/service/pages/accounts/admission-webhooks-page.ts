import { ADMISSION_MODES, UNPINNED } from "../../../api/resources/admission.ts";
import { Forbidden } from "../../kernel/errors.ts";
import type { AnsweredBy } from "../operation-calls.ts";
import { definePage, type FormRequest, type Page, type PageRequest, type Redirect } from "../page.ts";
import { ALREADY_SHOWN, empty, shownOnce } from "../parts/blocks.ts";
import {
  actionIn,
  choice,
  confirmation,
  field,
  foldedForm,
  type Option,
  requireConfirmation,
} from "../parts/form.ts";
import { type Html, html, link } from "../parts/html.ts";
import { environmentNames, OF_ENVIRONMENT } from "../parts/known-names.ts";
import { guideLink } from "../parts/links.ts";
import { table, timeCell } from "../parts/table.ts";
import { dayEnd } from "../parts/time.ts";
import { invalidField } from "../refused-form.ts";
import { stateCell } from "./expiry-state.ts";

type Webhook = AnsweredBy<"listAdmissionWebhooks">[number];

const HOW_TO = {
  title: "Create an admission webhook on the command line",
  code: `npx delivery-evidence call createAdmissionWebhook --body - <<'END'\n{ "name": "cluster-1", "environment_name": "production", "mode": "audit" }\nEND`,
};

/** The mildest first, because an address should begin with it. */
const MODES: readonly Option<Webhook["mode"]>[] = [
  ["audit", "Admit it, and note the reasons"],
  ["warn", "Admit it with a warning"],
  ["deny", "Refuse it"],
];

const UNPINNED_IMAGES: readonly Option<Webhook["unpinned"]>[] = [
  ["deny", "Treat it as an image that may not run"],
  ["warn", "Admit it unchecked, with a warning"],
];

export const admissionWebhooksPage = definePage({
  path: "/:org/admission-webhooks",
  audience: "accounts",
  async show(request) {
    const { call, may, to, now } = request;
    if (!may("listAdmissionWebhooks")) throw new Forbidden();
    const webhooks = table<Webhook>(request, {
      id: "webhooks",
      caption: "Admission webhooks",
      columns: {
        Webhook: ({ name }) => name,
        State: (each) => stateCell(each, now),
        Environment: ({ environmentName: name }) => ({
          html: link(to.page("environments", name), name),
          csv: name,
        }),
        Mode: ({ mode }) => mode,
        "Without digest": ({ unpinned }) => unpinned,
        Expires: ({ expiresAt }) => (expiresAt === null ? "never" : timeCell(expiresAt)),
        "Last used": ({ lastUsedAt }) => (lastUsedAt === null ? "never" : timeCell(lastUsedAt)),
        "Created by": ({ createdBy }) => createdBy,
        Delete: { cell: (each) => deleteForm(each, request), isForForms: true },
      },
      rows: await call("listAdmissionWebhooks", {}),
      empty: empty("No admission webhooks yet.", HOW_TO),
    });
    const environments = await environmentNames(request);
    const create = {
      act: "create",
      content: html`${field({ name: "name", label: "Name", isRequired: true, codes: ["resource.exists"], hint: "For example the name of the cluster" }, request)}
${field({ name: "environment", fills: "environment_name", label: "Environment", isRequired: true, ...OF_ENVIRONMENT, known: environments }, request)}
${choice({ name: "mode", label: "Pod with an image that may not run", options: MODES }, request)}
${choice({ name: "unpinned", label: "Image without a digest", options: UNPINNED_IMAGES }, request)}
${field({ name: "expires_at", label: "Expires", type: "date", hint: "Empty: never" }, request)}`,
      button: "Create webhook",
      label: "Create an admission webhook",
    };
    return {
      title: "Admission webhooks",
      main: html`<p>The API servers of Kubernetes clusters ask these addresses before they create pods. ${guideLink("admission", "About admission")}</p>
${webhooks.html}
${foldedForm(create.label, create, request)}
<h2>Replace an address</h2>
<p>The address of a webhook is shown once, when the webhook is created. To replace it, create a second webhook, enter its address in the cluster, and delete the first webhook once the second one is used.</p>`,
      tables: [webhooks],
      json: { operation: "listAdmissionWebhooks", given: {} },
      howTo: HOW_TO,
    };
  },
  act: (request) => actionIn(ACTIONS, request.sent)(request),
});

const ACTIONS: Readonly<Record<string, (request: FormRequest) => Promise<Page | Redirect>>> = {
  async create(request) {
    const { call, sent, to } = request;
    const value = (name: string) => (sent.get(name) ?? "").trim();
    const mode = ADMISSION_MODES.find((each) => each === value("mode"));
    if (mode === undefined) throw invalidField("mode", "Choose a mode");
    const unpinned = UNPINNED.find((each) => each === value("unpinned"));
    if (unpinned === undefined) throw invalidField("unpinned", "Choose a treatment");
    const expiresAt = value("expires_at") === "" ? null : dayEnd(sent, "expires_at");
    const body = { name: value("name"), environmentName: value("environment"), mode, unpinned, expiresAt };
    // A form that is sent again creates no second webhook.
    const made = (await request.isFirst()) ? await call("createAdmissionWebhook", { body }) : undefined;
    return {
      title: "New admission webhook",
      above: [["Admission webhooks", to.page("admission-webhooks")]],
      main:
        made === undefined
          ? ALREADY_SHOWN
          : html`<p class="lead">Enter this address as <code>url</code> in the ValidatingWebhookConfiguration of the cluster:</p>
${shownOnce({ id: "url", label: `Address of ${made.name}`, value: made.url })}`,
      isSecret: true,
    };
  },
  async delete({ call, sent, to }) {
    const webhookName = sent.get("webhook") ?? "";
    const message = "Type the name of the webhook to delete it";
    requireConfirmation(sent, webhookName, message, `delete-${webhookName}`);
    await call("deleteAdmissionWebhook", { webhookName });
    return { redirect: to.page("admission-webhooks") };
  },
};

function deleteForm({ name }: Webhook, request: PageRequest): Html {
  const shape = {
    act: "delete",
    isOpen: request.entered("webhook") === name,
    content: html`<input type="hidden" name="webhook" value="${name}">
<p>Reviews sent to its address are refused from now on. A cluster that still asks it may then create no pods.</p>
${confirmation(name, request, `delete-${name}`)}`,
    isDangerous: true as const,
    button: "Delete webhook",
    label: `Delete the admission webhook ${name}`,
  };
  return foldedForm("Delete", shape, request);
}
