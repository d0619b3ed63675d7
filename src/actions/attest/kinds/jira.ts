import { attestJira } from "../../../api/resources/attestation-kinds.ts";
import type { Recorder } from "../attestation-request.ts";
import { dataOf } from "../data.ts";
import type { RemoteEssentials } from "../remote-inputs.ts";
import { prepareSubmission, submit } from "../submission.ts";

/** Records the Jira issues of a change, read from Jira or from `data`. */
export const recordJira: Recorder<RemoteEssentials<"jira">> = async (attestation, context) => {
  const { values, origin } = attestation;
  const isGiven = values.data !== undefined;
  const { jiraResults } = isGiven
    ? await dataOf(values.data, attestJira, "jira_results", context)
    : { jiraResults: await (await import("../ask-jira.ts")).askJira(values, origin, context) };
  const { to, fields, attachments, tables } = await prepareSubmission(attestation, context);
  const inputs = { jira_results: { within: isGiven ? "data" : "jira-url" } };
  const request = { ...to, body: { ...fields, jiraResults } };
  const reply = await submit(attestJira, request, attestation, context, inputs);
  const absent = jiraResults.filter(({ issueExists }) => !issueExists).map(({ issueId }) => issueId);
  const reason =
    jiraResults.length === 0
      ? "no issue was found"
      : absent.length > 0
        ? `issues that do not exist: ${absent.join(", ")}`
        : "";
  return {
    reply,
    attachments,
    compliant: reason === "",
    reason,
    tables: [
      {
        columns: ["Issue", "Exists"],
        rows: jiraResults
          .toSorted((a, b) => Number(a.issueExists) - Number(b.issueExists))
          .map(({ issueId, issueExists }) => [issueId, issueExists ? "yes" : "no"]),
      },
      ...tables,
    ],
  };
};
