import { asObject, asObjects, asText, isObject, type Untyped } from "../../api/untyped.ts";
import { ReportFault } from "../report-fault.ts";
import {
  lineOf,
  linesText,
  type ReportedFinding,
  type ReportedPlace,
  type ReportedRun,
} from "./reported-finding.ts";
import { type FoundRule, messageOf, SarifRules } from "./sarif-rules.ts";
import type { ScanTool } from "./scan-results.ts";
import { type Severity, severityOfLevel, severityOfScore } from "./severity.ts";

const VERSION = "2.1.0";
const MAX_RULE_CHARACTERS = 300;

/**
 * The runs of a SARIF 2.1.0 log, without results that passed or are gone since the baseline.
 *
 * @throws ReportFault for any other document
 */
export function readSarif(log: unknown): ReportedRun[] {
  if (!isObject(log) || !("version" in log) || !("runs" in log)) {
    throw new ReportFault(
      "is not SARIF, which is an object with `version` and `runs`; most scanners write it with an option such as `--format sarif`",
    );
  }
  if (log["version"] !== VERSION) {
    const found = JSON.stringify(log["version"])?.slice(0, 50);
    throw new ReportFault(`is SARIF ${found}; only ${VERSION} is supported`);
  }
  const runs = objectsOf(log["runs"], "runs");
  if (runs.length === 0) throw new ReportFault("has no runs, which proves nothing");
  return runs.map((run, index) => readRun(run, `runs[${index}]`));
}

function objectsOf(list: unknown, name: string): Untyped[] {
  if (!Array.isArray(list)) throw new ReportFault(`is not SARIF: \`${name}\` is not a list`);
  return list.map((item: unknown, index) => {
    if (isObject(item)) return item;
    throw new ReportFault(`is not SARIF: \`${name}[${index}]\` is not an object`);
  });
}

function readRun(run: Untyped, name: string): ReportedRun {
  const driver = asObject(asObject(run["tool"])["driver"]);
  const tool = {
    name: asText(driver["name"]) || "an unnamed tool",
    version: asText(driver["semanticVersion"]) || asText(driver["version"]),
  };
  const given = run["results"] ?? undefined;
  const results = given === undefined ? [] : objectsOf(given, `${name}.results`);
  const rules = new SarifRules(asObject(run["tool"]));
  const open = results.filter(isFinding);
  const findings = open
    .filter((result) => !isSuppressed(result))
    .map((result) => readFinding(result, { run, rules, tool }));
  const suppressed = open.length - findings.length;
  return { tool, findings, suppressed, fault: faultOf(run, tool.name, given !== undefined) };
}

function isFinding({ kind, baselineState }: Untyped): boolean {
  return (kind === undefined || kind === "fail") && baselineState !== "absent";
}

/** A suppression that is under review or rejected does not count. */
function isSuppressed(result: Untyped): boolean {
  const suppressions = asObjects(result["suppressions"]);
  return (
    suppressions.length > 0 &&
    suppressions.every(({ status }) => status === undefined || status === "accepted")
  );
}

function readFinding(
  result: Untyped,
  { run, rules, tool }: { run: Untyped; rules: SarifRules; tool: ScanTool },
): ReportedFinding {
  const found = rules.find(result);
  const { priorityScore } = asObject(result["properties"]);
  return {
    severity: severityOf(result, found),
    ruleId: found.id.slice(0, MAX_RULE_CHARACTERS),
    message: messageOf(result, found),
    tool: tool.name,
    places: placesOf(result, run),
    ...(typeof priorityScore === "number" && { priorityScore }),
  };
}

function severityOf(result: Untyped, { rule }: FoundRule): Severity {
  const score = scoreOf(result) ?? scoreOf(rule);
  if (score !== undefined) return severityOfScore(score);
  const byDefault = asObject(rule["defaultConfiguration"])["level"];
  return severityOfLevel(result["level"]) ?? severityOfLevel(byDefault) ?? "medium";
}

function scoreOf(described: Untyped): number | undefined {
  const written = asObject(described["properties"])["security-severity"];
  if (typeof written === "string" && !/^\s*\d+(?:\.\d+)?\s*$/.test(written)) return undefined;
  const score = typeof written === "string" || typeof written === "number" ? Number(written) : Number.NaN;
  return score >= 0 && score <= 10 ? score : undefined;
}

function faultOf(run: Untyped, tool: string, hasResults: boolean): string {
  for (const invocation of asObjects(run["invocations"])) {
    if (invocation["executionSuccessful"] === false) {
      const why = whyItFailed(invocation);
      return `the scan by ${tool} did not succeed${why === "" ? "" : `: ${why}`}`;
    }
  }
  if (hasResults) return "";
  const elsewhere = "results" in asObject(run["externalPropertyFileReferences"]);
  return elsewhere
    ? `${tool} has its results in other files, which are not supported`
    : `the run of ${tool} has no list of results, so nothing was scanned`;
}

function whyItFailed(invocation: Untyped): string {
  const notifications = [
    ...asObjects(invocation["toolExecutionNotifications"]),
    ...asObjects(invocation["toolConfigurationNotifications"]),
  ];
  const errors = notifications.filter(({ level }) => level === "error");
  const texts = [...errors, ...notifications].map(({ message }) => asText(asObject(message)["text"]));
  const text = asText(invocation["exitCodeDescription"]) || texts.find((text) => text !== "") || "";
  return text.trim().slice(0, MAX_RULE_CHARACTERS);
}

/** Bases may refer to each other; longer chains are circular. */
const MAX_BASES = 8;
const MAX_URI_CHARACTERS = 1000;

/** More would not help to fix the result. */
const MAX_PLACES = 10;

/** The first locations of a result that are in files. */
function placesOf(result: Untyped, run: Untyped): ReportedPlace[] {
  return asObjects(result["locations"])
    .slice(0, MAX_PLACES)
    .map((location) => asObject(location["physicalLocation"]))
    .map((physical) => placeOf(physical, run))
    .filter(({ uri }) => uri !== "");
}

function placeOf(physical: Untyped, run: Untyped): ReportedPlace {
  const artifact = artifactOf(asObject(physical["artifactLocation"]), run);
  const uri = asText(artifact["uri"]).slice(0, MAX_URI_CHARACTERS);
  const { startLine, endLine } = asObject(physical["region"]);
  const first = lineOf(startLine);
  const last = lineOf(endLine);
  const line = first === undefined ? {} : { line: first };
  const base = baseOf(asText(artifact["uriBaseId"]), run);
  const files = [base === "" ? "" : `${base.replace(/\/$/, "")}/${uri}`, uri].filter((file) => file !== "");
  return {
    uri,
    lines: linesText(first, last),
    written: files.map((file) => ({ file: pathOf(file), ...line })),
  };
}

function artifactOf(location: Untyped, run: Untyped): Untyped {
  const { index } = location;
  if (asText(location["uri"]) !== "" || typeof index !== "number") return location;
  const artifacts: unknown = run["artifacts"];
  return asObject(asObject(Array.isArray(artifacts) ? artifacts[index] : undefined)["location"]);
}

/** A base's absolute address, if known: `file:///home/runner/work/shop/shop/`. */
function baseOf(id: string, run: Untyped): string {
  const bases = asObject(run["originalUriBaseIds"]);
  let path = "";
  let name = id;
  for (let depth = 0; depth < MAX_BASES && name !== ""; depth++) {
    const base = asObject(Object.hasOwn(bases, name) ? bases[name] : undefined);
    const uri = asText(base["uri"]);
    if (uri !== "") path = path === "" ? uri : `${uri.replace(/\/$/, "")}/${path}`;
    name = asText(base["uriBaseId"]);
  }
  return path.startsWith("file:") ? path : "";
}

/** A URI's path, decoded and without `file:`. */
function pathOf(uri: string): string {
  const path = uri.replace(/^file:(?:\/\/(?:localhost)?)?(?=\/)/, "");
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
