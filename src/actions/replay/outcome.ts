import type { Outcome } from "../../github/step/action.ts";
import type { SpooledSubmission } from "../../spool/read.ts";
import type { Replayed, ReplayReport } from "../../spool/replay.ts";

export const outputs = {
  status:
    "`recorded` (all submissions are on record), `left` (some are not), `empty` (nothing was spooled) or `dry-run`.",
  replayed: "Number of submissions recorded by this step.",
  found: "Number of submissions that were already on record.",
  left: "Number of submissions that are not on record yet.",
};

export type ReplayResult = Outcome<keyof typeof outputs>;

interface ReplayDone {
  readonly report: ReplayReport;
  readonly results: readonly Replayed[];
  readonly faults: readonly string[];
  readonly total: number;
}

/** Fails if anything is left. */
export function replayOutcome({ report, results, faults, total }: ReplayDone): ReplayResult {
  const { recorded, found, left, stopped } = report;
  const failed = left > 0 || faults.length > 0;
  const reasons = results.flatMap((one) => (one.result === "left" ? `- ${one.what}: ${one.reason}` : []));
  const tried = results.length < total ? [`${total - results.length} were not attempted.`] : [];
  const why = stopped
    ? [[stopped.message, ...stopped.details, stopped.advice].filter(Boolean).join("\n")]
    : [];
  const count = `${recorded} recorded, ${found} already recorded, ${left} left`;
  return {
    outputs: {
      status: failed ? "left" : total === 0 ? "empty" : "recorded",
      replayed: String(recorded),
      found: String(found),
      left: String(left),
    },
    summary: {
      heading: total === 0 && !failed ? "Nothing was spooled" : `Spooled evidence: ${count}`,
      mark: failed ? "failed" : total === 0 ? "neutral" : "passed",
      columns: ["Submission", "Result", "Remarks"],
      rows: results.map((one) => [one.what, one.result, one.result === "left" ? one.reason : ""]),
    },
    ...(failed && {
      failure: {
        code: "spool.not_replayed",
        title:
          left > 0 ? `${left} of ${total} submissions were not recorded` : "Not every artifact could be read",
        text: [...why, ...tried, ...reasons, ...faults].join("\n"),
      },
    }),
  };
}

/** The outcome of a dry run. */
export function dryOutcome(spooled: readonly SpooledSubmission[]): ReplayResult {
  return {
    outputs: { status: "dry-run", replayed: "0", found: "0", left: String(spooled.length) },
    summary: {
      heading: `Dry run: ${spooled.length} submissions would be replayed`,
      columns: ["Submission"],
      rows: spooled.map(({ name }) => [name]),
    },
  };
}
