import { getTrail } from "../api/resources/trails.ts";
import { commitOf } from "../github/event/commit.ts";
import { pullRequestNumber } from "../github/event/event-pull-request.ts";
import {
  type ActionContext,
  type Checked,
  defineAction,
  githubToken,
  type Outcome,
} from "../github/step/action.ts";
import { flag, required, text, type ValuesOf } from "../github/step/input.ts";
import type { Runner } from "../github/step/runner.ts";
import { trailUrl } from "./links.ts";
import { adviseMissing } from "./missing-advice.ts";
import { trailOf } from "./origin.ts";

const inputs = {
  flow: required({ description: "Name of the flow.", fallback: "EVIDENCE_FLOW" }),
  trail: text({ description: "Name of the trail. Default: the commit.", fallback: "EVIDENCE_TRAIL" }),
  "check-run": flag({
    default: "false",
    description:
      "Whether to keep a check run on the commit as well. It is green if the trail is compliant, otherwise red.",
  }),
  "pull-request": text({
    description: "Number of the pull request to comment on. Default: the event's pull request.",
  }),
  commit: text({
    description: "Commit of the check run. Default: the commit of the run.",
  }),
  "github-token": githubToken(
    "Token that writes to GitHub; needs `pull-requests: write`, and `checks: write` with `check-run`.",
  ),
};

const outputs = {
  status:
    "Outcome of the comment: `created`, `updated`, `unchanged`, `none` (no pull request), `not-written` (GitHub refused it) or `dry-run`.",
  compliance: "Status of the trail: `COMPLIANT`, `NON-COMPLIANT` or `INCOMPLETE`; empty if it was not read.",
  "comment-url": "Address of the comment; empty if there is none.",
  "check-run-url": "Address of the check run's page; empty if there is none.",
  "trail-url": "Address of the trail's page.",
};

type Result = Outcome<keyof typeof outputs>;
type Values = Omit<ValuesOf<typeof inputs>, "pullRequest"> & { readonly pullRequest: number | undefined };

export const comment = defineAction({
  name: "comment",
  title: "Comment with the evidence",
  description:
    "Keeps one comment on the pull request that shows which evidence its trail has and which is missing.",
  inputs,
  outputs,
  fields: { flow_name: "flow", trail_name: "trail" },
  check,
  run,
});

function check(values: ValuesOf<typeof inputs>): Checked<Values> {
  const { pullRequest } = values;
  if (pullRequest === undefined) return { values: { ...values, pullRequest } };
  if (/^[1-9]\d{0,8}$/.test(pullRequest)) return { values: { ...values, pullRequest: Number(pullRequest) } };
  const problem = `must be the number of a pull request, not '${pullRequest}'`;
  return { problems: [{ input: "pull-request", problem }] };
}

async function run(values: Values, context: ActionContext): Promise<Result> {
  const { flow, checkRun } = values;
  const number = values.pullRequest ?? pullRequestNumber(context.runner);
  if (number === undefined) {
    const event = context.runner.eventName ?? "that started the job";
    context.info(
      `The event ${event} has no pull request, so no comment was written. To comment on one, set pull-request.`,
    );
    if (!checkRun) return { outputs: { ...NOTHING, status: "none" } };
  }
  const commit = commitOf(context.runner, values.commit);
  const trail = trailOf(
    values.trail,
    commit === undefined ? {} : { gitCommitInfo: { sha1: commit } },
    context.runner,
  );
  const url = trailUrl(context.connection, flow, trail);
  const reply = await context.call(getTrail, { flowName: flow, trailName: trail }).catch((error: unknown) => {
    throw adviseMissing(error, `Begin the trail '${trail}' first, with begin-trail, or correct \`trail\`.`);
  });
  if (!reply) return { outputs: { ...NOTHING, status: "dry-run", "trail-url": url } };
  const { trailReport } = await import("./comment/trail-report.ts");
  const { keep } = await import("./comment/keep.ts");
  const { checklistTable } = await import("./trail-checklist.ts");
  const report = trailReport(reply.body, { flow, trail, url });
  const place = { org: context.connection.org, flow, trail, url };
  const written = await keep({ report, place, number, commit, token: values.githubToken, checkRun }, context);
  return {
    outputs: {
      status: written.status,
      compliance: report.state,
      "comment-url": written.commentUrl,
      "check-run-url": written.checkRunUrl,
      "trail-url": url,
    },
    summary: {
      heading: `Trail ${trail}: ${report.title}`,
      mark: report.state === "COMPLIANT" ? "passed" : report.state === "INCOMPLETE" ? "neutral" : "failed",
      rows: [
        [
          "Pull request",
          number === undefined
            ? "none"
            : { text: `#${number}`, url: pullRequestPage(context.runner, number) },
        ],
        ["Comment", written.status],
        ["Check run", checkRun ? written.checkRunUrl || "not written" : ""],
      ],
      tables: [checklistTable(report.checklist)],
      link: { text: "Open the trail", url },
    },
  };
}

const NOTHING = { compliance: "", "comment-url": "", "check-run-url": "", "trail-url": "" };

function pullRequestPage({ serverUrl, repository }: Runner, number: number): string | undefined {
  return repository && `${serverUrl}/${repository}/pull/${number}`;
}
