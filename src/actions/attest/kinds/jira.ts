import { attestJira } from "../../../api/attestation-kinds.ts";
import type { ActionContext } from "../../../github/action.ts";
import type { ClaimWith, Recorded } from "../claim.ts";
import { dataOf } from "../data.ts";
import { pack } from "../parcel.ts";

/** Records the Jira issues that a change refers to, as they were looked up. */
export async function recordJira(
  claim: ClaimWith<{ readonly data: string }>,
  context: ActionContext,
): Promise<Recorded> {
  const { jiraResults } = await dataOf(claim.values.data, attestJira, "jira_results", context);
  const { to, fields, attachments, tables } = await pack(claim, context);
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
