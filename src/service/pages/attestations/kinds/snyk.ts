import { html } from "hono/html";
import type { Html } from "../../html.ts";
import { empty } from "../../parts/empty.ts";
import { safeLink } from "../../parts/link.ts";
import { table } from "../../parts/table.ts";
import { text } from "../../parts/text.ts";
import { badge } from "../../parts/verdict.ts";
import { counted, type ShowKind } from "../kind.ts";
import { sourceLink } from "./source-link.ts";

const SEVERITIES = ["high", "medium", "low"] as const;
const TONES = { high: "fail", medium: "warn", low: "unknown" } as const;

/** Findings of a scan, the severest first. */
export const snyk: ShowKind = ({ processedSnykResults: scan, gitCommitInfo }, { here }) => {
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
        ? "nothing was found"
        : `${found.map(([severity, all]) => `${all} ${severity}`).join(", ")} in ${counted(results.length, "result")}`) +
      (tool === "" ? "" : `, by ${tool}`),
    tables: [
      table<(typeof rows)[number]>({
        id: "findings",
        caption: "Findings",
        columns: [
          { head: "Id", cell: ({ id }) => text(id), csv: ({ id }) => id },
          {
            head: "Severity",
            cell: ({ severity }) => badge(severity.toUpperCase(), TONES[severity]),
            csv: ({ severity }) => severity,
          },
          { head: "What", cell: ({ message }) => text(message), csv: ({ message }) => message },
          {
            head: "Where",
            cell: (finding) =>
              html`<ul class="plain">${placesOf(finding).map((place) => html`<li>${placeHtml(place, gitCommitInfo?.url)}</li>`)}</ul>`,
            csv: (finding) => placesOf(finding).map(placeText).join(", "),
          },
          {
            head: "Score",
            cell: ({ priorityScore }) => priorityScore,
            csv: ({ priorityScore }) => priorityScore,
            isNumber: true,
          },
        ],
        rows,
        empty: empty("No finding was recorded."),
        here,
      }),
    ],
  };
};

interface Place {
  readonly file: string;
  /** `12` or `12-14`. */
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

/** `src/a.ts:12` */
function placeText({ file, lines }: Place): string {
  return lines === "" ? file : `${file}:${lines}`;
}

function placeHtml(place: Place, commitUrl: string | null | undefined): Html {
  const line = Number.parseInt(place.lines, 10);
  const address = sourceLink(commitUrl, place.file, line > 0 ? line : undefined);
  return address === undefined ? text(placeText(place)) : safeLink(address, placeText(place));
}
