import { isEvidenceError } from "../../api/client/errors.ts";
import { type Failure, flowsOf } from "../../api/resources/assert-failures.ts";
import type { Assertion } from "../../api/resources/asserts.ts";
import type { AttestationRecord } from "../../api/resources/attestation-record.ts";
import { listAttestations } from "../../api/resources/attestations.ts";
import type { ActionContext } from "../../github/step/action.ts";
import { fewAtATime } from "../../net/few-at-a-time.ts";

const AT_A_TIME = 4;
/** An annotation has room for no more. */
const MOST = 20;

/** Adds to each failure why its attestation is not compliant. An unreadable record leaves its failure unchanged. */
export async function withRecordedReasons(
  failures: readonly Failure[],
  assertion: Assertion,
  context: ActionContext,
): Promise<Failure[]> {
  const explained = await fewAtATime(AT_A_TIME, failures.slice(0, MOST), async (failure) => {
    const id = attestationIdOf(failure, assertion);
    if (id === undefined) return failure;
    const reason = await readReason(id, context);
    return reason === "" ? failure : { ...failure, text: `${failure.text}: ${reason}` };
  });
  return [...explained, ...failures.slice(MOST)];
}

function attestationIdOf({ reason, flow, trail, attestation }: Failure, assertion: Assertion) {
  if (reason !== "non-compliant" || attestation === undefined) return undefined;
  const verdict = flowsOf(assertion).find((each) => each.flow === flow && each.trail === trail);
  const slot = verdict?.complianceStatus?.attestationsStatuses?.find(
    ({ attestationName, isCompliant }) => attestationName === attestation && isCompliant === false,
  );
  return slot?.attestationId ?? undefined;
}

async function readReason(attestationId: string, { call }: ActionContext): Promise<string> {
  try {
    const reply = await call(listAttestations, { attestationId });
    const record = reply?.body.data[0];
    return record === undefined ? "" : reasonIn(record);
  } catch (error) {
    if (!isEvidenceError(error)) throw error;
    return "";
  }
}

/** The reason from the record's own results; empty if they give none. */
function reasonIn(record: AttestationRecord): string {
  const { junitResults, processedSnykResults, evaluationError, reason } = record;
  if (reason) return reason;
  if (evaluationError) return evaluationError;
  if (junitResults) return testsText(junitResults);
  return findingsText(processedSnykResults?.results ?? []);
}

/** `14 of 60 tests failed` */
function testsText(suites: NonNullable<AttestationRecord["junitResults"]>): string {
  if (suites.length === 0) return "it has no test results";
  const sum = (field: "failures" | "errors" | "total") =>
    suites.reduce((total, suite) => total + (suite[field] ?? 0), 0);
  const failed = sum("failures") + sum("errors");
  return failed === 0 ? "" : `${failed} of ${sum("total")} ${sum("total") === 1 ? "test" : "tests"} failed`;
}

type ScanRun = NonNullable<NonNullable<AttestationRecord["processedSnykResults"]>["results"]>[number];

/** `2 high, 1 low` */
function findingsText(runs: readonly ScanRun[]): string {
  const counts = (["high", "medium", "low"] as const).flatMap((level) => {
    const count = runs.reduce((sum, run) => sum + (run[`${level}Count`] ?? 0), 0);
    return count === 0 ? [] : `${count} ${level}`;
  });
  return counts.length === 0 ? "" : `findings: ${counts.join(", ")}`;
}
