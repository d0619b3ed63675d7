import { asObject, asObjects, asText, type Untyped } from "../../api/untyped.ts";
import { listOf, placeIn, type ReportedRun, textOf } from "./reported-finding.ts";
import { severityOfWord } from "./severity.ts";

const TOOL = "grype";

/** Reads the output of `grype --output json`. */
export function readGrypeJson(document: Untyped): ReportedRun[] {
  const version = asText(asObject(document["descriptor"])["version"]);
  const findings = listOf(document, "matches").map((match) => {
    const { id, severity, description } = asObject(match["vulnerability"]);
    const artifact = asObject(match["artifact"]);
    const [location] = asObjects(artifact["locations"]);
    return {
      severity: severityOfWord(asText(severity)) ?? "none",
      ruleId: asText(id),
      message: textOf(
        `${asText(artifact["name"])} ${asText(artifact["version"])}`.trim(),
        asText(description) || asText(id),
      ),
      tool: TOOL,
      places: placeIn(asText(location?.["path"])),
    };
  });
  const suppressed = listOf(document, "ignoredMatches").length;
  return [{ tool: { name: TOOL, version }, findings, suppressed, fault: "" }];
}
