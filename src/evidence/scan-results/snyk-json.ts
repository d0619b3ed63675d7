import { asObject, asText, isObject, type Untyped } from "../../api/untyped.ts";
import { ReportFault } from "../report-fault.ts";
import { placeIn, type ReportedFinding, type ReportedRun } from "./reported-finding.ts";
import { lineOf, listOf, textOf } from "./scanner-json.ts";
import { severityOfWord } from "./severity.ts";

const TOOL = "Snyk";

/** Reads what `snyk … --json` writes: an object for one project, or a list of them. */
export function readSnykJson(document: unknown): ReportedRun[] {
  const projects: readonly unknown[] = Array.isArray(document) ? document : [document];
  return projects.flatMap((project) => {
    if (!isObject(project)) throw new ReportFault("is not whole: a project is not an object");
    // The packages that a container's image holds beside those of its system.
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
    suppressed: issues.length - open.length + ignoredIn(asObject(project["filtered"])),
    fault: error === "" ? "" : `the scan by Snyk did not succeed: ${error}`.slice(0, 300),
  };
}

/** A vulnerability is listed once for each path that leads to its package, and Snyk counts it once. */
function firstPaths(listed: readonly Untyped[]): Untyped[] {
  return [...new Map(listed.toReversed().map((found) => [asText(found["id"]), found])).values()].toReversed();
}

function ignoredIn(filtered: Untyped): number {
  return firstPaths(listOf(filtered, "ignore")).length;
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
