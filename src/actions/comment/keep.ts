import { keepCheckRun } from "../../github/api/check-runs.ts";
import { keepComment } from "../../github/api/comments.ts";
import { gitHubAddress } from "../../github/api/github-address.ts";
import { askGitHub, type GitHub } from "../../github/api/github-api.ts";
import { isFromFork } from "../../github/event/event-pull-request.ts";
import type { ActionContext } from "../../github/step/action.ts";
import { backoff } from "../../net/retry.ts";
import type { TrailReport } from "./trail-report.ts";

/** For each request, in milliseconds: there may be 25 pages of comments. */
const TIME_LIMIT_MS = 30_000;
const RETRY = { attempts: 3, waitMs: backoff };

interface Place {
  readonly org: string;
  readonly flow: string;
  readonly trail: string;
}

interface Shown {
  readonly report: TrailReport;
  readonly place: Place & { readonly url: string };
  /** Undefined without a pull request to comment on. */
  readonly number: number | undefined;
  readonly checkRun: boolean;
  readonly commit: string | undefined;
  readonly token: string | undefined;
}

/** Writes the comment and, if requested, the check run. Refusals by GitHub become warnings. */
export async function keep(shown: Shown, context: ActionContext) {
  const { number, checkRun } = shown;
  const comment = number === undefined ? undefined : await comments(number, shown, context);
  const checkRunUrl = checkRun ? await checkRuns(shown, context) : "";
  const missing = number === undefined ? "none" : "not-written";
  return { status: comment?.status ?? missing, commentUrl: comment?.url ?? "", checkRunUrl };
}

async function comments(number: number, { report, place, token }: Shown, context: ActionContext) {
  const what = `The comment on pull request #${number}`;
  const question = { number, marker: markerOf(place), text: `${report.text}\n` };
  const comment = await write(what, token, context, (github) => keepComment(github, question));
  if (comment) context.info(`${what} is ${comment.status}: ${comment.url}`);
  return comment;
}

async function checkRuns({ report, place, token, commit }: Shown, context: ActionContext): Promise<string> {
  if (commit === undefined) {
    context.warn("The check run was not written, because the event has no commit. Set `commit`.");
    return "";
  }
  const { state, title, text } = report;
  const url = await write(`The check run on commit ${commit}`, token, context, (github) =>
    keepCheckRun(github, {
      sha: commit,
      name: `Evidence: ${place.flow}`,
      externalId: keyOf(place),
      // A required check must not pass while evidence is missing.
      conclusion: state === "COMPLIANT" ? "success" : "failure",
      title,
      summary: text,
      detailsUrl: place.url,
    }),
  );
  return url ?? "";
}

/** @param what the subject of the warning's sentence */
async function write<T>(
  what: string,
  token: string | undefined,
  { runner, signal, warn }: ActionContext,
  work: (github: GitHub) => Promise<T>,
): Promise<T | undefined> {
  const address = gitHubAddress(runner, token, signal);
  if (address === undefined) {
    const noRepository = runner.ci
      ? "the repository is not at GitHub"
      : "the variable GITHUB_REPOSITORY is empty";
    warn(`${what} was not written: ${token ? noRepository : "github-token is empty"}.`);
    return undefined;
  }
  const result = await askGitHub({ ...address, timeLimitMs: TIME_LIMIT_MS, retry: RETRY }, work);
  if ("answer" in result) return result.answer;
  const { fault } = result;
  const advice = fault.status === 403 && isFromFork(runner) ? FORK : fault.advice;
  warn([`${what} was not written: ${fault.message}.`, advice].filter(Boolean).join("\n"));
  return undefined;
}

const FORK =
  "The pull request comes from a fork, so the run's token is read-only, regardless of the workflow's permissions. Use a workflow on workflow_run, which may write, and set pull-request.";

/** SHA-1 and SHA-256 in hex. */
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;

/**
 * Identifies a trail in a pull request. Trails named after commits share one key, so that each push updates the same
 * comment.
 */
function keyOf({ org, flow, trail }: Place): string {
  const change = COMMIT.test(trail) ? "*" : encodeURIComponent(trail);
  return [encodeURIComponent(org), encodeURIComponent(flow), change].join("/");
}

/** An HTML comment. Blanks and angle brackets are encoded, so that no name can end it. */
function markerOf(place: Place): string {
  return `<!-- delivery-evidence trail: ${keyOf(place)} -->`;
}
