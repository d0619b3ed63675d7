import type { AttestationRecord } from "../../../api/resources/attestation-record.ts";
import { ifFound } from "../operation-calls.ts";
import type { PageRequest } from "../page.ts";
import { data, facts } from "../parts/blocks.ts";
import { html, text, visible } from "../parts/html.ts";
import { linkIf } from "../parts/links.ts";
import { type Table, table } from "../parts/table.ts";
import { badge } from "../parts/verdict.ts";
import type { ShowKind } from "./kind.ts";

export const custom: ShowKind = async (record, request) => {
  const { typeName, typeVersion, attestationData, evaluationError } = record;
  const { to, mayOpen } = request;
  const rules = await rulesOf(record, request);
  const name = typeName ?? "";
  const isAllowed = mayOpen("getCustomAttestationType");
  const type = linkIf(isAllowed, to.page("attestation-types", name), name);
  return {
    sentence: sentence(record, rules),
    tables: rules.length === 0 ? [] : [ruleTable(rules, request)],
    more: html`${facts([
      ["Type", name === "" ? "" : html`${type}, version ${typeVersion ?? "unknown"}`],
      ["Evaluation error", evaluationError ? text(evaluationError) : ""],
    ])}${data("Evaluated data", attestationData)}`,
  };
};

type Rule = Awaited<ReturnType<typeof rulesOf>>[number];

async function rulesOf(
  { typeName, typeVersion, ruleResults, evaluationError }: AttestationRecord,
  { call, may }: PageRequest,
) {
  if (!typeName || !may("getCustomAttestationType")) return [];
  const type = await ifFound(call("getCustomAttestationType", { customAttestationTypeName: typeName }));
  const version = (type?.versions ?? []).find((each) => each.version === typeVersion);
  return (version?.evaluator?.rules ?? []).map((expression, index) => ({
    number: index + 1,
    expression,
    holds: ruleResults?.[index],
    isBroken: Boolean(evaluationError) && ruleResults?.length === index,
  }));
}

/** `rule 2 of 3 is false` */
function sentence(
  { evaluationError, isCompliant }: Pick<AttestationRecord, "evaluationError" | "isCompliant">,
  rules: readonly Rule[],
): string {
  const broken = rules.filter(({ holds }) => holds === false).map(({ number }) => number);
  if (evaluationError) return `the evaluation failed: ${visible(evaluationError)}`;
  if (broken.length > 0) {
    const [named, are] = broken.length === 1 ? ["rule", "is"] : ["rules", "are"];
    return `${named} ${broken.join(", ")} of ${rules.length} ${are} false`;
  }
  if (rules.length === 0) return `the data ${isCompliant ? "passed" : "failed"}`;
  if (isCompliant) return rules.length === 1 ? "the rule is true" : `all ${rules.length} rules are true`;
  return "one of the rules is false";
}

function ruleTable(rules: readonly Rule[], request: PageRequest): Table {
  return table<Rule>(request, {
    id: "rules",
    caption: "Rules of the type",
    columns: {
      Rule: ({ number }) => number,
      Result: (rule) => ({ html: badge(resultOf(rule), toneOf(rule)), csv: resultOf(rule) }),
      Expression: ({ expression }) => ({ html: html`<code>${visible(expression)}</code>`, csv: expression }),
    },
    rows: rules,
    empty: "",
  });
}

function resultOf({ holds, isBroken }: Rule): string {
  if (isBroken) return "error";
  return holds === undefined ? "unknown" : String(holds);
}

function toneOf({ holds, isBroken }: Rule) {
  if (isBroken) return "fail";
  return holds === undefined ? "unknown" : holds ? "ok" : "fail";
}
