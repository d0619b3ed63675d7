import { asObject, asText, isObject, type Untyped } from "../../api/untyped.ts";
import { ReportFault } from "../report-fault.ts";
import {
  lineOf,
  listOf,
  placeIn,
  type ReportedFinding,
  type ReportedRun,
  textOf,
} from "./reported-finding.ts";
import { severityOfWord } from "./severity.ts";

const TOOL = "Checkov";

/** `checkov --output json`: an object for one framework, or a list of them. */
export function readCheckovJson(document: unknown): ReportedRun[] {
  const frameworks: readonly unknown[] = Array.isArray(document) ? document : [document];
  return frameworks.map((framework) => {
    if (!isObject(framework)) throw new ReportFault("is incomplete: a framework is not an object");
    const summary = asObject(framework["summary"]);
    const results = asObject(framework["results"]);
    const findings = listOf(results, "failed_checks").map(findingOf);
    const { failed } = summary;
    // --compact and --quiet still list failures.
    if (typeof failed === "number" && failed > findings.length)
      throw new ReportFault(`is incomplete: it counts ${failed} failed checks but lists ${findings.length}`);
    const version = asText(summary["checkov_version"]) || asText(framework["checkov_version"]);
    const suppressed = listOf(results, "skipped_checks").length;
    return { tool: { name: TOOL, version }, findings, suppressed, fault: "" };
  });
}

/** Without a platform key, Checkov has no severities, and its SARIF reports each finding as an error. */
function findingOf(check: Untyped): ReportedFinding {
  const range: unknown = check["file_line_range"];
  const [first, last] = Array.isArray(range) ? range : [];
  const path = asText(check["repo_file_path"]) || asText(check["file_path"]);
  return {
    severity: severityOfWord(asText(check["severity"])) ?? "high",
    ruleId: asText(check["check_id"]),
    message: textOf(asText(check["resource"]), asText(check["check_name"])),
    tool: TOOL,
    places: placeIn(path, lineOf(first), lineOf(last)),
  };
}
