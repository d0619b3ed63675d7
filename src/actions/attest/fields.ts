import type { FieldInputs } from "../../github/step/field-inputs.ts";

export const FIELDS: FieldInputs = {
  flow_name: "flow",
  trail_name: "trail",
  attestation_name: "name",
  template_reference_name: "name",
  artifact_fingerprint: "fingerprint",
  filename: "artifact",
  is_compliant: "compliant",
  git_commit_info: "commit",
  git_commit: "commit",
  commit_url: "commit",
  build_url: "origin-url",
  data_json: "user-data",
  ...Object.fromEntries(
    [
      "jira_results",
      "sonar_results",
      "attestation_data",
      "reason",
      "original_attestation_type",
      "new_compliance_status",
    ].map((field) => [field, { within: "data" }]),
  ),
};
