import { fieldsIn } from "../kernel/json-column.ts";

/** Fields of facts that their record shows like the record of the judged kind. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  "system:junit": ["junit_results"],
  "system:pull_request": ["git_provider", "pull_requests"],
  "system:jira": ["jira_results"],
  "system:sonar": ["sonar_results"],
  "system:sarif": ["sarif_results"],
};

/**
 * Results of an attestation by their names in its record, from its details in wire names. Those of facts are stored
 * within the data of their type.
 */
export function resultsIn(type: string, details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = SHOWN[type];
  if (names === undefined) return { ...details };
  const data = fieldsIn(details["attestation_data"]);
  const shown = names.filter((name) => name in data).map((name) => [name, data[name]]);
  return { ...details, ...Object.fromEntries(shown), ...withGate(data["sonar_results"]) };
}

/** Policies written for other services read `quality_gate`, and Sonar writes `qualityGate`. */
function withGate(results: unknown) {
  const { qualityGate: quality_gate, ...others } = fieldsIn(results);
  if (quality_gate === undefined) return {};
  return { sonar_results: { ...others, qualityGate: quality_gate, quality_gate } };
}
