import { type Html, html, plainList, safeLink, text } from "../parts/html.ts";
import { sourceLink } from "../parts/links.ts";
import { table } from "../parts/table.ts";
import { badge } from "../parts/verdict.ts";
import { counted } from "../parts/words.ts";
import type { ShowKind } from "./kind.ts";

/** A scanner's result, with the scanner's field names and any values. */
type ScanFields = Readonly<Record<string, unknown>>;

export const sonar: ShowKind = ({ sonarResults }, request) => {
  const results: ScanFields = sonarResults ?? {};
  const [gate, project] = [objectIn(results, "qualityGate"), objectIn(results, "project")];
  const conditions = listIn(gate, "conditions").toSorted(
    (one, other) => Number(isFailed(other)) - Number(isFailed(one)),
  );
  const failed = conditions.filter(isFailed);
  const status = wordIn(gate, "status") || "unknown";
  const url = wordIn(project, "url");
  return {
    sentence: `quality gate ${status}${failed.length === 0 ? "" : `: ${failed.map(failureText).join(", ")}`}`,
    tables: [
      table<ScanFields>(request, {
        id: "conditions",
        caption: "Conditions of the quality gate",
        columns: {
          Metric: (each) => wordIn(each, "metric"),
          Result: (each) => {
            const word = wordIn(each, "status");
            return { html: badge(word || "UNKNOWN", isFailed(each) ? "fail" : "ok"), csv: word };
          },
          Value: (each) => wordIn(each, "value"),
          "Fails when": limitOf,
        },
        rows: conditions,
        empty: "No conditions recorded.",
      }),
    ],
    ...(url === "" ? {} : { more: html`<p>${safeLink(url, wordIn(project, "name") || "The project")}</p>` }),
  };
};

function isFailed(condition: ScanFields): boolean {
  return /^(error|failed|warn)$/i.test(wordIn(condition, "status"));
}

/** `coverage 71.2 < 80` */
function failureText(condition: ScanFields): string {
  return `${wordIn(condition, "metric")} ${wordIn(condition, "value")} ${limitOf(condition)}`;
}

const SIGNS: Readonly<Record<string, string>> = { LESS_THAN: "<", LT: "<", GREATER_THAN: ">", GT: ">" };

function limitOf(condition: ScanFields): string {
  const operator = wordIn(condition, "operator") || wordIn(condition, "comparator");
  return `${SIGNS[operator] ?? operator} ${wordIn(condition, "errorThreshold")}`;
}

function objectIn(fields: ScanFields, name: string): ScanFields {
  const value = fields[name];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function listIn(fields: ScanFields, name: string): ScanFields[] {
  const value = fields[name];
  return Array.isArray(value) ? value.map((each) => ({ ...Object(each) })) : [];
}

function wordIn(fields: ScanFields, name: string): string {
  const value = fields[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

const SEVERITIES = ["high", "medium", "low"] as const;
const TONES = { high: "fail", medium: "warn", low: "unknown" } as const;

/** Findings of a scan, the most severe first. */
export const scan: ShowKind = ({ processedSnykResults, sarifResults, gitCommitInfo }, request) => {
  const scan = processedSnykResults ?? sarifResults;
  const results = scan?.results ?? [];
  const count = (severity: (typeof SEVERITIES)[number]) =>
    results.reduce((all, result) => all + Number(result[`${severity}Count`] ?? 0), 0);
  const found = SEVERITIES.map((severity) => [severity, count(severity)] as const).filter(
    ([, all]) => all > 0,
  );
  const rows = SEVERITIES.flatMap((severity) =>
    results.flatMap((result) => (result[severity] ?? []).map((finding) => ({ ...finding, severity }))),
  );
  const tool = [scan?.tool?.name, scan?.tool?.version].filter(Boolean).join(" ");
  return {
    sentence:
      (found.length === 0
        ? "no findings"
        : `${found.map(([severity, all]) => `${all} ${severity}`).join(", ")} in ${counted(results.length, "result")}`) +
      (tool === "" ? "" : `, by ${tool}`),
    tables: [
      table(request, {
        id: "findings",
        caption: "Findings",
        columns: {
          Id: ({ id }) => id,
          Severity: ({ severity }) => ({
            html: badge(severity, TONES[severity]),
            csv: severity,
          }),
          Message: ({ message }) => message,
          Where: (finding) => placesCell(placesOf(finding), gitCommitInfo?.url),
          Score: { cell: ({ priorityScore }) => priorityScore, isNumber: true },
        },
        rows,
        empty: "No findings recorded.",
      }),
    ],
  };
};

interface Place {
  readonly file: string;
  readonly lines: string;
}

function placesOf({
  locations,
}: {
  readonly locations?:
    | readonly { readonly uri?: string | null | undefined; readonly lines?: unknown }[]
    | null
    | undefined;
}): Place[] {
  return (locations ?? []).map(({ uri, lines }) => ({
    file: uri ?? "",
    lines: typeof lines === "string" || typeof lines === "number" ? String(lines) : "",
  }));
}

function placeText({ file, lines }: Place): string {
  return lines === "" ? file : `${file}:${lines}`;
}

function placesCell(places: readonly Place[], commitUrl: string | null | undefined) {
  const links = places.map((place) => placeHtml(place, commitUrl));
  return { html: plainList(links), csv: places.map(placeText).join(", ") };
}

function placeHtml(place: Place, commitUrl: string | null | undefined): Html {
  const line = Number.parseInt(place.lines, 10);
  const address = sourceLink(commitUrl, place.file, line > 0 ? line : undefined);
  return address === undefined ? text(placeText(place)) : safeLink(address, placeText(place));
}
