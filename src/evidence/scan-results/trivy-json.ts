import { asObject, asText, type Untyped } from "../../api/untyped.ts";
import {
  lineOf,
  listOf,
  placeIn,
  type ReportedFinding,
  type ReportedRun,
  textOf,
} from "./reported-finding.ts";
import { severityOfWord } from "./severity.ts";

const TOOL = "Trivy";

/** `trivy --format json` */
export function readTrivyJson(document: Untyped): ReportedRun[] {
  const results = listOf(document, "Results");
  const version = asText(asObject(document["Trivy"])["Version"]);
  return [
    {
      tool: { name: TOOL, version },
      findings: results.flatMap(findingsOf),
      suppressed: results.reduce((sum, result) => sum + suppressedIn(result), 0),
      fault: "",
    },
  ];
}

function findingsOf(result: Untyped): ReportedFinding[] {
  // Packages of an operating system have no file.
  const target = result["Class"] === "os-pkgs" ? "" : asText(result["Target"]);
  const failed = listOf(result, "Misconfigurations").filter(
    ({ Status }) => Status !== "PASS" && !isExcepted(Status),
  );
  return [
    ...listOf(result, "Vulnerabilities").map((found) => ({
      ...finding(found, asText(found["VulnerabilityID"])),
      message: textOf(
        `${asText(found["PkgName"])} ${asText(found["InstalledVersion"])}`.trim(),
        asText(found["Title"]) || asText(found["VulnerabilityID"]),
      ),
      places: placeIn(asText(found["PkgPath"]) || target),
    })),
    ...failed.map((found) => {
      const { StartLine: first, EndLine: last } = asObject(found["CauseMetadata"]);
      return {
        ...finding(found, asText(found["ID"]) || asText(found["AVDID"])),
        message: textOf(asText(found["Title"]), asText(found["Message"])),
        places: placeIn(target, lineOf(first), lineOf(last)),
      };
    }),
    ...listOf(result, "Secrets").map((found) => ({
      ...finding(found, asText(found["RuleID"])),
      message: textOf(asText(found["Category"]), asText(found["Title"])),
      places: placeIn(target, lineOf(found["StartLine"]), lineOf(found["EndLine"])),
    })),
    ...listOf(result, "Licenses").map((found) => ({
      ...finding(found, asText(found["Name"])),
      message: textOf(asText(found["PkgName"]), `license ${asText(found["Name"])}`),
      places: placeIn(asText(found["FilePath"]) || target),
    })),
  ];
}

function finding(found: Untyped, ruleId: string) {
  return { severity: severityOfWord(asText(found["Severity"])) ?? "none", ruleId, tool: TOOL };
}

function isExcepted(status: unknown): boolean {
  return status === "EXCEPTION";
}

/** Exceptions and VEX documents; Trivy lists their findings with --show-suppressed. */
function suppressedIn(result: Untyped): number {
  const excepted = listOf(result, "Misconfigurations").filter(({ Status }) => isExcepted(Status));
  return listOf(result, "ExperimentalModifiedFindings").length + excepted.length;
}
