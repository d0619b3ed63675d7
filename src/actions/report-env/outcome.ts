import type { Connection } from "../../api/client/connection.ts";
import { environmentUrl } from "../links.ts";
import { outcomeCell, type ReportEnvResult } from "./report.ts";
import type { Attempt } from "./several.ts";

/** From worst to best. Several results have the worst of their statuses. */
const STATUSES = ["failed", "dry-run", "skipped", "recorded"] as const;

/** One row per environment, and a failure if any of them failed. */
export function severalOutcome(attempts: readonly Attempt[], connection: Connection): ReportEnvResult {
  const results = attempts.map(resultOf);
  const failed = attempts.flatMap((attempt) => ("error" in attempt ? attempt : []));
  const status = STATUSES.find((each) => results.some((result) => result.status === each)) ?? "failed";
  const reported = `${attempts.length - failed.length} of ${attempts.length} environments`;
  return {
    outputs: {
      status,
      "pod-count": String(results.reduce((sum, result) => sum + result["pod-count"], 0)),
      "snapshot-created": String(results.some((result) => result["snapshot-created"])),
      message: results
        .filter(({ message }) => message !== "")
        .map(({ environment, message }) => `${environment}: ${message}`)
        .join("\n"),
      results: JSON.stringify(results),
    },
    summary: {
      heading: failed.length > 0 ? `${reported}: ${failed.length} failed` : `${reported}: ${status}`,
      mark: failed.length > 0 ? "failed" : "neutral",
      columns: ["Environment", "Status", "Reported", "Remarks"],
      rows: results.map(({ environment, status: its, message, error, ...result }, index) => [
        environment === ""
          ? nameOf(attempts[index])
          : { text: environment, url: environmentUrl(connection, environment) },
        its,
        its === "failed" ? "" : String(result["pod-count"]),
        error || outcomeCell(environment, message, connection),
      ]),
    },
    ...(failed.length > 0 && {
      failure: {
        code: "snapshot.not_recorded",
        title: `${failed.length} of ${attempts.length} environments failed`,
        text: failed.map((attempt) => `- ${nameOf(attempt)}: ${attempt.error}`).join("\n"),
      },
    }),
  };
}

function nameOf(attempt: Attempt | undefined): string {
  if (attempt === undefined) return "";
  return "part" in attempt ? attempt.part : attempt.target.environment;
}

function resultOf(attempt: Attempt) {
  const environment = "part" in attempt ? "" : attempt.target.environment;
  if ("error" in attempt) {
    const none = { "pod-count": 0, "snapshot-created": false, message: "" };
    return { environment, status: "failed" as const, ...none, error: attempt.error };
  }
  const { status, running, snapshotCreated, message } = attempt.report;
  return {
    environment,
    status,
    "pod-count": running.count,
    "snapshot-created": snapshotCreated,
    message,
    error: "",
  };
}
