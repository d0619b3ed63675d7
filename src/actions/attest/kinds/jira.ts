import { attestJira } from "../../../api/attestation-kinds.ts";
import type { ActionContext } from "../../../github/action.ts";
import type { Recorded, RequestWith } from "../attestation-request.ts";
import { dataOf } from "../data.ts";
import { prepareSubmission } from "../submission.ts";

/** Records the Jira issues that a change refers to, as they were looked up. */
export async function recordJira(
  attestation: RequestWith<{ readonly data: string }>,
  context: ActionContext,
): Promise<Recorded> {
  const { jiraResults } = await dataOf(attestation.values.data, attestJira, "jira_results", context);
  const { to, fields, attachments, tables } = await prepareSubmission(attestation, context);
  const reply = await context.call(attestJira, {
    ...to,
    body: { ...fields, jiraResults },
  });
  const absent = jiraResults.filter(({ issueExists }) => !issueExists).map(({ issueId }) => issueId);
  const reason =
    jiraResults.length === 0
      ? "no issue is named"
      : absent.length > 0
        ? `no such issue: ${absent.join(", ")}`
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
}
