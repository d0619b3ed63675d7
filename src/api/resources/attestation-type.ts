/** Types that the service defines: the facts of a tool, which no rule judges, and decisions about controls. */
export const SYSTEM_TYPES = [
  "generic",
  "junit",
  "pull_request",
  "jira",
  "sonar",
  "sarif",
  "sbom",
  "decision",
] as const;
export type SystemType = (typeof SYSTEM_TYPES)[number];

/** System types that are also written without `system:`, because no judged kind has their name. */
const SHORT_NAMES: readonly string[] = ["decision", "sbom"];

/** The type as stored: `decision` is short for `system:decision`, and `system:junit@v1` names the only version. */
export function fullType(type: string): string {
  return SHORT_NAMES.includes(type) ? `system:${type}` : type.replace(/^(system:.+)@v1$/, "$1");
}

/**
 * Whether an attestation has the required type. `*` means any type. Facts (`system:junit`) do not have the type of
 * judged results (`junit`): they are compliant even if a test failed.
 */
export function isOfType(type: string, required: string): boolean {
  return required === "*" || fullType(type) === fullType(required);
}
