import { html } from "hono/html";
import type { AttestationRecord } from "../../../api/resources/attestation-record.ts";
import { NotFound } from "../../kernel/errors.ts";
import type { PageRequest } from "../page.ts";
import { data } from "../parts/data.ts";
import { facts } from "../parts/facts.ts";
import { leads } from "../parts/leads.ts";
import { type Table, table } from "../parts/table.ts";
import { text, visible } from "../parts/text.ts";
import { badge } from "../parts/verdict.ts";
import type { ShowKind } from "./kind.ts";

/** Data that the rules of its type judged, each rule with what it gave. */
export const custom: ShowKind = async (record, request) => {
  const { typeName, typeVersion, attestationData, evaluationError } = record;
  const { to, viewer, may } = request;
  const rules = await rulesOf(record, request);
  const name = typeName ?? "";
  const asked = may("getCustomAttestationType")
    ? leads(viewer)(to.page("attestation-types", name), name)
    : text(name);
  return {
    sentence: sentence(record, rules),
    tables: rules.length === 0 ? [] : [ruleTable(rules, request)],
    more: html`${facts([
      ["Judged by", name === "" ? "" : html`${asked}, version ${typeVersion ?? "unknown"}`],
      ["Why there is no verdict", evaluationError ? text(evaluationError) : ""],
    ])}${data("Data that was judged", attestationData)}`,
  };
};

interface Rule {
  readonly number: number;
  readonly expression: string;
  /** What it gave; undefined where nobody knows. */
  readonly holds: boolean | undefined;
  /** Whether it is the one that gave no verdict. */
  readonly isBroken: boolean;
}

/** The rules of the version that judged the data, for who may see them. */
async function rulesOf(
  { typeName, typeVersion, ruleResults, evaluationError }: AttestationRecord,
  { ask, may }: Pick<PageRequest, "ask" | "may">,
): Promise<readonly Rule[]> {
  if (!typeName || !may("getCustomAttestationType")) return [];
  try {
    const { versions } = await ask("getCustomAttestationType", { customAttestationTypeName: typeName });
    const judge = (versions ?? []).find(({ version }) => version === typeVersion);
    return (judge?.evaluator?.rules ?? []).map((expression, index) => ({
      number: index + 1,
      expression,
      holds: ruleResults?.[index],
      isBroken: Boolean(evaluationError) && ruleResults?.length === index,
    }));
  } catch (error) {
    if (error instanceof NotFound) return [];
    throw error;
  }
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

function ruleTable(rules: readonly Rule[], { here }: Pick<PageRequest, "here">): Table {
  return table<Rule>({
    id: "rules",
    caption: "Rules of its type",
    columns: [
      { head: "Rule", cell: ({ number }) => number, csv: ({ number }) => number },
      {
        head: "Gave",
        cell: (rule) => badge(gaveOf(rule).toUpperCase(), toneOf(rule)),
        csv: gaveOf,
      },
      {
        head: "Expression",
        cell: ({ expression }) => html`<code>${visible(expression)}</code>`,
        csv: ({ expression }) => expression,
      },
    ],
    rows: rules,
    empty: html``,
    here,
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
