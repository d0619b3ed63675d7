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

const TOOL = "Snyk";

/** `snyk … --json`: an object for one project, or a list of them. */
export function readSnykJson(document: unknown): ReportedRun[] {
  const projects: readonly unknown[] = Array.isArray(document) ? document : [document];
  return projects.flatMap((project) => {
    if (!isObject(project)) throw new ReportFault("is incomplete: a project is not an object");
    // Applications in a container image, next to its system packages.
    return [project, ...listOf(project, "applications")].map(runOf);
  });
}

function runOf(project: Untyped): ReportedRun {
  const error = asText(project["error"]);
  const issues = listOf(project, "infrastructureAsCodeIssues");
  const open = issues.filter(({ isIgnored }) => isIgnored !== true);
  const file = asText(project["displayTargetFile"]) || asText(project["targetFile"]);
  return {
    tool: { name: TOOL, version: "" },
    findings: [
      ...firstPaths(listOf(project, "vulnerabilities")).map((found) => findingOf(found, file)),
      ...open.map((found) => findingOf(found, file)),
    ],
    suppressed:
      issues.length - open.length + firstPaths(listOf(asObject(project["filtered"]), "ignore")).length,
    fault: error === "" ? "" : `the scan by Snyk did not succeed: ${error}`.slice(0, 300),
  };
}

/** Snyk lists a vulnerability for each path to its package, but counts it once. */
function firstPaths(listed: readonly Untyped[]): Untyped[] {
  return [...new Map(listed.toReversed().map((found) => [asText(found["id"]), found])).values()].toReversed();
}

function findingOf(found: Untyped, file: string): ReportedFinding {
  const name = asText(found["packageName"]);
  const version = asText(found["version"]);
  const { priorityScore } = found;
  return {
    severity: severityOfWord(asText(found["severity"])) ?? "none",
    ruleId: asText(found["id"]),
    message: textOf(version === "" ? name : `${name}@${version}`, asText(found["title"])),
    tool: TOOL,
    places: placeIn(file, lineOf(found["lineNumber"])),
    ...(typeof priorityScore === "number" && { priorityScore }),
  };
}
