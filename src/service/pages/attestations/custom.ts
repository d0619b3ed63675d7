import type { AttestationRecord } from "../../../api/resources/attestation-record.ts";
import { found } from "../ask.ts";
import type { PageRequest } from "../page.ts";
import { data, facts } from "../parts/blocks.ts";
import { html, text, visible } from "../parts/html.ts";
import { linkIf } from "../parts/links.ts";
import { type Table, table } from "../parts/table.ts";
import { badge } from "../parts/verdict.ts";
import type { ShowKind } from "./kind.ts";

export const custom: ShowKind = async (record, request) => {
  const { typeName, typeVersion, attestationData, evaluationError } = record;
  const { to, viewer, may } = request;
  const rules = await rulesOf(record, request);
  const name = typeName ?? "";
  const isAllowed = may("getCustomAttestationType") && viewer.kind !== "share";
  const type = linkIf(isAllowed, to.page("attestation-types", name), name);
  return {
    sentence: sentence(record, rules),
    tables: rules.length === 0 ? [] : [ruleTable(rules, request)],
    more: html`${facts([
      ["Judged by", name === "" ? "" : html`${type}, version ${typeVersion ?? "unknown"}`],
      ["Why there is no verdict", evaluationError ? text(evaluationError) : ""],
    ])}${data("Data that was judged", attestationData)}`,
  };
};

type Rule = Awaited<ReturnType<typeof rulesOf>>[number];

async function rulesOf(
  { typeName, typeVersion, ruleResults, evaluationError }: AttestationRecord,
  { ask, may }: PageRequest,
) {
  if (!typeName || !may("getCustomAttestationType")) return [];
  const type = await found(ask("getCustomAttestationType", { customAttestationTypeName: typeName }));
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
  if (evaluationError) return `its type could not judge it: ${visible(evaluationError)}`;
  if (broken.length > 0) {
    const [named, are] = broken.length === 1 ? ["rule", "is"] : ["rules", "are"];
    return `${named} ${broken.join(", ")} of ${rules.length} ${are} false`;
  }
  if (rules.length === 0) return `its type says ${isCompliant ? "yes" : "no"}`;
  if (isCompliant) return rules.length === 1 ? "its rule is true" : `all ${rules.length} rules are true`;
  return "one of its rules is false";
}

function ruleTable(rules: readonly Rule[], request: PageRequest): Table {
  return table<Rule>(request, {
    id: "rules",
    caption: "Rules of its type",
    columns: {
      Rule: ({ number }) => number,
      Gave: (rule) => ({ html: badge(gaveOf(rule).toUpperCase(), toneOf(rule)), csv: gaveOf(rule) }),
      Expression: ({ expression }) => ({ html: html`<code>${visible(expression)}</code>`, csv: expression }),
    },
    rows: rules,
    empty: "",
  });
}

function gaveOf({ holds, isBroken }: Rule): string {
  if (isBroken) return "no verdict";
  return holds === undefined ? "not known" : String(holds);
}

function toneOf({ holds, isBroken }: Rule) {
  if (isBroken) return "fail";
  return holds === undefined ? "unknown" : holds ? "ok" : "fail";
}
