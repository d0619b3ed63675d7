import { html } from "hono/html";
import { failuresOf } from "../../../api/resources/assert-failures.ts";
import type { Assertion } from "../../../api/resources/asserts.ts";
import { Invalid, Refusal } from "../../kernel/errors.ts";
import type { Html } from "../html.ts";
import type { PageRequest } from "../page.ts";
import { choice, field, filter } from "../parts/field.ts";
import { text } from "../parts/text.ts";
import { time } from "../parts/time.ts";
import { verdict } from "../parts/verdict.ts";

/** Environments to choose from; with more of them the name is typed. */
const CHOICES = 50;

/** What an artifact is to be judged by, as the address says. */
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

/** Asks whether an artifact may run in an environment, or satisfies policies: with the answer and its reasons. */
export async function assertBox(
  fingerprint: string,
  { ask, may, query }: Pick<PageRequest, "ask" | "may" | "query">,
): Promise<Html> {
  const question = questionIn(query);
  const [environments, policies, answer] = await Promise.all([
    ask("listEnvironments", { page: 1, perPage: CHOICES }),
    may("listPolicies") ? ask("listPolicies", {}) : [],
    answerTo(fingerprint, question, ask),
  ]);
  const isAll = Array.isArray(environments) || environments.totalPages <= 1;
  const listed = Array.isArray(environments) ? environments : environments.environments;
  const names = listed.map(({ name }) => name);
  const shape = { name: "environment", label: "Environment", value: question.environment };
  return html`${filter(
    html`${isAll ? choice({ ...shape, options: [["", "None"], ...names.map((name) => [name, name] as const)] }) : field(shape)}
${
  policies.length === 0
    ? ""
    : html`<fieldset class="choices"><legend>Or policies</legend>${policies.map(
        ({ name }) =>
          html`<label><input type="checkbox" name="policy" value="${name}"${question.policies.includes(name) ? html` checked` : ""}> ${text(name)}</label>
`,
      )}</fieldset>`
}`,
    "Assert the artifact",
  )}
${answer}`;
}

async function answerTo(
  fingerprint: string,
  { environment, policies }: Question,
  ask: PageRequest["ask"],
): Promise<Html> {
  if (environment === "" && policies.length === 0) {
    return html`<p>Choose an environment, or policies, to see whether the artifact may go there.</p>`;
  }
  const given = {
    fingerprint,
    ...(environment === "" ? {} : { environmentName: environment }),
    ...(policies.length === 0 ? {} : { policyName: [...policies] }),
  };
  try {
    return reasonsOf(await ask("assertArtifact", given));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const problems = error instanceof Invalid ? Object.values(error.errors ?? {}) : [];
    return html`<div class="alert" role="alert" tabindex="-1"><p>${[error.message, ...problems].join(": ")}</p></div>`;
  }
}

function reasonsOf(assertion: Assertion): Html {
  const { compliant, scope, environment, policyEvaluations, allowListing } = assertion;
  const held = policyEvaluations ?? [];
  const by =
    scope === "environment"
      ? html`in ${text(environment)}${held.length === 0 ? ", which has no policies: its flows decide" : ""}`
      : "by these policies";
  return html`<p class="lead" id="asserted">${verdict(compliant ? "COMPLIANT" : "NON-COMPLIANT")} ${by}</p>
${allowListing ? html`<p>It is allowed there whatever the policies say, since ${time(allowListing.timestamp)}, by ${text(allowListing.allowedByUserId)}: ${text(allowListing.description)}</p>` : ""}
${compliant ? "" : html`<ul>${failuresOf(assertion).map(({ text: reason }) => html`<li>${text(reason)}</li>`)}</ul>`}
${
  held.length === 0
    ? ""
    : html`<ul>${held.map(
        ({ policyName, policyVersion, status }) =>
          html`<li>${verdict(status === "COMPLIANT" ? "COMPLIANT" : "NON-COMPLIANT")} ${text(policyName)}${policyVersion === undefined ? "" : `, version ${policyVersion}`}</li>`,
      )}</ul>`
}`;
}
