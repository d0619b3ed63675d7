import { failuresOf } from "../../../api/resources/assert-failures.ts";
import type { Assertion } from "../../../api/resources/asserts.ts";
import { Refusal } from "../../kernel/errors.ts";
import type { PageRequest } from "../page.ts";
import { checkbox, choice, field, questionForm, refusalAlert } from "../parts/form.ts";
import { type Html, html, shortText, text } from "../parts/html.ts";
import { time } from "../parts/time.ts";
import { verdict } from "../parts/verdict.ts";

/** Maximum number of environments in the list. With more, the user types the name. */
const CHOICES = 50;

/** The environment or policies in the address, against which an artifact is evaluated. */
export interface Question {
  readonly environment: string;
  readonly policies: readonly string[];
}

export function questionIn(query: URLSearchParams): Question {
  return {
    environment: query.get("environment") ?? "",
    policies: query.getAll("policy").filter((name) => name !== ""),
  };
}

export async function assertBox(fingerprint: string, { call, may, query }: PageRequest): Promise<Html> {
  const question = questionIn(query);
  const [environments, policies, answer] = await Promise.all([
    call("listEnvironments", { page: 1, perPage: CHOICES }),
    may("listPolicies") ? call("listPolicies", {}) : [],
    answerTo(fingerprint, question, call),
  ]);
  const isAll = Array.isArray(environments) || environments.totalPages <= 1;
  const listed = Array.isArray(environments) ? environments : environments.environments;
  const names = listed.map(({ name }) => name);
  const shape = { name: "environment", label: "Environment", value: question.environment };
  return html`${questionForm(
    html`${isAll ? choice({ ...shape, options: [["", "None"], ...names.map((name) => [name, name] as const)] }) : field(shape)}
${
  policies.length === 0
    ? ""
    : html`<fieldset class="choices"><legend>Or policies</legend>${policies.map(({ name }) =>
        checkbox({
          name: "policy",
          value: name,
          label: text(name),
          isChecked: question.policies.includes(name),
        }),
      )}</fieldset>`
}`,
    "Check the artifact",
    "Check",
  )}
${answer}`;
}

async function answerTo(
  fingerprint: string,
  { environment, policies }: Question,
  call: PageRequest["call"],
): Promise<Html> {
  if (environment === "" && policies.length === 0) {
    return html`<p>Choose an environment or policies to check the artifact against.</p>`;
  }
  const given = {
    fingerprint,
    ...(environment === "" ? {} : { environmentName: environment }),
    ...(policies.length === 0 ? {} : { policyName: [...policies] }),
  };
  try {
    return reasonsOf(await call("assertArtifact", given));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refusalAlert(error);
  }
}

function reasonsOf(assertion: Assertion): Html {
  const { compliant, scope, environment, policyEvaluations, allowListing } = assertion;
  const held = policyEvaluations ?? [];
  const by =
    scope === "environment"
      ? html`in ${text(environment)}${held.length === 0 ? ", which has no policies, so its flows decide" : ""}`
      : "by these policies";
  return html`<p class="lead" id="asserted">${verdict(compliant ? "COMPLIANT" : "NON-COMPLIANT")} ${by}</p>
${allowListing ? html`<p>The allowlist of the environment overrides the policies. Allowed ${time(allowListing.timestamp)}, by ${text(allowListing.allowedByUserId)}: ${text(allowListing.description)}</p>` : ""}
${compliant ? "" : html`<ul>${failuresOf(assertion).map(({ text: reason }) => html`<li>${shortText(reason)}</li>`)}</ul>`}
${
  held.length === 0
    ? ""
    : html`<ul>${held.map(
        ({ policyName, policyVersion, status }) =>
          html`<li>${verdict(status === "COMPLIANT" ? "COMPLIANT" : "NON-COMPLIANT")} ${text(policyName)}${policyVersion === undefined ? "" : `, version ${policyVersion}`}</li>`,
      )}</ul>`
}`;
}
