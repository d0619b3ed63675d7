import { Invalid } from "../../kernel/errors.ts";
import type { AnsweredBy, GivenTo } from "../operation-calls.ts";
import type { FormRequest, PageRequest } from "../page.ts";
import { area, checkbox, field, foldedForm } from "../parts/form.ts";
import { type Html, html, plainList, text } from "../parts/html.ts";
import { dayEnd } from "../parts/time.ts";
import { invalidField } from "../refused-form.ts";
import { RULE_TYPES, type RuleType, ruleSubject, triggersOf, triggerWord } from "./trigger-words.ts";

type Rule = AnsweredBy<"getAction">;
type Target = Rule["targets"][number];
type NewTarget = GivenTo<"putFlowAction">["body"]["targets"][number];

/** Names offered while the user types. */
const MOST_OFFERED = 50;
/** Empty fields for further names. */
const BLANKS = 2;

const NAMES_FIELD = "watched[]";
const MAX_NAMES = 50;

/** Forms that create a rule, one for each type. */
export async function createForms(request: PageRequest): Promise<Html> {
  if (!request.may("putFlowAction")) return html``;
  const offered = await offeredNames(request);
  return html`<h2>Create a rule</h2>
${RULE_TYPES.map((type) =>
  foldedForm(
    `For ${ruleSubject(type)}`,
    {
      act: `create-${type}`,
      content: html`${field({ name: `${type}-name`, label: "Name", fills: "name", isRequired: true }, request)}
${ruleFields(request, { type, offered: offered[type], rule: undefined })}`,
      button: "Create rule",
      label: `Create a rule for ${ruleSubject(type)}`,
    },
    request,
  ),
)}`;
}

/** Form that changes a rule. */
export async function editForm(rule: Rule, request: PageRequest): Promise<Html> {
  const offered = await offeredNames(request);
  const type = typeOf(rule);
  return foldedForm(
    "Edit this rule",
    {
      act: "edit",
      content: ruleFields(request, { type, offered: offered[type], rule }),
      button: "Save",
      label: "Edit this rule",
    },
    request,
  );
}

/** Form that mutes a rule until a day, or ends that. */
export function muteForm({ mutedUntil }: Rule, request: PageRequest): Html {
  const { form, now } = request;
  if (mutedUntil && mutedUntil > now)
    return form({ act: "unmute", button: "Unmute", label: "Unmute this rule" });
  return foldedForm(
    "Mute this rule",
    {
      act: "mute",
      content: html`<p>While the rule is muted, deliveries are listed as muted and not sent. You can redeliver each.</p>
${field({ name: "until", label: "Last day (UTC)", type: "date", fills: "muted_until", isRequired: true }, request)}`,
      button: "Mute",
      label: "Mute this rule",
    },
    request,
  );
}

interface Fields {
  readonly type: RuleType;
  readonly offered: readonly string[];
  readonly rule: Rule | undefined;
}

function ruleFields(request: PageRequest, { type, offered, rule }: Fields): Html {
  const { enteredAll } = request;
  const id = (name: string) => `${type}-${name}`;
  const triggers = enteredAll("trigger") ?? rule?.triggers ?? [];
  const typed = enteredAll(NAMES_FIELD);
  const names = [...(typed ? namesIn(typed) : watchedBy(rule)), ...Array.from({ length: BLANKS }, () => "")];
  return html`<p>Events. If you choose none, the rule sends all.</p>
${plainList(
  triggersOf(type).map((trigger) =>
    checkbox({
      name: "trigger",
      value: trigger,
      label: triggerWord(trigger),
      isChecked: triggers.includes(trigger),
    }),
  ),
)}
${
  type === "org"
    ? ""
    : html`${names.map((value, index) =>
        field(
          {
            id: id(`name-${index}`),
            name: NAMES_FIELD,
            label: `${type === "flow" ? "Flow" : "Environment"} ${index + 1}`,
            value,
            fills: `${type === "flow" ? "flows" : "environments"}[${index}]`,
            list: id("names"),
          },
          // All of these fields have one name, so each has its own value above.
          { problem: request.problem, entered: (_, own = "") => own },
        ),
      )}<datalist id="${id("names")}">${offered.map((name) => html`<option value="${name}"></option>`)}</datalist>
<p class="quiet">Without a name, the rule applies to all ${ruleSubject(type)}.</p>`
}
${
  rule === undefined
    ? ""
    : html`<p>Targets to keep:</p>
${plainList(
  rule.targets.map((target, index) =>
    checkbox({ name: "keep", value: index, label: text(targetName(target)), isChecked: true }),
  ),
)}`
}
${area(
  {
    name: id("targets"),
    label: rule === undefined ? "Targets" : "Further targets",
    fills: "targets",
    hint: "One a line: the address of a Slack webhook, a Teams workflow or a webhook, or an email address",
  },
  request,
)}`;
}

function watchedBy(rule: Rule | undefined): readonly string[] {
  return [...(rule?.flows ?? []), ...(rule?.environments ?? [])];
}

/** Kind and host, because the rest of an address is a secret. */
function targetName({ type, webhook, emails }: Target): string {
  if (emails) return emails.join(", ");
  return `${type === "SLACK" ? "Slack" : "Webhook"} at ${hostOf(webhook)}`;
}

function hostOf(webhook: string | null | undefined): string {
  return URL.parse(webhook ?? "")?.host ?? webhook ?? "an unknown address";
}

async function offeredNames({ call }: PageRequest): Promise<Readonly<Record<RuleType, readonly string[]>>> {
  const [flows, environments] = await Promise.all([
    call("listFlows", { perPage: MOST_OFFERED, sort: "latest_activity", sortDirection: "desc" }),
    call("listEnvironments", { perPage: MOST_OFFERED, sort: "last_changed_at", sortDirection: "desc" }),
  ]);
  return {
    flow: (Array.isArray(flows) ? flows : flows.data).map(({ name }) => name),
    env: (Array.isArray(environments) ? environments : environments.environments).map(({ name }) => name),
    org: [],
  };
}

function typeOf({ type }: Rule): RuleType {
  return RULE_TYPES.find((each) => each === type) ?? "flow";
}

export async function createRule(request: FormRequest, type: RuleType): Promise<void> {
  const { sent } = request;
  await put(request, {
    type,
    name: sent.get(`${type}-name`) ?? "",
    targets: newTargets(sent, type),
    triggers: sent.getAll("trigger"),
    watched: namesIn(sent.getAll(NAMES_FIELD)),
  });
}

export async function saveRule(request: FormRequest, rule: Rule): Promise<void> {
  const { sent } = request;
  const kept = new Set(sent.getAll("keep"));
  const targets = rule.targets.filter((_, index) => kept.has(String(index))).map(sameTarget);
  await put(request, {
    type: typeOf(rule),
    name: rule.name,
    targets: [...targets, ...newTargets(sent, typeOf(rule))],
    triggers: sent.getAll("trigger"),
    watched: namesIn(sent.getAll(NAMES_FIELD)),
  });
}

export async function muteRule(request: FormRequest, rule: Rule): Promise<void> {
  const until = dayEnd(request.sent, "until");
  if (until === undefined) throw invalidField("until", "Set the last day");
  if (until <= request.now) throw invalidField("until", "The last day must not be in the past");
  await putUnchanged(request, rule, until);
}

export async function unmuteRule(request: FormRequest, rule: Rule): Promise<void> {
  await putUnchanged(request, rule, null);
}

function putUnchanged(request: FormRequest, rule: Rule, mutedUntil: number | null): Promise<void> {
  const { name, triggers } = rule;
  const targets = rule.targets.map(sameTarget);
  return put(request, { type: typeOf(rule), name, targets, triggers, watched: watchedBy(rule), mutedUntil });
}

interface Written {
  readonly type: RuleType;
  readonly name: string;
  readonly targets: readonly NewTarget[];
  readonly triggers: readonly string[];
  readonly watched: readonly string[];
  readonly mutedUntil?: number | null;
}

/** The operation checks all values. */
async function put(request: FormRequest, rule: Written): Promise<void> {
  const { type, targets } = rule;
  if (targets.length === 0) throw invalidField(`${type}-targets`, "Set at least one target");
  try {
    await putChecked(request, rule);
  } catch (error) {
    throw error instanceof Invalid
      ? namingTargets(error, { targets, typed: request.sent.get(`${type}-targets`) ?? "" })
      : error;
  }
}

/** All targets are in one field, so their messages name them: what was typed, or the host of a kept one. */
function namingTargets(
  { code, message, errors = {} }: Invalid,
  { targets, typed }: { targets: readonly NewTarget[]; typed: string },
): Invalid {
  const named = Object.entries(errors).map(([path, problem]) => {
    const [, index, email] = /^targets\[(\d+)\](?:\.emails\[(\d+)\])?/.exec(path) ?? [];
    const target = targets[Number(index)];
    if (target === undefined) return [path, problem] as const;
    const { webhook, emails } = { webhook: undefined, emails: undefined, ...target };
    const address = webhook ?? emails?.[Number(email ?? 0)] ?? "";
    return [path, `'${typed.includes(address) ? address : hostOf(webhook)}': ${problem}`] as const;
  });
  return new Invalid(code, message, Object.fromEntries(named));
}

async function putChecked({ call }: FormRequest, { type, watched, ...rule }: Written): Promise<void> {
  if (type === "flow") {
    await call("putFlowAction", { body: { ...rule, flows: watched } } as unknown as GivenTo<"putFlowAction">);
  } else if (type === "env") {
    const body = { ...rule, environments: watched };
    await call("putEnvironmentAction", { body } as unknown as GivenTo<"putEnvironmentAction">);
  } else {
    await call("putOrganizationAction", { body: rule } as unknown as GivenTo<"putOrganizationAction">);
  }
}

function namesIn(fields: readonly string[]): string[] {
  const names = fields.map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ""))].slice(0, MAX_NAMES);
}

/** A target as the operation takes it, without the times that the service sets. */
function sameTarget({ type, webhook, emails, context }: Target): NewTarget {
  if (emails) return { type: "EMAIL", emails };
  const address = webhook ?? "";
  return type === "SLACK"
    ? { type, webhook: address, ...(context && { context }) }
    : { type: "WEBHOOK", webhook: address };
}

/** Email addresses together are one target. */
function newTargets(sent: URLSearchParams, type: RuleType): NewTarget[] {
  const lines = (sent.get(`${type}-targets`) ?? "").split(/\s+/).filter((line) => line !== "");
  const emails = lines.filter((line) => !line.includes("://") && line.includes("@"));
  const webhooks = lines.filter((line) => !emails.includes(line));
  return [
    ...webhooks.map((webhook): NewTarget => ({ type: isSlack(webhook) ? "SLACK" : "WEBHOOK", webhook })),
    ...(emails.length > 0 ? [{ type: "EMAIL" as const, emails }] : []),
  ];
}

function isSlack(address: string): boolean {
  return /^hooks\.slack(-gov)?\.com$/.test(URL.parse(address)?.host ?? "");
}
