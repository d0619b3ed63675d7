import type { AttestationRecord } from "../../../api/resources/attestation-record.ts";
import { counted } from "../parts/words.ts";
import { isOverride, judgedType } from "./kind.ts";
import { sbomInWords } from "./sbom.ts";

/** Content of an attestation in a few words: `746 passed, 3 skipped` or `#596 approved by octocat`. */
export function summaryOf(record: AttestationRecord): string {
  if (isOverride(record)) return `overridden by ${by(record)}${record.reason ? `: ${record.reason}` : ""}`;
  const summary = SUMMARIES[record.attestationType] ?? SUMMARIES[judgedType(record.attestationType)];
  return summary?.(record) ?? `reported by ${by(record)}`;
}

function by({ reportedBy }: AttestationRecord): string {
  return reportedBy ?? "an unknown account";
}

const SUMMARIES: Readonly<Record<string, (record: AttestationRecord) => string>> = {
  junit({ junitResults }) {
    const sum = (field: "total" | "failures" | "errors" | "skipped") =>
      (junitResults ?? []).reduce((all, suite) => all + (suite[field] ?? 0), 0);
    const [total, skipped, failed] = [sum("total"), sum("skipped"), sum("failures") + sum("errors")];
    if (failed > 0) return `${failed} of ${counted(total, "test")} failed`;
    return skipped === 0 ? `${total} passed` : `${total - skipped} passed, ${skipped} skipped`;
  },
  pull_request({ pullRequests }) {
    const all = (pullRequests ?? []).map(({ url, approvers }) => {
      const names = (approvers ?? []).map((each) =>
        typeof each === "string" ? each : (each.username ?? ""),
      );
      const number = /\/(\d+)$/.exec(url ?? "")?.[1];
      const called = number === undefined ? "pull request" : `#${number}`;
      return names.length === 0 ? `${called} without approval` : `${called} approved by ${names.join(", ")}`;
    });
    return all.length === 0 ? "no pull request found" : all.join("; ");
  },
  jira({ jiraResults }) {
    const issues = jiraResults ?? [];
    if (issues.length === 0) return "no issue found";
    return issues
      .map(
        ({ issueId, issueExists }) => `${issueId ?? "issue"}${issueExists === true ? "" : " does not exist"}`,
      )
      .join(", ");
  },
  snyk: findings,
  "system:sarif": findings,
  "system:sbom": sbomInWords,
  sonar({ sonarResults }) {
    const status = Object(Object(sonarResults)["qualityGate"])["status"];
    return `quality gate ${typeof status === "string" ? status : "unknown"}`;
  },
  "system:decision": ({ control, isCompliant }) =>
    control ? `control ${control} ${isCompliant ? "passed" : "did not pass"}` : "decided",
};

function findings({ processedSnykResults, sarifResults }: AttestationRecord): string {
  const { results } = processedSnykResults ?? sarifResults ?? {};
  const found = (["high", "medium", "low"] as const).flatMap((severity) => {
    const count = (results ?? []).reduce((all, each) => all + Number(each[`${severity}Count`] ?? 0), 0);
    return count === 0 ? [] : [`${count} ${severity}`];
  });
  return found.length === 0 ? "no findings" : `${found.join(", ")} found`;
}
