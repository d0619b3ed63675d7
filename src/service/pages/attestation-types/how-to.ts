/** How to make a type of attestation. */
export const TYPE_HOW_TO = {
  title: "Make a type, or a new version of it",
  code: `npx delivery-evidence call createCustomAttestationType type_schema=coverage.schema.json --body - <<'BODY'
name: coverage
description: enough of the code is tested
evaluator:
  content_type: jq
  rules: [".percent >= 80"]
BODY`,
};
