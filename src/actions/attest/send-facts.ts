import type { OperationShape } from "../../api/operation.ts";
import { anySubmission } from "../../api/resources/attestation-fields.ts";
import { attestSystem } from "../../api/resources/attestation-kinds.ts";
import type { SystemType } from "../../api/resources/attestation-type.ts";
import { camelName, toWire } from "../../api/wire-names.ts";
import type { ActionContext } from "../../github/step/action.ts";
import type { FieldInputs } from "../../github/step/field-inputs.ts";
import type { Submission } from "./attestation-request.ts";

const COMMON = Object.keys(anySubmission.def.shape).map(camelName);

/** The findings of any scanner have the fields of a Snyk scan. */
const RENAMED: Readonly<Record<string, string>> = { snyk_results: "sarif_results" };

/** Sends the fields of a judged kind as facts: as the data of a system type, which no rule judges. */
export async function sendFacts(
  typeName: SystemType,
  { body: declared }: Pick<OperationShape, "body">,
  { body, ...to }: Submission["to"] & { readonly body: Submission["fields"] },
  { call }: ActionContext,
  fields: FieldInputs = {},
) {
  const isCommon = ([name]: readonly [string, unknown]) => COMMON.includes(name);
  const all = Object.entries(body);
  const own = Object.fromEntries(all.filter((entry) => !isCommon(entry)));
  const data = Object.entries(Object(declared ? toWire(declared.schema, own) : own));
  const attestationData = Object.fromEntries(data.map(([name, value]) => [RENAMED[name] ?? name, value]));
  const common = Object.fromEntries(all.filter(isCommon)) as Submission["fields"];
  const [source] = Object.values(fields);
  return call(
    attestSystem,
    { ...to, body: { ...common, typeName, attestationData } },
    source === undefined ? {} : { fields: { attestation_data: source } },
  );
}
