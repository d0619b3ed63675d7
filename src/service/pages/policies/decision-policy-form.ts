import type { AnsweredBy, GivenTo } from "../operation-calls.ts";
import type { PageRequest } from "../page.ts";
import { area, checkbox, field } from "../parts/form.ts";
import { type Html, html } from "../parts/html.ts";
import { dayOf } from "../parts/period.ts";
import { dayStart } from "../parts/time.ts";
import { invalidField } from "../refused-form.ts";

type Policy = AnsweredBy<"getDecisionPolicy">;

const FILE = "policy.rego";

/** The file that the form edits; undefined for a policy of several files. */
export function onlyFile({ files = {} }: Policy): readonly [path: string, content: string] | undefined {
  const [file, ...others] = Object.entries(files);
  return others.length === 0 ? file : undefined;
}

export function contentFields(policy: Policy | undefined, request: PageRequest): Html {
  const [path = FILE, content = ""] = (policy && onlyFile(policy)) ?? [];
  const day = policy?.effectiveFrom == null ? "" : dayOf(policy.effectiveFrom);
  return html`${field({ name: "description", label: "Description", value: policy?.description }, request)}
${area({ name: "text", label: path, hint: "Rego, with the package policy and the rule allow", value: content, fills: "files", rows: 16 }, request)}
<p>${checkbox({ name: "warn", value: "yes", label: "Denials only warn", isChecked: isWarning(policy, request) })}</p>
${field({ name: "from", label: "First day on which denials count (optional)", type: "date", fills: "effective_from", value: day }, request)}`;
}

/** A refused form sends no field for a box that is not checked. */
function isWarning(policy: Policy | undefined, { entered, enteredAll }: PageRequest): boolean {
  return enteredAll("text") === undefined ? (policy?.warnOnly ?? false) : entered("warn") === "yes";
}

/** @throws Invalid for a policy of several files, which the form would replace by one */
export function contentIn(sent: URLSearchParams, before?: Policy): GivenTo<"publishDecisionPolicy">["body"] {
  const file = before === undefined ? ([FILE, ""] as const) : onlyFile(before);
  if (file === undefined)
    throw invalidField("text", "The policy has several files: publish it on the command line");
  // Browsers end lines as Windows does.
  const content = (sent.get("text") ?? "").replaceAll("\r\n", "\n");
  if (content.trim() === "") throw invalidField("text", "Enter the policy");
  const isSameDay = before?.effectiveFrom != null && sent.get("from") === dayOf(before.effectiveFrom);
  return {
    files: { [file[0]]: content },
    description: (sent.get("description") ?? "").trim(),
    warnOnly: sent.get("warn") === "yes",
    effectiveFrom: (isSameDay ? before.effectiveFrom : dayStart(sent, "from")) ?? null,
  };
}
