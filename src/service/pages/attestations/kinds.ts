import type { AttestationRecord } from "../../../api/resources/attestation-record.ts";
import type { PageRequest } from "../page.ts";
import { facts } from "../parts/blocks.ts";
import { type Html, html, plainList, safeLink, text } from "../parts/html.ts";
import { sourceLink } from "../parts/links.ts";
import { badgeCell, type Table, table, timeCell } from "../parts/table.ts";
import { counted } from "../parts/words.ts";
import { custom } from "./custom.ts";
import { decision } from "./decision.ts";
import { isOverride, judgedType, type ShowKind } from "./kind.ts";
import { pullRequests } from "./pull-requests.ts";
import { sbom } from "./sbom.ts";
import { scan, sonar } from "./scans.ts";

function failedTests({ userData, gitCommitInfo }: AttestationRecord, request: PageRequest): Table[] {
  const rows = failedIn(userData);
  if (rows.length === 0) return [];
  const failed = table(request, {
    id: "failed",
    caption: "Failed tests",
    columns: {
      Test: ({ name }) => name,
      Suite: ({ suite }) => suite,
      Where: (each) => {
        const [address, place] = [sourceLink(gitCommitInfo?.url, each.file, each.line), placeOf(each)];
        return { html: address === undefined ? text(place) : safeLink(address, place), csv: place };
      },
      Message: ({ message }) => ({
        html: html`<span class="text">${text(message)}</span>`,
        csv: message,
      }),
    },
    rows,
    empty: "",
  });
  return [failed];
}

/** Reads failed tests from user data, which may have any shape. */
function failedIn(userData: unknown) {
  const { failed_tests: listed } = Object(userData);
  if (!Array.isArray(listed)) return [];
  return listed.map((each) => {
    const { name, suite, message, file, line } = Object(each);
    const word = (value: unknown) => (typeof value === "string" ? value : "");
    return {
      name: word(name),
      suite: word(suite),
      message: word(message),
      file: word(file),
      line: lineIn(line),
    };
  });
}

function lineIn(value: unknown): number | undefined {
  // Numbers in user data are raw JSON, so that they keep their digits.
  const line = Number(JSON.isRawJSON(value) ? JSON.stringify(value) : value);
  return Number.isSafeInteger(line) && line > 0 ? line : undefined;
}

function placeOf({ file, line }: ReturnType<typeof failedIn>[number]): string {
  return line === undefined ? file : `${file}:${line}`;
}

const junit: ShowKind = (record, request) => {
  const { junitResults } = record;
  const suites = (junitResults ?? []).map((suite) => {
    const failed = (suite.failures ?? 0) + (suite.errors ?? 0);
    return { ...suite, failed, total: suite.total ?? 0 };
  });
  const [failed, total] = [sum(suites.map((suite) => suite.failed)), sum(suites.map((suite) => suite.total))];
  const broken = suites.filter((suite) => suite.failed > 0).length;
  const all = counted(total, "test");
  return {
    sentence:
      failed === 0
        ? `${all} in ${counted(suites.length, "suite")}, none failed`
        : `${failed} of ${all} failed in ${broken} of ${counted(suites.length, "suite")}`,
    tables: [
      ...failedTests(record, request),
      table(request, {
        id: "suites",
        caption: "Test suites",
        columns: {
          Suite: ({ name }) => name,
          Result: (suite) => (suite.failed > 0 ? badgeCell("FAILED", "fail") : badgeCell("PASSED", "ok")),
          Tests: { cell: (suite) => suite.total, isNumber: true },
          Failures: { cell: ({ failures }) => failures, isNumber: true },
          Errors: { cell: ({ errors }) => errors, isNumber: true },
          Skipped: { cell: ({ skipped }) => skipped, isNumber: true },
          Seconds: { cell: ({ duration }) => duration, isNumber: true },
          Run: ({ timestamp }) => (timestamp ? timeCell(timestamp) : null),
        },
        rows: suites.toSorted((one, other) => Number(other.failed > 0) - Number(one.failed > 0)),
        empty: "No suites recorded.",
      }),
    ],
  };
};

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

const jira: ShowKind = ({ jiraResults }, request) => {
  const issues = jiraResults ?? [];
  const missing = issues.filter(({ issueExists }) => issueExists !== true).length;
  const all = counted(issues.length, "issue");
  return {
    sentence:
      missing === 0 ? `${all}, all exist` : `${all}, ${missing} ${missing === 1 ? "does" : "do"} not exist`,
    tables: [
      table(request, {
        id: "issues",
        caption: "Issues",
        columns: {
          Issue: ({ issueId: id, issueUrl: url }) => ({
            html: url ? safeLink(url, id ?? undefined) : text(id),
            csv: id,
          }),
          State: ({ issueExists }) =>
            issueExists === true ? badgeCell("EXISTS", "ok") : badgeCell("MISSING", "fail"),
          Fields: ({ issueFields: fields }) => ({
            html: plainList(pairsAsText(fields)),
            csv: fields ? JSON.stringify(fields) : "",
          }),
        },
        rows: issues,
        empty: "No issues recorded.",
      }),
    ],
  };
};

function pairsAsText(fields: Readonly<Record<string, unknown>> | null | undefined): Html[] {
  const inText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  return Object.entries(fields ?? {}).map(([name, value]) => text(`${name}: ${inText(value)}`));
}

const generic: ShowKind = (record, request) => ({
  sentence: `reported as ${record.isCompliant ? "compliant" : "not compliant"} by ${record.reportedBy ?? "an unknown account"}`,
  tables: failedTests(record, request),
});

const override: ShowKind = ({ newComplianceStatus, isCompliant, reason, reportedBy }) => ({
  sentence: `overridden to ${(newComplianceStatus ?? isCompliant) ? "compliant" : "not compliant"} by ${reportedBy ?? "an unknown account"}`,
  tables: [],
  more: html`${facts([["Reason", reason ? text(reason) : ""]])}`,
});

const KINDS: Readonly<Record<string, ShowKind>> = {
  generic,
  junit,
  snyk: scan,
  sonar,
  jira,
  pull_request: pullRequests,
  "system:decision": decision,
  "system:sarif": scan,
  "system:sbom": sbom,
};

/**
 * Selects the view of an attestation by its type. Facts look like the judged kind. Custom and unknown `system:` types
 * show their data.
 */
export function kindOf(record: AttestationRecord): ShowKind {
  if (isOverride(record)) return override;
  const { attestationType } = record;
  const known = KINDS[attestationType] ?? KINDS[judgedType(attestationType)];
  if (known !== undefined) return known;
  return /^(custom|system):/.test(attestationType) ? custom : generic;
}
