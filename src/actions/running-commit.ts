import {
  type ActionContext,
  type Checked,
  defineAction,
  githubToken,
  type Outcome,
} from "../github/step/action.ts";
import { required, text, type ValuesOf } from "../github/step/input.ts";
import { originInputs } from "./origin.ts";
import { RECEIPT_OUTPUT, receiptInput } from "./receipt-input.ts";
import { outputsOf } from "./running-commit/outputs.ts";
import { askQuery } from "./running-commit/query.ts";
import { approvalSummary, querySummary } from "./running-commit/summary.ts";
import { runningText } from "./running-commit/words.ts";

const inputs = {
  flow: required({ description: "Name of the flow.", fallback: "EVIDENCE_FLOW" }),
  environment: required({ description: "Name of the environment in the service." }),
  candidate: text({
    description: "Full SHA of the commit to deploy. Default: the commit of the run.",
  }),
  "github-environment": text({
    description:
      "GitHub environment that protects the deployment. Its required reviewers are read from GitHub.",
  }),
  "record-approval": text({
    description:
      "Name of an attestation that records the approval of this run, for a job that uses `github-environment`. It is an error if no person approved. Commits and reviewers are not read.",
  }),
  trail: text({
    description: "Trail for the approval. Default: the candidate.",
    fallback: "EVIDENCE_TRAIL",
  }),
  redact: {
    ...originInputs.redact,
    description: "Parts of the candidate commit to leave out of the approval.",
  },
  ...receiptInput,
  "github-token": githubToken(
    "Token that reads commits, pull requests, the environment and its approvals from GitHub. See the permissions under Requirements.",
  ),
};

type Values = ValuesOf<typeof inputs>;

const outputs = {
  "commit-sha": "Running commit; empty if no artifact of the flow is running, or if it is unknown.",
  "candidate-sha": "Commit to deploy.",
  comparison:
    "Comparison of the candidate with the running commit: `same`, `ahead`, `behind` or `diverged`; `unknown` if no commit runs or they could not be compared.",
  "ahead-by": "Number of commits that the candidate adds; empty if unknown.",
  "behind-by": "Number of commits that the candidate reverts; empty if unknown.",
  commits:
    "Commits that the candidate adds, newest first: a JSON array of `{sha, subject, author, username, timestamp, url, pull_requests, evidence, trail, trail_url}`. Unknown values are null. `evidence` is `COMPLIANT`, `NON-COMPLIANT`, `INCOMPLETE`, `NONE` (no trail) or `UNKNOWN`. Limited to 100 kB.",
  "commits-complete": "`true` if `commits` lists all of them, `false` if the list was cut or is unknown.",
  "compare-url": "Address of GitHub's comparison page; empty if there is nothing to compare.",
  "candidate-evidence": "Evidence status of the candidate's own trail, as in `commits`.",
  reviewers: "Reviewers, one of whom must approve: a JSON array of `{type, name, url}`; empty if unknown.",
  approved: "`true` only if a person's approval was found and recorded. Otherwise `false`.",
  "approved-by": "Accounts that approved, one per line.",
  "trail-url": "Address of the page of the approval's trail; empty if no approval was recorded.",
  receipt: RECEIPT_OUTPUT,
  "result-file": "Path of a JSON file with all of these values and every commit.",
};

type Result = Outcome<keyof typeof outputs>;

export const runningCommit = defineAction({
  name: "running-commit",
  title: "Query the running commit",
  description:
    "Shows what a deployment adds to the running commit, with its evidence, and records who approved it.",
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
    const problem = "is used only with record-approval";
    const unused = ["trail", ...(values.receipt ? ["receipt"] : [])].filter((input) => given.has(input));
    return unused.length > 0 ? { problems: unused.map((input) => ({ input, problem })) } : { values };
  }
  if (given.has("github-environment")) return { values };
  const problem = "is required with record-approval";
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
  const { redact, receipt: wantsReceipt } = values;
  const request = { name: approvalName, trail: trail ?? query.candidate, redact, token, wantsReceipt };
  const approval = await recordApproval({ ...query, ...request }, context);
  const failure =
    approval.failure === undefined
      ? approval.receipt?.failure
      : ({
          code: "approval.not_proven",
          title: "The approval is not proven",
          text: approval.failure,
        } as const);
  return {
    outputs: await outputsOf({ ...query, approval }, context),
    summary: approvalSummary(query, approval),
    ...(failure && { failure }),
  };
}
