import type { RequestOf } from "../../../api/operation.ts";
import { attestJunit } from "../../../api/resources/attestation-kinds.ts";
import type { ActionContext } from "../../../github/step/action.ts";
import type { AttestationRequest, Recorder } from "../attestation-request.ts";
import { dataOf } from "../data.ts";
import { readTests } from "../results.ts";
import { prepareSubmission, submit } from "../submission.ts";

/** Records test results, read from reports or from `data`. */
export const recordJunit: Recorder = async (attestation, context) => {
  const { data } = attestation.values;
  const given = data === undefined ? undefined : await dataOf(data, attestJunit, "junit_results", context);
  const read = given ? undefined : await readTests(attestation.values, context);
  const junitResults = given?.junitResults ?? [...(read?.results.suites ?? [])];
  const { to, fields, attachments, tables } = await prepareSubmission(
    attestation,
    context,
    read?.results.reports,
  );
  const inputs = { junit_results: { within: read ? "test-results" : "data" } };
  const request = { ...to, body: { ...fields, junitResults } };
  const reply = await submit(attestJunit, request, attestation, context, inputs);
  const reason = whyNot(junitResults, attestation, context);
  return {
    reply,
    attachments,
    compliant: reason === "",
    reason,
    tables: [...(read ? [read.table] : []), ...tables],
    remarks: read ? [read.remarks] : [],
  };
};

type Suite = RequestOf<typeof attestJunit>["body"]["junitResults"][number];

/** The service evaluates failures alone. */
function whyNot(suites: readonly Suite[], { values }: AttestationRequest, { warn }: ActionContext): string {
  if (suites.length === 0) return "it has no test results";
  const sum = (field: "failures" | "errors" | "skipped" | "total") =>
    suites.reduce((total, suite) => total + suite[field], 0);
  const failed = sum("failures") + sum("errors");
  const tests = sum("total") === 1 ? "test" : "tests";
  if (failed > 0) return `${failed} of ${sum("total")} ${tests} failed`;
  if (values.record === "judged" && sum("skipped") >= sum("total"))
    warn(
      "No test ran, and the service reports that as compliant. Use kind: generic to make it non-compliant.",
    );
  return "";
}
