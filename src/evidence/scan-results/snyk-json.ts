import { asObject } from "../../api/untyped.ts";

/** Whether a document is what `snyk … --json` writes: an object for one project, or a list of them. */
export function isSnykJson(document: unknown): boolean {
  const { ok, vulnerabilities, infrastructureAsCodeIssues, error } = asObject(
    Array.isArray(document) ? document[0] : document,
  );
  const holdsResults = Array.isArray(vulnerabilities) || Array.isArray(infrastructureAsCodeIssues);
  return typeof ok === "boolean" && (holdsResults || typeof error === "string");
}
