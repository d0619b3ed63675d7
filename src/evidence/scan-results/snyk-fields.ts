import type * as z from "zod/mini";
import type { snykSubmission } from "../../api/resources/attestation-kinds.ts";
import type { Camel } from "../../api/wire-names.ts";
import type { ScanFinding, ScanResults, ScanRun } from "./scan-results.ts";
import type { Severity } from "./severity.ts";

type SnykSubmission = Camel<z.input<typeof snykSubmission>>;
type SnykResults = SnykSubmission["snykResults"];
type SnykProject = SnykResults["results"][number];
type SnykIssue = NonNullable<SnykProject["high"]>[number];

/** The finding for a run that proves nothing. */
const NOT_COMPLETED = "scan-not-completed";

/**
 * `snyk_results` of a `snyk` attestation. Critical findings count as high, and those without severity are omitted,
 * because the interface has neither. An incomplete run counts as one high finding: without any, the scan would be
 * compliant.
 */
export function snykResults({ runs }: ScanResults): SnykResults {
  const tools = new Map(runs.map(({ tool }) => [`${tool.name}\n${tool.version}`, tool]));
  const joined = (values: readonly string[]) => [...new Set(values.filter(Boolean))].join(", ");
  return {
    schemaVersion: 1,
    tool: {
      name: joined([...tools.values()].map(({ name }) => name)),
      version: joined([...tools.values()].map(({ version }) => version)),
    },
    results: runs.map(projectOf),
  };
}

function projectOf({ counts, findings, fault }: ScanRun): SnykProject {
  const faults = fault === "" ? [] : [{ id: NOT_COMPLETED, message: fault, locations: [] }];
  return {
    lowCount: counts.low,
    mediumCount: counts.medium,
    highCount: counts.high + counts.critical + faults.length,
    low: issuesOf(findings, "low"),
    medium: issuesOf(findings, "medium"),
    high: [...faults, ...issuesOf(findings, "critical", "high")],
  };
}

function issuesOf(findings: readonly ScanFinding[], ...severities: readonly Severity[]): SnykIssue[] {
  return findings
    .filter(({ severity }) => severities.includes(severity))
    .map(({ ruleId, message, places, priorityScore }) => ({
      id: ruleId,
      message,
      locations: places.map(({ uri, lines }) => ({ uri, lines })),
      ...(priorityScore !== undefined && { priorityScore }),
    }));
}
