import { COMPLIANT_HEADER } from "../../api/resources/attestation-fields.ts";
import { TEMPLATE_MATCH_HEADER } from "../../api/resources/template-match.ts";
import { FLOW_CREATED_HEADER } from "../../api/submission.ts";

/** What the headers of successful answers say, by their names. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  [COMPLIANT_HEADER]: "Whether the attestation is compliant, as the service judges it: `true` or `false`.",
  [FLOW_CREATED_HEADER]: "Whether the flow did not exist and was created by this request: `true` or `false`.",
  [TEMPLATE_MATCH_HEADER]: [
    "Whether the template of the trail asks for what was recorded, as a form:",
    "`result=met`; `result=nothing-asked` when it asks for nothing of the sort;",
    "or `result=unmet` and the nearest that it does ask for:",
    "`artifact` for an artifact, `attestation`, `type` and, when it is about one, `artifact` for an attestation.",
  ].join(" "),
};

/** Headers as a response of the description has them. */
export function describeHeaders(names: readonly string[]): Record<string, object> {
  const described = names.map((name) => {
    const description = DESCRIPTIONS[name];
    return [name, { ...(description && { description }), schema: { type: "string" } }] as const;
  });
  return Object.fromEntries(described);
}
