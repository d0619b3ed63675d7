import type { RequestOf } from "../../../api/operation.ts";
import { attestSonar } from "../../../api/resources/attestation-kinds.ts";
import type { Table } from "../../../github/step/summary.ts";
import type { Recorder } from "../attestation-request.ts";
import { dataOf } from "../data.ts";
import type { RemoteEssentials } from "../remote-inputs.ts";
import { prepareSubmission, submit } from "../submission.ts";

/** Records a Sonar analysis, read from Sonar or from its webhook's payload. */
export const recordSonar: Recorder<RemoteEssentials<"sonar">> = async (attestation, context) => {
  const { values, origin } = attestation;
  const isGiven = values.data !== undefined;
  const { sonarResults } = isGiven
    ? await dataOf(values.data, attestSonar, "sonar_results", context)
    : { sonarResults: await (await import("../ask-sonar.ts")).askSonar(values, origin, context) };
  const { to, fields, attachments, tables } = await prepareSubmission(attestation, context);
  const inputs = { sonar_results: { within: isGiven ? "data" : "sonar-url" } };
  const request = { ...to, body: { ...fields, sonarResults } };
  const reply = await submit(attestSonar, request, attestation, context, inputs);
  const status = sonarResults.qualityGate?.status;
  const conditions = sonarResults.qualityGate?.conditions ?? [];
  return {
    reply,
    attachments,
    compliant: status === "OK",
    reason: status === "OK" ? "" : `the quality gate is ${status ?? "not part of the analysis"}`,
    tables: [...(conditions.length > 0 ? [tableOf(conditions)] : []), ...tables],
  };
};

type Results = RequestOf<typeof attestSonar>["body"]["sonarResults"];
type Condition = NonNullable<NonNullable<Results["qualityGate"]>["conditions"]>[number];

/** Failed conditions come first. */
function tableOf(conditions: readonly Condition[]): Table {
  const met = ({ status }: Condition) => Number(status === "OK");
  return {
    columns: ["Quality gate", "Value", "Fails when", "Status"],
    rows: conditions
      .toSorted((a, b) => met(a) - met(b))
      .map(({ metric, value, operator, errorThreshold, status }) => [
        metric,
        value ?? "",
        `${operator} ${errorThreshold}`,
        status,
      ]),
  };
}
