import {
  type ActionContext,
  type Checked,
  defineAction,
  githubToken,
  type Outcome,
} from "../github/step/action.ts";
import { required, text, type ValuesOf } from "../github/step/input.ts";
import { originInputs } from "./origin.ts";
import { outputsOf } from "./running-commit/outputs.ts";
import { askQuery } from "./running-commit/query.ts";
import { approvalSummary, querySummary } from "./running-commit/summary.ts";
import { runningText } from "./running-commit/words.ts";

const inputs = {
  flow: required({ description: "The flow.", fallback: "EVIDENCE_FLOW" }),
  environment: required({ description: "The environment, as it is reported to the service." }),
  candidate: text({
    description: "The commit that may be deployed, in full; the one the workflow runs for unless given.",
  }),
  "github-environment": text({
    description:
      "The repository's environment at GitHub that guards the deployment: who must approve is read from it.",
  }),
  "record-approval": text({
    description:
      "Record the approval of this run as an attestation of this name, and fail unless a person gave it. For a job behind `github-environment`; the commits and who must approve are not asked for again.",
  }),
  trail: text({
    description: "The trail that the approval is recorded on; the candidate unless given.",
    fallback: "EVIDENCE_TRAIL",
  }),
  redact: {
    ...originInputs.redact,
    description: "What of the candidate not to send with the approval.",
  },
  "github-token": githubToken(
    "Asks GitHub to compare the commits, for their pull requests, and about the environment and its approvals; see the permissions below.",
  ),
};

type Values = ValuesOf<typeof inputs>;

const outputs = {
  "commit-sha": "The commit that runs; empty when none of the flow does, or it is not known which.",
  "candidate-sha": "The commit that may be deployed.",
  comparison:
    "How the candidate lies to what runs: `same`, `ahead`, `behind`, `diverged`; `unknown` when nothing runs, or GitHub does not tell.",
  "ahead-by": "How many commits the candidate would add; empty when it is not known.",
  "behind-by": "How many it would take back; empty when it is not known.",
  commits:
    "The commits it would add, newest first: a JSON array of `{sha, subject, author, username, timestamp, url, pull_requests, evidence, trail, trail_url}`; what is not known is null. `evidence` is `COMPLIANT`, `NON-COMPLIANT`, `INCOMPLETE`, `NONE` (no trail) or `UNKNOWN`. Cut at 100 kB.",
  "commits-complete": "`true` when `commits` holds all of them, `false` when they were cut or are not known.",
  "compare-url": "GitHub's page of the comparison; empty when there is nothing to compare.",
  "candidate-evidence": "What the candidate's own trail says, as in `commits`.",
  reviewers:
    "Who may approve, one of them being enough: a JSON array of `{type, name, url}`; empty when it is not known.",
  approved: "`true` only when a person's approval was found and recorded; `false` in every other case.",
  "approved-by": "The accounts that approved, one a line.",
  "trail-url": "The page of the trail that the approval was recorded on; empty when it was not.",
  "result-file": "The path of a file with all of this, and every commit, as JSON.",
};

type Result = Outcome<keyof typeof outputs>;

export const runningCommit = defineAction({
  name: "running-commit",
  title: "Query the running commit",
  description: "Show what a deployment would add to what runs, with its evidence; record who approved it.",
  inputs,
  outputs,
  fields: {
    flow_name: "flow",
    env_name: "environment",
    attestation_name: "record-approval",
    trail_name: "trail",
    git_commit_info: "candidate",
  },
  unknown: {
    comparison: "unknown",
    commits: "[]",
    "commits-complete": "false",
    "candidate-evidence": "UNKNOWN",
    approved: "false",
  },
  check,
  run,
});

function check(values: Values, given: ReadonlySet<string>): Checked<Values> {
  if (!given.has("record-approval")) {
    const problem = "is of use only with record-approval";
    return given.has("trail") ? { problems: [{ input: "trail", problem }] } : { values };
  }
  if (given.has("github-environment")) return { values };
  const problem = "is required with record-approval: whose approval?";
  return { problems: [{ input: "github-environment", problem, missing: true }] };
}

async function run(values: Values, context: ActionContext): Promise<Result> {
  const { recordApproval: approvalName, flow, environment, githubEnvironment, githubToken: token } = values;
  const { candidate: named, trail } = values;
  const question = { flow, environment, gitHubEnvironment: githubEnvironment, candidate: named, token };
  const query = await askQuery(question, context);
  context.info(runningText(query));
  if (approvalName === undefined) {
    const { gather } = await import("./running-commit/findings.ts");
    const findings = await gather({ ...query, token }, context);
    return {
      outputs: await outputsOf({ ...query, findings }, context),
      summary: querySummary(query, findings),
    };
  }
  const { recordApproval } = await import("./running-commit/record-approval.ts");
  const request = { name: approvalName, trail: trail ?? query.candidate, redact: values.redact, token };
  const approval = await recordApproval({ ...query, ...request }, context);
  return {
    outputs: await outputsOf({ ...query, approval }, context),
    summary: approvalSummary(query, approval),
    ...(approval.failure !== undefined && {
      failure: { code: "approval.not_proven", title: "The approval is not proven", text: approval.failure },
    }),
  };
}
