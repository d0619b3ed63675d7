import { html } from "hono/html";
import { empty } from "../../parts/empty.ts";
import { safeLink } from "../../parts/link.ts";
import { table } from "../../parts/table.ts";
import { text } from "../../parts/text.ts";
import { badge } from "../../parts/verdict.ts";
import type { ShowKind } from "../kind.ts";

/** What it says is in the scanner's names, and may be anything. */
type Said = Readonly<Record<string, unknown>>;

/** The quality gate with its conditions, those that failed first. */
export const sonar: ShowKind = ({ sonarResults }, { here }) => {
  const results: Said = sonarResults ?? {};
  const [gate, project] = [saidIn(results, "qualityGate"), saidIn(results, "project")];
  const conditions = listIn(gate, "conditions").toSorted(
    (one, other) => Number(isFailed(other)) - Number(isFailed(one)),
  );
  const failed = conditions.filter(isFailed);
  const status = wordIn(gate, "status") || "unknown";
  const url = wordIn(project, "url");
  return {
    sentence: `quality gate ${status}${failed.length === 0 ? "" : `: ${failed.map(inWords).join(", ")}`}`,
    tables: [
      table<Said>({
        id: "conditions",
        caption: "Conditions of the quality gate",
        columns: [
          {
            head: "Metric",
            cell: (each) => text(wordIn(each, "metric")),
            csv: (each) => wordIn(each, "metric"),
          },
          {
            head: "Result",
            cell: (each) => badge(wordIn(each, "status") || "UNKNOWN", isFailed(each) ? "fail" : "ok"),
            csv: (each) => wordIn(each, "status"),
          },
          {
            head: "Value",
            cell: (each) => text(wordIn(each, "value")),
            csv: (each) => wordIn(each, "value"),
          },
          { head: "Fails when", cell: (each) => text(limitOf(each)), csv: limitOf },
        ],
        rows: conditions,
        empty: empty("No condition was recorded."),
        here,
      }),
    ],
    ...(url === "" ? {} : { more: html`<p>${safeLink(url, wordIn(project, "name") || "The project")}</p>` }),
  };
};

function isFailed(condition: Said): boolean {
  return /^(error|failed|warn)$/i.test(wordIn(condition, "status"));
}

/** `coverage 71.2 < 80` */
function inWords(condition: Said): string {
  return `${wordIn(condition, "metric")} ${wordIn(condition, "value")} ${limitOf(condition)}`;
}

const SIGNS: Readonly<Record<string, string>> = { LESS_THAN: "<", LT: "<", GREATER_THAN: ">", GT: ">" };

function limitOf(condition: Said): string {
  const operator = wordIn(condition, "operator") || wordIn(condition, "comparator");
  return `${SIGNS[operator] ?? operator} ${wordIn(condition, "errorThreshold")}`;
}

function saidIn(said: Said, name: string): Said {
  const value = said[name];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function listIn(said: Said, name: string): Said[] {
  const value = said[name];
  return Array.isArray(value) ? value.map((each) => ({ ...Object(each) })) : [];
}

function wordIn(said: Said, name: string): string {
  const value = said[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
