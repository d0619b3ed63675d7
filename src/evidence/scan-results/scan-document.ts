import { asObject, asText, isObject, type Untyped } from "../../api/untyped.ts";
import { findJsonFault } from "../json-syntax.ts";
import { ReportFault } from "../report-fault.ts";
import type { ReportedRun } from "./reported-finding.ts";
import { readSarif } from "./sarif.ts";

/**
 * SARIF 2.1.0, or the JSON of Trivy, Grype, Snyk or Checkov, whose readers load on demand.
 *
 * @throws ReportFault if the text is none of these, or incomplete
 */
export async function parseScan(text: string): Promise<ReportedRun[]> {
  const document = parse(text);
  const first = asObject(Array.isArray(document) ? document[0] : document);
  if ("runs" in first) return readSarif(document);
  if ("SchemaVersion" in first && "ArtifactName" in first)
    return (await import("./trivy-json.ts")).readTrivyJson(first);
  if ("matches" in first && "descriptor" in first)
    return (await import("./grype-json.ts")).readGrypeJson(first);
  if (isSnykJson(first)) return (await import("./snyk-json.ts")).readSnykJson(document);
  if ("check_type" in first || "checkov_version" in first)
    return (await import("./checkov-json.ts")).readCheckovJson(document);
  const known = OTHERS.find(({ is }) => is(first));
  if (known === undefined) return readSarif(document);
  throw new ReportFault(`is ${known.format}, which is not supported: ${known.advice}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (text.trim() === "") throw new ReportFault("is empty");
    const { problem, ...position } = findJsonFault(text) ?? { problem: "is not JSON", line: 1, column: 1 };
    throw new ReportFault(`is not SARIF: the JSON ${problem}`, position);
  }
}

function isSnykJson({ ok, vulnerabilities, infrastructureAsCodeIssues, error }: Untyped): boolean {
  const hasResults = Array.isArray(vulnerabilities) || Array.isArray(infrastructureAsCodeIssues);
  return typeof ok === "boolean" && (hasResults || typeof error === "string");
}

/** Unsupported documents, and alternatives. */
const OTHERS: readonly { format: string; is(document: Untyped): boolean; advice: string }[] = [
  {
    format: "OpenVEX",
    is: (document) => asText(document["@context"]).includes("openvex.dev/"),
    advice: "give the document to the scanner instead, for example with `trivy --vex` or `grype --vex`",
  },
  {
    format: "an SBOM",
    is: (document) => "bomFormat" in document || "spdxVersion" in document,
    advice: "attest it with `kind: sbom`, or let a scanner read it and write SARIF",
  },
  {
    format: "Semgrep's JSON",
    is: ({ results, paths, errors }) => Array.isArray(results) && isObject(paths) && Array.isArray(errors),
    advice: "let `semgrep scan --sarif --output scan.sarif` write the file",
  },
  {
    format: "Bandit's JSON",
    is: ({ results, metrics, errors }) =>
      Array.isArray(results) && isObject(metrics) && Array.isArray(errors),
    advice: "let `bandit --format sarif --output scan.sarif` write the file",
  },
  {
    format: "gosec's JSON",
    is: (document) => "Issues" in document && "Stats" in document,
    advice: "let `gosec -fmt sarif -out scan.sarif` write the file",
  },
  {
    format: "OSV-Scanner's JSON",
    is: (document) => "experimental_config" in document || "experimental_analysis" in document,
    advice: "let `osv-scanner --format sarif --output scan.sarif` write the file",
  },
  {
    format: "OWASP Dependency-Check's JSON",
    is: (document) => "reportSchema" in document && "scanInfo" in document,
    advice: "let `dependency-check --format SARIF` write the file",
  },
];
